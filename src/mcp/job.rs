//! One request while it is served: cancellation and progress, shared by the protocol and the thread that works.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tokio::sync::mpsc::UnboundedSender;

use crate::engine::{Phase, Progress};

/// The shortest interval between two reports of progress.
const REPORT_INTERVAL: Duration = Duration::from_millis(100);
/// Steps of each phase of indexing in reports.
const PHASE_STEPS: f64 = 100.0;
const PHASES: [Phase; 6] = [Phase::Scan, Phase::Parse, Phase::Load, Phase::Resolve, Phase::Derive, Phase::Write];

/// A report of progress, which increases.
#[derive(Debug, Clone, PartialEq)]
pub struct ProgressReport {
    pub done: f64,
    pub total: f64,
    pub message: String,
}

/// A request that is served.
pub struct Job {
    pub requested: Instant,
    cancelled: Arc<AtomicBool>,
    /// `None` if the client did not ask for progress.
    progress: Option<UnboundedSender<ProgressReport>>,
    last: Mutex<Option<(f64, Instant)>>,
}

impl Job {
    /// Creates the job of a request that arrives now.
    pub fn new(cancelled: Arc<AtomicBool>, progress: Option<UnboundedSender<ProgressReport>>) -> Job {
        Job { requested: Instant::now(), cancelled, progress, last: Mutex::new(None) }
    }

    /// Returns whether the client canceled the request.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    /// Reports progress of indexing to the client, if it asked for it.
    pub fn report(&self, step: Progress) {
        let Some(sender) = &self.progress else { return };
        let phase = PHASES.iter().position(|phase| *phase == step.phase).unwrap_or_default() as f64;
        let share = if step.total == 0 { 0.0 } else { step.done as f64 / step.total as f64 };
        let done = (phase + share.min(1.0)) * PHASE_STEPS;
        let mut last = self.last.lock();
        if last.is_some_and(|(before, at)| done <= before || at.elapsed() < REPORT_INTERVAL) {
            return;
        }
        *last = Some((done, Instant::now()));
        let message = match step.total {
            0 => format!("indexing: {}", step.phase.name()),
            total => format!("indexing: {} {} of {total}", step.phase.name(), step.done),
        };
        // The receiver is gone once the request is answered.
        let _disconnected = sender.send(ProgressReport { done, total: PHASE_STEPS * PHASES.len() as f64, message });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reported_progress_increases() {
        let (sender, mut reports) = tokio::sync::mpsc::unbounded_channel();
        let job = Job::new(Arc::default(), Some(sender));
        job.report(Progress { phase: Phase::Resolve, done: 5, total: 10 });
        *job.last.lock() = Some((350.0, Instant::now() - REPORT_INTERVAL));
        job.report(Progress { phase: Phase::Parse, done: 1, total: 2 });
        job.report(Progress { phase: Phase::Write, done: 1, total: 2 });
        job.report(Progress { phase: Phase::Write, done: 2, total: 2 });
        let done: Vec<f64> = std::iter::from_fn(|| reports.try_recv().ok()).map(|report| report.done).collect();
        assert_eq!(done, [350.0, 550.0], "the last one follows too soon");
    }
}
