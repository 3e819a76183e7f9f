//! Feedback: votes, use and learned terms, as pure functions of the journal of events.
//!
//! 1. [`FeedbackEvent`]: an entry of the journal. Events are appended, undone and redone, never changed.
//! 2. [`FeedbackState`]: the fold of the journal, with one record for each symbol, session and [`Cluster`] of tasks.
//! 3. [`TaskFeedback`]: the feedback on one task: votes and use of symbols, [`learned_terms`] and recent use in the
//!    session.
//!
//! Feedback of other people is in [`shared`].
//!
//! A record applies only while the source of its symbol's package is unchanged. Nothing here reads a store or a clock.
//! `store` depends on this module, because it stores the events.

mod cluster;
mod event;
mod export;
pub mod learned_terms;
mod session;
pub mod shared;
mod state;
mod task_feedback;
mod votes;

pub use cluster::Cluster;
pub use event::{EventKind, FeedbackEvent, Subject, SymbolVote, TermObservation, Vote};
pub use export::{LineError, event_line, parse_events, parse_terms, term_line};
pub use state::{FeedbackState, Record};
pub use task_feedback::{FeedbackSource, MatchedTerm, Moment, SymbolFeedback, TaskFeedback};
