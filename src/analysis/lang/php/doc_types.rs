//! Types in doc comments: `@var`, `@param`, `@return`, `@template`, `@extends`.
//!
//! A declared type is preferred, unless the comment says what the declaration can't: elements, generic arguments.

use std::collections::HashMap;

use tree_sitter::Node;

use super::expressions::{CLASS_STRING, path_expr};
use crate::facts::{Atom, BindingKind, Container, DefId, Expr, ExprId, Reference, Role, ScopeId, TypeParameter};
use crate::lang::common::walker::Walker;
use crate::model::SymbolKind;

/// Maximum nesting of brackets in a type.
const MAX_DEPTH: usize = 16;

/// Returns the doc comment that ends before byte `start`.
fn doc_above(text: &str, start: usize) -> &str {
    let before = text.get(..start).unwrap_or_default().trim_end();
    if !before.ends_with("*/") {
        return "";
    }
    let comment = before.rfind("/*").map_or("", |open| &before[open..]);
    if comment.starts_with("/**") { comment } else { "" }
}

/// Returns the tags of a doc comment with the text that follows them on their line. Prefixes of tools are dropped.
fn tags(doc: &str) -> impl Iterator<Item = (&str, &str)> {
    doc.lines().filter_map(|line| {
        let line = line.trim_start_matches(['/', '*', ' ', '\t']).trim_end_matches(['/', '*', ' ', '\t']);
        let (tag, rest) = line.strip_prefix('@')?.split_once(char::is_whitespace)?;
        let tag = ["phpstan-", "psalm-", "phan-"].iter().find_map(|tool| tag.strip_prefix(tool)).unwrap_or(tag);
        Some((tag, rest.trim_start()))
    })
}

/// Splits the type at the beginning of a text from what follows it.
fn split_type(text: &str) -> (&str, &str) {
    let mut depth = 0_i32;
    for (at, letter) in text.char_indices() {
        match letter {
            '<' | '(' | '{' | '[' => depth += 1,
            '>' | ')' | '}' | ']' => depth -= 1,
            ' ' | '\t' if depth <= 0 => return (&text[..at], text[at..].trim_start()),
            _ => {}
        }
    }
    (text, "")
}

/// Returns the parts of a text between separators that no bracket encloses.
fn split_outside<'t>(text: &'t str, separators: &[char]) -> Vec<&'t str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0_i32, 0);
    for (at, letter) in text.char_indices() {
        match letter {
            '<' | '(' | '{' | '[' => depth += 1,
            '>' | ')' | '}' | ']' => depth -= 1,
            _ if depth <= 0 && separators.contains(&letter) => {
                parts.push(text[start..at].trim());
                start = at + letter.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts
}

/// Names of arrays and of iterators, whose last argument is the type of their elements.
const SEQUENCES: &[&str] = &[
    "array",
    "list",
    "iterable",
    "non-empty-array",
    "non-empty-list",
    "Generator",
    "Iterator",
    "Traversable",
    "IteratorAggregate",
    "ArrayIterator",
    "ArrayObject",
    "SplObjectStorage",
];

/// A use of a type in a doc comment.
struct DocType<'w, 'a> {
    walker: &'w mut Walker<'a>,
    scope: ScopeId,
    source: Option<DefId>,
    position: u32,
    /// Whether names of types are references.
    refers: bool,
}

impl DocType<'_, '_> {
    /// Returns the type that a text writes; [`Expr::Unknown`] if it says nothing.
    fn read(&mut self, text: &str, depth: usize) -> ExprId {
        let unknown = self.walker.unknown;
        if depth > MAX_DEPTH {
            return unknown;
        }
        let parts = split_outside(text.trim_start_matches('?'), &['|', '&']);
        if parts.len() > 1 {
            let parts = parts.into_iter().map(|part| self.read(part, depth + 1)).collect();
            return self.walker.union(parts);
        }
        let text = text.trim_start_matches('?');
        if let Some(element) = text.strip_suffix("[]") {
            let element = self.read(element, depth + 1);
            return self.walker.facts.builtin("[]", vec![element]);
        }
        if let Some(inner) = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')) {
            return self.read(inner, depth + 1);
        }
        match text.strip_suffix('>').and_then(|text| text.split_once('<')) {
            Some((name, arguments)) => self.generic(name, arguments, depth),
            None => self.name(text),
        }
    }

    fn generic(&mut self, name: &str, arguments: &str, depth: usize) -> ExprId {
        let arguments = split_outside(arguments, &[',']).into_iter().take(8);
        let args: Vec<ExprId> = arguments.map(|argument| self.read(argument, depth + 1)).collect();
        let last = name.rsplit('\\').next().unwrap_or(name);
        if SEQUENCES.contains(&last) {
            // A generator has keys, values, and what it is sent and returns.
            let element = if last == "Generator" { args.get(1).or(args.first()) } else { args.last() };
            return self.walker.facts.builtin("[]", element.copied().into_iter().collect());
        }
        if last == CLASS_STRING {
            return self.walker.facts.builtin(CLASS_STRING, args);
        }
        let base = self.name(name);
        match self.walker.facts.get(base) {
            Expr::Name(_) | Expr::Member { .. } => self.walker.facts.expr(Expr::Apply { base, args }),
            _ => base,
        }
    }

    fn name(&mut self, text: &str) -> ExprId {
        let is_name = text.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '\\')
            && text.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '\\');
        match text.to_ascii_lowercase().as_str() {
            "$this" | "static" | "self" => self.walker.facts.expr(Expr::ReceiverType),
            "string" | "int" | "integer" | "bool" | "boolean" | "float" | "double" | "array" | "iterable"
            | "callable" | "resource" | "closure" | "\\closure" => {
                self.walker.facts.builtin(text.trim_start_matches('\\'), Vec::new())
            }
            "mixed" | "object" | "void" | "null" | "never" | "false" | "true" | "numeric" | "scalar" | "list" => {
                self.walker.unknown
            }
            _ if !is_name => self.walker.unknown,
            _ => {
                let expr = path_expr(self.walker, text, false);
                if self.refers {
                    let (scope, source, position) = (self.scope, self.source, self.position);
                    self.walker.facts.refer(Reference { expr, scope, position, role: Role::Type, source });
                }
                expr
            }
        }
    }
}

/// Returns whether a comment can be more exact than a declared type.
fn is_vague(walker: &Walker<'_>, declared: Option<ExprId>, noted: &str) -> bool {
    let Some(declared) = declared else { return true };
    match walker.facts.get(declared) {
        Expr::Unknown => true,
        Expr::Builtin { name, args } => {
            let vague = ["array", "iterable", "object", "mixed", "callable", "[]", "string"];
            args.is_empty() && vague.contains(&walker.facts.text(*name))
        }
        _ => noted.contains('<') || noted.contains("[]") || noted == "$this",
    }
}

/// Returns the type that `/** @var A $left */` above a statement notes for the variable that it assigns.
pub fn noted_variable<'a>(walker: &mut Walker<'a>, statement: Node<'a>, left: Node<'a>) -> Option<ExprId> {
    noted(walker, statement, left, |name, variable| name == variable || !name.starts_with('$'))
}

/// Returns the type that the comment above a statement notes for one of the variables that it assigns, by its name.
pub fn noted_element<'a>(walker: &mut Walker<'a>, statement: Node<'a>, left: Node<'a>) -> Option<ExprId> {
    noted(walker, statement, left, |name, variable| name == variable)
}

fn noted<'a>(
    walker: &mut Walker<'a>,
    statement: Node<'a>,
    left: Node<'a>,
    is_meant: fn(&str, &str) -> bool,
) -> Option<ExprId> {
    let doc = doc_above(walker.text, statement.start_byte());
    let variable = walker.text_of(left);
    let noted = tags(doc).find_map(|(tag, rest)| {
        let (noted, rest) = split_type(rest);
        let name = rest.split_whitespace().next().unwrap_or_default();
        (tag == "var" && is_meant(name, variable)).then_some(noted)
    })?;
    let (scope, source, position) = (walker.context.scope, walker.context.source, left.start_byte() as u32);
    let expr = DocType { walker, scope, source, position, refers: true }.read(noted, 0);
    (!matches!(walker.facts.get(expr), Expr::Unknown)).then_some(expr)
}

/// Adds the types in the doc comment of a function whose body starts at byte `body`.
pub fn of_function(walker: &mut Walker<'_>, id: DefId, start: usize, body: Option<usize>) {
    let doc = doc_above(walker.text, start);
    if !doc.contains('@') {
        return;
    }
    let scope = walker.facts.definition(id).scope;
    add_templates(walker, id, scope, doc);
    for (tag, rest) in tags(doc) {
        let (noted, rest) = split_type(rest);
        let place = (scope, Some(id), start as u32);
        match tag {
            "return" => {
                let declared = walker.facts.definition(id).result;
                if let Some(expr) = noted_type(walker, place, declared, noted) {
                    let definition = walker.facts.definition_mut(id);
                    definition.result = Some(expr);
                    definition.returns.clear();
                }
            }
            "param" => {
                let name = rest.trim_start_matches(['&', '.']).split_whitespace().next().unwrap_or_default();
                let name = walker.facts.atom(name);
                let parameters = &walker.facts.definition(id).parameters;
                let Some(index) = parameters.iter().position(|one| one.name == name) else { continue };
                let declared = parameters[index].value_type;
                if let Some(expr) = noted_type(walker, place, declared, noted) {
                    walker.facts.definition_mut(id).parameters[index].value_type = Some(expr);
                    let kind = BindingKind::Local { value_type: Some(expr), value: None };
                    if let Some(body) = body {
                        walker.facts.bind(scope, name, body as u32, kind);
                    }
                }
            }
            _ => {}
        }
    }
}

/// Returns the type that a comment notes, if it says more than the declared one.
fn noted_type(
    walker: &mut Walker<'_>,
    (scope, source, position): (ScopeId, Option<DefId>, u32),
    declared: Option<ExprId>,
    noted: &str,
) -> Option<ExprId> {
    if !is_vague(walker, declared, noted) {
        return None;
    }
    let expr = DocType { walker, scope, source, position, refers: true }.read(noted, 0);
    (!matches!(walker.facts.get(expr), Expr::Unknown)).then_some(expr)
}

/// Adds the type parameters that `@template T of A` declares.
fn add_templates(walker: &mut Walker<'_>, id: DefId, scope: ScopeId, doc: &str) {
    let position = walker.facts.definition(id).span.start_byte;
    for (_, rest) in tags(doc).filter(|(tag, _)| tag.starts_with("template")).take(16) {
        let mut words = rest.split_whitespace();
        let Some(name) = words.next() else { continue };
        let name = walker.facts.atom(name);
        let bound = words.next().filter(|word| matches!(*word, "of" | "as")).and(words.next());
        let bounds =
            bound.map(|bound| DocType { walker, scope, source: Some(id), position, refers: false }.read(bound, 0));
        let bounds = bounds.into_iter().collect();
        let index = walker.facts.definition(id).type_parameters.len() as u16;
        walker.facts.bind(scope, name, position, BindingKind::TypeParameter(id, index));
        walker.facts.definition_mut(id).type_parameters.push(TypeParameter { name, bounds });
    }
}

/// Adds the types in the doc comments of types and fields. A field without any has the type of the constructor's
/// parameter of its name.
pub fn on_end(walker: &mut Walker<'_>) {
    let mut of_constructors: HashMap<(DefId, String), ExprId> = HashMap::new();
    let count = walker.facts.definitions().len();
    for id in (0..count).map(DefId::from_index) {
        let definition = walker.facts.definition(id);
        if let Container::Definition(owner) = definition.container
            && walker.facts.text(definition.name) == "__construct"
        {
            for parameter in &definition.parameters {
                if let Some(expr) = parameter.value_type {
                    let name = walker.facts.text(parameter.name).trim_start_matches('$').to_owned();
                    of_constructors.insert((owner, name), expr);
                }
            }
        }
    }
    for id in (0..count).map(DefId::from_index) {
        let definition = walker.facts.definition(id);
        let (kind, start) = (definition.kind, definition.span.start_byte as usize);
        match kind {
            SymbolKind::Field => of_field(walker, id, start, &of_constructors),
            SymbolKind::Type | SymbolKind::Interface => of_type(walker, id, start),
            _ => {}
        }
    }
}

fn of_field(walker: &mut Walker<'_>, id: DefId, start: usize, of_constructors: &HashMap<(DefId, String), ExprId>) {
    let definition = walker.facts.definition(id);
    let Container::Definition(owner) = definition.container else { return };
    if definition.flags.is_variant {
        return;
    }
    let (declared, scope, name) = (definition.value_type, definition.scope, definition.name);
    let doc = doc_above(walker.text, start);
    let noted = tags(doc).find(|(tag, _)| *tag == "var").map(|(_, rest)| split_type(rest).0);
    let mut found = None;
    if let Some(noted) = noted {
        found = noted_type(walker, (scope, Some(owner), start as u32), declared, noted);
    }
    if found.is_none() && is_vague(walker, declared, "") {
        let parameter = of_constructors.get(&(owner, walker.facts.text(name).to_owned()));
        if let (Some(&expr), None) = (parameter, walker.facts.definition(id).value) {
            // The parameter's type is written in another scope, but its names mean the same here.
            found = Some(expr);
        }
    }
    if let Some(expr) = found {
        walker.facts.definition_mut(id).value_type = Some(expr);
    }
}

/// Adds type parameters, and the generic arguments of bases.
fn of_type(walker: &mut Walker<'_>, id: DefId, start: usize) {
    let doc = doc_above(walker.text, start);
    if !doc.contains('<') && !doc.contains("@template") && !doc.contains("-template") {
        return;
    }
    let scope = walker.facts.definition(id).scope;
    add_templates(walker, id, scope, doc);
    for (tag, rest) in tags(doc) {
        if !matches!(tag, "extends" | "implements" | "use" | "template-extends" | "template-implements") {
            continue;
        }
        let (noted, _) = split_type(rest);
        let Some((name, arguments)) = noted.strip_suffix('>').and_then(|text| text.split_once('<')) else { continue };
        let base_name = walker.facts.atom(name.trim_start_matches('?'));
        let is_meant = |expr: ExprId, walker: &Walker<'_>| last_name(walker, expr) == Some(base_name);
        let bases = walker.facts.definition(id).bases.clone();
        let Some(index) = bases.iter().position(|base| is_meant(base.expr, walker)) else { continue };
        let arguments = split_outside(arguments, &[',']).into_iter().take(8);
        let mut args = Vec::new();
        for argument in arguments {
            let position = start as u32;
            args.push(DocType { walker, scope, source: Some(id), position, refers: false }.read(argument, 0));
        }
        let expr = walker.facts.expr(Expr::Apply { base: bases[index].expr, args });
        walker.facts.definition_mut(id).bases[index].expr = expr;
    }
}

fn last_name(walker: &Walker<'_>, expr: ExprId) -> Option<Atom> {
    match walker.facts.get(expr) {
        Expr::Name(name) | Expr::Member { name, .. } => Some(*name),
        _ => None,
    }
}
