//! Calls and assignments that define something: attributes, aliases, structs, bases, tests, routes.

use tree_sitter::Node;

use super::associations::association;
use super::calls::{Parts, literal};
use super::hooks::{FileState, member};
use super::routes::{option, route};
use super::tables::table;
use crate::facts::{
    Base, BaseRelation, BindingKind, Container, DefId, Definition, Expr, ExprId, Flags, Reference, Role, ScopeId,
    ScopeKind,
};
use crate::lang::common::walker::Walker;
use crate::model::SymbolKind;

/// Methods that group tests.
const GROUPS: &[&str] = &["context", "describe", "feature", "fcontext", "fdescribe", "xcontext", "xdescribe"];

/// Methods whose block has the value of a name in the tests of a group.
const MEMOIZED: &[&str] = &["let", "let!", "let_it_be", "let_it_be!", "subject", "subject!"];

/// Methods whose block is a test.
const EXAMPLES: &[&str] = &["example", "fit", "focus", "it", "scenario", "should", "specify", "test", "xit"];

/// Visits a call that defines something. Returns `None` for any other call.
pub fn declaration<'a>(
    walker: &mut Walker<'a>,
    parts: Parts<'a>,
    object: Option<Node<'a>>,
    arguments: &[Node<'a>],
) -> Option<ExprId> {
    let name = walker.text_of(parts.method);
    let is_rspec = object.is_some_and(|object| walker.text_of(object) == "RSpec");
    if object.is_some() && name == "include" && walker.is_test {
        included_in_tests(walker, parts.node, arguments);
    }
    if let Some(object) = object.filter(|_| !is_rspec) {
        return hooked(walker, name, object, arguments);
    }
    let owner = match walker.context.container {
        Container::Definition(id) => Some(id),
        _ => None,
    };
    match (name, owner) {
        ("attr_accessor" | "attr_reader" | "attr_writer" | "attr", Some(owner)) => {
            attributes(walker, owner, parts.node, arguments, name == "attr_writer");
        }
        ("include", Some(owner)) => bases(walker, owner, arguments, BaseRelation::Implements),
        ("prepend", Some(owner)) => bases(walker, owner, arguments, BaseRelation::Prepended),
        ("extend", Some(owner)) if arguments.first().is_some_and(|first| first.kind() == "self") => {
            walker.facts.definition_mut(owner).flags.is_static = true;
        }
        ("extend", Some(owner)) => bases(walker, owner, arguments, BaseRelation::OfType),
        ("alias_method", Some(owner)) if arguments.len() == 2 => {
            let (new, old) = (literal(walker, arguments[0])?, literal(walker, arguments[1])?);
            other_name(walker, owner, parts.node, (new, arguments[0]), old);
        }
        ("delegate" | "def_delegators" | "def_delegator" | "def_instance_delegators", Some(owner)) => {
            delegates(walker, owner, parts, arguments);
        }
        ("define_method" | "define_singleton_method", Some(_)) => {
            let (text, block) = (literal(walker, *arguments.first()?)?, parts.block?);
            let flags = Flags { is_static: name != "define_method" || own_static(walker), ..Flags::default() };
            block_function(walker, parts, (text, arguments[0]), block, flags);
        }
        ("included" | "prepended" | "class_methods" | "class_eval", Some(owner)) => {
            let body = walker.field(parts.block?, "body")?;
            let is_static = name == "class_methods" || walker.facts.definition(owner).flags.is_static;
            let before = std::mem::replace(&mut walker.facts.definition_mut(owner).flags.is_static, is_static);
            walker.visit(body, Role::Read);
            walker.facts.definition_mut(owner).flags.is_static = before;
        }
        (_, Some(owner)) if association(walker, owner, parts.node, name, arguments).is_some() => {
            // A scope is a lambda, and so may be the second argument of an association.
            arguments.iter().skip(1).for_each(|argument| _ = walker.visit(*argument, Role::Read));
        }
        ("create_table", None) => table(walker, parts, arguments)?,
        ("refine", Some(_)) if arguments.len() == 1 => refinement(walker, parts, arguments[0])?,
        (_, Some(_))
            if walker.facts.get_scope(walker.context.scope).kind == ScopeKind::Type && parts.block.is_none() =>
        {
            callbacks(walker, name, arguments);
            return None;
        }
        _ if route(walker, parts, name, arguments).is_some() => {}
        _ => return test_or_task(walker, parts, name, arguments),
    }
    Some(walker.unknown)
}

/// Adds what a module gives to classes that include it, as if it were its own: `def self.included(base)` with
/// `base.extend ClassMethods` or `base.send :include, Other`.
fn hooked<'a>(walker: &mut Walker<'a>, name: &'a str, object: Node<'a>, arguments: &[Node<'a>]) -> Option<ExprId> {
    let (name, arguments) = match name {
        "send" | "public_send" | "__send__" => (literal(walker, *arguments.first()?)?, &arguments[1..]),
        _ => (name, arguments),
    };
    let relation = match name {
        "extend" => BaseRelation::OfType,
        "include" => BaseRelation::Implements,
        "prepend" => BaseRelation::Prepended,
        _ => return None,
    };
    let mut hook = object.parent()?;
    while !matches!(hook.kind(), "method" | "singleton_method") {
        hook = hook.parent()?;
    }
    let text = |field| walker.field(hook, field).map_or("", |node| walker.text_of(node));
    let first = text("parameters").trim_matches(['(', ')']).split(',').next().unwrap_or_default().trim();
    if !matches!(text("name"), "included" | "prepended") || first != walker.text_of(object) {
        return None;
    }
    let Container::Definition(owner) = walker.facts.definition(walker.context.source?).container else { return None };
    bases(walker, owner, arguments, relation);
    Some(walker.unknown)
}

/// The name by which the modules are bound whose methods all tests have.
pub const IN_TESTS: &str = "$include";

/// Binds the modules that the configuration of a test framework includes in tests: `config.include SignIn`.
fn included_in_tests<'a>(walker: &mut Walker<'a>, node: Node<'a>, arguments: &[Node<'a>]) {
    for argument in arguments.iter().filter(|one| matches!(one.kind(), "constant" | "scope_resolution")) {
        let module = walker.replay(|walker| walker.visit(*argument, Role::Read));
        let name = walker.facts.atom(IN_TESTS);
        walker.facts.bind(ScopeId(0), name, node.start_byte() as u32, BindingKind::Alias(module));
    }
}

/// Adds the methods of `refine String do … end` to the type.
fn refinement<'a>(walker: &mut Walker<'a>, parts: Parts<'a>, refined: Node<'a>) -> Option<()> {
    let body = walker.field(parts.block?, "body")?;
    let target = walker.type_expr(refined, Some(Role::Type));
    let names: Vec<_> = walker.text_of(refined).split("::").map(|name| walker.facts.atom(name)).collect();
    walker.in_extension(parts.node, (target, &names), None, |walker| _ = walker.visit(body, Role::Read));
    Some(())
}

/// Visits groups of tests, tests, and tasks.
fn test_or_task<'a>(
    walker: &mut Walker<'a>,
    parts: Parts<'a>,
    name: &'a str,
    arguments: &[Node<'a>],
) -> Option<ExprId> {
    if walker.is_test && MEMOIZED.contains(&name) {
        let named = arguments.first().and_then(|first| Some((literal(walker, *first)?, *first)));
        let named = named.or(name.starts_with("subject").then_some(("subject", parts.method)))?;
        block_function(walker, parts, named, parts.block?, Flags { is_test: true, ..Flags::default() });
        return Some(walker.unknown);
    }
    let first = *arguments.first()?;
    if walker.is_test && GROUPS.contains(&name) {
        let block = parts.block?;
        let described =
            matches!(first.kind(), "constant" | "scope_resolution").then(|| walker.text_of(first).to_owned());
        let outer = described.and_then(|class| walker.state::<FileState>().described_class.replace(class));
        arguments.iter().for_each(|argument| _ = walker.visit(*argument, Role::Read));
        let title = literal(walker, first).unwrap_or_else(|| walker.text_of(first));
        let title = walker.facts.atom(title);
        walker.scope_names.push(title);
        walker.visit(block, Role::Read);
        walker.scope_names.pop();
        if outer.is_some() {
            walker.state::<FileState>().described_class = outer;
        }
        return Some(walker.unknown);
    }
    // `task name: :other` has its name in a pair.
    let named = if first.kind() == "pair" { walker.field(first, "key")? } else { first };
    let text = literal(walker, named).filter(|text| !text.is_empty())?;
    if walker.is_test && EXAMPLES.contains(&name) {
        let flags = Flags { is_test: true, ..Flags::default() };
        block_function(walker, parts, (text, first), parts.block?, flags);
    } else if name == "task" && walker.context.container == Container::Module {
        block_function(walker, parts, (text, first), parts.block?, Flags::default());
    } else {
        return None;
    }
    Some(walker.unknown)
}

/// Adds a function whose body is a block. Returns it.
pub fn block_function<'a>(
    walker: &mut Walker<'a>,
    parts: Parts<'a>,
    (name, name_node): (&str, Node<'a>),
    block: Node<'a>,
    flags: Flags,
) -> DefId {
    let is_member = walker.context.container != Container::Module;
    let kind = if is_member { SymbolKind::Method } else { SymbolKind::Function };
    let definition = walker.new_definition(name, kind, parts.node, name_node);
    let head = walker.text.get(parts.node.start_byte()..block.start_byte()).unwrap_or_default();
    let signature = head.split_whitespace().collect::<Vec<_>>().join(" ");
    let is_test = flags.is_test || definition.flags.is_test;
    let definition = Definition { signature, flags: Flags { is_test, ..flags }, ..definition };
    match walker.pattern(block) {
        Some(pattern) => {
            let id = walker.open_function(block, pattern, definition, &[]);
            walker.facts.definition_mut(id).flags.is_abstract = false;
            id
        }
        None => walker.define(definition, None),
    }
}

fn own_static(walker: &Walker<'_>) -> bool {
    match walker.context.container {
        Container::Definition(id) => walker.facts.definition(id).flags.is_static,
        _ => false,
    }
}

/// Makes the methods that follow in a module callable on it.
pub fn make_static(walker: &mut Walker<'_>) {
    if let Container::Definition(id) = walker.context.container {
        walker.facts.definition_mut(id).flags.is_static = true;
    }
}

fn bases<'a>(walker: &mut Walker<'a>, owner: DefId, arguments: &[Node<'a>], relation: BaseRelation) {
    for argument in arguments.iter().filter(|node| matches!(node.kind(), "constant" | "scope_resolution")) {
        let expr = walker.type_expr(*argument, None);
        walker.facts.definition_mut(owner).bases.push(Base { expr, relation });
        if relation != BaseRelation::Extends {
            // By this name the module finds the types that have its methods.
            let name = walker.text_of(*argument).rsplit("::").next().unwrap_or_default();
            let name = walker.facts.atom(&mixed_into(name, relation == BaseRelation::OfType));
            walker.facts.bind(ScopeId(0), name, argument.start_byte() as u32, BindingKind::Definition(owner));
        }
    }
}

/// Returns the name to which the types are bound that include a module, or extend themselves by it.
pub fn mixed_into(module: &str, is_static: bool) -> String {
    format!("{} {module}", if is_static { "extend" } else { "include" })
}

/// Adds a method that returns `value`. Returns it.
pub fn accessor<'a>(
    walker: &mut Walker<'a>,
    owner: DefId,
    node: Node<'a>,
    (name, name_node): (&str, Node<'a>),
    value: ExprId,
) -> DefId {
    let scope = walker.context.scope;
    let mut definition = walker.new_definition(name, SymbolKind::Method, node, name_node);
    definition.flags.is_static = own_static(walker);
    definition.returns = [value].into();
    definition.scope = scope;
    member(walker, owner, definition)
}

fn attributes<'a>(walker: &mut Walker<'a>, owner: DefId, node: Node<'a>, arguments: &[Node<'a>], is_writer: bool) {
    for argument in arguments {
        let Some(name) = literal(walker, *argument) else { continue };
        let base = walker.facts.expr(if own_static(walker) { Expr::ReceiverType } else { Expr::Receiver });
        let value = walker.facts.member(base, &format!("@{name}"));
        let full = if is_writer { format!("{name}=") } else { name.to_owned() };
        accessor(walker, owner, node, (&full, *argument), value);
    }
}

/// Visits `alias new old`.
pub fn alias<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let (Some(new), Some(old)) = (walker.field(node, "name"), walker.field(node, "alias")) else {
        return walker.unknown;
    };
    if let Container::Definition(owner) = walker.context.container {
        let name = walker.text_of(new).trim_start_matches(':');
        let old = walker.text_of(old).trim_start_matches(':');
        other_name(walker, owner, node, (name, new), old);
    }
    walker.unknown
}

fn other_name<'a>(walker: &mut Walker<'a>, owner: DefId, node: Node<'a>, new: (&str, Node<'a>), old: &str) {
    let base = walker.facts.expr(if own_static(walker) { Expr::ReceiverType } else { Expr::Receiver });
    let callee = walker.facts.member(base, old);
    let value = walker.facts.expr(Expr::Call { callee, args: Vec::new() });
    let id = accessor(walker, owner, node, new, value);
    let definition = walker.facts.definition_mut(id);
    (definition.flags.is_alias, definition.value) = (true, Some(callee));
    refer_from(walker, id, callee, node, Role::Read);
}

/// Adds a reference of a method that a declaration adds.
fn refer_from(walker: &mut Walker<'_>, source: DefId, expr: ExprId, node: Node<'_>, role: Role) {
    let (scope, position) = (walker.context.scope, node.start_byte() as u32);
    walker.facts.refer(Reference { expr, scope, position, role, source: Some(source) });
}

/// Adds the methods of `delegate :a, to: :b` and `def_delegators :@b, :a`.
fn delegates<'a>(walker: &mut Walker<'a>, owner: DefId, parts: Parts<'a>, arguments: &[Node<'a>]) {
    let is_rails = walker.text_of(parts.method) == "delegate";
    let target = if is_rails { option(walker, arguments, "to") } else { arguments.first().copied() };
    let prefix = option(walker, arguments, "prefix").filter(|_| is_rails);
    let Some(target) = target.and_then(|target| literal(walker, target)) else { return };
    let names = if is_rails { arguments } else { &arguments[1..] };
    for name_node in names {
        let Some(name) = literal(walker, *name_node) else { continue };
        let base = walker.facts.expr(Expr::Receiver);
        let mut object = walker.facts.member(base, target);
        if !target.starts_with('@') {
            object = walker.facts.expr(Expr::Call { callee: object, args: Vec::new() });
        }
        let callee = walker.facts.member(object, name);
        let value = walker.facts.expr(Expr::Call { callee, args: Vec::new() });
        // With `prefix: true`, the name begins with that of the target.
        let own = match prefix.map(|prefix| literal(walker, prefix).unwrap_or(target)) {
            Some(prefix) => format!("{prefix}_{name}"),
            None => name.to_owned(),
        };
        let id = accessor(walker, owner, parts.node, (&own, *name_node), value);
        refer_from(walker, id, callee, *name_node, Role::Call);
    }
}

/// Adds references to the methods that a declaration names by symbols: `before_action :load`, `validate :name, if: :new?`.
fn callbacks<'a>(walker: &mut Walker<'a>, name: &str, arguments: &[Node<'a>]) {
    let is_callback =
        ["before_", "after_", "around_", "append_", "prepend_"].iter().any(|start| name.starts_with(start))
            || matches!(name, "validate" | "helper_method" | "rescue_from" | "set_callback");
    for argument in arguments {
        let value = match argument.kind() {
            "pair" => {
                let key = walker.field(*argument, "key").map_or("", |key| walker.text_of(key));
                let is_method = matches!(key.trim_start_matches(':'), "if" | "unless" | "with");
                walker.field(*argument, "value").filter(|_| is_method)
            }
            _ => Some(*argument).filter(|_| is_callback),
        };
        let Some(value) = value.filter(|value| value.kind() == "simple_symbol") else { continue };
        let base = walker.facts.expr(Expr::Receiver);
        let method = walker.facts.member(base, &walker.text_of(value)[1..]);
        walker.refer(method, value, Role::Read);
    }
}

/// Visits `A = value`: a constant, or a class if the value is a new one.
pub fn constant<'a>(walker: &mut Walker<'a>, node: Node<'a>, left: Node<'a>, right: Node<'a>) -> ExprId {
    if let Some(created) = created_class(walker, right) {
        return class_constant(walker, node, left, created);
    }
    let mut definition = walker.new_definition(walker.text_of(left), SymbolKind::Const, node, left);
    let value = walker.visit(right, Role::Read);
    definition.value = Some(value).filter(|value| *value != walker.unknown);
    walker.define(definition, Some(right.start_byte()));
    value
}

/// A call that creates a class: `Struct.new(:a)`, `Data.define(:a)`, `Class.new(Base)`.
struct Created<'a> {
    factory: &'a str,
    arguments: Vec<Node<'a>>,
    block: Option<Node<'a>>,
}

fn created_class<'a>(walker: &mut Walker<'a>, call: Node<'a>) -> Option<Created<'a>> {
    let (object, method) = (walker.field(call, "receiver")?, walker.field(call, "method")?);
    let factory = walker.text_of(object);
    let is_meant =
        matches!((factory, walker.text_of(method)), ("Struct" | "Class" | "Module", "new") | ("Data", "define"));
    let arguments = walker.field(call, "arguments").map_or(Vec::new(), |list| walker.children(list));
    is_meant.then(|| Created { factory, arguments, block: walker.field(call, "block") })
}

fn class_constant<'a>(walker: &mut Walker<'a>, node: Node<'a>, left: Node<'a>, created: Created<'a>) -> ExprId {
    let mut definition = walker.new_definition(walker.text_of(left), SymbolKind::Type, node, left);
    definition.scope = walker.open_scope(ScopeKind::Block, None);
    let id = walker.define(definition, created.block.map(|block| block.start_byte()));
    let header = walker.facts.definition(id).scope;
    let saved = walker.enter(id, header, Container::Definition(id));
    walker.context.is_local = false;
    if created.factory == "Class" {
        bases(walker, id, &created.arguments, BaseRelation::Extends);
    }
    walker.context.scope = walker.open_scope(ScopeKind::Type, Some(id));
    if matches!(created.factory, "Struct" | "Data") {
        components(walker, id, &created.arguments);
    }
    if let Some(body) = created.block.and_then(|block| walker.field(block, "body")) {
        walker.visit(body, Role::Read);
    }
    walker.leave(saved);
    walker.unknown
}

/// Adds the fields that a struct is created with.
fn components<'a>(walker: &mut Walker<'a>, owner: DefId, arguments: &[Node<'a>]) {
    for argument in arguments {
        if let Some(name) = literal(walker, *argument) {
            let definition = walker.new_definition(name, SymbolKind::Field, *argument, *argument);
            member(walker, owner, definition);
        }
    }
}

/// Visits a call in the place of a base: `class Point < Struct.new(:x, :y)`.
pub fn base_call<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    match (created_class(walker, node), walker.context.container) {
        (Some(created), Container::Definition(owner)) if created.factory != "Class" => {
            components(walker, owner, &created.arguments);
            walker.unknown
        }
        _ => walker.visit(node, Role::Read),
    }
}
