//! Type aliases and type variables.

use tree_sitter::Node;

use super::docs;
use super::extract::{Context, Walker};
use super::grammar::{FIELDS, Kind, children, field, first_child, kind};
use super::variables::is_constant;
use crate::facts::BindingKind;
use crate::model::SymbolKind;

impl Walker<'_> {
    /// Records a type variable, or defines a type alias. Returns whether it was an alias.
    pub(super) fn type_assignment(
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
            self.define_alias(target, value, statement);
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
                    let is_bound = field(argument, FIELDS.name).is_some_and(|name| self.text_of(name) == "bound");
                    if let Some(bound) = field(argument, FIELDS.value).filter(|_| is_bound) {
                        bounds.push(self.replay(|walker| walker.annotation(bound)));
                    }
                }
                self.type_variables.insert(name, bounds);
                false
            }
            _ => false,
        }
    }

    /// Defines a type alias.
    fn define_alias(&mut self, target: Node<'_>, value: Node<'_>, statement: Node<'_>) {
        let name = self.atom(target);
        let mut definition = self.new_definition(name, SymbolKind::Type, statement, target);
        definition.flags.is_alias = true;
        definition.signature = docs::variable_signature(self.text_of(statement));
        definition.doc = docs::variable_doc(statement, self.text);
        let id = self.facts.define(definition, String::new());
        self.bind(self.context.scope, name, target.start_byte() as u32, BindingKind::Definition(id));
        let outer = self.context;
        self.context = Context { source: Some(id), body: Some(id), class: None, ..outer };
        let aliased = self.annotation(value);
        self.context = outer;
        self.facts.definition_mut(id).value_type = Some(aliased);
    }

    /// Defines a type alias: `type X = …` (PEP 695).
    pub(super) fn type_alias(&mut self, node: Node<'_>) {
        let parts = children(node);
        let [left, right] = parts.as_slice() else { return };
        let name = first_child(*left).unwrap_or(*left);
        let name = if kind(name) == Kind::GenericType { first_child(name).unwrap_or(name) } else { name };
        self.define_alias(name, *right, node);
    }

    /// Returns whether a value can only be a type: `Union[…]`, `dict[…]` or `A | None` assigned to a capitalized name.
    fn is_type_form(&self, target: Node<'_>, value: Node<'_>) -> bool {
        let name = self.text_of(target);
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

/// Returns whether an expression can be an operand of a union type.
fn is_type_like(node: Node<'_>) -> bool {
    match kind(node) {
        Kind::Identifier | Kind::Attribute | Kind::Subscript | Kind::None | Kind::String => true,
        Kind::BinaryOperator => children(node).into_iter().all(is_type_like),
        _ => false,
    }
}
