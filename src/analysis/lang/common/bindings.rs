//! Bindings of names, and values of local names that the walk knows.

use tree_sitter::Node;

use super::patterns::{Action, Part, Pattern};
use super::walker::{Expected, Walker};
use crate::facts::{Atom, Binding, BindingKind, Expr, ExprId, Role};

impl<'a> Walker<'a> {
    /// Records that a name is a local variable of the current scope.
    pub fn add_local(&mut self, name: Atom) {
        if self.dialect.traits.assignments_declare || self.dialect.options.calls_values.is_some() {
            self.locals.insert((self.context.scope, name));
        }
    }

    /// Returns whether a name has been assigned before, in this function or in one around a lambda.
    pub fn is_local(&self, name: Atom) -> bool {
        let mut at = Some(self.context.scope);
        while let Some(id) = at {
            if self.locals.contains(&(id, name)) {
                return true;
            }
            let scope = self.facts.get_scope(id);
            at = scope.parent.filter(|_| scope.definition.is_none());
        }
        false
    }

    /// Binds a local variable from the end of `node` on.
    pub fn bind_local(&mut self, name: Atom, node: Node<'_>, value_type: Option<ExprId>, value: Option<ExprId>) {
        if !self.binds(name) {
            return;
        }
        let kind = BindingKind::Local { value_type, value };
        self.facts.bind(self.context.scope, name, node.end_byte() as u32, kind);
        self.add_local(name);
    }

    /// Binds the names in a node to the parts of a value: `(a, b)`.
    pub fn bind_parts(&mut self, node: Node<'a>, value: ExprId) {
        for (number, child) in (0_u16..).zip(self.children(node)) {
            let name = self.part_of(child, Part::Name).unwrap_or(child);
            let atom = self.atom_of(name);
            let part = self.facts.expr(Expr::Item(value, number));
            self.bind_local(atom, name, None, Some(part));
        }
    }

    /// Returns whether a name binds something.
    pub fn binds(&self, name: Atom) -> bool {
        let unbound = self.dialect.traits.unbound_names;
        unbound.is_empty() || !unbound.contains(&self.facts.text(name))
    }

    /// Ends the local names that were bound since there were `length`, if each has a value of its own.
    pub fn end_locals(&mut self, length: usize) {
        if self.inlines_locals() {
            self.flow.locals.truncate(length);
        }
    }

    /// Returns whether uses of local names are replaced by their values.
    pub fn inlines_locals(&self) -> bool {
        self.dialect.options.destructure.is_some()
    }

    /// Binds the name or the names of a variable, whose pattern is at `name`, from the end of `node` on.
    pub fn bind_part(&mut self, name: Node<'a>, node: Node<'_>, value_type: Option<ExprId>, value: Option<ExprId>) {
        if let Some(destructure) = self.dialect.options.destructure {
            let value = value_type.map(|known| self.instance(known)).or(value).unwrap_or(self.unknown);
            destructure(self, name, value);
        } else {
            let name = self.atom_of(name);
            self.bind_local(name, node, value_type, value);
        }
    }

    /// Binds a name in the current scope.
    pub fn bind(&mut self, name: Atom, position: u32, kind: BindingKind) {
        let binding = Binding { scope: self.context.scope, name, position, kind };
        if self.context.inherited.is_cfg_inactive {
            self.weak_bindings.push(binding);
        } else {
            self.facts.bind(binding.scope, name, position, kind);
        }
    }

    /// Visits a lambda whose parameters are patterns.
    pub(super) fn lambda_of_patterns(&mut self, node: Node<'a>, pattern: &Pattern, expected: Expected) -> ExprId {
        let locals = self.flow.locals.len();
        let mut params = Vec::new();
        let lists = self.parts(node, pattern, Part::Parameters);
        let nodes: Vec<Node<'a>> = lists.into_iter().flat_map(|list| self.children(list)).collect();
        for (number, parameter) in (0_u16..).zip(nodes) {
            let own = self.pattern(parameter).filter(|pattern| pattern.action == Action::Parameter);
            let declared = own.and_then(|pattern| self.declared_type(parameter, pattern));
            params.push(declared.unwrap_or(self.unknown));
            let value = match declared {
                Some(declared) => self.instance(declared),
                None => self.expected_parameter(expected, number).unwrap_or(self.unknown),
            };
            let name = own.and_then(|pattern| self.part(parameter, pattern, Part::Name)).unwrap_or(parameter);
            self.bind_part(name, parameter, None, Some(value));
        }
        let declared = self.part(node, pattern, Part::Result).map(|part| self.type_expr(part, Some(Role::Type)));
        let body = self.part(node, pattern, Part::Body);
        let returned = std::mem::replace(&mut self.context.returned, self.unknown);
        let value = body.map_or(self.unknown, |body| self.visit(body, Role::Read));
        self.context.returned = returned;
        self.flow.locals.truncate(locals);
        // The lambda is read as a value, and so is its result.
        let result = declared.map_or(value, |declared| self.instance(declared));
        self.facts.expr(Expr::Function { params, result: Some(result) })
    }
}
