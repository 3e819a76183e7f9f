//! `knowing index`, `stats` and `query` over several repositories.

use std::io::Write;

use serde::Serialize;

use super::super::Format;
use super::super::answer::print;
use super::super::exit::{CliError, Status};
use super::super::index::IndexArguments;
use super::super::output::{Align, Table, stdout};
use super::super::query::{QueryArguments, QueryFormat, not_found, record, table};
use super::super::session::Session;
use super::super::stats::StatsArguments;
use super::super::summary::Summary;
use super::{indexed, open, update};
use crate::engine::IndexOptions;
use crate::engine::inspect::{self, NameMatch};
use crate::model::Symbol;
use crate::render::{json, lines};
use crate::text::display::{bytes, thousands};
use crate::workspace::{Member, Workspace};

/// The index of one repository in JSON.
#[derive(Serialize)]
struct MemberRecord {
    label: String,
    #[serde(flatten)]
    summary: Option<Summary>,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
}

/// Builds or updates the indexes and prints one line for each repository.
///
/// # Errors
/// When the repositories can't be opened, or an option is for one repository.
pub fn index(session: &Session, arguments: &IndexArguments) -> Result<Status, CliError> {
    if arguments.dir.is_some() || !arguments.scip.is_empty() || arguments.publish.is_some() {
        let text = "DIR, --scip and --publish are for one repository; name each with --repo, or publish each by itself";
        return Err(CliError::Usage(text.to_owned()));
    }
    let prepare = |engine| match &arguments.from {
        Some(url) => super::with_share(engine, url),
        None => super::prepared(engine),
    };
    let mut workspace = super::open_with(session, &[], &prepare)?;
    let jobs = arguments.jobs.map(usize::from);
    update(session, &mut workspace, &IndexOptions { force: arguments.force, jobs, ..IndexOptions::default() })?;
    summaries(session, &workspace, arguments.format)
}

/// Prints the statistics of each repository's index.
///
/// # Errors
/// When the repositories can't be opened.
pub fn stats(session: &Session, arguments: &StatsArguments) -> Result<Status, CliError> {
    if arguments.skips {
        return Err(CliError::Usage("--skips is for one repository; name it with a single --repo".to_owned()));
    }
    summaries(session, &open(session, &[])?, arguments.format)
}

/// Prints a summary of each index. The status is that of a failed check if a repository has none.
fn summaries(session: &Session, workspace: &Workspace, format: Format) -> Result<Status, CliError> {
    let member_record = |member: &Member| {
        let (summary, failure) = match Summary::from_engine(member.engine()) {
            Ok(summary) => (Some(summary), None),
            Err(error) => (None, Some(error.to_string())),
        };
        let problem = member.problem().map(str::to_owned).or(failure);
        MemberRecord { label: member.label().to_owned(), summary, problem }
    };
    let records: Vec<MemberRecord> = workspace.members().iter().map(member_record).collect();
    let mut out = stdout();
    match format {
        Format::Json => out.write_all(json::list(records.iter()).as_bytes())?,
        Format::Text => {
            let right = Align::Right;
            let mut table = Table::new(&[
                ("repository", Align::Left),
                ("files", right),
                ("symbols", right),
                ("edges", right),
                ("database", right),
            ]);
            for record in &records {
                let Some(summary) = &record.summary else { continue };
                let [files, symbols, edges] = summary.totals().map(|count| thousands(count as usize));
                table.row([&record.label, &files, &symbols, &edges, &bytes(summary.database_bytes())]);
            }
            table.write(&mut out, session.colors.stdout)?;
        }
    }
    out.flush()?;
    let mut is_complete = true;
    for record in &records {
        if let Some(problem) = &record.problem {
            session.note(&format!("{}: {problem}", record.label));
            is_complete = false;
        }
    }
    Ok(if is_complete { Status::Success } else { Status::NothingFound })
}

/// Updates the indexes and prints the symbols with a matching name: exact matches of all repositories first.
///
/// # Errors
/// When the name is empty, or the output can't be used.
pub fn query(session: &Session, arguments: &QueryArguments) -> Result<Status, CliError> {
    let workspace = indexed(session)?;
    let mut found: Vec<(&Member, NameMatch)> = Vec::new();
    let names = workspace.repositories();
    let labeled = names.split_label(&arguments.name);
    let name = labeled.map_or(arguments.name.as_str(), |(_, rest)| rest);
    for member in workspace.members() {
        let Some(ranker) = member.ranker() else { continue };
        if labeled.is_some_and(|(id, _)| id != member.engine().repository()) {
            continue;
        }
        let search = inspect::find(ranker.reader(), name, arguments.limit)?;
        found.extend(search.found.into_iter().map(|matched| (member, matched)));
    }
    // Stable: the order of the repositories, and in each the best first.
    found.sort_by_key(|(_, matched)| !matched.exact);
    found.truncate(arguments.limit);
    if !found.iter().any(|(_, matched)| matched.exact) {
        session.note(&not_found(&arguments.name, found.is_empty(), &[]));
    }
    let text = match arguments.format {
        QueryFormat::Json => query_json(&workspace, &found),
        QueryFormat::Lines => query_lines(&workspace, &found)?,
        QueryFormat::Text if found.is_empty() => String::new(),
        QueryFormat::Text => table(session, &names, found.iter().map(|(_, found)| found))?,
    };
    print(&text)?;
    Ok(Status::for_count(found.len()))
}

fn query_json(workspace: &Workspace, found: &[(&Member, NameMatch)]) -> String {
    let names = workspace.repositories();
    json::list(found.iter().map(|(_, found)| record(&names, found)))
}

fn query_lines(workspace: &Workspace, found: &[(&Member, NameMatch)]) -> Result<String, CliError> {
    let (names, mut text) = (workspace.repositories(), String::new());
    for (member, NameMatch { symbol, .. }) in found.iter().filter(|(_, found)| !found.symbol.file.is_empty()) {
        let symbols: [&Symbol; 1] = [symbol];
        let column = member.engine().columns(&symbols)?.first().copied().unwrap_or(1);
        text.push_str(&lines::line(&names.path(symbol), symbol, column));
        text.push('\n');
    }
    Ok(text)
}
