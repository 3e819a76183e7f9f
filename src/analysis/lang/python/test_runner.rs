//! `pytest` and `unittest`.

use crate::lang::test_runner::{TestDefinition, TestRunner, grouped, joined};
use crate::model::SymbolKind;
use crate::resolve::input::Manifest;

/// The runner of tests.
pub const RUNNER: TestRunner = TestRunner { is_test, commands, takes_files: true };

fn is_test(test: &TestDefinition<'_>) -> bool {
    let is_function = matches!(test.kind, SymbolKind::Function | SymbolKind::Method);
    // Both run names such as testRun, too. Without an underscore, a used function is rather a helper such as `testing`.
    let is_named = test.name.starts_with("test_") || test.name.starts_with("test") && !test.is_used;
    is_function && !test.is_nested && is_named
}

/// Returns one command. Classes alone are run by unittest, unless a manifest mentions pytest.
fn commands(tests: &[TestDefinition<'_>], manifests: &[Manifest]) -> Vec<String> {
    let has_pytest = manifests.iter().any(|manifest| manifest.text.contains("pytest"));
    let is_pytest = has_pytest || tests.iter().any(|test| test.scope.is_empty());
    let names = grouped(tests, |test| {
        let (sign, file) = match is_pytest {
            true => ("::", test.file.to_owned()),
            false => (".", test.file.trim_end_matches(".py").replace('/', ".")),
        };
        let name = Some(test.name).filter(|_| !test.is_whole_class);
        let scope = test.scope.split('.').filter(|part| !part.is_empty()).chain(name);
        let names = scope.filter(|_| !test.is_whole_file).map(str::to_owned);
        ((), [file].into_iter().chain(names).collect::<Vec<_>>().join(sign))
    });
    let program = if is_pytest { "pytest" } else { "python -m unittest" };
    names.values().map(|names| format!("{program} {}", joined(names))).collect()
}
