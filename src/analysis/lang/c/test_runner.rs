//! `ctest`, `meson test` and `make check`.

use crate::lang::test_runner::{TestDefinition, TestRunner, grouped, nearest, quoted};
use crate::model::SymbolKind;
use crate::resolve::input::Manifest;
use crate::text::{file_name, parent_dir};

/// The runner of tests.
pub const RUNNER: TestRunner = TestRunner { is_test, commands, takes_files: false };

/// Returns whether a function of test code is a test: a program, a function that is called by its name's custom, or one
/// that only a framework calls, such as those that GoogleTest's macros define.
fn is_test(test: &TestDefinition<'_>) -> bool {
    let is_named = test.name.starts_with("test") || test.name == "main";
    let is_of_framework = |name: &str| !matches!(name, "SetUp" | "TearDown" | "setUp" | "tearDown");
    let is_run = is_named || !test.is_used && is_of_framework(test.name);
    match test.kind {
        SymbolKind::Function => !test.is_nested && is_run,
        SymbolKind::Method => !test.is_nested && is_run && !test.scope.ends_with(test.name),
        _ => false,
    }
}

/// Returns one command a project folder. Programs of tests have the names of their files.
fn commands(tests: &[TestDefinition<'_>], manifests: &[Manifest]) -> Vec<String> {
    let groups = grouped(tests, |test| {
        let of = |name| nearest(manifests, test.file, name);
        let stem = file_name(test.file).split('.').next().unwrap_or_default().to_owned();
        let built = [("CMakeLists.txt", Build::CMake), ("meson.build", Build::Meson), ("Makefile", Build::Make)];
        let found = built.into_iter().find_map(|(name, build)| of(name).map(|_| build));
        let folder = of("Makefile").map_or("", |manifest| parent_dir(&manifest.path));
        let build = found.unwrap_or(Build::Make);
        ((build, if build == Build::Make { folder.to_owned() } else { String::new() }), stem)
    });
    let command = |((build, folder), names): ((Build, String), std::collections::BTreeSet<String>)| {
        let names: Vec<String> = names.into_iter().collect();
        match build {
            Build::CMake => format!("ctest --test-dir build -R {}", quoted(&format!("({})", names.join("|")))),
            Build::Meson => {
                format!("meson test -C build {}", names.iter().map(|name| quoted(name)).collect::<Vec<_>>().join(" "))
            }
            Build::Make if folder.is_empty() => "make check".to_owned(),
            Build::Make => format!("make -C {} check", quoted(&folder)),
        }
    };
    groups.into_iter().map(command).collect()
}

/// A build system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Build {
    CMake,
    Meson,
    Make,
}
