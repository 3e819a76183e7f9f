//! `knowing query`: finds symbols by name.

use std::borrow::Cow;
use std::io::Write;

use clap::builder::RangedU64ValueParser;
use clap::{Args, ValueEnum};
use serde::Serialize;

use super::answer::print;
use super::exit::{CliError, Status};
use super::links::Links;
use super::output::{Align, Table, stdout};
use super::session::Session;
use super::workspace;
use crate::engine::Engine;
use crate::engine::inspect::{self, NameMatch};
use crate::model::{Repositories, SINGLE_REPOSITORY, Symbol};
use crate::render::{json, lines, scoped_name};

/// Find symbols by name: exact matches first, then similar names
#[derive(Debug, Args)]
pub struct QueryArguments {
    /// A name, plain or qualified: is_expired, Session.is_expired
    pub name: String,
    /// Maximum number of symbols to list
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    pub limit: usize,
    /// Output format
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    pub format: QueryFormat,
}

/// Output format of `query`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum QueryFormat {
    /// For people
    #[default]
    Text,
    /// For programs
    Json,
    /// For editors and pickers: path:line:column: kind name
    Lines,
}

/// A symbol that matches a name, in JSON.
#[derive(Serialize)]
pub struct Record<'a> {
    qualified_name: Cow<'a, str>,
    /// The label of its repository, of several.
    #[serde(skip_serializing_if = "Option::is_none")]
    repository: Option<&'a str>,
    name: String,
    kind: &'static str,
    file: Cow<'a, str>,
    line: u32,
    signature: &'a str,
    incoming: u32,
    outgoing: u32,
    exact: bool,
}

/// Updates the index and prints the symbols with a matching name.
///
/// # Errors
/// When the name is empty, or the index or the output can't be used.
pub fn run(session: &Session, arguments: &QueryArguments) -> Result<Status, CliError> {
    if arguments.name.trim().is_empty() {
        return Err(CliError::Usage("the name is empty; for example: knowing query parse".to_owned()));
    }
    if session.has_workspace() {
        return workspace::query(session, arguments);
    }
    let engine = session.indexed()?;
    let reader = engine.reader()?;
    let search = inspect::find(&reader, &arguments.name, arguments.limit)?;
    let has_exact = search.found.iter().any(|found| found.exact);
    if !(has_exact || search.found.is_empty() && session.note_without_files(&reader)?) {
        session.note(&not_found(&arguments.name, search.found.is_empty(), &search.suggestions));
        session.note_unread(&reader)?;
    }
    match arguments.format {
        QueryFormat::Json => write_json(&search.found)?,
        QueryFormat::Lines => write_lines(&engine, &search.found)?,
        QueryFormat::Text if search.found.is_empty() => (),
        QueryFormat::Text => write_table(session, &engine, &search.found)?,
    }
    Ok(Status::for_count(search.found.len()))
}

/// Returns the note that no symbol has exactly this name.
pub fn not_found(name: &str, is_empty: bool, near: &[String]) -> String {
    match (is_empty, near) {
        (false, _) => format!("no symbol is called `{name}`; similar names:"),
        (true, []) => format!("no symbol is called `{name}`"),
        (true, near) => format!("no symbol is called `{name}`; did you mean {}?", near.join(", ")),
    }
}

fn write_json(found: &[NameMatch]) -> Result<(), CliError> {
    let records = found.iter().map(|found| record(&SINGLE_REPOSITORY, found));
    let mut out = stdout();
    out.write_all(json::list(records).as_bytes())?;
    out.flush()?;
    Ok(())
}

/// Returns the record of a symbol.
pub fn record<'a>(repositories: &'a Repositories, found: &'a NameMatch) -> Record<'a> {
    let NameMatch { symbol, incoming, outgoing, exact } = found;
    Record {
        qualified_name: repositories.qualified_name(symbol),
        repository: repositories.label(symbol),
        name: scoped_name(symbol),
        kind: symbol.kind.name(),
        file: repositories.file(symbol),
        line: symbol.span.name_line,
        signature: &symbol.signature,
        incoming: *incoming,
        outgoing: *outgoing,
        exact: *exact,
    }
}

fn write_lines(engine: &Engine, found: &[NameMatch]) -> Result<(), CliError> {
    let symbols: Vec<&Symbol> =
        found.iter().map(|found| &found.symbol).filter(|symbol| !symbol.file.is_empty()).collect();
    let mut out = stdout();
    for (symbol, column) in symbols.iter().zip(engine.columns(&symbols)?) {
        writeln!(out, "{}", lines::line(&symbol.file, symbol, column))?;
    }
    Ok(out.flush()?)
}

fn write_table(session: &Session, engine: &Engine, found: &[NameMatch]) -> Result<(), CliError> {
    let text = table(session, &SINGLE_REPOSITORY, found.iter())?;
    let files = found.iter().map(|found| found.symbol.file.as_str());
    print(&Links::new(session, engine.root()).apply(text, files))
}

/// Returns the table of symbols.
///
/// # Errors
/// When it can't be written.
pub fn table<'a>(
    session: &Session,
    names: &Repositories,
    found: impl Iterator<Item = &'a NameMatch>,
) -> Result<String, CliError> {
    let mut table = Table::new(&[
        ("symbol", Align::Left),
        ("kind", Align::Left),
        ("location", Align::Left),
        ("in", Align::Right),
        ("out", Align::Right),
        ("match", Align::Left),
    ]);
    for found in found {
        let symbol = &found.symbol;
        table.row([
            &scoped_name(symbol),
            symbol.kind.name(),
            &format!("{}:{}", names.file(symbol), symbol.span.name_line),
            &found.incoming.to_string(),
            &found.outgoing.to_string(),
            if found.exact { "exact" } else { "similar" },
        ]);
    }
    let mut text = Vec::new();
    table.write(&mut text, session.colors.stdout)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}
