//! `knowing stats`: prints the contents of the index in numbers.

use std::io::Write;

use clap::Args;
use serde::Serialize;

use super::Format;
use super::exit::{CliError, Status};
use super::output::{Align, Table, stdout};
use super::session::Session;
use super::summary::Summary;
use super::workspace;
use crate::engine::{Reader, Unread};
use crate::render::json;
use crate::text::display::thousands;

/// Show statistics of the index: files, symbols, edges, sizes, unresolved names
#[derive(Debug, Args)]
pub struct StatsArguments {
    /// List the skipped files and the ignored folders, each with its reason
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
    /// The rule that leaves it out, if it is ignored or excluded.
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<String>,
}

/// Prints the statistics or the skipped files.
///
/// # Errors
/// When there is no index, or it can't be read.
pub fn run(session: &Session, arguments: &StatsArguments) -> Result<Status, CliError> {
    if session.has_workspace() {
        return workspace::stats(session, arguments);
    }
    let engine = session.engine(None)?;
    let mut out = stdout();
    if arguments.skips {
        write_skips(session, arguments.format, &engine.reader()?, &mut out)?;
    } else {
        let summary = Summary::from_engine(&engine)?;
        match arguments.format {
            Format::Json => out.write_all(json::line(&summary).as_bytes())?,
            Format::Text => summary.write(&mut out, session.colors.stdout)?,
        }
    }
    out.flush()?;
    Ok(Status::Success)
}

/// Writes the skipped files, and the folders and files that rules leave out.
fn write_skips(session: &Session, format: Format, reader: &Reader, out: &mut impl Write) -> Result<(), CliError> {
    let (skips, unread) = (reader.skips()?, Unread::read(reader)?);
    let skipped = skips.iter().map(|skip| Skip { path: &skip.path, reason: &skip.reason, rule: None });
    let omitted = unread.omissions.iter().map(|omission| Skip {
        path: &omission.path,
        reason: omission.reason.name(),
        rule: Some(omission.rule.to_string()),
    });
    let mut rows: Vec<Skip<'_>> = skipped.chain(omitted).collect();
    rows.sort_by_key(|row| row.path);
    match format {
        Format::Json => out.write_all(json::list(rows.iter()).as_bytes())?,
        Format::Text => {
            let mut table = Table::new(&[("reason", Align::Left), ("file", Align::Left), ("rule", Align::Left)]);
            rows.iter().for_each(|row| table.row([row.reason, row.path, row.rule.as_deref().unwrap_or_default()]));
            table.write(out, session.colors.stdout)?;
        }
    }
    let unlisted = unread.omission_count.saturating_sub(unread.omissions.len() as u64);
    if unlisted > 0 {
        session.note(&format!("{} more folders and files are ignored or excluded", thousands(unlisted as usize)));
    }
    Ok(())
}
