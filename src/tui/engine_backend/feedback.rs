//! The writer of one repository's feedback.

use super::{agents, engine_result};
use crate::engine::{Engine, EngineError, FeedbackRecorder};
use crate::tui::backend::{Answer, FeedbackWriter, Journal, Recorded};
use crate::tui::effect::Record;

/// A writer of the feedback journal, and of what agents get.
pub(super) struct EngineFeedbackWriter {
    pub(super) engine: Engine,
    pub(super) recorder: FeedbackRecorder,
}

impl FeedbackWriter for EngineFeedbackWriter {
    fn record(&mut self, record: &Record) -> Answer<Recorded> {
        let recorder = &mut self.recorder;
        let done = |result: Result<(), EngineError>| engine_result(result).map(|()| Recorded::Done);
        match record {
            Record::Vote { task, symbol, after, .. } => done(recorder.vote(task, symbol, *after).map(drop)),
            Record::Used { task, symbol, how } => {
                let event = engine_result(recorder.record_use(task, symbol, *how))?;
                Ok(Recorded::Used { event: event.id })
            }
            Record::Shown { task, symbols } => done(recorder.record_shown(task, symbols).map(drop)),
            Record::Votes { task } => {
                let votes = engine_result(recorder.votes_for(task))?;
                Ok(Recorded::Votes(votes.into_iter().map(|voted| (voted.symbol, voted.vote)).collect()))
            }
            Record::Journal => self.journal(),
            Record::SetUndone { entry, undone } => {
                engine_result(recorder.set_undone(*entry, *undone))?;
                self.journal()
            }
            Record::Agent(job) => agents::carry_out(&self.engine, recorder, job).map(Recorded::Agent),
            Record::Forget { keyword, symbol } => {
                engine_result(recorder.forget_term(keyword, Some(symbol)))?;
                self.journal()
            }
        }
    }
}

impl EngineFeedbackWriter {
    fn journal(&self) -> Answer<Recorded> {
        let (events, learned_terms) = (engine_result(self.recorder.events())?, engine_result(self.recorder.terms())?);
        Ok(Recorded::Journal(Journal { events, learned_terms }))
    }
}
