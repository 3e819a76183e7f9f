//! `vendor/bin/phpunit`.

use crate::lang::test_runner::{TestDefinition, TestRunner, grouped, quoted};
use crate::model::SymbolKind;
use crate::resolve::input::Manifest;

/// The runner of tests.
pub const RUNNER: TestRunner = TestRunner { is_test, commands, takes_files: false };

/// Returns whether a method of test code is a test: PHPUnit finds tests by the names of classes and methods.
fn is_test(test: &TestDefinition<'_>) -> bool {
    let is_named = test.name.starts_with("test") || test.name.starts_with("it_");
    test.kind == SymbolKind::Method && !test.is_nested && is_named
}

/// Returns one command a file.
fn commands(tests: &[TestDefinition<'_>], _manifests: &[Manifest]) -> Vec<String> {
    let groups = grouped(tests, |test| (test.file.to_owned(), format!("{}::{}", test.scope, test.name)));
    (groups.into_iter())
        .map(|(file, names)| {
            let names: Vec<String> = names.into_iter().collect();
            format!("vendor/bin/phpunit --filter {} {}", quoted(&names.join("|")), quoted(&file))
        })
        .collect()
}
