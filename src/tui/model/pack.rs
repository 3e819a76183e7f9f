//! The ranked list: its rows, the cut line, what of it is shown, and the selection.

mod arrangement;
mod delta;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::time::Duration;

pub use arrangement::{Arrangement, Facet, Sort};
pub use delta::Delta;

use crate::model::{ContextPack, PackedSymbol, SymbolId};

/// How much the rows can be trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Stage {
    /// There is nothing to show.
    #[default]
    Empty,
    /// Matches by words, without scores.
    Lexical,
    /// The whole retrieval.
    Full,
}

/// The list as it is shown.
#[derive(Debug, Clone, Default)]
pub struct PackList {
    /// Best first; the first `packed` are in the pack.
    pub symbols: Vec<PackedSymbol>,
    /// Of each symbol its place by score, from 1: one that was too large for the pack ranks above some that are in it.
    pub ranks: Vec<usize>,
    /// Of each symbol how its place changed since the ranking before.
    pub deltas: Vec<Delta>,
    pub packed: usize,
    pub tokens_used: usize,
    pub budget_tokens: usize,
    /// Tokens free for one more symbol.
    pub left_tokens: usize,
    pub stage: Stage,
    /// True while an answer to a newer task is on its way.
    pub stale: bool,
    /// True once that answer has been on its way for long enough to say so.
    pub dimmed: bool,
    /// How long the answer took.
    pub took: Duration,
    /// The selected symbol, by its place in `symbols`.
    pub selected: usize,
    /// First display line on the screen.
    pub offset: usize,
    /// What is listed and in which order.
    pub arrangement: Arrangement,
    /// The listed symbols, by their places in `symbols`.
    pub shown: Vec<usize>,
    /// True once the user has chosen a row: then the selection follows its symbol.
    chosen: bool,
    /// Places of the ranking before.
    baseline: HashMap<SymbolId, usize>,
}

/// What stands on one display line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DisplayLine {
    /// A symbol, by its place in [`PackList::symbols`].
    Symbol(usize),
    Cut,
}

impl PackList {
    /// Shows matches by words.
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

    /// Shows a whole answer.
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

    /// Another kind of question was asked: no place changes from the ranking before, and the answer is read from its top.
    pub fn begin_anew(&mut self) {
        self.baseline.clear();
        self.chosen = false;
    }

    /// Shows nothing; how the list is arranged stays.
    pub fn clear(&mut self) {
        *self = PackList { arrangement: std::mem::take(&mut self.arrangement), ..PackList::default() };
    }

    fn replace(&mut self, rows: PackList) {
        let chosen = self.selected_symbol().filter(|_| self.chosen).map(|packed| packed.symbol.id);
        let place = chosen.and_then(|id| rows.place_of(id));
        let arrangement = std::mem::take(&mut self.arrangement);
        // A chosen symbol that scrolls with its old offset would jump; settling brings it into view.
        *self = PackList {
            selected: place.unwrap_or(0),
            chosen: place.is_some(),
            offset: self.offset,
            arrangement,
            ..rows
        };
        if !self.chosen {
            self.offset = 0;
        }
        self.arrange();
    }

    /// Lists anew what the arrangement wants; a selection that is not listed any more goes to the top.
    pub fn arrange(&mut self) {
        self.shown = self.arrangement.places(&self.symbols, &self.ranks, self.packed);
        if !self.shown.contains(&self.selected) || !self.chosen {
            self.selected = self.shown.first().copied().unwrap_or(0);
        }
    }

    /// The place of this symbol.
    pub fn place_of(&self, id: SymbolId) -> Option<usize> {
        self.symbols.iter().position(|packed| packed.symbol.id == id)
    }

    /// The symbol under the selection; none when none is listed.
    pub fn selected_symbol(&self) -> Option<&PackedSymbol> {
        self.symbols.get(self.selected).filter(|_| !self.shown.is_empty())
    }

    /// The selection's place by score, from 1.
    pub fn selected_rank(&self) -> usize {
        self.ranks.get(self.selected).copied().unwrap_or(0)
    }

    /// The symbols of the pack.
    pub fn packed_symbols(&self) -> &[PackedSymbol] {
        &self.symbols[..self.packed.min(self.symbols.len())]
    }

    /// True for a symbol of the pack, by its place.
    pub fn is_packed(&self, place: usize) -> bool {
        place < self.packed
    }

    /// Selects a symbol by its place, listed or not.
    pub fn select(&mut self, place: usize) {
        self.selected = place.min(self.symbols.len().saturating_sub(1));
        self.chosen = true;
    }

    /// Selects this symbol, showing everything if it is not listed; false when it is not ranked.
    pub fn go_to(&mut self, id: SymbolId) -> bool {
        let Some(place) = self.place_of(id) else { return false };
        if !self.shown.contains(&place) {
            self.arrangement = Arrangement { sort: self.arrangement.sort, ..Arrangement::default() };
        }
        self.select(place);
        self.arrange();
        true
    }

    /// Moves the selection by some listed rows. Back at the top it stays with whatever comes first.
    pub fn step(&mut self, by: isize) {
        let last = self.shown.len().saturating_sub(1);
        let row = self.selected_row().saturating_add_signed(by).min(last);
        if let Some(place) = self.shown.get(row) {
            self.selected = *place;
            self.chosen = row > 0;
        }
    }

    fn selected_row(&self) -> usize {
        self.shown.iter().position(|place| *place == self.selected).unwrap_or(0)
    }

    /// The display line of the cut between packed and omitted symbols; none where they are mixed or all of a kind.
    pub fn cut(&self) -> Option<usize> {
        let packed = self.shown.iter().filter(|place| self.is_packed(**place)).count();
        let parted = self.stage == Stage::Full && self.arrangement.keeps_ranks() && packed < self.shown.len();
        parted.then_some(packed)
    }

    /// Display lines in all.
    pub fn display_len(&self) -> usize {
        self.shown.len() + usize::from(self.cut().is_some())
    }

    /// What stands on this display line.
    pub fn display(&self, line: usize) -> Option<DisplayLine> {
        let row = match self.cut() {
            Some(cut) if line == cut => return Some(DisplayLine::Cut),
            Some(cut) if line > cut => line - 1,
            _ => line,
        };
        self.shown.get(row).map(|place| DisplayLine::Symbol(*place))
    }

    /// The display line of the selection.
    pub fn selected_line(&self) -> usize {
        let row = self.selected_row();
        row + usize::from(self.cut().is_some_and(|cut| row >= cut))
    }

    /// Scrolls as little as shows the selection in `height` lines.
    pub fn settle(&mut self, height: usize) {
        let line = self.selected_line();
        let lowest = self.display_len().saturating_sub(height);
        self.offset = self.offset.max((line + 1).saturating_sub(height)).min(line).min(lowest);
    }

    /// What more tokens would buy, cheapest first: the rank of the best omitted symbol and that of the cheapest, each with
    /// the tokens that it lacks. `dropped` symbols are not for sale.
    pub fn prices(&self, dropped: &dyn Fn(SymbolId) -> bool) -> Vec<(usize, usize)> {
        let omitted = self.symbols.iter().enumerate().skip(self.packed).take(FOR_SALE);
        let offers: Vec<(usize, usize)> = omitted
            .filter(|(_, packed)| !dropped(packed.symbol.id))
            .map(|(place, packed)| (self.ranks[place], packed.tokens.saturating_sub(self.left_tokens)))
            .filter(|(_, missing)| *missing > 0)
            .collect();
        let cheapest = offers.iter().copied().min_by_key(|(_, missing)| *missing);
        let best = offers.first().copied();
        let mut prices: Vec<(usize, usize)> = cheapest.into_iter().chain(best).collect();
        prices.dedup();
        prices
    }
}

/// Omitted symbols whose price is asked.
const FOR_SALE: usize = 50;

/// The place of each symbol by its score, from 1; equal scores keep their order.
fn ranks(symbols: &[PackedSymbol]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..symbols.len()).collect();
    order.sort_by(|one, two| symbols[*two].score.total_cmp(&symbols[*one].score));
    let mut ranks = vec![0; symbols.len()];
    for (rank, place) in order.into_iter().enumerate() {
        ranks[place] = rank + 1;
    }
    ranks
}
