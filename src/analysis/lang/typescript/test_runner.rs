//! Vitest, Jest, Mocha and others, by the packages that a `package.json` mentions.

use crate::lang::test_runner::{TestDefinition, TestRunner, grouped, joined, nearest, quoted};
use crate::model::SymbolKind;
use crate::resolve::input::Manifest;
use crate::text::{file_name, parent_dir};

/// The runner of tests. Tests are callbacks without names, so the unit is the file.
pub const RUNNER: TestRunner = TestRunner { is_test, commands, takes_files: false };

/// Runners by the package that has them, the most specific first.
const RUNNERS: [(&str, &str); 7] = [
    ("\"vitest\"", "npx vitest run"),
    ("\"jest\"", "npx jest --runTestsByPath"),
    ("\"ava\"", "npx ava"),
    ("\"tap\"", "npx tap"),
    ("\"borp\"", "npx borp"),
    ("node --test", "node --test"),
    ("\"mocha\"", "npx mocha"),
];

/// Marks of a test in a file's name.
const MARKS: [&str; 5] = [".test.", ".spec.", "-test.", "_test.", ".e2e."];

/// Returns whether a file is a test file; in a folder of tests one that no other file uses.
fn is_test(test: &TestDefinition<'_>) -> bool {
    let is_marked = MARKS.iter().any(|mark| file_name(test.file).contains(mark));
    test.kind == SymbolKind::File && (is_marked || !test.is_used)
}

fn commands(tests: &[TestDefinition<'_>], manifests: &[Manifest]) -> Vec<String> {
    let groups = grouped(tests, |test| {
        let own = nearest(manifests, test.file, "package.json");
        let root = manifests.iter().find(|manifest| manifest.path == "package.json");
        let runner = |manifest: &Manifest| {
            RUNNERS.iter().find(|(package, _)| manifest.text.contains(package)).map(|(_, command)| *command)
        };
        let in_folder = |manifest: &Manifest, command| {
            let folder = parent_dir(&manifest.path).to_owned();
            let file = test.file.strip_prefix(&folder).unwrap_or(test.file).trim_start_matches('/').to_owned();
            ((folder, command), file)
        };
        let found = own.into_iter().chain(root).find_map(|manifest| Some((manifest, runner(manifest)?)));
        match (found, own) {
            (Some((manifest, command)), _) => in_folder(manifest, command),
            (None, Some(manifest)) => in_folder(manifest, "npm test --"),
            (None, None) => ((String::new(), "npm test --"), test.file.to_owned()),
        }
    });
    (groups.into_iter())
        .map(|((folder, command), files)| match folder.as_str() {
            "" => format!("{command} {}", joined(&files)),
            folder => format!("(cd {} && {command} {})", quoted(folder), joined(&files)),
        })
        .collect()
}
