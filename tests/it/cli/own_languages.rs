//! Languages of the user's settings: a grammar that is compiled, its library, what is wrong with them, and updates.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

use super::{code, program, stderr, stdout};

/// The pairs of a file of JSON are constants, and texts name them.
const QUERY: &str = "(pair key: (string) @name) @definition.constant\n(array (string) @name @reference.read)\n";

/// Returns the folder of a grammar that this program depends on.
fn grammar(name: &str) -> PathBuf {
    let metadata = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let metadata: Value = serde_json::from_slice(&metadata.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let package = packages.iter().find(|package| package["name"] == name).expect("a dependency");
    Path::new(package["manifest_path"].as_str().unwrap()).parent().unwrap().to_owned()
}

/// A repository with a file of a language that only settings know, and the user's folders beside it.
struct Desk {
    folder: TempDir,
}

impl Desk {
    fn new() -> Desk {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("repo")).unwrap();
        fs::create_dir_all(folder.path().join("config/knowing")).unwrap();
        let desk = Desk { folder };
        desk.write("repo/day.menu", "{\"soup\": 1,\n \"dinner\": [\"soup\"]}\n");
        desk.write("repo/kitchen.py", "def cook():\n    pass\n");
        desk.write("config/knowing/menu.scm", QUERY);
        desk
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    fn write(&self, path: &str, text: &str) {
        fs::write(self.path(path), text).unwrap();
    }

    fn settings(&self, grammar: &Path, more: &str) {
        let text = format!(
            "theme = \"dark\"\n[[language]]\nname = \"menu\"\nendings = [\"menu\"]\nquery = \"menu.scm\"\n\
             grammar = '{}'\n{more}",
            grammar.display()
        );
        self.write("config/knowing/config.toml", &text);
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = program(&self.path("repo"), arguments);
        let command = command.env("XDG_CONFIG_HOME", self.path("config")).env("XDG_CACHE_HOME", self.path("cache"));
        command.output().unwrap()
    }

    /// Returns the number of indexed files, and the notes.
    fn files(&self) -> (u64, String) {
        let output = self.run(&["index", "--format", "json"]);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        let files = serde_json::from_slice::<Value>(&output.stdout).unwrap()["files"].as_u64().unwrap();
        // A slow run names its phases.
        let is_note = |line: &&str| !line.starts_with("index: ");
        (files, stderr(&output).lines().filter(is_note).map(|line| format!("{line}\n")).collect())
    }
}

#[test]
fn a_grammar_of_the_settings_reads_files() {
    let desk = Desk::new();
    assert_eq!(desk.files().0, 1);
    desk.settings(&grammar("tree-sitter-json"), "symbol = \"json\"\n");
    assert_eq!(desk.files().0, 2);
    let users = desk.run(&["query", "soup"]);
    assert!(stdout(&users).contains("day.menu:1"), "{} {}", stdout(&users), stderr(&users));
    let status = desk.run(&["status"]);
    assert!(stdout(&status).contains("menu"), "{}", stdout(&status));

    // Another query reads the files again, though they are as they were.
    desk.write("config/knowing/menu.scm", "(pair key: (string) @name) @definition.function\n");
    let kind = |name: &str| {
        let output = desk.run(&["query", name, "--format", "json"]);
        stdout(&output).contains("\"function\"")
    };
    assert!(kind("soup"));

    // The library of a grammar is as good as its folder.
    let library = fs::read_dir(desk.path("cache/knowing/grammars")).unwrap().next().unwrap().unwrap().path();
    let library = library.join("json").with_extension(std::env::consts::DLL_EXTENSION);
    desk.settings(&library, "symbol = \"json\"\n");
    assert_eq!(desk.files(), (2, String::new()));

    // Without the language its file is not read, and the others are.
    desk.write("config/knowing/config.toml", "");
    assert_eq!(desk.files().0, 1);
    assert_eq!(code(&desk.run(&["query", "soup"])), 1);
}

#[test]
fn what_is_wrong_with_a_language_is_said_with_the_way_out() {
    let desk = Desk::new();
    let json = grammar("tree-sitter-json");
    let check = |grammar: &Path, more: &str, query: &str, expected: &str| {
        desk.settings(grammar, more);
        desk.write("config/knowing/menu.scm", query);
        let (files, notes) = desk.files();
        assert_eq!(files, 1, "{notes}");
        let note = notes.lines().find(|line| line.starts_with("note: config.toml line 3: menu is not read: "));
        assert!(note.is_some_and(|note| note.contains(expected)), "{expected}: {notes}");
    };
    let symbol = "symbol = \"json\"\n";
    check(Path::new("none.so"), symbol, QUERY, "none.so can't be read: ");
    check(&desk.path("repo/day.menu"), symbol, QUERY, "day.menu can't be loaded as a library of this system: ");
    check(&json, symbol, "(pare) @definition.type", "menu.scm: line 1: the grammar has no node `pare`");
    check(&json, symbol, "\n(pair key: (string) @name) @pie", "menu.scm: `@pie` has no meaning here");
    check(&json, symbol, "(pair", "menu.scm: line 1: it is not a query");
    check(&desk.path("repo"), symbol, QUERY, "can't be compiled, for which a C compiler and `src/parser.c` are needed");
    #[cfg(unix)]
    check(Path::new("/dev/zero"), symbol, QUERY, "/dev/zero can't be read: it is not a regular file");
    check(&json, "", QUERY, "has no function `tree_sitter_menu`; set `symbol` to the name of its grammar");
    let library = fs::read_dir(desk.path("cache/knowing/grammars")).unwrap();
    assert!(library.count() > 0);
    #[cfg(unix)]
    {
        fs::remove_file(desk.path("config/knowing/menu.scm")).unwrap();
        crate::hostile::git::pipe(&desk.path("config/knowing/menu.scm"));
        let notes = desk.files().1;
        assert!(notes.contains("menu.scm can't be read: it is not a regular file"), "{notes}");
    }
}

/// A repository can't name code that is then run.
#[test]
fn a_repository_names_no_grammar() {
    let desk = Desk::new();
    fs::create_dir_all(desk.path("repo/.knowing")).unwrap();
    let json = grammar("tree-sitter-json");
    let text = format!(
        "[[language]]\nname = \"menu\"\nsymbol = \"json\"\nendings = [\"menu\"]\nquery = '{}'\ngrammar = '{}'\n",
        desk.path("config/knowing/menu.scm").display(),
        json.display()
    );
    desk.write("repo/.knowing/settings.toml", &text);
    let (files, notes) = desk.files();
    assert_eq!(files, 1);
    assert!(notes.contains(".knowing/settings.toml line 1: unknown setting `language`"), "{notes}");
    assert!(!desk.path("cache").exists());
}
