//! Kotlin's imports, types, extensions and properties, which no pattern can describe.

use std::collections::HashSet;

use tree_sitter::Node;

use super::modifiers::modifiers_start;
use crate::facts::{
    ArgumentCount, Atom, BindingKind, Container, DefId, Definition, Expr, ExprId, ImportName, LAMBDA_RECEIVER,
    Parameter, RECEIVER_TYPE_NAME, Role, ScopeId, ScopeKind,
};
use crate::lang::common::docs;
use crate::lang::common::patterns::{Part, Pattern};
use crate::lang::common::walker::Walker;
use crate::lang::common::{Hook, light};
use crate::model::SymbolKind;

/// The hooks by their names in `kotlin.scm`.
pub const HOOKS: &[(&str, Hook)] = &[
    ("accessor", accessor),
    ("assignable", assignable),
    ("assignment", assignment),
    ("callable", callable),
    ("companion", companion),
    ("constructor", constructor),
    ("conditional", conditional),
    ("conjunction", conjunction),
    ("file_annotation", file_annotation),
    ("for", scoped),
    ("function", function_or_type),
    ("import", import),
    ("infix", infix),
    ("indexing", indexing),
    ("jump", jump),
    ("operator", operator),
    ("path", light::path_type),
    ("prefix", prefix),
    ("property", property),
    ("this", this),
    ("type", type_declaration),
    ("variable", variable),
    ("when_entry", when_entry),
];

/// The memory of the hooks in a file.
#[derive(Default)]
struct State {
    /// The property that accessors on lines of their own belong to: the grammar has them as its siblings.
    last_property: Option<DefId>,
    /// The names that statements assign, each on a line of its own, once they are needed.
    assigned: Option<HashSet<String>>,
    /// The names of the properties that the file declares, once they are needed.
    properties: Option<HashSet<String>>,
}

/// Adds `import a.b.C`, `import a.b.*` and `import a.b.c as d`. The name of a type is that of a callee, too.
fn import<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let children = walker.children(node);
    let Some(&path_node) = children.first() else { return walker.unknown };
    let mut path: Vec<&str> = walker.text_of(path_node).split('.').map(str::trim).collect();
    // The members of a companion are those of its type.
    path.retain(|segment| *segment != "Companion");
    let alias = children.get(1).copied();
    if alias.is_some_and(|child| child.kind() == "wildcard_import") {
        walker.import(path_node, &path, ImportName::All, &[]);
    } else {
        let alias = alias.and_then(|alias| walker.children(alias).pop()).map(|alias| walker.text_of(alias));
        let name = alias.or(path.last().copied()).unwrap_or_default();
        let bound = [walker.facts.atom(name), walker.callee_atom(name)];
        match path.split_last() {
            Some((last, owner)) if !owner.is_empty() => {
                let last = walker.facts.atom(last);
                walker.import(path_node, owner, ImportName::Named(last), &bound);
            }
            _ => _ = walker.import(path_node, &path, ImportName::Module, &bound),
        }
    }
    walker.unknown
}

/// Adds the call of the function between two operands.
fn infix<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let children = walker.children(node);
    let &[left, name, right] = children.as_slice() else {
        walker.visit_children(node);
        return walker.unknown;
    };
    let base = walker.visit(left, Role::Read);
    let argument = walker.visit(right, Role::Read);
    let atom = walker.callee_atom(walker.name_text(name));
    let callee = walker.facts.expr(Expr::Member { base, name: atom });
    let call = walker.facts.expr(Expr::Call { callee, args: vec![argument] });
    walker.refer(call, name, Role::Call);
    call
}

/// Operators between two operands with the functions that they call on the first one.
const OPERATORS: &[(&str, &str)] = &[
    ("+", "plus"),
    ("-", "minus"),
    ("*", "times"),
    ("/", "div"),
    ("%", "rem"),
    ("..", "rangeTo"),
    ("..<", "rangeUntil"),
    ("==", "equals"),
    ("!=", "equals"),
    ("<", "compareTo"),
    (">", "compareTo"),
    ("<=", "compareTo"),
    (">=", "compareTo"),
    ("+=", "plusAssign"),
    ("-=", "minusAssign"),
    ("*=", "timesAssign"),
    ("/=", "divAssign"),
];

/// Visits `a + b`, a call of a function of `a`, and `a in b`, one of `b`.
fn operator<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let children = walker.children(node);
    let values: Vec<ExprId> = children.iter().map(|child| walker.visit(*child, Role::Read)).collect();
    let &[left, right] = values.as_slice() else { return walker.union(values) };
    let symbol = children[0].next_sibling().map_or("", |symbol| walker.text_of(symbol));
    match OPERATORS.iter().find(|(known, _)| *known == symbol) {
        // A comparison with `null` does not call `equals`.
        Some((_, "equals")) if children.iter().any(|child| walker.text_of(*child) == "null") => {}
        Some((_, method)) => _ = walker.implied_call(left, &[method], &[right], node),
        None if matches!(symbol, "in" | "!in") => _ = walker.implied_call(right, &["contains"], &[left], node),
        None => {}
    }
    match node.kind() {
        "additive_expression" | "multiplicative_expression" => {
            wider(walker, left, right).unwrap_or_else(|| walker.union(values))
        }
        "equality_expression" | "comparison_expression" | "check_expression" => {
            walker.facts.builtin("kotlin.Boolean", Vec::new())
        }
        _ => walker.unknown,
    }
}

/// Types of numbers, each wider than those before it.
const NUMBERS: &[&str] = &["kotlin.Int", "kotlin.Long", "kotlin.Float", "kotlin.Double"];

/// Returns the operand with the wider type, if both have one of a number: that of the result.
fn wider(walker: &Walker<'_>, left: ExprId, right: ExprId) -> Option<ExprId> {
    let width = |value: ExprId| match walker.facts.get(value) {
        Expr::Builtin { name, .. } => NUMBERS.iter().position(|known| *known == walker.facts.text(*name)),
        _ => None,
    };
    Some(if width(left)? < width(right)? { right } else { left })
}

/// Visits `-a` and `!a`.
fn prefix<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let mut value = walker.unknown;
    for child in walker.children(node) {
        value = walker.visit(child, Role::Read);
    }
    let method = match node.child(0).map_or("", |first| walker.text_of(first)) {
        "-" => "unaryMinus",
        "+" => "unaryPlus",
        "!" => "not",
        "++" => "inc",
        "--" => "dec",
        _ => return value,
    };
    walker.implied_call(value, &[method], &[], node);
    value
}

/// Visits `a[b]`.
fn indexing<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let children = walker.children(node);
    let values: Vec<ExprId> = children.iter().map(|child| walker.visit(*child, Role::Read)).collect();
    let Some((&base, args)) = values.split_first() else { return walker.unknown };
    walker.implied_call(base, &["get"], args, node);
    walker.facts.expr(Expr::Index(base))
}

/// Visits `a = b` and `a += b`.
fn assignment<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let children = walker.children(node);
    let &[left, right] = children.as_slice() else {
        walker.visit_children(node);
        return walker.unknown;
    };
    let value = walker.visit(right, Role::Read);
    let target = walker.visit(left, Role::Write);
    let symbol = left.next_sibling().map_or("", |symbol| walker.text_of(symbol));
    if let Some((_, method)) = OPERATORS.iter().find(|(known, _)| *known == symbol) {
        let plain = method.trim_end_matches("Assign");
        walker.implied_call(target, &[method, plain], &[value], node);
    } else if let Expr::Index(base) = *walker.facts.get(target) {
        walker.implied_call(base, &["set"], &[walker.unknown, value], node);
    }
    value
}

/// Sets the receiver of the blocks of `a.apply {}`, `a.run {}` and `with(a) {}`, and `it` in those of `a.let {}` and
/// `a.also {}`.
pub fn enter_lambda(walker: &mut Walker<'_>, callee: ExprId, arguments: &[ExprId]) {
    // In a lambda with a receiver, the name of a callee can be that of a member.
    let named = match walker.facts.get(callee) {
        Expr::FirstOf(parts) => {
            parts.iter().copied().find(|part| matches!(walker.facts.get(*part), Expr::Name(_))).unwrap_or(callee)
        }
        _ => callee,
    };
    let (value, name) = match (walker.facts.get(named), arguments) {
        (Expr::Member { base, name }, _) => (*base, *name),
        (Expr::Name(name), &[first, ..]) => (first, *name),
        _ => return,
    };
    let is_member = matches!(walker.facts.get(named), Expr::Member { .. });
    match (walker.facts.text(name), is_member) {
        ("apply()" | "run()", true) | ("with()", false) => walker.context.block_receiver = Some(value),
        ("also()" | "let()" | "takeIf()" | "takeUnless()", true) => {
            let it = walker.facts.atom("it");
            walker.flow.locals.push(it, value);
        }
        _ => {
            let call = walker.facts.expr(Expr::Call { callee, args: arguments.to_vec() });
            let argument = arguments.len().saturating_sub(1) as u16;
            let value = walker.facts.expr(Expr::LambdaParameter { call, argument, parameter: 0 });
            let it = walker.facts.atom("it");
            walker.flow.locals.push(it, value);
            let receiver = walker.facts.expr(Expr::LambdaParameter { call, argument, parameter: LAMBDA_RECEIVER });
            add_receiver(walker, receiver);
        }
    }
}

/// Limit of the receivers of the lambdas around a name.
const MAX_RECEIVERS: usize = 4;

/// Makes a value the receiver of a lambda before those around it, if the type of the lambda gives it one.
fn add_receiver(walker: &mut Walker<'_>, receiver: ExprId) {
    let mut receivers = vec![receiver];
    match walker.context.block_receiver.map(|outer| (outer, walker.facts.get(outer))) {
        Some((_, Expr::FirstOf(around))) => {
            let end = around.len() - 1;
            receivers.extend(around[..end].iter().take(MAX_RECEIVERS - 1).chain(&around[end..]));
        }
        Some((outer, _)) => receivers.push(outer),
        None => receivers.push(walker.facts.expr(Expr::Receiver)),
    }
    walker.context.block_receiver = Some(walker.facts.expr(Expr::FirstOf(receivers)));
}

/// Returns whether the file declares a property of a name, whose value a call can run.
pub fn is_property(walker: &mut Walker<'_>, name: &str) -> bool {
    let text = walker.text;
    let read = || {
        let words = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
        let mut words = words.filter(|word| !word.is_empty());
        let mut names = HashSet::new();
        while let Some(word) = words.next() {
            if matches!(word, "val" | "var") {
                names.extend(words.next().map(str::to_owned));
            }
        }
        names
    };
    walker.state::<State>().properties.get_or_insert_with(read).contains(name)
}

/// Binds the name of the class that Java sees with the functions of a file: `@file:JvmName("Strings")`.
fn file_annotation<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let name = walker.text_of(node).split_once("JvmName(\"").and_then(|(_, rest)| rest.split_once('"'));
    if let Some((name, _)) = name {
        let (name, package) = (walker.facts.atom(name), walker.facts.atom("package"));
        let package = walker.facts.expr(Expr::Root(package));
        walker.facts.bind(ScopeId(0), name, 0, BindingKind::Alias(package));
    }
    walker.visit_children(node);
    walker.unknown
}

/// Sets the number of arguments of a parameter and visits its default. Those of a function are beside their parameter.
pub fn parameter<'a>(walker: &mut Walker<'a>, node: Node<'a>, parameter: &mut Parameter) {
    let is_own = node.kind() == "class_parameter";
    let sign = if is_own {
        walker.all_children(node).into_iter().find(|child| child.kind() == "=")
    } else {
        node.next_sibling()
    };
    if let Some(sign) = sign.filter(|sign| sign.kind() == "=") {
        parameter.arguments = ArgumentCount::Optional;
        if let Some(value) = sign.next_named_sibling() {
            walker.visit(value, Role::Read);
        }
    }
    let modifiers = if is_own { node.named_child(0) } else { node.prev_sibling() };
    let modifiers = modifiers.filter(|before| matches!(before.kind(), "modifiers" | "parameter_modifiers"));
    if modifiers.is_some_and(|modifiers| walker.text_of(modifiers).contains("vararg")) {
        parameter.arguments = ArgumentCount::Any;
    }
}

/// Visits `return a` and `throw a`.
fn jump<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let is_raise = walker.has_token(node, "throw");
    let is_return = walker.text_of(node).starts_with("return");
    for child in walker.children(node) {
        let value = walker.visit(child, if is_raise { Role::Raise } else { Role::Read });
        if is_return {
            walker.add_return(value);
        }
    }
    walker.unknown
}

/// Visits what is assigned: a name, or a value with suffixes.
fn assignable<'a>(walker: &mut Walker<'a>, node: Node<'a>, role: Role) -> ExprId {
    let children = walker.children(node);
    let Some((&first, suffixes)) = children.split_first() else { return walker.unknown };
    let mut value = walker.visit(first, if suffixes.is_empty() { role } else { Role::Read });
    for (number, &suffix) in suffixes.iter().enumerate() {
        let name = walker.children(suffix).pop().filter(|name| name.kind() == "simple_identifier");
        value = match name.filter(|_| suffix.kind() == "navigation_suffix") {
            Some(name) => {
                let atom = walker.atom_of(name);
                let member = walker.facts.expr(Expr::Member { base: value, name: atom });
                walker.refer(member, name, if number + 1 == suffixes.len() { role } else { Role::Read });
                member
            }
            None => {
                walker.visit_children(suffix);
                walker.facts.expr(Expr::Index(value))
            }
        };
    }
    value
}

/// Returns the definition of a node, with the modifiers before it that the grammar did not see.
fn declared<'a>(
    walker: &mut Walker<'a>,
    node: Node<'a>,
    pattern: &Pattern,
    name: Node<'a>,
    kind: SymbolKind,
) -> (Definition, Vec<Node<'a>>) {
    let (mut definition, decorators) = walker.header(node, pattern, name, kind);
    let start = modifiers_start(walker.text, node.start_byte());
    let unseen = walker.text.get(start..node.start_byte()).unwrap_or_default();
    if !unseen.is_empty() {
        let lexicon = &walker.dialect.lexicon;
        let modifiers = unseen.lines().filter(|line| !line.trim_start().starts_with('@'));
        let modifiers: Vec<&str> = modifiers.flat_map(str::split_whitespace).collect();
        definition.signature = [modifiers.as_slice(), &[definition.signature.as_str()]].concat().join(" ");
        definition.doc = docs::comment_above(walker.text, start, lexicon);
        definition.span.start_byte = start as u32;
        definition.span.start_line -= unseen.matches('\n').count() as u32;
    }
    let head = walker.text.get(start..name.start_byte()).unwrap_or_default();
    head.split_whitespace().for_each(|word| (walker.dialect.modifier)(word, &mut definition.flags));
    (definition, decorators)
}

fn type_declaration<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let kind = if walker.has_token(node, "interface") { SymbolKind::Interface } else { SymbolKind::Type };
    let Some(pattern) = walker.pattern(node) else { return walker.unknown };
    let Some(name) = walker.part(node, pattern, Part::Name) else { return walker.unknown };
    let (definition, decorators) = declared(walker, node, pattern, name, kind);
    let id = walker.open_type(node, pattern, definition, &decorators);
    walker.bind_as_callee(id);
    let saved = walker.context.source.replace(id);
    construct_bases(walker, node);
    walker.context.source = saved;
    walker.unknown
}

/// Adds the calls of the constructors of the types that a type extends: `class B : A(1)`.
fn construct_bases<'a>(walker: &mut Walker<'a>, node: Node<'a>) {
    for specifier in walker.children(node).into_iter().filter(|child| child.kind() == "delegation_specifier") {
        let made = walker.children(specifier).into_iter().find(|child| child.kind() == "constructor_invocation");
        let Some(name) = made.and_then(|made| walker.children(made).first().copied()) else { continue };
        let known = walker.type_expr(name, None);
        walker.refer(known, name, Role::Call);
    }
}

/// Visits `if (a is T) … else …`, in whose branches `a` is a `T`; after one that leaves, it is what it is not there.
fn conditional<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let Some(condition) = walker.field(node, "condition") else {
        walker.visit_children(node);
        return walker.unknown;
    };
    walker.visit(condition, Role::Read);
    let mut values = Vec::new();
    let branches = [walker.field(node, "consequence"), walker.field(node, "alternative")];
    for (branch, holds) in branches.into_iter().zip([true, false]) {
        let Some(branch) = branch else { continue };
        let known = narrowed(walker, condition, holds);
        values.push(in_narrowed(walker, branch, &known));
    }
    let leaves = |branch: Node<'a>| {
        let text = walker.text_of(branch).trim_start_matches(['{', ' ', '\n', '\t']);
        let word = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next().unwrap_or_default();
        ["return", "throw", "continue", "break"].contains(&word)
    };
    if branches[0].is_some_and(leaves) {
        let known = narrowed(walker, condition, false);
        for (name, known) in known {
            if is_assigned(walker, name) {
                continue;
            }
            walker.bind_local(name, node, Some(known), None);
        }
    }
    walker.union(values)
}

/// Returns whether a statement of the file assigns a name, which a check does not narrow after it.
fn is_assigned(walker: &mut Walker<'_>, name: Atom) -> bool {
    let (text, name) = (walker.text, walker.facts.text(name).to_owned());
    let read = || text.lines().filter_map(assigned_name).map(str::to_owned).collect();
    walker.state::<State>().assigned.get_or_insert_with(read).contains(&name)
}

/// Returns the name that a line assigns: `a = b`, `a += b`. A line that ends with a comma has a named argument.
fn assigned_name(line: &str) -> Option<&str> {
    let line = line.trim();
    let end = line.find(|letter: char| !letter.is_alphanumeric() && letter != '_')?;
    let (name, rest) = line.split_at(end);
    let rest = rest.trim_start().trim_start_matches(['+', '-', '*', '/', '%']);
    (end > 0 && rest.starts_with('=') && !rest.starts_with("==") && !line.ends_with(',')).then_some(name)
}

/// Visits `a is T && b`, in whose second operand `a` is a `T`.
fn conjunction<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let children = walker.children(node);
    let &[left, right] = children.as_slice() else {
        walker.visit_children(node);
        return walker.unknown;
    };
    walker.visit(left, Role::Read);
    let known = narrowed(walker, left, true);
    in_narrowed(walker, right, &known);
    walker.facts.builtin("kotlin.Boolean", Vec::new())
}

/// Visits a branch of `when (a)`, in which `a` is a `T` after `is T ->`.
fn when_entry<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let children = walker.children(node);
    let Some((&body, conditions)) = children.split_last() else { return walker.unknown };
    let guards = conditions.iter().filter(|one| one.kind() == "guard_condition").count();
    let (conditions, guards) = conditions.split_at(conditions.len() - guards);
    conditions.iter().for_each(|condition| _ = walker.visit(*condition, Role::Read));
    let subject =
        node.parent().and_then(|when| walker.children(when).into_iter().find(|one| one.kind() == "when_subject"));
    let subject =
        subject.and_then(|subject| walker.children(subject).into_iter().rfind(|one| one.kind() == "simple_identifier"));
    let test = match conditions {
        [only] => walker.children(*only).into_iter().find(|one| one.kind() == "type_test"),
        _ => None,
    };
    let known = match (subject, test) {
        (Some(subject), Some(test)) if !walker.text_of(test).starts_with('!') => {
            let name = walker.atom_of(subject);
            let last = walker.children(test).last().copied();
            last.map(|known| (name, walker.type_expr(known, None))).into_iter().collect()
        }
        (None, None) => match conditions {
            [only] => walker.children(*only).first().map(|one| narrowed(walker, *one, true)).unwrap_or_default(),
            _ => Vec::new(),
        },
        _ => Vec::new(),
    };
    guards.iter().for_each(|guard| _ = in_narrowed(walker, *guard, &known));
    in_narrowed(walker, body, &known)
}

/// Returns the names whose types a condition tells where it holds, or where it does not.
fn narrowed<'a>(walker: &mut Walker<'a>, condition: Node<'a>, holds: bool) -> Vec<(Atom, ExprId)> {
    let children = walker.children(condition);
    match (condition.kind(), children.as_slice()) {
        ("parenthesized_expression", [inner]) => narrowed(walker, *inner, holds),
        ("prefix_expression", [inner]) if walker.text_of(condition).starts_with('!') => {
            narrowed(walker, *inner, !holds)
        }
        ("conjunction_expression", [left, right]) if holds => {
            let mut known = narrowed(walker, *left, holds);
            known.extend(narrowed(walker, *right, holds));
            known
        }
        ("disjunction_expression", [left, right]) if !holds => {
            let mut known = narrowed(walker, *left, holds);
            known.extend(narrowed(walker, *right, holds));
            known
        }
        ("check_expression", [left, known]) if left.kind() == "simple_identifier" => {
            let between = walker.text.get(left.end_byte()..known.start_byte()).unwrap_or_default().trim();
            if (between == "is" && holds) || (between == "!is" && !holds) {
                let name = walker.atom_of(*left);
                vec![(name, walker.type_expr(*known, None))]
            } else {
                Vec::new()
            }
        }
        _ => Vec::new(),
    }
}

/// Visits a node in which names have these types.
fn in_narrowed<'a>(walker: &mut Walker<'a>, node: Node<'a>, known: &[(Atom, ExprId)]) -> ExprId {
    if known.is_empty() {
        return walker.visit(node, Role::Read);
    }
    let scope = walker.open_scope(ScopeKind::Block, None);
    let saved = std::mem::replace(&mut walker.context.scope, scope);
    for &(name, value_type) in known {
        let kind = BindingKind::Local { value_type: Some(value_type), value: None };
        walker.facts.bind(scope, name, node.start_byte() as u32, kind);
    }
    let value = walker.visit(node, Role::Read);
    walker.context.scope = saved;
    value
}

/// Returns the type before the dot in `fun T.name()` and `val T.name`.
fn receiver<'a>(walker: &mut Walker<'a>, node: Node<'a>) -> Option<Node<'a>> {
    // An annotation can be before it.
    walker.field(node, "receiver").and_then(|receiver| walker.children(receiver).last().copied())
}

/// Visits a secondary constructor.
fn constructor<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    if let Container::Definition(class) = walker.context.container {
        walker.facts.definition_mut(class).flags.has_secondary_constructors = true;
    }
    walker.in_scope(ScopeKind::Block, |walker| walker.visit_children(node));
    walker.unknown
}

/// Visits `companion object Name { … }`, whose members are those of its type. Its name is another one of the type.
fn companion<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let first = walker.facts.definitions().len();
    let container = walker.context.container;
    for child in walker.children(node) {
        match (child.kind(), walker.context.container) {
            ("type_identifier", Container::Definition(outer)) => {
                let mut definition = walker.new_definition(walker.text_of(child), SymbolKind::Type, node, child);
                definition.flags.is_alias = true;
                definition.value_type = Some(walker.facts.expr(Expr::Definition(outer)));
                walker.define(definition, None);
            }
            ("class_body", _) => _ = walker.visit(child, Role::Read),
            ("delegation_specifier", _) => walker.visit_children(child),
            _ => {}
        }
    }
    for id in DefId::sequence().take(walker.facts.definitions().len()).skip(first) {
        let definition = walker.facts.definition_mut(id);
        definition.flags.is_static |= definition.kind.is_callable() && definition.container == container;
    }
    walker.unknown
}

/// Visits `::f` and `T::f`, which name a function or a property without calling it.
fn callable<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let children = walker.children(node);
    let Some((&name, owner)) = children.split_last() else { return walker.unknown };
    let base = owner.first().map(|owner| walker.visit(*owner, Role::Read));
    walker.reference_to(base, name)
}

/// Visits `this`, and `this@Outer`, the value of a type around.
fn this<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let own = walker.facts.expr(Expr::Receiver);
    let lambda = lambda_receiver(walker, own);
    let Some(&label) = walker.children(node).last() else { return lambda.unwrap_or(own) };
    let name = walker.atom_of(label);
    let mut outer = walker.context.parent;
    while let Some(id) = outer {
        let definition = walker.facts.definition(id);
        match definition.name == name {
            true if definition.kind.is_type() => {
                let meant = walker.facts.expr(Expr::Definition(id));
                return walker.instance(meant);
            }
            // A function that extends a type.
            true => return own,
            false => outer = definition.parent,
        }
    }
    // The label of a block.
    lambda.unwrap_or(walker.unknown)
}

/// Returns the receiver of the lambda around, or `own` where the lambdas have none.
fn lambda_receiver(walker: &mut Walker<'_>, own: ExprId) -> Option<ExprId> {
    let receiver = walker.context.block_receiver?;
    let Expr::FirstOf(parts) = walker.facts.get(receiver) else { return Some(receiver) };
    // Each type needs an expression of its own for its receiver.
    let is_own = |part: &ExprId| matches!(walker.facts.get(*part), Expr::Receiver);
    let parts = parts.iter().map(|part| if is_own(part) { own } else { *part }).collect();
    Some(walker.facts.expr(Expr::FirstOf(parts)))
}

fn function<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let Some(pattern) = walker.pattern(node) else { return walker.unknown };
    let Some(name) = walker.part(node, pattern, Part::Name).filter(|name| !name.is_missing()) else {
        walker.visit_children(node);
        return walker.unknown;
    };
    let extended = receiver(walker, node);
    let result = walker.part(node, pattern, Part::Result);
    // A body without statements is one.
    let has_body = walker.children(node).last().is_some_and(|last| last.kind() == "function_body");
    in_receiver(walker, node, extended, |walker| {
        let is_member = walker.context.container != Container::Module;
        let kind = if is_member { SymbolKind::Method } else { SymbolKind::Function };
        let (definition, decorators) = declared(walker, node, pattern, name, kind);
        let id = walker.open_function(node, pattern, definition, &decorators);
        let definition = walker.facts.definition_mut(id);
        definition.flags.is_abstract &= !has_body;
        let end =
            definition.signature.strip_suffix("{}").map_or(definition.signature.len(), |head| head.trim_end().len());
        definition.signature.truncate(if has_body { end } else { definition.signature.len() });
        let result = result.map(|part| walker.type_expr(part, None));
        if extended.is_some() {
            walker.facts.definition_mut(id).result = result;
        }
    });
    walker.unknown
}

/// Adds a function, or returns a function's type: `(A) -> B`.
fn function_or_type<'a>(walker: &mut Walker<'a>, node: Node<'a>, role: Role) -> ExprId {
    if node.kind() != "function_type" {
        return function(walker, node, role);
    }
    let receiver = receiver(walker, node).map(|known| walker.type_expr(known, Some(Role::Type)));
    let (mut params, mut result) = (Vec::new(), None);
    for child in walker.children(node).into_iter().filter(|child| child.kind() != "receiver_type") {
        if child.kind() == "function_type_parameters" {
            for parameter in walker.children(child) {
                let named = walker.children(parameter).pop().filter(|_| parameter.kind() == "parameter");
                params.push(walker.type_expr(named.unwrap_or(parameter), Some(Role::Type)));
            }
        } else {
            result = Some(walker.type_expr(child, Some(Role::Type)));
        }
    }
    params.extend(receiver.map(|known| walker.facts.builtin(RECEIVER_TYPE_NAME, vec![known])));
    walker.facts.expr(Expr::Function { params, result })
}

fn in_receiver<'a>(
    walker: &mut Walker<'a>,
    node: Node<'a>,
    extended: Option<Node<'a>>,
    walk: impl FnOnce(&mut Walker<'a>),
) {
    let Some(extended) = extended else { return walk(walker) };
    let target = walker.type_expr(extended, Some(Role::Type));
    let names = light::type_names(walker, extended);
    if names.is_empty() { walk(walker) } else { walker.in_extension(node, (target, &names), None, walk) }
}

/// Adds `val a: T = b`, `val a by b`, and `val a get() = b`, which is a function that is read.
fn property<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let Some(pattern) = walker.pattern(node) else { return walker.unknown };
    let children = walker.all_children(node);
    let value = children.iter().position(|child| child.kind() == "=").and_then(|at| children.get(at + 1)).copied();
    let delegate = children.iter().find(|child| child.kind() == "property_delegate").copied();
    let Some(name) = walker.part(node, pattern, Part::Name) else {
        // `val (a, b) = c`
        let value = value.map_or(walker.unknown, |value| walker.visit(value, Role::Read));
        if let Some(names) = children.iter().find(|child| child.kind() == "multi_variable_declaration") {
            walker.bind_parts(*names, value);
        }
        return walker.unknown;
    };
    let value_type = walker.declared_type(node, pattern);
    if walker.context.is_local && walker.context.container == Container::Module {
        let value = initial(walker, value, delegate);
        let atom = walker.atom_of(name);
        walker.bind_local(atom, node, value_type, value);
        return walker.unknown;
    }
    let extended = receiver(walker, node);
    let start = modifiers_start(walker.text, node.start_byte());
    let modifiers = walker.text.get(start..name.start_byte()).unwrap_or_default();
    let is_constant = modifiers.split_whitespace().any(|word| word == "const");
    in_receiver(walker, node, extended, |walker| {
        let kind = match walker.context.container {
            Container::Module if is_constant => SymbolKind::Const,
            Container::Module => SymbolKind::Var,
            _ => SymbolKind::Field,
        };
        let (mut definition, decorators) = declared(walker, node, pattern, name, kind);
        definition.value_type = value_type;
        let start = value.or(delegate).map(|value| value.start_byte());
        let accessors = walker.parts(node, pattern, Part::Body);
        let start = start.or(accessors.first().map(|accessor| accessor.start_byte())).unwrap_or(node.end_byte());
        let id = walker.define(definition, Some(start));
        walker.decorators(&decorators, id);
        let value = initial(walker, value, delegate);
        let definition = walker.facts.definition_mut(id);
        definition.value = value;
        definition.flags.is_property = !accessors.is_empty();
        walker.state::<State>().last_property = Some(id);
        accessors.into_iter().for_each(|accessor| _ = walker.visit(accessor, Role::Read));
    });
    walker.unknown
}

/// Visits the value of a property, or what it is delegated to, which has it as its `value`: `by lazy { a }`.
fn initial<'a>(walker: &mut Walker<'a>, value: Option<Node<'a>>, delegate: Option<Node<'a>>) -> Option<ExprId> {
    if let Some(value) = value {
        return Some(walker.visit(value, Role::Read));
    }
    let delegate = walker.visit(delegate?, Role::Read);
    (delegate != walker.unknown).then(|| walker.facts.member(delegate, "value"))
}

/// Visits `get() = a` and `set(a) {}` as code of the property before.
fn accessor<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let source = walker.context.source;
    if let Some(property) = walker.state::<State>().last_property {
        let definition = walker.facts.definition_mut(property);
        if definition.parent == walker.context.parent {
            definition.span.end_byte = definition.span.end_byte.max(node.end_byte() as u32);
            definition.span.end_line = definition.span.end_line.max(node.end_position().row as u32 + 1);
            definition.flags.is_property = true;
            walker.context.source = Some(property);
        }
    }
    walker.in_scope(ScopeKind::Block, |walker| walker.visit_children(node));
    walker.context.source = source;
    walker.unknown
}

/// Binds a variable without a value: of a loop, or of a destructuring declaration.
fn variable<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let Some(pattern) = walker.pattern(node) else { return walker.unknown };
    let value_type = walker.declared_type(node, pattern);
    if let Some(name) = walker.part(node, pattern, Part::Name) {
        let atom = walker.atom_of(name);
        walker.bind_local(atom, name, value_type, None);
    }
    walker.unknown
}

/// Visits `for (a in b) {}` and `catch (e: E) {}`.
fn scoped<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    walker.in_scope(ScopeKind::Block, |walker| {
        let children = walker.children(node);
        match *children.as_slice() {
            [name, known, ref rest @ ..] if name.kind() == "simple_identifier" => {
                let value_type = walker.type_expr(known, Some(Role::Type));
                let atom = walker.atom_of(name);
                walker.bind_local(atom, name, Some(value_type), None);
                rest.iter().for_each(|child| _ = walker.visit(*child, Role::Read));
            }
            [variable, iterable, ref rest @ ..] => {
                let value = walker.visit(iterable, Role::Read);
                let element = walker.facts.expr(Expr::Element(value));
                let names = walker.children(variable);
                match names.first().filter(|name| name.kind() == "simple_identifier" && names.len() == 1) {
                    Some(name) => {
                        let atom = walker.atom_of(*name);
                        walker.bind_local(atom, variable, None, Some(element));
                    }
                    None => walker.bind_parts(variable, element),
                }
                walker.implied_call(value, &["iterator"], &[], iterable);
                rest.iter().for_each(|child| _ = walker.visit(*child, Role::Read));
            }
            _ => walker.visit_children(node),
        }
    });
    walker.unknown
}
