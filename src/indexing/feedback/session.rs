//! Recent use of a symbol in the session, with exponential decay.

/// Seconds after which a use counts half.
const HALF_LIFE: i64 = 180;
/// Limit of the uses of a symbol that are kept.
pub const MAX_USES: usize = 20;
/// Limit of the sum of decayed uses.
const CAP: f64 = 2.0;

/// Returns the sum of the decayed uses of a symbol, scaled from 0 to 1. The time since the session's last event is
/// rounded down to whole half-lives, so that a repeated request has the same answer.
pub fn recent_use(uses: &[i64], last_event: i64, now: i64) -> f64 {
    // The times of an imported journal can be any number.
    let since = now.saturating_sub(last_event).max(0) / HALF_LIFE * HALF_LIFE;
    let age = |at: i64| last_event.saturating_sub(at).max(0).saturating_add(since);
    let decayed = uses.iter().map(|at| (-(age(*at) as f64) / HALF_LIFE as f64).exp2());
    decayed.sum::<f64>().min(CAP) / CAP
}

#[cfg(test)]
mod tests {
    use super::recent_use;

    #[test]
    fn use_decays_by_half_lives() {
        assert_eq!(recent_use(&[1000], 1000, 1000), 0.5);
        assert_eq!(recent_use(&[1000], 1000, 1179), 0.5);
        assert_eq!(recent_use(&[1000], 1000, 1180), 0.25);
        assert_eq!(recent_use(&[1000], 1180, 1180), 0.25);
        assert_eq!(recent_use(&[1000; 20], 1000, 1000), 1.0);
        assert_eq!(recent_use(&[], 0, 0), 0.0);
    }

    #[test]
    fn extreme_times_do_not_panic() {
        assert_eq!(recent_use(&[i64::MIN], i64::MAX, 0), 0.0);
        assert_eq!(recent_use(&[i64::MIN], i64::MIN, i64::MAX), 0.0);
        assert_eq!(recent_use(&[i64::MAX], i64::MAX, i64::MIN), 0.5);
    }
}
