//! Confidence intervals by the paired bootstrap (Efron and Tibshirani, *An Introduction to the Bootstrap*, chapter 13,
//! percentile intervals).
//!
//! The unit of resampling is a task, with its values before and after.

use serde::Serialize;

use super::metrics::Metrics;
use super::random::SplitMix64;

/// A mean difference with its 95% confidence interval.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Interval {
    pub mean: Metrics,
    pub low: Metrics,
    pub high: Metrics,
}

/// Number of bootstrap samples: enough for two digits of a bound.
const DRAWS: usize = 5_000;
/// Share of the samples beyond each bound.
const TAIL: f64 = 0.025;

/// Returns the interval of the mean of `differences`, one per task. Deterministic. Linear in their number times the
/// number of samples.
pub fn interval(differences: &[Metrics]) -> Interval {
    let values: Vec<[f64; Metrics::COUNT]> = differences.iter().map(Metrics::values).collect();
    let [mean, low, high] = bounds(&values).map(Metrics::from_values);
    Interval { mean, low, high }
}

/// Returns mean, lower and upper bound of each column of `differences`; zeros if there are none.
pub(super) fn bounds<const N: usize>(differences: &[[f64; N]]) -> [[f64; N]; 3] {
    if differences.is_empty() {
        return [[0.0; N]; 3];
    }
    let mean = |rows: &mut dyn Iterator<Item = [f64; N]>| {
        let mut sums = [0.0; N];
        rows.for_each(|row| sums.iter_mut().zip(row).for_each(|(sum, value)| *sum += value));
        sums.map(|sum| sum * (1.0 / differences.len() as f64))
    };
    let mut random = SplitMix64(0x6b6e_6f77);
    let mut draws: [Vec<f64>; N] = std::array::from_fn(|_| Vec::with_capacity(DRAWS));
    for _ in 0..DRAWS {
        let mut sample = (0..differences.len()).map(|_| differences[random.below(differences.len())]);
        draws.iter_mut().zip(mean(&mut sample)).for_each(|(draws, value)| draws.push(value));
    }
    draws.iter_mut().for_each(|draws| draws.sort_by(f64::total_cmp));
    let at = |share: f64| {
        let index = (share * (DRAWS - 1) as f64).round() as usize;
        std::array::from_fn(|column| draws[column][index])
    };
    [mean(&mut differences.iter().copied()), at(TAIL), at(1.0 - TAIL)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mrr(values: &[f64]) -> Vec<Metrics> {
        values.iter().map(|mrr| Metrics { mrr: *mrr, ..Metrics::default() }).collect()
    }

    #[test]
    fn interval_contains_the_mean() {
        let differences = mrr(&[0.5, -0.1, 0.3, 0.0, 0.2, 0.4, -0.2, 0.1]);
        let found = interval(&differences);
        assert!((found.mean.mrr - 0.15).abs() < 1e-12);
        // The standard error is 0.08, so the bounds lie about 0.16 away.
        assert!((found.low.mrr - -0.01).abs() < 0.03 && (found.high.mrr - 0.31).abs() < 0.03, "{found:?}");
        assert_eq!(found, interval(&differences));
    }

    #[test]
    fn equal_differences_have_an_empty_interval() {
        let found = interval(&mrr(&[0.25; 5]));
        assert_eq!((found.low.mrr, found.mean.mrr, found.high.mrr), (0.25, 0.25, 0.25));
        assert_eq!(interval(&[]), Interval::default());
    }
}
