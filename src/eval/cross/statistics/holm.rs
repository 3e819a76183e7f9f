//! Holm's correction for several tests (Holm, *A Simple Sequentially Rejective Multiple Test Procedure*, 1979).

/// Returns the adjusted p-values, in the order of `p`. Rejecting those below α has a probability of at most α to reject
/// a true hypothesis.
pub fn holm(p: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|one, two| p[*one].total_cmp(&p[*two]));
    let mut adjusted = vec![0.0; p.len()];
    let mut largest: f64 = 0.0;
    for (position, index) in order.into_iter().enumerate() {
        largest = largest.max(p[index] * (p.len() - position) as f64).min(1.0);
        adjusted[index] = largest;
    }
    adjusted
}
