//! Catalogs of a share: published with indexes, fetched once, and used to choose repositories.

use std::path::PathBuf;

use knowing_retrieval::catalog::{Catalog, MAX_CATALOG_BYTES};
use knowing_retrieval::engine::{Cache, Router, Share, SharedCatalogs, collect, shared_catalogs};

use super::Team;
use crate::cli::{code, program, run_in, stderr, stdout};

/// Folder of catalogs in a share.
pub const FOLDER: &str = "knowing-catalogs/1";

/// A share with two repositories.
struct Catalogs {
    first: Team,
    other: Team,
}

impl Catalogs {
    fn new() -> Catalogs {
        let (first, mut other) = (Team::new(), Team::new());
        other.repository.remote_set_url("origin", "https://example.org/us/ledger.git").unwrap();
        other.commit(&[
            ("book.py", "def post_entry(amount):\n    \"\"\"Books an amount.\"\"\"\n    return amount\n"),
            ("README.md", "# Ledger\n\nDouble accounting for grocers.\n"),
        ]);
        first.publish();
        let catalogs = Catalogs { first, other };
        catalogs.publish_other();
        catalogs
    }

    fn publish_other(&self) {
        let mut engine = crate::cli::open(&self.other.root());
        engine.index(false, Some(2), &|_| {}).unwrap();
        engine.publish(&self.first.url()).unwrap();
    }

    fn files(&self) -> Vec<PathBuf> {
        self.first.files(FOLDER)
    }

    fn cache(&self) -> Cache {
        Cache::new(self.first.path("cache"), u64::MAX)
    }

    fn read(&self) -> SharedCatalogs {
        shared_catalogs(&Share::open(&self.first.url()).unwrap(), Some(&self.cache())).unwrap()
    }

    /// Returns the repositories of the catalogs, and the problems.
    fn names(&self) -> (Vec<String>, Vec<String>) {
        let found = self.read();
        let mut names: Vec<String> = found.catalogs.iter().map(|catalog| catalog.repository().to_owned()).collect();
        names.sort();
        (names, found.problems)
    }

    /// Returns the catalog's file of the other repository.
    fn file_of_other(&self) -> PathBuf {
        self.files().into_iter().find(|file| file.to_string_lossy().contains("ledger-")).unwrap()
    }
}

const FIRST: &str = "example.org/us/x";
const OTHER: &str = "example.org/us/ledger";

#[test]
fn published_catalogs_are_those_of_the_indexes() {
    let share = Catalogs::new();
    let found = share.read();
    assert_eq!(share.names(), (vec![OTHER.to_owned(), FIRST.to_owned()], Vec::new()));
    let own = crate::cli::open(&share.other.root()).catalog().unwrap();
    assert!(found.catalogs.contains(&own));
    let routes = Router::new(&found.catalogs).route("an entry of the grocer is posted twice", 5);
    assert_eq!((routes.len(), routes[0].repository.as_str()), (1, OTHER), "{routes:?}");
}

#[test]
fn only_what_changed_is_fetched() {
    let mut share = Catalogs::new();
    assert_eq!(share.read().fetched, 2);
    let again = share.read();
    assert_eq!((again.fetched, again.fetched_bytes, again.catalogs.len()), (0, 0, 2));
    share.publish_other();
    assert_eq!(share.read().fetched, 0, "publishing the same commit again writes nothing");
    share.other.commit(&[("pay.py", "def withdraw():\n    pass\n")]);
    share.publish_other();
    let changed = share.read();
    assert_eq!((changed.fetched, changed.catalogs.len()), (1, 2));
    assert_eq!(Router::new(&changed.catalogs).route("withdraw", 1)[0].repository, OTHER);
    let cached = std::fs::read_dir(share.first.path("cache/catalogs")).unwrap().next().unwrap().unwrap().path();
    assert_eq!(std::fs::read_dir(cached).unwrap().count(), 2, "the replaced one is removed");
    share.cache().remove_catalogs().unwrap();
    assert_eq!(share.read().fetched, 2);
}

#[test]
fn the_catalog_of_a_later_commit_stays() {
    let mut share = Catalogs::new();
    let earlier = share.other.clone_at("earlier", share.other.head());
    git2::Repository::open(&earlier).unwrap().remote_set_url("origin", "https://example.org/us/ledger.git").unwrap();
    share.other.commit(&[("pay.py", "def withdraw():\n    pass\n")]);
    share.publish_other();
    let mut engine = crate::cli::open(&earlier);
    engine.index(false, Some(2), &|_| {}).unwrap();
    engine.publish(&share.first.url()).unwrap();
    assert_eq!(Router::new(share.read().catalogs).route("withdraw", 1).len(), 1);
}

#[test]
fn many_foreign_catalogs_are_one_note() {
    let share = Catalogs::new();
    let catalog = std::fs::read(share.file_of_other()).unwrap();
    for number in 0..300 {
        std::fs::write(share.file_of_other().with_file_name(format!("copy-{number:03}.catalog")), &catalog).unwrap();
    }
    let (names, problems) = share.names();
    assert_eq!(names, [OTHER, FIRST]);
    let [problem] = &problems[..] else { panic!("{problems:?}") };
    assert!(problem.starts_with("skipped 300 catalogs of") && problem.contains("copy-000.catalog"), "{problem}");
    assert!(problem.ends_with("it is of another repository"), "{problem}");
}

#[test]
fn damaged_and_foreign_catalogs_are_skipped() {
    let share = Catalogs::new();
    let file = share.file_of_other();
    let whole = std::fs::read(&file).unwrap();
    let first = share.files().into_iter().find(|path| *path != file).unwrap();
    let mut changed = whole.clone();
    changed[20] ^= 1;
    for (bytes, expected) in [
        (changed, "it is not as it was written"),
        (whole[..whole.len() / 2].to_vec(), "it is not as it was written"),
        (Vec::new(), "it is not as it was written"),
        (vec![0; MAX_CATALOG_BYTES + 1], "it is larger than 200 kB"),
        (std::fs::read(first).unwrap(), "it is of another repository"),
    ] {
        std::fs::write(&file, bytes).unwrap();
        let (names, problems) = share.names();
        assert_eq!(names, [FIRST]);
        assert!(
            problems.len() == 1 && problems[0].contains(expected) && problems[0].contains("ledger"),
            "{problems:?}"
        );
    }
    share.publish_other();
    assert_eq!(share.names().0, [OTHER, FIRST], "publishing again replaces a damaged one");
}

#[test]
fn drafts_are_not_published() {
    let share = Catalogs::new();
    std::fs::write(share.other.root().join("README.md"), "# Ledger\n\nUnannounced merger.\n").unwrap();
    std::fs::remove_file(share.file_of_other()).unwrap();
    share.publish_other();
    let router = Router::new(share.read().catalogs);
    assert!(router.route("unannounced merger", 5).is_empty());
    assert_eq!(router.route("double accounting", 5).len(), 1, "the committed text");
}

#[test]
fn a_share_without_catalogs_is_named() {
    let team = Team::new();
    team.publish();
    // As an earlier version of the program publishes.
    team.files(FOLDER).iter().for_each(|file| std::fs::remove_file(file).unwrap());
    let output =
        run_in(&team.root(), &["index", "share", "route", "--from", &team.url(), "--task", "what does second return"]);
    assert_eq!(code(&output), 1);
    assert!(stderr(&output).contains("no catalog is published there"), "{}", stderr(&output));
    team.publish();
    assert_eq!(team.files(FOLDER).len(), 1, "publishing a known commit adds its catalog");
}

#[test]
fn catalogs_without_an_index_are_collected() {
    let share = Catalogs::new();
    let kept = collect(&Share::open(&share.first.url()).unwrap(), 1, false).unwrap();
    assert_eq!((kept.kept, kept.catalogs, share.files().len()), (2, 0, 2));
    let manifest = share.first.files("commits").into_iter().find(|path| path.to_string_lossy().contains("ledger-"));
    std::fs::remove_file(manifest.unwrap()).unwrap();
    let collect = |dry_run| collect(&Share::open(&share.first.url()).unwrap(), 1, dry_run).unwrap().catalogs;
    assert_eq!((collect(true), share.files().len()), (1, 2));
    assert_eq!((collect(false), share.files().len()), (1, 1));
    assert_eq!(share.names().0, [FIRST]);
}

#[test]
fn a_share_that_cannot_be_reached_is_replaced_by_the_cache() {
    let share = Catalogs::new();
    let opened = Share::open(&share.first.url()).unwrap();
    shared_catalogs(&opened, Some(&share.cache())).unwrap();
    let folder = share.first.path("share");
    std::fs::remove_dir_all(folder.join("knowing-catalogs")).unwrap();
    std::fs::write(folder.join("knowing-catalogs"), "").unwrap();
    let found = shared_catalogs(&opened, Some(&share.cache())).unwrap();
    assert_eq!(found.catalogs.len(), 2);
    assert!(found.problems[0].contains("used the catalogs of"), "{:?}", found.problems);
    assert!(shared_catalogs(&opened, None).is_err());
}

#[test]
fn the_command_lists_repositories_with_reasons() {
    let share = Catalogs::new();
    let arguments = ["index", "share", "route", "--from", &share.first.url(), "--task", "`post_entry` books twice"];
    let text = stdout(&run_in(&share.first.root(), &arguments));
    assert!(text.contains(OTHER) && text.contains("post_entry (name)") && !text.contains(FIRST), "{text}");
    let json = run_in(&share.first.root(), &[&arguments[..], &["--format", "json"]].concat());
    let routes: serde_json::Value = serde_json::from_str(&stdout(&json)).unwrap();
    assert_eq!(routes[0]["repository"], OTHER);
    assert_eq!(routes[0]["matches"][0]["fields"][0], "name");

    let unknown =
        run_in(&share.first.root(), &["index", "share", "route", "--from", &share.first.url(), "--task", "zzyzx"]);
    assert_eq!(code(&unknown), 1);
    assert!(stderr(&unknown).contains("no word of the task is in 2 catalogs"), "{}", stderr(&unknown));
    let web =
        program(&share.first.root(), &["index", "share", "route", "--from", "https://example.org/x", "--task", "x"]);
    let web = { web }.output().unwrap();
    assert!(code(&web) > 1, "{}", stderr(&web));
}

#[test]
fn a_dry_run_lists_the_catalog() {
    let share = Catalogs::new();
    let output = run_in(&share.other.root(), &["index", "--publish", "nowhere", "--dry-run"]);
    let text = stderr(&output);
    assert!(text.contains("a catalog (") && text.contains("those of 1 README files"), "{text}");
}

#[test]
fn a_catalog_is_made_again_when_the_index_changes() {
    let mut team = Team::new();
    let mut engine = crate::cli::open(&team.root());
    engine.index(false, Some(2), &|_| {}).unwrap();
    let before: Catalog = engine.catalog().unwrap();
    assert_eq!(engine.catalog().unwrap(), before);
    team.commit(&[("c.py", "def overdraw():\n    pass\n")]);
    engine.index(false, Some(2), &|_| {}).unwrap();
    assert_eq!(Router::new([engine.catalog().unwrap()]).route("overdraw", 1).len(), 1);
    team.commit(&[("README.md", "about cormorants\n")]);
    assert_eq!(Router::new([engine.catalog().unwrap()]).route("cormorants", 1).len(), 1);
}
