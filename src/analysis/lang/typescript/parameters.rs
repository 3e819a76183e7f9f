//! Parameters and type parameters of functions.

use tree_sitter::Node;

use super::state::Ts;
use crate::facts::{ArgumentCount, Atom, BindingKind, DefId, Expr, ExprId, Parameter, TypeParameter};
use crate::lang::common::walker::Expected;

impl<'a> Ts<'_, 'a> {
    /// Returns type parameters. Those of a definition are bound in the current scope; those of a lambda or function
    /// type only become known as names.
    pub fn type_parameters(&mut self, node: Node<'a>, owner: Option<DefId>) -> Vec<TypeParameter> {
        let Some(list) = self.field(node, "type_parameters") else { return Vec::new() };
        let nodes = self.children(list);
        for parameter in &nodes {
            if let Some(name) = self.field(*parameter, "name") {
                let atom = self.atom_of(name);
                self.hidden_types.push(atom);
            }
        }
        let mut parameters = Vec::new();
        for node in nodes {
            let Some(name) = self.field(node, "name") else { continue };
            let atom = self.atom_of(name);
            let mut bounds = Vec::new();
            if let Some(constraint) = self.field(node, "constraint") {
                bounds.push(self.annotation(constraint));
            }
            if let Some(default) = self.field(node, "value") {
                // A default is a likely type where no argument is given, like a bound.
                bounds.push(self.annotation(default));
            }
            if let Some(owner) = owner {
                let index = parameters.len() as u16;
                let kind = BindingKind::TypeParameter(owner, index);
                self.bind_here(atom, name.start_byte() as u32, kind);
            }
            parameters.push(TypeParameter { name: atom, bounds });
        }
        parameters
    }

    /// Binds the parameters of a function in the current scope. `contextual` is the expected function, and for an
    /// argument the call that it is passed to.
    pub fn parameters(&mut self, node: Node<'a>, contextual: Option<(ExprId, Expected)>) -> Vec<Parameter> {
        let mut parameters = Vec::new();
        if let Some(single) = self.field(node, "parameter") {
            let value = self.expected_parameter(contextual, 0);
            let name = self.atom_of(single);
            self.bind_parameter(name, single, None, value);
            parameters.push(Parameter::new(name, None, ArgumentCount::One));
        }
        let Some(list) = self.field(node, "parameters") else { return parameters };
        for child in self.children(list) {
            if !matches!(child.kind(), "required_parameter" | "optional_parameter") {
                continue;
            }
            let index = parameters.len() as u16;
            if let Some(parameter) = self.parameter(child, contextual, index) {
                parameters.push(parameter);
            }
        }
        parameters
    }

    fn parameter(&mut self, node: Node<'a>, contextual: Option<(ExprId, Expected)>, index: u16) -> Option<Parameter> {
        for child in self.children(node) {
            if child.kind() == "decorator" {
                self.decorator(child);
            }
        }
        let annotation = self.field(node, "type").map(|annotation| self.annotation(annotation));
        let pattern = self.field(node, "pattern").or_else(|| self.field(node, "name"))?;
        if pattern.kind() == "this" {
            if let Some(annotation) = annotation {
                self.context.this = self.instance(annotation);
            }
            return None;
        }
        let default = self.field(node, "value").map(|value| {
            let contextual =
                annotation.map(|annotation| self.instance(annotation)).map_or(Expected::None, Expected::Value);
            self.value(value, contextual)
        });
        let (pattern, is_rest) = match pattern.kind() {
            "rest_pattern" => (self.children(pattern).first().copied().unwrap_or(pattern), true),
            _ => (pattern, false),
        };
        let value = match annotation {
            Some(_) => None,
            None if is_rest => None,
            None => self.expected_parameter(contextual, index).or(default),
        };
        if pattern.kind() != "identifier" {
            let base = match annotation {
                Some(annotation) => Some(self.instance(annotation)),
                None => value,
            };
            self.bind_pattern(pattern, base, None);
            let name = self.facts.atom("_");
            return Some(Parameter::new(name, annotation, ArgumentCount::One));
        }
        let name = self.atom_of(pattern);
        self.bind_parameter(name, pattern, annotation, value);
        Some(Parameter::new(name, annotation, ArgumentCount::One))
    }

    fn bind_parameter(&mut self, name: Atom, node: Node<'a>, value_type: Option<ExprId>, value: Option<ExprId>) {
        self.add_word_of(node);
        let kind = BindingKind::Parameter { value_type, value };
        self.bind_here(name, node.start_byte() as u32, kind);
        self.override_name(name, value_type, value);
    }

    /// Returns the contextual type of a parameter without annotation.
    fn expected_parameter(&mut self, contextual: Option<(ExprId, Expected)>, parameter: u16) -> Option<ExprId> {
        let (function, contextual) = contextual?;
        Some(match contextual {
            Expected::Argument(call, argument) => self.facts.expr(Expr::LambdaParameter { call, argument, parameter }),
            _ => self.facts.expr(Expr::ParameterOf { function, parameter }),
        })
    }
}
