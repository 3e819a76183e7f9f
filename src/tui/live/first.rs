//! What can be asked while the first index is being made: the names that its run has met so far.

use std::sync::Arc;

use super::{NAMES, said};
use crate::engine::{Engine, PartialIndex};
use crate::model::{ContextPack, PackedSymbol, Task};
use crate::tui::effect::Topic;
use crate::tui::workspace::{Answer, Finding, Reader};

/// Answers from the sketch of a run; what needs edges has to wait for its end.
pub(super) struct SketchReader {
    pub(super) engine: Engine,
    pub(super) sketch: Arc<PartialIndex>,
}

/// Why there is no answer yet.
const LATER: &str = "this is known once the first index is made";

impl Reader for SketchReader {
    fn lexical(&mut self, _task: &str, _limit: usize) -> Answer<Vec<PackedSymbol>> {
        Err(LATER.to_owned())
    }

    fn rank(&mut self, _task: &Task, _cancelled: &(dyn Fn() -> bool + Sync)) -> Answer<Option<ContextPack>> {
        Err(LATER.to_owned())
    }

    fn ask(&mut self, topic: &Topic) -> Answer<Finding> {
        match topic {
            Topic::Symbols(question) => Ok(Finding::Symbols(self.sketch.symbols(question, NAMES))),
            Topic::Files { needle } => Ok(Finding::Files(self.sketch.files(needle, NAMES))),
            Topic::Bases => said(self.engine.bases()).map(Finding::Bases),
            _ => Err(LATER.to_owned()),
        }
    }
}
