//! The explorer's repository through the real engine.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::effect::Topic;
use super::workspace::{Answer, Finding, Indexed, Progress, Reader, Status, Workspace};
use crate::engine::{Engine, EngineError, Ranker};
use crate::model::{ContextPack, PackedSymbol, Task};
use crate::render::gcf::Gcf;

/// One repository. Indexing may find another place for the database, so the engine is shared behind a lock that nobody
/// holds for long.
pub struct Live {
    engine: Mutex<Engine>,
}

/// Symbols shown for one target of a class.
const MATCHES: usize = 20;

struct LiveReader {
    ranker: Ranker,
}

impl Live {
    /// The repository of an engine.
    pub fn new(engine: Engine) -> Live {
        Live { engine: Mutex::new(engine) }
    }

    fn engine(&self) -> MutexGuard<'_, Engine> {
        self.engine.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Workspace for Live {
    fn status(&self) -> Answer<Status> {
        let engine = self.engine().clone();
        let repository = engine.repository().to_owned();
        // Without a usable index the explorer makes one, and that tells why it can't.
        let Ok(reader) = engine.reader() else { return Ok(Status { repository, ..Status::default() }) };
        let stats = reader.stats().map_err(|error| error.to_string())?;
        Ok(Status {
            repository,
            files: stats.file_count() as usize,
            symbols: stats.symbol_count() as usize,
            usable: true,
        })
    }

    fn index(&self, progress: &(dyn Fn(Progress) + Sync)) -> Answer<Indexed> {
        let mut engine = self.engine().clone();
        let report = said(engine.index(false, None, &|step| {
            progress(Progress { phase: step.phase.name(), done: step.done, total: step.total });
        }))?;
        *self.engine() = engine;
        Ok(Indexed { status: self.status()?, changed: !report.is_unchanged })
    }

    fn reader(&self) -> Answer<Box<dyn Reader>> {
        let engine = self.engine().clone();
        Ok(Box::new(LiveReader { ranker: said(engine.ranker())? }))
    }

    fn source(&self, file: &str) -> Answer<Vec<u8>> {
        let engine = self.engine().clone();
        said(engine.source(file))
    }
}

impl Reader for LiveReader {
    fn lexical(&mut self, task: &str, limit: usize) -> Answer<Vec<PackedSymbol>> {
        said(self.ranker.words(task, limit))
    }

    fn rank(
        &mut self,
        task: &str,
        budget_tokens: usize,
        cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Answer<Option<ContextPack>> {
        let task = Task { budget_tokens, ..Task::words(task) };
        said(self.ranker.pack(&task, &Gcf, false, &cancelled))
    }

    fn ask(&mut self, topic: &Topic) -> Answer<Finding> {
        match topic {
            Topic::Classes { task } => said(self.ranker.fired(task, MATCHES)).map(Finding::Classes),
        }
    }
}

fn said<T>(result: Result<T, EngineError>) -> Answer<T> {
    result.map_err(|error| error.to_string())
}
