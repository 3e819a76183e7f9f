//! How a command ends, and the exit code for it.

use std::io;

/// A command that did what it was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    Fine,
    /// Nothing was found, or a check failed.
    Nothing,
}

/// A command that could not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The command line asks for something impossible.
    #[error("{0}")]
    Usage(String),
    /// The store or the repository can't be used.
    #[error("{0:#}")]
    Unusable(anyhow::Error),
    /// Standard output can't be written.
    #[error("can't write to standard output: {0}")]
    Output(#[from] io::Error),
}

impl Failure {
    /// The process's exit code.
    pub fn code(&self) -> u8 {
        match self {
            Failure::Usage(_) => 2,
            Failure::Unusable(_) | Failure::Output(_) => 3,
        }
    }

    /// True when the reader of our output left, as `head` does: no reason to complain.
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, Failure::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

impl Ending {
    /// The process's exit code.
    pub fn code(self) -> u8 {
        match self {
            Ending::Fine => 0,
            Ending::Nothing => 1,
        }
    }

    /// `Nothing` when nothing came out.
    pub fn unless_empty(count: usize) -> Ending {
        if count == 0 { Ending::Nothing } else { Ending::Fine }
    }
}
