//! Confidence intervals by the paired bootstrap (Efron and Tibshirani, *An Introduction to the Bootstrap*, chapter 13,
//! percentile intervals).
//!
//! The unit of resampling is a task, with its values before and after.

use serde::Serialize;

use super::metrics::Metrics;

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
    let mean = Metrics::mean(differences.iter().copied());
    if differences.is_empty() {
        return Interval::default();
    }
    let mut random = SplitMix64(0x6b6e_6f77);
    let mut draws: [Vec<f64>; Metrics::COUNT] = Default::default();
    for _ in 0..DRAWS {
        let sample = (0..differences.len()).map(|_| differences[random.below(differences.len())]);
        let drawn = Metrics::mean(sample).values();
        draws.iter_mut().zip(drawn).for_each(|(draws, value)| draws.push(value));
    }
    draws.iter_mut().for_each(|draws| draws.sort_by(f64::total_cmp));
    let at = |share: f64| {
        let index = (share * (DRAWS - 1) as f64).round() as usize;
        let mut values = [0.0; Metrics::COUNT];
        values.iter_mut().zip(&draws).for_each(|(value, draws)| *value = draws[index]);
        Metrics::from_values(values)
    };
    Interval { mean, low: at(TAIL), high: at(1.0 - TAIL) }
}

/// The SplitMix64 generator (Steele, Lea and Flood, 2014).
struct SplitMix64(u64);

impl SplitMix64 {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut value = self.0;
        value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        value ^ (value >> 31)
    }

    /// Returns a number below `limit`: the high half of a product. The bias is below `limit` / 2^64.
    fn below(&mut self, limit: usize) -> usize {
        ((u128::from(self.next()) * limit as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mrr(values: &[f64]) -> Vec<Metrics> {
        values.iter().map(|mrr| Metrics { mrr: *mrr, ..Metrics::default() }).collect()
    }

    #[test]
    fn generator_matches_published_values() {
        let mut random = SplitMix64(1_234_567);
        assert_eq!([random.next(), random.next()], [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]);
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
