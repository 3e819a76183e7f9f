//! `knowing status`: the contents of the index in numbers, whether it is current, and whether it is intact.

use clap::Args;

use super::Format;
use super::exit::{CliError, Status};
use super::session::Session;
use super::{fsck, staleness, statistics};
use crate::engine::{Engine, EngineError, StoreError};

/// Show the index in numbers; check that it is current or intact
///
/// Writes nothing. Other commands update the index themselves. `knowing index --force` rebuilds it and keeps your feedback.
#[derive(Debug, Args)]
pub struct StatusArguments {
    /// Check whether the index is behind the checkout; exits with 1 if it is, or if there is none
    #[arg(long, group = "part")]
    pub check: bool,
    /// Check database pages, edges, symbol ids, search index, hashes; exits with 1 when a check fails
    #[arg(long, group = "part")]
    pub verify: bool,
    /// List the skipped files and the ignored folders, each with its reason
    #[arg(long, group = "part")]
    pub skips: bool,
    /// Output format
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    pub format: Format,
}

/// Prints the statistics, the skipped files, or the result of a check.
///
/// # Errors
/// When there is no index to read, it can't be read, or the output can't be written.
pub fn run(session: &Session, arguments: &StatusArguments) -> Result<Status, CliError> {
    let StatusArguments { check, verify, skips, format } = *arguments;
    match () {
        () if check => staleness::run(session, format),
        () if verify => fsck::run(session, format),
        () if skips => statistics::skips(session, format),
        () => statistics::run(session, format),
    }
}

/// Returns the error of reading an index, which says if another process is building the first one.
pub fn unreadable(engine: &Engine, error: EngineError) -> CliError {
    match error {
        EngineError::Store(StoreError::Missing { path }) if engine.is_being_indexed() => {
            CliError::Unusable(anyhow::anyhow!("{NOT_YET}: {} does not exist", path.display()))
        }
        error => error.into(),
    }
}

/// Text about an index while another process builds it.
pub const NOT_YET: &str = "there is no index yet; another process is building it";
