//! The state of the why pane: the explanation of a symbol's rank.

use crate::engine::{LastCommit, Why};
use crate::model::{Symbol, SymbolId};
use crate::tui::effect::Node;

/// A symbol and the explanation of its rank.
#[derive(Debug, Clone, PartialEq)]
pub struct Explained {
    pub symbol: Symbol,
    /// `None` until the answer is there.
    pub why: Option<Box<Why>>,
}

/// The state of the pane.
#[derive(Debug, Clone, Default)]
pub struct WhyView {
    /// The symbol that the user chose; `None` while the list's selection is explained.
    pub chosen: Option<Symbol>,
    /// The last explanation received.
    pub answer: Option<Explained>,
    /// Number of the last question; answers to older ones are dropped.
    pub question: u64,
    /// Ranking, index version and symbol of that question.
    pub asked_about: Option<((u64, u64), Node)>,
    /// The commit that last changed the lines of the answer's symbol, once it is looked up.
    pub last_commit: Option<LastCommit>,
    /// Number of the question for that commit, and what it was about: generation, version of the index, symbol.
    pub commit_question: u64,
    pub commit_about: Option<((u64, u64), SymbolId)>,
    pub scroll: usize,
    /// Whether the numbers behind the rank are shown.
    pub has_numbers: bool,
    /// Whether the small components have bars of their own.
    pub unfolded: bool,
    /// Why there is no explanation.
    pub error: Option<String>,
}

impl WhyView {
    /// Returns the symbol to explain, given the list's selection.
    pub fn symbol<'view>(&'view self, selection: Option<&'view Symbol>) -> Option<&'view Symbol> {
        self.chosen.as_ref().or(selection)
    }

    /// Returns the explanation of this symbol if it was received.
    pub fn explanation(&self, id: SymbolId) -> Option<&Why> {
        self.answer.as_ref().filter(|answer| answer.symbol.id == id)?.why.as_deref()
    }

    /// Explains this symbol, whichever the list selects.
    pub fn choose(&mut self, symbol: Symbol) {
        self.chosen = Some(symbol);
        self.scroll = 0;
    }

    /// Follows the list's selection again. Returns whether it did not.
    pub fn follow_list(&mut self) -> bool {
        self.scroll = 0;
        self.chosen.take().is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::fixture;

    #[test]
    fn a_chosen_symbol_stays_until_escape() {
        let pack = fixture::pack();
        let [one, two] = [0, 1].map(|row: usize| pack.symbols[row].symbol.clone());
        let mut explanation = WhyView::default();
        assert_eq!(explanation.symbol(Some(&one)), Some(&one));
        explanation.choose(two.clone());
        assert_eq!(explanation.symbol(Some(&one)), Some(&two));
        assert!(explanation.follow_list() && !explanation.follow_list());
        assert_eq!(explanation.symbol(Some(&one)), Some(&one));
    }
}
