//! The state of the why pane: one symbol explained, or two compared.

use super::waterfall::INTERCEPT;
use crate::engine::{LastCommit, Why};
use crate::model::{Component, Symbol, SymbolId};
use crate::tui::effect::Node;

/// A symbol and the explanation of its rank.
#[derive(Debug, Clone, PartialEq)]
pub struct Explained {
    pub symbol: Symbol,
    /// `None` until the answer is there.
    pub why: Option<Box<Why>>,
}

/// The rank that a symbol would have after one change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counterfactual {
    /// The change, such as `without WEB_SESSION`.
    pub change: String,
    /// From 1; `None` when it would not be ranked.
    pub rank: Option<usize>,
}

/// The state of the pane.
#[derive(Debug, Clone, Default)]
pub struct WhyView {
    /// The symbol that the user chose; `None` while the list's selection is explained.
    pub chosen: Option<Symbol>,
    /// The last explanation received.
    pub answer: Option<Explained>,
    /// The symbol to compare with.
    pub versus: Option<Explained>,
    /// Numbers of the last questions about the first and the second symbol; answers to older ones are dropped.
    pub questions: [u64; 2],
    /// Ranking, index version and symbol of each of those questions.
    pub asked_about: [Option<((u64, u64), Node)>; 2],
    /// The ranks of the symbol of the answer after one change each, once they are computed.
    pub counterfactuals: Vec<Counterfactual>,
    /// Number of the question for the counterfactuals.
    pub counterfactuals_question: u64,
    /// Ranking, index version and symbol of that question.
    pub counterfactuals_about: Option<((u64, u64), SymbolId)>,
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

    /// Compares with this symbol.
    pub fn compare(&mut self, symbol: Symbol) {
        self.versus = Some(Explained { symbol, why: None });
        self.scroll = 0;
    }

    /// Stops comparing, else follows the list's selection again. Returns whether either was possible.
    pub fn follow_list(&mut self) -> bool {
        self.scroll = 0;
        self.versus.take().is_some() || self.chosen.take().is_some()
    }
}

/// The contributions of one component to two scores.
#[derive(Debug, Clone, PartialEq)]
pub struct ComponentPair {
    pub name: &'static str,
    pub one: f64,
    pub other: f64,
}

/// Pairs the components of two scores, the largest difference first, without those that are 0 in both.
pub fn compare_components(one: &[Component], other: &[Component]) -> Vec<ComponentPair> {
    let sum = |components: &[Component], name: &str| {
        components
            .iter()
            .filter(|component| component.name == name)
            .map(|component| component.contribution)
            .sum::<f64>()
    };
    let mut pairs: Vec<ComponentPair> = Vec::new();
    for component in one.iter().chain(other) {
        if pairs.iter().all(|pair| pair.name != component.name) {
            pairs.push(ComponentPair {
                name: component.name,
                one: sum(one, component.name),
                other: sum(other, component.name),
            });
        }
    }
    // The same for every symbol, it explains nothing.
    pairs.retain(|pair| pair.name != INTERCEPT && (pair.one != 0.0 || pair.other != 0.0));
    pairs.sort_by(|first, second| second.difference().abs().total_cmp(&first.difference().abs()));
    pairs
}

impl ComponentPair {
    /// Returns how much more the component contributes to the first score.
    pub fn difference(&self) -> f64 {
        self.one - self.other
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::fixture;

    fn component(name: &'static str, contribution: f64) -> Component {
        Component { name, value: contribution, contribution }
    }

    #[test]
    fn differences_sum_to_that_of_the_scores() {
        let one = [component("walk", 0.5), component("lexical", 0.1), component("idle", 0.0)];
        let other = [component("lexical", 0.4), component("concept", 0.05), component("idle", 0.0)];
        let pairs = compare_components(&one, &other);
        assert_eq!(pairs.iter().map(|pair| pair.name).collect::<Vec<_>>(), ["walk", "lexical", "concept"]);
        let difference: f64 = pairs.iter().map(ComponentPair::difference).sum();
        assert!((difference - (0.6 - 0.45)).abs() < 1e-12);
    }

    #[test]
    fn a_chosen_symbol_stays_until_escape() {
        let pack = fixture::pack();
        let [one, two] = [0, 1].map(|row: usize| pack.symbols[row].symbol.clone());
        let mut explanation = WhyView::default();
        assert_eq!(explanation.symbol(Some(&one)), Some(&one));
        explanation.choose(two.clone());
        explanation.compare(one.clone());
        assert_eq!(explanation.symbol(Some(&one)), Some(&two));
        assert!(explanation.follow_list() && explanation.versus.is_none() && explanation.chosen.is_some());
        assert!(explanation.follow_list() && !explanation.follow_list());
    }
}
