//! Go's imports and methods, and the names of its hooks.

use std::collections::HashMap;

use tree_sitter::Node;

use super::routes::Groups;
use super::{expressions, statements, types, variables};
use crate::facts::{
    Atom, BindingKind, Container, Expr, ExprId, Extension, ExtensionId, ImportName, Role, ScopeKind, TypeParameter,
};
use crate::lang::common::Hook;
use crate::lang::common::patterns::{Action, Part};
use crate::lang::common::walker::Walker;
use crate::model::SymbolKind;

/// The hooks by their names in `go.scm`.
pub const HOOKS: &[(&str, Hook)] = &[
    ("binary", expressions::binary),
    ("call", expressions::call),
    ("conversion", expressions::conversion),
    ("declare", statements::declare),
    ("embedded", types::embedded),
    ("field", types::field),
    ("import", import),
    ("index", expressions::index),
    ("instantiation", expressions::instantiation),
    ("literal", expressions::literal),
    ("members", types::members),
    ("method", method),
    ("name", expressions::name),
    ("results", types::results),
    ("type", expressions::type_as_value),
    ("type_switch", statements::type_switch),
    ("types", types::declaration),
    ("unary", expressions::unary),
    ("values", variables::declaration),
];

/// Adds one import of `import "a"` or `import ( … )`.
fn import<'a>(walker: &mut Walker<'a>, spec: Node<'a>, _role: Role) -> ExprId {
    let Some(path_node) = walker.part_of(spec, Part::Value) else { return walker.unknown };
    let path = string_content(walker.text_of(path_node));
    let name = walker.part_of(spec, Part::Name).map_or_else(|| default_name(path), |name| walker.text_of(name));
    let (name, bound) = match name {
        "." => (ImportName::All, None),
        "_" => (ImportName::Module, None),
        name => (ImportName::Module, Some(walker.facts.atom(name))),
    };
    walker.import(path_node, &[path], name, bound.as_slice());
    walker.unknown
}

/// Returns the text between a string literal's quotes.
pub fn string_content(literal: &str) -> &str {
    let quote = |c| c == '"' || c == '`';
    literal.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote)).unwrap_or(literal)
}

/// Returns the name that an import without an explicit name most likely binds: the last segment of its path without a
/// version. The actual name is in the imported package's clause.
pub fn default_name(path: &str) -> &str {
    let mut segments = path.rsplit('/');
    let mut last = segments.next().unwrap_or(path);
    if is_version(last)
        && let Some(before) = segments.next()
    {
        last = before;
    }
    // `gopkg.in/yaml.v3`
    if let Some((stem, version)) = last.rsplit_once('.')
        && is_version(version)
    {
        last = stem;
    }
    last.strip_prefix("go-").or_else(|| last.strip_suffix("-go")).unwrap_or(last)
}

/// Returns whether a path segment is a major version: `v2`, `v10`.
fn is_version(segment: &str) -> bool {
    segment.strip_prefix('v').is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The state of the walk over a file.
#[derive(Default)]
pub struct State {
    /// The extensions, by the text of the extended type.
    extensions: HashMap<Atom, ExtensionId>,
    pub groups: Groups,
}

/// Adds a method: `func (r *T) name(…)`.
fn method<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let Some(pattern) = walker.pattern(node) else { return walker.unknown };
    let (Some(name), Some(receiver)) =
        (walker.part(node, pattern, Part::Name), walker.part(node, pattern, Part::Declarator))
    else {
        return walker.unknown;
    };
    let Some(receiver_pattern) = walker.pattern(receiver) else { return walker.unknown };
    let Some(type_node) = walker.part(receiver, receiver_pattern, Part::Type) else { return walker.unknown };
    let Some((extension, target)) = extension(walker, type_node) else { return walker.unknown };
    let before = walker.context;
    walker.context.scope = walker.facts.get_extension(extension).scope;
    walker.context.container = Container::Extension(extension);
    walker.scope_names.push(target);
    let (definition, _) = walker.header(node, pattern, name, SymbolKind::Method);
    let id = walker.open_function(node, pattern, definition, &[]);
    walker.scope_names.pop();
    walker.context = before;
    walker.context.source = Some(id);
    walker.context.scope = walker.facts.definition(id).scope;
    walker.type_expr(type_node, Some(Role::Type));
    let value = walker.facts.expr(Expr::Receiver);
    for name in walker.parts(receiver, receiver_pattern, Part::Name) {
        let name = walker.atom_of(name);
        if walker.binds(name) {
            let kind = BindingKind::Local { value_type: None, value: Some(value) };
            walker.facts.bind(walker.context.scope, name, node.start_byte() as u32, kind);
        }
    }
    walker.context = before;
    walker.unknown
}

/// Returns the extension that the methods with a receiver of this type have in common, and the type's name.
fn extension<'a>(walker: &mut Walker<'a>, mut type_node: Node<'a>) -> Option<(ExtensionId, Atom)> {
    while matches!(type_node.kind(), "pointer_type" | "parenthesized_type") {
        type_node = walker.children(type_node).first().copied()?;
    }
    let key = walker.atom_of(type_node);
    let generic = walker.dialect.patterns.of_type(type_node).filter(|pattern| pattern.action == Action::TypeApply);
    let (mut name, mut parameters) = (type_node, Vec::new());
    if let Some(pattern) = generic {
        name = walker.part(type_node, pattern, Part::Type)?;
        let lists = walker.parts(type_node, pattern, Part::TypeArguments);
        let nodes: Vec<Node<'a>> = lists.into_iter().flat_map(|list| walker.children(list)).collect();
        parameters.extend(nodes.into_iter().map(|node| walker.atom_of(node)));
    }
    let target_name = walker.atom_of(name);
    if let Some(&known) = walker.state::<State>().extensions.get(&key) {
        return Some((known, target_name));
    }
    let scope = walker.open_scope(ScopeKind::Extension, None);
    let mut target = walker.facts.expr(Expr::Name(target_name));
    if !parameters.is_empty() {
        let args = parameters.iter().map(|name| walker.facts.expr(Expr::Name(*name))).collect();
        target = walker.facts.expr(Expr::Apply { base: target, args });
    }
    let type_parameters = parameters.iter().map(|name| TypeParameter { name: *name, bounds: Vec::new() }).collect();
    let line = type_node.start_position().row as u32 + 1;
    let id = walker.facts.extend(Extension { target, target_name, implements: None, scope, type_parameters, line });
    walker.facts.scope_mut(scope).extension = Some(id);
    for (index, name) in (0_u16..).zip(parameters) {
        let kind = BindingKind::ExtensionParameter(id, index);
        walker.facts.bind(scope, name, type_node.start_byte() as u32, kind);
    }
    walker.state::<State>().extensions.insert(key, id);
    Some((id, target_name))
}
