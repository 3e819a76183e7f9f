//! What was used a moment ago is likely to be used again.

/// Seconds after which a use counts half.
const HALF_LIFE: i64 = 180;
/// The times that are kept of a symbol, and their sum at most.
pub const MOST_STAMPS: usize = 20;
const CAP: f64 = 2.0;

/// How recently and often a symbol was used, from 0 to 1. Between two acts of a session time moves in whole half-lives, so
/// that the same question asked twice gets the same answer.
pub fn value(stamps: &[i64], last_act: i64, now: i64) -> f64 {
    // Times of a journal from elsewhere may be anything.
    let since = now.saturating_sub(last_act).max(0) / HALF_LIFE * HALF_LIFE;
    let age = |at: i64| last_act.saturating_sub(at).max(0).saturating_add(since);
    let decayed = stamps.iter().map(|at| (-(age(*at) as f64) / HALF_LIFE as f64).exp2());
    decayed.sum::<f64>().min(CAP) / CAP
}

#[cfg(test)]
mod tests {
    use super::value;

    #[test]
    fn use_is_forgotten_by_halves() {
        assert_eq!(value(&[1000], 1000, 1000), 0.5);
        assert_eq!(value(&[1000], 1000, 1179), 0.5);
        assert_eq!(value(&[1000], 1000, 1180), 0.25);
        assert_eq!(value(&[1000], 1180, 1180), 0.25);
        assert_eq!(value(&[1000; 20], 1000, 1000), 1.0);
        assert_eq!(value(&[], 0, 0), 0.0);
    }

    #[test]
    fn impossible_times_do_no_harm() {
        assert_eq!(value(&[i64::MIN], i64::MAX, 0), 0.0);
        assert_eq!(value(&[i64::MIN], i64::MIN, i64::MAX), 0.0);
        assert_eq!(value(&[i64::MAX], i64::MAX, i64::MIN), 0.5);
    }
}
