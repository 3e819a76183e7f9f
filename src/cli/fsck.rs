//! `knowing fsck`: checks the integrity of the index.

use std::io::Write;

use clap::Args;
use serde::Serialize;

use super::Format;
use super::exit::{CliError, Status};
use super::output::{Align, Table, stdout};
use super::session::Session;
use crate::render::json;

/// Check the index: database pages, edges, symbol ids, search index, hashes
///
/// Exits with 1 when a check fails. `knowing index --force` rebuilds the index and keeps your feedback.
#[derive(Debug, Args)]
pub struct FsckArguments {
    /// Output format
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    pub format: Format,
}

#[derive(Serialize)]
struct Record<'a> {
    check: &'a str,
    problems: &'a [String],
}

/// Runs all checks and prints their results.
///
/// # Errors
/// When there is no index, or it can't be read.
pub fn run(session: &Session, arguments: &FsckArguments) -> Result<Status, CliError> {
    let findings = session.engine(None)?.fsck()?;
    let is_intact = findings.iter().all(|finding| finding.problems.is_empty());
    let mut out = stdout();
    match arguments.format {
        Format::Json => {
            let records = findings.iter().map(|finding| Record { check: finding.check, problems: &finding.problems });
            out.write_all(json::list(records).as_bytes())?;
        }
        Format::Text => {
            let mut table = Table::new(&[("check", Align::Left), ("result", Align::Left)]);
            for finding in &findings {
                match finding.problems.as_slice() {
                    [] => table.row([finding.check, "ok"]),
                    problems => problems.iter().for_each(|problem| table.row([finding.check, problem])),
                }
            }
            table.write(&mut out, session.colors.stdout)?;
        }
    }
    out.flush()?;
    if is_intact {
        return Ok(Status::Success);
    }
    session.note("`knowing index --force` rebuilds the index and keeps your feedback");
    Ok(Status::NothingFound)
}
