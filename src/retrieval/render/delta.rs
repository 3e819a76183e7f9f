//! Deltas: the changes that turn a pack of a client into a new one.
//!
//! Symbols and edges are compared by their GCF names, which the pack root is computed from. A symbol with any visible
//! change is removed and added again. The result has the new root, as `gcf::verify_delta` checks. Complexity: linear in
//! both packs.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::{gcf, rounded, shown_name};
use crate::model::{ContextPack, PackedSymbol};

/// The contents of a pack that are needed to compute a delta from it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PackManifest {
    pub symbols: Vec<ManifestSymbol>,
    pub edges: Vec<ManifestEdge>,
}

/// A symbol of a manifest.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ManifestSymbol {
    /// The name in GCF, unique in the pack.
    pub name: String,
    /// The name in the other formats.
    pub shown: String,
    pub kind: String,
    pub file: String,
    pub line: u32,
    /// Hash of the other visible properties; [`AMBIGUOUS`] if clients may have different ones.
    pub detail: u64,
}

/// An edge of a manifest, between indexes of its symbols.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ManifestEdge {
    pub source: usize,
    pub target: usize,
    pub edge_type: String,
}

/// The detail of a symbol that equals no other.
const AMBIGUOUS: u64 = 0;

impl PackManifest {
    /// Returns the manifest of `pack`.
    pub fn from_pack(pack: &ContextPack) -> PackManifest {
        let symbols = pack.symbols.iter().zip(gcf::names(pack)).map(|(packed, name)| ManifestSymbol {
            name,
            shown: shown_name(pack, &packed.symbol).into_owned(),
            kind: packed.symbol.kind.name().to_owned(),
            file: pack.repositories.file(&packed.symbol).into_owned(),
            line: packed.symbol.span.name_line,
            detail: detail(packed),
        });
        let edges = pack.edges.iter().map(|edge| ManifestEdge {
            source: edge.source,
            target: edge.target,
            edge_type: edge.edge_type.name().to_owned(),
        });
        PackManifest { symbols: symbols.collect(), edges: edges.collect() }
    }

    /// Merges two manifests with the same root. The root does not depend on lines, signatures and bodies, so a client
    /// may have either pack: symbols that differ become ambiguous and are always sent again.
    pub fn merged(mut self, other: &PackManifest) -> PackManifest {
        let details: HashMap<&str, u64> =
            other.symbols.iter().map(|symbol| (symbol.name.as_str(), symbol.detail)).collect();
        for symbol in &mut self.symbols {
            if details.get(symbol.name.as_str()).is_some_and(|detail| *detail != symbol.detail) {
                symbol.detail = AMBIGUOUS;
            }
        }
        self
    }

    /// Returns the edges with the names of their endpoints, which are stable when indexes change.
    fn named_edges(&self) -> Vec<(&str, &str, &str)> {
        let name = |index: usize| self.symbols.get(index).map_or("", |symbol| symbol.name.as_str());
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
    pub base: &'a PackManifest,
    /// Indexes in the base's symbols.
    pub removed: Vec<usize>,
    /// Indexes in the pack's symbols.
    pub added: Vec<usize>,
    /// Indexes in the base's edges.
    pub removed_edges: Vec<usize>,
    /// Indexes in the pack's edges.
    pub added_edges: Vec<usize>,
    /// Tokens of the delta's own text.
    pub tokens_used: usize,
}

impl<'a> Delta<'a> {
    /// Computes the changes from `base`, whose root is `base_root`, to `pack`.
    pub fn between(base: &'a PackManifest, base_root: &str, pack: &'a ContextPack, new_root: &str) -> Delta<'a> {
        let new = PackManifest::from_pack(pack);
        let (removed, added) =
            changes(&base.symbols, &new.symbols, |symbol| (symbol.detail != AMBIGUOUS).then_some(symbol));
        let (removed_edges, added_edges) = changes(&base.named_edges(), &new.named_edges(), Some);
        let (base_root, new_root) = (base_root.to_owned(), new_root.to_owned());
        Delta { pack, base_root, new_root, base, removed, added, removed_edges, added_edges, tokens_used: 0 }
    }

    /// Returns whether nothing changed.
    pub fn is_empty(&self) -> bool {
        [&self.removed, &self.added, &self.removed_edges, &self.added_edges].iter().all(|list| list.is_empty())
    }
}

/// Returns the indexes of the items of `base` that are not in `new`, and vice versa. An item of `base` for which
/// `comparable` returns `None` equals no other.
fn changes<'a, T: Eq + Hash>(
    base: &'a [T],
    new: &'a [T],
    comparable: impl Fn(&'a T) -> Option<&'a T>,
) -> (Vec<usize>, Vec<usize>) {
    let before: HashSet<&T> = base.iter().filter_map(&comparable).collect();
    let after: HashSet<&T> = new.iter().collect();
    let is_kept = |item: &'a T| comparable(item).is_some_and(|item| after.contains(item));
    let removed = (0..base.len()).filter(|index| !is_kept(&base[*index])).collect();
    let added = (0..new.len()).filter(|index| !before.contains(&new[*index])).collect();
    (removed, added)
}

/// Hashes the visible properties of a symbol, except name, kind and location. Scores are rounded as in GCF; the further
/// digits of JSON are ignored.
fn detail(packed: &PackedSymbol) -> u64 {
    let text = format!(
        "{:.2}\n{}\n{}\n{}\n{}",
        rounded(packed.score, 2),
        packed.provenance,
        packed.distance,
        packed.symbol.signature,
        // NUL distinguishes a missing body from an empty one.
        packed.body.as_deref().unwrap_or("\0")
    );
    xxh3_64(text.as_bytes()).max(AMBIGUOUS + 1)
}
