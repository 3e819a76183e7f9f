//! `var` and `const` declarations: definitions at package level, local variables inside functions.

use tree_sitter::Node;

use super::types::spec_doc;
use crate::facts::{Expr, ExprId, Role};
use crate::lang::common::docs;
use crate::lang::common::patterns::{Action, Part};
use crate::lang::common::walker::Walker;
use crate::model::SymbolKind;

/// Maximum number of names in one declaration that get a copy of its comment.
const MAX_DOCUMENTED_NAMES: usize = 64;

/// The declared type and the values of a spec.
type Values = (Option<ExprId>, Vec<ExprId>);

/// Adds the variables or constants of a declaration.
pub fn declaration<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let is_const = node.kind() == "const_declaration";
    let mut group_doc = docs::comment_above(walker.text, node.start_byte(), &walker.dialect.lexicon);
    let mut inherited: Values = (None, Vec::new());
    let mut specs = walker.children(node);
    if let [list] = specs[..]
        && walker.pattern(list).is_none()
    {
        specs = walker.children(list);
    }
    for spec in specs {
        let Some(pattern) = walker.pattern(spec) else { continue };
        let names = walker.parts(spec, pattern, Part::Name);
        let value_node = walker.part(spec, pattern, Part::Value);
        let right = value_node.map_or(Vec::new(), |value| walker.children(value));
        let type_node = walker.part(spec, pattern, Part::Type);
        if !walker.context.is_local
            && let ([name], [literal], None) = (&names[..], &right[..], type_node)
            && walker.is(*literal, Action::Lambda)
            && walker.text_of(*name) != "_"
        {
            let doc = spec_doc(walker, spec, &mut group_doc.clone());
            function_variable(walker, spec, *literal, *name, doc);
            continue;
        }
        let mut value_type = type_node.map(|type_node| walker.type_expr(type_node, Some(Role::Type)));
        let mut values = unpack(walker, &right, names.len());
        if is_const && value_type.is_none() && values.is_empty() {
            // A constant without a value repeats the type and values of the one before it.
            let repeated = inherited.1.len().min(names.len());
            (value_type, values) = (inherited.0, inherited.1[..repeated].to_vec());
        } else {
            inherited = (value_type, values.clone());
        }
        if walker.context.is_local {
            for (index, name) in names.into_iter().enumerate() {
                let name = walker.atom_of(name);
                walker.bind_local(name, spec, value_type, values.get(index).copied());
            }
            continue;
        }
        let doc = spec_doc(walker, spec, &mut group_doc);
        let rest = type_and_value(walker, type_node, value_node);
        let (word, kind) = if is_const { ("const", SymbolKind::Const) } else { ("var", SymbolKind::Var) };
        // Only the first name of a spec gets the words of the values: they could repeat without bound.
        let mut body = value_node.map(|value| value.start_byte());
        for (index, name) in names.into_iter().enumerate() {
            let text = walker.text_of(name);
            if text == "_" {
                continue;
            }
            let mut definition = walker.bare_definition(text, kind, spec, name);
            definition.signature = format!("{word} {text}{rest}");
            definition.doc = if index < MAX_DOCUMENTED_NAMES { doc.clone() } else { String::new() };
            definition.value_type = value_type;
            definition.value = values.get(index).copied();
            walker.define(definition, body.take());
        }
    }
    walker.unknown
}

/// Adds `var f = func(…) {…}` as a function.
fn function_variable<'a>(walker: &mut Walker<'a>, spec: Node<'a>, literal: Node<'a>, name: Node<'a>, doc: String) {
    if let Some(id) = walker.assigned_function(spec, literal, name) {
        let definition = walker.facts.definition_mut(id);
        definition.signature.insert_str(0, "var ");
        definition.doc = doc;
    }
}

/// Returns the part of a signature after the name: the type and the first line of the value.
fn type_and_value<'a>(walker: &Walker<'a>, type_node: Option<Node<'a>>, value: Option<Node<'a>>) -> String {
    let lexicon = &walker.dialect.lexicon;
    let mut rest = String::new();
    if let Some(type_node) = type_node {
        rest.push(' ');
        rest.push_str(&docs::single_line(walker.text_of(type_node), lexicon));
    }
    if let Some(value) = value {
        let mut lines = walker.text_of(value).lines();
        rest.push_str(" = ");
        rest.push_str(&docs::folded(lines.next().unwrap_or_default(), lexicon));
        if lines.next().is_some() {
            rest.push_str(" …");
        }
    }
    rest
}

/// Returns the values assigned to `count` names: one for each node, or the results of a single one.
pub fn unpack<'a>(walker: &mut Walker<'a>, nodes: &[Node<'a>], count: usize) -> Vec<ExprId> {
    let values: Vec<ExprId> = nodes.iter().map(|node| walker.visit(*node, Role::Read)).collect();
    if values.len() != 1 || count == 1 {
        return values;
    }
    let whole = values[0];
    if count == 2 && !is_call(nodes[0]) {
        // The comma-ok forms: `v, ok := m[k]`, `x.(T)`, `<-c`.
        return vec![whole, walker.facts.builtin("bool", Vec::new())];
    }
    (0..count as u16).map(|index| walker.facts.expr(Expr::Item(whole, index))).collect()
}

/// Returns whether an expression is a call, the only kind that can have several results.
fn is_call(node: Node<'_>) -> bool {
    match node.kind() {
        "call_expression" => true,
        "parenthesized_expression" => node.named_child(0).is_some_and(is_call),
        _ => false,
    }
}
