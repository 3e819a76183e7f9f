//! Answers that a program keeps: the pack, or what changed in the pack it has.

use super::learner::SHOWN;
use super::{Engine, EngineError, Ranker, Ranking};
use crate::model::{ContextPack, Request, Symbol, Task};
use crate::render::answer::{EarlierPack, answer};
use crate::render::delta::PackManifest;
use crate::render::{Renderer, gcf};
use crate::store::{Reader, StoreError, put_note};

/// Packs that are remembered, so that a client can be told what has changed since. Each takes a few kilobytes.
const PACKS_KEPT: usize = 32;
/// How the store calls what it keeps of a pack. The number changes with the form of the manifest, so that none is misread.
const NOTE: &str = "pack 1";

/// A task and how its answer is wanted.
pub struct Question<'a> {
    pub task: &'a Task,
    /// Its ranking by this very ranker, where it was made already.
    pub ranking: Option<&'a Ranking>,
    pub renderer: &'a dyn Renderer,
    /// Each symbol carries its source.
    pub bodies: bool,
    /// The root of the pack that the client has.
    pub pack_root: Option<&'a str>,
    /// Whether the pack may be remembered.
    pub remember: bool,
}

/// What is given out, and what it stands for.
pub struct Reply {
    pub bytes: Vec<u8>,
    pub pack: ContextPack,
    /// Why the pack could not be remembered: the client's next question gets the whole pack again.
    pub forgotten: Option<StoreError>,
}

impl Engine {
    /// Notes that a task was answered with this pack: what it shows first and nobody uses, while other symbols are used,
    /// counts a little less once the next task comes. Only tasks in words are learned from.
    ///
    /// # Errors
    /// When the store can't be written.
    pub fn note_shown(&self, task: &Task, pack: &ContextPack) -> Result<(), EngineError> {
        let Request::Task(words) = &task.request else { return Ok(()) };
        let symbols: Vec<Symbol> = pack.symbols.iter().take(SHOWN).map(|packed| packed.symbol.clone()).collect();
        self.learner(None)?.shown(words, &symbols).map(|_| ())
    }
}

impl Ranker {
    /// Answers a question in the shortest way that leaves the client with the pack.
    ///
    /// # Errors
    /// Those of [`Ranker::pack`].
    pub fn reply(&self, question: &Question<'_>) -> Result<Reply, EngineError> {
        let Question { task, renderer, bodies, .. } = *question;
        let pack = match question.ranking {
            Some(ranking) => self.pack_ranked(task, ranking, renderer, bodies)?,
            None => self.pack(task, renderer, bodies, &|| false)?.unwrap_or_default(),
        };
        let manifest = match question.pack_root {
            Some(root) => self.reader().note::<PackManifest>(NOTE, root)?,
            None => None,
        };
        let earlier = question.pack_root.map(|root| EarlierPack { root, manifest: manifest.as_ref() });
        let bytes = question.renderer.bytes(&answer(&pack, earlier, question.renderer));
        let remembered = if question.remember { remember(self.reader(), &pack) } else { Ok(()) };
        Ok(Reply { bytes, pack, forgotten: remembered.err() })
    }
}

/// Keeps what a client now has. The same root may stand for other lines or bodies than it did; then both are possible.
fn remember(reader: &Reader, pack: &ContextPack) -> Result<(), StoreError> {
    let root = gcf::pack_root(pack);
    let manifest = PackManifest::from_pack(pack);
    match reader.note::<PackManifest>(NOTE, &root)? {
        Some(known) if known == manifest => Ok(()),
        Some(known) => put_note(reader.path(), NOTE, &root, &manifest.merged(&known), PACKS_KEPT),
        None => put_note(reader.path(), NOTE, &root, &manifest, PACKS_KEPT),
    }
}
