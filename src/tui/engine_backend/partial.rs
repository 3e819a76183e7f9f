//! The reader of the partial index, while the first index is being built: names parsed so far.

use std::sync::Arc;

use super::{MAX_RESULTS, engine_result};
use crate::engine::{Engine, PartialIndex};
use crate::model::{ContextPack, PackedSymbol, Task};
use crate::tui::backend::{Answer, Reader, Response};
use crate::tui::effect::Topic;

/// Searches names and files. Everything that needs edges is not available yet.
pub(super) struct PartialIndexReader {
    pub(super) engine: Engine,
    pub(super) partial_index: Arc<PartialIndex>,
}

/// The error for everything else.
const NOT_AVAILABLE: &str = "not available until the first index is built";

impl Reader for PartialIndexReader {
    fn lexical(&mut self, _task: &str, _limit: usize) -> Answer<Vec<PackedSymbol>> {
        Err(NOT_AVAILABLE.to_owned())
    }

    fn rank(&mut self, _task: &Task, _cancelled: &(dyn Fn() -> bool + Sync)) -> Answer<Option<ContextPack>> {
        Err(NOT_AVAILABLE.to_owned())
    }

    fn ask(&mut self, topic: &Topic) -> Answer<Response> {
        match topic {
            Topic::Symbols(question) => Ok(Response::Symbols(self.partial_index.symbols(question, MAX_RESULTS))),
            Topic::Files { needle } => Ok(Response::Files(self.partial_index.files(needle, MAX_RESULTS))),
            Topic::Bases => engine_result(self.engine.bases()).map(Response::Bases),
            _ => Err(NOT_AVAILABLE.to_owned()),
        }
    }
}
