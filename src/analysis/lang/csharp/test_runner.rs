//! `dotnet test`.

use crate::lang::test_runner::{TestDefinition, TestRunner, grouped, quoted};
use crate::model::SymbolKind;
use crate::resolve::input::Manifest;
use crate::text::{file_name, parent_dir};

/// The runner of tests.
pub const RUNNER: TestRunner = TestRunner { is_test, commands, takes_files: false };

/// Returns whether a method of test code is a test: nothing calls a test, and by custom its class is named for it.
fn is_test(test: &TestDefinition<'_>) -> bool {
    let class = test.scope.rsplit('.').next().unwrap_or_default();
    let is_test_class = ["Test", "Tests", "Fixture", "Specs", "Facts"].iter().any(|ending| class.ends_with(ending));
    test.kind == SymbolKind::Method && !test.is_nested && !test.is_used && is_test_class && class != test.name
}

/// Returns one command a project.
fn commands(tests: &[TestDefinition<'_>], manifests: &[Manifest]) -> Vec<String> {
    let groups = grouped(tests, |test| {
        let project = project(manifests, test.file).map_or("", |manifest| &manifest.path);
        (project.to_owned(), format!("FullyQualifiedName~{}.{}", test.scope, test.name))
    });
    (groups.into_iter())
        .map(|(project, filters)| {
            let project = if project.is_empty() { String::new() } else { format!(" {}", quoted(&project)) };
            let filter = filters.into_iter().collect::<Vec<_>>().join("|");
            format!("dotnet test{project} --filter {}", quoted(&filter))
        })
        .collect()
}

/// Returns the project in the nearest folder above a file.
fn project<'m>(manifests: &'m [Manifest], file: &str) -> Option<&'m Manifest> {
    let is_project = |manifest: &&Manifest| file_name(&manifest.path).ends_with(".csproj");
    let is_above = |manifest: &&Manifest| {
        let folder = parent_dir(&manifest.path);
        folder.is_empty() || file.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
    };
    let above = manifests.iter().filter(is_project).filter(is_above);
    above.max_by_key(|manifest| parent_dir(&manifest.path).len())
}
