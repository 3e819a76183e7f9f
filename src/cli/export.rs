//! `knowing export`: prints the graph as JSON lines.

use std::io::Write;

use clap::Args;
use serde::Serialize;

use super::exit::{CliError, Status};
use super::output::stdout;
use super::session::Session;
use super::workspace;
use crate::engine::inspect::{self, WholeGraph};
use crate::model::{Symbol, SymbolKind};
use crate::render::{json, scoped_name};

/// Print the graph as JSON lines
///
/// An edge is {"source":{"file","line","name","kind"},"target":{…},"type","provenance","confidence"}. Names are qualified
/// within their file (Session.is_expired). Top-level code of a module has the name `<module>` and line 0. External
/// symbols have an empty file. Of several repositories, --edges prints those between them.
#[derive(Debug, Args)]
#[command(group(clap::ArgGroup::new("what").required(true)))]
pub struct ExportArguments {
    /// One line per symbol
    #[arg(long, group = "what")]
    pub nodes: bool,
    /// One line per edge
    #[arg(long, group = "what")]
    pub edges: bool,
}

/// An end of an edge.
#[derive(Serialize)]
pub struct Endpoint<'a> {
    file: &'a str,
    line: u32,
    name: String,
    kind: &'static str,
}

#[derive(Serialize)]
struct EdgeRecord<'a> {
    source: Endpoint<'a>,
    target: Endpoint<'a>,
    #[serde(rename = "type")]
    edge_type: &'static str,
    provenance: &'static str,
    confidence: f64,
}

#[derive(Serialize)]
struct NodeRecord<'a> {
    id: String,
    qualified_name: &'a str,
    name: String,
    kind: &'static str,
    file: &'a str,
    line: u32,
    start_line: u32,
    end_line: u32,
    signature: &'a str,
    doc: &'a str,
    is_test: bool,
    ordinal: u32,
}

/// Updates the index and prints its nodes or edges.
///
/// # Errors
/// When the index or the output can't be used.
pub fn run(session: &Session, arguments: &ExportArguments) -> Result<Status, CliError> {
    if session.has_workspace() {
        return workspace::export(session, arguments);
    }
    let reader = session.indexed()?.reader()?;
    let mut out = stdout();
    let mut count = 0;
    if arguments.nodes {
        for symbol in reader.all_symbols()? {
            out.write_all(json::line(&node_record(&symbol)).as_bytes())?;
            count += 1;
        }
    }
    if arguments.edges {
        let WholeGraph { symbols, edges } = inspect::whole_graph(&reader)?;
        for (source, target, edge) in edges {
            let record = EdgeRecord {
                source: endpoint(&symbols[source]),
                target: endpoint(&symbols[target]),
                edge_type: edge.edge_type.name(),
                provenance: edge.provenance.name(),
                // The store has ten-thousandths; more digits would show the rounding of `f32`.
                confidence: (f64::from(edge.confidence) * 1e4).round() / 1e4,
            };
            out.write_all(json::line(&record).as_bytes())?;
            count += 1;
        }
    }
    out.flush()?;
    Ok(Status::for_count(count))
}

/// Returns a symbol as an end of an edge.
pub fn endpoint(symbol: &Symbol) -> Endpoint<'_> {
    let kind = symbol.kind.name();
    if symbol.kind == SymbolKind::File {
        return Endpoint { file: &symbol.file, line: 0, name: "<module>".to_owned(), kind };
    }
    Endpoint { file: &symbol.file, line: symbol.span.name_line, name: scoped_name(symbol), kind }
}

fn node_record(symbol: &Symbol) -> NodeRecord<'_> {
    NodeRecord {
        id: symbol.id.hex(),
        qualified_name: &symbol.qualified_name,
        name: scoped_name(symbol),
        kind: symbol.kind.name(),
        file: &symbol.file,
        line: symbol.span.name_line,
        start_line: symbol.span.start_line,
        end_line: symbol.span.end_line,
        signature: &symbol.signature,
        doc: &symbol.doc,
        is_test: symbol.is_test,
        ordinal: symbol.ordinal,
    }
}
