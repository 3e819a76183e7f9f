//! `var` and `const` declarations: definitions at package level, local bindings inside functions.

use tree_sitter::Node;

use super::body_words;
use super::builtins::BLANK;
use super::docs;
use super::extract::{Context, TOP_LEVEL, Walker};
use super::grammar::{Kind, kind};
use crate::facts::{BindingKind, Expr, ExprId, ScopeKind};
use crate::model::SymbolKind;

/// Maximum number of names in one declaration that get a copy of its comment.
const MAX_DOCUMENTED_NAMES: usize = 64;

impl<'a> Walker<'a> {
    /// Defines the variables or constants of a package-level declaration.
    pub(super) fn package_values(&mut self, node: Node<'a>) {
        let is_const = kind(node) == Kind::ConstDeclaration;
        let mut group_doc = docs::comment_above(self.text, node.start_byte());
        let mut inherited: (Option<ExprId>, Vec<ExprId>) = (None, Vec::new());
        self.for_each_spec(node, |walker, spec| {
            let names = walker.children_by_field(spec, walker.fields.name);
            if walker.function_variable(&names, spec, &group_doc) {
                return;
            }
            let (mut value_type, mut values) = walker.spec_values(spec, names.len(), TOP_LEVEL);
            if is_const && value_type.is_none() && values.is_empty() {
                // A constant without a value repeats the type and values of the one before it.
                let repeated = inherited.1.len().min(names.len());
                (value_type, values) = (inherited.0, inherited.1[..repeated].to_vec());
            } else {
                inherited = (value_type, values.clone());
            }
            let doc = walker.spec_doc(spec, &mut group_doc);
            let (word, symbol) = if is_const { ("const", SymbolKind::Const) } else { ("var", SymbolKind::Var) };
            let rest = walker.type_and_value(spec);
            // Only the first name of a spec gets the words of the values: they could repeat without bound.
            let mut words =
                body_words::collect(walker.child(spec, walker.fields.value).map_or("", |value| walker.text_of(value)));
            for (index, name) in names.into_iter().enumerate() {
                if kind(name) != Kind::Identifier || walker.text_of(name) == BLANK {
                    continue;
                }
                let mut definition = walker.new_definition(symbol, name, spec, TOP_LEVEL.scope);
                definition.signature = format!("{word} {}{rest}", walker.text_of(name));
                definition.doc = if index < MAX_DOCUMENTED_NAMES { doc.clone() } else { String::new() };
                definition.value_type = value_type;
                definition.value = values.get(index).copied();
                let atom = definition.name;
                let id = walker.facts.define(definition, std::mem::take(&mut words));
                walker.facts.bind(TOP_LEVEL.scope, atom, name.start_byte() as u32, BindingKind::Definition(id));
            }
        });
    }

    /// Binds the variables or constants of a declaration inside a function.
    pub(super) fn local_values(&mut self, node: Node<'a>, context: Context) {
        let mut inherited = (None, Vec::new());
        self.for_each_spec(node, |walker, spec| {
            let names = walker.children_by_field(spec, walker.fields.name);
            let (value_type, mut values) = walker.spec_values(spec, names.len(), context);
            if kind(spec) == Kind::ConstSpec {
                if value_type.is_none() && values.is_empty() {
                    values.clone_from(&inherited.1);
                } else {
                    inherited = (value_type, values.clone());
                }
            }
            let value_type = value_type.or(inherited.0);
            let position = spec.end_byte() as u32;
            for (index, name) in names.into_iter().enumerate() {
                walker.bind_local(name, values.get(index).copied(), value_type, position, context);
            }
        });
    }

    /// Calls `visit` for each spec of a `var` or `const` declaration, parenthesized or not.
    fn for_each_spec(&mut self, node: Node<'a>, mut visit: impl FnMut(&mut Self, Node<'a>)) {
        let mut specs = Vec::new();
        self.for_each_child(node, |walker, child| match kind(child) {
            Kind::VarSpec | Kind::ConstSpec => specs.push(child),
            _ => specs.extend(walker.children(child)),
        });
        for spec in specs {
            visit(self, spec);
        }
    }

    /// Returns the declared type and the values of a spec with `count` names.
    fn spec_values(&mut self, spec: Node<'a>, count: usize, context: Context) -> (Option<ExprId>, Vec<ExprId>) {
        let value_type = self.child(spec, self.fields.value_type).map(|type_node| self.type_expr(type_node, context));
        let right = self.child(spec, self.fields.value).map_or(Vec::new(), |right| self.children(right));
        (value_type, self.unpack_values(&right, count, context))
    }

    /// Returns the values assigned to `count` names: one for each node, or the results of a single one.
    pub(super) fn unpack_values(&mut self, nodes: &[Node<'a>], count: usize, context: Context) -> Vec<ExprId> {
        let values: Vec<ExprId> = nodes.iter().map(|node| self.value(*node, context)).collect();
        if values.len() != 1 || count == 1 {
            return values;
        }
        let whole = values[0];
        if !is_call(nodes[0]) && count == 2 {
            // The comma-ok forms: `v, ok := m[k]`, `x.(T)`, `<-c`.
            return vec![whole, self.builtin("bool")];
        }
        (0..count as u16).map(|index| self.facts.expr(Expr::Item(whole, index))).collect()
    }

    /// Binds a local name from byte `position` on; blank identifiers bind nothing.
    pub(super) fn bind_local(
        &mut self,
        name: Node<'a>,
        value: Option<ExprId>,
        value_type: Option<ExprId>,
        position: u32,
        context: Context,
    ) {
        if kind(name) == Kind::Identifier && self.text_of(name) != BLANK {
            let atom = self.atom(name);
            self.facts.bind(context.scope, atom, position, BindingKind::Local { value_type, value });
        }
    }

    /// Returns the comment above a spec, else that of its group (for the first spec only), else the trailing one.
    pub(super) fn spec_doc(&self, spec: Node<'a>, group_doc: &mut String) -> String {
        let own = docs::comment_above(self.text, spec.start_byte());
        let group = std::mem::take(group_doc);
        match (own.is_empty(), group.is_empty()) {
            (false, _) => own,
            (true, false) => group,
            (true, true) => docs::trailing_comment(self.text, spec.end_byte()),
        }
    }

    /// Returns the part of a signature after the name: the type and the first line of the value.
    fn type_and_value(&self, spec: Node<'a>) -> String {
        let mut rest = String::new();
        if let Some(type_node) = self.child(spec, self.fields.value_type) {
            rest.push(' ');
            rest.push_str(&docs::single_line(self.text_of(type_node)));
        }
        if let Some(value) = self.child(spec, self.fields.value) {
            let mut lines = self.text_of(value).lines();
            rest.push_str(" = ");
            rest.push_str(&docs::single_line(lines.next().unwrap_or_default()));
            if lines.next().is_some() {
                rest.push_str(" …");
            }
        }
        rest
    }

    /// Defines `var f = func(…) {…}` as a function. Returns whether the spec has that form.
    fn function_variable(&mut self, names: &[Node<'a>], spec: Node<'a>, doc: &str) -> bool {
        let [name] = names else { return false };
        if self.text_of(*name) == BLANK || self.child(spec, self.fields.value_type).is_some() {
            return false;
        }
        let value = self.child(spec, self.fields.value).map_or(Vec::new(), |value| self.children(value));
        let [literal] = value[..] else { return false };
        if kind(literal) != Kind::FuncLiteral {
            return false;
        }
        let scope = self.open_scope(TOP_LEVEL.scope, ScopeKind::Function);
        let mut definition = self.new_definition(SymbolKind::Function, *name, spec, scope);
        definition.signature = format!("var {} = {}", self.text_of(*name), self.header(literal));
        definition.doc = self.spec_doc(spec, &mut doc.to_owned());
        let words = self.body_words(literal);
        let atom = definition.name;
        let id = self.facts.define(definition, words);
        self.facts.scope_mut(scope).definition = Some(id);
        self.facts.bind(TOP_LEVEL.scope, atom, name.start_byte() as u32, BindingKind::Definition(id));
        self.signature_and_body(literal, id, Context { scope, source: Some(id) });
        true
    }
}

/// Returns whether an expression is a call, the only kind that can have several results.
fn is_call(node: Node<'_>) -> bool {
    match kind(node) {
        Kind::CallExpression => true,
        Kind::ParenthesizedExpression => node.named_child(0).is_some_and(is_call),
        _ => false,
    }
}
