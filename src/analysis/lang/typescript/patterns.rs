//! Bindings: local variables, destructuring patterns, narrowing by conditions.

use tree_sitter::Node;

use super::builtins::NARROWED;
use super::state::Ts;
use crate::facts::{Atom, BindingKind, Expr, ExprId, Role, ScopeKind};
use crate::lang::common::walker::Expected;

/// Maximum number of names with overrides; a bundle can have thousands in one closure.
const MAX_NAME_OVERRIDES: usize = 512;
/// Maximum length in bytes of a path that a check narrows, and number of such paths in a file.
const MAX_PATH: usize = 100;
const MAX_PATHS: usize = 64;

impl<'a> Ts<'_, 'a> {
    /// Binds a local variable.
    pub fn bind_local(&mut self, atom: Atom, node: Node<'a>, value_type: Option<ExprId>, value: Option<ExprId>) {
        let kind = BindingKind::Local { value_type, value };
        self.bind_here(atom, node.end_byte() as u32, kind);
        self.override_name(atom, value_type, value);
    }

    /// Overrides a name with the value of a lambda's local or parameter, because scopes of lambdas are not visible
    /// outside. In other functions the name is only shadowed.
    pub fn override_name(&mut self, name: Atom, value_type: Option<ExprId>, value: Option<ExprId>) {
        let scope = self.facts.get_scope(self.context.scope);
        let is_full = self.state().name_overrides.len() >= MAX_NAME_OVERRIDES;
        if scope.kind != ScopeKind::Function || scope.definition.is_some() || is_full {
            return self.shadow(name);
        }
        let value = match value_type {
            Some(value_type) => Some(self.instance(value_type)),
            None => value,
        };
        match value {
            Some(value) => self.state().name_overrides.push((name, Some(value))),
            None => self.shadow(name),
        }
    }

    /// Binds every name in a pattern to its part of `value`.
    pub fn bind_pattern(&mut self, pattern: Node<'a>, value: Option<ExprId>, value_type: Option<ExprId>) {
        if pattern.kind() == "identifier" {
            let atom = self.atom_with_word(pattern);
            return self.bind_local(atom, pattern, value_type, value);
        }
        let base = match (value_type, value) {
            (Some(value_type), _) => self.instance(value_type),
            (None, Some(value)) => value,
            (None, None) => self.unknown,
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
        match pattern.kind() {
            "identifier" => names.push((pattern, base)),
            "object_pattern" => {
                for child in self.children(pattern) {
                    self.descend((), |walker| walker.collect_property(child, base, names));
                }
            }
            "array_pattern" => self.collect_items(pattern, base, names),
            "assignment_pattern" | "object_assignment_pattern" => {
                let default = self.field(pattern, "right").map(|right| self.value(right, Expected::None));
                if let Some(left) = self.field(pattern, "left") {
                    let either = self.union(std::iter::once(base).chain(default).collect());
                    if left.kind() == "shorthand_property_identifier_pattern" {
                        self.shorthand(left, base, names);
                    } else {
                        self.descend((), |walker| walker.collect_names(left, either, names));
                    }
                }
            }
            "rest_pattern" => {
                for child in self.children(pattern) {
                    self.descend((), |walker| walker.collect_names(child, base, names));
                }
            }
            "member_expression" | "subscript_expression" | "non_null_expression" => {
                self.value(pattern, Expected::None);
            }
            _ => {}
        }
    }

    fn collect_property(&mut self, child: Node<'a>, base: ExprId, names: &mut Vec<(Node<'a>, ExprId)>) {
        match child.kind() {
            "shorthand_property_identifier_pattern" => self.shorthand(child, base, names),
            "pair_pattern" => {
                let key = self.field(child, "key").and_then(|key| self.property_key(key));
                let part = match key {
                    Some((atom, node)) => self.destructured_member(atom, node, base),
                    None => self.unknown,
                };
                if let Some(value) = self.field(child, "value") {
                    self.collect_names(value, part, names);
                }
            }
            _ => self.collect_names(child, base, names),
        }
    }

    fn shorthand(&mut self, node: Node<'a>, base: ExprId, names: &mut Vec<(Node<'a>, ExprId)>) {
        let atom = self.atom_of(node);
        let part = self.destructured_member(atom, node, base);
        names.push((node, part));
    }

    /// Returns `base.atom` and references it at `node`.
    fn destructured_member(&mut self, atom: Atom, node: Node<'a>, base: ExprId) -> ExprId {
        if base == self.unknown {
            return base;
        }
        let part = self.member(base, atom);
        self.refer(part, node, Role::Read);
        part
    }

    fn collect_items(&mut self, pattern: Node<'a>, base: ExprId, names: &mut Vec<(Node<'a>, ExprId)>) {
        let mut index: u16 = 0;
        for child in self.all_children(pattern) {
            if !child.is_named() {
                index = index.saturating_add(u16::from(child.kind() == ","));
                continue;
            }
            let part = match child.kind() {
                _ if base == self.unknown => base,
                "rest_pattern" => base,
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
        match node.kind() {
            "parenthesized_expression" => {
                for child in self.children(node) {
                    self.descend((), |walker| walker.collect_narrowings(child, holds, found));
                }
            }
            "unary_expression" => {
                let is_not = self.field(node, "operator").is_some_and(|operator| operator.kind() == "!");
                if let Some(argument) = self.field(node, "argument").filter(|_| is_not) {
                    self.descend((), |walker| walker.collect_narrowings(argument, !holds, found));
                }
            }
            "binary_expression" => self.narrow_by_binary(node, holds, found),
            "call_expression" if holds => found.extend(self.narrow_by_call(node)),
            _ => {}
        }
    }

    /// Returns the narrowing by `isThing(x)`, whose callee may have a type predicate.
    fn narrow_by_call(&mut self, node: Node<'a>) -> Option<(Atom, Option<ExprId>)> {
        let callee = self.field(node, "function")?;
        let arguments = self.field(node, "arguments")?;
        let first = self.children(arguments).first().copied()?;
        let name = self.text_of(callee).rsplit('.').next()?;
        let is_guard = ["is", "has", "assert", "ensure", "invariant"].iter().any(|prefix| name.starts_with(prefix));
        if !is_guard || first.kind() != "identifier" {
            return None;
        }
        let callee = self.path(callee);
        let atom = self.atom_of(first);
        let value = match self.name_override(atom) {
            Some(value) => value,
            None => self.name(atom),
        };
        let call = self.facts.expr(Expr::Call { callee, args: vec![value] });
        Some((atom, Some(self.facts.builtin(NARROWED, vec![call, value]))))
    }

    fn narrow_by_binary(&mut self, node: Node<'a>, holds: bool, found: &mut Vec<(Atom, Option<ExprId>)>) {
        let (Some(left), Some(right), Some(operator)) =
            (self.field(node, "left"), self.field(node, "right"), self.field(node, "operator"))
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
            "instanceof" if holds => {
                let class = self.path(right);
                let name = match left.kind() {
                    "identifier" => Some(self.atom_of(left)),
                    "member_expression" if class != self.unknown => self.path_atom(left),
                    _ => None,
                };
                if let Some(name) = name.filter(|_| class != self.unknown) {
                    let instance = self.facts.expr(Expr::Instance(class));
                    found.push((name, Some(instance)));
                }
            }
            _ => {}
        }
    }

    /// Returns the atom of a path such as `a.b` or `this.b`, which a check narrows.
    fn path_atom(&mut self, node: Node<'a>) -> Option<Atom> {
        let text = self.text_of(node);
        let mut root = node;
        while root.kind() == "member_expression" && text.len() <= MAX_PATH {
            root = self.field(root, "object")?;
        }
        let is_plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_$#.".contains(&byte));
        if !is_plain || !matches!(root.kind(), "identifier" | "this") || self.state().narrowed_paths.len() >= MAX_PATHS
        {
            return None;
        }
        let root = if root.kind() == "this" { Err(self.context.this) } else { Ok(self.atom_of(root)) };
        let path = self.facts.atom(text);
        self.state().narrowed_paths.insert(text.to_owned(), (path, root));
        Some(path)
    }

    /// Returns the value that a check gives a path, unless its first name means something else here.
    pub fn narrowed_path(&mut self, node: Node<'a>) -> Option<ExprId> {
        let text = self.text_of(node);
        if self.state().narrowed_paths.is_empty() || text.len() > MAX_PATH {
            return None;
        }
        let (path, root) = self.state().narrowed_paths.get(text).copied()?;
        if root.is_err_and(|this| this != self.context.this) {
            return None;
        }
        let mut overrides = self.state().name_overrides.iter().rev();
        let (name, value) = overrides.find(|(name, _)| *name == path || root == Ok(*name))?;
        value.filter(|_| *name == path)
    }

    /// Forgets what checks tell of the paths that an assignment to this target changes.
    pub fn widen_paths(&mut self, target: Node<'a>) {
        if self.state().narrowed_paths.is_empty() {
            return;
        }
        let text = self.text_of(target);
        let is_changed = |path: &str| {
            let rest = path.strip_prefix(text);
            target.kind().ends_with("_pattern") || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        let state = self.state();
        let changed = state.narrowed_paths.iter().filter(|(path, _)| is_changed(path));
        let changed: Vec<Atom> = changed.map(|(_, (atom, _))| *atom).collect();
        let overrides = state.name_overrides.iter_mut().filter(|(name, _)| changed.contains(name));
        overrides.for_each(|(_, value)| *value = None);
    }

    /// Returns the expression of a path such as `a.b.C` without adding references.
    pub fn path(&mut self, node: Node<'a>) -> ExprId {
        match node.kind() {
            "identifier" | "type_identifier" => {
                let atom = self.atom_of(node);
                self.name(atom)
            }
            "member_expression" => {
                let (Some(object), Some(property)) = (self.field(node, "object"), self.field(node, "property")) else {
                    return self.unknown;
                };
                let unknown = self.unknown;
                let base = self.descend(unknown, |walker| walker.path(object));
                let name = self.atom_of(property);
                if base == unknown { unknown } else { self.member(base, name) }
            }
            _ => self.unknown,
        }
    }
}
