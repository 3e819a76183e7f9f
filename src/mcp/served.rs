//! One repository between requests: its index, kept current, and loaded rankers.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;

use super::answer::ToolError;
use super::edits::Edits;
use super::index_state::IndexState;
use super::job::Job;
use crate::engine::{Engine, EngineError, FirstLook, Live, LiveState, Ranker, Reader, Survey};
use crate::exchange::Exchange;
use crate::model::Request;

/// Time that a request waits for the first index of a small repository before it is answered from a first look.
const FIRST_INDEX_PATIENCE: Duration = Duration::from_millis(1_500);
/// Pause between two looks at the first index.
const POLL_INTERVAL: Duration = Duration::from_millis(25);
/// Limit of the rankers that are kept loaded.
const MAX_IDLE_RANKERS: usize = 2;

/// A repository that is served.
pub struct ServedRepository {
    live: Arc<Live>,
    consents: bool,
    idle: Mutex<Vec<Ranker>>,
    edits: Edits,
}

/// The index for one request.
pub enum Ready {
    Loaded(Box<Ranker>, IndexState),
    Cancelled,
}

impl ServedRepository {
    /// Creates a served repository without reading it.
    pub fn new(engine: Engine, consents: bool) -> ServedRepository {
        ServedRepository { live: Arc::new(Live::new(engine)), consents, idle: Mutex::default(), edits: Edits::new() }
    }

    /// Returns the engine.
    pub fn engine(&self) -> Engine {
        self.live.engine()
    }

    /// Returns the engine, if the repository is still there. Nothing may be written for one that is not: the folder
    /// would be made again.
    ///
    /// # Errors
    /// When the repository was deleted or renamed, or can't be read.
    pub fn present(&self) -> Result<Engine, ToolError> {
        self.live.present().map_err(|error| match error {
            EngineError::Gone { root, problem } => ToolError::new(format!(
                "the repository {} can't be read: {problem}. Start the server again in the repository's folder \
                 (`knowing mcp --repo DIR`)",
                root.display()
            )),
            error => ToolError::new(error.to_string()),
        })
    }

    /// Returns the packs whose edits are watched.
    pub fn edits(&self) -> &Edits {
        &self.edits
    }

    /// Returns the exchange beside the database.
    pub fn exchange(&self) -> Exchange {
        Exchange::for_engine(&self.engine())
    }

    /// Returns the index for a request: current, or a first look while the first one is being built.
    ///
    /// # Errors
    /// When the repository is gone, or there is no index and none can be built; the error has the next step.
    pub fn ready(&self, request: &Request, job: &Job) -> Result<Ready, ToolError> {
        let engine = self.present()?;
        let idle = self.idle.lock().pop();
        if idle.is_none() && engine.reader().is_err() {
            return self.first_ready(&engine, request, job);
        }
        let caught_up = self.live.catch_up(job.requested, &|step| job.report(step));
        if job.is_cancelled() {
            self.idle.lock().extend(idle);
            return Ok(Ready::Cancelled);
        }
        match self.ranker(idle) {
            Ok(ranker) => Ok(Ready::Loaded(Box::new(ranker), IndexState::after_update(&caught_up))),
            // The index was deleted or damaged since.
            Err(_) => self.first_ready(&self.engine(), request, job),
        }
    }

    /// Makes the next request compare the index with the files, whether or not the system has reported a change.
    pub fn expect_changes(&self) {
        self.live.expect_changes();
    }

    /// Keeps a ranker loaded for the next request. That of a first look is for one request.
    pub fn put_back(&self, ranker: Ranker) {
        let mut idle = self.idle.lock();
        if idle.len() < MAX_IDLE_RANKERS && ranker.reader().path() == self.engine().database() {
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
        let idle = self.idle.lock().pop();
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

    /// Waits for the first index, or for a first look: at once in a large repository, so that it has both cores, else if the index
    /// takes long.
    fn first_ready(&self, engine: &Engine, request: &Request, job: &Job) -> Result<Ready, ToolError> {
        if let Some(refusal) = refusal(engine, self.consents) {
            return Err(refusal);
        }
        let survey = engine.survey();
        let early = survey.is_large().then(|| first_look(&survey, request));
        let run = self.live.first_run();
        let run = run.map_err(|error| ToolError::new(format!("can't start a thread: {error}")))?;
        if let Some(early) = early {
            return early;
        }
        let mut look = None;
        let ended = loop {
            if job.is_cancelled() {
                return Ok(Ready::Cancelled);
            }
            let (progress, ended) = run.wait(POLL_INTERVAL);
            progress.into_iter().for_each(|step| job.report(step));
            if let Some(ended) = ended {
                break ended;
            }
            if let Some(ready) = look.take() {
                return ready;
            }
            if job.requested.elapsed() >= FIRST_INDEX_PATIENCE {
                look = Some(first_look(&survey, request));
            }
        };
        match ended {
            LiveState::Ready(update) => match self.ranker(None) {
                Ok(ranker) => Ok(Ready::Loaded(Box::new(ranker), IndexState::built(update.changed_files, update.took))),
                Err(error) => Err(ToolError::new(error.to_string())),
            },
            LiveState::Failed(reason) => Err(ToolError::new(format!("the repository can't be indexed: {reason}"))),
            LiveState::Busy | LiveState::Missing | LiveState::Partial(_) => Err(ToolError::new(
                "another process is building the first index of this repository; ask again in a few seconds",
            )),
        }
    }
}

/// Returns why a folder is not indexed without the user's consent.
pub fn refusal(engine: &Engine, consents: bool) -> Option<ToolError> {
    let concern = engine.concern().filter(|_| !consents)?;
    let root = engine.root().display();
    Some(ToolError::new(format!(
        "{root} {concern}, so it was not indexed. Give the path of a checkout as `project`, or start the server in a project \
         (`knowing mcp --repo DIR`), or add --yes to index this folder"
    )))
}

/// Returns an index of the files that a request seems to be about.
fn first_look(survey: &Survey, request: &Request) -> Result<Ready, ToolError> {
    let look = survey.first_look(request).map_err(|error| ToolError::new(error.to_string()))?;
    let state = IndexState::partial(&look.notice());
    let FirstLook { ranker, .. } = look;
    Ok(Ready::Loaded(Box::new(ranker), state))
}
