//! Assignments that name a type: aliases and type variables.

use tree_sitter::Node;

use super::docs;
use super::extract::{Place, Walker};
use super::syntax::{FIELDS, Kind, children, field, first_child, kind};
use super::variables::is_constant;
use crate::facts::BindingKind;
use crate::model::SymbolKind;

impl Walker<'_> {
    /// Names a type alias, a type variable or a new type. False when the assignment is an ordinary one.
    pub(super) fn special_assignment(
        &mut self,
        statement: Node<'_>,
        target: Node<'_>,
        declared: Option<Node<'_>>,
        value: Node<'_>,
    ) -> bool {
        let is_declared_alias = declared.is_some_and(|declared| self.last_name(declared) == "TypeAlias");
        if is_declared_alias || (declared.is_none() && self.is_type_form(target, value)) {
            if let Some(declared) = declared {
                self.annotation(declared);
            }
            self.alias(target, value, statement);
            return true;
        }
        if kind(value) != Kind::Call || declared.is_some() {
            return false;
        }
        match self.last_name(value) {
            "TypeVar" => {
                let name = self.atom(target);
                let arguments = field(value, FIELDS.arguments).map(children).unwrap_or_default();
                let mut bounds = Vec::new();
                for argument in arguments.into_iter().skip(1) {
                    let is_bound = field(argument, FIELDS.name).is_some_and(|name| self.slice(name) == "bound");
                    if let Some(bound) = field(argument, FIELDS.value).filter(|_| is_bound) {
                        bounds.push(self.silently(|walker| walker.annotation(bound)));
                    }
                }
                self.type_variables.insert(name, bounds);
                false
            }
            _ => false,
        }
    }

    fn alias(&mut self, target: Node<'_>, value: Node<'_>, statement: Node<'_>) {
        let name = self.atom(target);
        let mut definition = self.blank(name, SymbolKind::Type, statement, target);
        definition.flags.is_alias = true;
        definition.signature = docs::variable_signature(self.slice(statement));
        definition.doc = docs::variable_doc(statement, self.text);
        let id = self.facts.define(definition, String::new());
        self.bind(self.at.scope, name, target.start_byte() as u32, BindingKind::Definition(id));
        let outer = self.at;
        self.at = Place { source: Some(id), body: Some(id), class: None, ..outer };
        let aliased = self.annotation(value);
        self.at = outer;
        self.facts.definition_mut(id).value_type = Some(aliased);
    }

    /// `type X = …`.
    pub(super) fn type_alias(&mut self, node: Node<'_>) {
        let parts = children(node);
        let [left, right] = parts.as_slice() else { return };
        let name = first_child(*left).unwrap_or(*left);
        let name = if kind(name) == Kind::GenericType { first_child(name).unwrap_or(name) } else { name };
        self.alias(name, *right, node);
    }

    /// True for values that can only be types: `Union[…]`, `dict[…]`, `A | None` bound to a capitalized name.
    fn is_type_form(&self, target: Node<'_>, value: Node<'_>) -> bool {
        let name = self.slice(target);
        let is_capitalized = name.starts_with(|letter: char| letter.is_ascii_uppercase()) && !is_constant(name);
        match kind(value) {
            Kind::Subscript if is_capitalized => matches!(
                self.last_name(value),
                "Union"
                    | "Optional"
                    | "Callable"
                    | "Literal"
                    | "Annotated"
                    | "Type"
                    | "Dict"
                    | "List"
                    | "Tuple"
                    | "Set"
                    | "FrozenSet"
                    | "Iterable"
                    | "Iterator"
                    | "Sequence"
                    | "Mapping"
                    | "MutableMapping"
                    | "Awaitable"
                    | "Coroutine"
                    | "AsyncIterator"
                    | "Generator"
                    | "dict"
                    | "list"
                    | "tuple"
                    | "set"
                    | "type"
            ),
            Kind::BinaryOperator => {
                let is_union = field(value, FIELDS.operator).is_some_and(|operator| operator.kind() == "|");
                is_capitalized && is_union && children(value).into_iter().all(|part| is_type_like(part))
            }
            _ => false,
        }
    }
}

fn is_type_like(node: Node<'_>) -> bool {
    match kind(node) {
        Kind::Identifier | Kind::Attribute | Kind::Subscript | Kind::None | Kind::String => true,
        Kind::BinaryOperator => children(node).into_iter().all(is_type_like),
        _ => false,
    }
}
