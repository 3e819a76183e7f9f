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
    /// Ranked symbols that the budget left out, best first. Each one's `tokens` is more than `left_tokens`,
    /// unless the task drops it.
    pub omitted: Vec<PackedSymbol>,
    pub budget_tokens: usize,
    /// Tokens of the whole rendered text.
    pub tokens_used: usize,
    /// Tokens that were free for one more symbol when none fitted any more: a little less than the budget without
    /// `tokens_used`, since the frame of the text keeps a reserve.
    pub left_tokens: usize,
    /// Files whose source was asked for and can't be shown, by name.
    pub missing_sources: Vec<MissingSource>,
}

/// A file that has no source to show, or another one than was indexed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingSource {
    pub file: String,
    pub reason: String,
}

/// Why a ranked symbol is not in the pack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Omission {
    /// It ranks above symbols of the pack, but is larger than what was left when its turn came.
    TooLarge,
    /// It ranks below every symbol of the pack.
    Below,
}

/// Where the budget ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CutLine<'a> {
    /// The best symbol that the pack has not; its `tokens` are what it would cost.
    pub next: &'a PackedSymbol,
    /// Tokens that were left for it.
    pub left_tokens: usize,
    /// Omitted symbols by the reason why.
    pub too_large: usize,
    pub below: usize,
}

impl ContextPack {
    /// Why `symbol`, one of those omitted, is not in the pack.
    pub fn omission(&self, symbol: &PackedSymbol) -> Omission {
        match self.symbols.last() {
            Some(last) if symbol.score > last.score => Omission::TooLarge,
            // Without any symbol in the pack there is no rank to be below.
            None => Omission::TooLarge,
            Some(_) => Omission::Below,
        }
    }

    /// The cut line; none when everything that was ranked is in the pack.
    pub fn cut(&self) -> Option<CutLine<'_>> {
        let next = self.omitted.first()?;
        let too_large = self.omitted.iter().filter(|symbol| self.omission(symbol) == Omission::TooLarge).count();
        let below = self.omitted.len() - too_large;
        Some(CutLine { next, left_tokens: self.left_tokens, too_large, below })
    }
}
