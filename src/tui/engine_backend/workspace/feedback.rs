//! The writer of feedback on symbols of several repositories, each into its own journal.

use std::collections::BTreeSet;

use super::super::EngineFeedbackWriter;
use super::place::{MAX_MEMBERS, Place, member_of};
use crate::model::Symbol;
use crate::tui::backend::{AgentAnswer, Answer, FeedbackWriter, Journal, Recorded};
use crate::tui::effect::{AgentJob, Record};

/// Writes each record into the journals of the repositories that it is about. The number of an event has the number of its
/// repository.
pub struct WorkspaceFeedbackWriter {
    writers: Vec<(Place, EngineFeedbackWriter)>,
}

/// Events are numbered by `number * STRIDE + member`, whichever members can be written.
const STRIDE: i64 = MAX_MEMBERS as i64;

impl WorkspaceFeedbackWriter {
    /// Creates the writer of these members.
    pub fn new(writers: Vec<(Place, EngineFeedbackWriter)>) -> WorkspaceFeedbackWriter {
        WorkspaceFeedbackWriter { writers }
    }

    /// Returns the writer of a member.
    fn writer(&mut self, number: usize) -> Answer<&mut (Place, EngineFeedbackWriter)> {
        self.writers
            .iter_mut()
            .find(|(place, _)| place.number == number)
            .ok_or_else(|| "the repository of this symbol has no index, so nothing was recorded".to_owned())
    }

    /// Carries out a record about one symbol.
    fn record_for(&mut self, symbol: &Symbol, record: impl FnOnce(Box<Symbol>) -> Record) -> Answer<Recorded> {
        let (place, writer) = self.writer(member_of(symbol.node))?;
        let (number, record) = (place.number, record(Box::new(place.own(symbol))));
        Ok(match writer.record(&record)? {
            Recorded::Used { event } => Recorded::Used { event: shown_event(event, number) },
            recorded => recorded,
        })
    }

    /// Carries out a record for each member that has some of the symbols.
    fn record_by_member(
        &mut self,
        symbols: &[Symbol],
        record: impl Fn(Vec<Symbol>) -> Record,
    ) -> Answer<Vec<Recorded>> {
        let mut answers = Vec::new();
        for (place, writer) in &mut self.writers {
            let own = symbols.iter().filter(|symbol| member_of(symbol.node) == place.number);
            let own: Vec<Symbol> = own.map(|symbol| place.own(symbol)).collect();
            if !own.is_empty() {
                answers.push(writer.record(&record(own))?);
            }
        }
        Ok(answers)
    }

    fn journal(&mut self) -> Answer<Recorded> {
        let mut all = Journal::default();
        for (place, writer) in &mut self.writers {
            let Recorded::Journal(journal) = writer.record(&Record::Journal)? else { continue };
            let shown = |event: i64| shown_event(event, place.number);
            all.events.extend(journal.events.into_iter().map(|mut event| {
                (event.id, event.batch) = (shown(event.id), shown(event.batch));
                event
            }));
            all.learned_terms.extend(journal.learned_terms);
        }
        all.events.sort_by_key(|event| (event.at, event.id));
        Ok(Recorded::Journal(all))
    }

    fn agent(&mut self, job: &AgentJob) -> Answer<Recorded> {
        match job {
            AgentJob::Steer { task, symbol, state } => self.record_for(symbol, |symbol| {
                Record::Agent(AgentJob::Steer { task: task.clone(), symbol, state: *state })
            }),
            AgentJob::Steering { .. } => {
                let (mut pinned, mut dropped) = (BTreeSet::new(), BTreeSet::new());
                for (_, writer) in &mut self.writers {
                    let answer = writer.record(&Record::Agent(job.clone()))?;
                    if let Recorded::Agent(AgentAnswer::Steering { pinned: own, dropped: others }) = answer {
                        pinned.extend(own);
                        dropped.extend(others);
                    }
                }
                Ok(Recorded::Agent(AgentAnswer::Steering { pinned, dropped }))
            }
            AgentJob::SteerBranch { .. } => {
                Err("pins follow a branch in one repository only: each has branches of its own".to_owned())
            }
            AgentJob::Send { task, symbols } => {
                self.record_by_member(symbols, |symbols| {
                    Record::Agent(AgentJob::Send { task: task.clone(), symbols })
                })?;
                Ok(Recorded::Agent(AgentAnswer::Sent))
            }
            AgentJob::TakeBack { symbols } => {
                let answers =
                    self.record_by_member(symbols, |symbols| Record::Agent(AgentJob::TakeBack { symbols }))?;
                let was_waiting = |answer: &Recorded| matches!(answer, Recorded::Agent(AgentAnswer::TakenBack(true)));
                Ok(Recorded::Agent(AgentAnswer::TakenBack(answers.iter().any(was_waiting))))
            }
        }
    }
}

fn shown_event(event: i64, member: usize) -> i64 {
    event * STRIDE + member as i64
}

impl FeedbackWriter for WorkspaceFeedbackWriter {
    fn record(&mut self, record: &Record) -> Answer<Recorded> {
        match record {
            Record::Vote { task, symbol, before, after } => self.record_for(symbol, |symbol| Record::Vote {
                task: task.clone(),
                symbol,
                before: *before,
                after: *after,
            }),
            Record::Used { task, symbol, how } => {
                self.record_for(symbol, |symbol| Record::Used { task: task.clone(), symbol, how: *how })
            }
            Record::Shown { task, symbols } => {
                self.record_by_member(symbols, |symbols| Record::Shown { task: task.clone(), symbols })?;
                Ok(Recorded::Done)
            }
            Record::Votes { .. } => {
                let mut all = Vec::new();
                for (_, writer) in &mut self.writers {
                    if let Recorded::Votes(votes) = writer.record(record)? {
                        all.extend(votes);
                    }
                }
                Ok(Recorded::Votes(all))
            }
            Record::Journal => self.journal(),
            Record::SetUndone { entry, undone } => {
                let undone = *undone;
                let (_, writer) = self.writer(entry.rem_euclid(STRIDE) as usize)?;
                writer.record(&Record::SetUndone { entry: entry.div_euclid(STRIDE), undone })?;
                self.journal()
            }
            Record::Forget { .. } => {
                for (_, writer) in &mut self.writers {
                    writer.record(record)?;
                }
                self.journal()
            }
            Record::Agent(job) => self.agent(job),
        }
    }
}
