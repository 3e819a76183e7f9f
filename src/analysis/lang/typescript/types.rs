//! Type annotations and type expressions.

use tree_sitter::Node;

use super::builtins::{CONSTRUCT_SIGNATURE, TYPE_PREDICATE};
use super::state::Ts;
use crate::facts::{Expr, ExprId, Role};
use crate::lang::common::walker::Expected;

impl<'a> Ts<'_, 'a> {
    /// Visits the type in an annotation, constraint, default or result.
    pub fn annotation(&mut self, node: Node<'a>) -> ExprId {
        match node.kind() {
            "asserts_annotation" | "asserts" | "type_predicate_annotation" | "type_predicate" => {
                self.type_predicate(node)
            }
            _ => match self.children(node).last() {
                Some(&inner) => self.type_expr(inner),
                None => self.unknown,
            },
        }
    }

    /// Visits `x is T` or `asserts x is T` and returns a boolean with `T` as its argument.
    pub fn type_predicate(&mut self, node: Node<'a>) -> ExprId {
        if node.kind() == "type_predicate" {
            let narrowed = self.field(node, "type").map(|type_node| self.type_expr(type_node));
            let is_of_this = self.field(node, "name").is_some_and(|name| name.kind() == "this");
            return match narrowed.filter(|_| !is_of_this) {
                Some(narrowed) => self.facts.builtin(TYPE_PREDICATE, vec![narrowed]),
                None => self.boolean(),
            };
        }
        let unknown = self.unknown;
        for child in self.children(node) {
            if matches!(child.kind(), "type_predicate" | "asserts") {
                return self.descend(unknown, |walker| walker.type_predicate(child));
            }
        }
        unknown
    }

    /// Visits `...T` in a tuple.
    pub fn rest_type(&mut self, node: Node<'a>) -> ExprId {
        let item = self.last_type(node);
        if item == self.unknown { item } else { self.facts.expr(Expr::Element(item)) }
    }

    /// Visits `new (…) => T`.
    pub fn constructor_type(&mut self, node: Node<'a>) -> ExprId {
        let constructor = self.function_type(node);
        let name = self.facts.atom(CONSTRUCT_SIGNATURE);
        self.object(vec![(name, constructor)])
    }

    /// Visits `keyof T`.
    pub fn keys_type(&mut self, node: Node<'a>) -> ExprId {
        self.last_type(node);
        self.string()
    }

    fn last_type(&mut self, node: Node<'a>) -> ExprId {
        match self.children(node).last() {
            Some(&inner) => self.type_expr(inner),
            None => self.unknown,
        }
    }

    /// Visits `module.Type`.
    pub fn qualified_type(&mut self, node: Node<'a>) -> ExprId {
        let base = self.field(node, "module").or_else(|| self.field(node, "object"));
        let name = self.field(node, "name").or_else(|| self.field(node, "property"));
        let (Some(base_node), Some(name_node)) = (base, name) else { return self.unknown };
        let base = match base_node.kind() {
            "identifier" => {
                let atom = self.atom_with_word(base_node);
                let name = self.name(atom);
                self.refer(name, base_node, Role::Read);
                name
            }
            _ => self.type_expr(base_node),
        };
        let atom = self.atom_with_word(name_node);
        let member = self.member(base, atom);
        let role = if node.kind() == "nested_type_identifier" { Role::Type } else { Role::Read };
        self.refer(member, name_node, role);
        member
    }

    /// Visits a type of the language itself.
    pub fn predefined_type(&mut self, node: Node<'a>) -> ExprId {
        match self.text_of(node) {
            "string" => self.string(),
            "number" => self.number(),
            "boolean" => self.boolean(),
            "any" | "unknown" | "never" | "void" => self.unknown,
            other => self.facts.builtin(other, Vec::new()),
        }
    }

    /// Visits a part of a tuple with a name.
    pub fn tuple_part(&mut self, node: Node<'a>) -> ExprId {
        match node.kind() {
            "required_parameter" | "optional_parameter" => match self.field(node, "type") {
                Some(annotation) => self.annotation(annotation),
                None => self.unknown,
            },
            _ => self.type_expr(node),
        }
    }

    /// Visits generic arguments.
    pub fn type_arguments(&mut self, node: Node<'a>) -> Vec<ExprId> {
        self.children(node).into_iter().map(|argument| self.type_expr(argument)).collect()
    }

    /// Visits a function type or a signature without a body.
    pub fn function_type(&mut self, node: Node<'a>) -> ExprId {
        let names = self.hidden_types.len();
        self.type_parameters(node, None);
        let params = self.parameter_types(node);
        let result_node = self.field(node, "return_type").or_else(|| self.field(node, "type"));
        let result = result_node.map(|result| match result.kind() {
            "type_annotation" | "type_predicate_annotation" | "asserts_annotation" => self.annotation(result),
            _ => self.type_expr(result),
        });
        self.hidden_types.truncate(names);
        let unknown = self.unknown;
        self.facts.expr(Expr::Function { params, result: result.filter(|result| *result != unknown) })
    }

    fn parameter_types(&mut self, node: Node<'a>) -> Vec<ExprId> {
        let Some(list) = self.field(node, "parameters") else { return Vec::new() };
        let mut params = Vec::new();
        for parameter in self.children(list) {
            let pattern = self.field(parameter, "pattern");
            let annotation = self.field(parameter, "type").map(|annotation| self.annotation(annotation));
            if pattern.is_some_and(|pattern| pattern.kind() == "this") {
                continue;
            }
            params.push(annotation.unwrap_or(self.unknown));
        }
        params
    }

    /// Visits a literal as a type.
    pub fn literal_type(&mut self, node: Node<'a>) -> ExprId {
        let mut result = self.string();
        for child in self.children(node) {
            result = match child.kind() {
                "string" => self.string(),
                "number" | "unary_expression" => self.number(),
                "true" | "false" => self.boolean(),
                "null" | "undefined" => self.unknown,
                "string_fragment" => self.string(),
                _ => {
                    self.type_expr(child);
                    self.string()
                }
            };
            if child.kind() == "string" {
                self.add_words_of(child);
            }
        }
        result
    }

    /// Visits `typeof x`.
    pub fn type_query(&mut self, node: Node<'a>) -> ExprId {
        let mut value = self.unknown;
        for child in self.children(node) {
            if child.kind() == "type_arguments" {
                self.type_arguments(child);
            } else {
                value = self.value(child, Expected::None);
            }
        }
        if value == self.unknown { value } else { self.type_of(value) }
    }

    /// Visits `T['key']` or `T[number]`.
    pub fn lookup_type(&mut self, node: Node<'a>) -> ExprId {
        let parts = self.children(node);
        let (Some(&object), Some(&index)) = (parts.first(), parts.get(1)) else { return self.unknown };
        let object = self.type_expr(object);
        self.type_expr(index);
        if object == self.unknown {
            return object;
        }
        let instance = self.instance(object);
        let literal = self.children(index).first().copied().filter(|literal| literal.kind() == "string");
        if let Some(key) = literal.and_then(|literal| self.string_value(literal)) {
            let name = self.facts.atom(key);
            let member = self.member(instance, name);
            return self.facts.expr(Expr::TypeOf(member));
        }
        if self.text_of(index) != "number" {
            return self.unknown;
        }
        let element = self.facts.expr(Expr::Index(instance));
        self.facts.expr(Expr::TypeOf(element))
    }

    /// Visits `A extends B ? C : D` and returns the union of its branches.
    pub fn conditional_type(&mut self, node: Node<'a>) -> ExprId {
        let names = self.hidden_types.len();
        for field in ["left", "right"] {
            if let Some(part) = self.field(node, field) {
                self.type_expr(part);
            }
        }
        let mut branches = Vec::new();
        for field in ["consequence", "alternative"] {
            if let Some(branch) = self.field(node, field) {
                branches.push(self.type_expr(branch));
            }
        }
        self.hidden_types.truncate(names);
        self.union(branches)
    }

    /// Visits `infer T`.
    pub fn infer_type(&mut self, node: Node<'a>) -> ExprId {
        for (number, child) in self.children(node).into_iter().enumerate() {
            if number == 0 {
                let atom = self.atom_of(child);
                self.hidden_types.push(atom);
            } else {
                self.type_expr(child);
            }
        }
        self.unknown
    }
}
