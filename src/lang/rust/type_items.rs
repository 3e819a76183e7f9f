//! Structs, enums, traits and `impl` blocks.

use tree_sitter::Node;

use super::attributes::OuterAttributes;
use super::definitions::Header;
use super::grammar::{Kind, kind};
use super::types::GenericOwner;
use super::walker::{Context, Walker, children};
use crate::facts::{Base, BaseRelation, Container, DefId, Expr, ExprId, Extension, ExtensionId, ScopeId, ScopeKind};
use crate::model::SymbolKind;

impl Walker {
    /// Adds a struct or union with its fields.
    pub fn struct_item(&mut self, node: Node<'_>, attributes: &OuterAttributes<'_>) {
        let body = self.child(node, self.fields.body);
        let shown_body = body.filter(|body| kind(*body) == Kind::FieldDeclarationList);
        let Some((id, context)) = self.open_type(node, attributes, SymbolKind::Type, shown_body) else { return };
        let name = self.builder.definition(id).name;
        self.with_context(Some(name), context, |walker| {
            walker.builder.definition_mut(id).type_parameters =
                walker.type_parameters(node, GenericOwner::Definition(id));
            if let Some(body) = body {
                walker.field_declarations(body);
            }
        });
    }

    /// Adds the definition of a type and returns the context of its members.
    fn open_type(
        &mut self,
        node: Node<'_>,
        attributes: &OuterAttributes<'_>,
        symbol_kind: SymbolKind,
        body: Option<Node<'_>>,
    ) -> Option<(DefId, Context)> {
        let name = self.child(node, self.fields.name)?;
        let scope = self.open_scope(ScopeKind::Type);
        let header = Header { item: node, name, kind: symbol_kind, scope, body };
        let id = self.define(&header, attributes);
        self.bind_definition(&header, id);
        self.builder.scope_mut(scope).definition = Some(id);
        let context = Context {
            scope,
            source: Some(id),
            parent: Some(id),
            container: Container::Definition(id),
            in_function: self.context.in_function,
            is_test: self.builder.definition(id).flags.is_test,
            is_cfg_inactive: self.context.is_cfg_inactive,
            locals_start: self.locals.len(),
        };
        Some((id, context))
    }

    /// Adds named fields, or the fields of a tuple struct with their indexes as names.
    fn field_declarations(&mut self, list: Node<'_>) {
        let mut cursor = list.walk();
        let mut attributes = OuterAttributes::default();
        let nodes: Vec<Node<'_>> = list.named_children(&mut cursor).collect();
        let mut index = 0;
        for node in nodes {
            if attributes.try_push(node) || kind(node) == Kind::VisibilityModifier {
                continue;
            }
            let scope = self.context.scope;
            if kind(node) == Kind::FieldDeclaration {
                if let Some(name) = self.child(node, self.fields.name) {
                    let header = Header { item: node, name, kind: SymbolKind::Field, scope, body: None };
                    let id = self.define(&header, &attributes);
                    let value_type = self.child(node, self.fields.type_node).map(|node| self.type_expr(node));
                    self.builder.definition_mut(id).value_type = value_type;
                }
            } else {
                let header = Header { item: node, name: node, kind: SymbolKind::Field, scope, body: None };
                let name = self.builder.atom(&index.to_string());
                let id = self.define_named(&header, &attributes, name);
                let value_type = Some(self.type_expr(node));
                self.builder.definition_mut(id).value_type = value_type;
                index += 1;
            }
            attributes.clear();
        }
    }

    /// Adds an enum. Its variants are its members, and their fields are members of the variants.
    pub fn enum_item(&mut self, node: Node<'_>, attributes: &OuterAttributes<'_>) {
        let body = self.child(node, self.fields.body);
        let Some((id, context)) = self.open_type(node, attributes, SymbolKind::Type, body) else { return };
        let name = self.builder.definition(id).name;
        self.with_context(Some(name), context, |walker| {
            walker.builder.definition_mut(id).type_parameters =
                walker.type_parameters(node, GenericOwner::Definition(id));
            let Some(body) = body else { return };
            let mut cursor = body.walk();
            let nodes: Vec<Node<'_>> = body.named_children(&mut cursor).collect();
            let mut attributes = OuterAttributes::default();
            for variant in nodes {
                if attributes.try_push(variant) {
                    continue;
                }
                walker.enum_variant(variant, &attributes);
                attributes.clear();
            }
        });
    }

    fn enum_variant(&mut self, node: Node<'_>, attributes: &OuterAttributes<'_>) {
        let Some(name) = self.child(node, self.fields.name) else { return };
        let scope = self.context.scope;
        let header = Header { item: node, name, kind: SymbolKind::Field, scope, body: None };
        let id = self.define(&header, attributes);
        self.builder.definition_mut(id).flags.is_variant = true;
        if let Some(value) = self.child(node, self.fields.value) {
            self.value(value);
        }
        let Some(body) = self.child(node, self.fields.body) else { return };
        let context = Context { parent: Some(id), container: Container::Definition(id), ..self.context };
        let name = self.builder.definition(id).name;
        self.with_context(Some(name), context, |walker| walker.field_declarations(body));
    }

    /// Adds a trait. Its supertraits are bases, its items are members.
    pub fn trait_item(&mut self, node: Node<'_>, attributes: &OuterAttributes<'_>) {
        let body = self.child(node, self.fields.body);
        let Some((id, context)) = self.open_type(node, attributes, SymbolKind::Interface, body) else { return };
        // All words of a trait's body belong to its items.
        self.body_starts[id.index()] = None;
        let name = self.builder.definition(id).name;
        self.with_context(Some(name), context, |walker| {
            walker.builder.definition_mut(id).type_parameters =
                walker.type_parameters(node, GenericOwner::Definition(id));
            if let Some(bounds) = walker.child(node, walker.fields.bounds) {
                for bound in children(bounds) {
                    let expr = walker.header_type(bound);
                    if expr != walker.unknown {
                        let base = Base { expr, relation: BaseRelation::Extends };
                        walker.builder.definition_mut(id).bases.push(base);
                    }
                }
            }
            if let Some(body) = body {
                walker.items(body);
            }
        });
    }

    /// Adds `impl T` or `impl Trait for T`.
    pub fn impl_item(&mut self, node: Node<'_>) {
        let Some(target_node) = self.child(node, self.fields.type_node) else { return };
        let scope = self.open_scope(ScopeKind::Extension);
        let id = ExtensionId(self.impl_count);
        self.impl_count += 1;
        self.builder.scope_mut(scope).extension = Some(id);
        let target_name = self.impl_target_name(target_node);
        let context =
            Context { scope, container: Container::Extension(id), locals_start: self.locals.len(), ..self.context };
        let line = self.line(node);
        self.with_context(Some(target_name), context, |walker| {
            let extension = walker.extension_header(node, target_node, id, scope);
            walker.builder.extend(Extension { target_name, line, ..extension });
            if let Some(body) = walker.child(node, walker.fields.body) {
                walker.items(body);
            }
        });
    }

    fn extension_header(&mut self, node: Node<'_>, target: Node<'_>, id: ExtensionId, scope: ScopeId) -> Extension {
        let type_parameters = self.type_parameters(node, GenericOwner::Extension(id));
        let target = self.header_type(target);
        let implements = self.child(node, self.fields.trait_name).map(|implemented| self.header_type(implemented));
        let target_name = crate::facts::Atom(0);
        Extension { target, target_name, implements, scope, type_parameters, line: 0 }
    }

    /// Visits a type in a header. Only its arguments are referenced: bases and extensions have edges of their own.
    fn header_type(&mut self, node: Node<'_>) -> ExprId {
        match kind(node) {
            Kind::TypeIdentifier | Kind::Identifier | Kind::ScopedTypeIdentifier | Kind::ScopedIdentifier => {
                self.unreferenced_path(node)
            }
            Kind::GenericType => {
                let base =
                    self.child(node, self.fields.type_node).map_or(self.unknown, |base| self.unreferenced_path(base));
                let args = self.child(node, self.fields.type_arguments).map(|list| self.type_arguments(list));
                self.wrap(base, |base| Expr::Apply { base, args: args.unwrap_or_default() })
            }
            Kind::ReferenceType | Kind::PointerType | Kind::HigherRanked => {
                let inner = self.child(node, self.fields.type_node);
                inner.map_or(self.unknown, |inner| self.descend(self.unknown, |walker| walker.header_type(inner)))
            }
            _ => self.type_expr(node),
        }
    }
}
