//! `knowing export`: prints the graph as JSON lines, or what is around one symbol as a diagram.

use std::io::Write;

use clap::{Args, ValueEnum};
use serde::Serialize;

use super::exit::{CliError, Status};
use super::lookup::by_name;
use super::output::stdout;
use super::session::Session;
use crate::engine::inspect::{self, WholeGraph};
use crate::model::{MemberNode, Provenance, Repositories, SINGLE_REPOSITORY, Symbol, SymbolKind};
use crate::render::diagram::DiagramFormat;
use crate::render::{json, scoped_name};
use crate::workspace::Workspace;

/// Print the graph as JSON lines, or the symbols around one as a diagram
///
/// `knowing export Session --format mermaid` draws in Markdown, `--format dot | dot -Tsvg` in Graphviz. Inferred edges
/// are broken lines. An edge is {"source":{"file","line","name","kind"},"target":{…},"type","provenance","confidence"}. Names are qualified
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
    /// The symbol in the middle of a diagram: a name, plain or qualified
    #[arg(value_name = "SYMBOL", group = "what")]
    pub symbol: Option<String>,
    /// Language of the diagram
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t, conflicts_with_all = ["nodes", "edges"])]
    pub format: DiagramLanguage,
    /// Distance of the symbols in the diagram, in edges
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=3),
          conflicts_with_all = ["nodes", "edges"])]
    pub depth: u32,
}

/// A language of diagrams.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum DiagramLanguage {
    /// Code forges draw it in Markdown
    #[default]
    Mermaid,
    /// For Graphviz
    Dot,
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
pub fn run(session: &Session, arguments: &ExportArguments) -> Result<Status, CliError> {
    let mut workspace = match arguments.nodes {
        true => session.indexed()?,
        false => session.loaded(None)?,
    };
    let mut out = stdout();
    if let Some(name) = &arguments.symbol {
        let Some(symbol) = by_name(session, &mut workspace, "the diagram", name)? else {
            return Ok(Status::NothingFound);
        };
        let format = match arguments.format {
            DiagramLanguage::Mermaid => DiagramFormat::Mermaid,
            DiagramLanguage::Dot => DiagramFormat::Dot,
        };
        out.write_all(workspace.diagram(&symbol, arguments.depth)?.render(format).as_bytes())?;
        out.flush()?;
        return Ok(Status::Success);
    }
    let count = match arguments.nodes {
        true => nodes(&workspace, &mut out)?,
        false if workspace.is_single() => edges_within(&workspace, &mut out)?,
        false => edges_between(&mut workspace, &mut out)?,
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
