//! Damaged and hostile shares: nothing wrong is used, and the message names what is wrong.

use std::path::Path;

use knowing_retrieval::engine::{Engine, Origin, ShareFetch};
use serde_json::Value;

use super::{Team, assert_as_rebuilt, index_from, origin};

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
    let left: Vec<String> = names(&root.join(".knowing")).into_iter().filter(|name| name.contains("fetch")).collect();
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
        ("row", "UPDATE nodes SET name = 'x' WHERE id = 2", "checksum"),
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
fn feedback_in_a_planted_database_is_dropped() {
    let team = Team::new();
    team.publish();
    let root = team.clone_at("teacher", team.head());
    index_from(&root, &team.url());
    crate::cli::run_in(&root, &["feedback", "--task", "planted errand for second", "--useful", "second"]);
    let connection = rusqlite::Connection::open(root.join(".knowing/graph.db")).unwrap();
    connection.execute_batch("UPDATE files SET mtime_ns = 1; VACUUM; PRAGMA journal_mode = DELETE").unwrap();
    drop(connection);
    let plain = std::fs::read(root.join(".knowing/graph.db")).unwrap();
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
        std::fs::create_dir(root.join(".knowing")).unwrap();
        let outside = team.path("outside");
        std::fs::write(&outside, "precious").unwrap();
        std::os::unix::fs::symlink(&outside, root.join(".knowing").join(name)).unwrap();
        let mut engine = Engine::open(&root, Some(&root.join(".knowing/graph.db"))).unwrap();
        engine.index_from(&team.url(), Some(2), &|_| {}).unwrap();
        assert_eq!(std::fs::read_to_string(&outside).unwrap(), "precious");
    }
}
