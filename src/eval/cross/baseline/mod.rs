//! Baselines: systems of our own that are as simple as an agent or a textbook would have them. Each is a command, so
//! that its time and memory are measured like any other system's.

pub mod bm25f;
pub mod ripgrep;
pub mod scip;
pub mod words;

use crate::engine::{EngineError, StoreError};

/// An error of a baseline.
#[derive(Debug, thiserror::Error)]
pub enum BaselineError {
    #[error(transparent)]
    Io(#[from] std::io::Error),
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("the index of the baseline can't be read: {0}")]
    Encoding(#[from] postcard::Error),
    #[error("the SCIP index can't be read: {0}")]
    Scip(#[from] protobuf::Error),
}
