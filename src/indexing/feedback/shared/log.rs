//! Merges the batches of all writers.
//!
//! The result depends only on the set of batches: neither on their order nor on how often one was received. An event
//! exists if its writer added it; it is withdrawn if its writer's last operation on it, by number, says so. Operations of
//! one writer never affect another's events.

use std::collections::{BTreeMap, HashMap};

use super::batch::{Batch, Operation};
use crate::feedback::FeedbackEvent;
use crate::feedback::export::read_event;

/// The events of a writer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WriterLog {
    /// The public key, in hexadecimal.
    pub writer: String,
    /// The name that the writer gave last.
    pub name: String,
    /// By time; withdrawn ones are undone. Their number is their position, from 1.
    pub events: Vec<FeedbackEvent>,
    /// Whether each event, by id, is withdrawn.
    pub(super) undone: HashMap<String, bool>,
    /// The number of the last batch.
    pub(super) last: u64,
}

/// Merges batches, sorted by writer.
pub fn merge(batches: &[Batch]) -> Vec<WriterLog> {
    let mut by_writer: BTreeMap<&str, BTreeMap<(u64, &str), &Batch>> = BTreeMap::new();
    for batch in batches {
        by_writer.entry(&batch.writer).or_default().insert((batch.number, &batch.hash), batch);
    }
    by_writer.into_iter().map(|(writer, batches)| log(writer, batches.into_values())).collect()
}

fn log<'a>(writer: &str, batches: impl Iterator<Item = &'a Batch>) -> WriterLog {
    let mut log = WriterLog {
        writer: writer.to_owned(),
        name: String::new(),
        events: Vec::new(),
        undone: HashMap::new(),
        last: 0,
    };
    let mut added: BTreeMap<&str, FeedbackEvent> = BTreeMap::new();
    for batch in batches {
        log.last = log.last.max(batch.number);
        log.name.clone_from(&batch.name);
        for operation in &batch.operations {
            match operation {
                // Adding again does not restore: a withdrawn event stays withdrawn.
                Operation::Add { id, event } => {
                    if let (false, Ok(event)) = (added.contains_key(id.as_str()), read_event((**event).clone())) {
                        added.insert(id, event);
                        log.undone.entry(id.clone()).or_insert(false);
                    }
                }
                // A withdrawal counts also when the batch with the event comes later or never.
                Operation::Withdraw { id } => drop(log.undone.insert(id.clone(), true)),
                Operation::Restore { id } => drop(log.undone.insert(id.clone(), false)),
            }
        }
    }
    let mut events: Vec<(&str, FeedbackEvent)> = added.into_iter().collect();
    events.sort_by(|(one, first), (two, second)| (first.at, one).cmp(&(second.at, two)));
    log.events = (1..)
        .zip(events)
        .map(|(number, (id, event))| {
            let undone = log.undone.get(id).copied().unwrap_or_default();
            FeedbackEvent { id: number, batch: number, undone, ..event }
        })
        .collect();
    log
}
