//! Calls that may run methods of the repository by the rules of a library: an extension of one of its types on a value of
//! another one, or a block that the library runs on a value.

use super::edges::{FileEdges, definition_endpoint};
use super::rules::{UnknownCall, UseSite};
use super::value::SymbolRef;
use crate::facts::{Expr, ExprId, Reference, Role};
use crate::model::Provenance;

impl FileEdges<'_> {
    /// Adds the edges to the methods that a call suggests. Returns whether it suggests any.
    pub(super) fn add_suggested_methods(&mut self, site: UseSite, reference: &Reference, at: u32) -> bool {
        let suggested = self.suggested_methods(site, reference, at);
        for symbol in &suggested {
            let (edge_type, provenance) = (self.edge_type(reference.role, *symbol), Provenance::AstInferred);
            let source = self.source(reference.source);
            self.add(source, definition_endpoint(*symbol), edge_type, provenance, provenance.confidence());
        }
        !suggested.is_empty()
    }

    fn suggested_methods(&mut self, site: UseSite, reference: &Reference, at: u32) -> Vec<SymbolRef> {
        if reference.role != Role::Call {
            return Vec::new();
        }
        let world = self.world();
        let expressions = &world.code(site.file).expressions;
        let (mut callee, mut args): (ExprId, &[ExprId]) = (reference.expr, &[]);
        loop {
            match &expressions[callee.0 as usize] {
                Expr::Call { callee: inner, args: own } => (callee, args) = (*inner, own),
                Expr::Apply { base, .. } => callee = *base,
                // A name in a lambda is meant without its receiver here.
                Expr::FirstOf(parts) if !parts.is_empty() => {
                    let is_name = |part: &&ExprId| matches!(expressions[part.0 as usize], Expr::Name(_));
                    callee = parts.iter().find(is_name).copied().unwrap_or(parts[0]);
                }
                Expr::Name(name) | Expr::Member { name, .. } => {
                    let object = self.member_object(callee);
                    let receiver = object.map(|object| self.eval.member_base(site, object, at));
                    let call = UnknownCall { site, name: *name, args, at, receiver, source: reference.source };
                    return self.eval.rules(self.file).suggested_methods(&mut self.eval, &call);
                }
                _ => return Vec::new(),
            }
        }
    }
}
