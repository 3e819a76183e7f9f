//! Replies to clients that may have an earlier pack: the whole pack, a delta to the earlier one, or that it is
//! unchanged.

use super::{EngineError, Ranker, Ranking};
use crate::model::{ContextPack, Task};
use crate::render::answer::{Answer, EarlierPack, answer};
use crate::render::delta::PackManifest;
use crate::render::{Renderer, gcf};
use crate::store::{Reader, StoreError, cache_put};

/// Limit of the packs whose manifests are stored for deltas. Each has a few kilobytes.
const MAX_STORED_PACKS: usize = 32;
/// Key of the stored manifests. The number changes with their format, so that none is misread.
const MANIFEST_KEY: &str = "pack 1";

/// A request for a pack.
pub struct ReplyRequest<'a> {
    pub task: &'a Task,
    /// A ranking of the task by this ranker, if there is one.
    pub ranking: Option<&'a Ranking>,
    pub renderer: &'a dyn Renderer,
    /// Whether each symbol includes its source.
    pub bodies: bool,
    /// The root of the pack that the client has.
    pub pack_root: Option<&'a str>,
    /// Whether the pack's manifest may be stored.
    pub store_manifest: bool,
}

/// The rendered reply and its pack.
pub struct Reply {
    pub bytes: Vec<u8>,
    pub kind: ReplyKind,
    pub pack: ContextPack,
    /// The error of storing the manifest. The client's next reply is then the whole pack.
    pub storing_error: Option<StoreError>,
}

/// The kind of a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReplyKind {
    Pack,
    /// The changes to the client's pack.
    Delta,
    /// The client has the pack.
    Unchanged,
}

impl Ranker {
    /// Returns the shortest reply after which the client has the pack.
    ///
    /// # Errors
    /// Those of [`Ranker::pack`].
    pub fn reply(&self, request: &ReplyRequest<'_>) -> Result<Reply, EngineError> {
        let ReplyRequest { task, renderer, bodies, .. } = *request;
        let pack = match request.ranking {
            Some(ranking) => self.pack_ranked(task, ranking, renderer, bodies)?,
            None => self.pack(task, renderer, bodies, &|| false)?.unwrap_or_default(),
        };
        Reply::new(pack, request, Some(self.reader()))
    }
}

impl Reply {
    /// Renders a pack. `reader` has the manifests of earlier packs; without one, a reply is not a delta.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn new(pack: ContextPack, request: &ReplyRequest<'_>, reader: Option<&Reader>) -> Result<Reply, EngineError> {
        let manifest = match (request.pack_root, reader) {
            (Some(root), Some(reader)) => reader.cache_get::<PackManifest>(MANIFEST_KEY, root)?,
            _ => None,
        };
        let earlier = request.pack_root.map(|root| EarlierPack { root, manifest: manifest.as_ref() });
        let answer = answer(&pack, earlier, request.renderer);
        let kind = match &answer {
            Answer::Pack(_) => ReplyKind::Pack,
            Answer::Delta(_) => ReplyKind::Delta,
            Answer::Unchanged(_) => ReplyKind::Unchanged,
        };
        let bytes = request.renderer.bytes(&answer);
        let stored = match reader.filter(|_| request.store_manifest) {
            Some(reader) => store_manifest(reader, &pack),
            None => Ok(()),
        };
        Ok(Reply { bytes, kind, pack, storing_error: stored.err() })
    }
}

/// Stores the manifest of a client's pack. Packs with the same root may differ in lines or bodies; then the manifests
/// are merged.
fn store_manifest(reader: &Reader, pack: &ContextPack) -> Result<(), StoreError> {
    let root = gcf::pack_root(pack);
    let manifest = PackManifest::from_pack(pack);
    match reader.cache_get::<PackManifest>(MANIFEST_KEY, &root)? {
        Some(known) if known == manifest => Ok(()),
        Some(known) => cache_put(reader.path(), MANIFEST_KEY, &root, &manifest.merged(&known), MAX_STORED_PACKS),
        None => cache_put(reader.path(), MANIFEST_KEY, &root, &manifest, MAX_STORED_PACKS),
    }
}
