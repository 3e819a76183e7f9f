//! `knowing status --verify`: checks the integrity of the index.

use std::io::Write;

use serde::Serialize;

use super::Format;
use super::exit::{CliError, Status};
use super::output::{Align, Table};
use super::session::Session;
use super::status::unreadable;
use crate::engine::Finding;
use crate::render::json;
use crate::workspace::Member;

#[derive(Serialize)]
struct Record<'a> {
    check: &'a str,
    problems: &'a [String],
}

/// Runs all checks and prints their results.
///
/// # Errors
/// When there is no index, or it can't be read.
pub fn run(session: &Session, format: Format) -> Result<Status, CliError> {
    let workspace = session.workspace(&[])?;
    let check = |member: &Member, out: &mut dyn Write| {
        let findings = member.engine().fsck().map_err(|error| unreadable(member.engine(), error))?;
        check(session, format, &findings, out)
    };
    let status = Status::all(&session.each(&workspace, format, check)?);
    if status == Status::NothingFound {
        session.note("`knowing index --force` rebuilds the index and keeps your feedback");
    }
    Ok(status)
}

/// Prints the results of one index.
fn check(session: &Session, format: Format, findings: &[Finding], mut out: &mut dyn Write) -> Result<Status, CliError> {
    match format {
        Format::Json => {
            let records = findings.iter().map(|finding| Record { check: finding.check, problems: &finding.problems });
            out.write_all(json::list(records).as_bytes())?;
        }
        Format::Text => {
            let mut table = Table::new(&[("check", Align::Left), ("result", Align::Left)]);
            for finding in findings {
                match finding.problems.as_slice() {
                    [] => table.row([finding.check, "ok"]),
                    problems => problems.iter().for_each(|problem| table.row([finding.check, problem])),
                }
            }
            table.write(&mut out, session.colors.stdout)?;
        }
    }
    let is_intact = findings.iter().all(|finding| finding.problems.is_empty());
    Ok(if is_intact { Status::Success } else { Status::NothingFound })
}
