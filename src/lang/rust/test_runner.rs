//! `cargo test`.

use crate::lang::manifest::Packages;
use crate::lang::test_runner::{TestDefinition, TestRunner, grouped, joined, nearest, quoted};
use crate::model::SymbolKind;
use crate::resolve::input::Manifest;

/// The runner of tests.
pub const RUNNER: TestRunner = TestRunner { is_test, commands };

/// Returns whether a function of test code is a test: nothing calls a test.
fn is_test(test: &TestDefinition<'_>) -> bool {
    test.kind == SymbolKind::Function && !test.is_nested && !test.is_used
}

/// Returns one command a package. A filter is part of a test's path, so it can select others of the same name.
fn commands(tests: &[TestDefinition<'_>], manifests: &[Manifest]) -> Vec<String> {
    let package = |test: &TestDefinition<'_>| {
        let manifest = nearest(manifests, test.file, "Cargo.toml")?;
        // The only package needs no name.
        (manifest.path != "Cargo.toml")
            .then(|| Packages::from_manifests(std::slice::from_ref(manifest)))?
            .defined
            .pop_first()
    };
    let groups = grouped(tests, |test| {
        let scope = test.scope.split('.').filter(|part| !part.is_empty());
        (package(test), scope.chain([test.name]).collect::<Vec<_>>().join("::"))
    });
    (groups.into_iter())
        .map(|(package, names)| {
            let package = package.map_or_else(String::new, |package| format!(" -p {}", quoted(&package)));
            format!("cargo test{package} -- {}", joined(&names))
        })
        .collect()
}
