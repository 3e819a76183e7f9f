//! Indexes of the same repository on one machine: worktrees and the cache.

use std::path::{Path, PathBuf};

use knowing_retrieval::engine::Cache;

use super::{Team, assert_as_rebuilt};
use crate::cli::{code, program, stderr, stdout};
use crate::index::source::{Dice, PATHS, source};

/// Number of random worktrees, unless `KNOWING_PAIRS` says another.
const WORKTREES: u64 = 4;

fn add_worktree(team: &Team, name: &str) -> PathBuf {
    team.repository.worktree(name, &team.path(name), None).unwrap();
    team.path(name)
}

/// Indexes a checkout and returns the number of parsed files and the notes.
fn index(root: &Path, cache: Option<&Cache>) -> (usize, String) {
    let mut engine = crate::cli::open(root);
    engine.set_cache(cache.cloned());
    let report = engine.index(false, Some(2), &|_| {}).unwrap();
    (report.parsed_files, report.notes.join("\n"))
}

#[test]
fn a_worktree_starts_from_the_index_of_another() {
    let mut team = Team::new();
    index(&team.root(), None);
    crate::cli::run_in(&team.root(), &["feedback", "--task", "repair second", "--useful", "second"]);
    team.commit(&[("c.py", "def third():\n    return 3\n")]);
    let added = add_worktree(&team, "added");
    std::fs::write(added.join("b.py"), "def second():\n    return 'other'\n").unwrap();
    let (parsed, notes) = index(&added, None);
    assert_eq!(parsed, 2, "{notes}");
    assert!(notes.contains("started from the index of the worktree") && notes.contains("origin"), "{notes}");
    assert_as_rebuilt(&added);
    assert_eq!(stdout(&crate::cli::run_in(&added, &["feedback", "export"])), "", "feedback is of one checkout");
    // The main worktree can start from an added one.
    crate::cli::remove_state(&team.root());
    assert!(index(&team.root(), None).1.contains("added"));
    assert_as_rebuilt(&team.root());
}

#[test]
fn random_worktrees_equal_a_rebuild() {
    let worktrees = std::env::var("KNOWING_PAIRS").ok().map_or(WORKTREES, |number| number.parse().unwrap());
    for seed in 0..worktrees {
        let dice = &mut Dice::new(7 + seed);
        let mut team = Team::new();
        let texts: Vec<(&str, String)> = PATHS.iter().map(|path| (*path, source(path, dice.roll(1_000)))).collect();
        let files: Vec<(&str, &str)> = texts.iter().map(|(path, text)| (*path, text.as_str())).collect();
        team.commit(&files);
        index(&team.root(), None);
        let added = add_worktree(&team, "added");
        for _ in 0..dice.roll(5) {
            let path = added.join(PATHS[dice.roll(PATHS.len() as u64) as usize]);
            if dice.roll(4) == 0 {
                std::fs::remove_file(path).unwrap_or_default();
            } else {
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                let name = path.strip_prefix(&added).unwrap().to_str().unwrap().to_owned();
                std::fs::write(&path, source(&name, dice.roll(1_000))).unwrap();
            }
        }
        assert!(index(&added, None).1.contains("started from"));
        assert_as_rebuilt(&added);
    }
}

#[test]
fn a_worktree_without_a_remote_is_the_same_repository() {
    let team = Team::new();
    team.repository.remote_delete("origin").unwrap();
    index(&team.root(), None);
    let added = add_worktree(&team, "elsewhere");
    assert_eq!(index(&added, None).0, 0);
    assert_as_rebuilt(&added);
}

#[test]
fn a_damaged_index_of_a_worktree_is_not_copied() {
    let team = Team::new();
    index(&team.root(), None);
    let connection = rusqlite::Connection::open(crate::cli::database(&team.root())).unwrap();
    connection
        .execute_batch("UPDATE symbols SET data = CAST(substr(data, 1, 9) || x'5a5b' || substr(data, 12) AS BLOB)")
        .unwrap();
    drop(connection);
    let added = add_worktree(&team, "added");
    let (parsed, notes) = index(&added, None);
    assert!(parsed == 2 && notes.contains("damaged"), "{notes}");
    assert_as_rebuilt(&added);
}

/// Puts the index of a checkout into a cache.
fn put(cache: &Cache, root: &Path) {
    cache.put(&knowing_indexing::scan::Repository::find(root).unwrap(), &crate::cli::database(root)).unwrap();
}

#[test]
fn a_clone_starts_from_the_cache() {
    let team = Team::new();
    let cache = Cache::new(team.path("cache"), 1 << 30);
    index(&team.root(), Some(&cache));
    crate::cli::run_in(&team.root(), &["feedback", "--task", "private errand", "--useful", "second"]);
    put(&cache, &team.root());
    let [entry] = &cache.entries().unwrap()[..] else { panic!("one entry") };
    assert_eq!(entry.repository, "example.org/us/x");
    let bytes = std::fs::read(find(&team)).unwrap();
    assert!(!bytes.windows(7).any(|part| part == b"private"), "tasks are not cached");

    let clone = team.clone_at("clone", team.head());
    let (parsed, notes) = index(&clone, Some(&cache));
    assert!(parsed == 0 && notes.contains("started from the cached index"), "{notes}");
    assert_as_rebuilt(&clone);

    std::fs::write(find(&team), "damaged").unwrap();
    let other = team.clone_at("other", team.head());
    assert_eq!(index(&other, Some(&cache)).0, 2);
    assert_as_rebuilt(&other);
}

/// Returns the only database of the team's cache.
fn find(team: &Team) -> PathBuf {
    let version = std::fs::read_dir(team.path("cache/indexes")).unwrap().next().unwrap().unwrap().path();
    let mut files = std::fs::read_dir(version).unwrap().map(|entry| entry.unwrap().path());
    files.find(|path| path.extension().is_some_and(|end| end == "db")).unwrap()
}

#[test]
fn repositories_of_one_folder_name_share_nothing_without_a_remote() {
    let (mut one, other) = (Team::new(), Team::new());
    for team in [&one, &other] {
        team.repository.remote_delete("origin").unwrap();
    }
    // The other team does not have this commit.
    one.commit(&[("z.py", "def last():\n    return 9\n")]);
    let cache = Cache::new(one.path("cache"), 1 << 30);
    index(&one.root(), None);
    put(&cache, &one.root());
    let clone = one.path("clone/origin");
    std::fs::create_dir(one.path("clone")).unwrap();
    let cloned = git2::Repository::clone(one.root().to_str().unwrap(), &clone).unwrap();
    cloned.remote_delete("origin").unwrap();
    assert_eq!(clone.file_name(), one.root().file_name());
    assert!(index(&clone, Some(&cache)).1.contains("started from the cached index"), "its commits are the same");
    assert_as_rebuilt(&clone);
    let (parsed, notes) = index(&other.root(), Some(&cache));
    assert!(parsed == 2 && notes.is_empty(), "{notes}");
    assert_as_rebuilt(&other.root());
}

#[test]
fn the_cache_is_bounded_and_managed() {
    let team = Team::new();
    index(&team.root(), None);
    let unlimited = Cache::new(team.path("cache"), u64::MAX);
    put(&unlimited, &team.root());
    let bytes = unlimited.entries().unwrap()[0].bytes;
    let second = Team::new();
    second.repository.remote_set_url("origin", "https://example.org/us/second.git").unwrap();
    index(&second.root(), None);
    let limited = Cache::new(team.path("cache"), bytes * 3 / 2);
    put(&limited, &second.root());
    let names: Vec<String> = limited.entries().unwrap().into_iter().map(|entry| entry.repository).collect();
    assert_eq!(names, ["example.org/us/second"], "the oldest goes first");

    let run = |arguments: &[&str]| {
        program(&team.root(), arguments).env("KNOWING_CACHE", team.path("cache")).output().unwrap()
    };
    assert!(stdout(&run(&["index", "cache", "list"])).contains("example.org/us/second"));
    assert!(stdout(&run(&["index", "cache", "size"])).contains(" of 2.1 GB in 1 indexes in "));
    assert_eq!(code(&run(&["index", "cache", "clear", "example.org/other"])), 1);
    assert!(stderr(&run(&["index", "cache", "clear"])).contains("deleted 1 cached indexes"));
    let left = stdout(&run(&["index", "cache", "list"]));
    assert!(left.lines().count() == 2 && left.contains("example.org/us/x") && !left.contains("second"), "{left}");
    assert!(stdout(&run(&["index", "cache", "size"])).contains(" in 1 checkout in "));
}
