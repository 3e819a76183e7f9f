//! Expressions. Each is visited once: its references are recorded and its value is returned.

use tree_sitter::Node;

use super::state::Ts;
use super::templates::Format;
use crate::facts::{Expr, ExprId, Role};
use crate::lang::common::patterns::Part;
use crate::lang::common::walker::Expected;

/// Maximum number of items of an array literal whose types are kept apart, as a tuple.
const MAX_TUPLE_ITEMS: usize = 12;
/// Maximum length in bytes of a string literal that can be a name, a path or a key.
const MAX_STRING_VALUE: usize = 200;

impl<'a> Ts<'_, 'a> {
    /// Visits the initializer of a variable. `holder` is `this` in the methods of an object literal.
    pub fn initializer_value(&mut self, node: Node<'a>, contextual: Expected, holder: ExprId) -> ExprId {
        let inner = self.unwrapped(node);
        if inner.kind() == "object" {
            return self.object_literal(inner, contextual, Some(holder));
        }
        self.value(node, contextual)
    }

    /// Visits `a, b`. Compilers write `(0, module.f)()` for a call without a receiver.
    pub fn sequence_expression(&mut self, node: Node<'a>, role: Role) -> ExprId {
        self.last_child(node, role, Expected::None)
    }

    /// Visits a class that is not a declaration.
    pub fn class_expression(&mut self, node: Node<'a>) -> ExprId {
        let id = self.class(node, node, None);
        self.facts.expr(Expr::Definition(id))
    }

    /// Visits `x++`.
    pub fn update(&mut self, node: Node<'a>) -> ExprId {
        let target = self.last_child(node, Role::Write, Expected::None);
        if let Some(argument) = self.field(node, "argument") {
            self.read_written(argument, target);
        }
        self.number()
    }

    /// Visits a string literal.
    pub fn string_literal(&mut self, node: Node<'a>) -> ExprId {
        self.add_words_of(node);
        self.string()
    }

    /// Visits all children and returns the value of the last one.
    fn last_child(&mut self, node: Node<'a>, role: Role, contextual: Expected) -> ExprId {
        let mut value = self.unknown;
        for child in self.children(node) {
            value = self.value_as(child, role, contextual);
        }
        value
    }

    /// Returns the expression inside parentheses, non-null assertions and `satisfies`.
    pub fn unwrapped(&mut self, node: Node<'a>) -> Node<'a> {
        let mut node = node;
        for _ in 0..8 {
            if !matches!(node.kind(), "parenthesized_expression" | "non_null_expression" | "satisfies_expression") {
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
            if node.kind() != "as_expression" {
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
        matches!(node.kind(), "arrow_function" | "function_expression" | "generator_function")
    }

    /// Visits an identifier. A name with an override that is read has the override's value and is not referenced.
    pub fn identifier(&mut self, node: Node<'a>, role: Role) -> ExprId {
        let text = self.text_of(node);
        if text == "undefined" {
            return self.unknown;
        }
        if let Some(store) = text.strip_prefix('$').filter(|_| self.state().format == Some(Format::Svelte)) {
            return self.store(node, store);
        }
        if let Some(exports) = self.own_exports(node, role) {
            return exports;
        }
        let atom = self.atom_with_word(node);
        let override_value = self.name_override(atom);
        if let (Some(override_value), Role::Read) = (override_value, role) {
            return override_value;
        }
        let name = self.name(atom);
        self.refer(name, node, role);
        override_value.unwrap_or(name)
    }

    /// Visits `$name` of Svelte: the content of the store `name`, or a function of the compiler.
    fn store(&mut self, node: Node<'a>, name: &str) -> ExprId {
        let atom = self.facts.atom(name);
        if self.imports.contains_key(&atom) || self.top_level.contains_key(&atom) {
            let store = self.name(atom);
            self.refer(store, node, Role::Read);
        }
        self.unknown
    }

    /// Visits `object.property`.
    pub fn member_access(&mut self, node: Node<'a>, role: Role) -> ExprId {
        if let Some(exports) = self.own_exports(node, role) {
            return exports;
        }
        let Some(pattern) = self.pattern(node) else { return self.unknown };
        if let (Some(object), Some(property)) =
            (self.part(node, pattern, Part::Object), self.part(node, pattern, Part::Name))
        {
            self.environment_signal(object, property);
        }
        let member = self.walker().member(node, pattern, role);
        if role == Role::Read { self.narrowed_path(node).unwrap_or(member) } else { member }
    }

    /// Visits `object[index]`.
    pub fn subscript(&mut self, node: Node<'a>) -> ExprId {
        let (Some(object), Some(index)) = (self.field(node, "object"), self.field(node, "index")) else {
            return self.unknown;
        };
        let base = self.value(object, Expected::None);
        match index.kind() {
            "string" => {
                self.environment_signal(object, index);
                let Some(key) = self.string_value(index) else { return self.unknown };
                self.add_words(key);
                let name = self.facts.atom(key);
                let member = self.member(base, name);
                self.refer(member, index, Role::Read);
                member
            }
            "number" if base != self.unknown => match self.text_of(index).parse() {
                Ok(index) => self.facts.expr(Expr::Item(base, index)),
                Err(_) => self.unknown,
            },
            _ => {
                self.value(index, Expected::None);
                if base == self.unknown { base } else { self.facts.expr(Expr::Index(base)) }
            }
        }
    }

    /// Visits `[a, b]`.
    pub fn array(&mut self, node: Node<'a>, contextual: Expected) -> ExprId {
        let expected = match self.expected(contextual) {
            Some(expected) => Expected::Value(self.facts.expr(Expr::Index(expected))),
            None => Expected::None,
        };
        let mut items = Vec::new();
        let mut is_tuple = true;
        for child in self.children(node) {
            if child.kind() == "spread_element" {
                is_tuple = false;
                let spread = self.last_child(child, Role::Read, Expected::None);
                if spread != self.unknown {
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

    /// Visits `value as Type` and `value satisfies Type`.
    pub fn cast(&mut self, node: Node<'a>, contextual: Expected) -> ExprId {
        let is_satisfies = node.kind() == "satisfies_expression";
        let children = self.children(node);
        let (Some(&expression), type_node) = (children.first(), children.get(1).copied()) else {
            return self.unknown;
        };
        // `as const` has no type.
        let Some(type_node) = type_node.filter(|node| self.text_of(*node) != "const") else {
            return self.value(expression, contextual);
        };
        let type_expr = self.type_expr(type_node);
        let instance = self.instance(type_expr);
        let value = self.value(expression, Expected::Value(instance));
        if is_satisfies || instance == self.unknown { value } else { instance }
    }

    /// Visits `<Type>value`.
    pub fn assertion(&mut self, node: Node<'a>) -> ExprId {
        let mut instance = self.unknown;
        for child in self.children(node) {
            if child.kind() == "type_arguments" {
                let args = self.type_arguments(child);
                if let Some(&first) = args.first() {
                    instance = self.instance(first);
                }
            } else {
                self.value(child, Expected::Value(instance));
            }
        }
        instance
    }

    /// Visits `left + right`.
    pub fn binary(&mut self, node: Node<'a>, contextual: Expected) -> ExprId {
        let (Some(left), Some(right)) = (self.field(node, "left"), self.field(node, "right")) else {
            return self.unknown;
        };
        let operator = self.field(node, "operator").map_or("", |operator| operator.kind());
        let first = self.value(left, contextual);
        let mark = self.state().name_overrides.len();
        match operator {
            "&&" => {
                let holds = self.narrowings(left, true);
                self.state().name_overrides.extend(holds);
            }
            "||" => {
                let fails = self.narrowings(left, false);
                self.state().name_overrides.extend(fails);
            }
            _ => {}
        }
        let second = self.value(right, contextual);
        self.state().name_overrides.truncate(mark);
        match operator {
            "||" | "??" => self.union(vec![first, second]),
            "&&" => second,
            "+" if self.is_string(first) || self.is_string(second) => self.string(),
            "+" => self.unknown,
            "-" | "*" | "/" | "%" | "**" | "|" | "&" | "^" | "<<" | ">>" | ">>>" => self.number(),
            _ => self.boolean(),
        }
    }

    /// Visits `condition ? a : b`.
    pub fn ternary(&mut self, node: Node<'a>, contextual: Expected) -> ExprId {
        let Some(condition) = self.field(node, "condition") else { return self.unknown };
        self.value(condition, Expected::None);
        let mut parts = Vec::new();
        for (field, holds) in [("consequence", true), ("alternative", false)] {
            let Some(branch) = self.field(node, field) else { continue };
            let mark = self.state().name_overrides.len();
            let narrowed = self.narrowings(condition, holds);
            self.state().name_overrides.extend(narrowed);
            parts.push(self.value(branch, contextual));
            self.state().name_overrides.truncate(mark);
        }
        self.union(parts)
    }

    /// Visits `value!`. The grammar parses `!a.b!.c` as a member of `(!a.b)!`.
    pub fn non_null(&mut self, node: Node<'a>, role: Role, contextual: Expected) -> ExprId {
        let Some(&inner) = self.children(node).first() else { return self.unknown };
        let operand = self.field(inner, "argument").filter(|_| inner.kind() == "unary_expression");
        self.value_as(operand.unwrap_or(inner), role, contextual)
    }

    /// Visits `!value`.
    pub fn unary(&mut self, node: Node<'a>) -> ExprId {
        self.last_child(node, Role::Read, Expected::None);
        match self.field(node, "operator").map_or("", |operator| operator.kind()) {
            "!" | "delete" => self.boolean(),
            "typeof" => self.string(),
            "void" => self.unknown,
            _ => self.number(),
        }
    }

    /// Visits a template string.
    pub fn template(&mut self, node: Node<'a>) -> ExprId {
        for child in self.children(node) {
            if child.kind() == "template_substitution" {
                self.last_child(child, Role::Read, Expected::None);
            } else {
                self.add_words_of(child);
            }
        }
        self.string()
    }

    /// Visits `f<T>` without a call.
    pub fn instantiation(&mut self, node: Node<'a>, role: Role) -> ExprId {
        let mut base = self.unknown;
        let mut args = Vec::new();
        for child in self.children(node) {
            if child.kind() == "type_arguments" {
                args = self.type_arguments(child);
            } else {
                base = self.value_as(child, role, Expected::None);
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

    /// Adds the read of a member that is also written.
    fn read_written(&mut self, node: Node<'a>, target: ExprId) {
        if let (Some(property), Expr::Member { .. }) = (self.field(node, "property"), self.facts.get(target)) {
            self.refer(target, property, Role::Read);
        }
    }

    /// Visits `left += right` and returns the new value of the target, which is known for logical assignments only.
    pub fn augmented(&mut self, node: Node<'a>) -> ExprId {
        let (Some(left), Some(right)) = (self.field(node, "left"), self.field(node, "right")) else {
            return self.unknown;
        };
        let target = self.value_as(left, Role::Write, Expected::None);
        self.read_written(left, target);
        let value = self.value(right, Expected::Value(target));
        match self.field(node, "operator").map_or("", |operator| operator.kind()) {
            "||=" | "??=" | "&&=" => self.union(vec![target, value]),
            _ => self.unknown,
        }
    }
}
