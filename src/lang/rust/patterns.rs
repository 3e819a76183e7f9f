//! Patterns: bind names to parts of the matched value.

use tree_sitter::Node;

use super::grammar::{Kind, kind};
use super::paths::is_capital;
use super::walker::{Walker, children};
use crate::facts::{Expr, ExprId, Role};

impl Walker {
    /// Visits a pattern and binds its names to the corresponding parts of `value`.
    pub fn pattern(&mut self, node: Node<'_>, value: ExprId) {
        self.descend((), |walker| walker.pattern_inner(node, value));
    }

    fn pattern_inner(&mut self, node: Node<'_>, value: ExprId) {
        match kind(node) {
            // A capitalized name is a constant or a unit variant, not a binding.
            Kind::Identifier if is_capital(self.text_of(node)) => _ = self.type_path(node, Role::Read),
            Kind::Identifier | Kind::ShorthandPattern => {
                let name = self.atom(node);
                self.bind_local(name, value);
            }
            Kind::ScopedIdentifier => _ = self.type_path(node, Role::Read),
            Kind::MutPattern | Kind::RefPattern | Kind::ReferencePattern | Kind::MatchPattern => {
                for child in children(node).into_iter().filter(|child| kind(*child) != Kind::MutableSpecifier) {
                    if self.child(node, self.fields.condition) != Some(child) {
                        self.pattern(child, value);
                    }
                }
            }
            Kind::CapturedPattern | Kind::OrPattern => children(node).into_iter().for_each(|c| self.pattern(c, value)),
            Kind::TuplePattern => {
                for (index, child) in children(node).into_iter().enumerate() {
                    let part = self.wrap(value, |value| Expr::Item(value, index as u16));
                    self.pattern(child, part);
                }
            }
            Kind::SlicePattern => {
                let element = self.wrap(value, Expr::Element);
                for child in children(node) {
                    let is_rest = kind(child) == Kind::CapturedPattern && self.text_of(child).ends_with("..");
                    self.pattern(child, if is_rest { value } else { element });
                }
            }
            Kind::TupleStructPattern => self.tuple_struct_pattern(node, value),
            Kind::StructPattern => self.struct_pattern(node, value),
            Kind::Macro => _ = self.value(node),
            _ => {}
        }
    }

    fn tuple_struct_pattern(&mut self, node: Node<'_>, value: ExprId) {
        let Some(path) = self.child(node, self.fields.type_node) else { return };
        let parts: Vec<Node<'_>> = children(node).into_iter().filter(|child| *child != path).collect();
        if matches!(self.text_of(path), "Some" | "Ok" | "Option::Some" | "Result::Ok" | "Ready" | "Poll::Ready") {
            let inner = self.wrap(value, Expr::Unwrap);
            parts.into_iter().for_each(|part| self.pattern(part, inner));
            return;
        }
        let variant = self.variant_of(path, value);
        for (index, part) in parts.into_iter().enumerate() {
            let name = self.builder.atom(&index.to_string());
            let fields = variant.iter().map(|variant| self.member(*variant, name)).collect();
            let field = self.union(fields);
            self.pattern(part, field);
        }
    }

    /// Returns the expressions whose members are the fields of a variant or struct: the one reached through the matched
    /// value, which has the type arguments, and the written path, which is a fallback if the value's type is unknown.
    fn variant_of(&mut self, path: Node<'_>, value: ExprId) -> Vec<ExprId> {
        let is_variant = match kind(path) {
            Kind::ScopedIdentifier | Kind::ScopedTypeIdentifier => self
                .child(path, self.fields.path)
                .is_some_and(|enum_path| is_capital(self.text_of(enum_path).rsplit("::").next().unwrap_or(""))),
            _ => matches!(self.text_of(path), "Err" | "Borrowed" | "Owned" | "Left" | "Right"),
        };
        let is_tuple = matches!(kind(path), Kind::Identifier | Kind::ScopedIdentifier);
        let role = if is_variant || is_tuple { Role::Read } else { Role::Type };
        let path_type = self.type_path(path, role);
        let name = self.child(path, self.fields.name).unwrap_or(path);
        let name = self.atom(name);
        if is_variant {
            let value_variant = self.member(value, name);
            return [value_variant, path_type].map(|variant| self.wrap(variant, Expr::Instance)).to_vec();
        }
        let instance = self.wrap(path_type, Expr::Instance);
        vec![value, instance]
    }

    fn struct_pattern(&mut self, node: Node<'_>, value: ExprId) {
        let Some(path) = self.child(node, self.fields.type_node) else { return };
        let bases = self.variant_of(path, value);
        for field in children(node).into_iter().filter(|child| kind(*child) == Kind::FieldPattern) {
            let Some(name_node) = self.child(field, self.fields.name) else { continue };
            let name = self.atom(name_node);
            let members = bases.iter().map(|base| self.member(*base, name)).collect();
            let member = self.union(members);
            if matches!(self.builder.get(member), Expr::Member { .. } | Expr::Union(_)) {
                let path_type = bases.last().map(|base| self.member(*base, name));
                self.add_reference(path_type.unwrap_or(member), name_node, Role::Read);
            }
            match self.child(field, self.fields.pattern) {
                Some(inner) => self.pattern(inner, member),
                None => self.bind_local(name, member),
            }
        }
    }

    /// Visits the condition of `if`, `while` or a match guard. The caller removes its bindings.
    pub fn condition(&mut self, node: Node<'_>) {
        match kind(node) {
            Kind::LetCondition => {
                let value = self.child(node, self.fields.value).map_or(self.unknown, |value| self.value(value));
                if let Some(pattern) = self.child(node, self.fields.pattern) {
                    self.pattern(pattern, value);
                }
            }
            Kind::LetChain => children(node).into_iter().for_each(|part| self.condition(part)),
            _ => _ = self.value(node),
        }
    }
}
