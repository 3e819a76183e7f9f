//! The value of votes and use for a symbol.

/// Returns the balance of records for and against a symbol, from -1 to 1. Each has a signed weight, and the overlap of
/// its task with the current one. A total weight below 1 reduces the value in proportion, so that one vote on the same
/// task counts in full and one on a similar task less.
pub fn balance(records: impl Iterator<Item = (f64, f64)>) -> f64 {
    let (mut positive, mut negative) = (0.0, 0.0);
    for (weight, overlap) in records {
        if weight >= 0.0 {
            positive += weight * overlap;
        } else {
            negative -= weight * overlap;
        }
    }
    let total = positive + negative;
    if total <= 0.0 { 0.0 } else { (positive - negative) / total * total.min(1.0) }
}

#[cfg(test)]
mod tests {
    use super::balance;

    #[test]
    fn one_vote_counts_by_overlap() {
        assert_eq!(balance([(1.0, 1.0)].into_iter()), 1.0);
        assert_eq!(balance([(-1.0, 1.0)].into_iter()), -1.0);
        assert_eq!(balance([(1.0, 0.5)].into_iter()), 0.5);
        assert_eq!(balance(std::iter::empty()), 0.0);
    }

    #[test]
    fn many_votes_are_averaged() {
        assert_eq!(balance([(1.0, 1.0), (1.0, 1.0), (1.0, 1.0), (-1.0, 1.0)].into_iter()), 0.5); // 2 * 3/4 - 1
        assert_eq!(balance([(1.0, 1.0), (-1.0, 1.0)].into_iter()), 0.0);
        assert!((balance([(-0.1, 1.0), (-0.1, 1.0)].into_iter()) + 0.2).abs() < 1e-12);
    }
}
