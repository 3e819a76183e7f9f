//! Measures of one answer, computed from its stored names and ranks.

use serde::{Serialize, Serializer};

use super::record::AnswerRecord;
use crate::matcher::{Matcher, Name};
use crate::metrics::{Metrics, measure};

/// A number between 0 and 1 about an answer; larger is better. By the dotted rule NDCG can exceed 1, because several
/// results match one relevant symbol; by the strict rule each relevant symbol counts at its first result only, and each
/// result once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Measure {
    pub rule: Matcher,
    pub formula: Formula,
}

/// Formula of a measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Formula {
    /// Normalized discounted cumulative gain of the first ten results.
    Ndcg10,
    /// Reciprocal rank of the first relevant result.
    ReciprocalRank,
    /// Share of the first 5, 10 or 20 results that are relevant.
    Precision(usize),
    /// Share of the relevant symbols that are matched by one of the first results.
    Recall(usize),
    /// Harmonic mean of precision and recall.
    F1(usize),
    /// 1 if every relevant symbol is among the first results.
    Accuracy(usize),
    /// 1 if one relevant symbol is among the first results.
    Hit(usize),
}

/// Depths at which precision, recall and F1 are measured.
const DEPTHS: [usize; 3] = [5, 10, 20];
/// Depths at which accuracy and hits are measured.
const HIT_DEPTHS: [usize; 3] = [1, 5, 10];

/// The measures with intervals and tests. The first orders the systems.
pub const MAIN: [Measure; 4] = [
    Measure { rule: Matcher::Strict, formula: Formula::Ndcg10 },
    Measure { rule: Matcher::Dotted, formula: Formula::Precision(10) },
    Measure { rule: Matcher::Strict, formula: Formula::Recall(10) },
    Measure { rule: Matcher::Strict, formula: Formula::ReciprocalRank },
];

impl Measure {
    /// Returns all measures under one rule, except those of all and of any relevant symbols.
    pub fn graded(rule: Matcher) -> Vec<Measure> {
        let depths = |formula: fn(usize) -> Formula| DEPTHS.map(formula);
        let formulas = [Formula::Ndcg10, Formula::ReciprocalRank]
            .into_iter()
            .chain(depths(Formula::Precision))
            .chain(depths(Formula::Recall))
            .chain(depths(Formula::F1));
        formulas.map(|formula| Measure { rule, formula }).collect()
    }

    /// Returns the strict measures that are 0 or 1: whether all, or any, of the relevant symbols are found.
    pub fn binary() -> Vec<Measure> {
        let formulas = HIT_DEPTHS.map(Formula::Accuracy).into_iter().chain(HIT_DEPTHS.map(Formula::Hit));
        formulas.map(|formula| Measure { rule: Matcher::Strict, formula }).collect()
    }

    /// Returns every measure.
    pub fn all() -> Vec<Measure> {
        let graded = Matcher::ALL.into_iter().rev().flat_map(Measure::graded);
        graded.chain(Measure::binary()).collect()
    }

    /// Returns the usual name of the formula, such as `P@10`.
    pub fn title(&self) -> String {
        match self.formula {
            Formula::Ndcg10 => "NDCG@10".to_owned(),
            Formula::ReciprocalRank => "MRR".to_owned(),
            Formula::Precision(depth) => format!("P@{depth}"),
            Formula::Recall(depth) => format!("R@{depth}"),
            Formula::F1(depth) => format!("F1@{depth}"),
            Formula::Accuracy(depth) => format!("Acc@{depth}"),
            Formula::Hit(depth) => format!("hit@{depth}"),
        }
    }

    /// Returns the rule and the formula, such as `strict NDCG@10`.
    pub fn name(&self) -> String {
        format!("{} {}", self.rule.name(), self.title())
    }
}

impl Serialize for Measure {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.name())
    }
}

/// An answer with its metrics under both rules.
#[derive(Debug, Clone)]
pub struct Scored<'a> {
    pub answer: &'a AnswerRecord,
    dotted: Metrics,
    /// Ranks of the results that are the first strict match of a relevant symbol, each once, ascending.
    strict: Vec<usize>,
}

impl<'a> Scored<'a> {
    /// Measures an answer. One with an error has no results.
    pub fn new(answer: &'a AnswerRecord) -> Scored<'a> {
        let names = |names: &[String]| names.iter().map(|name| Name::new(name)).collect::<Vec<_>>();
        let (results, ranks): (&[String], &[Option<usize>]) = match answer.error {
            Some(_) => (&[], &[]),
            None => (&answer.ranked, &answer.strict_ranks),
        };
        let mut strict: Vec<usize> = ranks.iter().flatten().copied().collect();
        strict.sort_unstable();
        strict.dedup();
        Scored { answer, dotted: measure(Matcher::Dotted, &names(results), &names(&answer.gold)), strict }
    }

    /// Returns the value of a measure.
    pub fn value(&self, measure: Measure) -> f64 {
        let rule = measure.rule;
        match measure.formula {
            Formula::Ndcg10 => match rule {
                Matcher::Dotted => self.dotted.ndcg10,
                Matcher::Strict => self.strict_ndcg10(),
            },
            Formula::ReciprocalRank => match rule {
                Matcher::Dotted => self.dotted.mrr,
                Matcher::Strict => self.strict.first().map_or(0.0, |rank| 1.0 / *rank as f64),
            },
            Formula::Precision(depth) => self.precision(rule, depth),
            Formula::Recall(depth) => self.recall(rule, depth),
            Formula::F1(depth) => {
                let (precision, recall) = (self.precision(rule, depth), self.recall(rule, depth));
                if precision + recall > 0.0 { 2.0 * precision * recall / (precision + recall) } else { 0.0 }
            }
            Formula::Accuracy(depth) => f64::from(self.found(rule, depth) == self.answer.gold.len()),
            Formula::Hit(depth) => f64::from(self.found(rule, depth) > 0),
        }
    }

    fn strict_ndcg10(&self) -> f64 {
        let gain = |rank: usize| 1.0 / ((rank + 1) as f64).log2();
        // The sum of no numbers is −0.
        let found = self.strict.iter().take_while(|rank| **rank <= 10).fold(0.0, |sum, rank| sum + gain(*rank));
        let best: f64 = (1..=self.answer.gold.len().min(10)).map(gain).sum();
        if best > 0.0 { found / best } else { 0.0 }
    }

    /// Returns the share of the first `depth` results that are relevant; missing results count as wrong.
    fn precision(&self, rule: Matcher, depth: usize) -> f64 {
        match (rule, depth) {
            (Matcher::Dotted, 5) => self.dotted.p5,
            (Matcher::Dotted, 20) => self.dotted.p20,
            (Matcher::Dotted, _) => self.dotted.p10,
            (Matcher::Strict, _) => self.strict.iter().filter(|rank| **rank <= depth).count() as f64 / depth as f64,
        }
    }

    /// Returns the share of the relevant symbols among the first `depth` results.
    pub fn recall(&self, rule: Matcher, depth: usize) -> f64 {
        self.found(rule, depth) as f64 / self.answer.gold.len().max(1) as f64
    }

    /// Counts the relevant symbols among the first `depth` results.
    pub fn found(&self, rule: Matcher, depth: usize) -> usize {
        if self.answer.error.is_some() {
            return 0;
        }
        let ranks = match rule {
            Matcher::Dotted => &self.answer.ranks,
            Matcher::Strict => &self.answer.strict_ranks,
        };
        ranks.iter().flatten().filter(|rank| **rank <= depth).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cross::record::Label;

    fn answer(strict_ranks: &[Option<usize>]) -> AnswerRecord {
        AnswerRecord {
            system: "x".to_owned(),
            label: Label::Cold,
            set: "issues".to_owned(),
            repository: "shop".to_owned(),
            language: "python".to_owned(),
            kind: "issue".to_owned(),
            tier: "easy".to_owned(),
            task: "1".to_owned(),
            budget: 5_000,
            home: false,
            ranked: ["a.py.pay", "b.py.pay", "c.py.pay"].map(str::to_owned).to_vec(),
            gold: vec!["a.py.pay".to_owned(); strict_ranks.len()],
            ranks: strict_ranks.to_vec(),
            strict_ranks: strict_ranks.to_vec(),
            tokens: 10,
            seconds: 0.1,
            error: None,
            misses: Vec::new(),
        }
    }

    fn strict(ranks: &[Option<usize>], formula: Formula) -> f64 {
        Scored::new(&answer(ranks)).value(Measure { rule: Matcher::Strict, formula })
    }

    #[test]
    fn strict_measures_count_a_symbol_and_a_result_once() {
        // Three results have the name of the relevant symbol; only the first counts.
        assert_eq!(strict(&[Some(1)], Formula::Ndcg10), 1.0);
        assert_eq!(strict(&[Some(1)], Formula::Precision(5)), 0.2);
        // One result is the first match of two relevant symbols.
        let ideal = 1.0 + 1.0 / 3f64.log2();
        assert!((strict(&[Some(1), Some(1)], Formula::Ndcg10) - 1.0 / ideal).abs() < 1e-12);
        assert_eq!(strict(&[Some(3), None], Formula::ReciprocalRank), 1.0 / 3.0);
        assert_eq!(strict(&[Some(11)], Formula::Ndcg10).to_bits(), 0.0f64.to_bits());
    }
}
