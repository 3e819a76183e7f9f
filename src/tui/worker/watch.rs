//! The thread that watches the repository's files, so that the index follows them while the explorer is open.
//!
//! Only folders with indexed files are watched, each for itself: a watch on the whole tree would count every file of
//! `target/` and `node_modules/` against the system's limit.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, select, unbounded};
use notify::event::{EventKind, ModifyKind};
use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher};

use crate::tui::action::{FileChanges, Report};
use crate::tui::workspace::{Watched, Workspace};

/// Changes come in bursts, from a save to a switched branch; this much quiet ends one.
const QUIET: Duration = Duration::from_millis(250);
/// A burst that never ends is reported now and then.
const LONGEST_BURST: Duration = Duration::from_secs(3);

type Seen = notify::Result<Event>;

/// Watches until nobody refreshes any more. Each message of `refresh` means that the index may have other folders now.
pub fn run(workspace: &dyn Workspace, refresh: &Receiver<()>, report: &dyn Fn(Report)) {
    let (sender, seen) = unbounded();
    let mut watch = match Watch::new(sender) {
        Ok(watch) => watch,
        Err(error) => return report(Report::Unwatched(error)),
    };
    loop {
        select! {
            recv(refresh) -> asked => match asked {
                // While there is no index there is nothing to follow.
                Ok(()) => if let Ok(watched) = workspace.watched() && let Some(error) = watch.follow(watched) {
                    report(Report::Unwatched(error));
                },
                Err(_) => return,
            },
            recv(seen) -> event => match event {
                Ok(event) => if let Some(change) = watch.burst(event, &seen) {
                    report(Report::Changed(change));
                },
                Err(_) => return,
            },
        }
    }
}

struct Watch {
    watcher: RecommendedWatcher,
    watched: Watched,
    folders: BTreeSet<PathBuf>,
    branch: Option<String>,
    /// True once a failure was told; more of the same would only annoy.
    has_failed: bool,
}

impl Watch {
    fn new(sender: Sender<Seen>) -> Result<Watch, String> {
        let hand_on = move |seen: Seen| {
            if seen.as_ref().is_ok_and(|event| is_idle(event.kind)) {
                return;
            }
            // Nobody receives once the explorer ends.
            let _ended = sender.send(seen);
        };
        let watcher = notify::recommended_watcher(hand_on).map_err(|error| error.to_string())?;
        let watched = Watched::default();
        Ok(Watch { watcher, watched, folders: BTreeSet::new(), branch: None, has_failed: false })
    }

    /// Watches these folders and no others; the first failure is told.
    fn follow(&mut self, watched: Watched) -> Option<String> {
        let mut wanted: BTreeSet<PathBuf> = watched.folders.iter().cloned().collect();
        wanted.extend(git_folder(&watched.root));
        self.branch = branch(&watched.root);
        self.watched = watched;
        for gone in self.folders.difference(&wanted) {
            // A folder that is deleted takes its watch with it.
            let _already_gone = self.watcher.unwatch(gone);
        }
        let mut failure = None;
        let mut kept = BTreeSet::new();
        for folder in wanted {
            let known = self.folders.contains(&folder);
            match if known { Ok(()) } else { self.watcher.watch(&folder, RecursiveMode::NonRecursive) } {
                Ok(()) => {
                    kept.insert(folder);
                }
                Err(error) if folder.exists() => failure = failure.or(Some(error.to_string())),
                Err(_) => {}
            }
        }
        self.folders = kept;
        let is_news = failure.is_some() && !self.has_failed;
        self.has_failed |= failure.is_some();
        failure.filter(|_| is_news)
    }

    /// What changed from this event until things are quiet; nothing when it was nobody's business.
    fn burst(&mut self, first: Seen, seen: &Receiver<Seen>) -> Option<FileChanges> {
        let started = Instant::now();
        let mut files = BTreeSet::new();
        let mut next = Some(first);
        while let Some(event) = next {
            files.extend(self.files(event));
            next = match seen.recv_timeout(QUIET) {
                Ok(event) if started.elapsed() < LONGEST_BURST => Some(event),
                Ok(_) | Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => None,
            };
        }
        let now = branch(&self.watched.root);
        let switched = now.clone().filter(|_| now != self.branch);
        self.branch = now;
        (!files.is_empty() || switched.is_some())
            .then(|| FileChanges { files: files.into_iter().collect(), branch: switched })
    }

    /// The files of an event that the index may care about, relative to the root.
    fn files(&self, event: Seen) -> Vec<String> {
        let Ok(event) = event else { return Vec::new() };
        event.paths.iter().filter_map(|path| relevant(&self.watched, path)).collect()
    }
}

/// True when nothing that the index holds can have changed. Such events stop at the door: after each burst we read what
/// is checked out, and that reading, heard as news, would wake us for ever.
fn is_idle(kind: EventKind) -> bool {
    matches!(kind, EventKind::Access(_) | EventKind::Modify(ModifyKind::Metadata(_)))
}

/// The path below the root, unless it is hidden or the database's own.
fn relevant(watched: &Watched, path: &Path) -> Option<String> {
    let database = watched.database.to_string_lossy();
    if !database.is_empty() && path.to_string_lossy().starts_with(database.as_ref()) {
        return None;
    }
    let inside = path.strip_prefix(&watched.root).ok()?;
    let is_hidden = inside.components().any(|part| part.as_os_str().to_string_lossy().starts_with('.'));
    let name = inside.file_name()?.to_string_lossy();
    // Editors leave these beside the file for a moment.
    let is_passing = name.ends_with('~') || name.ends_with(".swp") || name == "4913";
    (!is_hidden && !is_passing).then(|| inside.to_string_lossy().into_owned())
}

/// Where git keeps what is checked out; a worktree's `.git` is a file that names it.
fn git_folder(root: &Path) -> Option<PathBuf> {
    let git = root.join(".git");
    if git.is_dir() {
        return Some(git);
    }
    let named = fs::read_to_string(git).ok()?;
    Some(root.join(named.strip_prefix("gitdir:")?.trim()))
}

/// The branch that is checked out, or the commit.
fn branch(root: &Path) -> Option<String> {
    let head = fs::read_to_string(git_folder(root)?.join("HEAD")).ok()?;
    let head = head.trim();
    Some(head.strip_prefix("ref: refs/heads/").unwrap_or(head.get(..12).unwrap_or(head)).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn watched(root: &Path) -> Watched {
        let database = root.join(".knowing/graph.db");
        Watched { root: root.to_owned(), folders: vec![root.to_owned(), root.join("src")], database }
    }

    #[test]
    fn only_what_the_index_may_hold_is_relevant() {
        let mut watched = watched(Path::new("/r"));
        watched.database = "/r/graph.db".into();
        let of = |path: &str| relevant(&watched, Path::new(path));
        assert_eq!(of("/r/src/a.py").as_deref(), Some("src/a.py"));
        for path in
            ["/r/graph.db-wal", "/r/.git/HEAD", "/r/.knowing", "/r/src/.a.py.swp", "/r/a.py~", "/elsewhere/a.py"]
        {
            assert_eq!(of(path), None, "{path}");
        }
    }

    #[test]
    fn a_saved_file_and_a_switched_branch_are_seen() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        fs::create_dir_all(root.join("src")).unwrap();
        fs::create_dir_all(root.join(".git")).unwrap();
        fs::write(root.join(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
        let (sender, seen) = unbounded();
        let mut watch = Watch::new(sender).unwrap();
        assert_eq!(watch.follow(watched(&root)), None);
        fs::write(root.join("src/a.py"), "x = 1\n").unwrap();
        fs::write(root.join(".git/HEAD"), "ref: refs/heads/topic\n").unwrap();
        let first = seen.recv().unwrap();
        let change = watch.burst(first, &seen).unwrap();
        assert_eq!(change, FileChanges { files: vec!["src/a.py".into()], branch: Some("topic".into()) });
    }

    #[test]
    fn to_read_a_file_is_no_news() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        fs::create_dir_all(root.join(".git")).unwrap();
        fs::write(root.join(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
        let (sender, seen) = unbounded();
        let mut watch = Watch::new(sender).unwrap();
        assert_eq!(watch.follow(Watched { root: root.clone(), ..Watched::default() }), None);
        assert_eq!(branch(&root).as_deref(), Some("main"));
        fs::write(root.join(".git/index"), "").unwrap();
        let first = seen.recv().unwrap().unwrap();
        assert_eq!(first.paths, [root.join(".git/index")], "{first:?}");
    }

    #[test]
    fn a_folder_that_is_not_there_is_no_failure() {
        let (sender, _seen) = unbounded();
        let mut watch = Watch::new(sender).unwrap();
        assert_eq!(watch.follow(watched(Path::new("/no/such/root"))), None);
        assert!(watch.folders.is_empty());
    }
}
