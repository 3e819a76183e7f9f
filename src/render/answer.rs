//! What a client gets: the pack, what changed since the pack it has, or that nothing did (SPEC §9).

use super::delta::{Delta, Manifest};
use super::{Renderer, gcf};
use crate::model::ContextPack;
use crate::text::tokens;

/// A delta is only worth its trouble below this share of the whole pack's tokens.
const DELTA_SHARE: f64 = 0.6;

/// An answer to a task.
#[derive(Debug, Clone)]
pub enum Answer<'a> {
    /// The whole pack.
    Pack(&'a ContextPack),
    /// Changes in the pack that the client has.
    Delta(Box<Delta<'a>>),
    /// The client has this pack; its root.
    Unchanged(String),
}

/// A pack that a client says it has.
#[derive(Debug, Clone, Copy)]
pub struct Earlier<'a> {
    pub root: &'a str,
    /// What was in it, when that is remembered.
    pub manifest: Option<&'a Manifest>,
}

/// The shortest answer that leaves the client with `pack`.
///
/// The root covers neither lines nor signatures nor bodies. Where the earlier pack is remembered those are compared as
/// well; where it is not, an equal root is enough, unless bodies were asked for.
pub fn answer<'a>(pack: &'a ContextPack, earlier: Option<Earlier<'a>>, renderer: &dyn Renderer) -> Answer<'a> {
    let Some(earlier) = earlier else { return Answer::Pack(pack) };
    let root = gcf::pack_root(pack);
    let Some(manifest) = earlier.manifest else {
        let has_bodies = pack.symbols.iter().any(|packed| packed.body.is_some());
        return if root == earlier.root && !has_bodies { Answer::Unchanged(root) } else { Answer::Pack(pack) };
    };
    let mut delta = Delta::between(manifest, earlier.root, pack, &root);
    if delta.is_empty() {
        return Answer::Unchanged(root);
    }
    settle(&mut delta, renderer);
    let most = DELTA_SHARE * pack.tokens_used as f64;
    if (delta.tokens_used as f64) < most { Answer::Delta(Box::new(delta)) } else { Answer::Pack(pack) }
}

/// Counts the delta's text, which holds its own count. The text grows with the count's digits, so this ends.
fn settle(delta: &mut Delta<'_>, renderer: &dyn Renderer) {
    loop {
        let tokens_used = tokens::count(&renderer.delta(delta)).max(delta.tokens_used);
        if tokens_used == delta.tokens_used {
            return;
        }
        delta.tokens_used = tokens_used;
    }
}
