//! Type aliases and type variables.

use tree_sitter::Node;

use super::state::{State, define, last_name, new_definition};
use super::{docs, is_constant};
use crate::facts::{Container, ExprId, Role};
use crate::lang::common::patterns::Part;
use crate::lang::common::walker::{Context, Walker};
use crate::model::SymbolKind;

/// Generic types and forms of `typing` whose applications to types, assigned to a capitalized name, are aliases.
#[rustfmt::skip]
const TYPE_FORMS: &[&str] = &[
    "Annotated", "AsyncIterator", "Awaitable", "Callable", "Coroutine", "Dict", "FrozenSet", "Generator", "Iterable",
    "Iterator", "List", "Literal", "Mapping", "MutableMapping", "Optional", "Sequence", "Set", "Tuple", "Type", "Union",
    "dict", "list", "set", "tuple", "type",
];

/// Records a type variable, or defines a type alias. Returns whether it was an alias.
pub fn type_assignment<'a>(
    walker: &mut Walker<'a>,
    statement: Node<'a>,
    target: Node<'a>,
    declared: Option<Node<'a>>,
    value: Node<'a>,
) -> bool {
    let is_declared_alias = declared.is_some_and(|declared| last_name(walker, declared) == "TypeAlias");
    if is_declared_alias || (declared.is_none() && is_type_form(walker, target, value)) {
        if let Some(declared) = declared {
            walker.type_expr(declared, Some(Role::Type));
        }
        define_alias(walker, target, value, statement);
        return true;
    }
    if value.kind() == "call" && declared.is_none() && last_name(walker, value) == "TypeVar" {
        let name = walker.atom_of(target);
        let arguments = walker.part_of(value, Part::Arguments);
        let mut bounds = Vec::new();
        for argument in arguments.map_or(Vec::new(), |list| walker.children(list)) {
            let is_bound = |name: &Node<'_>| walker.text_of(*name) == "bound";
            if walker.field(argument, "name").filter(is_bound).is_some()
                && let Some(bound) = walker.part_of(argument, Part::Value)
            {
                bounds.push(walker.replay(|walker| walker.type_expr(bound, Some(Role::Type))));
            }
        }
        walker.state::<State>().type_variables.insert(name, bounds);
    }
    false
}

/// Defines a type alias.
fn define_alias<'a>(walker: &mut Walker<'a>, target: Node<'a>, value: Node<'a>, statement: Node<'a>) {
    let mut definition = new_definition(walker, target, SymbolKind::Type, statement);
    definition.flags.is_alias = true;
    definition.signature = docs::variable_signature(walker.text_of(statement));
    definition.doc = docs::variable_doc(walker, statement);
    let id = define(walker, definition, target);
    let outer = walker.context;
    walker.context = Context { source: Some(id), parent: Some(id), container: Container::Module, ..outer };
    let aliased = walker.type_expr(value, Some(Role::Type));
    walker.context = outer;
    walker.facts.definition_mut(id).value_type = Some(aliased);
}

/// Defines a type alias: `type X = …` (PEP 695).
pub fn type_alias<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let (left, right) = (walker.part_of(node, Part::Left), walker.part_of(node, Part::Right));
    if let (Some(mut name), Some(right)) = (left, right) {
        // The name is in a type, which can have parameters.
        while let Some(inner) = name.named_child(0).filter(|_| matches!(name.kind(), "type" | "generic_type")) {
            name = inner;
        }
        define_alias(walker, name, right, node);
    }
    walker.unknown
}

/// Returns whether a value can only be a type: `Union[…]`, `dict[…]` or `A | None` assigned to a capitalized name.
fn is_type_form<'a>(walker: &mut Walker<'a>, target: Node<'a>, value: Node<'a>) -> bool {
    let name = walker.text_of(target);
    let is_capitalized = name.starts_with(|letter: char| letter.is_ascii_uppercase());
    match value.kind() {
        "subscript" => is_capitalized && TYPE_FORMS.contains(&last_name(walker, value)),
        // `PERMISSIONS = READ | WRITE` is a number: what such a name means tells when it is used as a type.
        "binary_operator" => is_capitalized && !is_constant(name) && is_type_like(walker, value),
        _ => false,
    }
}

/// Returns whether an expression can be a union type or an operand of one.
fn is_type_like<'a>(walker: &mut Walker<'a>, node: Node<'a>) -> bool {
    match node.kind() {
        "identifier" | "attribute" | "subscript" | "none" | "string" => true,
        "binary_operator" => {
            let is_union = walker.has_token(node, "|");
            is_union && walker.children(node).into_iter().all(|part| is_type_like(walker, part))
        }
        _ => false,
    }
}
