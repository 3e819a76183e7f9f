//! Nodes of C that no pattern can describe: directives of the preprocessor, initializers, tags.

use tree_sitter::Node;

use super::declarations;
use super::{cpp, expansions, scopes};
use crate::facts::{Container, Expr, ExprId, ImportName, Role, SignalKind};
use crate::lang::common::Hook;
use crate::lang::common::patterns::Part;
use crate::lang::common::walker::{Call, Walker};
use crate::model::SymbolKind;

/// The hooks by their names in `c.scm`.
pub const HOOKS: &[(&str, Hook)] = &[
    ("compound_literal", compound_literal),
    ("declaration", declarations::declaration),
    ("enum", declarations::enumeration),
    ("field", declarations::field),
    ("function", declarations::function),
    ("include", include),
    ("macro", macro_definition),
    ("pair", pair),
    ("record", declarations::record),
    ("tag", tag),
    ("type", type_descriptor),
    ("typedef", declarations::type_definition),
];

/// Adds `#include "x.h"` and `#include <x.h>`.
pub fn include<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    if let Some(path) = walker.field(node, "path") {
        let text = walker.text_of(path);
        // A path in quotes is looked up beside the file first.
        let start = if path.kind() == "string_literal" { "\"" } else { "<" };
        let inner = text.trim_matches(['"', '<', '>']);
        if !inner.is_empty() && text.starts_with(start) {
            // A variable, a function or a type has what is included in it.
            let file = walker.context.source.map(|_| walker.facts.atom(&format!("#include {inner}")));
            walker.import(path, &[start, inner], ImportName::Module, file.as_slice());
            if let Some(file) = file {
                let file = walker.facts.expr(Expr::Name(file));
                walker.refer(file, path, Role::Read);
            }
        }
    }
    walker.unknown
}

/// Adds a macro, and the calls in its text. A macro without a text is a constant of the build, or guards its header.
pub fn macro_definition<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let (Some(name), value) = (walker.field(node, "name"), walker.field(node, "value")) else { return walker.unknown };
    let has_parameters = walker.field(node, "parameters").is_some();
    if !has_parameters && value.is_none() {
        return walker.unknown;
    }
    let mut definition = walker.new_definition(walker.text_of(name), SymbolKind::Macro, node, name);
    definition.container = Container::Module;
    let renamed = value.filter(|_| !has_parameters).and_then(|value| only_name(walker, value));
    let renamed = renamed.map(|name| walker.facts.name(name));
    (definition.flags.is_alias, definition.value_type) = (renamed.is_some(), renamed);
    let id = walker.define(definition, value.map(|value| value.start_byte()));
    let is_private = scopes::is_private(walker);
    if let Some(value) = value.filter(|_| super::is_cpp(walker)) {
        cpp::namespaces_in_text(walker, value);
    }
    if let Some(value) = value {
        let saved = walker.enter(id, walker.context.scope, Container::Module);
        match renamed {
            Some(name) => walker.refer(name, value, Role::Read),
            None => calls_in_text(walker, value),
        }
        walker.leave(saved);
        if renamed.is_none() {
            expansions::record_template(walker, id, walker.field(node, "parameters"), value);
        }
    }
    if !is_private && !walker.context.is_local {
        scopes::publish(walker, id);
    }
    walker.unknown
}

/// Returns the name that is all of a macro's text, if it is not a keyword.
fn only_name<'a>(walker: &Walker<'a>, value: Node<'a>) -> Option<&'a str> {
    let lexicon = &walker.dialect.lexicon;
    let text = walker.text_of(value).split("/*").next().unwrap_or_default();
    let text = text.split("//").next().unwrap_or_default().trim();
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let is_name =
        text.starts_with(|first: char| is_part(first) && !first.is_ascii_digit()) && text.chars().all(is_part);
    (is_name && !lexicon.keywords.contains(&text)).then_some(text)
}

/// Maximum number of calls that are read from a macro's text.
const MAX_MACRO_CALLS: usize = 64;

/// Adds references to the names before parentheses in the text of a macro, which has no tree.
fn calls_in_text<'a>(walker: &mut Walker<'a>, value: Node<'a>) {
    let text = walker.text_of(value);
    let mut names = Vec::new();
    let lexicon = &walker.dialect.lexicon;
    lexicon.scan_words(text, &mut |start, word| {
        let before = text[..start].trim_end();
        let is_member = before.ends_with('.') || before.ends_with("->") || before.ends_with('#');
        let is_call = text[start + word.len()..].trim_start().starts_with('(');
        if is_call && !is_member && names.len() < MAX_MACRO_CALLS {
            names.push(word.to_owned());
        }
    });
    for name in names {
        let expr = walker.facts.name(&name);
        walker.refer(expr, value, Role::Call);
    }
}

/// Returns the type that `struct x`, `union x` or `enum x` names, and defines it where it has a body.
pub fn tag<'a>(walker: &mut Walker<'a>, node: Node<'a>, role: Role) -> ExprId {
    let Some(name) = walker.field(node, "name") else {
        declarations::record_or_enum(walker, node);
        return walker.unknown;
    };
    let expr = walker.facts.name(&scopes::tag(walker.text_of(name)));
    if walker.field(node, "body").is_some() {
        declarations::record_or_enum(walker, node);
    } else {
        walker.refer(expr, name, role);
    }
    expr
}

/// Visits a type among values: `sizeof(struct x)`, an argument of a macro.
pub fn type_descriptor<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    walker.type_expr(node, Some(Role::Type))
}

/// Visits `(struct x){ .a = 1 }`.
pub fn compound_literal<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let (Some(known), Some(value)) = (walker.field(node, "type"), walker.field(node, "value")) else {
        return walker.unknown;
    };
    let known = walker.type_expr(known, Some(Role::Type));
    initializer(walker, value, Some(known));
    walker.instance(known)
}

/// Visits the value of `.name = value`.
pub fn pair<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    match walker.field(node, "value") {
        Some(value) => walker.visit(value, Role::Read),
        None => walker.unknown,
    }
}

/// Visits an initial value of a type, whose fields it can name.
pub fn initializer<'a>(walker: &mut Walker<'a>, node: Node<'a>, known: Option<ExprId>) -> ExprId {
    if node.kind() != "initializer_list" {
        return walker.visit(node, Role::Read);
    }
    let base = known.map(|known| walker.instance(known));
    walker.descend((), |walker| {
        for child in walker.children(node) {
            match child.kind() {
                // A table of structures.
                "initializer_list" => _ = initializer(walker, child, known),
                "initializer_pair" => {
                    let fields = walker.pattern(child).map(|_| walker.children(child)).unwrap_or_default();
                    for designator in fields.into_iter().filter(|part| part.kind() == "field_designator") {
                        if let (Some(&name), Some(base)) = (walker.children(designator).first(), base) {
                            let atom = walker.atom_of(name);
                            let expr = walker.facts.expr(Expr::Member { base, name: atom });
                            walker.refer(expr, name, Role::Write);
                        }
                    }
                    let is_row = walker.children(child).first().is_some_and(|one| one.kind() == "subscript_designator");
                    match walker.field(child, "value") {
                        Some(value) if is_row => _ = initializer(walker, value, known),
                        Some(value) => _ = walker.visit(value, Role::Read),
                        None => {}
                    }
                }
                _ => _ = walker.visit(child, Role::Read),
            }
        }
    });
    base.unwrap_or(walker.unknown)
}

/// Returns the parts of a node with a capture of its pattern.
pub fn parts<'a>(walker: &mut Walker<'a>, node: Node<'a>, part: Part) -> Vec<Node<'a>> {
    match walker.pattern(node) {
        Some(pattern) => walker.parts(node, pattern, part),
        None => Vec::new(),
    }
}

/// Adds the signals of a call: environment variables that are read, and processes that are started.
pub fn on_call<'a>(walker: &mut Walker<'a>, call: &Call<'a>) {
    expansions::on_call(walker, call);
    let name = call.name.map_or("", |name| walker.text_of(name));
    let Some(first) = call.arguments.first().filter(|first| first.kind() == "string_literal") else { return };
    let text = walker.text_of(*first).trim_matches('"');
    let program = text.split(' ').next().unwrap_or(text);
    let kind = match name {
        _ if text.is_empty() => return,
        "getenv" | "secure_getenv" => SignalKind::ReadsEnv(walker.facts.atom(text)),
        "system" | "popen" | "execl" | "execlp" | "execv" | "execvp" => {
            SignalKind::Executes(walker.facts.atom(program))
        }
        _ => return,
    };
    walker.signal(call.node, kind);
}
