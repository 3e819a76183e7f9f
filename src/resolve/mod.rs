//! Facts of every file in, edges out: names resolved across the whole repository.

pub mod input;
pub mod output;
