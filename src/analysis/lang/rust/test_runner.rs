//! `cargo test`.

use crate::lang::manifest::Packages;
use crate::lang::test_runner::{TestDefinition, TestRunner, grouped, joined, nearest, quoted};
use crate::model::SymbolKind;
use crate::resolve::input::Manifest;

/// The runner of tests.
pub const RUNNER: TestRunner = TestRunner { is_test, commands, takes_files: false };

/// Returns whether a function of test code is a test: nothing calls a test.
fn is_test(test: &TestDefinition<'_>) -> bool {
    test.kind == SymbolKind::Function && !test.is_nested && !test.is_used
}

/// The part of a command that selects a package.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Selection {
    /// The package of the current folder.
    Only,
    /// A member of the workspace in the repository's root.
    Member(String),
    /// A package that is not part of the root's workspace, by its manifest's path.
    Manifest(String),
}

fn selection(manifests: &[Manifest], file: &str) -> Selection {
    let Some(manifest) = nearest(manifests, file, "Cargo.toml") else { return Selection::Only };
    if manifest.path == "Cargo.toml" {
        return Selection::Only;
    }
    let root = manifests.iter().find(|manifest| manifest.path == "Cargo.toml");
    let has_workspace = |manifest: &Manifest| manifest.text.lines().any(|line| line.trim().starts_with("[workspace"));
    let name = Packages::from_manifests(std::slice::from_ref(manifest)).defined.pop_first();
    match name {
        Some(name) if root.is_some_and(has_workspace) && !has_workspace(manifest) => Selection::Member(name),
        _ => Selection::Manifest(manifest.path.clone()),
    }
}

/// Returns one command a package. A filter is part of a test's path, so it can select others of the same name.
fn commands(tests: &[TestDefinition<'_>], manifests: &[Manifest]) -> Vec<String> {
    let groups = grouped(tests, |test| {
        let scope = test.scope.split('.').filter(|part| !part.is_empty());
        (selection(manifests, test.file), scope.chain([test.name]).collect::<Vec<_>>().join("::"))
    });
    (groups.into_iter())
        .map(|(selection, names)| {
            let options = match selection {
                Selection::Only => String::new(),
                Selection::Member(name) => format!(" -p {}", quoted(&name)),
                Selection::Manifest(path) => format!(" --manifest-path {}", quoted(&path)),
            };
            format!("cargo test{options} -- {}", joined(&names))
        })
        .collect()
}
