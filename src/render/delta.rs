//! What to change in a pack that a client already has, so that it becomes the new one.
//!
//! Symbols and edges are compared under the names that GCF gives them, which are what the pack root is taken over. A
//! symbol of which anything shown has changed is removed and added again; after that the client's pack has the new root,
//! as `gcf::verify_delta` checks. Complexity: linear in both packs.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::{gcf, rounded, shown_name};
use crate::model::{ContextPack, PackedSymbol};

/// What a client was given: enough of a pack to tell what has changed since.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Manifest {
    pub symbols: Vec<Known>,
    pub edges: Vec<KnownEdge>,
}

/// A symbol that a client has.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Known {
    /// As in GCF, where no two symbols of a pack share one.
    pub name: String,
    /// As in the other formats.
    pub shown: String,
    pub kind: String,
    pub file: String,
    pub line: u32,
    /// Hash of everything that is shown of it; 0 when clients may have different versions.
    pub detail: u64,
}

/// An edge that a client has, between places in its symbols.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct KnownEdge {
    pub source: usize,
    pub target: usize,
    pub edge_type: String,
}

/// Stands for a detail about which clients may disagree. No comparison with it succeeds.
const AMBIGUOUS: u64 = 0;

impl Manifest {
    /// What a client has after it was given `pack`.
    pub fn of(pack: &ContextPack) -> Manifest {
        let symbols = pack.symbols.iter().zip(gcf::names(pack)).map(|(packed, name)| Known {
            name,
            shown: shown_name(pack, &packed.symbol).to_owned(),
            kind: packed.symbol.kind.name().to_owned(),
            file: packed.symbol.file.clone(),
            line: packed.symbol.span.name_line,
            detail: detail(packed),
        });
        let edges = pack.edges.iter().map(|edge| KnownEdge {
            source: edge.source,
            target: edge.target,
            edge_type: edge.edge_type.name().to_owned(),
        });
        Manifest { symbols: symbols.collect(), edges: edges.collect() }
    }

    /// This manifest where another one has the same root: the root covers neither lines nor signatures nor bodies, so a
    /// client that names it may have either, and what differs has to be sent again.
    pub fn merged(mut self, other: &Manifest) -> Manifest {
        let details: HashMap<&str, u64> =
            other.symbols.iter().map(|known| (known.name.as_str(), known.detail)).collect();
        for known in &mut self.symbols {
            if details.get(known.name.as_str()).is_some_and(|detail| *detail != known.detail) {
                known.detail = AMBIGUOUS;
            }
        }
        self
    }

    /// The edges with the names of their ends, which stay when places change.
    fn named_edges(&self) -> Vec<(&str, &str, &str)> {
        let name = |place: usize| self.symbols.get(place).map_or("", |known| known.name.as_str());
        self.edges.iter().map(|edge| (name(edge.source), name(edge.target), edge.edge_type.as_str())).collect()
    }
}

/// Changes that turn the pack with one root into `pack`.
#[derive(Debug, Clone)]
pub struct Delta<'a> {
    /// The new pack.
    pub pack: &'a ContextPack,
    pub base_root: String,
    pub new_root: String,
    pub base: &'a Manifest,
    /// Places in the base's symbols.
    pub removed: Vec<usize>,
    /// Places in the pack's symbols.
    pub added: Vec<usize>,
    /// Places in the base's edges.
    pub removed_edges: Vec<usize>,
    /// Places in the pack's edges.
    pub added_edges: Vec<usize>,
    /// Tokens of the delta's own text.
    pub tokens_used: usize,
}

impl<'a> Delta<'a> {
    /// The changes from `base`, whose root is `base_root`.
    pub fn between(base: &'a Manifest, base_root: &str, pack: &'a ContextPack, new_root: &str) -> Delta<'a> {
        let new = Manifest::of(pack);
        let (removed, added) =
            changes(&base.symbols, &new.symbols, |known| (known.detail != AMBIGUOUS).then_some(known));
        let (removed_edges, added_edges) = changes(&base.named_edges(), &new.named_edges(), Some);
        let (base_root, new_root) = (base_root.to_owned(), new_root.to_owned());
        Delta { pack, base_root, new_root, base, removed, added, removed_edges, added_edges, tokens_used: 0 }
    }

    /// True when the client's pack is the new one.
    pub fn is_empty(&self) -> bool {
        [&self.removed, &self.added, &self.removed_edges, &self.added_edges].iter().all(|list| list.is_empty())
    }
}

/// Places in `base` of what `new` has not, and in `new` of what `base` has not; what `comparable` gives nothing for
/// equals nothing.
fn changes<'a, T: Eq + Hash>(
    base: &'a [T],
    new: &'a [T],
    comparable: impl Fn(&'a T) -> Option<&'a T>,
) -> (Vec<usize>, Vec<usize>) {
    let before: HashSet<&T> = base.iter().filter_map(&comparable).collect();
    let after: HashSet<&T> = new.iter().collect();
    let is_kept = |item: &'a T| comparable(item).is_some_and(|item| after.contains(item));
    let removed = (0..base.len()).filter(|place| !is_kept(&base[*place])).collect();
    let added = (0..new.len()).filter(|place| !before.contains(&new[*place])).collect();
    (removed, added)
}

/// A hash of what a reader sees of a symbol beside its name, kind and place. Scores count as GCF shows them: what JSON
/// says more exactly only reorders.
fn detail(packed: &PackedSymbol) -> u64 {
    let text = format!(
        "{:.2}\n{}\n{}\n{}\n{}",
        rounded(packed.score, 2),
        packed.provenance,
        packed.distance,
        packed.symbol.signature,
        // No source has a NUL in front, so no body and an empty one stay apart.
        packed.body.as_deref().unwrap_or("\0")
    );
    xxh3_64(text.as_bytes()).max(AMBIGUOUS + 1)
}
