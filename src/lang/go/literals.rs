//! Composite literals and function literals.

use tree_sitter::Node;

use super::extract::{Context, Walker};
use super::grammar::{Kind, kind};
use crate::facts::{Expr, ExprId, Role, ScopeKind};

/// The meaning of a composite literal's elements.
#[derive(Clone, Copy)]
enum Literal {
    /// Elements with identifier keys are fields of this value: a struct, or a named type that may be one.
    Fields(ExprId),
    /// Elements of this array, slice or map, if it is known.
    Elements(Option<ExprId>),
}

impl<'a> Walker<'a> {
    /// Adds a composite literal `T{…}`: a reference to the type, and a write to each keyed field.
    pub(super) fn composite_literal(&mut self, node: Node<'a>, context: Context) -> ExprId {
        let Some(type_node) = self.child(node, self.fields.value_type) else { return self.unknown };
        let inner = self.type_expr(type_node, context);
        let value = self.facts.expr(Expr::Instance(inner));
        if let Some(body) = self.child(node, self.fields.body) {
            let literal = match kind(type_node) {
                Kind::MapType | Kind::SliceType | Kind::ArrayType | Kind::ImplicitLengthArrayType => {
                    Literal::Elements(Some(value))
                }
                _ => Literal::Fields(value),
            };
            self.literal_body(body, literal, context);
        }
        value
    }

    fn literal_body(&mut self, body: Node<'a>, literal: Literal, context: Context) {
        self.for_each_child(body, |walker, element| match kind(element) {
            Kind::KeyedElement => {
                let key = walker.child(element, walker.fields.key);
                let value = walker.child(element, walker.fields.value);
                let field = key.and_then(|key| walker.literal_key(key, literal, context));
                if let Some(value) = value {
                    walker.literal_element(value, literal, field, context);
                }
            }
            _ => walker.literal_element(element, literal, None, context),
        });
    }

    /// Walks the key of an element. Returns the field if the key names one.
    fn literal_key(&mut self, key: Node<'a>, literal: Literal, context: Context) -> Option<ExprId> {
        let inner = self.children(key).first().copied().unwrap_or(key);
        match literal {
            Literal::Fields(base) if kind(inner) == Kind::Identifier => {
                let member = self.facts.member(base, &self.text[inner.byte_range()]);
                self.add_reference(member, inner, Role::Write, context);
                Some(member)
            }
            _ => {
                self.literal_element(key, Literal::Elements(None), None, context);
                None
            }
        }
    }

    /// Walks an element: a value, or a literal whose type is elided because the enclosing literal implies it.
    fn literal_element(&mut self, element: Node<'a>, literal: Literal, field: Option<ExprId>, context: Context) {
        let inner = match kind(element) {
            Kind::LiteralElement => self.children(element).first().copied(),
            _ => Some(element),
        };
        let Some(inner) = inner else { return };
        if kind(inner) != Kind::LiteralValue {
            self.value(inner, context);
            return;
        }
        let elided = match (field, literal) {
            // The enclosing type is a struct with that field, or a map with a constant of that name as key.
            (Some(field), Literal::Fields(base)) => {
                let index = self.facts.expr(Expr::Index(base));
                self.facts.expr(Expr::Union(vec![field, index]))
            }
            (_, Literal::Fields(base) | Literal::Elements(Some(base))) => self.facts.expr(Expr::Index(base)),
            (_, Literal::Elements(None)) => self.unknown,
        };
        // Whether the elided type is a struct or a container depends on the keys.
        self.literal_body(inner, Literal::Fields(elided), context);
    }

    /// Adds a function literal. It has a scope but no definition, so its references belong to the enclosing function.
    pub(super) fn function_literal(&mut self, node: Node<'a>, context: Context) -> ExprId {
        let scope = self.open_scope(context.scope, ScopeKind::Function);
        let inner = Context { scope, ..context };
        let (parameters, result) = self.bind_signature(node, inner);
        if let Some(body) = self.child(node, self.fields.body) {
            self.statements(body, inner);
        }
        // The literal is read as a value, and so is its result.
        let result = result.map(|result| self.facts.expr(Expr::Instance(result)));
        self.function_type(&parameters, result)
    }
}
