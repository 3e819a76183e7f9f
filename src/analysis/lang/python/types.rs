//! Annotations that no pattern can describe: names, forms of `typing`, quoted types.

use std::cell::RefCell;

use tree_sitter::{Node, Parser, Range};

use super::state::{State, first_child, last_name};
use crate::facts::{Expr, ExprId, Role};
use crate::lang::common::patterns::Part;
use crate::lang::common::walker::Walker;

/// Maximum size of a quoted annotation, which bounds the depth of its tree.
const MAX_QUOTED_BYTES: usize = 300;

thread_local! {
    static PARSER: RefCell<Option<Parser>> = const { RefCell::new(None) };
}

/// Visits a type that is a name.
pub fn type_name<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let text = walker.text_of(node);
    if text == "Self" {
        return dotted_type(walker, node, Role::Type);
    }
    walker.add_words(text);
    let name = walker.facts.atom(text);
    let state = walker.state::<State>();
    let is_variable =
        state.type_variables.contains_key(&name) || (state.imported.contains(&name) && looks_like_type_variable(text));
    if is_variable && !state.used_type_variables.contains(&name) {
        state.used_type_variables.push(name);
    }
    // Not the value of a local: a parameter may have the name of its type or module.
    let expr = walker.facts.expr(Expr::Name(name));
    walker.refer(expr, node, Role::Type);
    expr
}

/// Visits a type that is a dotted name.
pub fn dotted_type<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let expr = walker.visit(node, Role::Type);
    if last_name(walker, node) == "Self" { walker.facts.expr(Expr::ReceiverType) } else { expr }
}

/// Visits a value in the place of a type.
pub fn value<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    walker.visit(node, Role::Read);
    walker.unknown
}

/// Visits a generic application. Special forms of `typing` become the type they denote.
pub fn application<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let Some(pattern) = walker.dialect.patterns.of_type(node) else { return walker.unknown };
    let Some(base_node) = walker.part(node, pattern, Part::Type) else { return walker.unknown };
    let mut args = Vec::new();
    for argument in walker.parts(node, pattern, Part::TypeArguments) {
        match argument.kind() {
            "tuple" => args.extend(walker.children(argument)),
            _ => args.push(argument),
        }
    }
    let last = last_name(walker, base_node);
    let base = match base_node.kind() {
        "identifier" | "attribute" => annotation(walker, base_node),
        _ => walker.visit(base_node, Role::Read),
    };
    match (last, args.as_slice()) {
        ("Literal", args) => {
            args.iter().for_each(|argument| _ = walker.visit(*argument, Role::Read));
            return walker.facts.builtin("str", Vec::new());
        }
        ("Annotated", &[inner, ref extras @ ..]) => {
            let inner = annotation(walker, inner);
            extras.iter().for_each(|extra| _ = walker.visit(*extra, Role::Read));
            return inner;
        }
        ("Callable", args) => return callable(walker, args),
        _ => {}
    }
    let mut inner: Vec<ExprId> = args.into_iter().map(|argument| annotation(walker, argument)).collect();
    match last {
        "Optional" => {
            inner.push(walker.facts.builtin("None", Vec::new()));
            walker.union(inner)
        }
        "Union" => walker.union(inner),
        "ClassVar" | "Final" | "Required" | "NotRequired" | "ReadOnly" | "InitVar" | "Unpack" => {
            inner.first().copied().unwrap_or(walker.unknown)
        }
        "TypeGuard" | "TypeIs" => walker.facts.builtin("bool", Vec::new()),
        "Type" | "type" => walker.facts.builtin("type", inner),
        _ => walker.facts.expr(Expr::Apply { base, args: inner }),
    }
}

fn annotation<'a>(walker: &mut Walker<'a>, node: Node<'a>) -> ExprId {
    walker.type_expr(node, Some(Role::Type))
}

/// Visits a function type: `Callable[[A, B], R]`.
fn callable<'a>(walker: &mut Walker<'a>, args: &[Node<'a>]) -> ExprId {
    let parameters = args.first().map_or(walker.unknown, |parameters| annotation(walker, *parameters));
    let params = match walker.facts.get(parameters) {
        Expr::Tuple(parts) => parts.clone(),
        _ => Vec::new(),
    };
    let result = args.get(1).map(|result| annotation(walker, *result));
    walker.facts.expr(Expr::Function { params, result })
}

/// Visits a base class: `Base`, `Generic[T]`, `Base[int]`, `make_base()`.
pub fn base_class<'a>(walker: &mut Walker<'a>, node: Node<'a>) -> ExprId {
    match node.kind() {
        "identifier" | "attribute" => walker.visit(node, Role::Type),
        "subscript" => annotation(walker, node),
        _ => value(walker, node, Role::Read),
    }
}

/// Visits a quoted type (a forward reference, PEP 484). Its text is parsed in place, so that byte positions are those
/// in the file.
pub fn quoted<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let last = node.child_count().saturating_sub(1);
    let (Some(start), Some(end)) = (node.child(0), node.child(last)) else { return walker.unknown };
    if !(1..=MAX_QUOTED_BYTES).contains(&end.start_byte().saturating_sub(start.end_byte())) {
        return walker.unknown;
    }
    let range = Range {
        start_byte: start.end_byte(),
        end_byte: end.start_byte(),
        start_point: start.end_position(),
        end_point: end.start_position(),
    };
    let tree = parse_range(walker.text, range).filter(|tree| !tree.root_node().has_error());
    let Some(tree) = tree else { return walker.unknown };
    let root = walker.inner_root(tree);
    let statement = first_child(walker, root).filter(|statement| statement.kind() == "expression_statement");
    let inner = statement.and_then(|statement| first_child(walker, statement));
    inner.map_or(walker.unknown, |inner| annotation(walker, inner))
}

/// Returns whether an imported name is probably a type variable: `T`, `_T`, `KT`, `T_co`.
fn looks_like_type_variable(name: &str) -> bool {
    let name = name.strip_prefix('_').unwrap_or(name);
    let stem = name.strip_suffix("_co").or_else(|| name.strip_suffix("_contra")).unwrap_or(name);
    matches!(stem.len(), 1 | 2) && stem.bytes().all(|letter| letter.is_ascii_uppercase())
}

/// Parses a part of the text; positions are those in the whole text.
fn parse_range(text: &str, range: Range) -> Option<tree_sitter::Tree> {
    PARSER.with_borrow_mut(|slot| {
        if slot.is_none() {
            let mut parser = Parser::new();
            parser.set_language(&tree_sitter_python::LANGUAGE.into()).ok()?;
            *slot = Some(parser);
        }
        let parser = slot.as_mut()?;
        parser.reset();
        parser.set_included_ranges(&[range]).ok()?;
        parser.parse(text, None)
    })
}
