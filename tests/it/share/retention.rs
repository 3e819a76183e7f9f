//! `knowing index share`: old indexes are deleted, kept ones stay usable.

use std::time::{Duration, SystemTime};

use knowing_retrieval::engine::{Collected, Origin, Share, collect, published_indexes};

use super::{Team, assert_as_rebuilt, index_from, origin};
use crate::cli::{code, run_in, stderr, stdout};

/// Sets the age of every object of a share that has none yet, so that later ones are newer.
fn make_older(team: &Team, days: u64) {
    for path in team.files("objects").iter().chain(&team.files("commits")) {
        let time = SystemTime::now() - Duration::from_secs(days * 86_400);
        let file = std::fs::File::options().write(true).open(path).unwrap();
        if file.metadata().unwrap().modified().unwrap().elapsed().unwrap_or_default() < Duration::from_secs(3_600) {
            file.set_modified(time).unwrap();
        }
    }
}

/// Publishes four commits, a day apart.
fn published() -> Team {
    let mut team = Team::new();
    for day in 0..4 {
        team.commit(&[("b.py", &format!("def second():\n    return {day}\n"))]);
        team.publish();
        make_older(&team, 10 - day);
    }
    team
}

#[test]
fn old_indexes_are_deleted_with_their_databases() {
    let team = published();
    let share = Share::open(&team.url()).unwrap();
    let planned = collect(&share, 2, true).unwrap();
    assert_eq!((team.files("commits").len(), team.files("objects").len()), (4, 4), "a dry run deletes nothing");
    let collected = collect(&share, 2, false).unwrap();
    assert_eq!(collected, planned);
    assert_eq!((collected.kept, collected.deleted), (2, 2));
    assert!(collected.bytes > 0);
    assert_eq!((team.files("commits").len(), team.files("objects").len()), (2, 2));
    assert_eq!(collect(&share, 2, false).unwrap(), Collected { kept: 2, ..Collected::default() });
    let root = team.clone_at("clone", team.head());
    assert_eq!(origin(&index_from(&root, &team.url()).1), Origin::SameTree);
    assert_as_rebuilt(&root);
}

#[test]
fn a_database_whose_manifest_is_still_to_come_is_kept() {
    let team = published();
    let objects = team.files("objects")[0].parent().unwrap().to_owned();
    let (new, old) = (objects.join(format!("{}.zst", "1".repeat(64))), objects.join(format!("{}.zst", "2".repeat(64))));
    std::fs::write(&old, "left by a publisher that was killed").unwrap();
    make_older(&team, 30);
    std::fs::write(&new, "of a publisher at work").unwrap();
    collect(&Share::open(&team.url()).unwrap(), 4, false).unwrap();
    assert!(new.exists() && !old.exists());
}

#[test]
fn nothing_is_deleted_for_a_damaged_manifest_that_would_be_kept() {
    let team = published();
    let newest =
        team.files("commits").into_iter().find(|path| path.to_str().unwrap().contains(&team.head().to_string()));
    std::fs::write(newest.unwrap(), "").unwrap();
    let share = Share::open(&team.url()).unwrap();
    let message = collect(&share, 2, false).unwrap_err().to_string();
    assert!(message.contains("damaged") && message.contains("publish it again"), "{message}");
    assert_eq!(team.files("objects").len(), 4);
    assert!(published_indexes(&share).unwrap()[0].repository.is_none());
}

#[test]
fn the_command_lists_and_deletes() {
    let team = published();
    let run = |arguments: &[&str]| {
        let output = run_in(&team.root(), arguments);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        output
    };
    let listed = stdout(&run(&["index", "share", "list", &team.url()]));
    assert_eq!(listed.matches("example.org/us/x").count(), 4, "{listed}");
    let newest = listed.lines().nth(1).unwrap();
    assert!(newest.contains(&team.head().to_string()[..12]) && newest.contains(" 7 d"), "{listed}");
    let json = stdout(&run(&["index", "share", "list", &team.url(), "--format", "json"]));
    assert!(json.contains("\"usable\":true"), "{json}");
    let planned = stderr(&run(&["index", "share", "gc", &team.url(), "--keep", "1", "--dry-run"]));
    assert!(planned.contains("would delete 3 published indexes") && planned.contains("kept 1"), "{planned}");
    let deleted = stderr(&run(&["index", "share", "gc", &team.url(), "--keep", "1"]));
    assert!(deleted.contains("deleted 3 published indexes"), "{deleted}");
    assert_eq!(code(&run_in(&team.root(), &["index", "share", "gc", &team.url(), "--keep", "0"])), 2);
    assert_eq!(code(&run_in(&team.root(), &["index", "share", "list", &team.path("missing").to_string_lossy()])), 3);
}
