//! The Wilcoxon signed-rank test of paired differences (Wilcoxon, *Individual Comparisons by Ranking Methods*, 1945).
//!
//! Follows `scipy.stats.wilcoxon` with its defaults: two-sided, differences of zero are dropped (`wilcox`), no continuity
//! correction, the exact distribution for small samples and else the normal approximation with correction for ties.

/// Result of the test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wilcoxon {
    /// The smaller of the sums of ranks of positive and of negative differences.
    pub statistic: f64,
    /// Probability of a statistic at least as extreme if the differences are symmetric about zero.
    pub p: f64,
    /// Whether `p` is of the exact distribution.
    pub is_exact: bool,
}

/// Largest number of differences, none zero and all of different size, for which the distribution is exact.
const MAX_EXACT: usize = 50;
/// Largest number of differences with ties or zeros for which the distribution is exact.
const MAX_EXACT_TIES: usize = 13;
/// Differences are multiples of this, so that rounding errors neither make nor break ties.
const UNIT: f64 = 1e-12;

/// Tests whether the differences are symmetric about zero. The p-value is 1 if all are zero.
pub fn wilcoxon(differences: &[f64]) -> Wilcoxon {
    let rounded = differences.iter().map(|difference| (difference / UNIT).round() * UNIT);
    let mut nonzero: Vec<f64> = rounded.filter(|difference| *difference != 0.0).collect();
    nonzero.sort_by(|one, two| one.abs().total_cmp(&two.abs()));
    let (doubled_ranks, ties) = ranks(&nonzero);
    let positive: usize =
        nonzero.iter().zip(&doubled_ranks).filter(|(difference, _)| **difference > 0.0).map(|(_, rank)| rank).sum();
    let total: usize = doubled_ranks.iter().sum();
    let statistic = positive.min(total - positive) as f64 / 2.0;
    let is_clean = ties.iter().all(|tie| *tie == 1) && nonzero.len() == differences.len();
    let is_exact = differences.len() <= if is_clean { MAX_EXACT } else { MAX_EXACT_TIES };
    let p = match nonzero.len() {
        0 => 1.0,
        _ if is_exact => exact_p(&doubled_ranks, positive),
        count => normal_p(count, positive, &ties),
    };
    Wilcoxon { statistic, p, is_exact }
}

/// Returns twice the rank of each value in a list sorted by size, with the mean rank in ties, and the lengths of the
/// ties.
fn ranks(sorted: &[f64]) -> (Vec<usize>, Vec<usize>) {
    let (mut doubled, mut ties) = (Vec::with_capacity(sorted.len()), Vec::new());
    for tie in sorted.chunk_by(|one, two| one.abs() == two.abs()) {
        let first = doubled.len() + 1;
        let last = doubled.len() + tie.len();
        doubled.extend(std::iter::repeat_n(first + last, tie.len()));
        ties.push(tie.len());
    }
    (doubled, ties)
}

/// Returns the two-sided p-value by counting, for each sum of doubled ranks, the assignments of signs that have it.
fn exact_p(doubled_ranks: &[usize], positive: usize) -> f64 {
    let total: usize = doubled_ranks.iter().sum();
    let mut counts = vec![0.0; total + 1];
    counts[0] = 1.0;
    for rank in doubled_ranks {
        for sum in (*rank..=total).rev() {
            counts[sum] += counts[sum - rank];
        }
    }
    let all = 2f64.powi(doubled_ranks.len() as i32);
    let at_most: f64 = counts[..=positive].iter().sum();
    let at_least: f64 = counts[positive..].iter().sum();
    (2.0 * at_most.min(at_least) / all).min(1.0)
}

/// Returns the two-sided p-value of the normal approximation.
fn normal_p(count: usize, positive: usize, ties: &[usize]) -> f64 {
    let count = count as f64;
    let mean = count * (count + 1.0) / 4.0;
    let cube = |tie: &usize| (*tie as f64).powi(3) - *tie as f64;
    let correction: f64 = ties.iter().map(cube).sum();
    let error = ((count * (count + 1.0) * (2.0 * count + 1.0) - correction / 2.0) / 24.0).sqrt();
    let z = (positive as f64 / 2.0 - mean) / error;
    libm::erfc(z.abs() / std::f64::consts::SQRT_2)
}
