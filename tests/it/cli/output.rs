//! `--output` writes neither over the index nor out of the repository.

use super::{Shop, code, program, run_in, stderr, stdout};

fn written_to(shop: &Shop, file: &str) -> std::process::Output {
    shop.run(&["context", "sessions expire too early", "--output", file])
}

#[test]
fn files_of_the_index_are_not_overwritten() {
    let shop = Shop::new();
    assert_eq!(code(&shop.run(&["index"])), 0);
    let database = crate::cli::database(&shop.root());
    let beside = |name: &str| database.with_file_name(name).display().to_string();
    for file in [&beside("graph.db"), &beside("graph.db-wal"), &beside("agents/sent.json"), &beside("none/../graph.db")]
    {
        let output = written_to(&shop, file);
        assert_eq!((code(&output), stdout(&output).as_str()), (2, ""), "{file}");
        assert!(stderr(&output).contains("is part of the index; choose another file"), "{}", stderr(&output));
    }
    assert_eq!(code(&shop.run(&["status", "--verify"])), 0, "the index is undamaged");

    assert_eq!(code(&shop.run(&["--db", "other.db", "index"])), 0);
    for file in ["other.db", "other.db-shm"] {
        let output = shop.run(&["--db", "other.db", "context", "sessions", "--output", file]);
        assert_eq!(code(&output), 2, "{}", stderr(&output));
    }
    assert_eq!(code(&written_to(&shop, "other.db.md")), 0);
}

#[test]
fn a_hyphen_is_standard_output() {
    let shop = Shop::new();
    let output = written_to(&shop, "-");
    assert!(code(&output) == 0 && !output.stdout.is_empty(), "{}", stderr(&output));
    assert!(!shop.root().join("-").exists());
}

#[cfg(unix)]
#[test]
fn a_file_is_replaced_as_a_whole_and_a_link_is_followed() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

    let shop = Shop::new();
    let (file, link) = (shop.root().join("pack.md"), shop.root().join("link.md"));
    std::fs::write(&file, "old").unwrap();
    std::fs::set_permissions(&file, PermissionsExt::from_mode(0o600)).unwrap();
    symlink("pack.md", &link).unwrap();
    let before = file.metadata().unwrap();
    assert_eq!(code(&written_to(&shop, "pack.md")), 0);
    let after = file.metadata().unwrap();
    assert!(after.ino() != before.ino() && after.mode() == before.mode());
    let pack = std::fs::read(&file).unwrap();
    std::fs::write(&file, "old").unwrap();
    assert_eq!(code(&written_to(&shop, "link.md")), 0);
    assert!(link.is_symlink() && std::fs::read(&file).unwrap() == pack);
    assert_eq!(written_to(&shop, "/dev/stdout").stdout, pack);
}

#[test]
fn only_index_makes_the_folder_of_a_database() {
    let shop = Shop::new();
    let folder = shop.root().join("no/such");
    for command in [&["context", "sessions"][..], &["query", "Session"], &["feedback", "export"], &["status"]] {
        let output = shop.run(&[&["--db", "no/such/x.db"], command].concat());
        assert!(code(&output) != 0 && stderr(&output).contains("no/such"), "{command:?}: {}", stderr(&output));
        assert!(!folder.exists(), "{command:?}");
    }
    let output = shop.run(&["--db", "no/such/x.db", "index"]);
    assert!(stderr(&output).contains("makes the folder no/such"), "{}", stderr(&output));
    assert_eq!(code(&shop.run(&["--db", "no/such/x.db", "query", "Session"])), 0);
}

#[test]
fn nothing_is_left_beside_the_file_of_another_program() {
    let shop = Shop::new();
    let file = shop.root().join("shop/cart.py");
    let before = std::fs::read_dir(file.parent().unwrap()).unwrap().count();
    let output = shop.run(&["--db", "shop/cart.py", "index"]);
    assert!(code(&output) == 3 && stderr(&output).contains("was not made by knowing"), "{}", stderr(&output));
    assert_eq!(std::fs::read_dir(file.parent().unwrap()).unwrap().count(), before);
}

#[test]
fn a_database_of_another_repository_is_built_again_with_a_note() {
    let (one, two) = (Shop::new(), tempfile::tempdir().unwrap());
    std::fs::write(two.path().join("only.py"), "def only():\n    pass\n").unwrap();
    let database = one.root().join("x.db");
    let database = database.to_str().unwrap();
    assert_eq!(stderr(&one.run(&["--db", database, "index"])).matches("was the index of").count(), 0);
    let other = run_in(two.path(), &["--db", database, "query", "only"]);
    assert!(code(&other) == 0 && stderr(&other).contains("x.db was the index of "), "{}", stderr(&other));
    let again = run_in(two.path(), &["--db", database, "query", "only"]);
    assert!(!stderr(&again).contains("was the index of"), "{}", stderr(&again));
}

#[test]
fn a_folder_and_another_repository_are_not_both_indexed() {
    let (one, two) = (Shop::new(), Shop::new());
    let (option, argument) = (one.root(), two.root());
    let output = one.run(&["--repo", option.to_str().unwrap(), "index", argument.to_str().unwrap()]);
    assert!(code(&output) == 2 && stderr(&output).contains("name one of them"), "{}", stderr(&output));
    assert_eq!(code(&one.run(&["--repo", ".", "index", option.to_str().unwrap()])), 0);
}

#[cfg(unix)]
#[test]
fn a_limit_of_open_files_that_is_too_low_is_told() {
    let shop = Shop::new();
    assert_eq!(code(&shop.run(&["index"])), 0);
    let program = program(&shop.root(), &[]);
    for limit in [7, 11, 14] {
        let script = format!("ulimit -n {limit}; exec '{}' callers total", program.get_program().to_str().unwrap());
        let mut shell = std::process::Command::new("sh");
        let output = shell.args(["-c", &script]).current_dir(shop.root()).output().unwrap();
        assert!(code(&output) == 3 && stderr(&output).contains("`ulimit -n`"), "{limit}: {}", stderr(&output));
    }
}

#[cfg(unix)]
#[test]
fn links_out_of_the_repository_are_not_followed() {
    use std::os::unix::fs::symlink;

    let shop = Shop::new();
    let (root, outside) = (shop.root(), tempfile::tempdir().unwrap());
    let victim = outside.path().join("victim");
    std::fs::write(&victim, "precious").unwrap();
    symlink(&victim, root.join("link.md")).unwrap();
    symlink(outside.path().join("new"), root.join("dangling.md")).unwrap();
    symlink("../../new", root.join("shop/relative.md")).unwrap();
    symlink(outside.path(), root.join("folder")).unwrap();
    symlink("inside.md", root.join("alias.md")).unwrap();
    for file in ["link.md", "dangling.md", "shop/relative.md", "folder/pack.md"] {
        let output = written_to(&shop, file);
        assert_eq!(code(&output), 2, "{file}");
        assert!(stderr(&output).contains("is a link out of the repository, to "), "{}", stderr(&output));
    }
    assert_eq!(std::fs::read_to_string(&victim).unwrap(), "precious");
    assert_eq!(std::fs::read_dir(outside.path()).unwrap().count(), 1);

    let elsewhere = victim.display().to_string();
    for file in ["alias.md", "../beside.md", &elsewhere] {
        let output = written_to(&shop, file);
        assert_eq!(code(&output), 0, "{file}: {}", stderr(&output));
    }
    assert!(root.join("inside.md").exists() && root.join("../beside.md").exists());
}
