//! One repository between requests: its index, kept current, and loaded rankers.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::Builder;
use std::time::{Duration, Instant};

use super::answer::ToolError;
use super::index_state::IndexState;
use super::job::Job;
use crate::engine::{
    Engine, EngineError, FileWatcher, IndexError, IndexReport, PartialIndex, PartialIndexListener, Progress, Ranker,
    Reader, StoreError,
};
use crate::exchange::Exchange;

/// Age of the last comparison with the files after which they are compared again, even if no change was reported:
/// folders without indexed files are not watched.
const MAX_UNCHECKED: Duration = Duration::from_secs(2);
/// Time to wait for the system's reports of changes before the request; after it the files are compared.
const REPORT_PATIENCE: Duration = Duration::from_millis(100);
/// Time that a request waits for the first index before it is answered from a partial one.
const FIRST_INDEX_PATIENCE: Duration = Duration::from_millis(1_500);
/// Pause between two looks at the first index.
const POLL_INTERVAL: Duration = Duration::from_millis(25);
/// Attempts to update an index that another process updates. Each takes 0.2 s.
const MAX_BUSY_ATTEMPTS: u32 = 5;
/// Limit of the rankers that are kept loaded.
const MAX_IDLE_RANKERS: usize = 2;

/// A repository that is served.
pub struct ServedRepository {
    /// Indexing may move the database, so the engine is behind a lock, which is held only to clone the engine.
    engine: Mutex<Engine>,
    consents: bool,
    idle: Mutex<Vec<Ranker>>,
    /// Held while the index is updated.
    updates: Mutex<Updates>,
    /// The first run of the indexer while it is under way.
    first: Mutex<Option<Arc<FirstRun>>>,
    /// Whether a change of a file was reported since the last update began.
    changed: Arc<AtomicBool>,
}

#[derive(Default)]
struct Updates {
    /// The time at which the last comparison with the files began.
    checked: Option<Instant>,
    watcher: Option<FileWatcher>,
    /// Whether a folder could not be watched.
    is_unwatched: bool,
}

/// A run of the indexer that makes the first index. Each request that waits for it has its own reference, so all of them
/// learn how it ended, and no later one does.
#[derive(Default)]
struct FirstRun {
    partial: Arc<PartialIndex>,
    state: Mutex<FirstRunState>,
    changed: Condvar,
}

#[derive(Default)]
struct FirstRunState {
    progress: Option<Progress>,
    /// `None` while it is under way.
    ended: Option<Result<IndexState, String>>,
}

impl FirstRun {
    fn report(&self, step: Progress) {
        lock(&self.state).progress = Some(step);
        self.changed.notify_all();
    }

    fn end(&self, ended: Result<IndexState, String>) {
        lock(&self.state).ended = Some(ended);
        self.changed.notify_all();
    }
}

/// The index for one request.
pub enum Ready {
    Complete(Box<Ranker>, IndexState),
    /// Names that the first run has found so far.
    Partial(Arc<PartialIndex>, IndexState),
    Cancelled,
}

impl ServedRepository {
    /// Creates a served repository without reading it.
    pub fn new(engine: Engine, consents: bool) -> Arc<ServedRepository> {
        Arc::new(ServedRepository {
            engine: Mutex::new(engine),
            consents,
            idle: Mutex::default(),
            updates: Mutex::default(),
            first: Mutex::default(),
            changed: Arc::default(),
        })
    }

    /// Returns the engine.
    pub fn engine(&self) -> Engine {
        lock(&self.engine).clone()
    }

    /// Returns the engine, if the repository is still there. Nothing may be written for one that is not: the folder
    /// would be made again.
    ///
    /// # Errors
    /// When the repository was deleted or renamed, or can't be read.
    pub fn present(&self) -> Result<Engine, ToolError> {
        let engine = self.engine();
        let problem = match engine.root().metadata() {
            Ok(metadata) if metadata.is_dir() => return Ok(engine),
            Ok(_) => "it is no folder any more".to_owned(),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => "it was deleted or renamed".to_owned(),
            Err(error) => error.to_string(),
        };
        let root = engine.root().display();
        Err(ToolError::new(format!(
            "the repository {root} can't be read: {problem}. Start the server again in the repository's folder \
             (`knowing mcp --repo DIR`)"
        )))
    }

    /// Returns the exchange beside the database.
    pub fn exchange(&self) -> Exchange {
        Exchange::for_engine(&self.engine())
    }

    /// Returns the index for a request: current, or partial while the first one is being built.
    ///
    /// # Errors
    /// When the repository is gone, or there is no index and none can be built; the error has the next step.
    pub fn ready(self: &Arc<Self>, job: &Job) -> Result<Ready, ToolError> {
        let engine = self.present()?;
        let idle = lock(&self.idle).pop();
        if idle.is_none() && engine.reader().is_err() {
            return self.first_ready(&engine, job);
        }
        let state = self.update(engine, job);
        if job.is_cancelled() {
            lock(&self.idle).extend(idle);
            return Ok(Ready::Cancelled);
        }
        match self.ranker(idle) {
            Ok(ranker) => Ok(Ready::Complete(Box::new(ranker), state)),
            // The index was deleted or damaged since.
            Err(_) => self.first_ready(&self.engine(), job),
        }
    }

    /// Makes the next request compare the index with the files, whether or not the system has reported a change.
    pub fn expect_changes(&self) {
        self.changed.store(true, Ordering::Release);
    }

    /// Keeps a ranker loaded for the next request.
    pub fn put_back(&self, ranker: Ranker) {
        let mut idle = lock(&self.idle);
        if idle.len() < MAX_IDLE_RANKERS {
            idle.push(ranker);
        }
    }

    /// Calls a function with the index as the last request has read it.
    ///
    /// # Errors
    /// Those of the function, or when there is no index.
    pub fn with_reader<T>(
        &self,
        read: impl FnOnce(&Engine, &Reader) -> Result<T, EngineError>,
    ) -> Result<T, EngineError> {
        let engine = self.engine();
        let idle = lock(&self.idle).pop();
        match idle {
            Some(ranker) => {
                let result = read(&engine, ranker.reader());
                self.put_back(ranker);
                result
            }
            None => read(&engine, &engine.reader()?),
        }
    }

    fn ranker(&self, idle: Option<Ranker>) -> Result<Ranker, EngineError> {
        let engine = self.engine();
        if let Some(mut ranker) = idle.filter(|ranker| ranker.reader().path() == engine.database())
            && ranker.refresh().is_ok()
        {
            return Ok(ranker);
        }
        engine.ranker()
    }

    /// Updates the index unless nothing changed, one request at a time.
    fn update(&self, mut engine: Engine, job: &Job) -> IndexState {
        let mut updates = lock(&self.updates);
        // Another request has updated it while this one waited.
        if updates.checked.is_some_and(|checked| checked >= job.requested) {
            return IndexState::current();
        }
        if self.is_unchanged(&mut updates) {
            return IndexState::current();
        }
        let started = Instant::now();
        match run(&mut engine, job) {
            Ok(report) => {
                if !report.is_unchanged || updates.watcher.is_none() {
                    self.watch(&engine, &mut updates);
                }
                lock(&self.engine).clone_from(&engine);
                updates.checked = Some(started);
                match report.parsed_files + report.removed_files {
                    0 => IndexState::current(),
                    changed => IndexState::refreshed(changed, started.elapsed()),
                }
            }
            Err(error) => {
                self.changed.store(true, Ordering::Release);
                IndexState::stale(&reason(&error))
            }
        }
    }

    /// Returns whether the system reports no change since the last comparison with the files, which is not long ago.
    fn is_unchanged(&self, updates: &mut Updates) -> bool {
        let is_recent = updates.checked.is_some_and(|checked| checked.elapsed() <= MAX_UNCHECKED);
        let is_reported = || self.changed.load(Ordering::Acquire);
        let is_unchanged = is_recent
            && !updates.is_unwatched
            && !is_reported()
            // An edit just before the request may not have been reported yet.
            && updates.watcher.as_mut().is_some_and(|watcher| watcher.flush(REPORT_PATIENCE))
            && !is_reported();
        if !is_unchanged {
            self.changed.store(false, Ordering::Release);
        }
        is_unchanged
    }

    fn watch(&self, engine: &Engine, updates: &mut Updates) {
        if updates.watcher.is_none() {
            let changed = Arc::clone(&self.changed);
            updates.watcher = FileWatcher::new(move |_| changed.store(true, Ordering::Release)).ok();
        }
        updates.is_unwatched |= match (&mut updates.watcher, engine.watch_targets()) {
            (Some(watcher), Ok(targets)) => watcher.watch(targets).is_some(),
            _ => true,
        };
    }

    /// Waits for the first index, or for the names of a partial one.
    fn first_ready(self: &Arc<Self>, engine: &Engine, job: &Job) -> Result<Ready, ToolError> {
        if let Some(concern) = engine.concern().filter(|_| !self.consents) {
            let root = engine.root().display();
            return Err(ToolError::new(format!(
                "{root} {concern}, so it was not indexed. Start the server in a project (`knowing mcp --repo DIR`), or \
                 add --yes to index this folder"
            )));
        }
        let run = self.first_run()?;
        let mut state = lock(&run.state);
        let ended = loop {
            if job.is_cancelled() {
                return Ok(Ready::Cancelled);
            }
            state.progress.into_iter().for_each(|step| job.report(step));
            if let Some(ended) = &state.ended {
                break ended.clone();
            }
            let parsed = run.partial.parsed_files();
            if parsed > 0 && job.requested.elapsed() >= FIRST_INDEX_PATIENCE {
                drop(state);
                return Ok(Ready::Partial(Arc::clone(&run.partial), IndexState::partial(parsed)));
            }
            state = run.changed.wait_timeout(state, POLL_INTERVAL).unwrap_or_else(PoisonError::into_inner).0;
        };
        drop(state);
        let ranker = self.ranker(None);
        match (ended, ranker) {
            (Ok(state), Ok(ranker)) => Ok(Ready::Complete(Box::new(ranker), state)),
            (Ok(_), Err(error)) => Err(ToolError::new(error.to_string())),
            (Err(error), _) => Err(ToolError::new(error)),
        }
    }

    /// Returns the first run of the indexer that is under way, or starts one.
    fn first_run(self: &Arc<Self>) -> Result<Arc<FirstRun>, ToolError> {
        let run = Arc::new(FirstRun::default());
        {
            let mut first = lock(&self.first);
            if let Some(run) = &*first {
                return Ok(Arc::clone(run));
            }
            *first = Some(Arc::clone(&run));
        }
        let work = EndOnDrop { repository: Arc::clone(self), run: Arc::clone(&run) };
        let build = move || {
            let ended = work.repository.build_first(&work.run);
            work.end(ended);
        };
        let started = Builder::new().name("knowing-index".to_owned()).spawn(build);
        started.map_err(|error| ToolError::new(format!("can't start a thread: {error}")))?;
        Ok(run)
    }

    fn build_first(&self, run: &FirstRun) -> Result<IndexState, String> {
        let started = Instant::now();
        let mut updates = lock(&self.updates);
        let mut engine = self.engine();
        let progress = |step: Progress| run.report(step);
        let listener = PartialIndexListener { index: &run.partial, progress: &progress };
        let mut attempts = 0;
        let report = loop {
            match engine.index(false, None, &listener) {
                Ok(report) => break report,
                Err(error) if is_busy(&error) && attempts < MAX_BUSY_ATTEMPTS => attempts += 1,
                Err(error) if is_busy(&error) => {
                    return Err("another process is building the first index of this repository; ask again in a few \
                                seconds"
                        .to_owned());
                }
                Err(error) => return Err(format!("the repository can't be indexed: {error}")),
            }
        };
        lock(&self.engine).clone_from(&engine);
        self.watch(&engine, &mut updates);
        updates.checked = Some(started);
        Ok(IndexState::built(report.parsed_files, started.elapsed()))
    }
}

/// Ends the first run, also after a panic, which must not leave the requests waiting.
struct EndOnDrop {
    repository: Arc<ServedRepository>,
    run: Arc<FirstRun>,
}

impl EndOnDrop {
    fn end(&self, ended: Result<IndexState, String>) {
        // A request that comes now starts the next run.
        *lock(&self.repository.first) = None;
        self.run.end(ended);
    }
}

impl Drop for EndOnDrop {
    fn drop(&mut self) {
        if lock(&self.run.state).ended.is_none() {
            self.end(Err("indexing failed by an internal error; `knowing index` shows it".to_owned()));
        }
    }
}

/// Updates the index, and waits a while for another process that does.
fn run(engine: &mut Engine, job: &Job) -> Result<IndexReport, EngineError> {
    let mut attempts = 1;
    loop {
        match engine.index(false, None, &|step| job.report(step)) {
            Err(error) if is_busy(&error) && attempts < MAX_BUSY_ATTEMPTS && !job.is_cancelled() => attempts += 1,
            result => return result,
        }
    }
}

fn is_busy(error: &EngineError) -> bool {
    matches!(error, EngineError::Index(IndexError::Store(StoreError::Busy { .. })))
}

fn reason(error: &EngineError) -> String {
    if is_busy(error) { "another process is updating it".to_owned() } else { error.to_string() }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
