//! A repository whose index is kept current, for any number of threads: the explorer, the server and `watch` have one for
//! each repository. One update runs at a time; everyone who waits for a first index learns how it ended.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::Builder;
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};

use super::{Engine, EngineError, FileWatcher, IndexError, PartialIndex, PartialIndexListener, Progress, StoreError};

/// Age of the last comparison with the files after which they are compared again, even if no change was reported:
/// folders without indexed files are not watched.
const MAX_UNCHECKED: Duration = Duration::from_secs(2);
/// Time to wait for the system's reports of changes before the request; after it the files are compared.
const REPORT_PATIENCE: Duration = Duration::from_millis(100);

/// Time after which who follows a run looks at it again; it is told of each step and of the end.
const FOLLOW_INTERVAL: Duration = Duration::from_secs(1);

/// The state of an index.
#[derive(Clone)]
pub enum LiveState {
    /// There is none, and none is being built.
    Missing,
    /// The first one is being built; these are the names that were found so far.
    Partial(Arc<PartialIndex>),
    /// It is as current as the last update left it.
    Ready(LiveUpdate),
    /// Another process updates it.
    Busy,
    /// It could not be updated, for this reason. There may be an earlier one.
    Failed(String),
}

/// The result of an update.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LiveUpdate {
    /// Parsed and removed files.
    pub changed_files: usize,
    /// Whether the index is another one than before.
    pub is_changed: bool,
    pub took: Duration,
}

/// One repository and the state of its index.
pub struct Live {
    /// Indexing may move the database, so the engine is behind a lock, which is held only to clone the engine.
    engine: Mutex<Engine>,
    /// The state that the last update left.
    last: Mutex<LiveState>,
    /// The run that builds the first index, while it is under way.
    first: Mutex<Option<Arc<FirstRun>>>,
    /// Held while the index is updated.
    updates: Mutex<Updates>,
    /// Whether a change of a file was reported since the last update began.
    reported: Arc<AtomicBool>,
}

#[derive(Default)]
struct Updates {
    /// The time at which the last comparison with the files began.
    checked: Option<Instant>,
    watcher: Option<FileWatcher>,
    /// Whether a folder could not be watched.
    is_unwatched: bool,
}

/// A run that builds the first index. Each that waits for it has its own reference, so all of them learn how it ended, and
/// no later one does.
#[derive(Default)]
pub struct FirstRun {
    partial: Arc<PartialIndex>,
    state: Mutex<FirstRunState>,
    changed: Condvar,
}

#[derive(Default)]
struct FirstRunState {
    progress: Option<Progress>,
    /// `None` while it is under way.
    ended: Option<LiveState>,
}

impl FirstRun {
    /// Waits for progress or for the end, at most for a time. Returns the last progress, and how the run ended.
    pub fn wait(&self, time: Duration) -> (Option<Progress>, Option<LiveState>) {
        let mut state = self.state.lock();
        if state.ended.is_some() {
            return (state.progress, state.ended.clone());
        }
        self.changed.wait_for(&mut state, time);
        (state.progress, state.ended.clone())
    }

    /// Waits for the end, and reports progress.
    fn follow(&self, progress: &(dyn Fn(Progress) + Sync)) -> LiveState {
        loop {
            let (step, ended) = self.wait(FOLLOW_INTERVAL);
            step.into_iter().for_each(progress);
            if let Some(ended) = ended {
                return ended;
            }
        }
    }

    fn report(&self, step: Progress) {
        self.state.lock().progress = Some(step);
        self.changed.notify_all();
    }

    fn end(&self, ended: LiveState) {
        self.state.lock().ended = Some(ended);
        self.changed.notify_all();
    }
}

impl Live {
    /// Wraps a repository without reading it.
    pub fn new(engine: Engine) -> Live {
        Live {
            engine: Mutex::new(engine),
            last: Mutex::new(LiveState::Missing),
            first: Mutex::default(),
            updates: Mutex::default(),
            reported: Arc::default(),
        }
    }

    /// Returns the engine of the repository.
    pub fn engine(&self) -> Engine {
        self.engine.lock().clone()
    }

    /// Returns the engine, if the repository is still there. Nothing may be written for one that is not: the folder
    /// would be made again.
    ///
    /// # Errors
    /// When the repository was deleted or renamed, or can't be read.
    pub fn present(&self) -> Result<Engine, EngineError> {
        let engine = self.engine();
        let problem = match engine.root().metadata() {
            Ok(metadata) if metadata.is_dir() => return Ok(engine),
            Ok(_) => "it is not a folder any more".to_owned(),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => "it was deleted or renamed".to_owned(),
            Err(error) => error.to_string(),
        };
        Err(EngineError::Gone { root: engine.root().to_owned(), problem })
    }

    /// Returns the state of the index.
    pub fn state(&self) -> LiveState {
        match &*self.first.lock() {
            Some(run) => LiveState::Partial(Arc::clone(&run.partial)),
            None => self.last.lock().clone(),
        }
    }

    /// Updates the index, or builds the first one, whose names [`Live::state`] has meanwhile. Waits for the first one if another
    /// thread builds it.
    pub fn update(&self, progress: &(dyn Fn(Progress) + Sync)) -> LiveState {
        let engine = match self.present() {
            Ok(engine) => engine,
            Err(error) => return self.end(LiveState::Failed(error.to_string())),
        };
        if engine.reader().is_ok() {
            let mut updates = self.updates.lock();
            return self.run(&mut updates, engine, &progress);
        }
        let (run, is_own) = self.begin_first();
        if !is_own {
            return run.follow(progress);
        }
        let ended = EndOnDrop { live: self, run: &run };
        let report = |step: Progress| {
            run.report(step);
            progress(step);
        };
        let mut updates = self.updates.lock();
        let listener = PartialIndexListener { index: &run.partial, progress: &report };
        ended.end(self.run(&mut updates, engine, &listener))
    }

    /// Updates the index for a request made at a time, unless nothing changed.
    pub fn catch_up(&self, requested: Instant, progress: &(dyn Fn(Progress) + Sync)) -> LiveState {
        let mut updates = self.updates.lock();
        // Another request has updated it while this one waited.
        if updates.checked.is_some_and(|checked| checked >= requested) || self.is_unchanged(&mut updates) {
            return LiveState::Ready(LiveUpdate::default());
        }
        let engine = self.engine();
        let state = self.run(&mut updates, engine, &progress);
        match &state {
            LiveState::Ready(update) if update.is_changed || updates.watcher.is_none() => self.watch(&mut updates),
            LiveState::Ready(_) => {}
            _ => self.expect_changes(),
        }
        state
    }

    /// Makes the next request compare the index with the files, whether or not the system has reported a change.
    pub fn expect_changes(&self) {
        self.reported.store(true, Ordering::Release);
    }

    /// Returns the run that builds the first index, or starts one on a thread of its own, which collects no names: nobody looks
    /// for them who waits for a run.
    ///
    /// # Errors
    /// When no thread can be started.
    pub fn first_run(self: &Arc<Self>) -> std::io::Result<Arc<FirstRun>> {
        let (run, is_own) = self.begin_first();
        if !is_own {
            return Ok(run);
        }
        let (live, started) = (Arc::clone(self), Arc::clone(&run));
        let build = move || {
            let ended = EndOnDrop { live: &live, run: &started };
            let mut updates = live.updates.lock();
            let report = |step: Progress| started.report(step);
            let state = live.run(&mut updates, live.engine(), &report);
            if let LiveState::Ready(_) = &state {
                live.watch(&mut updates);
            }
            drop(updates);
            ended.end(state);
        };
        Builder::new()
            .name("knowing-index".to_owned())
            .spawn(build)
            .inspect_err(|_| drop(EndOnDrop { live: self, run: &run }))?;
        Ok(run)
    }

    /// Returns the run that builds the first index, and whether it is a new one, which the caller has to end.
    fn begin_first(&self) -> (Arc<FirstRun>, bool) {
        let mut first = self.first.lock();
        if let Some(run) = &*first {
            return (Arc::clone(run), false);
        }
        let run = Arc::clone(first.insert(Arc::default()));
        (run, true)
    }

    fn run(&self, updates: &mut Updates, mut engine: Engine, listener: &dyn super::Listener) -> LiveState {
        let started = Instant::now();
        let state = match engine.index(false, None, listener) {
            Ok(report) => {
                self.engine.lock().clone_from(&engine);
                updates.checked = Some(started);
                LiveState::Ready(LiveUpdate {
                    changed_files: report.parsed_files + report.removed_files,
                    is_changed: !report.is_unchanged,
                    took: started.elapsed(),
                })
            }
            Err(error) if is_busy(&error) => LiveState::Busy,
            Err(error) => LiveState::Failed(error.to_string()),
        };
        self.end(state)
    }

    fn end(&self, state: LiveState) -> LiveState {
        self.last.lock().clone_from(&state);
        state
    }

    /// Returns whether the system reports no change since the last comparison with the files, which is not long ago.
    fn is_unchanged(&self, updates: &mut Updates) -> bool {
        let is_recent = updates.checked.is_some_and(|checked| checked.elapsed() <= MAX_UNCHECKED);
        let is_reported = || self.reported.load(Ordering::Acquire);
        let is_unchanged = is_recent
            && !updates.is_unwatched
            && !is_reported()
            // An edit just before the request may not have been reported yet.
            && updates.watcher.as_mut().is_some_and(|watcher| watcher.flush(REPORT_PATIENCE))
            && !is_reported();
        if !is_unchanged {
            self.reported.store(false, Ordering::Release);
        }
        is_unchanged
    }

    fn watch(&self, updates: &mut Updates) {
        if updates.watcher.is_none() {
            let reported = Arc::clone(&self.reported);
            updates.watcher = FileWatcher::new(move |_| reported.store(true, Ordering::Release)).ok();
        }
        updates.is_unwatched |= match (&mut updates.watcher, self.engine().watch_targets()) {
            (Some(watcher), Ok(targets)) => watcher.watch(targets).is_some(),
            _ => true,
        };
    }
}

/// Ends the first run, also after a panic, which must not leave those waiting who wait for it.
struct EndOnDrop<'a> {
    live: &'a Live,
    run: &'a FirstRun,
}

impl EndOnDrop<'_> {
    fn end(&self, state: LiveState) -> LiveState {
        // Who comes now starts the next run.
        *self.live.first.lock() = None;
        self.run.end(state.clone());
        self.live.end(state)
    }
}

impl Drop for EndOnDrop<'_> {
    fn drop(&mut self) {
        if self.run.state.lock().ended.is_none() {
            self.end(LiveState::Failed("indexing failed by an internal error; `knowing index` shows it".to_owned()));
        }
    }
}

fn is_busy(error: &EngineError) -> bool {
    matches!(error, EngineError::Index(IndexError::Store(StoreError::Busy { .. })))
}
