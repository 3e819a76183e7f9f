//! `knowing query --nodes` and `--edges`: prints the graph as JSON lines.

use std::io::Write;

use serde::Serialize;

use super::exit::{CliError, Status};
use super::output::stdout;
use super::session::Session;
use crate::engine::inspect::{self, WholeGraph};
use crate::model::{MemberNode, Provenance, Repositories, SINGLE_REPOSITORY, Symbol, SymbolKind};
use crate::render::{json, scoped_name};
use crate::workspace::Workspace;

/// The part of the graph to print.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GraphPart {
    Nodes,
    Edges,
}

/// An end of an edge.
#[derive(Serialize)]
struct Endpoint<'a> {
    /// The label of its repository, of several.
    #[serde(skip_serializing_if = "Option::is_none")]
    repository: Option<&'a str>,
    file: &'a str,
    line: u32,
    name: String,
    kind: &'static str,
}

#[derive(Serialize)]
struct EdgeRecord<'a> {
    source: Endpoint<'a>,
    target: Endpoint<'a>,
    /// Of several repositories: the name of the target in the source's repository.
    #[serde(skip_serializing_if = "Option::is_none")]
    external: Option<&'a str>,
    #[serde(rename = "type")]
    edge_type: &'static str,
    provenance: &'static str,
    confidence: f64,
}

#[derive(Serialize)]
struct NodeRecord<'a> {
    /// The label of its repository, of several.
    #[serde(skip_serializing_if = "Option::is_none")]
    repository: Option<&'a str>,
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

/// Updates the indexes and prints their nodes, or the edges of a single repository or between several.
///
/// # Errors
/// When an index or the output can't be used.
pub fn run(session: &Session, part: GraphPart) -> Result<Status, CliError> {
    let mut workspace = match part {
        GraphPart::Nodes => session.indexed()?,
        GraphPart::Edges => session.loaded(None)?,
    };
    let mut out = stdout();
    let count = match part {
        GraphPart::Nodes => nodes(&workspace, &mut out)?,
        GraphPart::Edges if workspace.is_single() => edges_within(&workspace, &mut out)?,
        GraphPart::Edges => edges_between(&mut workspace, &mut out)?,
    };
    out.flush()?;
    Ok(Status::for_count(count))
}

fn nodes(workspace: &Workspace, out: &mut impl Write) -> Result<usize, CliError> {
    let names = workspace.repositories();
    let mut count = 0;
    for member in workspace.members().iter().filter(|member| workspace.is_single() || member.problem().is_none()) {
        for symbol in member.engine().reader()?.all_symbols()? {
            out.write_all(json::line(&node_record(&names, &symbol)).as_bytes())?;
            count += 1;
        }
    }
    Ok(count)
}

fn edges_within(workspace: &Workspace, out: &mut impl Write) -> Result<usize, CliError> {
    let mut count = 0;
    for member in workspace.members() {
        let WholeGraph { symbols, edges } = inspect::whole_graph(&member.engine().reader()?)?;
        for (source, target, edge) in edges {
            let record = EdgeRecord {
                source: endpoint(&SINGLE_REPOSITORY, &symbols[source]),
                target: endpoint(&SINGLE_REPOSITORY, &symbols[target]),
                external: None,
                edge_type: edge.edge_type.name(),
                provenance: edge.provenance.name(),
                confidence: rounded(edge.confidence),
            };
            out.write_all(json::line(&record).as_bytes())?;
            count += 1;
        }
    }
    Ok(count)
}

fn edges_between(workspace: &mut Workspace, out: &mut impl Write) -> Result<usize, CliError> {
    let (names, edges) = (workspace.repositories(), workspace.cross_edges()?.to_vec());
    for edge in &edges {
        let external = MemberNode { member: edge.source.member, node: edge.external };
        let ends = [edge.source, edge.target, external].map(|end| workspace.symbol(end));
        let [Some(source), Some(target), Some(external)] = ends else { continue };
        let record = EdgeRecord {
            source: endpoint(&names, &source),
            target: endpoint(&names, &target),
            external: Some(external.short_name()),
            edge_type: edge.edge_type.name(),
            provenance: Provenance::Package.name(),
            confidence: rounded(edge.confidence),
        };
        out.write_all(json::line(&record).as_bytes())?;
    }
    Ok(edges.len())
}

/// The store has ten-thousandths; more digits would show the rounding of `f32`.
fn rounded(confidence: f32) -> f64 {
    (f64::from(confidence) * 1e4).round() / 1e4
}

/// Returns a symbol as an end of an edge.
fn endpoint<'a>(names: &'a Repositories, symbol: &'a Symbol) -> Endpoint<'a> {
    let (repository, file, kind) = (names.label(symbol), symbol.file.as_str(), symbol.kind.name());
    if symbol.kind == SymbolKind::File {
        return Endpoint { repository, file, line: 0, name: "<module>".to_owned(), kind };
    }
    Endpoint { repository, file, line: symbol.span.name_line, name: scoped_name(symbol), kind }
}

fn node_record<'a>(names: &'a Repositories, symbol: &'a Symbol) -> NodeRecord<'a> {
    NodeRecord {
        repository: names.label(symbol),
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
