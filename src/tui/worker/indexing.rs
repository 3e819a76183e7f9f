//! The thread that updates the index.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::mpsc::{Receiver, UnboundedSender};

use super::catch_panic;
use crate::tui::action::Report;
use crate::tui::backend::{Backend, Progress};

/// The shortest interval between two reports of progress in one phase.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(40);

/// Serves requests until the queue is disconnected. Sends to `indexed` after each, as the folders to watch may differ.
pub fn run(
    backend: &dyn Backend,
    mut requests: Receiver<()>,
    indexed: &UnboundedSender<()>,
    report: &(dyn Fn(Report) + Sync),
) {
    while requests.blocking_recv().is_some() {
        let status = catch_panic("opening the index", || backend.status());
        let failed = status.is_err();
        report(Report::Status(status));
        if failed {
            continue;
        }
        let last: Mutex<Option<(&'static str, Instant)>> = Mutex::new(None);
        let progress = |step: Progress| {
            let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
            let same_phase = last.filter(|(phase, _)| *phase == step.phase);
            let is_complete = step.total > 0 && step.done >= step.total;
            if is_complete || same_phase.is_none_or(|(_, at)| at.elapsed() >= PROGRESS_INTERVAL) {
                *last = Some((step.phase, Instant::now()));
                report(Report::Progress(step));
            }
        };
        let result = catch_panic("indexing", || backend.index(&progress));
        report(Report::Indexed(result));
        // The watcher has ended if files cannot be watched.
        let _unwatched = indexed.send(());
    }
}
