//! Expressions that are read as values.

use tree_sitter::Node;

use super::grammar::Kind;
use super::walker::{Context, Walker};
use crate::facts::{Expr, ExprId, Role};

impl<'a> Walker<'a> {
    /// Walks an expression and writes down what its value is.
    pub fn value(&mut self, node: Node<'a>, context: Context) -> ExprId {
        self.value_as(node, Role::Read, context)
    }

    /// The value that a variable is initialized with; `holder` is what an object literal's functions call `this`.
    pub fn value_held_by(&mut self, node: Node<'a>, context: Context, holder: ExprId) -> ExprId {
        let inner = self.unwrapped(node);
        if self.kind(inner) == Kind::Object {
            return self.object_literal(inner, context, Some(holder));
        }
        self.value(node, context)
    }

    /// Walks an expression that is used in some role: called, assigned, read.
    pub fn value_as(&mut self, node: Node<'a>, role: Role, context: Context) -> ExprId {
        let unknown = self.common.unknown;
        self.deeper(unknown, |walker| walker.evaluate(node, role, context))
    }

    fn evaluate(&mut self, node: Node<'a>, role: Role, context: Context) -> ExprId {
        match self.kind(node) {
            Kind::Identifier => self.identifier(node, role),
            Kind::Member => self.member_access(node, role),
            Kind::Subscript => self.subscript(node),
            Kind::Call => self.call(node),
            Kind::New => self.construction(node),
            Kind::Arrow | Kind::FunctionExpression | Kind::GeneratorFunction => self.lambda(node, context),
            Kind::Class => {
                let id = self.class(node, node, None);
                self.facts.expr(Expr::Definition(id))
            }
            Kind::Object => self.object_literal(node, context, None),
            Kind::Array => self.array(node, context),
            Kind::Parenthesized | Kind::NonNull | Kind::Sequence => self.last_child(node, role, context),
            Kind::As | Kind::Satisfies => self.cast(node, context),
            Kind::Assertion => self.assertion(node),
            Kind::Await => {
                let inner = self.last_child(node, Role::Read, Context::None);
                if inner == self.common.unknown { inner } else { self.facts.expr(Expr::Unwrap(inner)) }
            }
            Kind::Assignment => self.assignment(node),
            Kind::AugmentedAssignment => self.augmented(node),
            Kind::Binary => self.binary(node, context),
            Kind::Ternary => self.ternary(node, context),
            Kind::Unary => self.unary(node),
            Kind::Update => {
                self.last_child(node, Role::Write, Context::None);
                self.common.number
            }
            Kind::This => self.place.this,
            Kind::Super => self.facts.expr(Expr::Parent),
            Kind::String => {
                self.words(self.source(node));
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
                self.last_child(node, Role::Read, Context::None);
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

    /// Every child is walked; the value is the last one's.
    fn last_child(&mut self, node: Node<'a>, role: Role, context: Context) -> ExprId {
        let mut value = self.common.unknown;
        for child in self.children(node) {
            value = self.value_as(child, role, context);
        }
        value
    }

    /// The expression inside parentheses, casts and non-null assertions.
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

    /// The function literal that a value is, casts looked through, with the cast that says its type.
    pub fn held_function(&mut self, value: Node<'a>) -> Option<(Node<'a>, Option<Node<'a>>)> {
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

    /// True for function literals.
    pub fn is_function(&self, node: Node<'a>) -> bool {
        matches!(self.kind(node), Kind::Arrow | Kind::FunctionExpression | Kind::GeneratorFunction)
    }

    /// A plain name used in some role.
    pub fn identifier(&mut self, node: Node<'a>, role: Role) -> ExprId {
        let text = self.source(node);
        if text == "undefined" {
            return self.common.unknown;
        }
        let atom = self.atom_at(node);
        let known = self.lookup(atom);
        if let (Some(known), Role::Read | Role::Destructure) = (known, role) {
            return known;
        }
        let name = self.name(atom);
        self.refer(name, node, role);
        known.unwrap_or(name)
    }

    fn member_access(&mut self, node: Node<'a>, role: Role) -> ExprId {
        let (Some(object), Some(property)) =
            (self.field(node, self.fields.object), self.field(node, self.fields.property))
        else {
            return self.common.unknown;
        };
        self.reads_environment(object, property);
        let base = self.value(object, Context::None);
        let name = self.atom_at(property);
        let member = self.member(base, name);
        self.refer(member, property, role);
        member
    }

    fn subscript(&mut self, node: Node<'a>) -> ExprId {
        let (Some(object), Some(index)) = (self.field(node, self.fields.object), self.field(node, self.fields.index))
        else {
            return self.common.unknown;
        };
        let base = self.value(object, Context::None);
        match self.kind(index) {
            Kind::String => {
                self.reads_environment(object, index);
                let Some(key) = self.string_value(index) else { return self.common.unknown };
                self.words(key);
                let name = self.facts.atom(key);
                let member = self.member(base, name);
                self.refer(member, index, Role::Read);
                member
            }
            Kind::Number if base != self.common.unknown => match self.source(index).parse() {
                Ok(place) => self.facts.expr(Expr::Item(base, place)),
                Err(_) => self.common.unknown,
            },
            _ => {
                self.value(index, Context::None);
                if base == self.common.unknown { base } else { self.facts.expr(Expr::Index(base)) }
            }
        }
    }

    fn array(&mut self, node: Node<'a>, context: Context) -> ExprId {
        let expected = match self.expected(context) {
            Some(expected) => Context::Value(self.facts.expr(Expr::Index(expected))),
            None => Context::None,
        };
        let mut items = Vec::new();
        let mut is_tuple = true;
        for child in self.children(node) {
            if self.kind(child) == Kind::Spread {
                is_tuple = false;
                let spread = self.last_child(child, Role::Read, Context::None);
                if spread != self.common.unknown {
                    items.push(self.facts.expr(Expr::Element(spread)));
                }
            } else {
                items.push(self.value(child, expected));
            }
        }
        if is_tuple && !items.is_empty() && items.len() <= 12 {
            return self.facts.expr(Expr::Tuple(items));
        }
        let item = self.union(items);
        self.facts.builtin("Array", vec![item])
    }

    fn cast(&mut self, node: Node<'a>, context: Context) -> ExprId {
        let is_satisfies = self.kind(node) == Kind::Satisfies;
        let children = self.children(node);
        let (Some(&expression), type_node) = (children.first(), children.get(1).copied()) else {
            return self.common.unknown;
        };
        // `as const` names no type.
        let Some(type_node) = type_node.filter(|node| self.source(*node) != "const") else {
            return self.value(expression, context);
        };
        let type_expr = self.type_at(type_node);
        let instance = self.instance(type_expr);
        let value = self.value(expression, Context::Value(instance));
        if is_satisfies || instance == self.common.unknown { value } else { instance }
    }

    /// `<Type>value`.
    fn assertion(&mut self, node: Node<'a>) -> ExprId {
        let mut instance = self.common.unknown;
        for child in self.children(node) {
            if self.kind(child) == Kind::TypeArguments {
                let args = self.type_arguments(child);
                if let Some(&first) = args.first() {
                    instance = self.instance(first);
                }
            } else {
                self.value(child, Context::Value(instance));
            }
        }
        instance
    }

    fn binary(&mut self, node: Node<'a>, context: Context) -> ExprId {
        let fields = self.fields;
        let (Some(left), Some(right)) = (self.field(node, fields.left), self.field(node, fields.right)) else {
            return self.common.unknown;
        };
        let operator = self.field(node, fields.operator).map_or("", |operator| operator.kind());
        let first = self.value(left, context);
        let mark = self.known.len();
        match operator {
            "&&" => {
                let holds = self.narrowings(left, true);
                self.known.extend(holds);
            }
            "||" => {
                let fails = self.narrowings(left, false);
                self.known.extend(fails);
            }
            _ => {}
        }
        let second = self.value(right, context);
        self.known.truncate(mark);
        match operator {
            "||" | "??" => self.union(vec![first, second]),
            "&&" => second,
            "+" if first == self.common.string || second == self.common.string => self.common.string,
            "+" => self.common.unknown,
            "-" | "*" | "/" | "%" | "**" | "|" | "&" | "^" | "<<" | ">>" | ">>>" => self.common.number,
            _ => self.common.boolean,
        }
    }

    fn ternary(&mut self, node: Node<'a>, context: Context) -> ExprId {
        let fields = self.fields;
        let Some(condition) = self.field(node, fields.condition) else { return self.common.unknown };
        self.value(condition, Context::None);
        let mut parts = Vec::new();
        for (field, holds) in [(fields.consequence, true), (fields.alternative, false)] {
            let Some(branch) = self.field(node, field) else { continue };
            let mark = self.known.len();
            let narrowed = self.narrowings(condition, holds);
            self.known.extend(narrowed);
            parts.push(self.value(branch, context));
            self.known.truncate(mark);
        }
        self.union(parts)
    }

    fn unary(&mut self, node: Node<'a>) -> ExprId {
        self.last_child(node, Role::Read, Context::None);
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
                self.last_child(child, Role::Read, Context::None);
            } else {
                self.words(self.source(child));
            }
        }
        self.common.string
    }

    /// `f<T>` that is not called.
    fn instantiation(&mut self, node: Node<'a>, role: Role) -> ExprId {
        let mut base = self.common.unknown;
        let mut args = Vec::new();
        for child in self.children(node) {
            if self.kind(child) == Kind::TypeArguments {
                args = self.type_arguments(child);
            } else {
                base = self.value_as(child, role, Context::None);
            }
        }
        self.facts.expr(Expr::Apply { base, args })
    }

    /// The text of a string literal.
    pub fn string_value(&self, node: Node<'a>) -> Option<&'a str> {
        let text = self.source(node);
        let inner = text.get(1..text.len().checked_sub(1)?)?;
        (inner.len() <= 200).then_some(inner)
    }

    /// `left += right` and its like: what the target holds afterwards, where the operator tells.
    fn augmented(&mut self, node: Node<'a>) -> ExprId {
        let fields = self.fields;
        let (Some(left), Some(right)) = (self.field(node, fields.left), self.field(node, fields.right)) else {
            return self.common.unknown;
        };
        let target = self.value_as(left, Role::Write, Context::None);
        let value = self.value(right, Context::Value(target));
        match self.field(node, fields.operator).map_or("", |operator| operator.kind()) {
            "||=" | "??=" | "&&=" => self.union(vec![target, value]),
            _ => self.common.unknown,
        }
    }
}
