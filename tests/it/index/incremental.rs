//! An incrementally updated index equals a rebuilt one, for any number of threads.

use std::path::Path;

use knowing_analysis::model::Task;
use knowing_indexing::index::{IndexOptions, IndexReport, Phase, check_snapshot, index};
use knowing_indexing::store::{Reader, fsck, scip_answer, write_scip_answer};
use knowing_retrieval::engine::Engine;
use knowing_retrieval::render::renderer_named;
use proptest::prelude::*;

use super::dump::{difference, dump};
use super::history::{check_out, commit};
use super::source::{PATHS, source};

#[derive(Debug, Clone)]
enum Edit {
    Write {
        path: usize,
        seed: u64,
    },
    Append {
        path: usize,
        line: usize,
    },
    /// A comment above some line.
    Comment {
        path: usize,
        above: usize,
    },
    /// Replaces a digit. Every name ends in one, so a call, base, type hint, signature or import changes.
    Rename {
        path: usize,
        position: usize,
        digit: u8,
    },
    /// Swaps a line with the next.
    Swap {
        path: usize,
        line: usize,
    },
    Delete {
        path: usize,
    },
    Move {
        from: usize,
        to: usize,
    },
    Manifest {
        module: u64,
    },
    /// Commits the working tree.
    Commit,
    /// Checks out the first commit or the branch. Untracked files stay.
    Checkout {
        first: bool,
    },
}

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let path = 0..PATHS.len();
    let edit = prop_oneof![
        6 => (path.clone(), any::<u64>()).prop_map(|(path, seed)| Edit::Write { path, seed }),
        3 => (path.clone(), 0..3_usize).prop_map(|(path, line)| Edit::Append { path, line }),
        3 => (path.clone(), 0..40_usize).prop_map(|(path, above)| Edit::Comment { path, above }),
        9 => (path.clone(), 0..80_usize, 0..4_u8)
            .prop_map(|(path, position, digit)| Edit::Rename { path, position, digit }),
        3 => (path.clone(), 0..12_usize).prop_map(|(path, line)| Edit::Swap { path, line }),
        2 => path.clone().prop_map(|path| Edit::Delete { path }),
        2 => (path.clone(), path).prop_map(|(from, to)| Edit::Move { from, to }),
        1 => (0..2_u64).prop_map(|module| Edit::Manifest { module }),
        3 => Just(Edit::Commit),
        2 => any::<bool>().prop_map(|first| Edit::Checkout { first }),
    ];
    prop::collection::vec(edit, 1..10)
}

fn apply(root: &Path, edit: &Edit) {
    let full = |path: usize| root.join(PATHS[path]);
    match edit {
        Edit::Write { path, seed } => write(&full(*path), &source(PATHS[*path], *seed)),
        Edit::Append { path, line } => {
            if let Ok(text) = std::fs::read_to_string(full(*path)) {
                let line = [comment_line(*path), "\n".to_owned(), "\n\n".to_owned()][*line].clone();
                write(&full(*path), &(line + &text));
            }
        }
        Edit::Comment { path, above } => {
            if let Ok(text) = std::fs::read_to_string(full(*path)) {
                let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
                let line = comment_line(*path);
                lines.insert(above % (lines.len() + 1), &line);
                write(&full(*path), &lines.concat());
            }
        }
        Edit::Rename { path, position, digit } => {
            if let Ok(mut text) = std::fs::read_to_string(full(*path)) {
                let digits: Vec<usize> = text.match_indices(|c: char| c.is_ascii_digit()).map(|(at, _)| at).collect();
                if !digits.is_empty() {
                    let at = digits[position % digits.len()];
                    text.replace_range(at..=at, &digit.to_string());
                    write(&full(*path), &text);
                }
            }
        }
        Edit::Swap { path, line } => {
            if let Ok(text) = std::fs::read_to_string(full(*path)) {
                let mut lines: Vec<&str> = text.lines().collect();
                let at = line % lines.len().max(1);
                if at + 1 < lines.len() {
                    lines.swap(at, at + 1);
                }
                write(&full(*path), &(lines.join("\n") + "\n"));
            }
        }
        Edit::Delete { path } => {
            let _already_deleted = std::fs::remove_file(full(*path));
        }
        Edit::Move { from, to } => {
            if let Ok(text) = std::fs::read_to_string(full(*from)) {
                write(&full(*to), &text);
                if from != to {
                    std::fs::remove_file(full(*from)).unwrap();
                }
            }
        }
        Edit::Commit => commit(&git2::Repository::open(root).unwrap(), "Edit", 2_000),
        Edit::Checkout { first } => check_out(&git2::Repository::open(root).unwrap(), *first),
        Edit::Manifest { module } => write(&root.join("go.mod"), &format!("module example.org/repo{module}\n")),
    }
}

fn comment_line(path: usize) -> String {
    let marker = if PATHS[path].ends_with("py") { "#" } else { "//" };
    format!("{marker} a comment\n")
}

pub fn write(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

pub fn run(root: &Path, database: &Path, jobs: usize) -> IndexReport {
    let options = IndexOptions { database: Some(database.to_owned()), jobs: Some(jobs), ..IndexOptions::default() };
    index(root, &options, &|_| {}).unwrap()
}

/// Compares the updated index with one built from nothing.
#[track_caller]
pub fn check(root: &Path, updated: &Path, jobs: usize, after: &str) {
    let fresh = tempfile::tempdir().unwrap();
    let rebuilt = fresh.path().join("graph.db");
    scip_answer(updated).into_iter().for_each(|answer| write_scip_answer(&rebuilt, answer).unwrap());
    run(root, &rebuilt, jobs);
    let difference = difference(&dump(updated), &dump(&rebuilt));
    assert!(difference.is_empty(), "after {after}:\n{}", difference.join("\n"));
    assert_eq!(answer(root, updated), answer(root, &rebuilt), "after {after}");
    for finding in fsck(updated).unwrap().into_iter().chain([check_snapshot(updated).unwrap()]) {
        assert_eq!(finding.problems, Vec::<String>::new(), "{} after {after}", finding.check);
    }
}

/// Returns the pack for a task that matches much of the sources.
fn answer(root: &Path, database: &Path) -> String {
    let engine = Engine::open(root, Some(database)).unwrap();
    let renderer = renderer_named("json").unwrap();
    let task = Task::from_text("`C1` gets the field of m0, f2 tests deep store");
    let pack = engine.ranker().unwrap().pack(&task, renderer, false, &|| false);
    renderer.render(&pack.unwrap().unwrap())
}

proptest! {
    #![proptest_config(crate::cases::config(10, 30))]

    #[test]
    fn incremental_updates_equal_a_rebuild(start in prop::collection::vec(any::<u64>(), PATHS.len()), edits in edits()) {
        let folder = tempfile::tempdir().unwrap();
        let (root, database) = (folder.path().join("repo"), folder.path().join("graph.db"));
        write(&root.join("go.mod"), "module example.org/repo\n");
        for (path, seed) in PATHS.iter().zip(&start).filter(|(_, seed)| **seed % 4 != 0) {
            write(&root.join(path), &source(path, *seed));
        }
        commit(&git2::Repository::init(&root).unwrap(), "Start", 1_000);
        run(&root, &database, 2);
        for edit in &edits {
            apply(&root, edit);
            run(&root, &database, 2);
            check(&root, &database, 1, &format!("{edit:?}"));
        }
    }
}

#[test]
fn an_unchanged_checkout_is_not_parsed() {
    let folder = tempfile::tempdir().unwrap();
    let (root, database) = (folder.path().join("repo"), folder.path().join("graph.db"));
    write(&root.join("a.py"), "def f():\n    return 1\n");
    assert_eq!(run(&root, &database, 1).parsed_files, 1);
    let again = run(&root, &database, 1);
    assert!(again.is_unchanged && again.parsed_files == 0 && again.resolved_files == 0);
    assert_eq!(Reader::open(&database).unwrap().stats().unwrap().symbol_count(), 2);
}

#[test]
fn a_run_ends_before_it_begins_where_the_last_one_saw_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let (root, database) = (folder.path().join("repo"), folder.path().join("graph.db"));
    let git = git2::Repository::init(&root).unwrap();
    for path in ["a.py", "deep/er/b.py", "README.md"] {
        write(&root.join(path), "x = 1\n");
    }
    let later = || std::thread::sleep(std::time::Duration::from_millis(50));
    let update = || {
        let options = IndexOptions { database: Some(database.clone()), ..IndexOptions::default() };
        let report = index(&root, &options, &|_| {}).unwrap();
        let is_compared = report.timings.iter().any(|(phase, _)| *phase == Phase::Parse);
        (is_compared, report.is_unchanged)
    };
    let unchanged = (false, true);
    later();
    assert_eq!(update(), (true, false), "the first run");
    assert_eq!(update(), unchanged);
    for path in ["a.py", "deep/er/new.py", "README.md", ".gitignore"] {
        write(&root.join(path), "y = 2\n");
        later();
        assert!(update().0, "{path} changed");
        assert_eq!(update(), unchanged, "after {path}");
    }
    commit(&git, "first", 1_000);
    assert_eq!(update(), (true, false), "the history changed");
    later();
    update();
    assert_eq!(update(), unchanged, "git's index changed with the commit");
    assert!(run(&root, &database, 1).is_unchanged, "a run that compares all finds nothing, too");
    check(&root, &database, 1, "an index that was found to be up to date");
}

/// Edits of a file of C, each with whether all edges are derived again.
const EDITS_OF_C: [(&str, &str, bool); 11] = [
    ("a function that another file calls", "int size(struct item *item) { return wanted(item) + item->size; }", false),
    ("no function", "", false),
    ("a macro", "#define SIZE(x) size_of(x)\n#define TWICE(x) (SIZE(x) * 2)", false),
    ("a type with members", "struct part { struct item *item; int size; };\nenum color { RED, GREEN };", false),
    ("another member", "struct part { struct item *item; int size, other; };\nenum color { GREEN, BLUE };", false),
    ("a variable", "static struct part parts[2];\nint count = 2;", false),
    ("a renamed function", "int size_of(struct item *item) { return item->size; }\nint count = 2;", false),
    ("an order", "int count = 2;\nint size_of(struct item *item) { return item->size; }", true),
    ("a class with a method", "class Box { public: int size() { return 1; } };", true),
    ("a class with a base", "class Box { };\nclass Large : public Box { };", true),
    ("a free function again", "int size_of(int x) { return x; }", true),
];

#[test]
fn symbols_that_only_belong_to_their_file_change_no_derived_edge() {
    let folder = tempfile::tempdir().unwrap();
    let (root, database) = (folder.path().join("repo"), folder.path().join("graph.db"));
    let file = root.join("edited.cpp");
    write(&root.join("item.h"), "struct item { int size; };\nint wanted(struct item *item);\n");
    write(
        &root.join("wanted.c"),
        "#include \"item.h\"\nint wanted(struct item *item) { return size(item) + count; }\n",
    );
    write(&root.join("test_size.c"), "#include \"item.h\"\nvoid test_size(void) { wanted(0); }\n");
    write(&file, "#include \"item.h\"\n");
    run(&root, &database, 1);
    for (name, text, is_derived) in EDITS_OF_C {
        write(&file, &format!("#include \"item.h\"\n{text}\nint last(void) {{ return 1; }}\n"));
        let report = run(&root, &database, 1);
        check(&root, &database, 1, name);
        assert_eq!(report.timings.iter().any(|(phase, _)| *phase == Phase::Derive), is_derived, "{name}");
    }
    write(&root.join("test_size.c"), "#include \"item.h\"\nvoid test_size(void) { wanted(0); last(); }\n");
    let report = run(&root, &database, 1);
    check(&root, &database, 1, "a call from a test");
    assert!(report.timings.iter().any(|(phase, _)| *phase == Phase::Derive));
}

#[test]
fn a_body_edit_resolves_only_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let (root, database) = (folder.path().join("repo"), folder.path().join("graph.db"));
    write(&root.join("a.py"), "def f(x: int) -> int:\n    return 1\n");
    write(&root.join("b.py"), "from a import f\ndef g():\n    f(1)\n");
    run(&root, &database, 1);
    write(&root.join("a.py"), "def f(x: int) -> int:\n    # thought about it\n    y = 2\n    return 1\n");
    let report = run(&root, &database, 1);
    assert_eq!((report.parsed_files, report.resolved_files), (1, 1));
    check(&root, &database, 1, "a changed body");
}

#[test]
fn a_comment_edit_resolves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (root, database) = (folder.path().join("repo"), folder.path().join("graph.db"));
    for (path, seed) in PATHS.iter().zip(1..) {
        write(&root.join(path), &source(path, seed));
    }
    run(&root, &database, 1);
    for (path, name) in PATHS.iter().enumerate() {
        apply(&root, &Edit::Comment { path, above: 2 });
        let report = run(&root, &database, 1);
        assert_eq!((report.parsed_files, report.resolved_files), (1, 0), "{name}");
        check(&root, &database, 1, "a comment");
    }
}

#[test]
fn an_index_that_grows_has_rows_for_its_names() {
    let folder = tempfile::tempdir().unwrap();
    let (root, database) = (folder.path().join("repo"), folder.path().join("graph.db"));
    let rows = || -> u32 {
        let connection = rusqlite::Connection::open(&database).unwrap();
        connection.query_row("SELECT count(*) FROM file_names", [], |row| row.get(0)).unwrap()
    };
    write(&root.join("a.c"), "int first(void) { return 0; }\n");
    run(&root, &database, 1);
    let before = rows();
    for file in 0..100 {
        let functions = (0..100).map(|n| format!("int f_{file}_{n}(void) {{ return first(); }}\n"));
        write(&root.join(format!("{file}.c")), &functions.collect::<String>());
    }
    run(&root, &database, 1);
    assert!(rows() >= 2 * before, "{before} rows, then {}", rows());
    check(&root, &database, 1, "files came");
    write(&root.join("0.c"), "int last(void) { return first(); }\n");
    run(&root, &database, 1);
    check(&root, &database, 1, "functions went");
}

#[test]
fn externals_follow_calls_in_bodies() {
    let folder = tempfile::tempdir().unwrap();
    let (root, database) = (folder.path().join("repo"), folder.path().join("graph.db"));
    let text = |calls: &str| format!("import os\nimport json\n\ndef f():\n    {calls}\n\ndef test_f():\n    f()\n");
    write(&root.join("a.py"), &text("os.getcwd()"));
    write(&root.join("b.py"), &text("json.loads('1')"));
    run(&root, &database, 1);
    for calls in ["json.dumps(1)", "os.getcwd(); json.loads('2')", "os.environ['HOME']", "pass", "os.getcwd()"] {
        write(&root.join("a.py"), &text(calls));
        assert_eq!(run(&root, &database, 1).resolved_files, 1, "{calls}");
        check(&root, &database, 1, calls);
    }
}
