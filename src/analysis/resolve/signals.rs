//! Edges of signals: environment variables, processes, flags, routes and requested addresses.

use super::edges::{FileEdges, Target, definition_endpoint};
use super::eval::AT_END;
use super::output::EdgeEndpoint;
use super::rules::UseSite;
use super::value::SymbolRef;
use crate::facts::{Atom, Expr, ExprId, Role, ScopeId, SignalKind};
use crate::model::{EdgeType, SymbolKind};

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
                SignalKind::SetsEnv(name) => {
                    self.add_resolved(source, EdgeEndpoint::EnvVar(text(name)), EdgeType::SetsEnv)
                }
                SignalKind::Names { name, folder, edge_type } => {
                    self.add_named(source, &text(name), &text(folder), *edge_type);
                }
                SignalKind::Executes(name) => {
                    self.add_resolved(source, EdgeEndpoint::Process(text(name)), EdgeType::ExecutesProcess);
                }
                SignalKind::Endpoint(route) => {
                    // Derivation links the address to its route, once all files are resolved.
                    self.add_resolved(source, EdgeEndpoint::External(text(route)), EdgeType::ConsumesEndpoint);
                }
                SignalKind::GatedBy { flag, scope } => self.add_gate(source, *flag, *scope),
                SignalKind::Route { route, handler: None } => {
                    self.add_resolved(EdgeEndpoint::Route(text(route)), source, EdgeType::HandlesRoute);
                }
                SignalKind::Route { route, handler: Some((expr, scope)) } => {
                    let site = UseSite { file: self.file, scope: *scope };
                    let handlers = self.handlers(site, *expr).unwrap_or(vec![source]);
                    for handler in handlers {
                        self.add_resolved(EdgeEndpoint::Route(text(route)), handler, EdgeType::HandlesRoute);
                    }
                }
            }
        }
    }

    /// Returns the functions that an expression names: of several, the first ones that are in the repository. `None` if
    /// these are none.
    fn handlers(&mut self, site: UseSite, expr: ExprId) -> Option<Vec<EdgeEndpoint>> {
        let world = self.world();
        let parts = match &world.code(site.file).expressions[expr.0 as usize] {
            Expr::FirstOf(parts) => &parts[..],
            _ => {
                let Target::Symbols(symbols) = self.target(site, expr, AT_END, Role::Read) else {
                    return Some(Vec::new());
                };
                return Some(symbols.into_iter().map(definition_endpoint).collect());
            }
        };
        parts.iter().find_map(|part| {
            let Target::Symbols(symbols) = self.target(site, *part, AT_END, Role::Read) else { return None };
            let is_function = |symbol: &SymbolRef| world.definition(*symbol).kind.is_callable();
            symbols.iter().all(is_function).then(|| symbols.into_iter().map(definition_endpoint).collect())
        })
    }

    /// Adds the edge to a flag, which is the macro of its name if `scope` has one.
    fn add_gate(&mut self, source: EdgeEndpoint, flag: Atom, scope: Option<ScopeId>) {
        let target = scope.map(|scope| self.name_target(UseSite { file: self.file, scope }, flag, AT_END));
        let symbols = match target {
            Some(Target::Symbols(symbols)) => symbols,
            _ => Vec::new(),
        };
        let macros = symbols.into_iter().filter(|symbol| self.world().definition(*symbol).kind == SymbolKind::Macro);
        let mut targets: Vec<EdgeEndpoint> = macros.map(definition_endpoint).collect();
        if targets.is_empty() {
            targets.push(EdgeEndpoint::Flag(self.world().outline(self.file).names.get(flag).to_owned()));
        }
        for target in targets {
            self.add_resolved(source.clone(), target, EdgeType::GatedByFlag);
        }
    }
}
