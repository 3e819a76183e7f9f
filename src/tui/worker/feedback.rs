//! The thread that writes and reads feedback. Unlike the other workers it drops no request.

use tokio::sync::mpsc::UnboundedReceiver;

use super::catch_panic;
use crate::tui::action::Report;
use crate::tui::backend::{Backend, FeedbackWriter};
use crate::tui::effect::Record;

/// Serves records until the queue is disconnected.
pub fn run(backend: &dyn Backend, mut records: UnboundedReceiver<Record>, report: &dyn Fn(Report)) {
    let mut open: Option<Box<dyn FeedbackWriter>> = None;
    while let Some(record) = records.blocking_recv() {
        let writer = &mut open;
        let answer = catch_panic("recording feedback", || {
            let writer = match writer {
                Some(writer) => writer,
                empty => empty.insert(backend.feedback_writer()?),
            };
            writer.record(&record)
        });
        if answer.is_err() {
            // The database may have been replaced; the next record opens a new connection.
            open = None;
        }
        report(Report::Recorded { record, answer });
    }
}
