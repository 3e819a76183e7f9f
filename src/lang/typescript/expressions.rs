//! Expressions. Each is visited once: its references are recorded and its value is returned.

use tree_sitter::Node;

use super::grammar::Kind;
use super::walker::{ContextualType, Walker};
use crate::facts::{Expr, ExprId, Role};

/// Maximum number of items of an array literal whose types are kept apart, as a tuple.
const MAX_TUPLE_ITEMS: usize = 12;
/// Maximum length in bytes of a string literal that can be a name, a path or a key.
const MAX_STRING_VALUE: usize = 200;

impl<'a> Walker<'a> {
    /// Visits an expression and returns its value.
    pub fn value(&mut self, node: Node<'a>, contextual: ContextualType) -> ExprId {
        self.value_as(node, Role::Read, contextual)
    }

    /// Visits the initializer of a variable. `holder` is `this` in the methods of an object literal.
    pub fn initializer_value(&mut self, node: Node<'a>, contextual: ContextualType, holder: ExprId) -> ExprId {
        let inner = self.unwrapped(node);
        if self.kind(inner) == Kind::Object {
            return self.object_literal(inner, contextual, Some(holder));
        }
        self.value(node, contextual)
    }

    /// Visits an expression that is referenced with `role`.
    pub fn value_as(&mut self, node: Node<'a>, role: Role, contextual: ContextualType) -> ExprId {
        let unknown = self.common.unknown;
        self.descend(unknown, |walker| walker.evaluate(node, role, contextual))
    }

    fn evaluate(&mut self, node: Node<'a>, role: Role, contextual: ContextualType) -> ExprId {
        match self.kind(node) {
            Kind::Identifier => self.identifier(node, role),
            Kind::Member => self.member_access(node, role),
            Kind::Subscript => self.subscript(node),
            Kind::Call => self.call(node),
            Kind::New => self.new_expression(node),
            Kind::Arrow | Kind::FunctionExpression | Kind::GeneratorFunction => self.lambda(node, contextual),
            Kind::Class => {
                let id = self.class(node, node, None);
                self.facts.expr(Expr::Definition(id))
            }
            Kind::Object => self.object_literal(node, contextual, None),
            Kind::Array => self.array(node, contextual),
            Kind::Parenthesized | Kind::NonNull | Kind::Sequence => self.last_child(node, role, contextual),
            Kind::As | Kind::Satisfies => self.cast(node, contextual),
            Kind::Assertion => self.assertion(node),
            Kind::Await => {
                let inner = self.last_child(node, Role::Read, ContextualType::None);
                if inner == self.common.unknown { inner } else { self.facts.expr(Expr::Unwrap(inner)) }
            }
            Kind::Assignment => self.assignment(node),
            Kind::AugmentedAssignment => self.augmented(node),
            Kind::Binary => self.binary(node, contextual),
            Kind::Ternary => self.ternary(node, contextual),
            Kind::Unary => self.unary(node),
            Kind::Update => {
                self.last_child(node, Role::Write, ContextualType::None);
                self.common.number
            }
            Kind::This => self.context.this,
            Kind::Super => self.facts.expr(Expr::Parent),
            Kind::String => {
                self.add_body_words(self.text_of(node));
                self.common.string
            }
            Kind::TemplateString => self.template(node),
            Kind::Number => self.common.number,
            Kind::True | Kind::False => self.common.boolean,
            Kind::Regex => self.facts.builtin("RegExp", Vec::new()),
            Kind::Null | Kind::Undefined => self.common.unknown,
            Kind::JsxElement | Kind::JsxSelfClosing => self.jsx(node),
            Kind::Instantiation => self.instantiation(node, role),
            Kind::Spread | Kind::Yield | Kind::JsxExpression => {
                self.last_child(node, Role::Read, ContextualType::None);
                self.common.unknown
            }
            Kind::Comment => self.common.unknown,
            _ => {
                for child in self.children(node) {
                    self.statement(child);
                }
                self.common.unknown
            }
        }
    }

    /// Visits all children and returns the value of the last one.
    fn last_child(&mut self, node: Node<'a>, role: Role, contextual: ContextualType) -> ExprId {
        let mut value = self.common.unknown;
        for child in self.children(node) {
            value = self.value_as(child, role, contextual);
        }
        value
    }

    /// Returns the expression inside parentheses, non-null assertions and `satisfies`.
    pub fn unwrapped(&mut self, node: Node<'a>) -> Node<'a> {
        let mut node = node;
        for _ in 0..8 {
            if !matches!(self.kind(node), Kind::Parenthesized | Kind::NonNull | Kind::Satisfies) {
                break;
            }
            match self.children(node).first() {
                Some(&inner) => node = inner,
                None => break,
            }
        }
        node
    }

    /// Returns the function literal in a value, and the `as` cast around it, if any.
    pub fn function_literal(&mut self, value: Node<'a>) -> Option<(Node<'a>, Option<Node<'a>>)> {
        let mut cast = None;
        let mut node = self.unwrapped(value);
        for _ in 0..4 {
            if self.kind(node) != Kind::As {
                break;
            }
            cast = cast.or(Some(node));
            let inner = self.children(node).first().copied()?;
            node = self.unwrapped(inner);
        }
        self.is_function(node).then_some((node, cast))
    }

    /// Returns whether a node is a function literal.
    pub fn is_function(&self, node: Node<'a>) -> bool {
        matches!(self.kind(node), Kind::Arrow | Kind::FunctionExpression | Kind::GeneratorFunction)
    }

    /// Visits an identifier. A name with an override that is read has the override's value and is not referenced.
    pub fn identifier(&mut self, node: Node<'a>, role: Role) -> ExprId {
        let text = self.text_of(node);
        if text == "undefined" {
            return self.common.unknown;
        }
        let atom = self.atom_with_word(node);
        let override_value = self.name_override(atom);
        if let (Some(override_value), Role::Read | Role::Destructure) = (override_value, role) {
            return override_value;
        }
        let name = self.name(atom);
        self.add_reference(name, node, role);
        override_value.unwrap_or(name)
    }

    fn member_access(&mut self, node: Node<'a>, role: Role) -> ExprId {
        let (Some(object), Some(property)) =
            (self.field(node, self.fields.object), self.field(node, self.fields.property))
        else {
            return self.common.unknown;
        };
        self.environment_signal(object, property);
        let base = self.value(object, ContextualType::None);
        let name = self.atom_with_word(property);
        let member = self.member(base, name);
        self.add_reference(member, property, role);
        member
    }

    fn subscript(&mut self, node: Node<'a>) -> ExprId {
        let (Some(object), Some(index)) = (self.field(node, self.fields.object), self.field(node, self.fields.index))
        else {
            return self.common.unknown;
        };
        let base = self.value(object, ContextualType::None);
        match self.kind(index) {
            Kind::String => {
                self.environment_signal(object, index);
                let Some(key) = self.string_value(index) else { return self.common.unknown };
                self.add_body_words(key);
                let name = self.facts.atom(key);
                let member = self.member(base, name);
                self.add_reference(member, index, Role::Read);
                member
            }
            Kind::Number if base != self.common.unknown => match self.text_of(index).parse() {
                Ok(index) => self.facts.expr(Expr::Item(base, index)),
                Err(_) => self.common.unknown,
            },
            _ => {
                self.value(index, ContextualType::None);
                if base == self.common.unknown { base } else { self.facts.expr(Expr::Index(base)) }
            }
        }
    }

    fn array(&mut self, node: Node<'a>, contextual: ContextualType) -> ExprId {
        let expected = match self.expected(contextual) {
            Some(expected) => ContextualType::Value(self.facts.expr(Expr::Index(expected))),
            None => ContextualType::None,
        };
        let mut items = Vec::new();
        let mut is_tuple = true;
        for child in self.children(node) {
            if self.kind(child) == Kind::Spread {
                is_tuple = false;
                let spread = self.last_child(child, Role::Read, ContextualType::None);
                if spread != self.common.unknown {
                    items.push(self.facts.expr(Expr::Element(spread)));
                }
            } else {
                items.push(self.value(child, expected));
            }
        }
        if is_tuple && !items.is_empty() && items.len() <= MAX_TUPLE_ITEMS {
            return self.facts.expr(Expr::Tuple(items));
        }
        let item = self.union(items);
        self.facts.builtin("Array", vec![item])
    }

    fn cast(&mut self, node: Node<'a>, contextual: ContextualType) -> ExprId {
        let is_satisfies = self.kind(node) == Kind::Satisfies;
        let children = self.children(node);
        let (Some(&expression), type_node) = (children.first(), children.get(1).copied()) else {
            return self.common.unknown;
        };
        // `as const` has no type.
        let Some(type_node) = type_node.filter(|node| self.text_of(*node) != "const") else {
            return self.value(expression, contextual);
        };
        let type_expr = self.type_expr(type_node);
        let instance = self.instance(type_expr);
        let value = self.value(expression, ContextualType::Value(instance));
        if is_satisfies || instance == self.common.unknown { value } else { instance }
    }

    /// Visits `<Type>value`.
    fn assertion(&mut self, node: Node<'a>) -> ExprId {
        let mut instance = self.common.unknown;
        for child in self.children(node) {
            if self.kind(child) == Kind::TypeArguments {
                let args = self.type_arguments(child);
                if let Some(&first) = args.first() {
                    instance = self.instance(first);
                }
            } else {
                self.value(child, ContextualType::Value(instance));
            }
        }
        instance
    }

    fn binary(&mut self, node: Node<'a>, contextual: ContextualType) -> ExprId {
        let fields = self.fields;
        let (Some(left), Some(right)) = (self.field(node, fields.left), self.field(node, fields.right)) else {
            return self.common.unknown;
        };
        let operator = self.field(node, fields.operator).map_or("", |operator| operator.kind());
        let first = self.value(left, contextual);
        let mark = self.name_overrides.len();
        match operator {
            "&&" => {
                let holds = self.narrowings(left, true);
                self.name_overrides.extend(holds);
            }
            "||" => {
                let fails = self.narrowings(left, false);
                self.name_overrides.extend(fails);
            }
            _ => {}
        }
        let second = self.value(right, contextual);
        self.name_overrides.truncate(mark);
        match operator {
            "||" | "??" => self.union(vec![first, second]),
            "&&" => second,
            "+" if first == self.common.string || second == self.common.string => self.common.string,
            "+" => self.common.unknown,
            "-" | "*" | "/" | "%" | "**" | "|" | "&" | "^" | "<<" | ">>" | ">>>" => self.common.number,
            _ => self.common.boolean,
        }
    }

    fn ternary(&mut self, node: Node<'a>, contextual: ContextualType) -> ExprId {
        let fields = self.fields;
        let Some(condition) = self.field(node, fields.condition) else { return self.common.unknown };
        self.value(condition, ContextualType::None);
        let mut parts = Vec::new();
        for (field, holds) in [(fields.consequence, true), (fields.alternative, false)] {
            let Some(branch) = self.field(node, field) else { continue };
            let mark = self.name_overrides.len();
            let narrowed = self.narrowings(condition, holds);
            self.name_overrides.extend(narrowed);
            parts.push(self.value(branch, contextual));
            self.name_overrides.truncate(mark);
        }
        self.union(parts)
    }

    fn unary(&mut self, node: Node<'a>) -> ExprId {
        self.last_child(node, Role::Read, ContextualType::None);
        match self.field(node, self.fields.operator).map_or("", |operator| operator.kind()) {
            "!" | "delete" => self.common.boolean,
            "typeof" => self.common.string,
            "void" => self.common.unknown,
            _ => self.common.number,
        }
    }

    fn template(&mut self, node: Node<'a>) -> ExprId {
        for child in self.children(node) {
            if self.kind(child) == Kind::TemplateSubstitution {
                self.last_child(child, Role::Read, ContextualType::None);
            } else {
                self.add_body_words(self.text_of(child));
            }
        }
        self.common.string
    }

    /// Visits `f<T>` without a call.
    fn instantiation(&mut self, node: Node<'a>, role: Role) -> ExprId {
        let mut base = self.common.unknown;
        let mut args = Vec::new();
        for child in self.children(node) {
            if self.kind(child) == Kind::TypeArguments {
                args = self.type_arguments(child);
            } else {
                base = self.value_as(child, role, ContextualType::None);
            }
        }
        self.facts.expr(Expr::Apply { base, args })
    }

    /// Returns the content of a string literal, if it has at most [`MAX_STRING_VALUE`] bytes.
    pub fn string_value(&self, node: Node<'a>) -> Option<&'a str> {
        let text = self.text_of(node);
        let inner = text.get(1..text.len().checked_sub(1)?)?;
        (inner.len() <= MAX_STRING_VALUE).then_some(inner)
    }

    /// Visits `left += right` and returns the new value of the target, which is known for logical assignments only.
    fn augmented(&mut self, node: Node<'a>) -> ExprId {
        let fields = self.fields;
        let (Some(left), Some(right)) = (self.field(node, fields.left), self.field(node, fields.right)) else {
            return self.common.unknown;
        };
        let target = self.value_as(left, Role::Write, ContextualType::None);
        let value = self.value(right, ContextualType::Value(target));
        match self.field(node, fields.operator).map_or("", |operator| operator.kind()) {
            "||=" | "??=" | "&&=" => self.union(vec![target, value]),
            _ => self.common.unknown,
        }
    }
}
