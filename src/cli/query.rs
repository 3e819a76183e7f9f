//! `knowing query`: finds symbols by name, or prints all of them.

use std::io::Write;

use clap::builder::RangedU64ValueParser;
use clap::{Args, ValueEnum};
use serde::Serialize;

use super::exit::{CliError, Status};
use super::export::{self, GraphPart};
use super::links::Links;
use super::lookup::by_name;
use super::output::{Align, Table, stdout};
use super::questions::print;
use super::session::Session;
use crate::engine::inspect::{self, NameMatch};
use crate::engine::unused_counts;
use crate::model::{Repositories, Symbol};
use crate::render::diagram::DiagramFormat;
use crate::render::question::{SymbolRecord, symbol_record};
use crate::render::{json, lines, scoped_name};
use crate::text::display::{safe, thousands};
use crate::workspace::Workspace;

/// Find symbols by name, or print all symbols or edges
///
/// Exact matches come first, then names that begin with it or have its words; if there are none, those with its letters
/// in order.
///
/// With --format mermaid or dot the symbols around the one of this name are a diagram; inferred edges are broken lines.
///
/// --nodes and --edges print the graph as JSON lines. An edge is {"source":{"file","line","name","kind"},"target":{…},
/// "type","provenance","confidence"}. Names are qualified within their file (Session.is_expired). Top-level code of a
/// module has the name `<module>` and line 0. External symbols have an empty file. Of several repositories, --edges prints
/// those between them.
#[derive(Debug, Args)]
#[command(group(clap::ArgGroup::new("what")))]
pub struct QueryArguments {
    /// A name, plain or qualified: is_expired, Session.is_expired
    #[arg(value_name = "NAME", group = "what", required_unless_present_any = ["nodes", "edges", "unused"])]
    pub name: Option<String>,
    /// Print every symbol as a line of JSON
    #[arg(long, group = "what")]
    pub nodes: bool,
    /// Print every edge as a line of JSON
    #[arg(long, group = "what")]
    pub edges: bool,
    /// List what nothing uses, by how sure that is; with a name, only what has it in its path or name
    ///
    /// `sure`: not visible outside, and every reference by its name is known. `likely`: other code, a framework or the
    /// runtime may use it. `unknown`: references by its name are not resolved. Tests are left out.
    #[arg(long, conflicts_with_all = ["nodes", "edges"])]
    pub unused: bool,
    /// Maximum number of symbols to list
    #[arg(long, value_name = "N", default_value_t = 20, conflicts_with_all = ["nodes", "edges"],
          value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    pub limit: usize,
    /// Output format
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t, conflicts_with_all = ["nodes", "edges"])]
    pub format: QueryFormat,
    /// Distance of the symbols in a diagram, in edges
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=3))]
    pub depth: u32,
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
    /// A diagram of what is around the symbol, which code forges draw in Markdown
    Mermaid,
    /// The same for Graphviz
    Dot,
}

/// A symbol that matches a name, in JSON.
#[derive(Serialize)]
struct Record<'a> {
    #[serde(flatten)]
    symbol: SymbolRecord<'a>,
    incoming: u32,
    outgoing: u32,
    exact: bool,
}

/// Updates the index and prints the symbols with a matching name, or all symbols or edges.
///
/// # Errors
/// When the name is empty, or the index or the output can't be used.
pub fn run(session: &Session, arguments: &QueryArguments) -> Result<Status, CliError> {
    let diagram = match arguments.format {
        QueryFormat::Mermaid => Some(DiagramFormat::Mermaid),
        QueryFormat::Dot => Some(DiagramFormat::Dot),
        QueryFormat::Text | QueryFormat::Json | QueryFormat::Lines => None,
    };
    if arguments.unused {
        if diagram.is_some() {
            let text = "a diagram is of one symbol; --unused has a list: use --format text, json or lines";
            return Err(CliError::Usage(text.to_owned()));
        }
        return unused(session, arguments);
    }
    match (&arguments.name, diagram) {
        (Some(name), Some(format)) => draw(session, name, format, arguments.depth),
        (Some(name), None) => find(session, name, arguments),
        (None, _) if arguments.nodes => export::run(session, GraphPart::Nodes),
        (None, _) => export::run(session, GraphPart::Edges),
    }
}

/// Prints a diagram of the symbols around one.
fn draw(session: &Session, name: &str, format: DiagramFormat, depth: u32) -> Result<Status, CliError> {
    let mut workspace = session.loaded(None)?;
    let Some(symbol) = by_name(session, &mut workspace, "the diagram", name)? else {
        return Ok(Status::NothingFound);
    };
    let mut out = stdout();
    out.write_all(workspace.diagram(&symbol, depth)?.render(format).as_bytes())?;
    out.flush()?;
    Ok(Status::Success)
}

fn find(session: &Session, asked: &str, arguments: &QueryArguments) -> Result<Status, CliError> {
    if asked.trim().is_empty() {
        return Err(CliError::Usage("the name is empty; for example: knowing query parse".to_owned()));
    }
    let workspace = session.indexed()?;
    let names = workspace.repositories();
    let labeled = names.split_label(asked);
    let name = labeled.map_or(asked, |(_, rest)| rest);
    let (mut found, mut near, mut unread, mut is_empty) = (Vec::new(), Vec::new(), Vec::new(), true);
    let mut unresolved = 0;
    for member in workspace.members() {
        let is_other = labeled.is_some_and(|(id, _)| id != member.engine().repository());
        if is_other || !workspace.is_single() && member.problem().is_some() {
            continue;
        }
        let reader = member.engine().reader()?;
        let search = inspect::find(&reader, name, arguments.limit)?;
        is_empty &= search.found.is_empty() && session.note_without_files(&reader)?;
        match search.found.iter().find(|matched| matched.exact) {
            Some(first) if arguments.format == QueryFormat::Text => {
                unresolved += inspect::unresolved_count(&reader, member.root(), &first.symbol)?;
            }
            Some(_) => {}
            None => unread.extend(inspect::unread_places(&reader, member.root(), name)?),
        }
        found.extend(search.found);
        near.extend(search.suggestions);
    }
    // Stable: the order of the repositories, and in each the best first.
    found.sort_by_key(|matched: &NameMatch| !matched.exact);
    found.truncate(arguments.limit);
    if !(is_empty || found.iter().any(|matched| matched.exact)) {
        session.note(&not_found(asked, found.is_empty(), &near));
        unread.iter().for_each(|place| session.note(place));
    }
    let text = match arguments.format {
        QueryFormat::Json => json::list(found.iter().map(|found| record(&names, found))),
        QueryFormat::Lines => lines(&workspace, &found)?,
        _ if found.is_empty() => String::new(),
        QueryFormat::Text | QueryFormat::Mermaid | QueryFormat::Dot => {
            let files = found.iter().map(|found| found.symbol.file.as_str());
            Links::new(session, &workspace).apply(table(session, &names, &found)?, files)
        }
    };
    print(&text)?;
    if unresolved > 0 {
        let lines =
            if unresolved == 1 { "1 line names".to_owned() } else { format!("{} lines name", thousands(unresolved)) };
        session.note(&format!("not resolved: {lines} it (`knowing callers {asked} --unresolved` lists them)"));
    }
    Ok(Status::for_count(found.len()))
}

/// A symbol that nothing uses, in JSON.
#[derive(Serialize)]
struct UnusedRecord<'a> {
    unused: &'static str,
    reason: &'a str,
    unresolved: u32,
    #[serde(flatten)]
    symbol: SymbolRecord<'a>,
}

/// Updates the index and prints what nothing uses.
fn unused(session: &Session, arguments: &QueryArguments) -> Result<Status, CliError> {
    let mut workspace = session.loaded(None)?;
    let mut found = workspace.questions()?.unused()?;
    let names = workspace.repositories();
    if let Some(wanted) = arguments.name.as_deref().map(str::trim).filter(|name| !name.is_empty()) {
        found.retain(|unused| unused.symbol.name == wanted || names.qualified_name(&unused.symbol).contains(wanted));
    }
    let total = found.len();
    let counts: Vec<String> =
        unused_counts(&found).into_iter().map(|(name, count)| format!("{count} {name}")).collect();
    found.truncate(arguments.limit);
    let text = match arguments.format {
        QueryFormat::Json => json::list(found.iter().map(|unused| UnusedRecord {
            unused: unused.sureness.name(),
            reason: &unused.reason,
            unresolved: unused.unresolved,
            symbol: symbol_record(&names, &unused.symbol),
        })),
        QueryFormat::Lines => {
            let symbols: Vec<&Symbol> = found.iter().map(|unused| &unused.symbol).collect();
            symbol_lines(&workspace, &symbols)?
        }
        _ if found.is_empty() => String::new(),
        _ => {
            let mut table = Table::new(&[
                ("unused", Align::Left),
                ("symbol", Align::Left),
                ("kind", Align::Left),
                ("location", Align::Left),
                ("reason", Align::Left),
            ]);
            for unused in &found {
                let symbol = &unused.symbol;
                table.row([
                    unused.sureness.name(),
                    &scoped_name(symbol),
                    symbol.kind.name(),
                    &symbol.span.place(&names.shown(symbol)),
                    &unused.reason,
                ]);
            }
            let mut text = Vec::new();
            table.write(&mut text, session.colors.stdout)?;
            let files = found.iter().map(|unused| unused.symbol.file.as_str());
            Links::new(session, &workspace).apply(String::from_utf8_lossy(&text).into_owned(), files)
        }
    };
    print(&text)?;
    session.note(&format!("{total} without a use: {}", counts.join(", ")));
    for member in workspace.members() {
        session.note_unread(&member.engine().reader()?)?;
    }
    Ok(Status::for_count(total))
}

/// Returns the note that no symbol has exactly this name.
fn not_found(name: &str, is_empty: bool, near: &[String]) -> String {
    match (is_empty, near) {
        (false, _) => format!("no symbol is called `{name}`; similar names:"),
        (true, []) => format!("no symbol is called `{name}`"),
        (true, near) => format!("no symbol is called `{name}`; did you mean {}?", safe(&near.join(", "))),
    }
}

/// Returns the record of a symbol.
fn record<'a>(repositories: &'a Repositories, found: &'a NameMatch) -> Record<'a> {
    let NameMatch { symbol, incoming, outgoing, exact } = found;
    Record { symbol: symbol_record(repositories, symbol), incoming: *incoming, outgoing: *outgoing, exact: *exact }
}

fn lines(workspace: &Workspace, found: &[NameMatch]) -> Result<String, CliError> {
    let symbols: Vec<&Symbol> =
        found.iter().map(|found| &found.symbol).filter(|symbol| !symbol.file.is_empty()).collect();
    symbol_lines(workspace, &symbols)
}

fn symbol_lines(workspace: &Workspace, symbols: &[&Symbol]) -> Result<String, CliError> {
    let (names, mut text) = (workspace.repositories(), String::new());
    for (symbol, column) in symbols.iter().zip(workspace.columns(symbols)?) {
        text.push_str(&lines::line(&names.path(symbol), symbol, column));
        text.push('\n');
    }
    Ok(text)
}

/// Returns the table of symbols.
///
/// # Errors
/// When it can't be written.
fn table(session: &Session, names: &Repositories, found: &[NameMatch]) -> Result<String, CliError> {
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
            &symbol.span.place(&names.shown(symbol)),
            &found.incoming.to_string(),
            &found.outgoing.to_string(),
            if found.exact { "exact" } else { "similar" },
        ]);
    }
    let mut text = Vec::new();
    table.write(&mut text, session.colors.stdout)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}
