//! Bindings: local variables, destructuring patterns, narrowing by conditions.

use tree_sitter::Node;

use super::builtins::NARROWED;
use super::grammar::Kind;
use super::walker::{ContextualType, Walker};
use crate::facts::{Atom, BindingKind, Expr, ExprId, ScopeKind};

/// Maximum number of names with overrides; a bundle can have thousands in one closure.
const MAX_NAME_OVERRIDES: usize = 512;

impl<'a> Walker<'a> {
    /// Binds a local variable.
    pub fn bind_local(&mut self, atom: Atom, node: Node<'a>, value_type: Option<ExprId>, value: Option<ExprId>) {
        let kind = BindingKind::Local { value_type, value };
        self.facts.bind(self.context.scope, atom, node.end_byte() as u32, kind);
        self.override_name(atom, value_type, value);
    }

    /// Overrides a name with the value of a lambda's local or parameter, because scopes of lambdas are not visible
    /// outside. In other functions the name is only shadowed.
    pub fn override_name(&mut self, name: Atom, value_type: Option<ExprId>, value: Option<ExprId>) {
        let scope = self.facts.get_scope(self.context.scope);
        let is_full = self.name_overrides.len() >= MAX_NAME_OVERRIDES;
        if scope.kind != ScopeKind::Function || scope.definition.is_some() || is_full {
            return self.shadow(name);
        }
        let value = match value_type {
            Some(value_type) => Some(self.instance(value_type)),
            None => value,
        };
        match value {
            Some(value) => self.name_overrides.push((name, Some(value))),
            None => self.shadow(name),
        }
    }

    /// Binds every name in a pattern to its part of `value`.
    pub fn bind_pattern(&mut self, pattern: Node<'a>, value: Option<ExprId>, value_type: Option<ExprId>) {
        if self.kind(pattern) == Kind::Identifier {
            let atom = self.atom_with_word(pattern);
            return self.bind_local(atom, pattern, value_type, value);
        }
        let base = match (value_type, value) {
            (Some(value_type), _) => self.instance(value_type),
            (None, Some(value)) => value,
            (None, None) => self.common.unknown,
        };
        for (name, value) in self.pattern_names(pattern, base) {
            let atom = self.atom_with_word(name);
            self.bind_local(atom, name, None, Some(value));
        }
    }

    /// Returns the names in a pattern with their parts of `base`. Visits defaults and computed keys, and references the
    /// destructured members.
    pub fn pattern_names(&mut self, pattern: Node<'a>, base: ExprId) -> Vec<(Node<'a>, ExprId)> {
        let mut names = Vec::new();
        self.collect_names(pattern, base, &mut names);
        names
    }

    fn collect_names(&mut self, pattern: Node<'a>, base: ExprId, names: &mut Vec<(Node<'a>, ExprId)>) {
        match self.kind(pattern) {
            Kind::Identifier => names.push((pattern, base)),
            Kind::ObjectPattern => {
                for child in self.children(pattern) {
                    self.descend((), |walker| walker.collect_property(child, base, names));
                }
            }
            Kind::ArrayPattern => self.collect_items(pattern, base, names),
            Kind::AssignmentPattern | Kind::ObjectAssignmentPattern => {
                let default =
                    self.field(pattern, self.fields.right).map(|right| self.value(right, ContextualType::None));
                if let Some(left) = self.field(pattern, self.fields.left) {
                    let either = self.union(std::iter::once(base).chain(default).collect());
                    if self.kind(left) == Kind::ShorthandPattern {
                        self.shorthand(left, base, names);
                    } else {
                        self.descend((), |walker| walker.collect_names(left, either, names));
                    }
                }
            }
            Kind::RestPattern => {
                for child in self.children(pattern) {
                    self.descend((), |walker| walker.collect_names(child, base, names));
                }
            }
            Kind::Member | Kind::Subscript | Kind::NonNull => {
                self.value(pattern, ContextualType::None);
            }
            _ => {}
        }
    }

    fn collect_property(&mut self, child: Node<'a>, base: ExprId, names: &mut Vec<(Node<'a>, ExprId)>) {
        match self.kind(child) {
            Kind::ShorthandPattern => self.shorthand(child, base, names),
            Kind::PairPattern => {
                let key = self.field(child, self.fields.key).and_then(|key| self.property_key(key));
                let part = match key {
                    Some((atom, node)) => self.destructured_member(atom, node, base),
                    None => self.common.unknown,
                };
                if let Some(value) = self.field(child, self.fields.value) {
                    self.collect_names(value, part, names);
                }
            }
            _ => self.collect_names(child, base, names),
        }
    }

    fn shorthand(&mut self, node: Node<'a>, base: ExprId, names: &mut Vec<(Node<'a>, ExprId)>) {
        let atom = self.facts.atom(self.text_of(node));
        let part = self.destructured_member(atom, node, base);
        names.push((node, part));
    }

    /// Returns `base.atom` and references it at `node`.
    fn destructured_member(&mut self, atom: Atom, node: Node<'a>, base: ExprId) -> ExprId {
        if base == self.common.unknown {
            return base;
        }
        let part = self.member(base, atom);
        self.add_reference(part, node, crate::facts::Role::Destructure);
        part
    }

    fn collect_items(&mut self, pattern: Node<'a>, base: ExprId, names: &mut Vec<(Node<'a>, ExprId)>) {
        let mut index: u16 = 0;
        for child in self.all_children(pattern) {
            if !child.is_named() {
                index = index.saturating_add(u16::from(child.kind() == ","));
                continue;
            }
            let part = match self.kind(child) {
                _ if base == self.common.unknown => base,
                Kind::RestPattern => base,
                _ => self.facts.expr(Expr::Item(base, index)),
            };
            self.descend((), |walker| walker.collect_names(child, part, names));
        }
    }

    /// Returns the name overrides that apply where `condition` evaluates to `holds`.
    pub fn narrowings(&mut self, condition: Node<'a>, holds: bool) -> Vec<(Atom, Option<ExprId>)> {
        let mut found = Vec::new();
        self.descend((), |walker| walker.collect_narrowings(condition, holds, &mut found));
        found
    }

    fn collect_narrowings(&mut self, node: Node<'a>, holds: bool, found: &mut Vec<(Atom, Option<ExprId>)>) {
        match self.kind(node) {
            Kind::Parenthesized => {
                for child in self.children(node) {
                    self.descend((), |walker| walker.collect_narrowings(child, holds, found));
                }
            }
            Kind::Unary => {
                let is_not = self.field(node, self.fields.operator).is_some_and(|operator| operator.kind() == "!");
                if let Some(argument) = self.field(node, self.fields.argument).filter(|_| is_not) {
                    self.descend((), |walker| walker.collect_narrowings(argument, !holds, found));
                }
            }
            Kind::Binary => self.narrow_by_binary(node, holds, found),
            Kind::Call if holds => found.extend(self.narrow_by_call(node)),
            _ => {}
        }
    }

    /// Returns the narrowing by `isThing(x)`, whose callee may have a type predicate.
    fn narrow_by_call(&mut self, node: Node<'a>) -> Option<(Atom, Option<ExprId>)> {
        let callee = self.field(node, self.fields.function)?;
        let arguments = self.field(node, self.fields.arguments)?;
        let first = self.children(arguments).first().copied()?;
        let name = self.text_of(callee).rsplit('.').next()?;
        let is_guard = ["is", "has", "assert", "ensure", "invariant"].iter().any(|prefix| name.starts_with(prefix));
        if !is_guard || self.kind(first) != Kind::Identifier {
            return None;
        }
        let callee = self.path(callee);
        let atom = self.facts.atom(self.text_of(first));
        let value = match self.name_override(atom) {
            Some(value) => value,
            None => self.name(atom),
        };
        let call = self.facts.expr(Expr::Call { callee, args: vec![value] });
        Some((atom, Some(self.facts.builtin(NARROWED, vec![call, value]))))
    }

    fn narrow_by_binary(&mut self, node: Node<'a>, holds: bool, found: &mut Vec<(Atom, Option<ExprId>)>) {
        let fields = self.fields;
        let (Some(left), Some(right), Some(operator)) =
            (self.field(node, fields.left), self.field(node, fields.right), self.field(node, fields.operator))
        else {
            return;
        };
        match operator.kind() {
            "&&" if holds => {
                self.descend((), |walker| walker.collect_narrowings(left, true, found));
                self.descend((), |walker| walker.collect_narrowings(right, true, found));
            }
            "||" if !holds => {
                self.descend((), |walker| walker.collect_narrowings(left, false, found));
                self.descend((), |walker| walker.collect_narrowings(right, false, found));
            }
            "instanceof" if holds && self.kind(left) == Kind::Identifier => {
                let class = self.path(right);
                if class != self.common.unknown {
                    let name = self.facts.atom(self.text_of(left));
                    let instance = self.facts.expr(Expr::Instance(class));
                    found.push((name, Some(instance)));
                }
            }
            _ => {}
        }
    }

    /// Returns the expression of a path such as `a.b.C` without adding references.
    pub fn path(&mut self, node: Node<'a>) -> ExprId {
        match self.kind(node) {
            Kind::Identifier | Kind::TypeIdentifier => {
                let atom = self.facts.atom(self.text_of(node));
                self.name(atom)
            }
            Kind::Member => {
                let (Some(object), Some(property)) =
                    (self.field(node, self.fields.object), self.field(node, self.fields.property))
                else {
                    return self.common.unknown;
                };
                let unknown = self.common.unknown;
                let base = self.descend(unknown, |walker| walker.path(object));
                let name = self.facts.atom(self.text_of(property));
                if base == unknown { unknown } else { self.member(base, name) }
            }
            _ => self.common.unknown,
        }
    }
}
