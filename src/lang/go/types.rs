//! Type expressions: written down, and every named type in them noted as used.

use tree_sitter::Node;

use super::extract::{At, Walker};
use super::kinds::{Kind, kind};
use crate::facts::{Atom, Expr, ExprId, Parameter, Role, TypeParameter};

/// The language's own type names, which need no lookup: shadowing one is legal and never done.
pub(super) fn is_predeclared(name: &str) -> bool {
    matches!(
        name,
        "any"
            | "bool"
            | "byte"
            | "comparable"
            | "complex128"
            | "complex64"
            | "error"
            | "float32"
            | "float64"
            | "int"
            | "int16"
            | "int32"
            | "int64"
            | "int8"
            | "rune"
            | "string"
            | "uint"
            | "uint16"
            | "uint32"
            | "uint64"
            | "uint8"
            | "uintptr"
    )
}

impl<'a> Walker<'a> {
    /// A type. Pointers, parentheses and `~` are left out.
    pub(super) fn type_expr(&mut self, node: Node<'a>, at: At) -> ExprId {
        match kind(node) {
            Kind::TypeIdentifier | Kind::Identifier => self.type_name(node, at),
            Kind::QualifiedType => self.qualified_type(node, at),
            Kind::GenericType => self.generic_type(node, at),
            Kind::ArrayType | Kind::SliceType | Kind::ImplicitLengthArrayType => {
                if let Some(length) = self.child(node, self.fields.length) {
                    self.value(length, at);
                }
                let element = self.typed_child(node, self.fields.element, at);
                self.facts.builtin("[]", vec![element])
            }
            Kind::MapType => {
                let key = self.typed_child(node, self.fields.key, at);
                let value = self.typed_child(node, self.fields.value, at);
                self.facts.builtin("map", vec![key, value])
            }
            Kind::ChannelType => {
                let value = self.typed_child(node, self.fields.value, at);
                self.facts.builtin("chan", vec![value])
            }
            Kind::FunctionType => {
                let (parameters, result) = self.function_shape(node, at);
                self.function_expr(&parameters, result)
            }
            Kind::StructType => self.struct_object(node, at),
            Kind::InterfaceType => self.interface_object(node, at),
            // Pointers, parentheses, `~T`, a single constraint; several alternatives otherwise.
            _ => {
                let children = self.list(node);
                let parts: Vec<ExprId> = children.into_iter().map(|child| self.type_expr(child, at)).collect();
                match parts.len() {
                    0 => self.unknown,
                    1 => parts[0],
                    _ => self.facts.expr(Expr::Union(parts)),
                }
            }
        }
    }

    fn typed_child(&mut self, node: Node<'a>, field: u16, at: At) -> ExprId {
        self.child(node, field).map_or(self.unknown, |child| self.type_expr(child, at))
    }

    fn type_name(&mut self, node: Node<'a>, at: At) -> ExprId {
        let name = self.source(node);
        if is_predeclared(name) {
            return self.builtin(name);
        }
        let expr = self.facts.name(name);
        self.refer(expr, node, Role::Type, at);
        expr
    }

    fn qualified_type(&mut self, node: Node<'a>, at: At) -> ExprId {
        let (Some(package), Some(name)) = (self.child(node, self.fields.package), self.child(node, self.fields.name))
        else {
            return self.unknown;
        };
        let base = self.facts.name(&self.text[package.byte_range()]);
        let expr = self.facts.member(base, &self.text[name.byte_range()]);
        self.refer(expr, name, Role::Type, at);
        expr
    }

    fn generic_type(&mut self, node: Node<'a>, at: At) -> ExprId {
        let base = self.typed_child(node, self.fields.value_type, at);
        let args = self.child(node, self.fields.type_arguments).map_or(Vec::new(), |list| self.type_list(list, at));
        self.facts.expr(Expr::Apply { base, args })
    }

    /// The types that are a node's children.
    pub(super) fn type_list(&mut self, node: Node<'a>, at: At) -> Vec<ExprId> {
        let children = self.list(node);
        children.into_iter().map(|child| self.type_expr(child, at)).collect()
    }

    /// Parameters and result of a function's or method's declaration, of a function type or literal.
    pub(super) fn function_shape(&mut self, node: Node<'a>, at: At) -> (Vec<Parameter>, Option<ExprId>) {
        let parameters = self.child(node, self.fields.parameters).map_or(Vec::new(), |list| self.parameters(list, at));
        let result = self.child(node, self.fields.result).map(|result| self.result(result, at).0);
        (parameters, result)
    }

    /// A result: one type, or a list, maybe with names.
    pub(super) fn result(&mut self, node: Node<'a>, at: At) -> (ExprId, Vec<Parameter>) {
        if kind(node) != Kind::ParameterList {
            return (self.type_expr(node, at), Vec::new());
        }
        let named = self.parameters(node, at);
        let types: Vec<ExprId> = named.iter().map(|parameter| parameter.value_type.unwrap_or(self.unknown)).collect();
        let expr = if types.len() == 1 { types[0] } else { self.facts.expr(Expr::Tuple(types)) };
        (expr, named)
    }

    /// A parameter list. Parameters without a name are called `_`.
    pub(super) fn parameters(&mut self, node: Node<'a>, at: At) -> Vec<Parameter> {
        let mut parameters = Vec::new();
        for declaration in self.list(node) {
            let Some(written) = self.child(declaration, self.fields.value_type) else { continue };
            let mut value_type = self.type_expr(written, at);
            if kind(declaration) == Kind::VariadicParameter {
                value_type = self.facts.builtin("[]", vec![value_type]);
            }
            let names = self.list_of(declaration, self.fields.name);
            if names.is_empty() {
                let name = self.facts.atom("_");
                parameters.push(Parameter { name, value_type: Some(value_type) });
            }
            for name in names {
                let name = self.atom(name);
                parameters.push(Parameter { name, value_type: Some(value_type) });
            }
        }
        parameters
    }

    /// A function type, from its parts.
    pub(super) fn function_expr(&mut self, parameters: &[Parameter], result: Option<ExprId>) -> ExprId {
        let params = parameters.iter().map(|parameter| parameter.value_type.unwrap_or(self.unknown)).collect();
        self.facts.expr(Expr::Function { params, result })
    }

    /// The names in a type parameter list, before their constraints are read: those may mention the names.
    pub(super) fn type_parameter_names(&mut self, node: Node<'a>) -> Vec<(Atom, Option<Node<'a>>)> {
        let mut names = Vec::new();
        for declaration in self.list(node) {
            let constraint = self.child(declaration, self.fields.value_type);
            for name in self.list_of(declaration, self.fields.name) {
                names.push((self.atom(name), constraint));
            }
        }
        names
    }

    /// Reads the constraints of type parameters.
    pub(super) fn type_parameters(&mut self, names: Vec<(Atom, Option<Node<'a>>)>, at: At) -> Vec<TypeParameter> {
        let mut parameters = Vec::with_capacity(names.len());
        for (name, constraint) in names {
            let bounds = constraint.map(|node| self.type_expr(node, at)).into_iter().collect();
            parameters.push(TypeParameter { name, bounds });
        }
        parameters
    }

    /// A struct without a name: its fields and their types.
    fn struct_object(&mut self, node: Node<'a>, at: At) -> ExprId {
        let mut members = Vec::new();
        for field in self.struct_fields(node) {
            let Some(written) = self.child(field, self.fields.value_type) else { continue };
            let value_type = self.type_expr(written, at);
            let names = self.list_of(field, self.fields.name);
            if names.is_empty() {
                let name = self.facts.atom(embedded_name(self.source(written)));
                members.push((name, value_type));
            }
            for name in names {
                members.push((self.atom(name), value_type));
            }
        }
        self.facts.expr(Expr::Object(members))
    }

    /// The field declarations of a struct type.
    pub(super) fn struct_fields(&mut self, node: Node<'a>) -> Vec<Node<'a>> {
        let mut fields = Vec::new();
        self.each(node, |walker, list| {
            if kind(list) == Kind::FieldDeclarationList {
                fields = walker.list(list);
            }
        });
        fields
    }

    /// An interface without a name: its methods, and what it embeds under the name of its type, as in a struct.
    fn interface_object(&mut self, node: Node<'a>, at: At) -> ExprId {
        let mut members = Vec::new();
        for element in self.list(node) {
            match (kind(element), self.child(element, self.fields.name)) {
                (Kind::MethodElem, Some(name)) => {
                    let (parameters, result) = self.function_shape(element, at);
                    let function = self.function_expr(&parameters, result);
                    members.push((self.atom(name), function));
                }
                _ => {
                    let embedded = self.type_expr(element, at);
                    let name = embedded_name(self.source(element));
                    members.push((self.facts.atom(name), embedded));
                }
            }
        }
        if members.is_empty() { self.builtin("any") } else { self.facts.expr(Expr::Object(members)) }
    }
}

/// The field name of an embedded type: `*pkg.Type[T]` is called `Type`.
pub(super) fn embedded_name(written: &str) -> &str {
    let plain = written.split('[').next().unwrap_or(written).trim().trim_start_matches('*');
    plain.rsplit('.').next().unwrap_or(plain).trim()
}
