//! `go test`, and suites of testify.

use crate::lang::test_runner::{TestDefinition, TestRunner, grouped, nearest, quoted};
use crate::model::SymbolKind;
use crate::resolve::input::Manifest;
use crate::text::parent_dir;

/// The runner of tests.
pub const RUNNER: TestRunner = TestRunner { is_test, commands, takes_files: false };

/// Prefixes of the functions that `go test` runs. Another lower-case letter after one belongs to a longer word.
const PREFIXES: [&str; 4] = ["Test", "Benchmark", "Fuzz", "Example"];

fn is_test(test: &TestDefinition<'_>) -> bool {
    let is_method = test.kind == SymbolKind::Method;
    let prefixes = if is_method { &PREFIXES[..1] } else { &PREFIXES[..] };
    let rest = prefixes.iter().find_map(|prefix| test.name.strip_prefix(prefix));
    let is_named = rest.is_some_and(|rest| !rest.starts_with(char::is_lowercase));
    (is_method || test.kind == SymbolKind::Function) && is_named && test.name != "TestMain"
}

fn commands(tests: &[TestDefinition<'_>], manifests: &[Manifest]) -> Vec<String> {
    let groups = grouped(tests, |test| {
        let module = nearest(manifests, test.file, "go.mod").map_or("", |manifest| parent_dir(&manifest.path));
        let package = parent_dir(test.file).strip_prefix(module).unwrap_or_default().trim_start_matches('/');
        let flag = match test.kind {
            SymbolKind::Method => "-testify.m",
            // Benchmarks don't run without a pattern of their own.
            _ if test.name.starts_with("Benchmark") => "-run '^$' -bench",
            _ => "-run",
        };
        ((module, package, flag), test.name.to_owned())
    });
    (groups.into_iter())
        .map(|((module, package, flag), names)| {
            let folder = if module.is_empty() { String::new() } else { format!("-C {} ", quoted(module)) };
            let names: Vec<String> = names.into_iter().collect();
            let package = if package.is_empty() { ".".to_owned() } else { quoted(&format!("./{package}")) };
            format!("go {folder}test {package} {flag} '^({})$'", names.join("|"))
        })
        .collect()
}
