//! The state of the search for the present task.

use std::time::{Duration, Instant};

/// The state of the search for the present task.
#[derive(Debug, Clone, Default)]
pub struct Search {
    /// Number of the last request; answers to older ones are dropped.
    pub generation: u64,
    /// When the full ranking starts if the task is not edited until then.
    pub due: Option<Instant>,
    /// When outdated rows are dimmed.
    pub dim_at: Option<Instant>,
    /// Whether a full ranking is running.
    pub ranking: bool,
    /// The time that the last full ranking took.
    pub last_full: Duration,
}
