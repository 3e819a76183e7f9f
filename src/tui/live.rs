//! The explorer's repository through the real engine.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::effect::Topic;
use super::workspace::{Answer, Finding, Indexed, Progress, Reader, Status, Workspace};
use crate::engine::{Engine, EngineError, Ranker, Ranking};
use crate::model::{ContextPack, PackedSymbol, Request, Task};
use crate::render::gcf::Gcf;

/// One repository. Indexing may find another place for the database, so the engine is shared behind a lock that nobody
/// holds for long.
pub struct Live {
    engine: Mutex<Engine>,
}

struct LiveReader {
    ranker: Ranker,
    kept: Option<Kept>,
}

/// The last ranking, and what was ranked.
struct Kept {
    request: Request,
    muted: BTreeSet<String>,
    /// What was taught by then.
    epoch: i64,
    ranking: Rc<Ranking>,
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
        Ok(Box::new(LiveReader { ranker: said(engine.ranker())?, kept: None }))
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

    fn rank(&mut self, task: &Task, cancelled: &(dyn Fn() -> bool + Sync)) -> Answer<Option<ContextPack>> {
        let Some(ranking) = self.ranking(task, cancelled)? else { return Ok(None) };
        let pack = said(self.ranker.pack_ranked(task, &ranking, &Gcf, false))?;
        Ok(Some(pack))
    }

    fn ask(&mut self, topic: &Topic) -> Answer<Finding> {
        match topic {
            Topic::Classes { task } => {
                let Some(ranking) = self.ranking(task, &|| false)? else { return Ok(Finding::Classes(Vec::new())) };
                said(self.ranker.fired(task, &ranking)).map(Finding::Classes)
            }
        }
    }
}

impl LiveReader {
    /// The ranking of a task: the kept one where only the pack differs, since packing anew is much less work.
    fn ranking(&mut self, task: &Task, cancelled: &(dyn Fn() -> bool + Sync)) -> Answer<Option<Rc<Ranking>>> {
        let epoch = said(self.ranker.learning_epoch())?;
        let same = |kept: &&Kept| {
            kept.request == task.request && kept.muted == task.options.muted_classes && kept.epoch == epoch
        };
        if let Some(kept) = self.kept.as_ref().filter(same) {
            return Ok(Some(kept.ranking.clone()));
        }
        let Some(ranking) = said(self.ranker.rank(task, &cancelled))? else { return Ok(None) };
        let (request, muted) = (task.request.clone(), task.options.muted_classes.clone());
        let ranking = Rc::new(ranking);
        self.kept = Some(Kept { request, muted, epoch, ranking: ranking.clone() });
        Ok(Some(ranking))
    }
}

fn said<T>(result: Result<T, EngineError>) -> Answer<T> {
    result.map_err(|error| error.to_string())
}
