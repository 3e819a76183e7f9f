//! `knowing status`, `knowing status --skips`: prints the contents of the index in numbers, and what is not in it.

use std::io::Write;

use serde::Serialize;

use super::Format;
use super::exit::{CliError, Status};
use super::output::{Align, Table};
use super::session::Session;
use super::status::unreadable;
use super::summary::{Summary, summaries};
use crate::engine::{Unread, partly_parsed};
use crate::render::json;
use crate::text::count;
use crate::text::display::thousands;
use crate::workspace::Member;

#[derive(Serialize)]
struct Skip<'a> {
    path: &'a str,
    reason: &'a str,
    /// The rule that leaves it out, if it is ignored or excluded; what of it is not read, if it is parsed in part.
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<String>,
}

/// Prints the statistics.
///
/// # Errors
/// When there is no index, or it can't be read.
pub fn run(session: &Session, format: Format) -> Result<Status, CliError> {
    let workspace = session.workspace(&[])?;
    if !workspace.is_single() {
        return summaries(session, &workspace, format);
    }
    let summary = |member: &Member, mut out: &mut dyn Write| {
        let summary = Summary::from_engine(member.engine())?;
        match format {
            Format::Json => out.write_all(json::line(&summary).as_bytes())?,
            Format::Text => summary.write(&mut out, session.colors.stdout)?,
        }
        Ok(Status::Success)
    };
    Ok(Status::all(&session.each(&workspace, format, summary)?))
}

/// Prints the skipped files, and the folders and files that rules leave out.
///
/// # Errors
/// When there is no index, or it can't be read.
pub fn skips(session: &Session, format: Format) -> Result<Status, CliError> {
    let workspace = session.workspace(&[])?;
    let skips = |member: &Member, out: &mut dyn Write| member_skips(session, member, format, out);
    Ok(Status::all(&session.each(&workspace, format, skips)?))
}

/// Writes the skipped files of one repository, and the folders and files that rules leave out.
fn member_skips(
    session: &Session,
    member: &Member,
    format: Format,
    mut out: &mut dyn Write,
) -> Result<Status, CliError> {
    let reader = member.engine().reader().map_err(|error| unreadable(member.engine(), error))?;
    let (skips, unread) = (reader.skips()?, Unread::read(&reader)?);
    let skipped = skips.iter().map(|skip| Skip { path: &skip.path, reason: &skip.reason, rule: None });
    let omitted = unread.omissions.iter().map(|omission| Skip {
        path: &omission.path,
        reason: omission.reason.name(),
        rule: Some(omission.rule.to_string()),
    });
    let partly_parsed = partly_parsed(&reader)?;
    let partly = partly_parsed.iter().map(|file| {
        let end = if file.is_without_definitions { ", and no definition was found" } else { "" };
        let lines = count(file.lines as usize, "line");
        Skip { path: &file.path, reason: "partly_parsed", rule: Some(format!("{lines} in syntax errors{end}")) }
    });
    let mut rows: Vec<Skip<'_>> = skipped.chain(omitted).chain(partly).collect();
    rows.sort_by_key(|row| row.path);
    match format {
        Format::Json => out.write_all(json::list(rows.iter()).as_bytes())?,
        Format::Text if rows.is_empty() => session.note("nothing is skipped, ignored or excluded"),
        Format::Text => {
            let mut table = Table::new(&[("reason", Align::Left), ("file", Align::Left), ("detail", Align::Left)]);
            rows.iter().for_each(|row| table.row([row.reason, row.path, row.rule.as_deref().unwrap_or_default()]));
            table.write(&mut out, session.colors.stdout)?;
        }
    }
    let unlisted = unread.omission_count.saturating_sub(unread.omissions.len() as u64);
    if unlisted > 0 {
        session.note(&format!("{} more folders and files are ignored or excluded", thousands(unlisted as usize)));
    }
    Ok(Status::Success)
}
