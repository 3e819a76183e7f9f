//! `mvn test` and `gradle test`.

use crate::lang::test_runner::{TestDefinition, TestRunner, grouped, nearest, quoted};
use crate::model::SymbolKind;
use crate::resolve::input::Manifest;
use crate::text::{file_name, parent_dir};

/// The runner of tests.
pub const RUNNER: TestRunner = TestRunner { is_test, commands, takes_files: false };

/// Returns whether a method of test code is a test: nothing calls a test, and by custom its class is named for it.
fn is_test(test: &TestDefinition<'_>) -> bool {
    let class = file_name(test.file).trim_end_matches(".java");
    let is_test_class =
        ["Test", "Tests", "IT", "TestCase"].iter().any(|ending| class.ends_with(ending)) || class.starts_with("Test");
    test.kind == SymbolKind::Method
        && !test.is_nested
        && !test.is_used
        && (is_test_class || test.name.starts_with("test"))
        && !test.scope.ends_with(test.name)
}

/// Returns one command a project folder.
fn commands(tests: &[TestDefinition<'_>], manifests: &[Manifest]) -> Vec<String> {
    let groups = grouped(tests, |test| {
        let gradle = ["build.gradle.kts", "build.gradle"].iter().find_map(|name| nearest(manifests, test.file, name));
        let maven = nearest(manifests, test.file, "pom.xml");
        let depth = |manifest: Option<&Manifest>| manifest.map_or(0, |manifest| manifest.path.len());
        let is_gradle = gradle.is_some() && depth(gradle) >= depth(maven);
        let folder = if is_gradle { gradle } else { maven }.map_or("", |manifest| parent_dir(&manifest.path));
        let class = test.scope.replace('.', "$");
        let name = match (is_gradle, test.is_whole_class) {
            (true, _) => format!("{}.{}", test.scope, test.name),
            (false, true) => class,
            (false, false) => format!("{class}#{}", test.name),
        };
        ((is_gradle, folder.to_owned()), name)
    });
    (groups.into_iter())
        .map(|((is_gradle, folder), names)| {
            let names: Vec<String> = names.into_iter().collect();
            if is_gradle {
                let task =
                    if folder.is_empty() { "test".to_owned() } else { format!(":{}:test", folder.replace('/', ":")) };
                let filters: Vec<String> =
                    names.iter().map(|name| format!("--tests {}", quoted(&format!("*{name}")))).collect();
                format!("./gradlew {} {}", quoted(&task), filters.join(" "))
            } else {
                let project = if folder.is_empty() { String::new() } else { format!(" -f {}", quoted(&folder)) };
                format!("mvn{project} test -Dtest={}", quoted(&names.join(",")))
            }
        })
        .collect()
}
