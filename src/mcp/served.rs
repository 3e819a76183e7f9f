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
    first: Mutex<FirstIndex>,
    first_changed: Condvar,
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

/// The first run of the indexer.
#[derive(Default)]
struct FirstIndex {
    is_running: bool,
    partial: Option<Arc<PartialIndex>>,
    progress: Option<Progress>,
    /// The end of the run, until a request reports it.
    ended: Option<Result<IndexState, String>>,
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
            first_changed: Condvar::new(),
            changed: Arc::default(),
        })
    }

    /// Returns the engine.
    pub fn engine(&self) -> Engine {
        lock(&self.engine).clone()
    }

    /// Returns the exchange beside the database.
    pub fn exchange(&self) -> Exchange {
        Exchange::for_engine(&self.engine())
    }

    /// Returns the index for a request: current, or partial while the first one is being built.
    ///
    /// # Errors
    /// When there is no index and none can be built; the error has the next step.
    pub fn ready(self: &Arc<Self>, job: &Job) -> Result<Ready, ToolError> {
        let engine = self.engine();
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
        self.start_first()?;
        let mut first = lock(&self.first);
        loop {
            if job.is_cancelled() {
                return Ok(Ready::Cancelled);
            }
            first.progress.into_iter().for_each(|step| job.report(step));
            if !first.is_running {
                break;
            }
            let partial = first.partial.clone().filter(|partial| partial.parsed_files() > 0);
            if let (Some(partial), true) = (partial, job.requested.elapsed() >= FIRST_INDEX_PATIENCE) {
                let state = IndexState::partial(partial.parsed_files());
                return Ok(Ready::Partial(partial, state));
            }
            first = self.first_changed.wait_timeout(first, POLL_INTERVAL).unwrap_or_else(PoisonError::into_inner).0;
        }
        match first.ended.take() {
            Some(Err(error)) => Err(ToolError::new(error)),
            ended => {
                drop(first);
                let state = ended.and_then(Result::ok).unwrap_or_else(IndexState::current);
                let ranker = self.ranker(None).map_err(|error| ToolError::new(error.to_string()))?;
                Ok(Ready::Complete(Box::new(ranker), state))
            }
        }
    }

    /// Starts the first run of the indexer, unless it is running.
    fn start_first(self: &Arc<Self>) -> Result<(), ToolError> {
        let mut first = lock(&self.first);
        if first.is_running || first.ended.is_some() {
            return Ok(());
        }
        let partial = Arc::new(PartialIndex::default());
        *first = FirstIndex { is_running: true, partial: Some(partial.clone()), progress: None, ended: None };
        let repository = Arc::clone(self);
        let run = move || {
            // A panic must not leave the requests waiting.
            let end = EndOnDrop(&repository);
            let ended = repository.build_first(&partial);
            end.finish(ended);
        };
        match Builder::new().name("knowing-index".to_owned()).spawn(run) {
            Ok(_) => Ok(()),
            Err(error) => {
                first.is_running = false;
                Err(ToolError::new(format!("can't start a thread: {error}")))
            }
        }
    }

    fn build_first(&self, partial: &PartialIndex) -> Result<IndexState, String> {
        let started = Instant::now();
        let mut updates = lock(&self.updates);
        let mut engine = self.engine();
        let progress = |step: Progress| {
            lock(&self.first).progress = Some(step);
            self.first_changed.notify_all();
        };
        let listener = PartialIndexListener { index: partial, progress: &progress };
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

    fn end_first(&self, ended: Result<IndexState, String>) {
        let mut first = lock(&self.first);
        *first = FirstIndex { ended: Some(ended), ..FirstIndex::default() };
        self.first_changed.notify_all();
    }
}

/// Ends the first run when it is dropped by a panic.
struct EndOnDrop<'a>(&'a ServedRepository);

impl EndOnDrop<'_> {
    fn finish(self, ended: Result<IndexState, String>) {
        self.0.end_first(ended);
        std::mem::forget(self);
    }
}

impl Drop for EndOnDrop<'_> {
    fn drop(&mut self) {
        self.0.end_first(Err("indexing failed by an internal error; `knowing index` shows it".to_owned()));
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
