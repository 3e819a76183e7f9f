//! `bundle exec rspec` and `ruby -Itest`.

use crate::lang::test_runner::{TestDefinition, TestRunner, grouped, nearest, quoted};
use crate::model::SymbolKind;
use crate::resolve::input::Manifest;
use crate::text::parent_dir;

/// The runner of tests.
pub const RUNNER: TestRunner = TestRunner { is_test, commands, takes_files: false };

/// Returns whether a definition of test code is a test: `test_x` of minitest, or a description of `it` and `test`.
fn is_test(test: &TestDefinition<'_>) -> bool {
    let is_function = matches!(test.kind, SymbolKind::Function | SymbolKind::Method);
    is_function && !test.is_used && (test.name.starts_with("test_") || test.name.contains(' '))
}

/// Returns one command for all specs of a project, and one for each file of minitest.
fn commands(tests: &[TestDefinition<'_>], manifests: &[Manifest]) -> Vec<String> {
    let (specs, others): (Vec<_>, Vec<_>) = tests.iter().partition(|test| test.file.ends_with("_spec.rb"));
    let folder = |file: &str| nearest(manifests, file, "Gemfile").map_or("", |manifest| parent_dir(&manifest.path));
    let relative = |file: &str| file[folder(file).len()..].trim_start_matches('/').to_owned();
    let entered = |folder: &str| if folder.is_empty() { String::new() } else { format!("cd {} && ", quoted(folder)) };
    let mut commands = Vec::new();
    for (folder, files) in grouped(&specs, |test| (folder(test.file).to_owned(), relative(test.file))) {
        let files: Vec<String> = files.iter().map(|file| quoted(file)).collect();
        commands.push(format!("{}bundle exec rspec {}", entered(&folder), files.join(" ")));
    }
    let of_file = |test: &TestDefinition<'_>| {
        // Rails and minitest name the method of `test "adds one"` so.
        let name = if test.name.contains(' ') {
            format!("test_{}", test.name.replace(' ', "_"))
        } else {
            test.name.to_owned()
        };
        ((folder(test.file).to_owned(), relative(test.file)), name)
    };
    for ((folder, file), names) in grouped(&others, of_file) {
        let names: Vec<String> = names.into_iter().collect();
        let filter = match names.as_slice() {
            [only] => only.clone(),
            _ => format!("/^({})$/", names.join("|")),
        };
        commands.push(format!("{}bundle exec ruby -Itest {} -n {}", entered(&folder), quoted(&file), quoted(&filter)));
    }
    commands
}
