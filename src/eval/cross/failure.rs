//! The cause of a miss, by rule, from what a system printed.

use super::definitions::Definitions;
use super::record::{Cause, Miss};
use super::score::Gold;
use crate::matcher::Name;

/// Number of results that count as found.
const DEPTH: usize = 10;

/// The facts about one answer that decide the causes of its misses.
#[derive(Debug, Clone, Copy)]
pub struct Answer<'a> {
    /// Normalized names within the budget.
    pub results: &'a [String],
    /// Strict ranks within the budget, one a relevant symbol.
    pub ranks: &'a [Option<usize>],
    /// Strict ranks in all that the system printed.
    pub uncut_ranks: &'a [Option<usize>],
    pub has_error: bool,
}

/// Returns the misses of an answer: relevant symbols without a strict rank among the first ten. `is_indexed` asks the
/// system whether its index has a symbol, `None` if it can't tell; `component` returns the component by which
/// better symbols lead, if the system tells its scores.
pub fn misses(
    answer: Answer<'_>,
    gold: &[Gold],
    definitions: &Definitions,
    mut is_indexed: impl FnMut(&Gold) -> Option<bool>,
    mut component: impl FnMut(&Gold) -> Option<String>,
) -> Vec<Miss> {
    let mut misses = Vec::new();
    for (index, gold) in gold.iter().enumerate() {
        let rank = answer.ranks.get(index).copied().flatten();
        if rank.is_some_and(|rank| rank <= DEPTH) {
            continue;
        }
        let uncut = answer.uncut_ranks.get(index).copied().flatten();
        let cause = cause(answer, gold, rank, uncut, definitions, &mut is_indexed);
        let component = (cause == Cause::RankedLow || cause == Cause::OverBudget).then(|| component(gold)).flatten();
        misses.push(Miss { gold: gold.name(), cause, component });
    }
    misses
}

/// Returns the first cause that applies, from the outside in: the label, the answer, the ranking, the index.
fn cause(
    answer: Answer<'_>,
    gold: &Gold,
    rank: Option<usize>,
    uncut: Option<usize>,
    definitions: &Definitions,
    is_indexed: &mut impl FnMut(&Gold) -> Option<bool>,
) -> Cause {
    if answer.has_error {
        return Cause::NoAnswer;
    }
    if rank.is_some() {
        return Cause::RankedLow;
    }
    let name = Name::new(&gold.symbol);
    let is_there = |file: &str| gold.file.as_deref().is_none_or(|gold| gold == file);
    let defined: Vec<bool> = (definitions.matching(&name))
        .filter(|definition| is_there(&definition.file))
        .map(|definition| definition.is_test)
        .collect();
    if defined.is_empty() {
        return Cause::LabelDoubtful;
    }
    if let Some(rank) = uncut {
        return if rank <= DEPTH { Cause::OverBudget } else { Cause::RankedLow };
    }
    if defined.iter().all(|is_test| *is_test) {
        return Cause::TestOrGenerated;
    }
    let top = answer.results.iter().take(DEPTH);
    if top.map(|result| Name::new(result)).any(|result| result.last() == name.last()) {
        return Cause::AmbiguousName;
    }
    match is_indexed(gold) {
        Some(true) => Cause::NotCandidate,
        Some(false) => Cause::NotExtracted,
        None => Cause::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cross::definitions::Definition;

    fn definitions() -> Definitions {
        let definition = |name: &str, is_test| Definition {
            name: format!("a.py.{name}"),
            plain_name: name.to_owned(),
            file: "a.py".to_owned(),
            start_line: 1,
            end_line: 2,
            name_line: 1,
            is_test,
            is_callable: true,
            is_type: false,
        };
        Definitions::new(vec![
            definition("Cart.total", false),
            definition("Cart.pay", false),
            definition("test_total", true),
            definition("Cart.count", false),
        ])
    }

    fn causes(answer: Answer<'_>, symbols: &[&str], indexed: Option<bool>) -> Vec<Cause> {
        let gold: Vec<Gold> = symbols.iter().map(|name| Gold { file: None, symbol: (*name).to_owned() }).collect();
        let misses = misses(answer, &gold, &definitions(), |_| indexed, |_| Some("walk".to_owned()));
        misses.into_iter().map(|miss| miss.cause).collect()
    }

    #[test]
    fn each_rule_has_its_cause() {
        let results = ["a.py.Order.total".to_owned()];
        let answer = |ranks: &'static [Option<usize>], uncut_ranks: &'static [Option<usize>]| Answer {
            results: &results,
            ranks,
            uncut_ranks,
            has_error: false,
        };
        assert_eq!(causes(answer(&[Some(3)], &[Some(3)]), &["Cart.pay"], None), []);
        assert_eq!(causes(answer(&[Some(12)], &[Some(12)]), &["Cart.pay"], None), [Cause::RankedLow]);
        assert_eq!(causes(answer(&[None], &[Some(8)]), &["Cart.pay"], None), [Cause::OverBudget]);
        assert_eq!(causes(answer(&[None], &[Some(80)]), &["Cart.pay"], None), [Cause::RankedLow]);
        assert_eq!(causes(answer(&[None], &[None]), &["Till.open"], None), [Cause::LabelDoubtful]);
        assert_eq!(causes(answer(&[None], &[None]), &["test_total"], None), [Cause::TestOrGenerated]);
        assert_eq!(causes(answer(&[None], &[None]), &["Cart.total"], Some(true)), [Cause::AmbiguousName]);
        let indexed = [(Some(true), Cause::NotCandidate), (Some(false), Cause::NotExtracted), (None, Cause::Unknown)];
        for (indexed, cause) in indexed {
            assert_eq!(causes(answer(&[None], &[None]), &["Cart.count"], indexed), [cause]);
        }
        let failed = Answer { has_error: true, ..answer(&[None], &[None]) };
        assert_eq!(causes(failed, &["Cart.pay"], None), [Cause::NoAnswer]);
    }
}
