//! Histories of small generated repositories.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use git2::{Repository, Signature, Time};

use super::*;
use crate::model::CommitId;

struct Project {
    folder: tempfile::TempDir,
    git: Repository,
    clock: i64,
}

impl Project {
    fn new() -> Project {
        let folder = tempfile::tempdir().unwrap();
        let git = Repository::init(folder.path()).unwrap();
        Project { folder, git, clock: 1_700_000_000 }
    }

    fn root(&self) -> &Path {
        self.folder.path()
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn commit(&mut self, subject: &str, files: &[(&str, &str)]) -> CommitId {
        for (path, text) in files {
            self.write(path, text);
        }
        let parent = self.git.head().ok().map(|head| head.peel_to_commit().unwrap().id());
        self.commit_onto(subject, parent.as_slice())
    }

    fn commit_onto(&mut self, subject: &str, parents: &[git2::Oid]) -> CommitId {
        self.clock += 60;
        let mut index = self.git.index().unwrap();
        index.add_all(["*"], git2::IndexAddOption::DEFAULT, None).unwrap();
        index.update_all(["*"], None).unwrap();
        let tree = self.git.find_tree(index.write_tree().unwrap()).unwrap();
        index.write().unwrap();
        let who = Signature::new("Ada", "ada@example.org", &Time::new(self.clock, 0)).unwrap();
        let parents: Vec<_> = parents.iter().map(|id| self.git.find_commit(*id).unwrap()).collect();
        let parents: Vec<_> = parents.iter().collect();
        let id = self.git.commit(Some("HEAD"), &who, &who, subject, &tree, &parents).unwrap();
        id.as_bytes().try_into().unwrap()
    }

    fn log(&self) -> CommitLog {
        read_log(self.root(), &HashSet::new()).unwrap()
    }

    /// Traces the given line ranges; returns the index of the latest commit and the number of commits.
    fn trace(&self, path: &str, lines: &[(u32, u32)]) -> Vec<(Option<usize>, u32)> {
        let log = self.log();
        let commits = log.new.iter().filter(|commit| commit.paths.iter().any(|touched| touched == path));
        let text = fs::read_to_string(self.root().join(path)).unwrap();
        let commits = commits.map(|commit| commit.id).collect();
        let file = TracedFile { path, text: &text, lines: lines.to_vec(), commits };
        let traces = trace(self.root(), &[file], &|_| ()).unwrap();
        traces[0].iter().map(|trace| (trace.last, trace.commits)).collect()
    }
}

#[test]
fn commits_are_latest_first_with_touched_sources() {
    let mut project = Project::new();
    let first = project.commit("First: add a\n\nBody.", &[("a.py", "1\n"), ("README.md", "x\n"), ("s/b.go", "b\n")]);
    let second = project.commit("Second", &[("s/b.go", "c\n")]);
    let log = project.log();
    assert_eq!(log.head, Some(second));
    assert_eq!(head(project.root()).unwrap(), Some(second));
    assert_eq!(log.order, [second, first]);
    assert_eq!(log.new[0].paths, ["s/b.go"]);
    assert_eq!(log.new[1].paths, ["a.py", "s/b.go"]);
    assert_eq!((log.new[1].subject.as_str(), log.new[1].author.as_str()), ("First: add a", "Ada"));
    assert_eq!(log.new[1].time, 1_700_000_060);
}

#[test]
fn known_commits_are_not_read_again() {
    let mut project = Project::new();
    let first = project.commit("First", &[("a.py", "1\n")]);
    let second = project.commit("Second", &[("a.py", "2\n")]);
    let log = read_log(project.root(), &HashSet::from([first])).unwrap();
    assert_eq!(log.order, [second, first]);
    assert_eq!(log.new.iter().map(|commit| commit.id).collect::<Vec<_>>(), [second]);
}

#[test]
fn merges_and_bulk_commits_have_no_paths() {
    let mut project = Project::new();
    let many: Vec<(String, &str)> = (0..31).map(|number| (format!("f{number}.py"), "x\n")).collect();
    let many: Vec<(&str, &str)> = many.iter().map(|(path, text)| (path.as_str(), *text)).collect();
    let base = project.commit("Bulk", &many);
    let thirty = project.commit("Thirty", &many[..30].iter().map(|(path, _)| (*path, "y\n")).collect::<Vec<_>>());
    project.write("f0.py", "z\n");
    let ids = [thirty, base].map(|id| git2::Oid::from_bytes(&id).unwrap());
    project.commit_onto("Merge", &ids);
    let counts: Vec<usize> = project.log().new.iter().map(|commit| commit.paths.len()).collect();
    assert_eq!(counts, [0, 30, 0]);
}

#[test]
fn removed_files_are_touched() {
    let mut project = Project::new();
    project.commit("First", &[("a/b/c.py", "1\n"), ("d.py", "1\n")]);
    fs::remove_file(project.root().join("a/b/c.py")).unwrap();
    project.commit("Second", &[]);
    assert_eq!(project.log().new[0].paths, ["a/b/c.py"]);
}

#[test]
fn history_is_empty_without_git_or_commits() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(read_log(folder.path(), &HashSet::new()).unwrap(), CommitLog::default());
    let project = Project::new();
    assert_eq!(project.log(), CommitLog::default());
    fs::write(folder.path().join("a.py"), "x\n").unwrap();
    let file = TracedFile { path: "a.py", text: "x\n", lines: vec![(1, 1)], commits: vec![[1; 20]] };
    assert_eq!(trace(folder.path(), &[file], &|_| ()).unwrap(), [[SymbolTrace::default()]]);
}

/// Forty trees, each containing the next one twenty times: 20^40 entries in a few kilobytes.
#[test]
fn tree_bomb_is_a_bulk_change() {
    let mut project = Project::new();
    project.commit("First", &[("a.py", "1\n")]);
    let mut tree = project.git.treebuilder(None).unwrap().write().unwrap();
    for _level in 0..40 {
        let mut builder = project.git.treebuilder(None).unwrap();
        (0..20).for_each(|name| drop(builder.insert(format!("{name}"), tree, 0o040_000).unwrap()));
        tree = builder.write().unwrap();
    }
    let tree = project.git.find_tree(tree).unwrap();
    let who = Signature::new("Eve", "eve@example.org", &Time::new(1_800_000_000, 0)).unwrap();
    let parent = project.git.head().unwrap().peel_to_commit().unwrap();
    project.git.commit(Some("HEAD"), &who, &who, "Bomb", &tree, &[&parent]).unwrap();
    let log = project.log();
    assert_eq!(log.new[0].subject, "Bomb");
    assert_eq!((log.new[0].paths.len(), log.new[1].paths.len()), (0, 1));
}

#[test]
fn damaged_repository_is_an_error() {
    let mut project = Project::new();
    project.commit("First", &[("a.py", "1\n")]);
    fs::remove_dir_all(project.root().join(".git/objects")).unwrap();
    fs::create_dir(project.root().join(".git/objects")).unwrap();
    // A branch whose commit is missing is damage, not an empty history.
    assert!(read_log(project.root(), &HashSet::new()).is_err() && head(project.root()).is_err());
    fs::write(project.root().join(".git/config"), "[core\n").unwrap();
    assert!(read_log(project.root(), &HashSet::new()).is_err());
}

/// Removes an object, as in a treeless clone.
fn forget(project: &Project, id: git2::Oid) {
    let name = id.to_string();
    fs::remove_file(project.root().join(".git/objects").join(&name[..2]).join(&name[2..])).unwrap();
}

#[test]
fn commits_without_trees_are_counted_as_unread() {
    let mut project = Project::new();
    let ids = ["1\n", "2\n", "3\n"].map(|text| project.commit(text.trim(), &[("a.py", text)]));
    let second = project.git.find_commit(git2::Oid::from_bytes(&ids[1]).unwrap()).unwrap().tree_id();
    forget(&project, second);
    let log = project.log();
    assert_eq!(log.order, [ids[2], ids[1], ids[0]]);
    // Neither the second nor the third commit can be compared.
    assert_eq!((log.new.iter().map(|commit| commit.id).collect::<Vec<_>>(), log.unread), (vec![ids[0]], 2));
}

#[test]
fn shallow_boundary_commits_are_omitted() {
    let mut project = Project::new();
    let ids = ["1\n", "2\n", "3\n"].map(|text| project.commit(text.trim(), &[("a.py", text)]));
    let cut = git2::Oid::from_bytes(&ids[1]).unwrap();
    fs::write(project.root().join(".git/shallow"), format!("{cut}\n")).unwrap();
    assert_eq!(boundary(project.root()).unwrap(), [ids[1]]);
    let log = project.log();
    assert_eq!(log.order, [ids[2]]);
    assert_eq!((log.new.iter().map(|commit| commit.id).collect::<Vec<_>>(), log.unread), (vec![ids[2]], 0));
    fs::remove_file(project.root().join(".git/shallow")).unwrap();
    assert_eq!((boundary(project.root()).unwrap(), project.log().new.len()), (Vec::new(), 3));
}

const TWO: &str = "def a():\n    return 1\n\ndef b():\n    return 1\n";
const A: (u32, u32) = (1, 2);
const B: (u32, u32) = (4, 5);

#[test]
fn commit_is_attributed_to_changed_symbol() {
    let mut project = Project::new();
    project.commit("First", &[("a.py", TWO)]);
    project.commit("Change b", &[("a.py", &TWO.replace("b():\n    return 1", "b():\n    return 2"))]);
    assert_eq!(project.trace("a.py", &[A, B]), [(Some(1), 1), (Some(0), 2)]);
}

#[test]
fn a_commit_belongs_to_the_innermost_symbol_of_its_lines() {
    let mut project = Project::new();
    let text = |method: &str, field: &str| format!("class A:\n    def f(self):\n        {method}\n    x = {field}\n");
    project.commit("Add", &[("a.py", &text("return 1", "1"))]);
    project.commit("Change the method", &[("a.py", &text("return 2", "1"))]);
    project.commit("Change the field", &[("a.py", &text("return 2", "2"))]);
    let log = project.log();
    let text = fs::read_to_string(project.root().join("a.py")).unwrap();
    let commits = log.new.iter().map(|commit| commit.id).collect();
    // The class, its method, and an empty range.
    let file = TracedFile { path: "a.py", text: &text, lines: vec![(1, 4), (2, 3), (9, 9)], commits };
    let own: Vec<u64> = trace(project.root(), &[file], &|_| ()).unwrap()[0].iter().map(|trace| trace.own).collect();
    // Latest first: the field, the method, and the commit that added all of it.
    assert_eq!(own, [0b101, 0b110, 0]);
}

#[test]
fn lines_are_followed_through_shifts_and_rewrites() {
    let mut project = Project::new();
    project.commit("First", &[("a.py", TWO)]);
    project.commit("Change b", &[("a.py", "def a():\n    return 1\n\ndef b():\n    return 2\n")]);
    project.commit("Shift", &[("a.py", "import x\nimport y\n\ndef a():\n    return 1\n\ndef b():\n    return 2\n")]);
    project
        .commit("Rewrite b", &[("a.py", "import x\nimport y\n\ndef a():\n    return 1\n\ndef b():\n    return 3\n")]);
    // The import, then a, then b: b was created, changed and rewritten.
    assert_eq!(project.trace("a.py", &[(1, 1), (4, 5), (7, 8)]), [(Some(1), 1), (Some(3), 1), (Some(0), 3)]);
}

#[test]
fn removed_lines_touch_the_enclosing_symbol() {
    let mut project = Project::new();
    project.commit("First", &[("a.py", "def a():\n    x = 1\n    return 1\n\ndef b():\n    return 1\n")]);
    project.commit("Shorten a", &[("a.py", TWO)]);
    assert_eq!(project.trace("a.py", &[A, B]), [(Some(0), 2), (Some(1), 1)]);
}

#[test]
fn uncommitted_and_bulk_changes_only_move_lines() {
    let mut project = Project::new();
    project.commit("First", &[("a.py", TWO)]);
    project.commit("Change b", &[("a.py", &TWO.replace("b():\n    return 1", "b():\n    return 2"))]);
    let mut bulk: Vec<(String, String)> = (0..40).map(|number| (format!("f{number}.py"), "x\n".to_owned())).collect();
    bulk.push(("a.py".to_owned(), format!("# header\n{}", TWO.replace("b():\n    return 1", "b():\n    return 2"))));
    project.commit("Bulk", &bulk.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect::<Vec<_>>());
    project.write("a.py", "# more\n# header\ndef a():\n    return 1\n\ndef b():\n    return 2\n");
    assert_eq!(project.trace("a.py", &[(3, 4), (6, 7)]), [(Some(1), 1), (Some(0), 2)]);
}

#[test]
fn days_are_those_of_the_calendar() {
    assert_eq!([0, -1, 951_782_400, 1_700_000_000].map(day), ["1970-01-01", "1969-12-31", "2000-02-29", "2023-11-14"]);
}

#[test]
fn the_last_commit_of_lines_is_found_far_back() {
    let mut project = Project::new();
    let first = project.commit("First", &[("a.py", TWO)]);
    let ids: Vec<CommitId> = (2..60)
        .map(|number| project.commit("Other", &[("a.py", &TWO.replacen("return 1", &format!("return {number}"), 1))]))
        .collect();
    let text = fs::read_to_string(project.root().join("a.py")).unwrap();
    let commits: Vec<CommitId> = ids.iter().rev().copied().chain([first]).collect();
    let last = |lines, limit| {
        let file = TracedFile { path: "a.py", text: &text, lines: vec![lines], commits: commits.clone() };
        last_commit(project.root(), &file, limit).unwrap()
    };
    assert_eq!((last(A, 200), last(B, 200), last(B, 10)), (ids.last().copied(), Some(first), None));
}
