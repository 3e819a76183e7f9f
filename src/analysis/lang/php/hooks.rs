//! PHP's definitions and imports that no pattern can describe.

use tree_sitter::Node;

use super::{doc_types, expressions, signals};
use crate::facts::{
    Base, BaseRelation, Container, DefId, Expr, ExprId, ImportName, Reference, Role, ScopeId, ScopeKind,
};
use crate::lang::common::Hook;
use crate::lang::common::patterns::Part;
use crate::lang::common::walker::{Context, Walker};
use crate::model::SymbolKind;

/// The hooks by their names in `php.scm`.
pub const HOOKS: &[(&str, Hook)] = &[
    ("anonymous", anonymous_class),
    ("array", expressions::array),
    ("assignment", expressions::assignment),
    ("attribute", signals::attribute),
    ("binary", expressions::binary),
    ("catch", expressions::catch),
    ("constant", expressions::class_constant),
    ("foreach", expressions::foreach),
    ("function", function),
    ("include", include),
    ("match", expressions::match_arms),
    ("name", expressions::type_name),
    ("namespace", namespace),
    ("new", expressions::new),
    ("primitive", expressions::primitive),
    ("property", property),
    ("property_declaration", property_declaration),
    ("qualified", expressions::qualified),
    ("scope", expressions::scope),
    ("subscript", expressions::subscript),
    ("trait", used_trait),
    ("use", use_declaration),
];

/// The name of types that have none, as PHP's own messages begin with it.
const ANONYMOUS: &str = "class@anonymous";

/// Returns a name with dots instead of backslashes, as modules have it.
pub fn dotted(name: &str) -> String {
    name.trim_matches('\\').replace('\\', ".")
}

/// Reads `namespace A\B;` and `namespace A\B { … }`. The only one of a file is its package; several are inline modules.
fn namespace<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let (name, body) = (walker.field(node, "name"), walker.field(node, "body"));
    let is_namespace = |node: &Node<'a>| node.kind() == "namespace_definition";
    let siblings = node.parent().map_or(Vec::new(), |root| walker.children(root));
    if siblings.iter().filter(|sibling| is_namespace(sibling)).count() < 2 {
        if let Some(name) = name {
            let name = dotted(walker.text_of(name));
            walker.facts.package(&name);
        }
        if let Some(body) = body {
            walker.statements(body);
        }
        return walker.unknown;
    }
    // Without braces, a namespace ends where the next one begins.
    walker.context = Context {
        scope: ScopeId(0),
        source: None,
        parent: None,
        container: Container::Module,
        is_local: false,
        ..walker.context
    };
    walker.scope_names.clear();
    let before = walker.context;
    if let Some(name) = name {
        enter_namespace(walker, node, name);
    }
    if let Some(body) = body {
        walker.statements(body);
        walker.context = before;
        walker.scope_names.clear();
    }
    walker.unknown
}

/// Opens an inline module for the names of a namespace.
fn enter_namespace<'a>(walker: &mut Walker<'a>, node: Node<'a>, name: Node<'a>) {
    let path = dotted(walker.text_of(name));
    let mut definition = walker.new_definition(&path, SymbolKind::Package, node, name);
    definition.signature = format!("namespace {}", walker.text_of(name));
    let scope = walker.open_scope(ScopeKind::Module, None);
    definition.scope = scope;
    let atom = definition.name;
    let id = walker.define(definition, None);
    let opened = walker.facts.scope_mut(scope);
    (opened.definition, opened.module_name) = (Some(id), Some(atom));
    walker.context.scope = scope;
    walker.context.parent = Some(id);
    walker.scope_names.push(atom);
}

/// Adds `use A\B;`, `use A\B as C;`, `use function A\b;` and `use A\{B, C as D};`.
fn use_declaration<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let is_function = walker.has_token(node, "function");
    let mut prefix = String::new();
    for child in walker.children(node) {
        match child.kind() {
            "namespace_name" => prefix = format!("{}.", dotted(walker.text_of(child))),
            "namespace_use_group" => {
                for clause in walker.children(child) {
                    use_clause(walker, clause, &prefix, is_function);
                }
            }
            _ => use_clause(walker, child, &prefix, is_function),
        }
    }
    walker.unknown
}

fn use_clause<'a>(walker: &mut Walker<'a>, clause: Node<'a>, prefix: &str, is_function: bool) {
    let is_function = is_function || walker.has_token(clause, "function");
    let Some(&path_node) = walker.children(clause).first() else { return };
    let path = format!("{prefix}{}", dotted(walker.text_of(path_node)));
    let last = path.rsplit('.').next().unwrap_or(&path);
    let name = walker.field(clause, "alias").map_or(last, |alias| walker.text_of(alias));
    let name = if is_function { walker.callee_atom(name) } else { walker.facts.atom(name) };
    let children = walker.children(path_node);
    walker.import(children.last().copied().unwrap_or(path_node), &[&path], ImportName::Module, &[name]);
}

/// Adds `require 'a.php'`, `require __DIR__ . '/a.php'` and `require dirname(__DIR__) . '/a.php'` as imports of files.
fn include<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    walker.visit_children(node);
    let text = walker.text_of(node).trim_end_matches(')');
    let Some((before, path)) = text.strip_suffix(['\'', '"']).and_then(|text| text.rsplit_once(['\'', '"'])) else {
        return walker.unknown;
    };
    if path.contains('$') || before.contains('$') {
        return walker.unknown;
    }
    let outer = if before.contains("dirname(__DIR__") || before.contains("dirname(__FILE__, 2") { "../" } else { "" };
    let path = format!("./{outer}{}", path.trim_start_matches('/'));
    walker.import(node, &[&path], ImportName::Module, &[]);
    walker.unknown
}

/// Adds a function or method with the types in its doc comment, and the fields that a constructor's parameters declare.
fn function<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let Some(pattern) = walker.pattern(node) else { return walker.unknown };
    let (Some(name), Some(parameters)) =
        (walker.part(node, pattern, Part::Name), walker.part(node, pattern, Part::Parameters))
    else {
        walker.visit_children(node);
        return walker.unknown;
    };
    promoted_fields(walker, parameters);
    let is_member = walker.context.container != Container::Module;
    let kind = if is_member { SymbolKind::Method } else { SymbolKind::Function };
    let (mut definition, decorators) = walker.header(node, pattern, name, kind);
    let is_marked = |attributes: &Node<'a>| walker.text_of(*attributes).contains("[Test]");
    definition.flags.is_test |= decorators.iter().any(is_marked);
    let id = walker.open_function(node, pattern, definition, &decorators);
    let body = walker.part(node, pattern, Part::Body);
    doc_types::of_function(walker, id, node.start_byte(), body.map(|body| body.start_byte()));
    walker.unknown
}

/// Adds the fields that parameters with a visibility declare.
fn promoted_fields<'a>(walker: &mut Walker<'a>, parameters: Node<'a>) {
    for parameter in walker.children(parameters) {
        if parameter.kind() != "property_promotion_parameter" {
            continue;
        }
        let Some(pattern) = walker.pattern(parameter) else { continue };
        let Some(variable) = walker.part(parameter, pattern, Part::Name) else { continue };
        let Some(&name) = walker.children(variable).last() else { continue };
        let (mut definition, _) = walker.header(parameter, pattern, name, SymbolKind::Field);
        definition.value_type = walker.declared_type(parameter, pattern);
        walker.define(definition, None);
    }
}

/// Adds the bases of `use A, B;` in a type.
fn used_trait<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let Container::Definition(owner) = walker.context.container else { return walker.unknown };
    for name in walker.children(node) {
        if name.kind() != "use_list" {
            let expr = walker.type_expr(name, None);
            walker.facts.definition_mut(owner).bases.push(Base { expr, relation: BaseRelation::Extends });
            continue;
        }
        for clause in walker.children(name) {
            match clause.kind() {
                "use_as_clause" | "use_instead_of_clause" => method_alias(walker, owner, clause),
                _ => {}
            }
        }
    }
    walker.unknown
}

/// Adds the method that `T::old as protected new;` declares: another name of the trait's method. `T::old insteadof U` chooses
/// the method of its own name.
fn method_alias<'a>(walker: &mut Walker<'a>, owner: DefId, clause: Node<'a>) {
    let names: Vec<Node<'a>> =
        walker.children(clause).into_iter().filter(|part| part.kind() != "visibility_modifier").collect();
    let (Some(&old), Some(&last)) = (names.first(), names.last().filter(|_| names.len() > 1)) else { return };
    let parts = if old.kind() == "name" { vec![old] } else { walker.children(old) };
    let (base, method) = match *parts.as_slice() {
        [method] => (walker.facts.expr(Expr::Receiver), method),
        [class, method] => {
            let class = walker.type_expr(class, None);
            (walker.instance(class), method)
        }
        _ => return,
    };
    let new = if clause.kind() == "use_instead_of_clause" { method } else { last };
    let name = walker.callee_atom(walker.text_of(method));
    let callee = walker.facts.expr(Expr::Member { base, name });
    let mut definition = walker.new_definition(walker.text_of(new), SymbolKind::Method, clause, new);
    definition.flags.is_alias = true;
    (definition.value, definition.scope) = (Some(callee), walker.context.scope);
    definition.returns = [walker.facts.expr(Expr::Call { callee, args: Vec::new() })].into();
    definition.container = Container::Definition(owner);
    let id = walker.define(definition, None);
    let (scope, position) = (walker.context.scope, method.start_byte() as u32);
    walker.facts.refer(Reference { expr: callee, scope, position, role: Role::Read, source: Some(id) });
}

/// Adds the properties of a declaration, and visits the hooks that run where the property is read or set as its code.
fn property_declaration<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let Some(pattern) = walker.pattern(node) else { return walker.unknown };
    let first = walker.facts.definitions().len();
    walker.variables(node, pattern);
    let lists = walker.children(node).into_iter().filter(|child| child.kind() == "property_hook_list");
    let hooks: Vec<Node<'a>> = lists.flat_map(|list| walker.children(list)).collect();
    if hooks.is_empty() || first == walker.facts.definitions().len() {
        return walker.unknown;
    }
    let property = DefId::from_index(first);
    let value_type = walker.facts.definition(property).value_type;
    for hook in hooks {
        walker.in_scope(ScopeKind::Block, |walker| {
            walker.context.source = Some(property);
            walker.context.is_local = true;
            let value = walker.facts.atom("$value");
            walker.bind_local(value, hook, value_type, None);
            walker.visit(hook, Role::Read);
        });
    }
    walker.unknown
}

/// Visits `$object->property`. What a check told about a property of `$this` holds for its uses.
fn property<'a>(walker: &mut Walker<'a>, node: Node<'a>, role: Role) -> ExprId {
    let Some(pattern) = walker.pattern(node) else { return walker.unknown };
    let member = walker.member(node, pattern, role);
    let path = walker.atom_of(node);
    if role == Role::Read && walker.is_local(path) { walker.facts.expr(Expr::Name(path)) } else { member }
}

/// Adds the type of `new class … {}`. Returns the type.
fn anonymous_class<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let Some(pattern) = walker.pattern(node) else { return walker.unknown };
    let keyword = walker.all_children(node).into_iter().find(|child| child.kind() == "class");
    let Some(keyword) = keyword else { return walker.unknown };
    let arguments = walker.argument_nodes(node, pattern);
    let unknown = walker.unknown;
    walker.arguments(unknown, &arguments);
    let (mut definition, decorators) = walker.header(node, pattern, keyword, SymbolKind::Type);
    definition.name = walker.facts.atom(ANONYMOUS);
    definition.flags.is_local = true;
    let id = walker.open_type(node, pattern, definition, &decorators);
    walker.facts.expr(Expr::Definition(id))
}
