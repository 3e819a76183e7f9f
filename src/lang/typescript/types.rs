//! Type annotations and type expressions.

use tree_sitter::Node;

use super::builtins::{CONSTRUCT_SIGNATURE, TYPE_PREDICATE};
use super::grammar::Kind;
use super::walker::{ContextualType, Walker};
use crate::facts::{Expr, ExprId, Role};

impl<'a> Walker<'a> {
    /// Visits the type in an annotation, constraint, default or result.
    pub fn annotation(&mut self, node: Node<'a>) -> ExprId {
        match self.kind(node) {
            Kind::AssertsAnnotation | Kind::Asserts | Kind::TypePredicateAnnotation | Kind::TypePredicate => {
                self.type_predicate(node)
            }
            _ => match self.children(node).last() {
                Some(&inner) => self.type_expr(inner),
                None => self.common.unknown,
            },
        }
    }

    /// Visits `x is T` or `asserts x is T` and returns a boolean with `T` as its argument.
    fn type_predicate(&mut self, node: Node<'a>) -> ExprId {
        if self.kind(node) == Kind::TypePredicate {
            let narrowed = self.field(node, self.fields.annotation).map(|type_node| self.type_expr(type_node));
            let is_of_this = self.field(node, self.fields.name).is_some_and(|name| self.kind(name) == Kind::This);
            return match narrowed.filter(|_| !is_of_this) {
                Some(narrowed) => self.facts.builtin(TYPE_PREDICATE, vec![narrowed]),
                None => self.common.boolean,
            };
        }
        let unknown = self.common.unknown;
        for child in self.children(node) {
            if matches!(self.kind(child), Kind::TypePredicate | Kind::Asserts) {
                return self.descend(unknown, |walker| walker.type_predicate(child));
            }
        }
        unknown
    }

    /// Visits a type, references the names in it and returns its expression.
    pub fn type_expr(&mut self, node: Node<'a>) -> ExprId {
        let unknown = self.common.unknown;
        self.descend(unknown, |walker| walker.type_inner(node))
    }

    fn type_inner(&mut self, node: Node<'a>) -> ExprId {
        match self.kind(node) {
            Kind::TypeIdentifier | Kind::Identifier => self.type_name(node),
            Kind::NestedType | Kind::NestedIdentifier | Kind::Member => self.qualified_type(node),
            Kind::GenericType => {
                let base = self.field(node, self.fields.name).map(|name| self.type_expr(name));
                let args = self.field(node, self.fields.type_arguments).map(|args| self.type_arguments(args));
                let base = base.unwrap_or(self.common.unknown);
                self.facts.expr(Expr::Apply { base, args: args.unwrap_or_default() })
            }
            Kind::PredefinedType => self.predefined_type(node),
            Kind::ArrayType => {
                let item = self.last_type(node);
                self.facts.builtin("Array", vec![item])
            }
            Kind::ReadonlyType | Kind::ParenthesizedType | Kind::OptionalType => self.last_type(node),
            Kind::RestType => {
                let item = self.last_type(node);
                if item == self.common.unknown { item } else { self.facts.expr(Expr::Element(item)) }
            }
            Kind::UnionType | Kind::IntersectionType => {
                let mut parts = Vec::new();
                self.collect_members(node, &mut parts);
                self.union(parts)
            }
            Kind::TupleType => {
                let parts = self.children(node).into_iter().map(|part| self.tuple_part(part)).collect();
                self.facts.expr(Expr::Tuple(parts))
            }
            Kind::ObjectType => self.object_type(node),
            Kind::FunctionType => self.function_type(node),
            Kind::ConstructorType => {
                let constructor = self.function_type(node);
                let name = self.facts.atom(CONSTRUCT_SIGNATURE);
                self.object(vec![(name, constructor)])
            }
            Kind::LiteralType | Kind::TemplateType => self.literal_type(node),
            Kind::TypeQuery => self.type_query(node),
            Kind::LookupType => self.lookup_type(node),
            Kind::ConditionalType => self.conditional_type(node),
            Kind::ThisType | Kind::This => self.facts.expr(Expr::ReceiverType),
            Kind::IndexTypeQuery => {
                self.last_type(node);
                self.common.string
            }
            Kind::InferType => self.infer_type(node),
            Kind::TypePredicate | Kind::Asserts => self.type_predicate(node),
            Kind::Call => self.inline_import_type(node),
            Kind::Comment => self.common.unknown,
            _ => {
                for child in self.children(node) {
                    self.type_expr(child);
                }
                self.common.unknown
            }
        }
    }

    fn last_type(&mut self, node: Node<'a>) -> ExprId {
        match self.children(node).last() {
            Some(&inner) => self.type_expr(inner),
            None => self.common.unknown,
        }
    }

    fn type_name(&mut self, node: Node<'a>) -> ExprId {
        let atom = self.atom_with_word(node);
        let name = self.name(atom);
        if !self.type_parameter_names.contains(&atom) {
            self.add_reference(name, node, Role::Type);
        }
        name
    }

    /// Visits `module.Type`.
    fn qualified_type(&mut self, node: Node<'a>) -> ExprId {
        let fields = self.fields;
        let base = self.field(node, fields.module).or_else(|| self.field(node, fields.object));
        let name = self.field(node, fields.name).or_else(|| self.field(node, fields.property));
        let (Some(base_node), Some(name_node)) = (base, name) else { return self.common.unknown };
        let base = match self.kind(base_node) {
            Kind::Identifier => {
                let atom = self.atom_with_word(base_node);
                let name = self.name(atom);
                self.add_reference(name, base_node, Role::Read);
                name
            }
            _ => self.type_expr(base_node),
        };
        let atom = self.atom_with_word(name_node);
        let member = self.member(base, atom);
        let role = if self.kind(node) == Kind::NestedType { Role::Type } else { Role::Read };
        self.add_reference(member, name_node, role);
        member
    }

    fn predefined_type(&mut self, node: Node<'a>) -> ExprId {
        match self.text_of(node) {
            "string" => self.common.string,
            "number" => self.common.number,
            "boolean" => self.common.boolean,
            "any" | "unknown" | "never" | "void" => self.common.unknown,
            other => self.facts.builtin(other, Vec::new()),
        }
    }

    fn collect_members(&mut self, node: Node<'a>, parts: &mut Vec<ExprId>) {
        for child in self.children(node) {
            if self.kind(child) == self.kind(node) {
                self.descend((), |walker| walker.collect_members(child, parts));
            } else {
                parts.push(self.type_expr(child));
            }
        }
    }

    fn tuple_part(&mut self, node: Node<'a>) -> ExprId {
        match self.kind(node) {
            Kind::RequiredParameter | Kind::OptionalParameter => match self.field(node, self.fields.annotation) {
                Some(annotation) => self.annotation(annotation),
                None => self.common.unknown,
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
        let names = self.type_parameter_names.len();
        self.type_parameters(node, None);
        let params = self.parameter_types(node);
        let result_node =
            self.field(node, self.fields.return_type).or_else(|| self.field(node, self.fields.annotation));
        let result = result_node.map(|result| match self.kind(result) {
            Kind::TypeAnnotation | Kind::TypePredicateAnnotation | Kind::AssertsAnnotation => self.annotation(result),
            _ => self.type_expr(result),
        });
        self.type_parameter_names.truncate(names);
        let unknown = self.common.unknown;
        self.facts.expr(Expr::Function { params, result: result.filter(|result| *result != unknown) })
    }

    fn parameter_types(&mut self, node: Node<'a>) -> Vec<ExprId> {
        let Some(list) = self.field(node, self.fields.parameters) else { return Vec::new() };
        let mut params = Vec::new();
        for parameter in self.children(list) {
            let pattern = self.field(parameter, self.fields.pattern);
            let annotation =
                self.field(parameter, self.fields.annotation).map(|annotation| self.annotation(annotation));
            if pattern.is_some_and(|pattern| self.kind(pattern) == Kind::This) {
                continue;
            }
            params.push(annotation.unwrap_or(self.common.unknown));
        }
        params
    }

    fn literal_type(&mut self, node: Node<'a>) -> ExprId {
        let mut result = self.common.string;
        for child in self.children(node) {
            result = match self.kind(child) {
                Kind::String => self.common.string,
                Kind::Number | Kind::Unary => self.common.number,
                Kind::True | Kind::False => self.common.boolean,
                Kind::Null | Kind::Undefined => self.common.unknown,
                Kind::StringFragment => self.common.string,
                _ => {
                    self.type_expr(child);
                    self.common.string
                }
            };
            if self.kind(child) == Kind::String {
                self.add_body_words(self.text_of(child));
            }
        }
        result
    }

    /// Visits `typeof x`.
    fn type_query(&mut self, node: Node<'a>) -> ExprId {
        let mut value = self.common.unknown;
        for child in self.children(node) {
            if self.kind(child) == Kind::TypeArguments {
                self.type_arguments(child);
            } else {
                value = self.value(child, ContextualType::None);
            }
        }
        if value == self.common.unknown { value } else { self.type_of(value) }
    }

    /// Visits `T['key']` or `T[number]`.
    fn lookup_type(&mut self, node: Node<'a>) -> ExprId {
        let parts = self.children(node);
        let (Some(&object), Some(&index)) = (parts.first(), parts.get(1)) else { return self.common.unknown };
        let object = self.type_expr(object);
        self.type_expr(index);
        if object == self.common.unknown {
            return object;
        }
        let instance = self.instance(object);
        let literal = self.children(index).first().copied().filter(|literal| self.kind(*literal) == Kind::String);
        if let Some(key) = literal.and_then(|literal| self.string_value(literal)) {
            let name = self.facts.atom(key);
            let member = self.member(instance, name);
            return self.facts.expr(Expr::TypeOf(member));
        }
        if self.text_of(index) != "number" {
            return self.common.unknown;
        }
        let element = self.facts.expr(Expr::Index(instance));
        self.facts.expr(Expr::TypeOf(element))
    }

    /// Visits `A extends B ? C : D` and returns the union of its branches.
    fn conditional_type(&mut self, node: Node<'a>) -> ExprId {
        let names = self.type_parameter_names.len();
        let fields = self.fields;
        for field in [fields.left, fields.right] {
            if let Some(part) = self.field(node, field) {
                self.type_expr(part);
            }
        }
        let mut branches = Vec::new();
        for field in [fields.consequence, fields.alternative] {
            if let Some(branch) = self.field(node, field) {
                branches.push(self.type_expr(branch));
            }
        }
        self.type_parameter_names.truncate(names);
        self.union(branches)
    }

    fn infer_type(&mut self, node: Node<'a>) -> ExprId {
        for (number, child) in self.children(node).into_iter().enumerate() {
            if number == 0 {
                let atom = self.facts.atom(self.text_of(child));
                self.type_parameter_names.push(atom);
            } else {
                self.type_expr(child);
            }
        }
        self.common.unknown
    }
}
