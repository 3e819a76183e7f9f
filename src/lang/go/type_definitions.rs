//! Type declarations: structs and their fields, interfaces and their methods, named types and aliases.

use tree_sitter::Node;

use super::body_words;
use super::builtins::BLANK;
use super::docs;
use super::extract::{Context, TOP_LEVEL, Walker};
use super::grammar::{Kind, kind};
use super::types::embedded_name;
use crate::facts::{Atom, Base, BaseRelation, BindingKind, Container, DefId, ExprId, ScopeKind};
use crate::model::SymbolKind;

impl<'a> Walker<'a> {
    /// Defines the types of a `type` declaration, at package level or inside a function.
    pub(super) fn type_declaration(&mut self, node: Node<'a>, context: Context) {
        let specs = self.children(node);
        let mut group_doc = docs::comment_above(self.text, node.start_byte());
        let is_single = specs.len() == 1 && !self.text_of(node).trim_end().ends_with(')');
        for spec in specs {
            if matches!(kind(spec), Kind::TypeSpec | Kind::TypeAlias) {
                let doc = self.spec_doc(spec, &mut group_doc);
                self.type_spec(spec, if is_single { node } else { spec }, doc, context);
            }
        }
    }

    /// Defines the type of one spec; `whole` is the node of its span.
    fn type_spec(&mut self, spec: Node<'a>, whole: Node<'a>, doc: String, context: Context) {
        let (Some(name), Some(type_node)) =
            (self.child(spec, self.fields.name), self.child(spec, self.fields.value_type))
        else {
            return;
        };
        let scope = self.open_scope(context.scope, ScopeKind::Type);
        let is_alias = kind(spec) == Kind::TypeAlias;
        let symbol = if kind(type_node) == Kind::InterfaceType { SymbolKind::Interface } else { SymbolKind::Type };
        let mut definition = self.new_definition(symbol, name, whole, scope);
        definition.signature = self.type_signature(spec, type_node);
        definition.doc = doc;
        definition.parent = context.source;
        definition.flags.is_alias = is_alias && !matches!(kind(type_node), Kind::StructType | Kind::InterfaceType);
        definition.flags.is_local = context.scope != TOP_LEVEL.scope;
        if let Some(outer) = context.source {
            let outer = self.facts.definition(outer);
            definition.scope_names = outer.scope_names.clone();
            definition.scope_names.push(outer.name);
        }
        let atom = definition.name;
        let words = body_words::collect(self.text_of(type_node));
        let id = self.facts.define(definition, words);
        self.facts.scope_mut(scope).definition = Some(id);
        if self.text_of(name) != BLANK {
            self.facts.bind(context.scope, atom, name.start_byte() as u32, BindingKind::Definition(id));
        }
        // References in a local type belong to the function.
        let inner = Context { scope, source: context.source.or(Some(id)) };
        if let Some(list) = self.child(spec, self.fields.type_parameters) {
            let parameters = self.bind_type_parameters(list, id, inner);
            self.facts.definition_mut(id).type_parameters = parameters;
        }
        match kind(type_node) {
            Kind::StructType => self.struct_members(type_node, id, id, inner),
            Kind::InterfaceType => self.interface_members(type_node, id, inner),
            _ => {
                let value_type = self.type_expr(type_node, inner);
                self.facts.definition_mut(id).value_type = Some(value_type);
            }
        }
    }

    /// Returns `type Name[T] struct` or `… interface` without the body, or the whole spec for other types.
    fn type_signature(&self, spec: Node<'a>, type_node: Node<'a>) -> String {
        let end = match kind(type_node) {
            Kind::StructType => type_node.start_byte() + "struct".len(),
            Kind::InterfaceType => type_node.start_byte() + "interface".len(),
            _ => spec.end_byte(),
        };
        format!("type {}", docs::single_line(&self.text[spec.start_byte()..end]))
    }

    /// Returns the scope names of `owner`'s members.
    fn member_scope_names(&self, owner: DefId) -> Vec<Atom> {
        let definition = self.facts.definition(owner);
        let mut names = definition.scope_names.clone();
        names.push(definition.name);
        names
    }

    /// Defines the fields of a struct. `owner` is the named type `root`, or a field of it whose type is an anonymous
    /// struct.
    fn struct_members(&mut self, node: Node<'a>, owner: DefId, root: DefId, context: Context) {
        for field in self.struct_fields(node) {
            let Some(type_node) = self.child(field, self.fields.value_type) else { continue };
            let value_type = self.type_expr(type_node, context);
            let names = self.children_by_field(field, self.fields.name);
            if names.is_empty() {
                self.struct_field(type_node, field, owner, value_type, context);
                if owner == root {
                    let base = Base { expr: value_type, relation: BaseRelation::Extends };
                    self.facts.definition_mut(owner).bases.push(base);
                }
                continue;
            }
            // Several names of one anonymous struct would repeat its fields exponentially with the depth.
            let inner = if names.len() == 1 { inner_anonymous_struct(type_node) } else { None };
            for name in names {
                let id = self.struct_field(name, field, owner, value_type, context);
                if let Some(inner) = inner {
                    self.struct_members(inner, id, root, context);
                }
            }
        }
    }

    fn struct_field(
        &mut self,
        name: Node<'a>,
        field: Node<'a>,
        owner: DefId,
        value_type: ExprId,
        context: Context,
    ) -> DefId {
        let mut definition = self.new_definition(SymbolKind::Field, name, field, context.scope);
        let plain = embedded_name(self.text_of(name));
        definition.name = self.facts.atom(plain);
        definition.scope_names = self.member_scope_names(owner);
        definition.container = Container::Definition(owner);
        definition.parent = Some(owner);
        definition.flags.is_local = self.facts.definition(owner).flags.is_local;
        definition.value_type = Some(value_type);
        definition.doc = self.spec_doc(field, &mut String::new());
        definition.signature = match self.child(field, self.fields.value_type) {
            Some(type_node) if type_node != name => format!("{plain} {}", docs::single_line(self.text_of(type_node))),
            _ => docs::single_line(self.text_of(field).split(['`', '"']).next().unwrap_or_default()),
        };
        self.facts.define(definition, String::new())
    }

    /// Defines the methods of an interface and adds its embedded interfaces as bases.
    fn interface_members(&mut self, node: Node<'a>, owner: DefId, context: Context) {
        for element in self.children(node) {
            match (kind(element), self.child(element, self.fields.name)) {
                (Kind::MethodElem, Some(name)) => self.interface_method(name, element, owner, context),
                _ => {
                    let is_union = self.text_of(element).contains(['|', '~']);
                    let expr = self.type_expr(element, context);
                    if !is_union {
                        let base = Base { expr, relation: BaseRelation::Extends };
                        self.facts.definition_mut(owner).bases.push(base);
                    }
                }
            }
        }
    }

    fn interface_method(&mut self, name: Node<'a>, element: Node<'a>, owner: DefId, context: Context) {
        let mut definition = self.new_definition(SymbolKind::Method, name, element, context.scope);
        definition.signature = docs::single_line(self.text_of(element));
        definition.doc = self.spec_doc(element, &mut String::new());
        definition.scope_names = self.member_scope_names(owner);
        definition.container = Container::Definition(owner);
        definition.parent = Some(owner);
        definition.flags.is_abstract = true;
        definition.flags.is_local = self.facts.definition(owner).flags.is_local;
        let id = self.facts.define(definition, String::new());
        let is_local = self.facts.definition(id).flags.is_local;
        let source = if is_local { context.source } else { Some(id) };
        let (parameters, result) = self.signature_types(element, Context { source, ..context });
        let definition = self.facts.definition_mut(id);
        definition.parameters = parameters;
        definition.result = result;
    }
}

/// Returns the anonymous struct in a type: the type itself, or the element of a pointer or container type.
fn inner_anonymous_struct(node: Node<'_>) -> Option<Node<'_>> {
    match kind(node) {
        Kind::StructType => Some(node),
        Kind::PointerType | Kind::ParenthesizedType => inner_anonymous_struct(node.named_child(0)?),
        Kind::SliceType | Kind::ArrayType => inner_anonymous_struct(node.child_by_field_name("element")?),
        Kind::MapType => inner_anonymous_struct(node.child_by_field_name("value")?),
        _ => None,
    }
}
