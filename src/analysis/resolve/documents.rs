//! Resolves the names in documentation to `documents` edges.

use super::edges::{FileEdges, Target, definition_endpoint};
use super::eval::AT_END;
use super::output::EdgeEndpoint;
use super::rules::UseSite;
use crate::facts::Role;
use crate::model::{EdgeType, Provenance};

impl FileEdges<'_> {
    /// Adds an edge from each documented definition, or the file, to the symbols that its documentation names, unless
    /// another edge connects them already. A name without a symbol is prose, so it is not counted as unresolved.
    pub(super) fn add_documents(&mut self) {
        let code = self.world().code(self.file);
        for reference in code.references.iter().filter(|reference| reference.role == Role::Document) {
            let site = UseSite { file: self.file, scope: reference.scope };
            let Target::Symbols(symbols) = self.target(site, reference.expr, AT_END, reference.role) else { continue };
            let source = self.source(reference.source);
            for symbol in symbols {
                let target = definition_endpoint(symbol);
                if !self.is_connected(&source, &target) {
                    let (provenance, edge_type) = (Provenance::AstResolved, EdgeType::Documents);
                    self.add(source.clone(), target, edge_type, provenance, provenance.confidence());
                }
            }
        }
    }

    /// Returns whether an edge of any type leads from `source` to `target`.
    pub(super) fn is_connected(&self, source: &EdgeEndpoint, target: &EdgeEndpoint) -> bool {
        let first = (source.clone(), target.clone(), EdgeType::ALL[0]);
        self.edges.range(first..).next().is_some_and(|((from, to, _), _)| (from, to) == (source, target))
    }
}
