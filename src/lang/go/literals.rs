//! Composite literals and function literals.

use tree_sitter::Node;

use super::extract::{At, Walker};
use super::kinds::{Kind, kind};
use crate::facts::{BindingKind, Expr, ExprId, Parameter, Role, Scope, ScopeId, ScopeKind};

/// What the elements of a composite literal are.
#[derive(Clone, Copy)]
enum Literal {
    /// Fields of this value, as far as their keys are plain names: a struct, or a named type that may be one.
    Fields(ExprId),
    /// Elements of this type, if that is known: an array, slice or map.
    Elements(Option<ExprId>),
}

impl<'a> Walker<'a> {
    /// `T{…}`. Its type is used as a type; the fields it names are written.
    pub(super) fn composite(&mut self, node: Node<'a>, at: At) -> ExprId {
        let Some(written) = self.child(node, self.fields.value_type) else { return self.unknown };
        let inner = self.type_expr(written, at);
        let value = self.facts.expr(Expr::Instance(inner));
        if let Some(body) = self.child(node, self.fields.body) {
            let literal = match kind(written) {
                Kind::MapType | Kind::SliceType | Kind::ArrayType | Kind::ImplicitLengthArrayType => {
                    Literal::Elements(Some(value))
                }
                _ => Literal::Fields(value),
            };
            self.literal_body(body, literal, at);
        }
        value
    }

    fn literal_body(&mut self, body: Node<'a>, literal: Literal, at: At) {
        self.each(body, |walker, element| match kind(element) {
            Kind::KeyedElement => {
                let key = walker.child(element, walker.fields.key);
                let value = walker.child(element, walker.fields.value);
                let field = key.and_then(|key| walker.literal_key(key, literal, at));
                if let Some(value) = value {
                    walker.literal_element(value, literal, field, at);
                }
            }
            _ => walker.literal_element(element, literal, None, at),
        });
    }

    /// The key of an element: a field that is written, or a value.
    fn literal_key(&mut self, key: Node<'a>, literal: Literal, at: At) -> Option<ExprId> {
        let inner = self.list(key).first().copied().unwrap_or(key);
        match literal {
            Literal::Fields(base) if kind(inner) == Kind::Identifier => {
                let member = self.facts.member(base, &self.text[inner.byte_range()]);
                self.refer(member, inner, Role::Write, at);
                Some(member)
            }
            _ => {
                self.literal_element(key, Literal::Elements(None), None, at);
                None
            }
        }
    }

    /// An element: a value, or a literal whose type is left out because the one around it tells.
    fn literal_element(&mut self, element: Node<'a>, literal: Literal, field: Option<ExprId>, at: At) {
        let inner = match kind(element) {
            Kind::LiteralElement => self.list(element).first().copied(),
            _ => Some(element),
        };
        let Some(inner) = inner else { return };
        if kind(inner) != Kind::LiteralValue {
            self.value(inner, at);
            return;
        }
        let elided = match (field, literal) {
            // The type is a struct with that field, or a map with a constant of that name as key.
            (Some(field), Literal::Fields(base)) => {
                let index = self.facts.expr(Expr::Index(base));
                self.facts.expr(Expr::Union(vec![field, index]))
            }
            (_, Literal::Fields(base) | Literal::Elements(Some(base))) => self.facts.expr(Expr::Index(base)),
            (_, Literal::Elements(None)) => self.unknown,
        };
        // Whether the element's type is a struct or again a container only its keys can tell.
        self.literal_body(inner, Literal::Fields(elided), at);
    }

    /// A function literal: a scope of its own, but no definition. What it uses, the function around it uses.
    pub(super) fn closure(&mut self, node: Node<'a>, at: At) -> ExprId {
        let scope = self.open(at.scope, ScopeKind::Function);
        let inner = At { scope, ..at };
        let (parameters, result) = self.signature(node, inner);
        if let Some(body) = self.child(node, self.fields.body) {
            self.statements(body, inner);
        }
        // Whoever reads the literal as a value reads the result as one.
        let result = result.map(|result| self.facts.expr(Expr::Instance(result)));
        self.function_expr(&parameters, result)
    }

    /// Opens a scope that no definition owns.
    pub(super) fn open(&mut self, parent: ScopeId, kind: ScopeKind) -> ScopeId {
        self.facts.scope(Scope { parent: Some(parent), kind, definition: None, extension: None, module_name: None })
    }

    /// Parameters and result of something with a body, bound in the body's scope.
    pub(super) fn signature(&mut self, node: Node<'a>, inner: At) -> (Vec<Parameter>, Option<ExprId>) {
        let list = self.child(node, self.fields.parameters);
        let parameters = list.map_or(Vec::new(), |list| self.parameters(list, inner));
        let result = self.child(node, self.fields.result).map(|result| self.result(result, inner));
        let position = node.start_byte() as u32;
        self.bind_parameters(&parameters, position, inner.scope);
        if let Some((_, named)) = &result {
            self.bind_parameters(named, position, inner.scope);
        }
        (parameters, result.map(|(result, _)| result))
    }

    /// Binds parameters in a function's scope.
    pub(super) fn bind_parameters(&mut self, parameters: &[Parameter], position: u32, scope: ScopeId) {
        let blank = self.facts.atom("_");
        for parameter in parameters.iter().filter(|parameter| parameter.name != blank) {
            let kind = BindingKind::Parameter { value_type: parameter.value_type, value: None };
            self.facts.bind(scope, parameter.name, position, kind);
        }
    }
}
