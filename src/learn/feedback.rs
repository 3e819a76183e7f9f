//! What votes and use say of a symbol for a task.

/// What several records say, each a weight (negative: against the symbol) and how far its task is like this one: the share
/// of useful ones, from -1 (none) to 1 (all), less when there is little to go by. One vote on the same task says it all;
/// what was said of other tasks counts in proportion.
pub fn value(records: impl Iterator<Item = (f64, f64)>) -> f64 {
    let (mut for_it, mut against) = (0.0, 0.0);
    for (weight, overlap) in records {
        if weight >= 0.0 {
            for_it += weight * overlap;
        } else {
            against -= weight * overlap;
        }
    }
    let all = for_it + against;
    if all <= 0.0 { 0.0 } else { (for_it - against) / all * all.min(1.0) }
}

#[cfg(test)]
mod tests {
    use super::value;

    #[test]
    fn one_vote_says_it_all_and_a_similar_task_in_proportion() {
        assert_eq!(value([(1.0, 1.0)].into_iter()), 1.0);
        assert_eq!(value([(-1.0, 1.0)].into_iter()), -1.0);
        assert_eq!(value([(1.0, 0.5)].into_iter()), 0.5);
        assert_eq!(value(std::iter::empty()), 0.0);
    }

    #[test]
    fn useful_over_total() {
        assert_eq!(value([(1.0, 1.0), (1.0, 1.0), (1.0, 1.0), (-1.0, 1.0)].into_iter()), 0.5); // 2 * 3/4 - 1
        assert_eq!(value([(1.0, 1.0), (-1.0, 1.0)].into_iter()), 0.0);
        assert!((value([(-0.1, 1.0), (-0.1, 1.0)].into_iter()) + 0.2).abs() < 1e-12);
    }
}
