//! Object types and mapped types.

use tree_sitter::Node;

use super::builtins::{CALL_SIGNATURE, CONSTRUCT_SIGNATURE, INDEX_SIGNATURE};
use super::functions::FunctionHeader;
use super::state::Ts;
use crate::facts::{Atom, Container, Expr, ExprId, Flags};
use crate::model::SymbolKind;

impl<'a> Ts<'_, 'a> {
    /// Returns whether an object type is `{ [K in Keys]: T }`.
    pub fn is_mapped(&mut self, node: Node<'a>) -> bool {
        self.children(node).into_iter().any(|child| self.is_mapped_member(child))
    }

    /// Visits `{ a: T; m(): U }`.
    pub fn object_type(&mut self, node: Node<'a>) -> ExprId {
        let mut members = Vec::new();
        for child in self.children(node) {
            if self.is_mapped_member(child) {
                return self.mapped_type(child);
            }
            match child.kind() {
                "property_signature" if self.defines_members() => {
                    if let Some((name, id)) = self.property(child, Container::Module) {
                        members.push((name, self.defined_type(id)));
                    }
                }
                "property_signature" => members.extend(self.plain_property(child)),
                "method_signature" if self.defines_members() => members.extend(self.defined_method(child)),
                "method_signature" => {
                    let name = self.field(child, "name").and_then(|name| self.member_name(name));
                    let function = self.function_type(child);
                    members.extend(name.map(|name| (name, function)));
                }
                _ => members.extend(self.signature_member(child)),
            }
        }
        self.object(members)
    }

    fn defined_type(&mut self, id: crate::facts::DefId) -> ExprId {
        let definition = self.facts.expr(Expr::Definition(id));
        self.facts.expr(Expr::TypeOf(definition))
    }

    fn plain_property(&mut self, node: Node<'a>) -> Option<(Atom, ExprId)> {
        let name = self.field(node, "name")?;
        let name = self.member_name(name)?;
        let annotation = self.field(node, "type").map(|annotation| self.annotation(annotation));
        Some((name, annotation.unwrap_or(self.unknown)))
    }

    fn defined_method(&mut self, node: Node<'a>) -> Option<(Atom, ExprId)> {
        let name_node = self.field(node, "name")?;
        let name = self.member_name(name_node)?;
        let header = FunctionHeader {
            kind: SymbolKind::Method,
            flags: Flags { is_abstract: true, ..Flags::default() },
            ..FunctionHeader::new(name, name_node, node, node)
        };
        let id = self.function(node, header);
        Some((name, self.defined_type(id)))
    }

    /// Returns a call, construct or index signature as a member with a reserved name.
    pub fn signature_member(&mut self, node: Node<'a>) -> Option<(Atom, ExprId)> {
        let (name, value) = match node.kind() {
            "call_signature" => (CALL_SIGNATURE, self.function_type(node)),
            "construct_signature" => (CONSTRUCT_SIGNATURE, self.function_type(node)),
            "index_signature" => (INDEX_SIGNATURE, self.index_signature(node)),
            _ => return None,
        };
        Some((self.facts.atom(name), value))
    }

    /// Visits `[key: K]: T` and returns `T`.
    pub fn index_signature(&mut self, node: Node<'a>) -> ExprId {
        if let Some(index_type) = self.field(node, "index_type") {
            self.type_expr(index_type);
        }
        match self.field(node, "type") {
            Some(annotation) => self.annotation(annotation),
            None => self.unknown,
        }
    }

    fn is_mapped_member(&mut self, node: Node<'a>) -> bool {
        node.kind() == "index_signature" && self.children(node).iter().any(|part| part.kind() == "mapped_type_clause")
    }

    /// Visits `{ [K in Keys]: T }` and returns `Record<string, T>`. For `{ [K in keyof A]: A[K] }`, and for
    /// methods with `this: A`, it returns `A`.
    fn mapped_type(&mut self, node: Node<'a>) -> ExprId {
        let names = self.hidden_types.len();
        let mut key = None;
        let mut copied = None;
        for part in self.children(node) {
            if part.kind() != "mapped_type_clause" {
                continue;
            }
            if let Some(name) = self.field(part, "name") {
                let atom = self.atom_of(name);
                self.hidden_types.push(atom);
                key = Some(self.text_of(name));
            }
            if let Some(keys) = self.field(part, "type") {
                self.type_expr(keys);
                if keys.kind() == "index_type_query" {
                    copied = self.children(keys).first().map(|inner| self.text_of(*inner));
                }
            }
            if let Some(alias) = self.field(part, "alias") {
                self.type_expr(alias);
            }
        }
        let mut value = self.unknown;
        if let Some(annotation) = self.field(node, "type") {
            value = self.annotation(annotation);
            let value_text = self.children(annotation).last().map_or("", |inner| self.text_of(*inner));
            // Methods whose `this` is the copied type are methods of it, whatever else their types say.
            if let (Some(key), Some(copied)) = (key, copied)
                && let value_text = value_text.replace(' ', "")
                && (value_text == format!("{copied}[{key}]") || value_text.contains(&format!("(this:{copied},")))
            {
                let atom = self.facts.atom(copied);
                self.hidden_types.truncate(names);
                return self.name(atom);
            }
        }
        self.hidden_types.truncate(names);
        let key = self.string();
        self.facts.builtin("Record", vec![key, value])
    }
}
