//! Metrics of a ranked list against a task's ground truth.
//!
//! Precision, recall and mean reciprocal rank as in Manning, Raghavan and Schütze, *Introduction to Information
//! Retrieval*, chapter 8; NDCG after Järvelin and Kekäläinen (2002), with gains of 0 and 1.

use std::iter::Sum;
use std::ops::{Add, Sub};

use serde::{Deserialize, Serialize};

use super::matcher::{Matcher, Name};

/// One value per metric, or their differences. Values are from 0 to 1, except that NDCG can exceed 1.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Metrics {
    /// Precision at 5: share of the first five results that match the ground truth. Missing results count as wrong.
    pub p5: f64,
    pub p10: f64,
    pub p20: f64,
    /// Recall at 10: share of the ground truth that is matched by one of the first ten results.
    pub r10: f64,
    /// Normalized discounted cumulative gain at 10. It exceeds 1 if several results match one entry of the ground
    /// truth, as the dotted rule allows.
    pub ndcg10: f64,
    /// Reciprocal rank of the first match among all results; 0 without a match.
    pub mrr: f64,
    /// Like `r10`, but a result matches at most one entry of the ground truth, and at most ten entries count.
    pub distinct10: f64,
}

impl Metrics {
    /// Number of metrics.
    pub const COUNT: usize = 7;
    /// Column headings, in the order of [`Metrics::values`].
    pub const NAMES: [&'static str; Self::COUNT] = ["P@5", "P@10", "P@20", "R@10", "NDCG@10", "MRR", "distinct"];

    /// Returns the values, in the order of [`Metrics::NAMES`].
    pub fn values(&self) -> [f64; Self::COUNT] {
        [self.p5, self.p10, self.p20, self.r10, self.ndcg10, self.mrr, self.distinct10]
    }

    /// Creates metrics from values in the order of [`Metrics::NAMES`].
    pub fn from_values([p5, p10, p20, r10, ndcg10, mrr, distinct10]: [f64; Self::COUNT]) -> Metrics {
        Metrics { p5, p10, p20, r10, ndcg10, mrr, distinct10 }
    }

    /// Multiplies each value by `factor`.
    pub fn scaled(&self, factor: f64) -> Metrics {
        Metrics::from_values(self.values().map(|value| value * factor))
    }

    /// Returns the mean of `all`; zeros if there are none.
    pub fn mean(all: impl ExactSizeIterator<Item = Metrics>) -> Metrics {
        let count = all.len().max(1) as f64;
        all.sum::<Metrics>().scaled(1.0 / count)
    }
}

impl Add for Metrics {
    type Output = Metrics;

    fn add(self, other: Metrics) -> Metrics {
        let mut values = self.values();
        values.iter_mut().zip(other.values()).for_each(|(value, more)| *value += more);
        Metrics::from_values(values)
    }
}

impl Sub for Metrics {
    type Output = Metrics;

    fn sub(self, other: Metrics) -> Metrics {
        self + other.scaled(-1.0)
    }
}

impl Sum for Metrics {
    fn sum<I: Iterator<Item = Metrics>>(all: I) -> Metrics {
        all.fold(Metrics::default(), Add::add)
    }
}

/// Number of results that most metrics consider.
const DEPTH: usize = 10;

/// Measures `results`, best first, against `truth`. Complexity: results times entries of the ground truth.
pub fn measure(matcher: Matcher, results: &[Name], truth: &[Name]) -> Metrics {
    if truth.is_empty() {
        return Metrics::default();
    }
    let matched = |result: &Name| truth.iter().any(|truth| matcher.matches(result, truth));
    let first = results.iter().position(matched);
    let relevant: Vec<bool> = results.iter().take(20).map(matched).collect();
    let top = &results[..results.len().min(DEPTH)];
    let found = truth.iter().filter(|truth| top.iter().any(|result| matcher.matches(result, truth))).count();
    let gain = |index: usize| 1.0 / ((index + 2) as f64).log2();
    let hits = relevant.iter().take(DEPTH).enumerate().filter(|(_, is_relevant)| **is_relevant);
    let best: f64 = (0..truth.len().min(DEPTH)).map(gain).sum();
    Metrics {
        p5: precision(&relevant, 5),
        p10: precision(&relevant, DEPTH),
        p20: precision(&relevant, 20),
        r10: found as f64 / truth.len() as f64,
        ndcg10: hits.map(|(index, _)| gain(index)).sum::<f64>() / best,
        mrr: first.map_or(0.0, |index| 1.0 / (index + 1) as f64),
        distinct10: distinct(matcher, top, truth) as f64 / truth.len().min(DEPTH) as f64,
    }
}

fn precision(relevant: &[bool], depth: usize) -> f64 {
    relevant.iter().take(depth).filter(|is_relevant| **is_relevant).count() as f64 / depth as f64
}

/// Counts the entries of the ground truth matched greedily: each result takes the first unmatched entry that it
/// matches.
fn distinct(matcher: Matcher, results: &[Name], truth: &[Name]) -> usize {
    let mut left: Vec<&Name> = truth.iter().collect();
    for result in results {
        if let Some(index) = left.iter().position(|truth| matcher.matches(result, truth)) {
            left.remove(index);
        }
    }
    truth.len() - left.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(texts: &[&str]) -> Vec<Name> {
        texts.iter().map(|text| Name::new(text)).collect()
    }

    #[test]
    fn values_follow_their_definitions() {
        let results = names(&["a.py.other", "a.py.Cart.total", "a.py.Cart", "a.py.Cart.total"]);
        let truth = names(&["Cart.total", "charge"]);
        let strict = measure(Matcher::Strict, &results, &truth);
        assert_eq!((strict.p5, strict.p10, strict.p20), (0.4, 0.2, 0.1));
        assert_eq!((strict.r10, strict.mrr, strict.distinct10), (0.5, 0.5, 0.5));
        let ideal = 1.0 + 1.0 / 3f64.log2();
        assert!((strict.ndcg10 - (1.0 / 3f64.log2() + 1.0 / 5f64.log2()) / ideal).abs() < 1e-12);
        let dotted = measure(Matcher::Dotted, &results, &truth);
        assert_eq!((dotted.p5, dotted.r10, dotted.distinct10), (0.6, 0.5, 0.5));
    }

    #[test]
    fn distinct_credits_a_result_once() {
        let truth = names(&["Cart", "Cart.total", "Cart.count"]);
        let dotted = measure(Matcher::Dotted, &names(&["a.py.Cart"]), &truth);
        assert_eq!((dotted.r10, dotted.distinct10), (1.0, 1.0 / 3.0));
    }

    #[test]
    fn only_reciprocal_rank_counts_results_beyond_ten() {
        let mut results = vec!["x"; 24];
        results.push("Cart");
        let metrics = measure(Matcher::Strict, &names(&results), &names(&["Cart"]));
        assert_eq!(metrics, Metrics { mrr: 1.0 / 25.0, ..Metrics::default() });
    }

    #[test]
    fn empty_lists_have_zero_metrics() {
        assert_eq!(measure(Matcher::Dotted, &[], &names(&["a"])), Metrics::default());
        assert_eq!(measure(Matcher::Dotted, &names(&["a"]), &[]), Metrics::default());
        assert_eq!(Metrics::mean([].into_iter()), Metrics::default());
    }

    #[test]
    fn means_and_differences_are_per_metric() {
        let one = Metrics { p5: 0.25, mrr: 1.0, ..Metrics::default() };
        let mean = Metrics::mean([one, Metrics::default()].into_iter());
        assert_eq!((mean.p5, mean.mrr, mean.r10), (0.125, 0.5, 0.0));
        assert_eq!((mean - one).p5, -0.125);
    }
}
