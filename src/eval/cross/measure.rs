//! Measures of one answer, computed from its stored names and ranks.

use serde::{Serialize, Serializer};

use super::record::AnswerRecord;
use crate::eval::matcher::{Matcher, Name};
use crate::eval::metrics::{Metrics, measure};

/// A number between 0 and 1 about an answer; larger is better. NDCG can exceed 1 if several results match one relevant
/// symbol.
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
pub const DEPTHS: [usize; 3] = [5, 10, 20];
/// Depths at which accuracy and hits are measured.
pub const HIT_DEPTHS: [usize; 3] = [1, 5, 10];

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
    strict: Metrics,
}

impl<'a> Scored<'a> {
    /// Measures an answer. One with an error has no results.
    pub fn new(answer: &'a AnswerRecord) -> Scored<'a> {
        let names = |names: &[String]| names.iter().map(|name| Name::new(name)).collect::<Vec<_>>();
        let results = if answer.error.is_some() { Vec::new() } else { names(&answer.ranked) };
        let gold = names(&answer.gold);
        let [dotted, strict] = [Matcher::Dotted, Matcher::Strict].map(|rule| measure(rule, &results, &gold));
        Scored { answer, dotted, strict }
    }

    /// Returns the value of a measure.
    pub fn value(&self, measure: Measure) -> f64 {
        let metrics = match measure.rule {
            Matcher::Dotted => &self.dotted,
            Matcher::Strict => &self.strict,
        };
        let precision = |depth| match depth {
            5 => metrics.p5,
            20 => metrics.p20,
            _ => metrics.p10,
        };
        match measure.formula {
            Formula::Ndcg10 => metrics.ndcg10,
            Formula::ReciprocalRank => metrics.mrr,
            Formula::Precision(depth) => precision(depth),
            Formula::Recall(depth) => self.recall(measure.rule, depth),
            Formula::F1(depth) => {
                let (precision, recall) = (precision(depth), self.recall(measure.rule, depth));
                if precision + recall > 0.0 { 2.0 * precision * recall / (precision + recall) } else { 0.0 }
            }
            Formula::Accuracy(depth) => f64::from(self.found(measure.rule, depth) == self.answer.gold.len()),
            Formula::Hit(depth) => f64::from(self.found(measure.rule, depth) > 0),
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
