//! Feedback of several people on one repository.
//!
//! Each person is a writer with a key. A writer publishes signed [`Batch`]es of operations that are never changed
//! ([`pending`]); whoever has the same batches has the same [`WriterLog`]s ([`merge`]), and counts them by the weights of
//! the user's choice ([`SharedFeedback`]). Only votes are shared. Where batches are kept is not known here.

mod batch;
mod log;
mod sources;
#[cfg(test)]
mod tests;

pub use batch::{Author, Batch, hash_of, pending};
pub use log::{WriterLog, merge};
pub use sources::{DEFAULT_WEIGHT, SharedFeedback, Source};
