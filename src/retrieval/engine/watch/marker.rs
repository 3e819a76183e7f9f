//! Markers: files that a watcher creates in a folder of its own and whose events it waits for.
//!
//! The system reports the events of one watcher in the order of the changes (inotify(7): "the events read from an inotify
//! file descriptor form an ordered queue"). So once a marker is reported, all earlier changes are.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher};
use parking_lot::{Condvar, Mutex, MutexGuard};
use tempfile::NamedTempFile;

use crate::temporary::TemporaryFolder;

/// The markers of one watcher. Clones share their state.
#[derive(Clone, Default)]
pub struct Markers(Arc<Shared>);

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    reported: Condvar,
}

#[derive(Default)]
struct State {
    /// Created with the first marker.
    folder: Option<TemporaryFolder>,
    reported: Option<OsString>,
}

impl Markers {
    /// Returns whether an event is of markers, and records the one it reports.
    pub fn take(&self, event: &Event) -> bool {
        let mut state = self.state();
        let Some(folder) = state.folder.as_ref().map(TemporaryFolder::path) else { return false };
        if event.paths.is_empty() || !event.paths.iter().all(|path| path.starts_with(folder)) {
            return false;
        }
        if event.kind.is_create() {
            state.reported = event.paths.first().and_then(|path| path.file_name()).map(Into::into);
            self.0.reported.notify_all();
        }
        true
    }

    /// Creates a marker and waits until it is reported. Returns whether it was within `patience`.
    pub fn wait(&self, watcher: &mut RecommendedWatcher, patience: Duration) -> bool {
        let Some(folder) = self.folder(watcher) else { return false };
        // Dropped and so removed at the end.
        let Ok(marker) = NamedTempFile::new_in(folder) else { return false };
        let is_awaited = |state: &mut State| state.reported.as_deref() != marker.path().file_name();
        !self.0.reported.wait_while_for(&mut self.state(), is_awaited, patience).timed_out()
    }

    /// Returns the folder of the markers, watched; `None` if it can't be created or watched.
    fn folder(&self, watcher: &mut RecommendedWatcher) -> Option<PathBuf> {
        if let Some(folder) = &self.state().folder {
            return Some(folder.path().to_owned());
        }
        let folder = TemporaryFolder::new("watch").ok()?;
        let path = folder.path().to_owned();
        // The watcher answers after it has called `take` for pending events, so the state must not be locked here.
        watcher.watch(&path, RecursiveMode::NonRecursive).ok()?;
        self.state().folder = Some(folder);
        Some(path)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock()
    }
}
