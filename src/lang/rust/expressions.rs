//! Expressions. Each is visited once: its references are recorded and its value is returned.

use tree_sitter::Node;

use super::builtins::{CALL_SUFFIX, SLICE};
use super::grammar::{Kind, kind};
use super::walker::{Walker, children};
use crate::facts::{Atom, Expr, ExprId, Role};

impl Walker {
    /// Visits an expression and returns its value.
    pub fn value(&mut self, node: Node<'_>) -> ExprId {
        self.descend(self.unknown, |walker| walker.value_inner(node))
    }

    fn value_inner(&mut self, node: Node<'_>) -> ExprId {
        match kind(node) {
            Kind::Identifier | Kind::ScopedIdentifier => self.value_path(node, Role::Read),
            Kind::SelfValue => self.builder.expr(Expr::Receiver),
            Kind::Field => self.field(node, Role::Read),
            Kind::Call => self.call(node),
            Kind::Macro => self.macro_call(node),
            Kind::Reference => self.value_field(node, self.fields.value),
            Kind::Parenthesized | Kind::Unary => self.last_child_value(node),
            Kind::Try | Kind::Await => {
                let inner = self.last_child_value(node);
                self.wrap(inner, Expr::Unwrap)
            }
            Kind::Boolean => self.builder.builtin("bool", Vec::new()),
            Kind::String | Kind::RawString => self.string_literal(node),
            Kind::Char => self.builder.builtin("char", Vec::new()),
            Kind::Integer | Kind::Float => self.number(node),
            Kind::GenericFunction => self.generic_function(node, Role::Read),
            Kind::StructExpression => self.struct_expression(node),
            Kind::Tuple => {
                let parts = children(node).into_iter().map(|part| self.value(part)).collect();
                self.builder.expr(Expr::Tuple(parts))
            }
            Kind::Unit => self.builder.expr(Expr::Tuple(Vec::new())),
            Kind::Array => {
                let parts: Vec<ExprId> = children(node).into_iter().map(|part| self.value(part)).collect();
                let element = parts.into_iter().find(|part| *part != self.unknown).unwrap_or(self.unknown);
                self.builder.builtin(SLICE, vec![element])
            }
            Kind::Binary => self.binary(node),
            Kind::Range => {
                let parts: Vec<ExprId> = children(node).into_iter().map(|part| self.value(part)).collect();
                self.builder.builtin("Range", parts.into_iter().take(1).collect())
            }
            Kind::Index => self.index(node),
            Kind::TypeCast => {
                self.value_field(node, self.fields.value);
                let target = self.child(node, self.fields.type_node).map_or(self.unknown, |node| self.type_expr(node));
                self.wrap(target, Expr::Instance)
            }
            Kind::Block => self.block(node, true),
            Kind::UnsafeBlock | Kind::ConstBlock | Kind::ElseClause | Kind::TryBlock => self.last_child_value(node),
            Kind::AsyncBlock => {
                let result = self.last_child_value(node);
                self.builder.builtin("Future", vec![result])
            }
            Kind::If => self.if_value(node),
            Kind::Match => self.match_value(node),
            Kind::For | Kind::While | Kind::Loop => self.loop_value(node),
            Kind::Break => self.break_value(node),
            Kind::Closure => self.closure(node, &mut |_, _| None),
            Kind::Assignment | Kind::CompoundAssignment => self.assignment(node),
            _ => {
                for child in children(node) {
                    self.statement(child);
                }
                self.unknown
            }
        }
    }

    fn value_field(&mut self, node: Node<'_>, field: u16) -> ExprId {
        self.child(node, field).map_or(self.unknown, |inner| self.value(inner))
    }

    /// Visits all children and returns the value of the last one.
    fn last_child_value(&mut self, node: Node<'_>) -> ExprId {
        let mut last = self.unknown;
        for child in children(node) {
            last = self.value(child);
        }
        last
    }

    fn string_literal(&mut self, node: Node<'_>) -> ExprId {
        if self.text_of(node).starts_with('b') {
            let byte = self.builder.builtin("u8", Vec::new());
            return self.builder.builtin(SLICE, vec![byte]);
        }
        self.builder.builtin("str", Vec::new())
    }

    fn number(&mut self, node: Node<'_>) -> ExprId {
        let text = self.text_of(node);
        let default = if kind(node) == Kind::Float { "f64" } else { "i32" };
        let suffix = text.find(['u', 'i']).map(|at| &text[at..]).filter(|_| !text.starts_with("0x"));
        let name = suffix.unwrap_or(default).to_owned();
        self.builder.builtin(&name, Vec::new())
    }

    /// Visits `base.name`.
    pub fn field(&mut self, node: Node<'_>, role: Role) -> ExprId {
        let base = self.value_field(node, self.fields.value);
        let Some(name_node) = self.child(node, self.fields.field) else { return self.unknown };
        let name = self.member_atom(name_node, role);
        let member = self.builder.expr(Expr::Member { base, name });
        self.add_reference(member, name_node, role);
        if base == self.unknown { self.unknown } else { member }
    }

    /// Returns the atom under which a member is looked up: with [`CALL_SUFFIX`] for a callee.
    pub fn member_atom(&mut self, name: Node<'_>, role: Role) -> Atom {
        if role == Role::Call {
            let marked = format!("{}{CALL_SUFFIX}", self.text_of(name).trim_start_matches("r#"));
            return self.builder.atom(&marked);
        }
        self.atom(name)
    }

    /// Visits `f::<T>` or `x.f::<T>`.
    pub fn generic_function(&mut self, node: Node<'_>, role: Role) -> ExprId {
        let Some(function) = self.child(node, self.fields.function) else { return self.unknown };
        let base = self.callee(function, role);
        let args = self.child(node, self.fields.type_arguments).map(|list| self.type_arguments(list));
        self.wrap(base, |base| Expr::Apply { base, args: args.unwrap_or_default() })
    }

    /// Visits the callee of a call and references it with the given role.
    pub fn callee(&mut self, node: Node<'_>, role: Role) -> ExprId {
        match kind(node) {
            Kind::Identifier | Kind::ScopedIdentifier => self.value_path(node, role),
            Kind::Field => self.field(node, role),
            Kind::GenericFunction => self.generic_function(node, role),
            _ => self.value(node),
        }
    }

    /// Visits `Type { field: value }`. A variant's literal is an instance of its enum.
    fn struct_expression(&mut self, node: Node<'_>) -> ExprId {
        let Some(name) = self.child(node, self.fields.name) else { return self.unknown };
        let path = self.child(name, self.fields.path);
        let variant_of = path.filter(|enum_path| {
            let text = self.text_of(*enum_path);
            super::paths::is_capital(text.rsplit("::").next().unwrap_or(""))
        });
        let (literal_type, instance) = match variant_of {
            Some(enum_path) => {
                let base = self.path_prefix(enum_path, Role::Read);
                let atom = self.child(name, self.fields.name).map(|name| self.atom(name));
                let variant = atom.map_or(self.unknown, |atom| self.member(base, atom));
                let variant = self.wrap(variant, Expr::Instance);
                let instance = self.wrap(base, Expr::Instance);
                (variant, instance)
            }
            None => {
                let literal_type = self.type_path(name, Role::Type);
                let instance = self.wrap(literal_type, Expr::Instance);
                (instance, instance)
            }
        };
        let body = self.child(node, self.fields.body).map(children).unwrap_or_default();
        for initializer in body {
            self.field_initializer(initializer, literal_type);
        }
        instance
    }

    fn field_initializer(&mut self, node: Node<'_>, base: ExprId) {
        match kind(node) {
            Kind::FieldInitializer => {
                if let Some(name_node) = self.child(node, self.fields.field) {
                    self.write_field(name_node, base);
                }
                self.value_field(node, self.fields.value);
            }
            Kind::ShorthandField => {
                if let Some(name_node) = children(node).into_iter().find(|child| kind(*child) == Kind::Identifier) {
                    self.write_field(name_node, base);
                    self.value_path(name_node, Role::Read);
                }
            }
            _ => _ = self.last_child_value(node),
        }
    }

    fn write_field(&mut self, name_node: Node<'_>, base: ExprId) {
        let name = self.atom(name_node);
        let member = self.builder.expr(Expr::Member { base, name });
        self.add_reference(member, name_node, Role::Write);
    }

    fn binary(&mut self, node: Node<'_>) -> ExprId {
        let left = self.value_field(node, self.fields.left);
        self.value_field(node, self.fields.right);
        let operator = node.child(1).map(|operator| self.text_of(operator)).unwrap_or("");
        match operator {
            "==" | "!=" | "<" | ">" | "<=" | ">=" | "&&" | "||" => self.builder.builtin("bool", Vec::new()),
            _ => left,
        }
    }

    /// Visits `base[index]`. Slicing with a range returns the base, whose members a slice has too.
    fn index(&mut self, node: Node<'_>) -> ExprId {
        let parts = children(node);
        let base = parts.first().map_or(self.unknown, |base| self.value(*base));
        let is_range = parts.get(1).is_some_and(|index| kind(*index) == Kind::Range);
        if let Some(index) = parts.get(1) {
            self.value(*index);
        }
        if is_range { base } else { self.wrap(base, Expr::Index) }
    }

    fn assignment(&mut self, node: Node<'_>) -> ExprId {
        let value = self.value_field(node, self.fields.right);
        let Some(left) = self.child(node, self.fields.left) else { return self.unknown };
        match kind(left) {
            Kind::Identifier => {
                let name = self.atom(left);
                let unknown = self.unknown;
                match self.local_mut(name) {
                    // A deferred initialization: `let x;` before, `x = value` here.
                    Some(local) if local.value == unknown || local.has_unknown_elements => {
                        (local.value, local.has_unknown_elements) = (value, false);
                    }
                    Some(_) => {}
                    None => _ = self.value_path(left, Role::Write),
                }
            }
            Kind::Field => _ = self.field(left, Role::Write),
            _ => _ = self.value(left),
        }
        self.builder.expr(Expr::Tuple(Vec::new()))
    }
}
