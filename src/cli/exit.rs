//! Results of commands and their exit codes.

use std::io::{self, Write};

use crate::text::display::safe;

/// The result of a command that ran without an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    Success,
    /// Nothing was found, or a check failed.
    NothingFound,
}

/// An error that ends a command.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// The command line is wrong.
    #[error("{0}")]
    Usage(String),
    /// The index or the repository can't be used.
    #[error("{0:#}")]
    Unusable(anyhow::Error),
    /// Standard output can't be written.
    #[error("can't write to standard output: {0}")]
    Output(#[from] io::Error),
}

impl CliError {
    /// Returns the process's exit code.
    pub fn code(&self) -> u8 {
        match self {
            CliError::Usage(_) => 2,
            CliError::Unusable(_) | CliError::Output(_) => 3,
        }
    }

    /// Returns whether the reader of standard output closed the pipe, as `head` does. This is not reported.
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, CliError::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

impl Status {
    /// Returns success if one of the statuses is one.
    pub fn any(statuses: &[Status]) -> Status {
        if statuses.contains(&Status::Success) { Status::Success } else { Status::NothingFound }
    }

    /// Returns success if all statuses are.
    pub fn all(statuses: &[Status]) -> Status {
        if statuses.contains(&Status::NothingFound) { Status::NothingFound } else { Status::Success }
    }

    /// Returns the process's exit code.
    pub fn code(self) -> u8 {
        match self {
            Status::Success => 0,
            Status::NothingFound => 1,
        }
    }

    /// Returns the status of a command that printed `count` results.
    pub fn for_count(count: usize) -> Status {
        if count == 0 { Status::NothingFound } else { Status::Success }
    }
}

/// Maximum number of letters of a panic's message that are printed; the message can have text of the repository.
const MAX_MESSAGE_LETTERS: usize = 300;

/// Installs a panic hook that prints one line without control characters. With `RUST_BACKTRACE` set, Rust's own hook
/// stays.
pub fn report_panics() {
    if std::env::var_os("RUST_BACKTRACE").is_some_and(|value| value != "0") {
        return;
    }
    std::panic::set_hook(Box::new(|info| {
        let payload = info.payload();
        let text = payload.downcast_ref::<&str>().copied().or(payload.downcast_ref::<String>().map(String::as_str));
        let message: String = safe(text.unwrap_or("no message")).chars().take(MAX_MESSAGE_LETTERS).collect();
        let at = info.location().map_or_else(String::new, |at| format!(" at {}:{}", at.file(), at.line()));
        // Nothing can be done when standard error is closed.
        let _closed = writeln!(
            io::stderr(),
            "knowing: internal error{at}: {message}\nplease report it; if it happens again, `knowing index --force` \
             rebuilds the index"
        );
    }));
}
