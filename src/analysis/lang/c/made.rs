//! Definitions that macros make.

use std::ops::Range;

use tree_sitter::Node;

use super::State;
use super::declarations::{declared, open_function};
use super::macros::{Line, Macros};
use super::scopes;
use super::tokens::{Kind, tokens};
use crate::facts::{Container, DefId, Expr, Reference, Role, ScopeKind};
use crate::lang::common::docs;
use crate::lang::common::walker::Walker;
use crate::model::{Span, SymbolKind};

/// Begins a file with the macros that its tree does not have.
pub fn start<'a>(walker: &mut Walker<'a>, root: Node<'a>, macros: Macros) {
    for line in &macros.lines {
        let Some(name) = walker.text.get(line.name.clone()) else { continue };
        let expr = walker.facts.name(name);
        let (scope, position) = (walker.context.scope, line.name.start as u32);
        walker.facts.refer(Reference { expr, scope, position, role: Role::Call, source: None });
        super::expansions::uses_in_text(walker, line.whole.start, line.whole.end);
        if let Some(function) = &line.defines {
            define(walker, root, line, function);
        }
    }
    walker.state::<State>().macros = macros;
}

/// Adds the uses of macros that are parameters of a template, by what it declares.
pub fn parameters(walker: &mut Walker<'_>, template: Range<usize>, declared: DefId) {
    let scope = walker.facts.definition(declared).scope;
    let types = &walker.state::<State>().macros.types;
    let inside = types.iter().filter(|range| template.contains(&range.start)).cloned();
    for range in inside.collect::<Vec<_>>() {
        let Some((name, _)) = walker.text.get(range.clone()).and_then(|text| text.split_once('(')) else { continue };
        let expr = walker.facts.name(name.trim_end());
        let position = range.start as u32;
        walker.facts.refer(Reference { expr, scope, position, role: Role::Call, source: Some(declared) });
    }
}

/// Adds the uses of the types that are passed to a macro which is the type of a field. Returns whether the type is a macro.
pub fn field_type<'a>(walker: &mut Walker<'a>, type_node: Node<'a>) -> bool {
    let range = walker.state::<State>().macros.field_types.get(&type_node.start_byte()).cloned();
    let Some(range) = range.filter(|_| type_node.kind() == "primitive_type") else { return false };
    let text = walker.text.get(range.clone()).unwrap_or_default();
    for token in tokens(text).list.into_iter().skip(1).filter(|token| token.kind == Kind::Word) {
        let name = &text[token.range()];
        if walker.dialect.lexicon.keywords.contains(&name) {
            continue;
        }
        let names = [scopes::tag(name), name.to_owned()].map(|name| walker.facts.name(&name));
        let expr = walker.facts.expr(Expr::FirstOf(names.to_vec()));
        let (scope, source, position) = (walker.context.scope, walker.context.source, range.start + token.start);
        walker.facts.refer(Reference { expr, scope, position: position as u32, role: Role::Type, source });
    }
    true
}

/// Adds a function that a macro defines as a whole.
fn define<'a>(walker: &mut Walker<'a>, root: Node<'a>, line: &Line, name: &str) {
    let mut definition = walker.bare_definition(name, SymbolKind::Function, root, root);
    let row = |byte: usize| walker.text.get(..byte).unwrap_or_default().matches('\n').count() as u32 + 1;
    let (start_line, end_line) = (row(line.whole.start), row(line.whole.end));
    let (start_byte, end_byte) = (line.whole.start as u32, line.whole.end as u32);
    definition.span = Span { start_byte, end_byte, start_line, end_line, name_line: start_line };
    let text = walker.text.get(line.whole.clone()).unwrap_or_default();
    definition.signature = docs::single_line(text, &walker.dialect.lexicon);
    definition.doc = docs::comment_above(walker.text, line.whole.start, &walker.dialect.lexicon);
    let scope = walker.open_scope(ScopeKind::Function, None);
    definition.scope = scope;
    let id = walker.define(definition, None);
    walker.facts.scope_mut(scope).definition = Some(id);
    scopes::publish(walker, id);
}

/// Adds the function at a node if a macro is its head. Returns whether it is.
pub fn function<'a>(walker: &mut Walker<'a>, node: Node<'a>) -> bool {
    let Some(made) = walker.state::<State>().macros.made.remove(&node.start_byte()) else { return false };
    let found = walker.field(node, "declarator").and_then(|declarator| declared(walker, declarator));
    let (Some(found), Some(pattern)) = (found, walker.pattern(node)) else { return false };
    let is_member = walker.context.container != Container::Module;
    let kind = if is_member { SymbolKind::Method } else { SymbolKind::Function };
    let (mut definition, _) = walker.header(node, pattern, found.name, kind);
    definition.name = walker.facts.atom(&made.name);
    definition.flags.is_test |= made.is_test;
    let container = definition.container;
    if made.is_title {
        // Only a name of the module is bound.
        definition.container = Container::Definition(DefId::from_index(0));
    }
    let id = open_function(walker, node, definition, None);
    let own = walker.facts.definition_mut(id);
    (own.result, own.container) = (None, container);
    if !is_member && !walker.context.is_local && !made.is_title {
        scopes::publish(walker, id);
    }
    true
}
