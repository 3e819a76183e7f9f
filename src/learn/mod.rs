//! What use teaches, as arithmetic on values: nothing here reads a store or a clock (SPEC §8).
//!
//! 1. [`Act`]: the journal. One entry for each thing that a user did; entries are added, undone and done again, never changed.
//! 2. [`Standing`]: what counts of a journal, one record for each symbol, session and [`Cluster`] of tasks.
//! 3. [`Taught`]: what all of it says of one task: [`feedback`] on symbols, [`vocabulary`] that was learned, and what the
//!    present [`session`] used last. A record counts only while its symbol's package is what it was.

pub mod cluster;
pub mod feedback;
mod journal;
mod lines;
pub mod session;
mod standing;
pub mod taught;
pub mod vocabulary;

pub use cluster::Cluster;
pub use journal::{Act, ActKind, Judgement, Subject, Vote, Word};
pub use lines::{LineError, act_line, acts_of, word_line, words_of};
pub use standing::{Record, Standing};
pub use taught::{Moment, Taught};
