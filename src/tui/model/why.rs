//! The why pane: one symbol explained, or two compared.

use crate::engine::Why;
use crate::model::{Component, Symbol, SymbolId};
use crate::tui::effect::Node;

/// A symbol and what is known of its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Explained {
    pub symbol: Symbol,
    /// None until it has come.
    pub why: Option<Box<Why>>,
}

/// Where a symbol would stand if one thing were otherwise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Otherwise {
    /// That one thing, in words.
    pub supposed: String,
    /// From 1; none when it would not be ranked.
    pub place: Option<usize>,
}

/// The state of the pane.
#[derive(Debug, Clone, Default)]
pub struct WhyView {
    /// The symbol that the user chose; without one it is the list's selection.
    pub chosen: Option<Symbol>,
    /// The last explanation that came.
    pub answer: Option<Explained>,
    /// The symbol to compare with.
    pub versus: Option<Explained>,
    /// Numbers of the last questions about the first and the second symbol; answers to older ones are dropped.
    pub asked: [u64; 2],
    /// What those questions were about: the ranking and the index of their time, and the symbol.
    pub awaited: [Option<((u64, u64), Node)>; 2],
    /// Where the symbol of the answer would stand if one thing were otherwise, once that is known.
    pub otherwise: Vec<Otherwise>,
    /// Number of the question for that.
    pub asked_otherwise: u64,
    /// What that question was about: the ranking and the index of its time, and the symbol.
    pub awaited_otherwise: Option<((u64, u64), SymbolId)>,
    pub scroll: usize,
    /// Why there is nothing to see.
    pub trouble: Option<String>,
}

impl WhyView {
    /// The symbol that is explained, given the list's selection.
    pub fn subject<'view>(&'view self, selection: Option<&'view Symbol>) -> Option<&'view Symbol> {
        self.chosen.as_ref().or(selection)
    }

    /// The explanation of this symbol, if it has come.
    pub fn of(&self, id: SymbolId) -> Option<&Why> {
        self.answer.as_ref().filter(|answer| answer.symbol.id == id)?.why.as_deref()
    }

    /// Explains this symbol whatever the list selects.
    pub fn choose(&mut self, symbol: Symbol) {
        self.chosen = Some(symbol);
        self.scroll = 0;
    }

    /// Compares with this symbol.
    pub fn compare(&mut self, symbol: Symbol) {
        self.versus = Some(Explained { symbol, why: None });
        self.scroll = 0;
    }

    /// Stops comparing, else follows the list's selection again; false when it already does.
    pub fn leave(&mut self) -> bool {
        self.scroll = 0;
        self.versus.take().is_some() || self.chosen.take().is_some()
    }
}

/// A part of two scores: what it adds to each.
#[derive(Debug, Clone, PartialEq)]
pub struct Pair {
    pub name: &'static str,
    pub one: f64,
    pub other: f64,
}

/// The parts of two scores side by side, the largest difference first; parts that are nothing in both are left out.
pub fn pairs(one: &[Component], other: &[Component]) -> Vec<Pair> {
    let sum = |parts: &[Component], name: &str| {
        parts.iter().filter(|part| part.name == name).map(|part| part.contribution).sum::<f64>()
    };
    let mut pairs: Vec<Pair> = Vec::new();
    for part in one.iter().chain(other) {
        if pairs.iter().all(|pair| pair.name != part.name) {
            pairs.push(Pair { name: part.name, one: sum(one, part.name), other: sum(other, part.name) });
        }
    }
    pairs.retain(|pair| pair.one != 0.0 || pair.other != 0.0);
    pairs.sort_by(|first, second| second.difference().abs().total_cmp(&first.difference().abs()));
    pairs
}

impl Pair {
    /// What the first has more of.
    pub fn difference(&self) -> f64 {
        self.one - self.other
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::fixture;

    fn part(name: &'static str, contribution: f64) -> Component {
        Component { name, value: contribution, weight: 1.0, contribution }
    }

    #[test]
    fn pairs_differ_by_what_the_scores_differ_by() {
        let one = [part("walk", 0.5), part("lexical", 0.1), part("idle", 0.0)];
        let other = [part("lexical", 0.4), part("class", 0.05), part("idle", 0.0)];
        let pairs = pairs(&one, &other);
        assert_eq!(pairs.iter().map(|pair| pair.name).collect::<Vec<_>>(), ["walk", "lexical", "class"]);
        let difference: f64 = pairs.iter().map(Pair::difference).sum();
        assert!((difference - (0.6 - 0.45)).abs() < 1e-12);
    }

    #[test]
    fn a_chosen_symbol_stays_until_it_is_left() {
        let pack = fixture::pack();
        let [one, two] = [0, 1].map(|row: usize| pack.symbols[row].symbol.clone());
        let mut explanation = WhyView::default();
        assert_eq!(explanation.subject(Some(&one)), Some(&one));
        explanation.choose(two.clone());
        explanation.compare(one.clone());
        assert_eq!(explanation.subject(Some(&one)), Some(&two));
        assert!(explanation.leave() && explanation.versus.is_none() && explanation.chosen.is_some());
        assert!(explanation.leave() && !explanation.leave());
    }
}
