//! Test runners: which definitions of test code are tests that can be run, and the commands that run them.

use std::collections::{BTreeMap, BTreeSet};

use super::LANGUAGES;
use crate::model::SymbolKind;
use crate::resolve::input::Manifest;
use crate::text::display::is_unsafe;
use crate::text::parent_dir;

/// The runner of a language's tests.
pub struct TestRunner {
    /// Returns whether a definition of test code is a test, in contrast to a helper or a fixture.
    pub is_test: fn(test: &TestDefinition<'_>) -> bool,
    /// Returns commands, relative to the repository's root, that run these tests. `manifests` are those in the folders
    /// above them.
    pub commands: fn(tests: &[TestDefinition<'_>], manifests: &[Manifest]) -> Vec<String>,
    /// Whether a command names a file instead of all tests in it.
    pub takes_files: bool,
}

/// Limit of the tests that one command names: systems limit the length of an argument, often to 128 KiB.
const MAX_TESTS: usize = 500;

/// A definition of test code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TestDefinition<'a> {
    pub file: &'a str,
    /// Enclosing names joined by dots.
    pub scope: &'a str,
    pub name: &'a str,
    pub kind: SymbolKind,
    /// Whether it is inside a function.
    pub is_nested: bool,
    /// Whether other code uses it, as it uses a helper.
    pub is_used: bool,
    /// Whether it stands for all tests of its file.
    pub is_whole_file: bool,
    /// Whether it stands for all tests of its class.
    pub is_whole_class: bool,
}

/// Returns the commands that run these tests, by language. Tests are left out whose file or name has control characters: a
/// command is one line, and where it is shown in another form it would name another file.
pub fn commands(tests: &[TestDefinition<'_>], manifests: &[Manifest]) -> Vec<String> {
    let of_language = |language: &super::Language| -> Vec<TestDefinition<'_>> {
        let is_of =
            |test: &&TestDefinition<'_>| super::language_of(test.file).is_some_and(|known| known.name == language.name);
        tests.iter().filter(is_of).filter(|test| !has_controls(test)).copied().collect()
    };
    let mut commands = Vec::new();
    for language in LANGUAGES {
        let mut tests = of_language(language);
        let mut files = BTreeSet::new();
        tests.retain(|test| !test.is_whole_file || !language.test_runner.takes_files || files.insert(test.file));
        for tests in tests.chunks(MAX_TESTS) {
            commands.extend((language.test_runner.commands)(tests, manifests));
        }
    }
    commands
}

/// Returns whether the file or the name of a test has control characters.
fn has_controls(test: &TestDefinition<'_>) -> bool {
    [test.file, test.scope, test.name].iter().any(|part| part.contains(is_unsafe))
}

/// Groups the values of tests, each once and sorted, by a key.
pub(super) fn grouped<'a, Key: Ord>(
    tests: &[TestDefinition<'a>],
    group: impl Fn(&TestDefinition<'a>) -> (Key, String),
) -> BTreeMap<Key, BTreeSet<String>> {
    let mut groups: BTreeMap<Key, BTreeSet<String>> = BTreeMap::new();
    for test in tests {
        let (key, value) = group(test);
        groups.entry(key).or_default().insert(value);
    }
    groups
}

/// Returns the manifest of this name in the nearest folder above a file.
pub(super) fn nearest<'m>(manifests: &'m [Manifest], file: &str, name: &str) -> Option<&'m Manifest> {
    let mut folder = parent_dir(file);
    loop {
        let path = if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") };
        if let Some(manifest) = manifests.iter().find(|manifest| manifest.path == path) {
            return Some(manifest);
        }
        if folder.is_empty() {
            return None;
        }
        folder = parent_dir(folder);
    }
}

/// Returns a word of a shell's command line. It is quoted if it has characters other than those of paths; a leading
/// hyphen, which would make it an option, gets `./` before it.
pub fn quoted(word: &str) -> String {
    if word.starts_with('-') {
        return quoted(&format!("./{word}"));
    }
    let is_plain = |letter: char| letter.is_alphanumeric() || "_-./:@%+=,[]".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.replace('[', "'['").replace(']', "']'")
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// Joins quoted words by spaces.
pub(super) fn joined<'a>(words: impl IntoIterator<Item = &'a String>) -> String {
    words.into_iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test<'a>(file: &'a str, scope: &'a str, name: &'a str, kind: SymbolKind) -> TestDefinition<'a> {
        TestDefinition {
            file,
            scope,
            name,
            kind,
            is_nested: false,
            is_used: false,
            is_whole_file: false,
            is_whole_class: false,
        }
    }

    fn manifest(path: &str, text: &str) -> Manifest {
        Manifest { path: path.to_owned(), text: text.to_owned() }
    }

    #[test]
    fn go_tests_are_run_by_package_and_module() {
        use SymbolKind::{Function, Method};
        let tests = [
            test("pkg/a_test.go", "", "TestB", Function),
            test("pkg/b_test.go", "", "TestA", Function),
            test("tools/gen/c_test.go", "", "FuzzC", Function),
            test("pkg/s_test.go", "Suite", "TestM", Method),
        ];
        let manifests = [manifest("go.mod", ""), manifest("tools/go.mod", "")];
        let expected = [
            "go test ./pkg -run '^(TestA|TestB)$'",
            "go test ./pkg -testify.m '^(TestM)$'",
            "go -C tools test ./gen -run '^(FuzzC)$'",
        ];
        assert_eq!(commands(&tests, &manifests), expected);
    }

    #[test]
    fn tests_with_control_characters_are_left_out_of_commands() {
        use SymbolKind::Function;
        let tests = [
            test("test_a.py\n;rm x_test.py", "", "test_a", Function),
            test("test_b.py", "", "test_b", Function),
            test("\u{202e}_test.go", "", "TestA", Function),
        ];
        assert_eq!(commands(&tests, &[]), ["pytest test_b.py::test_b"]);
    }

    #[test]
    fn many_tests_are_run_by_several_commands() {
        let names: Vec<String> = (0..MAX_TESTS + 1).map(|number| format!("test_{number}")).collect();
        let tests: Vec<_> = names.iter().map(|name| test("test_a.py", "", name, SymbolKind::Function)).collect();
        let lengths: Vec<usize> = commands(&tests, &[]).iter().map(|command| command.split(' ').count()).collect();
        assert_eq!(lengths, [MAX_TESTS + 1, 2]);
    }

    #[test]
    fn python_tests_are_run_by_pytest_or_unittest() {
        use SymbolKind::{Function, Method};
        let tests =
            [test("tests/test_a.py", "TestA.Inner", "test_x", Method), test("test_b.py", "", "test_y", Function)];
        assert_eq!(commands(&tests, &[]), ["pytest test_b.py::test_y tests/test_a.py::TestA::Inner::test_x"]);
        assert_eq!(commands(&tests[..1], &[]), ["python -m unittest tests.test_a.TestA.Inner.test_x"]);
        let whole = [tests[0], tests[1]].map(|test| TestDefinition { is_whole_file: true, ..test });
        let class = TestDefinition { is_whole_class: true, ..tests[0] };
        assert_eq!(commands(&[class], &[]), ["python -m unittest tests.test_a.TestA.Inner"]);
        let twice = [whole[0], whole[1], whole[1]];
        assert_eq!(commands(&twice, &[]), ["pytest test_b.py tests/test_a.py"]);
        assert_eq!(commands(&whole[..1], &[]), ["python -m unittest tests.test_a"]);
        let requires = [manifest("pyproject.toml", "[dependency-groups]\ndev = [\"pytest\"]\n")];
        assert_eq!(commands(&tests[..1], &requires), ["pytest tests/test_a.py::TestA::Inner::test_x"]);
    }

    #[test]
    fn rust_tests_are_run_by_package() {
        use SymbolKind::Function;
        let tests = [test("a/src/lib.rs", "tests", "adds", Function), test("a/tests/api.rs", "", "serves", Function)];
        let manifests =
            [manifest("Cargo.toml", "[workspace]\n"), manifest("a/Cargo.toml", "[package]\nname = \"a\"\n")];
        assert_eq!(commands(&tests, &manifests), ["cargo test -p a -- serves tests::adds"]);
        assert_eq!(
            commands(&tests[1..], &[manifest("Cargo.toml", "[package]\nname = \"a\"\n")]),
            ["cargo test -- serves"]
        );
        let alone = ["cargo test --manifest-path a/Cargo.toml -- serves"];
        assert_eq!(commands(&tests[1..], &manifests[1..]), alone, "without a manifest in the root");
        let package = manifest("Cargo.toml", "[package]\nname = \"root\"\n");
        assert_eq!(commands(&tests[1..], &[package, manifests[1].clone()]), alone, "the root is not a workspace");
        let own = manifest("a/Cargo.toml", "[package]\nname = \"a\"\n[workspace]\n");
        assert_eq!(commands(&tests[1..], &[manifests[0].clone(), own]), alone, "a workspace of its own");
    }

    #[test]
    fn test_files_are_run_by_the_runner_of_their_package() {
        let file = |path| test(path, "", "", SymbolKind::File);
        let tests = [file("web/src/a.test.ts"), file("b.test.js")];
        let web = manifest("web/package.json", r#"{"devDependencies": {"vitest": "3"}}"#);
        let root = manifest("package.json", r#"{"devDependencies": {"jest": "30"}}"#);
        let expected = ["npx jest --runTestsByPath b.test.js", "(cd web && npx vitest run src/a.test.ts)"];
        assert_eq!(commands(&tests, &[root, web]), expected);
        assert_eq!(commands(&tests[1..], &[manifest("package.json", "{}")]), ["npm test -- b.test.js"]);
    }

    #[test]
    fn words_with_special_characters_are_quoted() {
        assert_eq!(quoted("a/b_test.go"), "a/b_test.go");
        assert_eq!([quoted("it's $HOME"), quoted("-x"), quoted("")], ["'it'\\''s $HOME'", "./-x", "''"]);
        assert_eq!(quoted("a[1]"), "a'['1']'");
    }

    #[test]
    fn helpers_are_not_tests() {
        use SymbolKind::{File, Function, Method};
        let is_test =
            |test: TestDefinition<'_>| (super::super::language_of(test.file).unwrap().test_runner.is_test)(&test);
        for one in [
            test("a_test.go", "", "TestRun", Function),
            test("a_test.go", "Suite", "TestRun", Method),
            test("tests/test_a.py", "", "test_run", Function),
            test("tests/test_a.py", "", "testrun", Function),
            test("tests/test_a.py", "RunTest", "testRun", Method),
            test("src/a.rs", "tests", "runs", Function),
            test("a.test.ts", "", "a.test.ts", File),
            test("test/run.js", "", "run.js", File),
            test("tests/Framework/Washtml.php", "Framework_Washtml", "test_html", Method),
            test("src/test/java/CartLoad.java", "CartLoad", "testAdd", Method),
            test("cart_test.cc", "CartTest", "Grows", Method),
            test("cart_test.cc", "", "rounds_up", Function),
        ] {
            assert!(is_test(one), "{one:?}");
        }
        for one in [
            test("a_test.go", "", "Testing", Function),
            test("a_test.go", "", "TestMain", Function),
            test("a_test.go", "", "helper", Function),
            test("tests/test_a.py", "", "client", Function),
            TestDefinition { is_nested: true, ..test("tests/test_a.py", "test_x", "test_inner", Function) },
            TestDefinition { is_used: true, ..test("src/a.rs", "tests", "helper", Function) },
            TestDefinition { is_used: true, ..test("test/helper.js", "", "helper.js", File) },
            test("a.test.ts", "", "render", Function),
            test("cart_test.cc", "CartTest", "SetUp", Method),
            test("cart_test.cc", "CartTest", "CartTest", Method),
            TestDefinition { is_used: true, ..test("cart_test.cc", "", "fill", Function) },
        ] {
            assert!(!is_test(one), "{one:?}");
        }
    }
}
