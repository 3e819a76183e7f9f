//! Edges of signals: environment variables, processes, routes and requested addresses.

use super::edges::{FileEdges, Target, definition_endpoint};
use super::eval::AT_END;
use super::output::EdgeEndpoint;
use super::rules::UseSite;
use crate::facts::{Atom, Role, SignalKind};
use crate::model::EdgeType;

impl FileEdges<'_> {
    /// Adds the edges of a file's signals.
    pub(super) fn add_signals(&mut self) {
        let outline = self.world().outline(self.file);
        for signal in &self.world().code(self.file).signals {
            let source = self.source(signal.source);
            let text = |atom: &Atom| outline.names.get(*atom).to_owned();
            match &signal.kind {
                SignalKind::ReadsEnv(name) => {
                    self.add_resolved(source, EdgeEndpoint::EnvVar(text(name)), EdgeType::ReadsEnv)
                }
                SignalKind::Executes(name) => {
                    self.add_resolved(source, EdgeEndpoint::Process(text(name)), EdgeType::ExecutesProcess);
                }
                SignalKind::Endpoint(route) => {
                    // Derivation links the address to its route, once all files are resolved.
                    self.add_resolved(source, EdgeEndpoint::External(text(route)), EdgeType::ConsumesEndpoint);
                }
                SignalKind::Route { route, handler: None } => {
                    self.add_resolved(EdgeEndpoint::Route(text(route)), source, EdgeType::HandlesRoute);
                }
                SignalKind::Route { route, handler: Some((expr, scope)) } => {
                    let site = UseSite { file: self.file, scope: *scope };
                    if let Target::Symbols(symbols) = self.target(site, *expr, AT_END, Role::Read) {
                        for symbol in symbols {
                            let route = EdgeEndpoint::Route(text(route));
                            self.add_resolved(route, definition_endpoint(symbol), EdgeType::HandlesRoute);
                        }
                    }
                }
            }
        }
    }
}
