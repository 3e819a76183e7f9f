//! Shares: published and fetched indexes, in a folder and in an object store.

mod catalogs;
mod experience;
mod hostile;
mod interrupted;
mod local;
mod pairs;
mod retention;
#[cfg(feature = "cloud")]
mod s3;
#[cfg(feature = "cloud")]
mod server;

use std::path::{Path, PathBuf};

use knowing_analysis::model::NodeId;
use knowing_indexing::store::Reader;
use knowing_retrieval::engine::{Engine, IndexOptions, IndexReport, Origin, PublishReport, ShareFetch};
use tempfile::TempDir;

use crate::index::dump::{difference, dump};

/// A repository with a remote, its clones, and a share.
pub struct Team {
    folder: TempDir,
    pub repository: git2::Repository,
    commits: i64,
}

impl Team {
    /// Creates a repository with one commit.
    pub fn new() -> Team {
        let folder = tempfile::tempdir().unwrap();
        let repository = git2::Repository::init(folder.path().join("origin")).unwrap();
        repository.remote("origin", "https://example.org/us/x.git").unwrap();
        let mut team = Team { folder, repository, commits: 0 };
        team.commit(&[
            ("a.py", "import b\n\n\ndef first():\n    return b.second()\n"),
            ("b.py", "def second():\n    return 2\n"),
        ]);
        team
    }

    pub fn root(&self) -> PathBuf {
        self.folder.path().join("origin")
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn url(&self) -> String {
        self.path("share").to_str().unwrap().to_owned()
    }

    /// Writes files and commits the working tree.
    pub fn commit(&mut self, files: &[(&str, &str)]) -> git2::Oid {
        for (path, text) in files {
            let path = self.root().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        self.commits += 1;
        let author = if self.commits % 2 == 0 { "Grace Privateperson" } else { "Ada Confidential" };
        let mut index = self.repository.index().unwrap();
        index.add_all(["*"], git2::IndexAddOption::DEFAULT, None).unwrap();
        index.update_all(["*"], None).unwrap();
        index.write().unwrap();
        let tree = self.repository.find_tree(index.write_tree().unwrap()).unwrap();
        let time = git2::Time::new(1_000 * self.commits, 0);
        let author = git2::Signature::new(author, "who@example.org", &time).unwrap();
        let parent = self.repository.head().ok().and_then(|head| head.peel_to_commit().ok());
        let parents: Vec<&git2::Commit<'_>> = parent.iter().collect();
        let message = format!("Change number {}", self.commits);
        self.repository.commit(Some("HEAD"), &author, &author, &message, &tree, &parents).unwrap()
    }

    /// Clones the repository at a commit. The clone has the same identity.
    pub fn clone_at(&self, name: &str, commit: git2::Oid) -> PathBuf {
        let root = self.path(name);
        let clone = git2::Repository::clone(self.root().to_str().unwrap(), &root).unwrap();
        clone.remote_set_url("origin", "https://example.org/us/x.git").unwrap();
        clone.set_head_detached(commit).unwrap();
        clone.checkout_head(Some(git2::build::CheckoutBuilder::new().force())).unwrap();
        root
    }

    /// Indexes and publishes the checked-out commit of the repository.
    pub fn publish(&self) -> PublishReport {
        let mut engine = crate::cli::open(&self.root());
        engine.index(false, Some(2), &|_| {}).unwrap();
        engine.publish(&self.url()).unwrap()
    }

    pub fn head(&self) -> git2::Oid {
        self.repository.head().unwrap().target().unwrap()
    }

    /// Returns the files in a folder of the share's repository.
    pub fn files(&self, kind: &str) -> Vec<PathBuf> {
        files_in(&self.path("share"), kind)
    }
}

/// Returns the files below a folder whose own folder is named `kind`, sorted.
pub fn files_in(folder: &Path, kind: &str) -> Vec<PathBuf> {
    let mut folders = vec![folder.to_owned()];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let is_folder = entry.file_type().unwrap().is_dir();
            if is_folder { folders.push(entry.path()) } else { files.push(entry.path()) }
        }
    }
    files.retain(|path| path.parent().unwrap().ends_with(kind));
    files.sort();
    files
}

/// Indexes a checkout, starting from a share.
pub fn index_from(root: &Path, url: &str) -> (IndexReport, ShareFetch) {
    crate::cli::open(root).index_from(url, IndexOptions { jobs: Some(2), ..IndexOptions::default() }, &|_| {}).unwrap()
}

/// Returns the origin of a fetched index.
pub fn origin(fetch: &ShareFetch) -> Origin {
    match fetch {
        ShareFetch::Fetched(source) => source.origin,
        other => panic!("nothing was fetched: {other:?}"),
    }
}

/// Asserts that the index of a checkout equals one built from nothing, with its authors, and is intact.
pub fn assert_as_rebuilt(root: &Path) {
    let rebuilt = tempfile::tempdir().unwrap();
    let database = rebuilt.path().join("graph.db");
    Engine::open(root, Some(&database)).unwrap().index(false, Some(2), &|_| {}).unwrap();
    let stored = crate::cli::database(root);
    assert_eq!(difference(&dump(&stored), &dump(&database)), [""; 0], "fetched (-) and rebuilt (+)");
    let commits = |database: &Path| {
        let commits = Reader::open(database).unwrap().recent_commits(usize::MAX >> 1).unwrap();
        commits.into_iter().map(|row| (row.hash, row.time, row.author, row.subject)).collect::<Vec<_>>()
    };
    assert_eq!(commits(&stored), commits(&database));
    let findings = crate::cli::open(root).fsck().unwrap();
    let problems: Vec<_> = findings.iter().filter(|finding| !finding.problems.is_empty()).collect();
    assert!(problems.is_empty(), "{problems:?}");
}

#[test]
fn a_published_index_is_fetched_and_equals_a_rebuild() {
    let mut team = Team::new();
    let first = team.head();
    assert!(!team.publish().is_known);
    assert!(team.publish().is_known, "publishing again writes nothing");
    team.commit(&[("b.py", "def second():\n    return 3\n\n\ndef third():\n    pass\n")]);
    team.commit(&[("c/d.go", "package d\n\nfunc Fourth() {}\n")]);

    let same = team.clone_at("same", first);
    let (report, fetch) = index_from(&same, &team.url());
    assert_eq!((origin(&fetch), report.parsed_files), (Origin::SameTree, 0));
    assert_as_rebuilt(&same);
    let (report, fetch) = index_from(&same, &team.url());
    assert!(report.is_unchanged && matches!(fetch, ShareFetch::NotNeeded), "{fetch:?}");

    let later = team.clone_at("later", team.head());
    let (report, fetch) = index_from(&later, &team.url());
    assert_eq!((origin(&fetch), report.parsed_files), (Origin::Ancestor(2), 2));
    assert_as_rebuilt(&later);
}

#[test]
fn a_database_in_the_current_folder_is_fetched_too() {
    let team = Team::new();
    let (root, url) = (team.root(), team.url());
    let published = crate::cli::run_in(&root, &["index", "--publish", &url]);
    assert_eq!(crate::cli::code(&published), 0, "{}", crate::cli::stderr(&published));
    for database in ["one.db", "./two.db"] {
        let fetched = crate::cli::run_in(&root, &["--db", database, "index", "--from", &url]);
        let notes = crate::cli::stderr(&fetched);
        assert!(crate::cli::code(&fetched) == 0 && notes.contains("fetched the index of"), "{database}: {notes}");
    }
}

#[test]
fn the_nearest_index_is_chosen() {
    let mut team = Team::new();
    let first = team.head();
    team.publish();
    team.commit(&[("b.py", "def second():\n    return 4\n")]);
    let second = team.head();
    team.publish();
    team.commit(&[("b.py", "def second():\n    return 5\n")]);
    let current = team.clone_at("current", team.head());
    let (_, fetch) = index_from(&current, &team.url());
    let ShareFetch::Fetched(source) = &fetch else { panic!("{fetch:?}") };
    assert_eq!((source.commit.as_str(), source.origin), (second.to_string().as_str(), Origin::Ancestor(1)));

    // Only a later commit is published.
    team.files("commits").iter().filter(|path| path.to_str().unwrap().contains(&first.to_string())).for_each(|path| {
        std::fs::remove_file(path).unwrap();
    });
    let before = team.clone_at("before", first);
    assert_eq!(origin(&index_from(&before, &team.url()).1), Origin::Other);
    assert_as_rebuilt(&before);
}

#[test]
fn a_repository_of_another_name_fetches_nothing() {
    let team = Team::new();
    team.publish();
    let other = team.clone_at("other", team.head());
    git2::Repository::open(&other).unwrap().remote_set_url("origin", "https://example.org/us/y.git").unwrap();
    let (report, fetch) = index_from(&other, &team.url());
    assert!(matches!(fetch, ShareFetch::NotPublished) && report.parsed_files == 2, "{fetch:?}");
}

#[test]
fn a_share_that_cannot_be_used_does_not_prevent_indexing() {
    let team = Team::new();
    let message = |url: &str, name: &str| {
        let root = team.clone_at(name, team.head());
        let (report, fetch) = index_from(&root, url);
        let ShareFetch::Failed(error) = fetch else { panic!("{fetch:?}") };
        assert_eq!(report.parsed_files, 2);
        error.to_string()
    };
    let missing = message(team.path("missing").to_str().unwrap(), "one");
    assert!(missing.contains("missing") && missing.contains("name a folder"), "{missing}");
    let unsupported = message("ftp://example.org/x", "two");
    assert!(unsupported.contains("the scheme `ftp` is not supported"), "{unsupported}");
    std::fs::write(team.path("file"), "").unwrap();
    message(team.path("file").to_str().unwrap(), "three");
}

#[test]
fn uncommitted_changes_are_not_published() {
    let team = Team::new();
    let publish = || {
        let mut engine = crate::cli::open(&team.root());
        engine.index(false, Some(2), &|_| {}).unwrap();
        engine.publish(&team.url()).map_err(|error| error.to_string())
    };
    std::fs::write(team.root().join("secret_draft.py"), "def unannounced():\n    pass\n").unwrap();
    let message = publish().unwrap_err();
    assert!(message.starts_with("1 files differ from the commit, such as secret_draft.py"), "{message}");
    assert!(team.files("commits").is_empty() && team.files("objects").is_empty());
    std::fs::remove_file(team.root().join("secret_draft.py")).unwrap();
    // Manifests and code owners are indexed too.
    for (path, text) in [("package.json", r#"{"name": "unannounced"}"#), ("CODEOWNERS", "* @unannounced\n")] {
        std::fs::write(team.root().join(path), text).unwrap();
        let message = publish().unwrap_err();
        assert!(message.starts_with(&format!("1 files differ from the commit, such as {path}")), "{message}");
        std::fs::remove_file(team.root().join(path)).unwrap();
    }
    publish().unwrap();
    // The search index and free pages keep nothing of the draft, of authors, of tasks or of this machine.
    let packed = std::fs::read(&team.files("objects")[0]).unwrap();
    let plain = zstd::stream::decode_all(&packed[..]).unwrap();
    let home = team.root();
    for private in ["unannounced", "secret_draft", "Privateperson", "Confidential", home.to_str().unwrap()] {
        let is_found = plain.windows(private.len()).any(|window| window.eq_ignore_ascii_case(private.as_bytes()));
        assert!(!is_found, "{private}");
    }
}

#[test]
fn feedback_is_neither_published_nor_replaced() {
    let team = Team::new();
    team.publish();
    let root = team.clone_at("teacher", team.head());
    index_from(&root, &team.url());
    let output = |arguments: &[&str]| {
        let output = crate::cli::run_in(&root, arguments);
        assert_eq!(crate::cli::code(&output), 0, "{}", crate::cli::stderr(&output));
        crate::cli::stdout(&output)
    };
    output(&["feedback", "--task", "a hushed errand for second", "--useful", "second"]);
    let votes = output(&["feedback", "export"]);
    assert!(votes.contains("hushed"));
    // An index of an earlier version is not current.
    let connection = rusqlite::Connection::open(crate::cli::database(&root)).unwrap();
    connection.execute("UPDATE meta SET value = 'earlier' WHERE key = 'engine'", []).unwrap();
    let sum = "UPDATE digests SET sum = 0 WHERE name = 'meta'";
    connection.execute(sum, []).unwrap();
    drop(connection);
    let (_, fetch) = index_from(&root, &team.url());
    assert_eq!(origin(&fetch), Origin::SameTree);
    assert_eq!(output(&["feedback", "export"]), votes);
    assert_as_rebuilt(&root);

    let mut published = team.files("objects");
    published.iter().for_each(|path| std::fs::remove_file(path).unwrap());
    crate::cli::open(&root).publish(&team.url()).unwrap();
    published = team.files("objects");
    let plain = zstd::stream::decode_all(&std::fs::read(&published[0]).unwrap()[..]).unwrap();
    assert!(!plain.windows(6).any(|window| window.eq_ignore_ascii_case(b"hushed")));
}

#[test]
fn a_dry_run_lists_what_would_be_published() {
    let team = Team::new();
    let output = crate::cli::run_in(&team.root(), &["index", "--publish", &team.url(), "--dry-run"]);
    let text = crate::cli::stderr(&output);
    assert_eq!(crate::cli::code(&output), 0, "{text}");
    for line in ["of example.org/us/x", "in 2 files; subjects of 1 commits", "not published: feedback", "note: a.py"] {
        assert!(text.contains(line), "{line}: {text}");
    }
    assert!(!team.path("share").exists());
}

#[test]
fn a_clone_without_its_history_uses_a_published_index() {
    let mut team = Team::new();
    team.commit(&[("b.py", "def second():\n    return 6\n")]);
    team.publish();
    let root = team.clone_at("shallow", team.head());
    // A boundary, as `git clone --depth 1` writes it.
    std::fs::write(root.join(".git/shallow"), format!("{}\n", team.head())).unwrap();
    assert_eq!(origin(&index_from(&root, &team.url()).1), Origin::SameTree);
    assert_as_rebuilt(&root);
    let reader = Reader::open(&crate::cli::database(&root)).unwrap();
    assert!(reader.node_histories().unwrap().iter().all(|row| row.node != NodeId::default()));
}
