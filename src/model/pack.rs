//! A pack: the symbols chosen for a task within a token budget.

use serde::Serialize;

use super::{EdgeType, Provenance, Symbol};

/// One named, signed part of a score; a score is the sum of its components.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Component {
    pub name: &'static str,
    pub value: f64,
    pub weight: f64,
    /// `value * weight`.
    pub contribution: f64,
}

/// A symbol with its place, score and the reasons for it.
#[derive(Debug, Clone, PartialEq)]
pub struct PackedSymbol {
    pub symbol: Symbol,
    pub score: f64,
    pub components: Vec<Component>,
    /// Hops from the nearest seed; 0 for a seed.
    pub distance: u32,
    /// How the symbol entered: the best channel that found it, or `walk`.
    pub provenance: &'static str,
    /// Tokens of its own rendered text; what it costs the budget.
    pub tokens: usize,
    /// The definition's source text, when bodies were asked for.
    pub body: Option<String>,
}

/// An edge between two packed symbols, by their places in the pack.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PackEdge {
    pub source: usize,
    pub target: usize,
    pub edge_type: EdgeType,
    pub provenance: Provenance,
    pub confidence: f32,
}

/// The answer to a task.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ContextPack {
    pub task: String,
    pub repository: String,
    /// In rank order, best first.
    pub symbols: Vec<PackedSymbol>,
    /// Most useful first.
    pub edges: Vec<PackEdge>,
    /// Ranked symbols that the budget left out, best first.
    pub omitted: Vec<PackedSymbol>,
    pub budget_tokens: usize,
    /// Tokens of the whole rendered text.
    pub tokens_used: usize,
}
