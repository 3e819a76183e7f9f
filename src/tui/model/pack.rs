//! The ranked list: its rows, the cut line and the selection.

use std::time::Duration;

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
    /// In rank order; the first `packed` are in the pack.
    pub symbols: Vec<PackedSymbol>,
    pub packed: usize,
    pub tokens_used: usize,
    pub budget_tokens: usize,
    pub stage: Stage,
    /// True while an answer to a newer task is on its way.
    pub stale: bool,
    /// True once that answer has been on its way for long enough to say so.
    pub dimmed: bool,
    /// How long the answer took.
    pub took: Duration,
    pub selected: usize,
    /// First display line on the screen.
    pub offset: usize,
    /// True once the user has chosen a row: then the selection follows its symbol.
    chosen: bool,
}

/// What stands on one display line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DisplayLine {
    Symbol(usize),
    Cut,
}

impl PackList {
    /// Shows matches by words.
    pub fn set_lexical(&mut self, symbols: Vec<PackedSymbol>, took: Duration) {
        let packed = symbols.len();
        let rows = PackList {
            symbols,
            packed,
            tokens_used: self.tokens_used,
            budget_tokens: self.budget_tokens,
            stage: Stage::Lexical,
            took,
            ..PackList::default()
        };
        self.replace(rows);
    }

    /// Shows a whole answer.
    pub fn set_pack(&mut self, pack: ContextPack, took: Duration) {
        let packed = pack.symbols.len();
        let mut symbols = pack.symbols;
        symbols.extend(pack.omitted);
        let rows = PackList {
            symbols,
            packed,
            tokens_used: pack.tokens_used,
            budget_tokens: pack.budget_tokens,
            stage: Stage::Full,
            took,
            ..PackList::default()
        };
        self.replace(rows);
    }

    fn replace(&mut self, rows: PackList) {
        let chosen = self.selected_symbol().filter(|_| self.chosen).map(|packed| packed.symbol.id);
        let place = chosen.and_then(|id| rows.place_of(id));
        // A chosen symbol that scrolls with its old offset would jump; settling brings it into view.
        *self = PackList { selected: place.unwrap_or(0), chosen: place.is_some(), offset: self.offset, ..rows };
        if !self.chosen {
            self.offset = 0;
        }
    }

    /// The row of this symbol.
    pub fn place_of(&self, id: SymbolId) -> Option<usize> {
        self.symbols.iter().position(|packed| packed.symbol.id == id)
    }

    /// The symbol under the selection.
    pub fn selected_symbol(&self) -> Option<&PackedSymbol> {
        self.symbols.get(self.selected)
    }

    /// Selects a row, as near to `place` as there is one.
    pub fn select(&mut self, place: usize) {
        self.selected = place.min(self.symbols.len().saturating_sub(1));
        self.chosen = self.selected > 0;
    }

    /// Moves the selection by some rows.
    pub fn step(&mut self, by: isize) {
        self.select(self.selected.saturating_add_signed(by));
    }

    /// True when a cut line stands between packed and omitted symbols.
    pub fn has_cut(&self) -> bool {
        self.stage == Stage::Full && self.packed < self.symbols.len()
    }

    /// Display lines in all.
    pub fn display_len(&self) -> usize {
        self.symbols.len() + usize::from(self.has_cut())
    }

    /// What stands on this display line.
    pub fn display(&self, line: usize) -> Option<DisplayLine> {
        let shown = match self.has_cut() {
            true if line == self.packed => return Some(DisplayLine::Cut),
            true if line > self.packed => line - 1,
            _ => line,
        };
        (shown < self.symbols.len()).then_some(DisplayLine::Symbol(shown))
    }

    /// The display line of the selection.
    pub fn selected_line(&self) -> usize {
        self.selected + usize::from(self.has_cut() && self.selected >= self.packed)
    }

    /// Scrolls as little as shows the selection in `height` lines.
    pub fn settle(&mut self, height: usize) {
        let line = self.selected_line();
        let lowest = self.display_len().saturating_sub(height);
        self.offset = self.offset.max((line + 1).saturating_sub(height)).min(line).min(lowest);
    }

    /// Tokens the budget still has, and for the first omitted symbols the tokens that would admit each.
    pub fn prices(&self) -> (usize, Vec<(usize, usize)>) {
        let free = self.budget_tokens.saturating_sub(self.tokens_used);
        let price = |(place, packed): (usize, &PackedSymbol)| (place + 1, packed.tokens.saturating_sub(free));
        let omitted = self.symbols.iter().enumerate().skip(self.packed).take(2);
        (free, omitted.map(price).filter(|(_, missing)| *missing > 0).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::fixture;
    use super::*;

    #[test]
    fn the_selection_follows_the_symbol_once_it_was_chosen() {
        let mut rows = PackList::default();
        rows.set_pack(fixture::pack(), Duration::ZERO);
        rows.select(2);
        let chosen = rows.selected_symbol().unwrap().symbol.id;
        let mut pack = fixture::pack();
        pack.symbols.swap(0, 2);
        rows.set_pack(pack, Duration::ZERO);
        assert_eq!(rows.selected, 0);
        assert_eq!(rows.selected_symbol().unwrap().symbol.id, chosen);
    }

    #[test]
    fn an_untouched_selection_stays_on_top() {
        let mut rows = PackList::default();
        rows.set_pack(fixture::pack(), Duration::ZERO);
        let mut pack = fixture::pack();
        pack.symbols.swap(0, 2);
        rows.set_pack(pack, Duration::ZERO);
        assert_eq!(rows.selected, 0);
    }

    #[test]
    fn the_cut_line_stands_between_packed_and_omitted() {
        let mut rows = PackList::default();
        rows.set_pack(fixture::pack(), Duration::ZERO);
        let packed = rows.packed;
        assert_eq!(rows.display(packed - 1), Some(DisplayLine::Symbol(packed - 1)));
        assert_eq!(rows.display(packed), Some(DisplayLine::Cut));
        assert_eq!(rows.display(packed + 1), Some(DisplayLine::Symbol(packed)));
        assert_eq!(rows.display(rows.display_len()), None);
        rows.select(packed);
        rows.settle(3);
        assert_eq!(rows.offset, packed - 1);
    }

    #[test]
    fn prices_say_what_the_next_symbols_lack() {
        let mut rows = PackList::default();
        rows.set_pack(fixture::pack(), Duration::ZERO);
        let (free, prices) = rows.prices();
        assert_eq!(free, rows.budget_tokens - rows.tokens_used);
        assert_eq!(prices.len(), 2);
    }
}
