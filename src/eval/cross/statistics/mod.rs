//! Statistics of paired results, one value per task: means, bootstrap intervals, the Wilcoxon signed-rank test, effect
//! sizes, Holm's correction, and the claims that follow from them.
//!
//! Every function is pure and deterministic. `tests/eval/statistics` has vectors with the values of SciPy and
//! statsmodels, and the script that made them. The only special function, the complementary error function, is `libm`'s;
//! the statistics crates have no signed-rank test with ties and zeros.

mod claim;
mod effect;
mod holm;
mod power_law;
#[cfg(test)]
mod tests;
mod wilcoxon;

pub use claim::{Comparison, MIN_EFFECT, SIGNIFICANCE, Verdict, compare_all};
pub use effect::{cliffs_delta, cohens_d};
pub use holm::holm;
pub use power_law::{PowerLaw, power_law};
pub use wilcoxon::{Wilcoxon, wilcoxon};

use serde::Serialize;

use crate::bootstrap;

/// A mean with its 95% bootstrap interval.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Estimate {
    pub mean: f64,
    pub low: f64,
    pub high: f64,
}

/// Returns the mean; 0 without values.
pub fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// Returns the standard deviation of a sample, with `n − 1` in the denominator; 0 with fewer than two values.
pub fn sd(values: &[f64]) -> f64 {
    if values.len() < 2 {
        return 0.0;
    }
    let mean = mean(values);
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (squares / (values.len() - 1) as f64).sqrt()
}

/// Returns the median, the mean of the two middle values if their number is even; `None` without values.
pub fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match sorted.len() {
        0 => None,
        length if length % 2 == 1 => Some(sorted[middle]),
        _ => Some((sorted[middle - 1] + sorted[middle]) / 2.0),
    }
}

/// Returns the mean with its percentile interval over bootstrap samples of the values. Of paired results, pass the
/// differences.
pub fn estimate(values: &[f64]) -> Estimate {
    let rows: Vec<[f64; 1]> = values.iter().map(|value| [*value]).collect();
    let [[mean], [low], [high]] = bootstrap::bounds(&rows);
    Estimate { mean, low, high }
}
