//! Where the running search stands.

use std::time::{Duration, Instant};

/// Where the running search stands.
#[derive(Debug, Clone, Default)]
pub struct Search {
    /// Counts the requests; answers to older ones are dropped.
    pub generation: u64,
    /// When the full rank should start, while typing rests.
    pub due: Option<Instant>,
    /// When rows that are still old should be dimmed.
    pub dim_at: Option<Instant>,
    /// True from the request of a full rank until its answer.
    pub ranking: bool,
    /// How long the last full rank took.
    pub last_full: Duration,
}
