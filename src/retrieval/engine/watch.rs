//! A watcher of the repository's files, by which long-lived clients update the index when files change.
//!
//! Each folder with indexed files is watched by itself: a recursive watch would count every file of `target/` and
//! `node_modules/` against the system's limit.

mod marker;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use notify::event::{EventKind, ModifyKind};
use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher};
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::timeout;

use self::marker::Markers;
use super::{Engine, EngineError};
use crate::lang::installed::is_vendored;
use crate::lang::is_hidden;
use crate::scan::repository::{branch, git_folder};

/// Changes come in bursts, from a save to a switched branch; a burst ends after this time without an event.
const DEBOUNCE: Duration = Duration::from_millis(250);
/// A longer burst is reported in parts.
const MAX_BURST: Duration = Duration::from_secs(3);

/// Limit of the new folders without indexed files that are watched.
const MAX_NEW_FOLDERS: usize = 256;

/// The folder in a repository with its settings and concepts.
const SETTINGS_FOLDER: &str = ".knowing";
/// Names of the files with rules for files that are not indexed.
const IGNORE_FILES: [&str; 2] = [".gitignore", ".ignore"];

/// An event of the system's watcher, or its failure.
pub type WatchEvent = notify::Result<Event>;

/// The folders to watch: those with indexed files.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WatchTargets {
    /// The roots of the repositories.
    pub roots: Vec<PathBuf>,
    /// To be watched without their subfolders.
    pub folders: Vec<PathBuf>,
    /// The database, or the folder that has it alone. Its changes are ignored.
    pub database: PathBuf,
}

/// A burst of changes to the repository.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FileChanges {
    /// Paths relative to the root; folders may be among them.
    pub files: Vec<String>,
    /// The branch or commit that was checked out, if it changed.
    pub branch: Option<String>,
}

impl Engine {
    /// Returns the folders to watch for changes of indexed files.
    ///
    /// # Errors
    /// When there is no complete index or it can't be read.
    pub fn watch_targets(&self) -> Result<WatchTargets, EngineError> {
        let root = self.root().to_owned();
        let mut folders = BTreeSet::from([root.clone()]);
        let reader = self.reader()?;
        let documents = reader.documents()?.into_iter().map(|document| document.path);
        for path in reader.files()?.into_iter().map(|file| file.path).chain(documents) {
            folders.extend(Path::new(&path).ancestors().skip(1).map(|folder| root.join(folder)));
        }
        let folders = folders.into_iter().map(|folder| folder.components().collect()).collect();
        // The data folder may be in the repository.
        let own_folder = self.data.as_ref().and_then(|_| self.database().parent());
        Ok(WatchTargets { roots: vec![root], folders, database: own_folder.unwrap_or(self.database()).to_owned() })
    }

    /// Returns the branch that is checked out, or the abbreviated commit of a detached HEAD; `None` without git.
    pub fn branch(&self) -> Option<String> {
        branch(self.root())
    }
}

/// A watcher of one repository. The events go to a function, which may be called from any thread.
pub struct FileWatcher {
    watcher: RecommendedWatcher,
    markers: Markers,
    targets: WatchTargets,
    folders: BTreeSet<PathBuf>,
    /// Folders that were created since and have no indexed file yet.
    new_folders: BTreeSet<PathBuf>,
    /// The branch or commit that is checked out in each root.
    heads: Vec<Option<String>>,
    /// Whether a failure was reported; only the first is.
    has_failed: bool,
}

impl FileWatcher {
    /// Creates a watcher of nothing. Events that change no contents are not forwarded.
    ///
    /// # Errors
    /// When the system can't watch files.
    pub fn new(forward: impl Fn(WatchEvent) + Send + 'static) -> notify::Result<FileWatcher> {
        let markers = Markers::default();
        let reported = markers.clone();
        let watcher = notify::recommended_watcher(move |event: WatchEvent| {
            if !event.as_ref().is_ok_and(|event| is_access(event.kind) || reported.take(event)) {
                forward(event);
            }
        })?;
        let targets = WatchTargets::default();
        Ok(FileWatcher {
            watcher,
            markers,
            targets,
            folders: BTreeSet::new(),
            new_folders: BTreeSet::new(),
            heads: Vec::new(),
            has_failed: false,
        })
    }

    /// Watches these folders and no others. Returns the first failure.
    pub fn watch(&mut self, targets: WatchTargets) -> Option<String> {
        // The watch of a folder that is gone does not see what comes back in its place.
        for gone in self.folders.iter().filter(|folder| !folder.is_dir()) {
            let _unwatched = self.watcher.unwatch(gone);
        }
        self.folders.retain(|folder| folder.is_dir());
        let mut folders: BTreeSet<PathBuf> = targets.folders.iter().cloned().collect();
        self.new_folders.retain(|folder| !folders.contains(folder) && folder.is_dir());
        folders.extend(self.new_folders.iter().cloned());
        folders.extend(targets.roots.iter().filter_map(|root| git_folder(root)));
        folders.extend(targets.roots.iter().map(|root| root.join(SETTINGS_FOLDER)).filter(|folder| folder.is_dir()));
        self.heads = targets.roots.iter().map(|root| branch(root)).collect();
        self.targets = targets;
        for removed in self.folders.difference(&folders) {
            // The watch of a deleted folder is already gone.
            let _unwatched = self.watcher.unwatch(removed);
        }
        let mut failure = None;
        let mut watched = BTreeSet::new();
        for folder in folders {
            let is_watched = self.folders.contains(&folder);
            match if is_watched { Ok(()) } else { self.watcher.watch(&folder, RecursiveMode::NonRecursive) } {
                Ok(()) => {
                    watched.insert(folder);
                }
                // It may be created right after.
                Err(error) if is_missing(&error) => {}
                Err(error) => failure = failure.or(Some(error.to_string())),
            }
        }
        self.folders = watched;
        let is_first = failure.is_some() && !self.has_failed;
        self.has_failed |= failure.is_some();
        failure.filter(|_| is_first)
    }

    /// Waits until every change of a watched folder before this call was forwarded. Returns whether that is known: the
    /// system reported a marker within `patience`.
    pub fn flush(&mut self, patience: Duration) -> bool {
        self.markers.wait(&mut self.watcher, patience)
    }

    /// Coalesces events until the debounce expires. Returns `None` if no indexed file or branch changed.
    pub async fn coalesce(
        &mut self,
        first: WatchEvent,
        events: &mut UnboundedReceiver<WatchEvent>,
    ) -> Option<FileChanges> {
        let started = Instant::now();
        let mut files = BTreeSet::new();
        let mut next = Some(first);
        while let Some(event) = next {
            files.extend(self.files(event));
            let is_over = started.elapsed() >= MAX_BURST;
            next = if is_over { None } else { timeout(DEBOUNCE, events.recv()).await.ok().flatten() };
        }
        let heads: Vec<Option<String>> = self.targets.roots.iter().map(|root| branch(root)).collect();
        let mut changed = heads.iter().zip(&self.heads).filter(|(now, before)| now != before);
        let branch = changed.find_map(|(now, _)| now.clone());
        self.heads = heads;
        (!files.is_empty() || branch.is_some()).then(|| FileChanges { files: files.into_iter().collect(), branch })
    }

    /// Returns the files of an event that may be indexed, relative to the root.
    fn files(&mut self, event: WatchEvent) -> Vec<String> {
        let Ok(event) = event else { return Vec::new() };
        let mut files = Vec::new();
        for path in &event.paths {
            if let Some(file) = indexable(&self.targets, path) {
                files.push(file);
                self.add_new(path);
            }
        }
        files
    }

    /// Watches a folder that was created, since its files may come later.
    fn add_new(&mut self, path: &Path) {
        let is_new = |folder: Option<&Path>| folder.is_some_and(|folder| self.new_folders.contains(folder));
        let parent = path.parent();
        // The files of builds are deep in new folders.
        let is_deep = is_new(parent) && is_new(parent.and_then(Path::parent));
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_folder = || path.symlink_metadata().is_ok_and(|metadata| metadata.is_dir());
        if self.new_folders.len() < MAX_NEW_FOLDERS
            && !is_deep
            && !self.folders.contains(path)
            && !is_vendored(&name)
            && is_folder()
            && self.watcher.watch(path, RecursiveMode::NonRecursive).is_ok()
        {
            self.folders.insert(path.to_owned());
            self.new_folders.insert(path.to_owned());
        }
    }
}

/// Returns whether a folder can't be watched because it does not exist.
fn is_missing(error: &notify::Error) -> bool {
    match &error.kind {
        notify::ErrorKind::PathNotFound => true,
        notify::ErrorKind::Io(cause) => cause.kind() == std::io::ErrorKind::NotFound,
        _ => false,
    }
}

/// Returns whether an event changes no contents. Such events are ignored: reading HEAD would retrigger the watcher.
fn is_access(kind: EventKind) -> bool {
    matches!(kind, EventKind::Access(_) | EventKind::Modify(ModifyKind::Metadata(_)))
}

/// Returns the path relative to the root, which is `.` for a root that is gone, or `None` for the database, temporary files of
/// editors, and hidden files that do not decide which others are indexed.
fn indexable(targets: &WatchTargets, path: &Path) -> Option<String> {
    let database = targets.database.to_string_lossy();
    if !database.is_empty() && path.to_string_lossy().starts_with(database.as_ref()) {
        return None;
    }
    let roots = targets.roots.iter().filter_map(|root| path.strip_prefix(root).ok());
    let relative = roots.min_by_key(|relative| relative.as_os_str().len())?;
    if relative.as_os_str().is_empty() {
        return (!path.exists()).then(|| ".".to_owned());
    }
    let is_hidden = relative.components().any(|part| is_hidden(&part.as_os_str().to_string_lossy()));
    let name = relative.file_name()?.to_string_lossy();
    let is_temporary = name.ends_with('~') || name.ends_with(".swp") || name == "4913";
    let is_deciding = IGNORE_FILES.contains(&&*name) || relative.starts_with(SETTINGS_FOLDER);
    ((!is_hidden || is_deciding) && !is_temporary).then(|| relative.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use tokio::sync::mpsc::unbounded_channel;

    use super::*;

    fn targets(root: &Path) -> WatchTargets {
        let database = root.join("graph.db");
        WatchTargets { roots: vec![root.to_owned()], folders: vec![root.to_owned(), root.join("src")], database }
    }

    #[test]
    fn hidden_and_temporary_files_are_ignored() {
        let mut targets = targets(Path::new("/r"));
        targets.database = "/r/graph.db".into();
        let indexable = |path: &str| indexable(&targets, Path::new(path));
        for path in ["src/a.py", ".knowing/settings.toml", "src/.gitignore"] {
            assert_eq!(indexable(&format!("/r/{path}")).as_deref(), Some(path));
        }
        for path in ["/r/graph.db-wal", "/r/.git/HEAD", "/r/.secret", "/r/src/.a.py.swp", "/r/a.py~", "/elsewhere/a.py"]
        {
            assert_eq!(indexable(path), None, "{path}");
        }
    }

    #[test]
    fn saved_file_and_switched_branch_are_reported() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        fs::create_dir_all(root.join("src")).unwrap();
        fs::create_dir_all(root.join(".git")).unwrap();
        fs::write(root.join(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
        let (sender, mut events) = unbounded_channel();
        let mut watcher = FileWatcher::new(move |event| sender.send(event).unwrap_or(())).unwrap();
        assert_eq!(watcher.watch(targets(&root)), None);
        fs::write(root.join("src/a.py"), "x = 1\n").unwrap();
        fs::write(root.join(".git/HEAD"), "ref: refs/heads/topic\n").unwrap();
        let first = events.blocking_recv().unwrap();
        let change = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .unwrap()
            .block_on(watcher.coalesce(first, &mut events))
            .unwrap();
        assert_eq!(change, FileChanges { files: vec!["src/a.py".into()], branch: Some("topic".into()) });
    }

    #[test]
    fn file_in_a_new_folder_is_reported() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        fs::create_dir_all(root.join("src")).unwrap();
        let (sender, mut events) = unbounded_channel();
        let mut watcher = FileWatcher::new(move |event| sender.send(event).unwrap_or(())).unwrap();
        assert_eq!(watcher.watch(targets(&root)), None);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        for (folder, file) in [("src/new", "src/new/a.py"), ("src/new/sub", "src/new/sub/a.py")] {
            fs::create_dir(root.join(folder)).unwrap();
            let first = events.blocking_recv().unwrap();
            let change = runtime.block_on(watcher.coalesce(first, &mut events)).unwrap();
            assert_eq!(change.files, [folder]);
            assert_eq!(watcher.watch(targets(&root)), None, "the index has no file of it yet");
            fs::write(root.join(file), "x = 1\n").unwrap();
            let first = events.blocking_recv().unwrap();
            let change = runtime.block_on(watcher.coalesce(first, &mut events)).unwrap();
            assert_eq!(change.files, [file]);
        }
    }

    #[test]
    fn reading_head_causes_no_event() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        fs::create_dir_all(root.join(".git")).unwrap();
        fs::write(root.join(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
        let (sender, mut events) = unbounded_channel();
        let mut watcher = FileWatcher::new(move |event| sender.send(event).unwrap_or(())).unwrap();
        assert_eq!(watcher.watch(WatchTargets { roots: vec![root.clone()], ..WatchTargets::default() }), None);
        assert_eq!(branch(&root).as_deref(), Some("main"));
        fs::write(root.join(".git/index"), "").unwrap();
        let first = events.blocking_recv().unwrap().unwrap();
        assert_eq!(first.paths, [root.join(".git/index")], "{first:?}");
    }

    #[test]
    fn flush_forwards_every_earlier_change() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        fs::create_dir_all(root.join("src")).unwrap();
        let (sender, mut events) = unbounded_channel();
        let mut watcher = FileWatcher::new(move |event| sender.send(event).unwrap_or(())).unwrap();
        assert_eq!(watcher.watch(targets(&root)), None);
        for round in 0..50 {
            let file = root.join(format!("src/a{round}.py"));
            fs::write(&file, "x = 1\n").unwrap();
            assert!(watcher.flush(Duration::from_secs(20)));
            let mut is_forwarded = false;
            while let Ok(event) = events.try_recv() {
                let paths = event.unwrap().paths;
                assert!(paths.iter().all(|path| path.starts_with(&root)), "{paths:?}");
                is_forwarded |= paths.contains(&file);
            }
            assert!(is_forwarded, "round {round}");
        }
    }

    #[test]
    fn a_root_that_is_gone_is_reported_and_watched_again_when_it_is_back() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap().join("root");
        let other = root.with_file_name("other");
        fs::create_dir_all(root.join("src")).unwrap();
        let (sender, mut events) = unbounded_channel();
        let mut watcher = FileWatcher::new(move |event| sender.send(event).unwrap_or(())).unwrap();
        assert_eq!(watcher.watch(targets(&root)), None);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        fs::rename(&root, &other).unwrap();
        let first = events.blocking_recv().unwrap();
        assert_eq!(runtime.block_on(watcher.coalesce(first, &mut events)).unwrap().files, ["."]);
        assert_eq!(watcher.watch(targets(&root)), None);
        assert!(watcher.folders.is_empty());
        fs::create_dir_all(root.join("src")).unwrap();
        assert_eq!(watcher.watch(targets(&root)), None);
        fs::write(root.join("src/a.py"), "x = 1\n").unwrap();
        let first = events.blocking_recv().unwrap();
        assert_eq!(runtime.block_on(watcher.coalesce(first, &mut events)).unwrap().files, ["src/a.py"]);
    }

    #[test]
    fn missing_folder_is_not_a_failure() {
        let (sender, _events) = unbounded_channel();
        let mut watcher = FileWatcher::new(move |event| sender.send(event).unwrap_or(())).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap().join("later");
        assert_eq!(watcher.watch(targets(&root)), None);
        assert!(watcher.folders.is_empty());
        fs::create_dir_all(root.join("src")).unwrap();
        assert_eq!(watcher.watch(targets(&root)), None);
        assert_eq!(watcher.folders.len(), 2, "it is watched once it exists");
    }
}
