//! Answers to clients that may have an earlier pack: the whole pack, a delta, or that nothing changed.

use super::delta::{Delta, PackManifest};
use super::{Renderer, gcf};
use crate::model::ContextPack;
use crate::text::tokens;

/// A delta is sent if it is smaller than this share of the pack's tokens.
const DELTA_SHARE: f64 = 0.6;

/// An answer to a task.
#[derive(Debug, Clone)]
pub enum Answer<'a> {
    /// The whole pack.
    Pack(&'a ContextPack),
    /// Changes to the pack that the client has.
    Delta(Box<Delta<'a>>),
    /// The client has the pack with this root.
    Unchanged(String),
}

/// The pack that a client has.
#[derive(Debug, Clone, Copy)]
pub struct EarlierPack<'a> {
    pub root: &'a str,
    /// Its contents, if they are still stored.
    pub manifest: Option<&'a PackManifest>,
}

/// Returns the shortest answer after which the client has `pack`.
///
/// The root does not depend on lines, signatures and bodies. They are compared if the earlier pack's manifest is
/// stored. Without it, an equal root means `unchanged`, unless the pack has bodies.
pub fn answer<'a>(pack: &'a ContextPack, earlier: Option<EarlierPack<'a>>, renderer: &dyn Renderer) -> Answer<'a> {
    let Some(earlier) = earlier.filter(|_| renderer.has_deltas()) else { return Answer::Pack(pack) };
    let root = gcf::pack_root(pack);
    let Some(manifest) = earlier.manifest else {
        let has_bodies = pack.symbols.iter().any(|packed| packed.body.is_some());
        return if root == earlier.root && !has_bodies { Answer::Unchanged(root) } else { Answer::Pack(pack) };
    };
    let mut delta = Delta::between(manifest, earlier.root, pack, &root);
    if delta.is_empty() {
        return Answer::Unchanged(root);
    }
    count_tokens(&mut delta, renderer);
    let limit = DELTA_SHARE * pack.tokens_used as f64;
    if (delta.tokens_used as f64) < limit { Answer::Delta(Box::new(delta)) } else { Answer::Pack(pack) }
}

/// Sets the delta's token count, which is part of its own text. Terminates because the count never decreases.
fn count_tokens(delta: &mut Delta<'_>, renderer: &dyn Renderer) {
    loop {
        let tokens_used = tokens::count(&renderer.delta(delta)).max(delta.tokens_used);
        if tokens_used == delta.tokens_used {
            return;
        }
        delta.tokens_used = tokens_used;
    }
}
