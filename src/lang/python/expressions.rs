//! Value expressions, with the references and search words in them.

use tree_sitter::Node;

use super::docs;
use super::extract::Walker;
use super::flow::MAX_RESULTS;
use super::grammar::{FIELDS, Kind, children, field, first_child, kind};
use crate::facts::{Expr, ExprId, Role};

/// Maximum size of a search word.
const MAX_WORD_BYTES: usize = 64;

/// Maximum size of a definition's search words.
const MAX_BODY_BYTES: usize = 16_384;

/// Maximum number of elements of a literal that determine its element type.
const MAX_LITERAL_ELEMENTS: usize = 4;

impl<'a> Walker<'a> {
    /// Adds an expression that is read.
    pub(super) fn value(&mut self, node: Node<'_>) -> ExprId {
        self.value_as(node, Role::Read)
    }

    /// Adds an expression that is used in a role, if it is a name or attribute; its operands are read.
    pub(super) fn value_as(&mut self, node: Node<'_>, role: Role) -> ExprId {
        match kind(node) {
            Kind::Identifier => self.identifier(node, role),
            Kind::Attribute => self.attribute(node, role),
            Kind::Call => self.call(node),
            Kind::String | Kind::ConcatenatedString => self.string(node),
            Kind::Integer => self.builtin("int"),
            Kind::Float => self.builtin("float"),
            Kind::True | Kind::False => self.builtin("bool"),
            Kind::None => self.builtin("None"),
            Kind::ParenthesizedExpression | Kind::Await | Kind::UnaryOperator => {
                self.parenthesized_or_unary(node, role)
            }
            Kind::Subscript => self.subscript(node, role),
            Kind::BinaryOperator => self.binary_operator(node),
            Kind::BooleanOperator => self.boolean_operator(node),
            Kind::ComparisonOperator | Kind::NotOperator => {
                self.each_value(node);
                self.builtin("bool")
            }
            Kind::ConditionalExpression => self.conditional_expression(node),
            Kind::List | Kind::Set => self.list_or_set(node),
            Kind::Tuple | Kind::ExpressionList | Kind::PatternList => self.tuple(node),
            Kind::Dictionary => self.dictionary(node),
            Kind::ListComprehension => self.comprehension(node, "list"),
            Kind::SetComprehension => self.comprehension(node, "set"),
            Kind::GeneratorExpression => self.comprehension(node, "Generator"),
            Kind::DictionaryComprehension => self.comprehension(node, "dict"),
            Kind::Lambda => self.lambda(node, None),
            Kind::NamedExpression => self.named_expression(node),
            Kind::Yield => self.yield_value(node),
            Kind::Type => first_child(node).map_or(self.unknown, |child| self.value_as(child, role)),
            Kind::KeywordArgument => field(node, FIELDS.value).map_or(self.unknown, |value| self.value_as(value, role)),
            Kind::Assignment => {
                self.assignment(node);
                self.unknown
            }
            Kind::Comment => self.unknown,
            _ => {
                self.each_value(node);
                self.unknown
            }
        }
    }

    /// Adds a builtin type without arguments.
    pub(super) fn builtin(&mut self, name: &str) -> ExprId {
        self.facts.builtin(name, Vec::new())
    }

    /// Walks a subtree again without recording its references, words and signals twice.
    pub(super) fn replay<T>(&mut self, walk: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.is_replay, true);
        let result = walk(self);
        self.is_replay = outer;
        result
    }

    /// Adds the words of a text to the search words of the enclosing definition.
    pub(super) fn words(&mut self, text: &str) {
        if self.is_replay {
            return;
        }
        let Some(id) = self.context.body else { return };
        let body = self.facts.body_mut(id);
        for word in text.split(|letter: char| !letter.is_alphanumeric() && letter != '_') {
            if word.len() > 1 && word.len() <= MAX_WORD_BYTES && body.len() < MAX_BODY_BYTES {
                if !body.is_empty() {
                    body.push(' ');
                }
                body.push_str(word);
            }
        }
    }

    fn identifier(&mut self, node: Node<'_>, role: Role) -> ExprId {
        let text = self.text_of(node);
        self.words(text);
        let name = self.facts.atom(text);
        if let Some(local) = self.frame.locals.get(name) {
            return local;
        }
        if let Some((receiver, expr)) = self.frame.receiver
            && receiver == name
        {
            return expr;
        }
        let expr = self.facts.expr(Expr::Name(name));
        self.add_reference(expr, node.start_byte(), role);
        expr
    }

    fn attribute(&mut self, node: Node<'_>, role: Role) -> ExprId {
        let (Some(object), Some(name)) = (field(node, FIELDS.object), field(node, FIELDS.attribute)) else {
            return self.unknown;
        };
        let base = self.value(object);
        let text = self.text_of(name);
        self.words(text);
        if text == "__class__" && matches!(self.facts.get(base), Expr::Receiver) {
            return self.facts.expr(Expr::ReceiverType);
        }
        let expr = self.facts.member(base, text);
        self.add_reference(expr, name.start_byte(), role);
        self.narrowed_path(node, role).unwrap_or(expr)
    }

    /// Returns the narrowed value of an attribute.
    fn narrowed_path(&mut self, node: Node<'_>, role: Role) -> Option<ExprId> {
        if self.frame.narrowed_paths.is_empty() || role == Role::Write {
            return None;
        }
        let text = self.text_of(node);
        let path = self.frame.narrowed_paths.iter().copied().find(|path| self.facts.text(*path) == text)?;
        self.frame.locals.get(path)
    }

    /// Adds `(x)`, `await x` or `-x`.
    fn parenthesized_or_unary(&mut self, node: Node<'_>, role: Role) -> ExprId {
        let inner = first_child(node).map_or(self.unknown, |child| self.value_as(child, role));
        match kind(node) {
            Kind::Await => self.facts.expr(Expr::Unwrap(inner)),
            _ => inner,
        }
    }

    /// Adds a string: its words and the values it interpolates.
    pub(super) fn string(&mut self, node: Node<'_>) -> ExprId {
        for child in children(node) {
            match kind(child) {
                Kind::StringContent => {
                    let text = self.text_of(child);
                    self.words(text);
                }
                Kind::Interpolation => self.each_value(child),
                Kind::String => {
                    self.string(child);
                }
                _ => {}
            }
        }
        let is_bytes = self.text_of(node).as_bytes().first().is_some_and(|first| matches!(first, b'b' | b'B'));
        self.builtin(if is_bytes { "bytes" } else { "str" })
    }

    /// Returns the content of a string literal without interpolations.
    pub(super) fn string_literal(&self, node: Node<'_>) -> Option<&'a str> {
        let plain = kind(node) == Kind::String && children(node).iter().all(|part| kind(*part) != Kind::Interpolation);
        plain.then(|| docs::string_content(node, self.text))
    }

    fn subscript(&mut self, node: Node<'_>, role: Role) -> ExprId {
        let Some(value) = field(node, FIELDS.value) else { return self.unknown };
        self.environ_subscript(node, value);
        let base = self.value(value);
        if role == Role::Call && self.last_name(value).starts_with(|letter: char| letter.is_uppercase()) {
            return self.generic_class(node, base);
        }
        let mut is_slice = false;
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor).skip(1) {
            is_slice = kind(child) == Kind::Slice;
            self.value(child);
        }
        if is_slice { base } else { self.facts.expr(Expr::Index(base)) }
    }

    /// Adds `Box[int]` as a callee: type arguments, not an index.
    fn generic_class(&mut self, node: Node<'_>, base: ExprId) -> ExprId {
        let mut cursor = node.walk();
        let argument_nodes: Vec<_> = node.named_children(&mut cursor).skip(1).collect();
        let args = argument_nodes.into_iter().map(|argument| self.annotation(argument)).collect();
        self.facts.expr(Expr::Apply { base, args })
    }

    /// Adds a binary operator as a call of the left operand's method.
    fn binary_operator(&mut self, node: Node<'_>) -> ExprId {
        let (Some(left), Some(right)) = (field(node, FIELDS.left), field(node, FIELDS.right)) else {
            return self.unknown;
        };
        let left = self.value(left);
        let right = self.value(right);
        let method = match field(node, FIELDS.operator).map(|operator| operator.kind()) {
            Some("+") => "__add__",
            Some("-") => "__sub__",
            Some("*") => "__mul__",
            Some("/") => "__truediv__",
            Some("%") => "__mod__",
            Some("|") => "__or__",
            Some("&") => "__and__",
            _ => return self.unknown,
        };
        if matches!(self.facts.get(left), Expr::Unknown) {
            return self.unknown;
        }
        let callee = self.facts.member(left, method);
        self.facts.expr(Expr::Call { callee, args: vec![right] })
    }

    /// Adds `a and b` or `a or b`, of which the left operand narrows the right one.
    fn boolean_operator(&mut self, node: Node<'_>) -> ExprId {
        let (Some(left), Some(right)) = (field(node, FIELDS.left), field(node, FIELDS.right)) else {
            return self.unknown;
        };
        let is_and = field(node, FIELDS.operator).is_some_and(|operator| operator.kind() == "and");
        let first = self.value(left);
        let narrowing = self.narrowing(left);
        let narrowed = if is_and { narrowing.when_true } else { narrowing.when_false };
        let second = self.with_narrowed(&narrowed, |walker| walker.value(right));
        if is_and { second } else { self.union(vec![first, second]) }
    }

    fn conditional_expression(&mut self, node: Node<'_>) -> ExprId {
        let parts = children(node);
        let [chosen, condition, otherwise] = parts.as_slice() else {
            self.each_value(node);
            return self.unknown;
        };
        self.value(*condition);
        let narrowing = self.narrowing(*condition);
        let first = self.with_narrowed(&narrowing.when_true, |walker| walker.value(*chosen));
        let second = self.with_narrowed(&narrowing.when_false, |walker| walker.value(*otherwise));
        self.union(vec![first, second])
    }

    /// Adds a list or set with the type of its first elements.
    fn list_or_set(&mut self, node: Node<'_>) -> ExprId {
        let elements = self.elements(node);
        let element = self.union(elements.into_iter().take(MAX_LITERAL_ELEMENTS).collect());
        let name = if kind(node) == Kind::Set { "set" } else { "list" };
        self.facts.builtin(name, vec![element])
    }

    fn elements(&mut self, node: Node<'_>) -> Vec<ExprId> {
        children(node)
            .into_iter()
            .map(|child| match kind(child) {
                Kind::ListSplat => {
                    let inner = first_child(child).map_or(self.unknown, |inner| self.value(inner));
                    self.facts.expr(Expr::Element(inner))
                }
                _ => self.value(child),
            })
            .collect()
    }

    fn tuple(&mut self, node: Node<'_>) -> ExprId {
        let parts = self.elements(node);
        self.facts.expr(Expr::Tuple(parts))
    }

    fn dictionary(&mut self, node: Node<'_>) -> ExprId {
        let (mut keys, mut values) = (Vec::new(), Vec::new());
        for child in children(node) {
            if kind(child) == Kind::Pair {
                let (key, value) = self.pair(child);
                if values.len() < MAX_LITERAL_ELEMENTS {
                    keys.push(key);
                    values.push(value);
                }
            } else {
                self.each_value(child);
            }
        }
        let (key, value) = (self.union(keys), self.union(values));
        self.facts.builtin("dict", vec![key, value])
    }

    fn pair(&mut self, node: Node<'_>) -> (ExprId, ExprId) {
        let parts = children(node);
        let key = parts.first().map_or(self.unknown, |key| self.value(*key));
        let value = parts.get(1).map_or(self.unknown, |value| self.value(*value));
        (key, value)
    }

    /// Adds a comprehension of the builtin type `name`.
    fn comprehension(&mut self, node: Node<'_>, name: &str) -> ExprId {
        let outer = self.frame.locals.len();
        let parts = children(node);
        for clause in &parts {
            match kind(*clause) {
                Kind::ForInClause => {
                    let iterated = field(*clause, FIELDS.right).map_or(self.unknown, |right| self.value(right));
                    let element = self.facts.expr(Expr::Element(iterated));
                    if let Some(left) = field(*clause, FIELDS.left) {
                        self.bind_comprehension_target(left, element);
                    }
                }
                Kind::IfClause => {
                    self.each_value(*clause);
                    if let Some(condition) = first_child(*clause) {
                        for (name, expr) in self.narrowing(condition).when_true {
                            self.frame.locals.push(name, expr);
                        }
                    }
                }
                _ => {}
            }
        }
        let body = parts.first().copied().filter(|body| kind(*body) != Kind::ForInClause);
        let args = match body {
            Some(pair) if kind(pair) == Kind::Pair => {
                let (key, value) = self.pair(pair);
                vec![key, value]
            }
            Some(body) => vec![self.value(body)],
            None => vec![self.unknown],
        };
        self.frame.locals.truncate(outer);
        self.facts.builtin(name, args)
    }

    /// Binds the names of a target to their values until the comprehension ends.
    fn bind_comprehension_target(&mut self, target: Node<'_>, value: ExprId) {
        match kind(target) {
            Kind::Identifier => {
                let name = self.atom(target);
                self.frame.locals.push(name, value);
            }
            Kind::PatternList | Kind::TuplePattern | Kind::ListPattern => {
                for (index, part) in children(target).into_iter().enumerate() {
                    let item = self.item(value, index);
                    self.bind_comprehension_target(part, item);
                }
            }
            Kind::ListSplatPattern => {
                if let Some(inner) = first_child(target) {
                    self.bind_comprehension_target(inner, self.unknown);
                }
            }
            _ => {
                self.value(target);
            }
        }
    }

    fn named_expression(&mut self, node: Node<'_>) -> ExprId {
        let value = field(node, FIELDS.value).map_or(self.unknown, |value| self.value(value));
        if let Some(name) = field(node, FIELDS.name) {
            self.assign(name, value);
        }
        value
    }

    fn yield_value(&mut self, node: Node<'_>) -> ExprId {
        self.frame.is_generator = true;
        let is_delegation = node.child(1).is_some_and(|child| child.kind() == "from");
        if let Some(child) = first_child(node) {
            let value = self.value(child);
            let yielded = if is_delegation { self.facts.expr(Expr::Element(value)) } else { value };
            if !self.is_replay && self.frame.yields.len() < MAX_RESULTS {
                self.frame.yields.push(yielded);
            }
        }
        self.unknown
    }
}
