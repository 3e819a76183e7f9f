//! Functions and classes.

use tree_sitter::Node;

use super::docs;
use super::parameters::{bind_type_parameters, bind_type_variables, parameters};
use super::signals;
use super::state::{
    Frame, State, define, enclosing_class, first_child, frame, is_test_function, last_name, new_definition,
};
use super::types::base_class;
use crate::facts::{Atom, Base, BaseRelation, Container, DefId, Expr, ExprId, Role, ScopeKind};
use crate::lang::common::patterns::Part;
use crate::lang::common::walker::{Context, Walker};
use crate::model::SymbolKind;

/// Adds a function or class, with its decorators if `node` has them.
pub fn definition<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let Some(pattern) = walker.pattern(node) else { return walker.unknown };
    let decorators = walker.parts(node, pattern, Part::Decorator);
    let inner = walker.part(node, pattern, Part::Value).unwrap_or(node);
    match inner.kind() {
        "function_definition" => define_function(walker, inner, node, &decorators),
        "class_definition" => define_class(walker, inner, node, &decorators),
        _ => {}
    }
    walker.unknown
}

/// Defines a function; `outer` is the node that includes its decorators.
fn define_function<'a>(walker: &mut Walker<'a>, node: Node<'a>, outer: Node<'a>, decorators: &[Node<'a>]) {
    let Some(pattern) = walker.pattern(node) else { return };
    let Some(name_node) = walker.part(node, pattern, Part::Name) else { return };
    let (name, class) = (walker.text_of(name_node), enclosing_class(walker));
    let names: Vec<&str> = decorators.iter().map(|decorator| decorator_name(walker, *decorator)).collect();
    let has = |name: &str| names.contains(&name);
    let body = walker.part(node, pattern, Part::Body);
    let kind = if class.is_some() { SymbolKind::Method } else { SymbolKind::Function };
    let mut definition = new_definition(walker, name_node, kind, outer);
    definition.signature = header(walker, node, body);
    definition.doc = body.and_then(|body| docs::docstring(walker, body)).unwrap_or_default();
    names.iter().for_each(|name| (walker.dialect.modifier)(name, &mut definition.flags));
    definition.flags.is_async = node.child(0).is_some_and(|child| child.kind() == "async");
    definition.flags.is_test |= class.is_none() && is_test_function(name);
    let (atom, is_static) = (definition.name, has("staticmethod"));
    let id = define(walker, definition, name_node);
    visit_decorators(walker, id, decorators);

    let scope = walker.open_scope(ScopeKind::Function, Some(id));
    walker.facts.definition_mut(id).scope = scope;
    let mut returns = Vec::new();
    let inner = in_definition(walker, id, |walker| {
        frame(walker).has_fixture_parameters = walker.is_test && (has("fixture") || is_test_function(name));
        bind_type_parameters(walker, node, id, scope);
        let is_class_method =
            has("classmethod") || matches!(name, "__new__" | "__init_subclass__" | "__class_getitem__");
        if let Some(list) = walker.part(node, pattern, Part::Parameters) {
            parameters(walker, list, (id, scope), class.filter(|_| !is_static), is_class_method);
        }
        let result = walker.part(node, pattern, Part::Result);
        let result = result.map(|result| walker.type_expr(result, Some(Role::Type)));
        walker.facts.definition_mut(id).result = result;
        bind_type_variables(walker, id, scope);
        (walker.context.scope, walker.context.is_local) = (scope, true);
        walker.scope_names.push(atom);
        returns = walker.collect_returns(|walker| body.into_iter().for_each(|body| _ = walker.visit(body, Role::Read)));
        walker.scope_names.pop();
    });
    let wrapper = match has("contextmanager") || has("asynccontextmanager") {
        _ if has("fixture") => Wrapper::Fixture,
        true => Wrapper::ContextManager,
        false => Wrapper::None,
    };
    set_result(walker, id, inner, returns, wrapper);
}

/// Returns the last name of a decorator.
fn decorator_name<'a>(walker: &mut Walker<'a>, decorator: Node<'a>) -> &'a str {
    first_child(walker, decorator).map_or("", |node| last_name(walker, node))
}

/// Runs `walk` in a new definition, whose references and words are its own. Returns the state of its body.
fn in_definition<'a>(walker: &mut Walker<'a>, id: DefId, walk: impl FnOnce(&mut Walker<'a>)) -> Frame {
    let (context, flow) = (walker.context, std::mem::take(&mut walker.flow));
    walker.context = Context { source: Some(id), parent: Some(id), container: Container::Module, ..context };
    let state = walker.state::<State>();
    let (receiver, class) = (state.frame.receiver, state.frame.class);
    let outer = std::mem::replace(&mut state.frame, Frame { receiver, class, ..Frame::default() });
    let variables = std::mem::take(&mut state.used_type_variables);
    let bound = state.bound_type_variables.len();
    if let Some((name, receiver)) = receiver {
        walker.flow.locals.set(name, receiver);
    }
    walk(walker);
    (walker.context, walker.flow) = (context, flow);
    let state = walker.state::<State>();
    state.used_type_variables = variables;
    state.bound_type_variables.truncate(bound);
    std::mem::replace(&mut state.frame, outer)
}

/// The kind of value that a decorator makes of those that a function yields.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wrapper {
    None,
    ContextManager,
    Fixture,
}

/// Sets a function's result from its annotation or from returned and yielded values.
fn set_result(walker: &mut Walker<'_>, id: DefId, frame: Frame, returns: Vec<ExprId>, wrapper: Wrapper) {
    let declared = walker.facts.definition(id).result;
    let is_fixture = wrapper == Wrapper::Fixture;
    if wrapper == Wrapper::ContextManager || (is_fixture && frame.is_generator) {
        let yielded = match declared.map(|result| walker.facts.get(result)) {
            Some(Expr::Apply { args, .. } | Expr::Builtin { args, .. }) => args.first().copied(),
            Some(_) => None,
            None => Some(walker.union(frame.yields)),
        };
        // A fixture's value is what it yields.
        let result = match yielded.filter(|_| is_fixture) {
            Some(yielded) => yielded,
            None => walker.facts.builtin("ContextManager", yielded.into_iter().collect()),
        };
        let definition = walker.facts.definition_mut(id);
        match declared {
            Some(_) => definition.result = Some(result),
            None => definition.returns = [result].into(),
        }
    } else if declared.is_none() {
        let returns = if frame.is_generator {
            let yielded = walker.union(frame.yields);
            let is_async = walker.facts.definition(id).flags.is_async;
            vec![walker.facts.builtin(if is_async { "AsyncGenerator" } else { "Generator" }, vec![yielded])]
        } else {
            returns
        };
        walker.facts.definition_mut(id).returns = returns.into();
    }
}

/// Returns the source of a function or class up to its body, on one line.
fn header(walker: &Walker<'_>, node: Node<'_>, body: Option<Node<'_>>) -> String {
    let end = body.map_or(node.end_byte(), |body| body.start_byte());
    let text = walker.text.get(node.start_byte()..end).unwrap_or("");
    // Comments between the colon and the body are dropped.
    let mut header = docs::single_line(text.lines().map(|line| line.split(" #").next().unwrap_or("")));
    header.truncate(header.trim_end_matches([':', ' ']).len());
    header
}

/// Visits decorators as references of the decorated definition.
fn visit_decorators<'a>(walker: &mut Walker<'a>, id: DefId, decorators: &[Node<'a>]) {
    let outer = walker.context;
    (walker.context.source, walker.context.parent) = (Some(id), Some(id));
    for decorator in decorators {
        let Some(expression) = first_child(walker, *decorator) else { continue };
        let is_accessor = matches!(last_name(walker, expression), "setter" | "deleter" | "getter");
        match walker.pattern(expression).filter(|_| expression.kind() == "call") {
            Some(pattern) => {
                signals::decorator(walker, expression);
                let function = walker.part(expression, pattern, Part::Function);
                let callee = function.map_or(walker.unknown, |function| walker.visit(function, Role::Decorator));
                let arguments = walker.argument_nodes(expression, pattern);
                walker.arguments(callee, &arguments);
            }
            None if is_accessor => {}
            None => _ = walker.visit(expression, Role::Decorator),
        }
    }
    walker.context = outer;
}

/// Defines a class; `outer` is the node that includes its decorators.
fn define_class<'a>(walker: &mut Walker<'a>, node: Node<'a>, outer: Node<'a>, decorators: &[Node<'a>]) {
    let Some(pattern) = walker.pattern(node) else { return };
    let Some(name_node) = walker.part(node, pattern, Part::Name) else { return };
    let body = walker.part(node, pattern, Part::Body);
    let bases = walker.part(node, pattern, Part::Extends).map_or(Vec::new(), |list| walker.children(list));
    let names: Vec<&str> = bases.iter().map(|base| last_name(walker, *base)).collect();
    let kind = if names.contains(&"Protocol") { SymbolKind::Interface } else { SymbolKind::Type };
    let mut definition = new_definition(walker, name_node, kind, outer);
    definition.signature = header(walker, node, body);
    definition.doc = body.and_then(|body| docs::docstring(walker, body)).unwrap_or_default();
    let functions = body.map_or(Vec::new(), |body| function_names(walker, body));
    let is_named = walker.text_of(name_node).starts_with("Test") || names.iter().any(|name| name.ends_with("TestCase"));
    let has_tests = functions.iter().any(|function| is_test_function(walker.facts.text(*function)));
    let is_test = walker.is_test || is_named && has_tests;
    definition.flags.is_test = is_test;
    let name = definition.name;
    let id = define(walker, definition, name_node);
    walker.state::<State>().methods.extend(functions.into_iter().map(|function| (id, function)));
    visit_decorators(walker, id, decorators);

    let scope = walker.open_scope(ScopeKind::Type, Some(id));
    let outer_test = std::mem::replace(&mut walker.is_test, is_test);
    in_definition(walker, id, |walker| {
        *frame(walker) = Frame::default();
        walker.flow = Default::default();
        bind_type_parameters(walker, node, id, scope);
        bases.iter().for_each(|base| add_base(walker, *base, id));
        walker.facts.definition_mut(id).scope = scope;
        bind_type_variables(walker, id, scope);
        (walker.context.scope, walker.context.container) = (scope, Container::Definition(id));
        walker.scope_names.push(name);
        body.into_iter().for_each(|body| _ = walker.visit(body, Role::Read));
        walker.scope_names.pop();
    });
    walker.is_test = outer_test;
    if names.contains(&"NamedTuple") {
        set_parts(walker, id);
    }
    if bases.iter().zip(names).any(|(base, name)| base.kind() != "keyword_argument" && is_enumeration(name)) {
        mark_variants(walker, id);
    }
}

/// Adds a base of a class, or visits what is none.
fn add_base<'a>(walker: &mut Walker<'a>, node: Node<'a>, id: DefId) {
    match node.kind() {
        "keyword_argument" => _ = walker.visit(node, Role::Type),
        "list_splat" | "dictionary_splat" => _ = walker.visit(node, Role::Read),
        _ => {
            let expr = base_class(walker, node);
            walker.facts.definition_mut(id).bases.push(Base { expr, relation: BaseRelation::Extends });
        }
    }
}

/// Returns whether a base makes a class an enumeration, by its name.
fn is_enumeration(base: &str) -> bool {
    matches!(base, "Enum" | "Flag" | "Choices")
        || ["Enum", "Flag", "Choices"].iter().any(|end| base.len() > end.len() && base.ends_with(end))
}

/// Sets what a value of a named tuple is unpacked to: its fields.
fn set_parts(walker: &mut Walker<'_>, id: DefId) {
    let inside = walker.facts.definitions()[id.index() + 1..].iter();
    let parts = inside.filter(|field| field.container == Container::Definition(id)).filter_map(|one| one.value_type);
    let parts: Vec<ExprId> = parts.collect();
    let parts = walker.facts.expr(Expr::Tuple(parts));
    walker.facts.definition_mut(id).value_type = Some(parts);
}

/// Marks the plain assignments in an enumeration's body as variants.
fn mark_variants(walker: &mut Walker<'_>, id: DefId) {
    for (_, &member) in walker.members.iter().filter(|((class, _), _)| *class == id) {
        let name = walker.facts.definition(member).name;
        let is_private = walker.facts.text(name).starts_with('_');
        let definition = walker.facts.definition_mut(member);
        if definition.value_type.is_none() && definition.value_scope.is_none() && !is_private {
            definition.flags.is_variant = true;
        }
    }
}

/// Returns the names of the functions directly in a class body.
fn function_names<'a>(walker: &mut Walker<'a>, body: Node<'a>) -> Vec<Atom> {
    let mut names = Vec::new();
    for child in walker.children(body) {
        let inner =
            if child.kind() == "decorated_definition" { walker.part_of(child, Part::Value) } else { Some(child) };
        let function = inner.filter(|inner| inner.kind() == "function_definition");
        if let Some(name) = function.and_then(|function| walker.part_of(function, Part::Name)) {
            names.push(walker.atom_of(name));
        }
    }
    names
}

/// Defines a function for `name = lambda …`.
pub fn lambda_definition<'a>(walker: &mut Walker<'a>, name_node: Node<'a>, lambda: Node<'a>, statement: Node<'a>) {
    let class = enclosing_class(walker);
    let kind = if class.is_some() { SymbolKind::Method } else { SymbolKind::Function };
    let body = walker.part_of(lambda, Part::Body);
    let mut definition = new_definition(walker, name_node, kind, statement);
    definition.signature = header(walker, statement, body);
    let id = define(walker, definition, name_node);
    let scope = walker.open_scope(ScopeKind::Function, Some(id));
    walker.facts.definition_mut(id).scope = scope;
    in_definition(walker, id, |walker| {
        if let Some(list) = walker.part_of(lambda, Part::Parameters) {
            parameters(walker, list, (id, scope), class, false);
        }
        (walker.context.scope, walker.context.is_local) = (scope, true);
        let result = body.map(|body| walker.visit(body, Role::Read));
        walker.facts.definition_mut(id).returns = result.into_iter().collect();
    });
}
