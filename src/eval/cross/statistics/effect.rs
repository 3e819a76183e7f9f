//! Effect sizes: how large a difference is, beside whether there is one.

use super::{mean, sd};

/// Returns Cohen's d of paired results: the mean difference divided by the standard deviation of the differences, also
/// called d_z (Cohen, *Statistical Power Analysis for the Behavioral Sciences*, 1988, section 2.3.5). `None` if the
/// differences don't vary, unless all are zero.
pub fn cohens_d(differences: &[f64]) -> Option<f64> {
    if differences.iter().all(|difference| *difference == 0.0) {
        return Some(0.0);
    }
    let sd = sd(differences);
    // Equal differences can have a deviation that is a rounding error.
    (sd > 1e-12).then(|| mean(differences) / sd)
}

/// Returns Cliff's delta: the share of pairs of a first and a second value in which the first is larger, minus the share
/// in which it is smaller (Cliff, *Dominance Statistics*, 1993). From −1 to 1; 0 without values.
pub fn cliffs_delta(first: &[f64], second: &[f64]) -> f64 {
    if first.is_empty() || second.is_empty() {
        return 0.0;
    }
    let mut sorted = second.to_vec();
    sorted.sort_by(f64::total_cmp);
    let dominance = |value: &f64| {
        let smaller = sorted.partition_point(|other| other < value);
        let larger = sorted.len() - sorted.partition_point(|other| other <= value);
        smaller as f64 - larger as f64
    };
    first.iter().map(dominance).sum::<f64>() / (first.len() as f64 * second.len() as f64)
}
