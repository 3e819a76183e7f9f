//! Damaged and hostile shares: nothing wrong is used, and the message names what is wrong.

use std::path::Path;

use knowing_retrieval::engine::{Engine, IndexOptions, Origin, ShareFetch};
use serde_json::Value;

use super::catalogs::FOLDER;
use super::{Team, assert_as_rebuilt, files_in, index_from, origin};
use crate::cli::{code, stderr};
#[cfg(unix)]
use crate::hostile::git::{pipe, run};

/// Returns the path of the folder of the team's votes in its share, from the folder of all votes.
#[cfg(unix)]
fn batches(team: &Team) -> String {
    let folder = "knowing-feedback/1";
    let [name] = &names(&team.path("share").join(folder))[..] else { panic!("one repository") };
    format!("{folder}/{name}")
}

/// Replaces the only object of a share by another database, with a manifest that agrees.
fn plant(team: &Team, plain: &[u8]) {
    let [manifest] = &team.files("commits")[..] else { panic!("one manifest") };
    let text = std::fs::read_to_string(manifest).unwrap();
    let mut json: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    let packed = zstd::bulk::compress(plain, 3).unwrap();
    let hash = blake3::hash(&packed).to_hex().to_string();
    let object = team.files("objects")[0].with_file_name(format!("{hash}.zst"));
    json["object"] = hash.into();
    json["bytes"] = plain.len().into();
    json["compressed_bytes"] = packed.len().into();
    std::fs::write(object, packed).unwrap();
    let line = json.to_string();
    std::fs::write(manifest, format!("{line}\n{}\n", blake3::hash(line.as_bytes()).to_hex())).unwrap();
}

/// Changes a byte of each block of symbols.
const CHANGED_SYMBOL: &str =
    "UPDATE symbols SET data = CAST(substr(data, 1, 9) || x'5a5b' || substr(data, 12) AS BLOB)";

/// Returns the database that was published, after a change by SQL.
fn changed_database(team: &Team, sql: &str) -> Vec<u8> {
    let packed = std::fs::read(&team.files("objects")[0]).unwrap();
    let path = team.path("changed.db");
    std::fs::write(&path, zstd::stream::decode_all(&packed[..]).unwrap()).unwrap();
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection.execute_batch(sql).unwrap();
    drop(connection);
    std::fs::read(&path).unwrap()
}

/// Indexes a new clone, asserts that it was built from the files, and returns the message.
fn refused(team: &Team, name: &str) -> String {
    let root = team.clone_at(name, team.head());
    let (report, fetch) = index_from(&root, &team.url());
    let ShareFetch::Failed(error) = fetch else { panic!("{fetch:?}") };
    assert_eq!(report.parsed_files, 2);
    assert_as_rebuilt(&root);
    let left: Vec<String> = names(crate::cli::database(&root).parent().unwrap())
        .into_iter()
        .filter(|name| name.contains("fetch"))
        .collect();
    assert_eq!(left, [""; 0]);
    error.to_string()
}

fn names(folder: &Path) -> Vec<String> {
    std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn a_changed_byte_of_an_object_or_manifest_is_noticed() {
    let team = Team::new();
    team.publish();
    for (number, kind) in [(1, "objects"), (2, "commits")] {
        let path = &team.files(kind)[0];
        let whole = std::fs::read(path).unwrap();
        let mut damaged = whole.clone();
        damaged[whole.len() / 2] ^= 1;
        std::fs::write(path, &damaged).unwrap();
        let message = refused(&team, &format!("byte{number}"));
        assert!(message.contains("damaged") && message.contains("publish it again"), "{message}");
        std::fs::write(path, &whole[..whole.len() / 2]).unwrap();
        refused(&team, &format!("half{number}"));
        std::fs::remove_file(path).unwrap();
        let root = team.clone_at(&format!("gone{number}"), team.head());
        assert!(!matches!(index_from(&root, &team.url()).1, ShareFetch::Fetched(_)));
        std::fs::write(path, &whole).unwrap();
    }
}

#[test]
fn publishing_again_repairs_a_share() {
    let team = Team::new();
    team.publish();
    let manifest = &team.files("commits")[0];
    std::fs::write(manifest, "torn").unwrap();
    assert!(!team.publish().is_known);
    std::fs::remove_file(&team.files("objects")[0]).unwrap();
    assert!(!team.publish().is_known);
    let root = team.clone_at("clone", team.head());
    assert_eq!(origin(&index_from(&root, &team.url()).1), Origin::SameTree);
}

#[test]
fn publishing_again_replaces_an_index_that_others_refuse() {
    let flip = |team: &Team| {
        let object = &team.files("objects")[0];
        let mut bytes = std::fs::read(object).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        std::fs::write(object, bytes).unwrap();
    };
    let damages = [
        ("flip", None),
        ("far", Some("UPDATE symbols SET block = block + 40")),
        ("trigger", Some("CREATE TRIGGER t AFTER DELETE ON skips BEGIN DELETE FROM events; END")),
        ("row", Some(CHANGED_SYMBOL)),
    ];
    for (name, sql) in damages {
        let team = Team::new();
        team.publish();
        assert!(team.publish().is_known, "{name}");
        match sql {
            Some(sql) => plant(&team, &changed_database(&team, sql)),
            None => flip(&team),
        }
        refused(&team, name);
        assert!(!team.publish().is_known, "{name}");
        let root = team.clone_at("clone", team.head());
        assert_eq!(origin(&index_from(&root, &team.url()).1), Origin::SameTree, "{name}");
        assert!(team.publish().is_known, "{name}");
    }
}

#[test]
fn an_index_of_which_most_files_were_removed_is_published_and_fetched() {
    let mut team = Team::new();
    let many: String = (0..1_500).map(|number| format!("def f{number}():\n    pass\n\n\n")).collect();
    team.commit(&[("many.py", &many)]);
    Engine::open(&team.root(), None).unwrap().index(false, Some(2), &|_| {}).unwrap();
    std::fs::remove_file(team.root().join("many.py")).unwrap();
    team.commit(&[]);
    team.publish();
    let root = team.clone_at("clone", team.head());
    assert_eq!(origin(&index_from(&root, &team.url()).1), Origin::SameTree);
    assert_as_rebuilt(&root);
}

#[test]
fn another_index_is_used_when_the_nearest_is_damaged() {
    let mut team = Team::new();
    team.publish();
    team.commit(&[("b.py", "def second():\n    return 7\n")]);
    team.publish();
    let newest =
        team.files("commits").into_iter().find(|path| path.to_str().unwrap().contains(&team.head().to_string()));
    std::fs::write(newest.unwrap(), "{}").unwrap();
    let root = team.clone_at("clone", team.head());
    let (report, fetch) = index_from(&root, &team.url());
    assert_eq!(origin(&fetch), Origin::Ancestor(1));
    assert!(report.notes[0].contains("damaged"), "{:?}", report.notes);
    assert_as_rebuilt(&root);
}

#[test]
fn a_planted_database_is_refused() {
    let team = Team::new();
    team.publish();
    let trigger = "CREATE TRIGGER t AFTER DELETE ON skips BEGIN DELETE FROM events; END";
    for (name, sql, problem) in [
        ("trigger", trigger, "its tables are not those of this version"),
        ("view", "DROP TABLE cache; CREATE VIEW cache AS SELECT 1 AS key", "its tables are not those"),
        ("version", "PRAGMA user_version = 99", "schema version 99"),
        ("owner", "PRAGMA application_id = 7", "application id"),
        ("row", CHANGED_SYMBOL, "checksum"),
        ("fewer", "DELETE FROM edges", "table edges has"),
        ("state", "DELETE FROM meta WHERE key = 'complete'", "no index"),
    ] {
        plant(&team, &changed_database(&team, sql));
        let message = refused(&team, name);
        assert!(message.contains(problem), "{name}: {message}");
        team.files("objects").iter().chain(&team.files("commits")).for_each(|path| std::fs::remove_file(path).unwrap());
        team.publish();
    }
    plant(&team, b"no database");
    refused(&team, "text");
}

#[test]
fn a_decompression_bomb_ends_at_the_stated_size() {
    let team = Team::new();
    team.publish();
    plant(&team, &vec![0; 50 << 20]);
    let manifest = &team.files("commits")[0];
    let text = std::fs::read_to_string(manifest).unwrap();
    let mut json: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    json["bytes"] = 1_000.into();
    let line = json.to_string();
    std::fs::write(manifest, format!("{line}\n{}\n", blake3::hash(line.as_bytes()).to_hex())).unwrap();
    let message = refused(&team, "clone");
    assert!(message.contains("can't be decompressed"), "{message}");
}

#[test]
fn a_size_that_no_compression_reaches_is_refused_before_the_download() {
    let team = Team::new();
    team.publish();
    plant(&team, &vec![0; 200 << 20]);
    let object = team.files("objects").into_iter().min_by_key(|path| path.metadata().unwrap().len()).unwrap();
    assert!(object.metadata().unwrap().len() < 100_000);
    let message = refused(&team, "clone");
    assert!(message.contains("the manifest of"), "{message}");
    assert!(!team.publish().is_known, "publishing again repairs it");
    assert_eq!(origin(&index_from(&team.clone_at("other", team.head()), &team.url()).1), Origin::SameTree);
}

/// Replaces the files of a share by pipes, one kind after the other, and runs `check` on a new clone with each.
#[cfg(unix)]
fn with_pipes(team: &Team, check: impl Fn(&Path, &str)) {
    for kind in ["commits", "objects", FOLDER, &batches(team)] {
        let files = files_in(&team.path("share"), kind);
        let kept: Vec<_> = files.iter().map(|file| (file, std::fs::read(file).unwrap())).collect();
        assert!(!kept.is_empty(), "{kind}");
        for (file, _) in &kept {
            std::fs::remove_file(file).unwrap();
            pipe(file);
        }
        let root = team.clone_at(&format!("clone-{}", kind.replace('/', "-")), team.head());
        check(&root, kind);
        for (file, bytes) in kept {
            std::fs::remove_file(file).unwrap();
            std::fs::write(file, bytes).unwrap();
        }
    }
}

#[cfg(unix)]
#[test]
fn pipes_in_a_share_neither_block_nor_disturb_the_rest() {
    let team = Team::new();
    team.publish();
    let url = team.url();
    let voter = team.clone_at("voter", team.head());
    run(&voter, &["feedback", "--task", "an errand for second", "--useful", "second"]);
    let synced = run(&voter, &["feedback", "sync", &url]);
    assert!(code(&synced) == 0 && stderr(&synced).contains("sent 1"), "{}", stderr(&synced));
    let batches = batches(&team);
    with_pipes(&team, |root, kind| {
        let output = run(root, &["index", "--from", &url]);
        let messages = stderr(&output);
        assert_eq!(code(&output), 0, "{messages}");
        assert_eq!(messages.contains("damaged index"), ["commits", "objects"].contains(&kind), "{kind}: {messages}");
        assert_eq!(
            messages.contains("fetched the index"),
            !["commits", "objects"].contains(&kind),
            "{kind}: {messages}"
        );
        let output = run(root, &["index", "share", "route", "--task", "second", "--from", &url]);
        assert_eq!(stderr(&output).contains("skipped the catalog"), kind == FOLDER, "{kind}: {}", stderr(&output));
        let output = run(root, &["index", "share", "list", &url]);
        assert_eq!(code(&output), 0, "{kind}: {}", stderr(&output));
        // A person who has not received the batch yet.
        let mut sync = crate::cli::program(root, &["feedback", "sync", &url]);
        let output = sync.env("XDG_DATA_HOME", root.join(".home")).output().unwrap();
        assert_eq!(code(&output), 0, "{kind}: {}", stderr(&output));
        assert_eq!(
            stderr(&output).contains("1 objects are not batches"),
            kind == batches,
            "{kind}: {}",
            stderr(&output)
        );
        if kind != batches {
            let output = run(&team.root(), &["index", "--publish", &url]);
            assert_eq!(code(&output), 0, "{kind}: {}", stderr(&output));
            let repaired =
                team.clone_at(&format!("repaired-{}", root.file_name().unwrap().to_str().unwrap()), team.head());
            assert_eq!(origin(&index_from(&repaired, &url).1), Origin::SameTree, "{kind}");
        }
    });
}

#[cfg(unix)]
#[test]
fn odd_names_in_a_share_are_counted_in_one_note_and_disturb_nothing() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let team = Team::new();
    team.publish();
    let url = team.url();
    let voter = team.clone_at("voter", team.head());
    run(&voter, &["feedback", "--task", "an errand for second", "--useful", "second"]);
    run(&voter, &["feedback", "sync", &url]);
    for kind in ["commits", "objects", FOLDER, &batches(&team)] {
        let folder = files_in(&team.path("share"), kind)[0].parent().unwrap().to_owned();
        for name in [&b"x\x1by.json"[..], b"bell\x07", b"latin-\xe9", b"next\xc2\x85line"] {
            std::fs::write(folder.join(OsStr::from_bytes(name)), "odd").unwrap();
        }
    }
    let note = "files of";
    let root = team.clone_at("clone", team.head());
    let output = run(&root, &["index", "--from", &url]);
    assert!(stderr(&output).contains("fetched the index"), "{}", stderr(&output));
    assert_eq!(stderr(&output).matches(&format!("skipped 4 {note} {url}")).count(), 1, "{}", stderr(&output));
    for (arguments, count) in [
        (&["index", "share", "route", "--task", "second", "--from", &url][..], 4),
        (&["index", "share", "list", &url], 4),
        (&["index", "share", "gc", &url, "--keep", "1"], 12),
        (&["feedback", "sync", &url], 4),
    ] {
        let output = run(&root, arguments);
        assert_eq!(code(&output), 0, "{arguments:?}: {}", stderr(&output));
        assert_eq!(stderr(&output).matches(&format!("skipped {count} files")).count(), 1, "{}", stderr(&output));
        assert!(!stderr(&output).contains(['\x1b', '\x07']), "{}", stderr(&output));
    }
}

#[test]
fn feedback_in_a_planted_database_is_dropped() {
    let team = Team::new();
    team.publish();
    let root = team.clone_at("teacher", team.head());
    index_from(&root, &team.url());
    crate::cli::run_in(&root, &["feedback", "--task", "planted errand for second", "--useful", "second"]);
    let connection = rusqlite::Connection::open(crate::cli::database(&root)).unwrap();
    connection.execute_batch("UPDATE files SET mtime_ns = 1; VACUUM; PRAGMA journal_mode = DELETE").unwrap();
    drop(connection);
    let plain = std::fs::read(crate::cli::database(&root)).unwrap();
    plant(&team, &plain);
    let other = team.clone_at("other", team.head());
    index_from(&other, &team.url());
    let exported = crate::cli::run_in(&other, &["feedback", "export"]);
    assert_eq!(crate::cli::stdout(&exported), "");
    assert_as_rebuilt(&other);
}

#[cfg(unix)]
#[test]
fn links_beside_the_database_are_not_followed() {
    let team = Team::new();
    team.publish();
    for (number, name) in ["graph.db-fetch", "graph.db-fetched"].into_iter().enumerate() {
        let root = team.clone_at(&format!("clone{number}"), team.head());
        let database = crate::cli::database(&root);
        std::fs::create_dir_all(database.parent().unwrap()).unwrap();
        let outside = team.path("outside");
        std::fs::write(&outside, "precious").unwrap();
        std::os::unix::fs::symlink(&outside, database.with_file_name(name)).unwrap();
        let mut engine = Engine::open(&root, Some(&database)).unwrap();
        engine.index_from(&team.url(), IndexOptions { jobs: Some(2), ..IndexOptions::default() }, &|_| {}).unwrap();
        assert_eq!(std::fs::read_to_string(&outside).unwrap(), "precious");
    }
}
