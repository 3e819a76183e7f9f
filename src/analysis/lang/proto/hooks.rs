//! Services and their procedures, imports, and paths of types.

use tree_sitter::Node;

use crate::facts::{BindingKind, Container, DefId, ExprId, ImportName, Role, ScopeId, ScopeKind};
use crate::lang::common::patterns::Part;
use crate::lang::common::walker::Walker;
use crate::lang::common::{Hook, light};
use crate::model::SymbolKind;
use crate::resolve::services::{method_binding, plain, procedure_binding, service_binding};

/// The hooks by their names in `proto.scm`.
pub const HOOKS: &[(&str, Hook)] =
    &[("import", import), ("oneof", oneof), ("path", path), ("rpc", rpc), ("service", service)];

/// Imports all names of the file whose path ends with the path in `import "a/b.proto";`.
fn import<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    if let Some(path) = walker.field(node, "path") {
        let text = walker.text_of(path).trim_matches(['"', '\'']);
        walker.import(path, &[text], ImportName::All, &[]);
    }
    walker.unknown
}

/// Adds the fields of `oneof name { … }`, and one of its name.
fn oneof<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    define(walker, node, SymbolKind::Field);
    walker.visit_children(node);
    walker.unknown
}

/// Adds a service, which is an interface whose methods are its procedures.
fn service<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    if let Some((id, scope)) = define(walker, node, SymbolKind::Interface) {
        let name = walker.facts.definition(id).name;
        let binding = service_binding(walker.facts.text(name));
        bind_everywhere(walker, node, id, &binding);
        let saved = walker.enter(id, scope, Container::Definition(id));
        walker.context.is_local = false;
        walker.context.scope = walker.open_scope(ScopeKind::Type, Some(id));
        walker.visit_children(node);
        walker.leave(saved);
    }
    walker.unknown
}

/// Adds a procedure, a method with the type of its request as its parameter and that of the response as its result.
fn rpc<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    if let Some((id, scope)) = define(walker, node, SymbolKind::Method) {
        if let Some(&service) = walker.scope_names.last() {
            let name = walker.facts.definition(id).name;
            let procedure = plain(walker.facts.text(name));
            let binding = procedure_binding(walker.facts.text(service), &procedure);
            bind_everywhere(walker, node, id, &binding);
            let binding = method_binding(&procedure);
            bind_everywhere(walker, node, id, &binding);
        }
        let saved = walker.enter(id, scope, Container::Module);
        let types = walker.children(node).into_iter().filter(|child| child.kind() == "message_or_enum_type");
        let types: Vec<ExprId> = types.map(|child| walker.type_expr(child, Some(Role::Type))).collect();
        walker.leave(saved);
        walker.facts.definition_mut(id).result = types.get(1).copied();
    }
    walker.unknown
}

/// Binds the name by which code of every language finds a service or procedure.
fn bind_everywhere(walker: &mut Walker<'_>, node: Node<'_>, id: DefId, name: &str) {
    let name = walker.facts.atom(name);
    walker.facts.bind(ScopeId(0), name, node.start_byte() as u32, BindingKind::Definition(id));
}

/// Adds a definition, whose signature ends at its braces, and opens its scope.
fn define<'a>(walker: &mut Walker<'a>, node: Node<'a>, kind: SymbolKind) -> Option<(DefId, ScopeId)> {
    let pattern = walker.pattern(node)?;
    let name = walker.part(node, pattern, Part::Name)?;
    let (mut definition, _) = walker.header(node, pattern, name, kind);
    let head = definition.signature.split(['{', ';']).next().unwrap_or_default().trim_end().len();
    definition.signature.truncate(head);
    definition.flags.is_abstract = kind == SymbolKind::Method;
    let scope = walker.open_scope(ScopeKind::Block, None);
    definition.scope = scope;
    Some((walker.define(definition, None), scope))
}

/// Returns the type that a path means: `Outer.Inner`, or `.a.b.Type`, whose package the imports imply.
fn path<'a>(walker: &mut Walker<'a>, node: Node<'a>, role: Role) -> ExprId {
    let names = walker.children(node);
    let is_type = |name: &Node<'a>| walker.text_of(*name).starts_with(char::is_uppercase);
    let first = names.iter().position(is_type).unwrap_or(names.len().saturating_sub(1));
    // The types of the language's own library are in no file of the repository.
    if first > 0 && walker.text_of(names[0]) == "google" && walker.text_of(names[1]) == "protobuf" {
        return walker.unknown;
    }
    light::path_of(walker, names.into_iter().skip(first), role)
}
