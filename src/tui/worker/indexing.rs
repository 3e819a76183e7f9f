//! The thread that brings the index up to date.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender};

use super::guarded;
use crate::tui::action::Report;
use crate::tui::workspace::{Progress, Workspace};

/// The shortest time between two reports of progress within a phase.
const PROGRESS_EVERY: Duration = Duration::from_millis(40);

/// Answers requests until nobody can send any. After each, `refresh` tells that there may be other folders to watch.
pub fn run(workspace: &dyn Workspace, requests: &Receiver<()>, refresh: &Sender<()>, report: &(dyn Fn(Report) + Sync)) {
    while requests.recv().is_ok() {
        let status = guarded("opening the index", || workspace.status());
        let failed = status.is_err();
        report(Report::Status(status));
        if failed {
            continue;
        }
        let last: Mutex<Option<(&'static str, Instant)>> = Mutex::new(None);
        let progress = |step: Progress| {
            let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
            let same = last.filter(|(phase, _)| *phase == step.phase);
            let complete = step.total > 0 && step.done >= step.total;
            if complete || same.is_none_or(|(_, at)| at.elapsed() >= PROGRESS_EVERY) {
                *last = Some((step.phase, Instant::now()));
                report(Report::Progress(step));
            }
        };
        let indexed = guarded("indexing", || workspace.index(&progress));
        report(Report::Indexed(indexed));
        // Where files can't be watched nobody listens.
        let _unwatched = refresh.send(());
    }
}
