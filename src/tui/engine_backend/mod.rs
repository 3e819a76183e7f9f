//! The backend of the explorer on the engine.

mod agents;
mod feedback;
mod partial;
mod reader;
mod workspace;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub use workspace::WorkspaceBackend;

use super::backend::{Answer, Backend, FeedbackWriter, Indexed, Progress, Reader, Status};
use super::roots::Roots;
use crate::engine::{
    Engine, EngineError, PartialIndex, PartialIndexListener, SourceFile, WatchTargets, reason_without_files,
};
use crate::exchange::Exchange;
use feedback::EngineFeedbackWriter;
use reader::EngineReader;

/// A repository opened with the engine. Indexing may move the database, so the engine is behind a lock, which is held
/// only to clone the engine.
pub struct EngineBackend {
    engine: Mutex<Engine>,
    /// The partial index, while the first index is being built.
    partial_index: Mutex<Option<Arc<PartialIndex>>>,
}

/// Maximum number of results of a search for symbols or files.
const MAX_RESULTS: usize = 200;

impl EngineBackend {
    /// Wraps an engine.
    pub fn new(engine: Engine) -> EngineBackend {
        EngineBackend { engine: Mutex::new(engine), partial_index: Mutex::new(None) }
    }

    fn engine(&self) -> MutexGuard<'_, Engine> {
        self.engine.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn partial_index(&self) -> MutexGuard<'_, Option<Arc<PartialIndex>>> {
        self.partial_index.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Backend for EngineBackend {
    fn status(&self) -> Answer<Status> {
        let engine = self.engine().clone();
        let repository = engine.repository().to_owned();
        // Without a usable index the explorer builds one; that reports why it cannot.
        let Ok(reader) = engine.reader() else { return Ok(Status { repository, ..Status::default() }) };
        let stats = reader.stats().map_err(|error| error.to_string())?;
        Ok(Status {
            repository,
            files: stats.file_count() as usize,
            symbols: stats.symbol_count() as usize,
            nothing_indexed: reason_without_files(&reader).map_err(|error| error.to_string())?,
            usable: true,
            folders: Vec::new(),
        })
    }

    fn index(&self, progress: &(dyn Fn(Progress) + Sync)) -> Answer<Indexed> {
        let mut engine = self.engine().clone();
        // Indexing would make the folder anew, for the database.
        if !engine.root().is_dir() {
            return Err(format!("{} does not exist any more", engine.root().display()));
        }
        let report = |step: crate::engine::Progress| {
            progress(Progress { phase: step.phase.name(), done: step.done, total: step.total });
        };
        let is_first = engine.reader().is_err();
        let indexed = if is_first {
            let partial_index = Arc::new(PartialIndex::default());
            *self.partial_index() = Some(partial_index.clone());
            engine.index(false, None, &PartialIndexListener { index: &partial_index, progress: &report })
        } else {
            engine.index(false, None, &report)
        };
        *self.partial_index() = None;
        let update = engine_result(indexed)?;
        *self.engine() = engine;
        Ok(Indexed { status: self.status()?, changed: !update.is_unchanged, problems: Vec::new() })
    }

    fn reader(&self) -> Answer<Box<dyn Reader>> {
        let engine = self.engine().clone();
        if let Some(partial_index) = self.partial_index().clone() {
            return Ok(Box::new(partial::PartialIndexReader { engine, partial_index }));
        }
        let ranker = engine_result(engine.ranker())?;
        Ok(Box::new(EngineReader::new(engine, ranker)))
    }

    fn feedback_writer(&self) -> Answer<Box<dyn FeedbackWriter>> {
        let engine = self.engine().clone();
        let recorder = engine_result(engine.feedback_recorder(None))?;
        Ok(Box::new(EngineFeedbackWriter { engine, recorder }))
    }

    fn watch_targets(&self) -> Answer<WatchTargets> {
        engine_result(self.engine().watch_targets())
    }

    fn source(&self, file: &str) -> Answer<SourceFile> {
        let engine = self.engine().clone();
        let partial_index = self.partial_index().clone();
        let mut source = engine_result(engine.source_file(file))?;
        if let Some(partial_index) = partial_index {
            source.definitions = partial_index.definitions(file);
        }
        Ok(source)
    }

    fn roots(&self) -> Roots {
        Roots::single(self.engine().root().to_owned())
    }

    fn exchange(&self) -> Option<Exchange> {
        Some(Exchange::for_engine(&self.engine()))
    }
}

fn engine_result<T>(result: Result<T, EngineError>) -> Answer<T> {
    result.map_err(|error| error.to_string())
}
