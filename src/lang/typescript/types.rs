//! Types as written.

use tree_sitter::Node;

use super::grammar::Kind;
use super::walker::{Context, Walker};
use crate::facts::{Expr, ExprId, Role};

impl<'a> Walker<'a> {
    /// The type inside `: T`, a constraint, a default or a result annotation.
    pub fn annotation(&mut self, node: Node<'a>) -> ExprId {
        match self.kind(node) {
            Kind::AssertsAnnotation | Kind::Asserts | Kind::TypePredicateAnnotation | Kind::TypePredicate => {
                self.predicate(node)
            }
            _ => match self.children(node).last() {
                Some(&inner) => self.type_at(inner),
                None => self.common.unknown,
            },
        }
    }

    /// `x is T`, `asserts x is T`: a boolean that also tells a type.
    fn predicate(&mut self, node: Node<'a>) -> ExprId {
        if self.kind(node) == Kind::TypePredicate {
            let told = self.field(node, self.fields.annotation).map(|type_node| self.type_at(type_node));
            let is_of_this = self.field(node, self.fields.name).is_some_and(|name| self.kind(name) == Kind::This);
            return match told.filter(|_| !is_of_this) {
                Some(told) => self.facts.builtin("is", vec![told]),
                None => self.common.boolean,
            };
        }
        let unknown = self.common.unknown;
        for child in self.children(node) {
            if matches!(self.kind(child), Kind::TypePredicate | Kind::Asserts) {
                return self.deeper(unknown, |walker| walker.predicate(child));
            }
        }
        unknown
    }

    /// A type, with the uses in it recorded.
    pub fn type_at(&mut self, node: Node<'a>) -> ExprId {
        let unknown = self.common.unknown;
        self.deeper(unknown, |walker| walker.read_type(node))
    }

    fn read_type(&mut self, node: Node<'a>) -> ExprId {
        match self.kind(node) {
            Kind::TypeIdentifier | Kind::Identifier => self.type_name(node),
            Kind::NestedType | Kind::NestedIdentifier | Kind::Member => self.qualified_type(node),
            Kind::GenericType => {
                let base = self.field(node, self.fields.name).map(|name| self.type_at(name));
                let args = self.field(node, self.fields.type_arguments).map(|args| self.type_arguments(args));
                let base = base.unwrap_or(self.common.unknown);
                self.facts.expr(Expr::Apply { base, args: args.unwrap_or_default() })
            }
            Kind::PredefinedType => self.predefined(node),
            Kind::ArrayType => {
                let item = self.only_type(node);
                self.facts.builtin("Array", vec![item])
            }
            Kind::ReadonlyType | Kind::ParenthesizedType | Kind::OptionalType => self.only_type(node),
            Kind::RestType => {
                let item = self.only_type(node);
                if item == self.common.unknown { item } else { self.facts.expr(Expr::Element(item)) }
            }
            Kind::UnionType | Kind::IntersectionType => {
                let mut parts = Vec::new();
                self.collect_parts(node, &mut parts);
                self.union(parts)
            }
            Kind::TupleType => {
                let parts = self.children(node).into_iter().map(|part| self.tuple_part(part)).collect();
                self.facts.expr(Expr::Tuple(parts))
            }
            Kind::ObjectType => self.object_type(node),
            Kind::FunctionType => self.function_type(node),
            Kind::ConstructorType => {
                let made = self.function_type(node);
                let name = self.facts.atom("new");
                self.object(vec![(name, made)])
            }
            Kind::LiteralType | Kind::TemplateType => self.literal_type(node),
            Kind::TypeQuery => self.type_query(node),
            Kind::LookupType => self.lookup_type(node),
            Kind::ConditionalType => self.conditional_type(node),
            Kind::ThisType | Kind::This => self.facts.expr(Expr::ReceiverType),
            Kind::IndexTypeQuery => {
                self.only_type(node);
                self.common.string
            }
            Kind::InferType => self.infer_type(node),
            Kind::TypePredicate | Kind::Asserts => self.predicate(node),
            Kind::Call => self.inline_import_type(node),
            Kind::Comment => self.common.unknown,
            _ => {
                for child in self.children(node) {
                    self.type_at(child);
                }
                self.common.unknown
            }
        }
    }

    fn only_type(&mut self, node: Node<'a>) -> ExprId {
        match self.children(node).last() {
            Some(&inner) => self.type_at(inner),
            None => self.common.unknown,
        }
    }

    fn type_name(&mut self, node: Node<'a>) -> ExprId {
        let atom = self.atom_at(node);
        let name = self.name(atom);
        if !self.type_names.contains(&atom) {
            self.refer(name, node, Role::Type);
        }
        name
    }

    /// `module.Type`.
    fn qualified_type(&mut self, node: Node<'a>) -> ExprId {
        let fields = self.fields;
        let base = self.field(node, fields.module).or_else(|| self.field(node, fields.object));
        let name = self.field(node, fields.name).or_else(|| self.field(node, fields.property));
        let (Some(base_node), Some(name_node)) = (base, name) else { return self.common.unknown };
        let base = match self.kind(base_node) {
            Kind::Identifier => {
                let atom = self.atom_at(base_node);
                let name = self.name(atom);
                self.refer(name, base_node, Role::Read);
                name
            }
            _ => self.type_at(base_node),
        };
        let atom = self.atom_at(name_node);
        let member = self.member(base, atom);
        let role = if self.kind(node) == Kind::NestedType { Role::Type } else { Role::Read };
        self.refer(member, name_node, role);
        member
    }

    fn predefined(&mut self, node: Node<'a>) -> ExprId {
        match self.source(node) {
            "string" => self.common.string,
            "number" => self.common.number,
            "boolean" => self.common.boolean,
            "any" | "unknown" | "never" | "void" => self.common.unknown,
            other => self.facts.builtin(other, Vec::new()),
        }
    }

    fn collect_parts(&mut self, node: Node<'a>, parts: &mut Vec<ExprId>) {
        for child in self.children(node) {
            if self.kind(child) == self.kind(node) {
                self.deeper((), |walker| walker.collect_parts(child, parts));
            } else {
                parts.push(self.type_at(child));
            }
        }
    }

    fn tuple_part(&mut self, node: Node<'a>) -> ExprId {
        match self.kind(node) {
            Kind::RequiredParameter | Kind::OptionalParameter => match self.field(node, self.fields.annotation) {
                Some(annotation) => self.annotation(annotation),
                None => self.common.unknown,
            },
            _ => self.type_at(node),
        }
    }

    /// Generic arguments.
    pub fn type_arguments(&mut self, node: Node<'a>) -> Vec<ExprId> {
        self.children(node).into_iter().map(|argument| self.type_at(argument)).collect()
    }

    /// A function type, or a signature without a body.
    pub fn function_type(&mut self, node: Node<'a>) -> ExprId {
        let names = self.type_names.len();
        self.type_parameters(node, None);
        let params = self.parameter_types(node);
        let result_node =
            self.field(node, self.fields.return_type).or_else(|| self.field(node, self.fields.annotation));
        let result = result_node.map(|result| match self.kind(result) {
            Kind::TypeAnnotation | Kind::TypePredicateAnnotation | Kind::AssertsAnnotation => self.annotation(result),
            _ => self.type_at(result),
        });
        self.type_names.truncate(names);
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
                    self.type_at(child);
                    self.common.string
                }
            };
            if self.kind(child) == Kind::String {
                self.words(self.source(child));
            }
        }
        result
    }

    /// `typeof x`: the type of a value.
    fn type_query(&mut self, node: Node<'a>) -> ExprId {
        let mut value = self.common.unknown;
        for child in self.children(node) {
            if self.kind(child) == Kind::TypeArguments {
                self.type_arguments(child);
            } else {
                value = self.value(child, Context::None);
            }
        }
        if value == self.common.unknown { value } else { self.type_of(value) }
    }

    /// `T['key']`, `T[number]`.
    fn lookup_type(&mut self, node: Node<'a>) -> ExprId {
        let parts = self.children(node);
        let (Some(&object), Some(&index)) = (parts.first(), parts.get(1)) else { return self.common.unknown };
        let object = self.type_at(object);
        self.type_at(index);
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
        if self.source(index) != "number" {
            return self.common.unknown;
        }
        let element = self.facts.expr(Expr::Index(instance));
        self.facts.expr(Expr::TypeOf(element))
    }

    /// `A extends B ? C : D`: either branch.
    fn conditional_type(&mut self, node: Node<'a>) -> ExprId {
        let names = self.type_names.len();
        let fields = self.fields;
        for field in [fields.left, fields.right] {
            if let Some(part) = self.field(node, field) {
                self.type_at(part);
            }
        }
        let mut branches = Vec::new();
        for field in [fields.consequence, fields.alternative] {
            if let Some(branch) = self.field(node, field) {
                branches.push(self.type_at(branch));
            }
        }
        self.type_names.truncate(names);
        self.union(branches)
    }

    fn infer_type(&mut self, node: Node<'a>) -> ExprId {
        for (number, child) in self.children(node).into_iter().enumerate() {
            if number == 0 {
                let atom = self.facts.atom(self.source(child));
                self.type_names.push(atom);
            } else {
                self.type_at(child);
            }
        }
        self.common.unknown
    }
}
