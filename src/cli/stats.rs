//! `knowing stats`: prints the contents of the index in numbers.

use std::io::Write;

use clap::Args;
use serde::Serialize;

use super::Format;
use super::exit::{CliError, Status};
use super::output::{Align, Table};
use super::session::Session;
use super::summary::{Summary, summaries};
use crate::render::json;
use crate::workspace::Member;

/// Show statistics of the index: files, symbols, edges, sizes, unresolved names
#[derive(Debug, Args)]
pub struct StatsArguments {
    /// List the skipped files, each with its reason
    #[arg(long)]
    pub skips: bool,
    /// Output format
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    pub format: Format,
}

#[derive(Serialize)]
struct Skip<'a> {
    path: &'a str,
    reason: &'a str,
}

/// Prints the statistics or the skipped files.
///
/// # Errors
/// When there is no index, or it can't be read.
pub fn run(session: &Session, arguments: &StatsArguments) -> Result<Status, CliError> {
    let workspace = session.workspace(&[])?;
    if arguments.skips {
        let skips = |member: &Member, out: &mut dyn Write| skips(session, member, arguments.format, out);
        return Ok(Status::all(&session.each(&workspace, arguments.format, skips)?));
    }
    if !workspace.is_single() {
        return summaries(session, &workspace, arguments.format);
    }
    let summary = |member: &Member, mut out: &mut dyn Write| {
        let summary = Summary::from_engine(member.engine())?;
        match arguments.format {
            Format::Json => out.write_all(json::line(&summary).as_bytes())?,
            Format::Text => summary.write(&mut out, session.colors.stdout)?,
        }
        Ok(Status::Success)
    };
    Ok(Status::all(&session.each(&workspace, arguments.format, summary)?))
}

/// Prints the skipped files of one repository.
fn skips(session: &Session, member: &Member, format: Format, mut out: &mut dyn Write) -> Result<Status, CliError> {
    let skips = member.engine().reader()?.skips()?;
    match format {
        Format::Json => {
            let skips = skips.iter().map(|skip| Skip { path: &skip.path, reason: &skip.reason });
            out.write_all(json::list(skips).as_bytes())?;
        }
        Format::Text => {
            let mut table = Table::new(&[("reason", Align::Left), ("file", Align::Left)]);
            skips.iter().for_each(|skip| table.row([&skip.reason, &skip.path]));
            table.write(&mut out, session.colors.stdout)?;
        }
    }
    Ok(Status::Success)
}
