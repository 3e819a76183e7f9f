//! The state of the pack pane: the ranked symbols, the cut line, which of them are listed, and the selection.

use std::collections::HashMap;
use std::time::Duration;

use super::arrangement::Arrangement;
use super::delta::{self, Delta};
use crate::model::{ContextPack, PackedSymbol, SymbolId};

/// The completeness of the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Stage {
    /// No rows.
    #[default]
    Empty,
    /// Lexical matches without scores.
    Lexical,
    /// A complete ranking.
    Full,
}

/// The ranked list.
#[derive(Debug, Clone, Default)]
pub struct PackList {
    /// Packed symbols, then omitted ones, each best first.
    pub symbols: Vec<PackedSymbol>,
    /// The rank by score of each symbol, from 1. A symbol too large for the pack ranks above some that are packed.
    pub ranks: Vec<usize>,
    /// The change of each rank since the previous ranking.
    pub deltas: Vec<Delta>,
    /// The number of packed symbols.
    pub packed: usize,
    pub tokens_used: usize,
    pub budget_tokens: usize,
    /// Tokens left for one more symbol.
    pub left_tokens: usize,
    pub stage: Stage,
    /// Whether a newer ranking was requested.
    pub stale: bool,
    /// Whether that request takes long enough for the rows to be dimmed.
    pub dimmed: bool,
    /// The time that the ranking took.
    pub took: Duration,
    /// Index of the selected symbol in `symbols`.
    pub selected: usize,
    /// First visible display line.
    pub offset: usize,
    /// Filter, facet and order.
    pub arrangement: Arrangement,
    /// Indexes of the listed symbols in `symbols`, in their order.
    pub shown: Vec<usize>,
    /// Whether the user chose a row: then the selection follows its symbol.
    chosen: bool,
    /// The ranks of the previous ranking.
    baseline: HashMap<SymbolId, usize>,
}

/// The content of a display line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DisplayLine {
    /// A symbol, by its index in [`PackList::symbols`].
    Symbol(usize),
    /// The line below the last packed symbol.
    Cut,
}

impl PackList {
    /// Shows lexical matches.
    pub fn set_lexical(&mut self, symbols: Vec<PackedSymbol>, took: Duration) {
        let rows = PackList {
            packed: symbols.len(),
            ranks: (1..=symbols.len()).collect(),
            deltas: vec![Delta::Same; symbols.len()],
            symbols,
            tokens_used: self.tokens_used,
            budget_tokens: self.budget_tokens,
            stage: Stage::Lexical,
            took,
            baseline: std::mem::take(&mut self.baseline),
            ..PackList::default()
        };
        self.replace(rows);
    }

    /// Shows a complete ranking.
    pub fn set_pack(&mut self, pack: ContextPack, took: Duration) {
        let packed = pack.symbols.len();
        let mut symbols = pack.symbols;
        symbols.extend(pack.omitted);
        let ranks = ranks(&symbols);
        let deltas = delta::deltas(&symbols, &ranks, packed, &self.baseline);
        let baseline = symbols.iter().map(|packed| packed.symbol.id).zip(ranks.iter().copied()).collect();
        let rows = PackList {
            symbols,
            ranks,
            deltas,
            packed,
            tokens_used: pack.tokens_used,
            budget_tokens: pack.budget_tokens,
            left_tokens: pack.left_tokens,
            stage: Stage::Full,
            took,
            baseline,
            ..PackList::default()
        };
        self.replace(rows);
    }

    /// Forgets the previous ranking and the choice of a row, because the next ranking is of another kind of task.
    pub fn reset_baseline(&mut self) {
        self.baseline.clear();
        self.chosen = false;
    }

    /// Shows nothing. Filter, facet and order stay.
    pub fn clear(&mut self) {
        *self = PackList { arrangement: std::mem::take(&mut self.arrangement), ..PackList::default() };
    }

    fn replace(&mut self, rows: PackList) {
        let chosen = self.selected_symbol().filter(|_| self.chosen).map(|packed| packed.symbol.id);
        let index = chosen.and_then(|id| rows.index_of(id));
        let arrangement = std::mem::take(&mut self.arrangement);
        // With the old offset a chosen symbol does not jump; `settle` makes it visible.
        *self = PackList {
            selected: index.unwrap_or(0),
            chosen: index.is_some(),
            offset: self.offset,
            arrangement,
            ..rows
        };
        if !self.chosen {
            self.offset = 0;
        }
        self.arrange();
    }

    /// Applies filter, facet and order. A selection that is no longer listed moves to the first row.
    pub fn arrange(&mut self) {
        self.shown = self.arrangement.indexes(&self.symbols, &self.ranks, self.packed);
        if !self.shown.contains(&self.selected) || !self.chosen {
            self.selected = self.shown.first().copied().unwrap_or(0);
        }
    }

    /// Returns the index of a symbol.
    pub fn index_of(&self, id: SymbolId) -> Option<usize> {
        self.symbols.iter().position(|packed| packed.symbol.id == id)
    }

    /// Returns the rank of a symbol, from 1, as the list shows it.
    pub fn rank_of(&self, id: SymbolId) -> Option<usize> {
        self.ranks.get(self.index_of(id)?).copied()
    }

    /// Returns the selected symbol; `None` when none is listed.
    pub fn selected_symbol(&self) -> Option<&PackedSymbol> {
        self.symbols.get(self.selected).filter(|_| !self.shown.is_empty())
    }

    /// Returns the rank of the selected symbol, from 1.
    pub fn selected_rank(&self) -> usize {
        self.ranks.get(self.selected).copied().unwrap_or(0)
    }

    /// Returns the packed symbols.
    pub fn packed_symbols(&self) -> &[PackedSymbol] {
        &self.symbols[..self.packed.min(self.symbols.len())]
    }

    /// Returns whether the symbol with this index is packed.
    pub fn is_packed(&self, index: usize) -> bool {
        index < self.packed
    }

    /// Selects a symbol by its index, listed or not.
    pub fn select(&mut self, index: usize) {
        self.selected = index.min(self.symbols.len().saturating_sub(1));
        self.chosen = true;
    }

    /// Selects a symbol, clearing filter and facet if it is not listed. Returns false if it is not ranked.
    pub fn go_to(&mut self, id: SymbolId) -> bool {
        let Some(index) = self.index_of(id) else { return false };
        if !self.shown.contains(&index) {
            self.arrangement = Arrangement { sort: self.arrangement.sort, ..Arrangement::default() };
        }
        self.select(index);
        self.arrange();
        true
    }

    /// Moves the selection by some rows. On the first row it stays there, whichever symbol comes first.
    pub fn step(&mut self, by: isize) {
        let last = self.shown.len().saturating_sub(1);
        let row = self.selected_row().saturating_add_signed(by).min(last);
        if let Some(index) = self.shown.get(row) {
            self.selected = *index;
            self.chosen = row > 0;
        }
    }

    fn selected_row(&self) -> usize {
        self.shown.iter().position(|index| *index == self.selected).unwrap_or(0)
    }

    /// Returns the display line between packed and omitted symbols; `None` where they are mixed or only one kind is listed.
    pub fn cut(&self) -> Option<usize> {
        let packed = self.shown.iter().filter(|index| self.is_packed(**index)).count();
        let parted = self.stage == Stage::Full && self.arrangement.is_by_rank() && packed < self.shown.len();
        parted.then_some(packed)
    }

    /// Returns the number of display lines.
    pub fn display_len(&self) -> usize {
        self.shown.len() + usize::from(self.cut().is_some())
    }

    /// Returns the content of a display line.
    pub fn display(&self, line: usize) -> Option<DisplayLine> {
        let row = match self.cut() {
            Some(cut) if line == cut => return Some(DisplayLine::Cut),
            Some(cut) if line > cut => line - 1,
            _ => line,
        };
        self.shown.get(row).map(|index| DisplayLine::Symbol(*index))
    }

    /// Returns the display line of the selection.
    pub fn selected_line(&self) -> usize {
        let row = self.selected_row();
        row + usize::from(self.cut().is_some_and(|cut| row >= cut))
    }

    /// Scrolls no further than needed to show the selection in `height` rows.
    pub fn settle(&mut self, height: usize) {
        let line = self.selected_line();
        let lowest = self.display_len().saturating_sub(height);
        self.offset = self.offset.max((line + 1).saturating_sub(height)).min(line).min(lowest);
    }

    /// Returns what a larger budget would admit: the cheapest and the best omitted symbol that is neither `dropped` nor of
    /// negative score, each by its rank and with the tokens that are missing.
    pub fn admission_costs(&self, dropped: &dyn Fn(SymbolId) -> bool) -> Vec<(usize, usize)> {
        let omitted = self.symbols.iter().enumerate().skip(self.packed).take(MAX_CANDIDATES);
        let offers: Vec<(usize, usize)> = omitted
            .filter(|(_, packed)| !packed.is_negative() && !dropped(packed.symbol.id))
            .map(|(index, packed)| (self.ranks[index], packed.tokens.saturating_sub(self.left_tokens)))
            .filter(|(_, missing)| *missing > 0)
            .collect();
        let cheapest = offers.iter().copied().min_by_key(|(_, missing)| *missing);
        let best = offers.first().copied();
        let mut costs: Vec<(usize, usize)> = cheapest.into_iter().chain(best).collect();
        costs.dedup();
        costs
    }
}

/// Omitted symbols that are considered.
const MAX_CANDIDATES: usize = 50;

/// Returns the rank of each symbol by score, from 1; equal scores keep their order.
fn ranks(symbols: &[PackedSymbol]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..symbols.len()).collect();
    order.sort_by(|one, two| symbols[*two].score.total_cmp(&symbols[*one].score));
    let mut ranks = vec![0; symbols.len()];
    for (rank, index) in order.into_iter().enumerate() {
        ranks[index] = rank + 1;
    }
    ranks
}
