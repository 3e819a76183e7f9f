//! Scala's packages, imports, patterns and infix calls, which no pattern can describe.

use tree_sitter::Node;

use crate::facts::{
    ArgumentCount, Base, BaseRelation, Container, DefId, Expr, ExprId, ImportName, Parameter, Role, ScopeKind,
};
use crate::lang::common::patterns::Part;
use crate::lang::common::walker::Walker;
use crate::lang::common::{Hook, light};
use crate::model::SymbolKind;

/// The hooks by their names in `scala.scm`.
pub const HOOKS: &[(&str, Hook)] = &[
    ("assignment", assignment),
    ("case_class", case_class),
    ("case_block", case_block),
    ("class", class),
    ("enum_case", enum_case),
    ("enumerator", enumerator),
    ("extension", extension),
    ("function", function_or_type),
    ("import", import),
    ("infix", infix),
    ("package", package),
    ("path", light::path_type),
    ("placeholder", placeholder),
    ("prefix", prefix),
    ("self_type", self_type),
    ("typed", typed),
];

/// Reads `package a.b`; several clauses are one path.
fn package<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let siblings = node.parent().map(|outer| walker.children(outer)).unwrap_or_default();
    let clauses =
        siblings.into_iter().filter(|other| other.kind() == node.kind() && other.start_byte() <= node.start_byte());
    let names: Vec<&str> =
        clauses.filter_map(|clause| walker.field(clause, "name")).map(|name| walker.text_of(name)).collect();
    let name = names.join(".");
    walker.facts.package(&name);
    if let Some(body) = walker.field(node, "body") {
        walker.visit_children(body);
    }
    walker.unknown
}

/// Adds `import a.b.C`, `import a.b._` and `import a.b.{C, D => E}`.
fn import<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let mut path: Vec<Node<'a>> = Vec::new();
    let mut children = walker.all_children(node);
    children.extend(children.last().copied().filter(|last| last.kind() != "namespace_selectors"));
    let last = children.len().saturating_sub(1);
    for (number, child) in children.into_iter().enumerate() {
        match child.kind() {
            "identifier" | "operator_identifier" if number < last => path.push(child),
            "namespace_selectors" => {
                for selector in walker.children(child) {
                    let name = walker.field(selector, "name").unwrap_or(selector);
                    let alias = walker.field(selector, "alias").unwrap_or(name);
                    add_import(walker, &path, Some((name, alias)), selector);
                }
                path.clear();
            }
            "namespace_wildcard" if !path.is_empty() => {
                add_import(walker, &path, None, child);
                path.clear();
            }
            _ if (child.kind() == "," || number == last) && !path.is_empty() => {
                if let Some(name) = path.pop() {
                    add_import(walker, &path, Some((name, name)), name);
                }
                path.clear();
            }
            _ => {}
        }
    }
    walker.unknown
}

fn add_import<'a>(walker: &mut Walker<'a>, path: &[Node<'a>], name: Option<(Node<'a>, Node<'a>)>, at: Node<'a>) {
    let mut segments: Vec<&str> = path.iter().map(|segment| walker.text_of(*segment)).collect();
    match name.filter(|(name, _)| !matches!(walker.text_of(*name), "_" | "*")) {
        Some((name, alias)) => {
            segments.push(walker.text_of(name));
            let bound = walker.atom_of(alias);
            walker.import(at, &segments, ImportName::Module, &[bound]);
        }
        None => _ = walker.import(at, &segments, ImportName::All, &[]),
    }
}

/// Adds a function; one without parameters is read like a field.
fn function<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let Some(pattern) = walker.pattern(node) else { return walker.unknown };
    let Some(name) = walker.part(node, pattern, Part::Name) else { return walker.unknown };
    let is_member = walker.context.container != Container::Module;
    let kind = if is_member { SymbolKind::Method } else { SymbolKind::Function };
    let (mut definition, decorators) = walker.header(node, pattern, name, kind);
    // Its type parameters are no parameters.
    definition.flags.is_property = !walker.children(node).iter().any(|child| child.kind() == "parameters");
    walker.open_function(node, pattern, definition, &decorators);
    walker.unknown
}

/// Sets the number of arguments of a parameter: those of a second list belong to another call, or are implicit.
pub fn parameter(walker: &mut Walker<'_>, node: Node<'_>, parameter: &mut Parameter) {
    let list = node.parent().filter(|list| list.kind() == "parameters");
    if list.and_then(|list| list.prev_sibling()).is_some_and(|before| before.kind() == "parameters") {
        parameter.arguments = ArgumentCount::Optional;
    }
    if walker.text_of(node).ends_with('*') {
        parameter.arguments = ArgumentCount::Any;
    }
}

fn enum_case<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    if let Some(name) = walker.field(node, "name") {
        let mut definition = walker.new_definition(walker.text_of(name), SymbolKind::Field, node, name);
        definition.flags.is_variant = true;
        walker.define(definition, None);
    }
    walker.unknown
}

/// Binds the name of `a <- b` in the scope of the loop.
fn enumerator<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let children = walker.children(node);
    if children.first().is_some_and(|first| first.kind() == "guard") {
        walker.visit_children(node);
    } else if let (Some(&name), Some(&value)) = (children.first(), children.get(1)) {
        let value = walker.visit(value, Role::Read);
        let loops = std::iter::successors(node.parent(), Node::parent).find(|outer| outer.kind() == "for_expression");
        let yields = loops.is_some_and(|outer| walker.has_token(outer, "yield"));
        let methods: &[&str] = if yields { &["map", "flatMap"] } else { &["foreach"] };
        walker.implied_call(value, methods, &[], node);
        if name.kind() == "identifier" {
            let element = walker.facts.expr(Expr::Element(value));
            let atom = walker.atom_of(name);
            walker.bind_local(atom, node, None, Some(element));
        }
        children.into_iter().skip(2).for_each(|guard| _ = walker.visit(guard, Role::Read));
    }
    walker.unknown
}

/// Visits `T(a, b)` in a pattern: a use of the type, and names.
fn case_class<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    for child in walker.children(node) {
        let is_name = walker.text_of(child).starts_with(|first: char| first.is_ascii_lowercase());
        if Some(child) == walker.field(node, "type") {
            walker.type_expr(child, Some(Role::Type));
        } else if child.kind() == "identifier" && is_name {
            let atom = walker.atom_of(child);
            walker.bind_local(atom, child, None, None);
        } else {
            walker.visit(child, Role::Read);
        }
    }
    walker.unknown
}

/// Visits `a = b`, and `a(b) = c`, a call of `update` of `a`.
fn assignment<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let Some(pattern) = walker.pattern(node) else { return walker.unknown };
    let call = walker.field(node, "left").filter(|left| left.kind() == "call_expression");
    let Some((call, function)) = call.and_then(|call| Some((call, walker.field(call, "function")?))) else {
        return walker.assignment(node, pattern);
    };
    let base = walker.visit(function, Role::Read);
    let list = walker.field(call, "arguments").map(|list| walker.children(list)).unwrap_or_default();
    let mut args: Vec<ExprId> = list.into_iter().map(|argument| walker.visit(argument, Role::Read)).collect();
    args.extend(walker.field(node, "right").map(|right| walker.visit(right, Role::Read)));
    walker.implied_call(base, &["update"], &args, node)
}

/// Visits `self: A with B =>`: values of the type around are those of the types, too, and have the name.
fn self_type<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let Container::Definition(owner) = walker.context.container else { return walker.unknown };
    let children = walker.children(node);
    let Some((name, types)) = children.split_first() else { return walker.unknown };
    for known in types {
        let parts = if known.kind() == "compound_type" { walker.children(*known) } else { vec![*known] };
        for part in parts.into_iter().filter(|part| part.kind() != "refinement") {
            let expr = walker.type_expr(part, Some(Role::Type));
            walker.facts.definition_mut(owner).bases.push(Base { expr, relation: BaseRelation::SelfType });
        }
    }
    if walker.text_of(*name) != "this" {
        // Of what the scope of a type binds, code in its members sees only members.
        walker.context.scope = walker.open_scope(ScopeKind::Block, None);
        let own = walker.facts.expr(Expr::Receiver);
        let atom = walker.atom_of(*name);
        walker.bind_local(atom, *name, None, Some(own));
    }
    walker.unknown
}

/// Binds the name of `a: T` in a pattern.
fn typed<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let Some(pattern) = walker.pattern(node) else { return walker.unknown };
    let value_type = walker.declared_type(node, pattern);
    if let Some(name) = walker.part(node, pattern, Part::Name) {
        let atom = walker.atom_of(name);
        walker.bind_local(atom, name, value_type, None);
    }
    walker.unknown
}

/// Visits `-a` and `!a`.
fn prefix<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let mut value = walker.unknown;
    for child in walker.children(node) {
        value = walker.visit(child, Role::Read);
    }
    let symbol = node.child(0).map_or("", |first| walker.text_of(first));
    walker.implied_call(value, &[&format!("unary_{symbol}")], &[], node)
}

/// Adds a function, or returns a function's type: `A => B`.
fn function_or_type<'a>(walker: &mut Walker<'a>, node: Node<'a>, role: Role) -> ExprId {
    if node.kind() != "function_type" {
        return function(walker, node, role);
    }
    let list = walker.field(node, "parameter_types").map(|list| walker.children(list)).unwrap_or_default();
    let params = list.into_iter().map(|known| walker.type_expr(known, Some(Role::Type))).collect();
    let result = walker.field(node, "return_type").map(|result| walker.type_expr(result, Some(Role::Type)));
    walker.facts.expr(Expr::Function { params, result })
}

/// Visits the cases of a match, or of a function that is an argument: `list.map { case (a, b) => a }`.
fn case_block<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let is_of_call = |outer: Node<'a>| matches!(outer.kind(), "arguments" | "call_expression" | "infix_expression");
    let is_argument = node.parent().is_some_and(is_of_call);
    let argument = walker.context.argument.take().filter(|_| is_argument);
    for clause in walker.children(node) {
        walker.in_scope(ScopeKind::Block, |walker| {
            if let (Some((call, argument)), Some(pattern)) = (argument, walker.field(clause, "pattern")) {
                let value = walker.facts.expr(Expr::LambdaParameter { call, argument, parameter: 0 });
                match pattern.kind() {
                    "tuple_pattern" => walker.bind_parts(pattern, value),
                    "identifier" => {
                        let atom = walker.atom_of(pattern);
                        walker.bind_local(atom, pattern, None, Some(value));
                    }
                    _ => {}
                }
            }
            walker.visit(clause, Role::Read);
        });
    }
    walker.context.argument = argument;
    walker.unknown
}

/// Returns the value of `_` in an argument, which makes a function of it: `list.map(_.name)`.
fn placeholder<'a>(walker: &mut Walker<'a>, _node: Node<'a>, _role: Role) -> ExprId {
    let Some((call, argument)) = walker.context.argument else { return walker.unknown };
    walker.facts.expr(Expr::LambdaParameter { call, argument, parameter: 0 })
}

/// Adds an implicit class: its methods extend the type of its parameter.
fn class<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let Some(pattern) = walker.pattern(node) else { return walker.unknown };
    let Some(name) = walker.part(node, pattern, Part::Name) else { return walker.unknown };
    let (definition, decorators) = walker.header(node, pattern, name, SymbolKind::Type);
    let first = walker.facts.definitions().len();
    walker.open_type(node, pattern, definition, &decorators);
    let is_implicit = walker.text.get(node.start_byte()..name.start_byte()).unwrap_or_default().contains("implicit ");
    let extended = walker.part(node, pattern, Part::Parameters).filter(|_| is_implicit);
    let parameter = extended.and_then(|list| walker.children(list).first().copied());
    if let Some(known) = parameter.and_then(|parameter| walker.field(parameter, "type")) {
        extend(walker, node, known, first);
    }
    walker.unknown
}

/// Adds the methods of a class, from the `first` definition on, to a type as members of a block that extends it.
fn extend<'a>(walker: &mut Walker<'a>, node: Node<'a>, known: Node<'a>, first: usize) {
    let target = walker.type_expr(known, None);
    let names = light::type_names(walker, known);
    if names.is_empty() {
        return;
    }
    let owner = DefId::from_index(first);
    let methods = (first + 1..walker.facts.definitions().len()).map(DefId::from_index);
    let own: Vec<DefId> = methods
        .filter(|id| {
            let definition = walker.facts.definition(*id);
            definition.container == Container::Definition(owner) && definition.kind == SymbolKind::Method
        })
        .collect();
    walker.in_extension(node, (target, &names), None, |walker| {
        let container = walker.context.container;
        own.into_iter().for_each(|id| walker.facts.definition_mut(id).container = container);
    });
}

/// Visits `extension (a: T) def f = …`, whose functions are called on values of the type.
fn extension<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let lists = walker.field(node, "parameters");
    let parameter = lists.and_then(|list| walker.children(list).first().copied());
    let (Some(parameter), Some(known)) = (parameter, parameter.and_then(|one| walker.field(one, "type"))) else {
        walker.visit_children(node);
        return walker.unknown;
    };
    let target = walker.type_expr(known, Some(Role::Type));
    let names = light::type_names(walker, known);
    let inner: Vec<Node<'a>> = walker
        .children(node)
        .into_iter()
        .filter(|child| Some(*child) != lists && child.kind() != "type_parameters")
        .collect();
    walker.in_extension(node, (target, &names), None, |walker| {
        if let Some(name) = walker.field(parameter, "name") {
            let atom = walker.atom_of(name);
            walker.bind_local(atom, known, Some(target), None);
        }
        inner.into_iter().for_each(|child| _ = walker.visit(child, Role::Read));
    });
    walker.unknown
}

/// Visits `a f b`, a call if `f` is a name.
fn infix<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let base = walker.field(node, "left").map_or(walker.unknown, |left| walker.visit(left, Role::Read));
    let operator = walker.field(node, "operator");
    let before = walker.context.argument;
    if let Some(name) = operator.filter(|operator| operator.kind() == "identifier") {
        let name = walker.atom_of(name);
        let callee = walker.facts.expr(Expr::Member { base, name });
        let call = walker.facts.expr(Expr::Call { callee, args: Vec::new() });
        walker.context.argument = Some((call, 0));
    }
    let right = walker.field(node, "right").map_or(walker.unknown, |right| walker.visit(right, Role::Read));
    walker.context.argument = before;
    match operator {
        // Operators are methods, mostly of numbers and strings: one that the repository does not define is not unresolved.
        Some(operator) if operator.kind() != "identifier" => {
            let name = walker.text_of(operator);
            let (value, argument) = if name.ends_with(':') { (right, base) } else { (base, right) };
            walker.implied_call(value, &[name], &[argument], operator)
        }
        Some(operator) => {
            let name = walker.atom_of(operator);
            let callee = walker.facts.expr(Expr::Member { base, name });
            let call = walker.facts.expr(Expr::Call { callee, args: vec![right] });
            walker.refer(call, operator, Role::Call);
            call
        }
        None => walker.unknown,
    }
}
