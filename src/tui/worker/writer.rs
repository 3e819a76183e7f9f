//! The thread that writes what the user teaches; nothing asked of it is ever left out.

use crossbeam_channel::Receiver;

use super::guarded;
use crate::tui::action::Report;
use crate::tui::effect::Record;
use crate::tui::workspace::{Scribe, Workspace};

/// Writes until nobody asks any more.
pub fn run(workspace: &dyn Workspace, records: &Receiver<Record>, report: &dyn Fn(Report)) {
    let mut open: Option<Box<dyn Scribe>> = None;
    while let Ok(record) = records.recv() {
        let scribe = &mut open;
        let answer = guarded("writing", || {
            let scribe = match scribe {
                Some(scribe) => scribe,
                empty => empty.insert(workspace.scribe()?),
            };
            scribe.record(&record)
        });
        if answer.is_err() {
            // The index may have moved; whatever happened, a fresh connection is the safer one.
            open = None;
        }
        report(Report::Recorded { record, answer });
    }
}
