//! Claims: when a difference between two systems may be called one.

use serde::Serialize;

use super::{Estimate, cliffs_delta, cohens_d, estimate, holm, mean, wilcoxon};

/// Largest adjusted p-value of a claim.
pub const SIGNIFICANCE: f64 = 0.05;
/// Smallest absolute Cohen's d of a claim.
pub const MIN_EFFECT: f64 = 0.3;

/// Result of a comparison of two systems.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The first system is better: significant, and the effect is large enough.
    Better,
    /// The second system is better.
    Worse,
    /// No claim.
    Open,
}

/// One measure of two systems on the tasks that both have.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    pub tasks: usize,
    pub first: f64,
    pub second: f64,
    /// First minus second.
    pub difference: Estimate,
    /// Of the Wilcoxon signed-rank test.
    pub p: f64,
    /// After Holm's correction over the systems that the first is compared with.
    pub p_holm: f64,
    /// Paired.
    pub cohens_d: Option<f64>,
    pub cliffs_delta: f64,
    pub verdict: Verdict,
}

/// Compares one system with several others. Each element has the paired values of the first system and of another.
/// The p-values are corrected together.
pub fn compare_all(pairs: &[(Vec<f64>, Vec<f64>)]) -> Vec<Comparison> {
    let mut comparisons: Vec<Comparison> = pairs.iter().map(|(first, second)| compare(first, second)).collect();
    let p: Vec<f64> = comparisons.iter().map(|comparison| comparison.p).collect();
    for (comparison, p_holm) in comparisons.iter_mut().zip(holm(&p)) {
        comparison.p_holm = p_holm;
        comparison.verdict = verdict(p_holm, comparison.cohens_d);
    }
    comparisons
}

fn compare(first: &[f64], second: &[f64]) -> Comparison {
    let differences: Vec<f64> = first.iter().zip(second).map(|(first, second)| first - second).collect();
    Comparison {
        tasks: differences.len(),
        first: mean(first),
        second: mean(second),
        difference: estimate(&differences),
        p: wilcoxon(&differences).p,
        p_holm: 1.0,
        cohens_d: cohens_d(&differences),
        cliffs_delta: cliffs_delta(first, second),
        verdict: Verdict::Open,
    }
}

fn verdict(p: f64, effect: Option<f64>) -> Verdict {
    match effect {
        Some(effect) if p < SIGNIFICANCE && effect > MIN_EFFECT => Verdict::Better,
        Some(effect) if p < SIGNIFICANCE && effect < -MIN_EFFECT => Verdict::Worse,
        _ => Verdict::Open,
    }
}
