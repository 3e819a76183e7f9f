//! Type declarations: structs with their fields, interfaces with their methods, and all other types.

use tree_sitter::Node;

use super::docs;
use super::extract::{At, TOP, Walker};
use super::kinds::{Kind, kind};
use super::types::embedded_name;
use super::words;
use crate::facts::{Atom, Base, BaseRelation, BindingKind, Container, DefId, ExprId};
use crate::model::SymbolKind;

impl<'a> Walker<'a> {
    /// `type …`, of the package or inside a function.
    pub(super) fn types(&mut self, node: Node<'a>, at: At) {
        let specs = self.list(node);
        let mut group_doc = docs::above(self.text, node.start_byte());
        let alone = specs.len() == 1 && !self.source(node).trim_end().ends_with(')');
        for spec in specs {
            if matches!(kind(spec), Kind::TypeSpec | Kind::TypeAlias) {
                let doc = self.spec_doc(spec, &mut group_doc);
                self.type_spec(spec, if alone { node } else { spec }, doc, at);
            }
        }
    }

    fn type_spec(&mut self, spec: Node<'a>, whole: Node<'a>, doc: String, at: At) {
        let (Some(name), Some(written)) =
            (self.child(spec, self.fields.name), self.child(spec, self.fields.value_type))
        else {
            return;
        };
        let scope = self.type_scope(at.scope);
        let is_alias = kind(spec) == Kind::TypeAlias;
        let symbol = if kind(written) == Kind::InterfaceType { SymbolKind::Interface } else { SymbolKind::Type };
        let mut definition = self.blank(symbol, name, whole, scope);
        definition.signature = self.type_signature(spec, written);
        definition.doc = doc;
        definition.parent = at.source;
        definition.flags.is_alias = is_alias && !matches!(kind(written), Kind::StructType | Kind::InterfaceType);
        definition.flags.is_local = at.scope != TOP.scope;
        if let Some(outer) = at.source {
            let outer = self.facts.definition(outer);
            definition.scope_names = outer.scope_names.clone();
            definition.scope_names.push(outer.name);
        }
        let atom = definition.name;
        let words = words::of(self.source(written));
        let id = self.facts.define(definition, words);
        self.facts.scope_mut(scope).definition = Some(id);
        if self.source(name) != "_" {
            self.facts.bind(at.scope, atom, name.start_byte() as u32, BindingKind::Definition(id));
        }
        // What a type inside a function uses, the function uses.
        let inner = At { scope, source: at.source.or(Some(id)) };
        if let Some(list) = self.child(spec, self.fields.type_parameters) {
            let parameters = self.own_type_parameters(list, id, inner);
            self.facts.definition_mut(id).type_parameters = parameters;
        }
        match kind(written) {
            Kind::StructType => self.fields_of(written, id, id, inner),
            Kind::InterfaceType => self.interface_members(written, id, inner),
            _ => {
                let value_type = self.type_expr(written, inner);
                self.facts.definition_mut(id).value_type = Some(value_type);
            }
        }
    }

    /// `type Name[T] struct`, or the whole type when it is neither a struct nor an interface.
    fn type_signature(&self, spec: Node<'a>, written: Node<'a>) -> String {
        let end = match kind(written) {
            Kind::StructType => written.start_byte() + "struct".len(),
            Kind::InterfaceType => written.start_byte() + "interface".len(),
            _ => spec.end_byte(),
        };
        format!("type {}", docs::fold(&self.text[spec.start_byte()..end]))
    }

    /// The names around a member of `owner`.
    fn member_scope(&self, owner: DefId) -> Vec<Atom> {
        let definition = self.facts.definition(owner);
        let mut names = definition.scope_names.clone();
        names.push(definition.name);
        names
    }

    /// The fields of a struct: of the type `of`, or of one of its fields whose own type is a struct without a name
    /// (then that field is the owner).
    fn fields_of(&mut self, node: Node<'a>, owner: DefId, of: DefId, at: At) {
        for field in self.struct_fields(node) {
            let Some(written) = self.child(field, self.fields.value_type) else { continue };
            let value_type = self.type_expr(written, at);
            let names = self.list_of(field, self.fields.name);
            if names.is_empty() {
                self.field(written, field, owner, value_type, at);
                if owner == of {
                    let base = Base { expr: value_type, relation: BaseRelation::Extends };
                    self.facts.definition_mut(owner).bases.push(base);
                }
                continue;
            }
            // Several names of one nameless struct would repeat its fields at each level, without bound.
            let inner = if names.len() == 1 { nameless_struct(written) } else { None };
            for name in names {
                let id = self.field(name, field, owner, value_type, at);
                if let Some(inner) = inner {
                    self.fields_of(inner, id, of, at);
                }
            }
        }
    }

    fn field(&mut self, name: Node<'a>, field: Node<'a>, owner: DefId, value_type: ExprId, at: At) -> DefId {
        let mut definition = self.blank(SymbolKind::Field, name, field, at.scope);
        let plain = embedded_name(self.source(name));
        definition.name = self.facts.atom(plain);
        definition.scope_names = self.member_scope(owner);
        definition.container = Container::Definition(owner);
        definition.parent = Some(owner);
        definition.flags.is_local = self.facts.definition(owner).flags.is_local;
        definition.value_type = Some(value_type);
        definition.doc = self.spec_doc(field, &mut String::new());
        definition.signature = match self.child(field, self.fields.value_type) {
            Some(written) if written != name => format!("{plain} {}", docs::fold(self.source(written))),
            _ => docs::fold(self.source(field).split(['`', '"']).next().unwrap_or_default()),
        };
        self.facts.define(definition, String::new())
    }

    fn interface_members(&mut self, node: Node<'a>, owner: DefId, at: At) {
        for element in self.list(node) {
            match (kind(element), self.child(element, self.fields.name)) {
                (Kind::MethodElem, Some(name)) => self.interface_method(name, element, owner, at),
                _ => {
                    let is_union = self.source(element).contains(['|', '~']);
                    let expr = self.type_expr(element, at);
                    if !is_union {
                        let base = Base { expr, relation: BaseRelation::Extends };
                        self.facts.definition_mut(owner).bases.push(base);
                    }
                }
            }
        }
    }

    fn interface_method(&mut self, name: Node<'a>, element: Node<'a>, owner: DefId, at: At) {
        let mut definition = self.blank(SymbolKind::Method, name, element, at.scope);
        definition.signature = docs::fold(self.source(element));
        definition.doc = self.spec_doc(element, &mut String::new());
        definition.scope_names = self.member_scope(owner);
        definition.container = Container::Definition(owner);
        definition.parent = Some(owner);
        definition.flags.is_abstract = true;
        definition.flags.is_local = self.facts.definition(owner).flags.is_local;
        let id = self.facts.define(definition, String::new());
        let is_local = self.facts.definition(id).flags.is_local;
        let source = if is_local { at.source } else { Some(id) };
        let (parameters, result) = self.function_shape(element, At { source, ..at });
        let definition = self.facts.definition_mut(id);
        definition.parameters = parameters;
        definition.result = result;
    }
}

/// The struct without a name that a type is, or is a pointer to or a container of.
fn nameless_struct(node: Node<'_>) -> Option<Node<'_>> {
    match kind(node) {
        Kind::StructType => Some(node),
        Kind::PointerType | Kind::ParenthesizedType => nameless_struct(node.named_child(0)?),
        Kind::SliceType | Kind::ArrayType => nameless_struct(node.child_by_field_name("element")?),
        Kind::MapType => nameless_struct(node.child_by_field_name("value")?),
        _ => None,
    }
}
