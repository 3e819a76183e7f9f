//! Statements: blocks, loops, assignments, returned and raised values.

use tree_sitter::Node;

use super::expressions::MAX_ALTERNATIVES;
use super::patterns::{Action, Part, Pattern};
use super::walker::{Expected, Walker};
use crate::facts::{Expr, ExprId, Role, ScopeKind};

impl<'a> Walker<'a> {
    /// Visits the named children of a node in order.
    pub fn statements(&mut self, node: Node<'a>) {
        self.visit_children(node);
    }

    /// Visits the named children of a node as values.
    pub fn visit_children(&mut self, node: Node<'a>) {
        if node.child_count() == 0 {
            return;
        }
        self.descend((), |walker| _ = walker.sequence(node));
    }

    /// Visits the children of a node in a scope of their own. Returns the value of the last one.
    pub(super) fn block(&mut self, node: Node<'a>) -> ExprId {
        self.in_scope(ScopeKind::Block, |walker| {
            if walker.inlines_locals() && walker.children(node).into_iter().any(|child| walker.is_item(child)) {
                walker.context.scope = walker.open_scope(ScopeKind::Block, None);
            }
            walker.sequence(node)
        })
    }

    /// Adds the variables of a declaration, and a call of the first of these methods that each has, by which the statement
    /// around closes them.
    pub fn closed_variables(&mut self, node: Node<'a>, pattern: &Pattern, methods: &[&str]) {
        self.variables(node, pattern);
        let declared = self.replay(|walker| walker.declared_type(node, pattern));
        let mut declarators = self.parts(node, pattern, Part::Declarator);
        if declarators.is_empty() {
            declarators.push(node);
        }
        for declarator in declarators {
            let Some(own) = self.pattern(declarator) else { continue };
            let Some(name) = self.part(declarator, own, Part::Name) else { continue };
            let value = match declared {
                Some(declared) => self.facts.expr(Expr::Instance(declared)),
                None => self.replay(|walker| walker.visit(name, Role::Read)),
            };
            self.implied_call(value, methods, &[], declarator);
        }
    }

    /// Returns whether a node adds a name that other code finds by its scope.
    pub fn is_item(&self, node: Node<'a>) -> bool {
        use Action::*;
        self.pattern(node).is_some_and(|pattern| match pattern.action {
            Type | Interface | Function | Property | Namespace | Alias | Constant => true,
            _ => pattern.setting("item").is_some(),
        })
    }

    /// Visits the children of a node. Returns the value of the last one.
    pub fn sequence(&mut self, node: Node<'a>) -> ExprId {
        if self.dialect.patterns.has_before {
            return self.sequence_with_before(node);
        }
        let mut last = self.unknown;
        for child in self.children(node) {
            last = self.visit(child, Role::Read);
        }
        last
    }

    /// Visits the children of a node of which some are before what they are about. Returns the value of the last one.
    fn sequence_with_before(&mut self, node: Node<'a>) -> ExprId {
        let mut last = self.unknown;
        let outer = std::mem::take(&mut self.before);
        for child in self.all_children(node) {
            let pattern = self.pattern(child);
            if pattern.is_some_and(|pattern| pattern.action == Action::Before) {
                self.before.push(child);
            } else if pattern.is_some() || child.is_named() && (!child.is_extra() || child.is_error()) {
                let inherited = self.context.inherited;
                self.inherit_flags();
                last = self.visit(child, Role::Read);
                self.context.inherited = inherited;
                self.before.clear();
            }
        }
        self.before = outer;
        last
    }

    fn inherit_flags(&mut self) {
        if self.before.is_empty() {
            return;
        }
        let flags = (self.dialect.options.flags)(self, &self.before);
        self.context.inherited.is_test |= flags.is_test;
        self.context.inherited.is_cfg_inactive |= flags.is_cfg_inactive;
    }

    /// Visits a loop over elements, which binds its variable in a scope of its own.
    pub fn element_loop(&mut self, node: Node<'a>, pattern: &Pattern) {
        let iterable = self.part(node, pattern, Part::Right);
        let value = iterable.map(|iterable| self.visit(iterable, Role::Read));
        self.in_scope(ScopeKind::Block, |walker| {
            let value_type = walker.declared_type(node, pattern);
            if let (Some(name_node), Some(iterable)) = (walker.part(node, pattern, Part::Name), iterable) {
                let element = value.map(|value| walker.facts.expr(Expr::Element(value)));
                walker.bind_part(name_node, iterable, value_type, element);
            }
            for body in walker.parts(node, pattern, Part::Body) {
                walker.visit(body, Role::Read);
            }
        });
    }

    /// Visits an assignment. Returns its value.
    pub fn assignment(&mut self, node: Node<'a>, pattern: &Pattern) -> ExprId {
        let value = match self.part(node, pattern, Part::Right) {
            Some(right) if self.is_contextual(right) && self.dialect.flow.is_none() => {
                let target = self.part(node, pattern, Part::Left).filter(|target| self.is_plain(*target));
                let target = target.map(|target| self.replay(|walker| walker.visit(target, Role::Read)));
                self.expected = target.map_or(Expected::None, Expected::Value);
                self.visit(right, Role::Read)
            }
            Some(right) => self.visit(right, Role::Read),
            None => self.unknown,
        };
        self.expected = Expected::None;
        for left in self.parts(node, pattern, Part::Left) {
            if self.dialect.flow.is_some() {
                self.assign(left, value);
            } else if self.dialect.traits.assignments_declare && self.is(left, Action::Name) {
                let name = self.atom_of(left);
                self.bind_local(name, node, None, Some(value));
            } else {
                self.visit(left, Role::Write);
            }
        }
        value
    }

    pub(super) fn return_statement(&mut self, node: Node<'a>, pattern: &Pattern) {
        if let Some(value) = self.part(node, pattern, Part::Value) {
            let value = self.visit_as(value, Some(self.context.returned));
            self.add_return(value);
        }
        self.flow.locals.terminate();
    }

    pub(super) fn raise(&mut self, node: Node<'a>, pattern: &Pattern) {
        for value in self.parts(node, pattern, Part::Value) {
            self.visit(value, Role::Raise);
        }
        self.flow.locals.terminate();
    }

    /// Returns the values that a function's body returns; runs `body` to visit it.
    pub fn collect_returns(&mut self, body: impl FnOnce(&mut Self)) -> Vec<ExprId> {
        self.returns.push(Vec::new());
        body(self);
        let mut returns = self.returns.pop().unwrap_or_default();
        let unknown = self.unknown;
        returns.retain(|value| *value != unknown);
        returns.truncate(MAX_ALTERNATIVES);
        returns
    }

    /// Adds a value to those that the enclosing function returns.
    pub fn add_return(&mut self, value: ExprId) {
        if let Some(returns) = self.returns.last_mut().filter(|returns| !returns.contains(&value)) {
            returns.push(value);
        }
    }
}
