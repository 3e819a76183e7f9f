//! `knowing fsck`: whether the index is sound.

use std::io::Write;

use clap::Args;
use serde::Serialize;

use super::Format;
use super::failure::{Ending, Failure};
use super::output::{Align, Table, stdout};
use super::session::Session;
use crate::render::json;

/// Check the index: database pages, edges, identities, search text, hashes
///
/// Ends with 1 when something is wrong. `knowing index --force` rebuilds the index and keeps what you taught.
#[derive(Debug, Args)]
pub struct FsckArguments {
    /// How the result is printed
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    pub format: Format,
}

#[derive(Serialize)]
struct Record<'a> {
    check: &'a str,
    problems: &'a [String],
}

pub fn run(session: &Session, arguments: &FsckArguments) -> Result<Ending, Failure> {
    let findings = session.engine(None)?.fsck()?;
    let sound = findings.iter().all(|finding| finding.problems.is_empty());
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
    if sound {
        return Ok(Ending::Fine);
    }
    session.note("`knowing index --force` rebuilds the index and keeps what you taught");
    Ok(Ending::Nothing)
}
