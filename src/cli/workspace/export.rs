//! `knowing export --edges` over several repositories: the edges between them.

use std::io::Write;

use serde::Serialize;

use super::super::exit::{CliError, Status};
use super::super::export::{Endpoint, ExportArguments, endpoint};
use super::super::output::stdout;
use super::super::session::Session;
use super::indexed;
use crate::engine::NodeAcross;
use crate::model::{Provenance, Symbol};
use crate::render::json;
use crate::workspace::Workspace;

/// An endpoint with its repository.
#[derive(Serialize)]
struct EndpointAcross<'a> {
    repository: &'a str,
    #[serde(flatten)]
    endpoint: Endpoint<'a>,
}

#[derive(Serialize)]
struct EdgeRecord<'a> {
    source: EndpointAcross<'a>,
    target: EndpointAcross<'a>,
    /// The name of the target in the source's repository.
    external: &'a str,
    #[serde(rename = "type")]
    edge_type: &'static str,
    provenance: &'static str,
    confidence: f64,
}

/// Updates the indexes and prints the edges between the repositories.
///
/// # Errors
/// When nodes are asked for, or an index or the output can't be used.
pub fn export(session: &Session, arguments: &ExportArguments) -> Result<Status, CliError> {
    if arguments.nodes {
        return Err(CliError::Usage("--nodes is for one repository; --edges prints those between several".to_owned()));
    }
    let mut workspace = indexed(session)?;
    let edges = workspace.cross_edges()?.to_vec();
    let mut out = stdout();
    for edge in &edges {
        let external = NodeAcross { member: edge.source.member, node: edge.external };
        let ends = [edge.source, edge.target, external].map(|end| symbol(&workspace, end));
        let [Some((source_label, source)), Some((target_label, target)), Some((_, external))] = ends else { continue };
        let record = EdgeRecord {
            source: EndpointAcross { repository: &source_label, endpoint: endpoint(&source) },
            target: EndpointAcross { repository: &target_label, endpoint: endpoint(&target) },
            external: external.short_name(),
            edge_type: edge.edge_type.name(),
            provenance: Provenance::Package.name(),
            confidence: (f64::from(edge.confidence) * 1e4).round() / 1e4,
        };
        out.write_all(json::line(&record).as_bytes())?;
    }
    out.flush()?;
    Ok(Status::for_count(edges.len()))
}

/// Returns a symbol and the label of its repository.
fn symbol(workspace: &Workspace, node: NodeAcross) -> Option<(String, Symbol)> {
    let member = workspace.members().get(node.member)?;
    let symbol = member.ranker()?.reader().symbol(node.node).ok()??;
    Some((member.label().to_owned(), symbol))
}
