//! Type expressions and the references in them.

use tree_sitter::Node;

use super::builtins::{CHANNEL, MAP, SLICE, is_predeclared_type};
use super::extract::{Context, Walker};
use super::grammar::{Kind, kind};
use crate::facts::{Expr, ExprId, Role};

impl<'a> Walker<'a> {
    /// Adds a type expression. Pointers, parentheses and `~` are dropped.
    pub(super) fn type_expr(&mut self, node: Node<'a>, context: Context) -> ExprId {
        match kind(node) {
            Kind::TypeIdentifier | Kind::Identifier => self.type_name(node, context),
            Kind::QualifiedType => self.qualified_type(node, context),
            Kind::GenericType => self.generic_type(node, context),
            Kind::ArrayType | Kind::SliceType | Kind::ImplicitLengthArrayType => {
                if let Some(length) = self.child(node, self.fields.length) {
                    self.value(length, context);
                }
                let element = self.type_in_field(node, self.fields.element, context);
                self.facts.builtin(SLICE, vec![element])
            }
            Kind::MapType => {
                let key = self.type_in_field(node, self.fields.key, context);
                let value = self.type_in_field(node, self.fields.value, context);
                self.facts.builtin(MAP, vec![key, value])
            }
            Kind::ChannelType => {
                let value = self.type_in_field(node, self.fields.value, context);
                self.facts.builtin(CHANNEL, vec![value])
            }
            Kind::FunctionType => {
                let (parameters, result) = self.signature_types(node, context);
                self.function_type(&parameters, result)
            }
            Kind::StructType => self.anonymous_struct(node, context),
            Kind::InterfaceType => self.anonymous_interface(node, context),
            // Pointers, parentheses, `~T` and constraints with one term have one child; unions have several.
            _ => {
                let children = self.children(node);
                let parts: Vec<ExprId> = children.into_iter().map(|child| self.type_expr(child, context)).collect();
                match parts.len() {
                    0 => self.unknown,
                    1 => parts[0],
                    _ => self.facts.expr(Expr::Union(parts)),
                }
            }
        }
    }

    fn type_in_field(&mut self, node: Node<'a>, field: u16, context: Context) -> ExprId {
        self.child(node, field).map_or(self.unknown, |child| self.type_expr(child, context))
    }

    fn type_name(&mut self, node: Node<'a>, context: Context) -> ExprId {
        let name = self.text_of(node);
        if is_predeclared_type(name) {
            return self.builtin(name);
        }
        let expr = self.facts.name(name);
        self.add_reference(expr, node, Role::Type, context);
        expr
    }

    fn qualified_type(&mut self, node: Node<'a>, context: Context) -> ExprId {
        let (Some(package), Some(name)) = (self.child(node, self.fields.package), self.child(node, self.fields.name))
        else {
            return self.unknown;
        };
        let base = self.facts.name(&self.text[package.byte_range()]);
        let expr = self.facts.member(base, &self.text[name.byte_range()]);
        self.add_reference(expr, name, Role::Type, context);
        expr
    }

    fn generic_type(&mut self, node: Node<'a>, context: Context) -> ExprId {
        let base = self.type_in_field(node, self.fields.value_type, context);
        let args =
            self.child(node, self.fields.type_arguments).map_or(Vec::new(), |list| self.type_list(list, context));
        self.facts.expr(Expr::Apply { base, args })
    }

    /// Adds the types that are a node's children.
    pub(super) fn type_list(&mut self, node: Node<'a>, context: Context) -> Vec<ExprId> {
        let children = self.children(node);
        children.into_iter().map(|child| self.type_expr(child, context)).collect()
    }

    /// Adds an anonymous struct: its fields and their types.
    fn anonymous_struct(&mut self, node: Node<'a>, context: Context) -> ExprId {
        let mut members = Vec::new();
        for field in self.struct_fields(node) {
            let Some(type_node) = self.child(field, self.fields.value_type) else { continue };
            let value_type = self.type_expr(type_node, context);
            let names = self.children_by_field(field, self.fields.name);
            if names.is_empty() {
                let name = self.facts.atom(embedded_name(self.text_of(type_node)));
                members.push((name, value_type));
            }
            for name in names {
                members.push((self.atom(name), value_type));
            }
        }
        self.facts.expr(Expr::Object(members))
    }

    /// Returns the field declarations of a struct type.
    pub(super) fn struct_fields(&mut self, node: Node<'a>) -> Vec<Node<'a>> {
        let mut fields = Vec::new();
        self.for_each_child(node, |walker, list| {
            if kind(list) == Kind::FieldDeclarationList {
                fields = walker.children(list);
            }
        });
        fields
    }

    /// Adds an anonymous interface: its methods, and embedded interfaces under their type names as in a struct.
    fn anonymous_interface(&mut self, node: Node<'a>, context: Context) -> ExprId {
        let mut members = Vec::new();
        for element in self.children(node) {
            match (kind(element), self.child(element, self.fields.name)) {
                (Kind::MethodElem, Some(name)) => {
                    let (parameters, result) = self.signature_types(element, context);
                    let function = self.function_type(&parameters, result);
                    members.push((self.atom(name), function));
                }
                _ => {
                    let embedded = self.type_expr(element, context);
                    let name = embedded_name(self.text_of(element));
                    members.push((self.facts.atom(name), embedded));
                }
            }
        }
        if members.is_empty() { self.builtin("any") } else { self.facts.expr(Expr::Object(members)) }
    }
}

/// Returns the field name of an embedded type: `Type` for `*pkg.Type[T]`.
pub(super) fn embedded_name(type_text: &str) -> &str {
    let name = type_text.split('[').next().unwrap_or(type_text).trim().trim_start_matches('*');
    name.rsplit('.').next().unwrap_or(name).trim()
}
