//! Killed, continued and concurrent publishers and fetchers.

use std::process::Stdio;
use std::time::Duration;

use knowing_retrieval::engine::Origin;

use super::{Team, assert_as_rebuilt, index_from, origin};
use crate::cli::{code, program, stderr};

/// Number of processes that are killed, each after another time.
const KILLS: u64 = 30;

#[test]
fn two_publishers_of_one_commit_agree() {
    let mut team = Team::new();
    for round in 0..3 {
        team.commit(&[("b.py", &format!("def second():\n    return {round}\n"))]);
        let roots = [0, 1].map(|number| team.clone_at(&format!("clone{round}{number}"), team.head()));
        let url = &team.url();
        std::thread::scope(|scope| {
            for root in &roots {
                scope.spawn(move || {
                    let mut engine = crate::cli::open(root);
                    engine.index(false, Some(1), &|_| {}).unwrap();
                    engine.publish(url).unwrap();
                });
            }
        });
        assert_eq!(team.files("commits").len(), round + 1);
        let reader = team.clone_at(&format!("reader{round}"), team.head());
        assert_eq!(origin(&index_from(&reader, &team.url()).1), Origin::SameTree);
        assert_as_rebuilt(&reader);
    }
}

#[test]
fn a_download_is_continued_and_a_wrong_beginning_is_replaced() {
    let team = Team::new();
    team.publish();
    let packed = std::fs::read(&team.files("objects")[0]).unwrap();
    let half = packed[..packed.len() / 2].to_vec();
    let mut wrong = half.clone();
    wrong[0] ^= 1;
    for (number, part) in [half, wrong, vec![7; packed.len() * 2]].into_iter().enumerate() {
        let root = team.clone_at(&format!("clone{number}"), team.head());
        let database = crate::cli::database(&root);
        std::fs::create_dir_all(database.parent().unwrap()).unwrap();
        std::fs::write(database.with_file_name("graph.db-fetch"), part).unwrap();
        assert_eq!(origin(&index_from(&root, &team.url()).1), Origin::SameTree);
        assert!(!database.with_file_name("graph.db-fetch").exists());
        assert_as_rebuilt(&root);
    }
}

#[test]
fn killed_processes_leave_a_usable_share_and_index() {
    let mut team = Team::new();
    let publisher = team.root();
    let url = team.url();
    let root = team.clone_at("fetcher", team.head());
    let kill = |folder: &std::path::Path, arguments: &[&str], milliseconds: u64| {
        let mut child = program(folder, arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(milliseconds));
        child.kill().unwrap();
        child.wait().unwrap();
    };
    for number in 0..KILLS / 2 {
        team.commit(&[("b.py", &format!("def second():\n    return {number}\n"))]);
        kill(&publisher, &["index", "--publish", &url], 3 * number);
        std::fs::remove_file(crate::cli::database(&root)).unwrap_or_default();
        kill(&root, &["index", "--from", &url], 3 * number);
    }
    let published = crate::cli::run_in(&publisher, &["index", "--publish", &url]);
    assert_eq!(code(&published), 0, "{}", stderr(&published));
    crate::cli::remove_state(&root);
    index_from(&root, &url);
    assert_as_rebuilt(&root);
    let current = team.clone_at("current", team.head());
    assert_eq!(origin(&index_from(&current, &url).1), Origin::SameTree);
    assert_as_rebuilt(&current);
}
