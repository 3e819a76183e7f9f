//! Object types and mapped types.

use tree_sitter::Node;

use super::builtins::{CALL_SIGNATURE, CONSTRUCT_SIGNATURE, INDEX_SIGNATURE};
use super::functions::FunctionHeader;
use super::grammar::Kind;
use super::walker::Walker;
use crate::facts::{Atom, Container, Expr, ExprId, Flags};
use crate::model::SymbolKind;

impl<'a> Walker<'a> {
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
            match self.kind(child) {
                Kind::PropertySignature if self.context.defines_members => {
                    if let Some((name, id)) = self.property(child, Container::Module) {
                        members.push((name, self.defined_type(id)));
                    }
                }
                Kind::PropertySignature => members.extend(self.plain_property(child)),
                Kind::MethodSignature if self.context.defines_members => members.extend(self.defined_method(child)),
                Kind::MethodSignature => {
                    let name = self.field(child, self.fields.name).and_then(|name| self.member_name(name));
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
        let name = self.field(node, self.fields.name)?;
        let name = self.member_name(name)?;
        let annotation = self.field(node, self.fields.annotation).map(|annotation| self.annotation(annotation));
        Some((name, annotation.unwrap_or(self.common.unknown)))
    }

    fn defined_method(&mut self, node: Node<'a>) -> Option<(Atom, ExprId)> {
        let name_node = self.field(node, self.fields.name)?;
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
        let (name, value) = match self.kind(node) {
            Kind::CallSignature => (CALL_SIGNATURE, self.function_type(node)),
            Kind::ConstructSignature => (CONSTRUCT_SIGNATURE, self.function_type(node)),
            Kind::IndexSignature => (INDEX_SIGNATURE, self.index_signature(node)),
            _ => return None,
        };
        Some((self.facts.atom(name), value))
    }

    /// Visits `[key: K]: T` and returns `T`.
    pub fn index_signature(&mut self, node: Node<'a>) -> ExprId {
        if let Some(index_type) = self.field(node, self.fields.index_type) {
            self.type_expr(index_type);
        }
        match self.field(node, self.fields.annotation) {
            Some(annotation) => self.annotation(annotation),
            None => self.common.unknown,
        }
    }

    fn is_mapped_member(&mut self, node: Node<'a>) -> bool {
        self.kind(node) == Kind::IndexSignature
            && self.children(node).iter().any(|part| self.kind(*part) == Kind::MappedType)
    }

    /// Visits `{ [K in Keys]: T }` and returns `Record<string, T>`. For `{ [K in keyof A]: A[K] }` it returns `A`.
    fn mapped_type(&mut self, node: Node<'a>) -> ExprId {
        let names = self.type_parameter_names.len();
        let mut key = None;
        let mut copied = None;
        for part in self.children(node) {
            if self.kind(part) != Kind::MappedType {
                continue;
            }
            if let Some(name) = self.field(part, self.fields.name) {
                let atom = self.facts.atom(self.text_of(name));
                self.type_parameter_names.push(atom);
                key = Some(self.text_of(name));
            }
            if let Some(keys) = self.field(part, self.fields.annotation) {
                self.type_expr(keys);
                if self.kind(keys) == Kind::IndexTypeQuery {
                    copied = self.children(keys).first().map(|inner| self.text_of(*inner));
                }
            }
            if let Some(alias) = self.field(part, self.fields.alias) {
                self.type_expr(alias);
            }
        }
        let mut value = self.common.unknown;
        if let Some(annotation) = self.field(node, self.fields.annotation) {
            value = self.annotation(annotation);
            let value_text = self.children(annotation).last().map_or("", |inner| self.text_of(*inner));
            if let (Some(key), Some(copied)) = (key, copied)
                && value_text.replace(' ', "") == format!("{copied}[{key}]")
            {
                let atom = self.facts.atom(copied);
                self.type_parameter_names.truncate(names);
                return self.name(atom);
            }
        }
        self.type_parameter_names.truncate(names);
        let key = self.common.string;
        self.facts.builtin("Record", vec![key, value])
    }
}
