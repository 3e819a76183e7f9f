//! The changes since a revision.

use knowing_retrieval::engine::ChangeRole;

use crate::index::history::commit;

#[test]
fn symbols_around_changed_lines_have_their_roles() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("repo");
    let repository = git2::Repository::init(&root).unwrap();
    let write = |file: &str, text: &str| std::fs::write(root.join(file), text).unwrap();
    write("till.py", "def open_till():\n    return 1\n\n\ndef count():\n    return open_till()\n");
    write("test_till.py", "from till import open_till\n\n\ndef test_open():\n    assert open_till()\n");
    write("oven.py", "def heat():\n    return 1\n");
    write("Makefile", "bake:\n\techo 1\n");
    commit(&repository, "Open the till", 100);
    write("till.py", "def open_till():\n    return 2\n\n\ndef count():\n    return open_till()\n");
    write("oven.py", "def heat():\n    return 2\n");
    write("Makefile", "bake:\n\techo 2\n");
    write("notes.txt", "changed");
    let mut engine = crate::cli::open(&root);
    engine.index(true, None, &|_| ()).unwrap();
    let ranker = engine.ranker().unwrap();
    let changes = ranker.changes("HEAD").unwrap();
    let files: Vec<&str> = changes.files.keys().map(String::as_str).collect();
    assert_eq!(files, ["Makefile", "oven.py", "till.py"], "files of other kinds are not among them");
    let symbols = [
        ("till.py", "open_till"),
        ("till.py", "count"),
        ("test_till.py", "test_open"),
        ("oven.py", "heat"),
        ("Makefile", "bake"),
    ];
    let roles = symbols.map(|(file, name)| {
        let of_file = ranker.reader().symbols_of_file(file).unwrap();
        of_file.iter().find(|symbol| symbol.name == name).and_then(|symbol| changes.roles.get(&symbol.id).copied())
    });
    let (changed, untested) = (Some(ChangeRole::Changed), Some(ChangeRole::Untested));
    // No test can reach the target of a Makefile.
    assert_eq!(roles, [changed, Some(ChangeRole::Calls), Some(ChangeRole::Tests), untested, changed]);
    assert_eq!(ranker.dirty_files().unwrap(), ["Makefile", "oven.py", "till.py"]);
    assert!(ranker.changes("nowhere").is_err());
}
