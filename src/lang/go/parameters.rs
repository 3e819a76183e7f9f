//! Parameters, results and type parameters of functions.

use tree_sitter::Node;

use super::builtins::{BLANK, SLICE};
use super::extract::{Context, Walker};
use super::grammar::{Kind, kind};
use crate::facts::{ArgumentCount, Atom, BindingKind, DefId, Expr, ExprId, Parameter, ScopeId, TypeParameter};

impl<'a> Walker<'a> {
    /// Returns the parameters and the result of a function, method or function type, without binding them.
    pub(super) fn signature_types(&mut self, node: Node<'a>, context: Context) -> (Vec<Parameter>, Option<ExprId>) {
        let parameters =
            self.child(node, self.fields.parameters).map_or(Vec::new(), |list| self.parameters(list, context));
        let result = self.child(node, self.fields.result).map(|result| self.result(result, context).0);
        (parameters, result)
    }

    /// Binds the parameters and named results of a function in its scope and returns parameters and result.
    pub(super) fn bind_signature(&mut self, node: Node<'a>, inner: Context) -> (Vec<Parameter>, Option<ExprId>) {
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

    /// Binds parameters in a function's scope, except blank ones.
    fn bind_parameters(&mut self, parameters: &[Parameter], position: u32, scope: ScopeId) {
        let blank = self.facts.atom(BLANK);
        for parameter in parameters.iter().filter(|parameter| parameter.name != blank) {
            let kind = BindingKind::Parameter { value_type: parameter.value_type, value: None };
            self.facts.bind(scope, parameter.name, position, kind);
        }
    }

    /// Returns the type of a result (a tuple for several) and the result parameters, if it is a list.
    fn result(&mut self, node: Node<'a>, context: Context) -> (ExprId, Vec<Parameter>) {
        if kind(node) != Kind::ParameterList {
            return (self.type_expr(node, context), Vec::new());
        }
        let named = self.parameters(node, context);
        let types: Vec<ExprId> = named.iter().map(|parameter| parameter.value_type.unwrap_or(self.unknown)).collect();
        let expr = if types.len() == 1 { types[0] } else { self.facts.expr(Expr::Tuple(types)) };
        (expr, named)
    }

    /// Returns the parameters of a list. Unnamed ones get the blank identifier.
    pub(super) fn parameters(&mut self, node: Node<'a>, context: Context) -> Vec<Parameter> {
        let mut parameters = Vec::new();
        for declaration in self.children(node) {
            let Some(type_node) = self.child(declaration, self.fields.value_type) else { continue };
            let mut value_type = self.type_expr(type_node, context);
            if kind(declaration) == Kind::VariadicParameter {
                value_type = self.facts.builtin(SLICE, vec![value_type]);
            }
            let names = self.children_by_field(declaration, self.fields.name);
            if names.is_empty() {
                let name = self.facts.atom(BLANK);
                parameters.push(Parameter { name, value_type: Some(value_type), arguments: ArgumentCount::One });
            }
            for name in names {
                let name = self.atom(name);
                parameters.push(Parameter { name, value_type: Some(value_type), arguments: ArgumentCount::One });
            }
        }
        parameters
    }

    /// Adds a function type.
    pub(super) fn function_type(&mut self, parameters: &[Parameter], result: Option<ExprId>) -> ExprId {
        let params = parameters.iter().map(|parameter| parameter.value_type.unwrap_or(self.unknown)).collect();
        self.facts.expr(Expr::Function { params, result })
    }

    /// Binds a definition's type parameters in its scope and returns them with their constraints.
    pub(super) fn bind_type_parameters(&mut self, list: Node<'a>, id: DefId, context: Context) -> Vec<TypeParameter> {
        let names = self.type_parameter_declarations(list);
        for (index, (name, _)) in names.iter().enumerate() {
            let kind = BindingKind::TypeParameter(id, index as u16);
            self.facts.bind(context.scope, *name, list.start_byte() as u32, kind);
        }
        self.type_parameters(names, context)
    }

    /// Returns names and constraint nodes of a type parameter list. The constraints are walked later, because they may
    /// refer to the names.
    fn type_parameter_declarations(&mut self, node: Node<'a>) -> Vec<(Atom, Option<Node<'a>>)> {
        let mut names = Vec::new();
        for declaration in self.children(node) {
            let constraint = self.child(declaration, self.fields.value_type);
            for name in self.children_by_field(declaration, self.fields.name) {
                names.push((self.atom(name), constraint));
            }
        }
        names
    }

    /// Walks the constraints of type parameters.
    fn type_parameters(&mut self, names: Vec<(Atom, Option<Node<'a>>)>, context: Context) -> Vec<TypeParameter> {
        let mut parameters = Vec::with_capacity(names.len());
        for (name, constraint) in names {
            let bounds = constraint.map(|node| self.type_expr(node, context)).into_iter().collect();
            parameters.push(TypeParameter { name, bounds });
        }
        parameters
    }
}
