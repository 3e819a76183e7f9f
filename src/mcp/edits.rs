//! Edits of what was delivered: symbols of the last packs that are changed in the working tree count as used, weakly.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

use parking_lot::Mutex;

use crate::engine::{DeliveredPack, Engine, EngineError, Reader};
use crate::exchange::now_ms;
use crate::model::SymbolId;

/// Number of packs that are watched. An agent that has asked for more works on something else by then.
const MAX_PACKS: usize = 4;

/// The last packs of a server. Clones share them.
#[derive(Clone)]
pub struct Edits {
    packs: Arc<Mutex<VecDeque<DeliveredPack>>>,
    /// The session of the recorded events: that of the server, not of the user.
    session: Arc<str>,
}

impl Edits {
    /// Creates the record of a server that has delivered nothing yet.
    pub fn new() -> Edits {
        let session = format!("agent-{}-{}", now_ms() / 1_000, std::process::id());
        Edits { packs: Arc::default(), session: session.into() }
    }

    /// Watches a pack; the oldest is no longer watched.
    pub fn watch(&self, pack: DeliveredPack) {
        let mut packs = self.packs.lock();
        packs.push_front(pack);
        packs.truncate(MAX_PACKS);
    }

    /// Records the symbols that were edited since the last call, each for the newest pack that has it. Returns their
    /// number. `reader` reads the index, which must be current, as feedback applies to the source that it has.
    ///
    /// # Errors
    /// When the index can't be read, or the journal of feedback can't be written.
    pub fn record(&self, engine: &Engine, reader: &Reader) -> Result<usize, EngineError> {
        let mut packs = self.packs.lock();
        let mut known: HashSet<SymbolId> = HashSet::new();
        let mut count = 0;
        for pack in packs.iter_mut() {
            let mut edited = pack.take_edited(engine, reader)?;
            edited.retain(|symbol| known.insert(symbol.id));
            if !edited.is_empty() {
                engine.feedback_recorder(Some(&self.session))?.record_agent_edits(pack.task(), &edited)?;
                count += edited.len();
            }
        }
        Ok(count)
    }

    /// Returns whether a pack is watched.
    pub fn is_watching(&self) -> bool {
        !self.packs.lock().is_empty()
    }
}
