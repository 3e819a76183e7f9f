//! Structs, enums, traits and `impl` blocks.

use tree_sitter::Node;

use super::definitions::Header;
use super::grammar::{Kind, kind};
use super::preamble::Preamble;
use super::types::Generic;
use super::walker::{Context, Walker, children};
use crate::facts::{Base, BaseRelation, Container, DefId, Expr, ExprId, Extension, ExtensionId, ScopeId, ScopeKind};
use crate::model::SymbolKind;

impl Walker {
    /// A struct or union with its fields.
    pub fn structure(&mut self, node: Node<'_>, preamble: &Preamble<'_>) {
        let body = self.child(node, self.fields.body);
        let shown_body = body.filter(|body| kind(*body) == Kind::FieldDeclarationList);
        let Some((id, context)) = self.open_type(node, preamble, SymbolKind::Type, shown_body) else { return };
        let name = self.builder.definition(id).name;
        self.inside(Some(name), context, |walker| {
            walker.builder.definition_mut(id).type_parameters = walker.type_parameters(node, Generic::Definition(id));
            if let Some(body) = body {
                walker.fields(body);
            }
        });
    }

    /// Defines a type and gives the context of its inside.
    fn open_type(
        &mut self,
        node: Node<'_>,
        preamble: &Preamble<'_>,
        kind_of: SymbolKind,
        body: Option<Node<'_>>,
    ) -> Option<(DefId, Context)> {
        let name = self.child(node, self.fields.name)?;
        let scope = self.open(ScopeKind::Type);
        let header = Header { item: node, name, kind: kind_of, scope, body };
        let id = self.define(&header, preamble);
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
            floor: self.locals.len(),
        };
        Some((id, context))
    }

    /// Named fields, or places of a tuple struct named by their numbers.
    fn fields(&mut self, list: Node<'_>) {
        let mut cursor = list.walk();
        let mut preamble = Preamble::default();
        let nodes: Vec<Node<'_>> = list.named_children(&mut cursor).collect();
        let mut place = 0;
        for node in nodes {
            if preamble.take(node) || kind(node) == Kind::VisibilityModifier {
                continue;
            }
            let scope = self.context.scope;
            if kind(node) == Kind::FieldDeclaration {
                if let Some(name) = self.child(node, self.fields.name) {
                    let header = Header { item: node, name, kind: SymbolKind::Field, scope, body: None };
                    let id = self.define(&header, &preamble);
                    let value_type = self.child(node, self.fields.type_of).map(|of| self.type_of(of));
                    self.builder.definition_mut(id).value_type = value_type;
                }
            } else {
                let header = Header { item: node, name: node, kind: SymbolKind::Field, scope, body: None };
                let name = self.builder.atom(&place.to_string());
                let id = self.define_named(&header, &preamble, name);
                let value_type = Some(self.type_of(node));
                self.builder.definition_mut(id).value_type = value_type;
                place += 1;
            }
            preamble.clear();
        }
    }

    /// An enum: its variants are members, and their fields are members of the variants.
    pub fn enumeration(&mut self, node: Node<'_>, preamble: &Preamble<'_>) {
        let body = self.child(node, self.fields.body);
        let Some((id, context)) = self.open_type(node, preamble, SymbolKind::Type, body) else { return };
        let name = self.builder.definition(id).name;
        self.inside(Some(name), context, |walker| {
            walker.builder.definition_mut(id).type_parameters = walker.type_parameters(node, Generic::Definition(id));
            let Some(body) = body else { return };
            let mut cursor = body.walk();
            let nodes: Vec<Node<'_>> = body.named_children(&mut cursor).collect();
            let mut preamble = Preamble::default();
            for variant in nodes {
                if preamble.take(variant) {
                    continue;
                }
                walker.variant(variant, &preamble);
                preamble.clear();
            }
        });
    }

    fn variant(&mut self, node: Node<'_>, preamble: &Preamble<'_>) {
        let Some(name) = self.child(node, self.fields.name) else { return };
        let scope = self.context.scope;
        let header = Header { item: node, name, kind: SymbolKind::Field, scope, body: None };
        let id = self.define(&header, preamble);
        self.builder.definition_mut(id).flags.is_variant = true;
        if let Some(value) = self.child(node, self.fields.value) {
            self.value(value);
        }
        let Some(body) = self.child(node, self.fields.body) else { return };
        let context = Context { parent: Some(id), container: Container::Definition(id), ..self.context };
        let name = self.builder.definition(id).name;
        self.inside(Some(name), context, |walker| walker.fields(body));
    }

    /// A trait: its supertraits are bases, its items members.
    pub fn trait_item(&mut self, node: Node<'_>, preamble: &Preamble<'_>) {
        let body = self.child(node, self.fields.body);
        let Some((id, context)) = self.open_type(node, preamble, SymbolKind::Interface, body) else { return };
        // Its items are definitions of their own, and nothing else in it has words.
        self.bodies[id.0 as usize] = None;
        let name = self.builder.definition(id).name;
        self.inside(Some(name), context, |walker| {
            walker.builder.definition_mut(id).type_parameters = walker.type_parameters(node, Generic::Definition(id));
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

    /// `impl T` and `impl Trait for T`.
    pub fn implementation(&mut self, node: Node<'_>) {
        let Some(target_node) = self.child(node, self.fields.type_of) else { return };
        let scope = self.open(ScopeKind::Extension);
        let id = ExtensionId(self.extensions);
        self.extensions += 1;
        self.builder.scope_mut(scope).extension = Some(id);
        let target_name = self.plain_name(target_node);
        let context = Context { scope, container: Container::Extension(id), floor: self.locals.len(), ..self.context };
        let line = self.line(node);
        self.inside(Some(target_name), context, |walker| {
            let extension = walker.extension_header(node, target_node, id, scope);
            walker.builder.extend(Extension { target_name, line, ..extension });
            if let Some(body) = walker.child(node, walker.fields.body) {
                walker.items(body);
            }
        });
    }

    fn extension_header(&mut self, node: Node<'_>, target: Node<'_>, id: ExtensionId, scope: ScopeId) -> Extension {
        let type_parameters = self.type_parameters(node, Generic::Extension(id));
        let target = self.header_type(target);
        let implements = self.child(node, self.fields.trait_name).map(|implemented| self.header_type(implemented));
        let target_name = crate::facts::Atom(0);
        Extension { target, target_name, implements, scope, type_parameters, line: 0 }
    }

    /// A type in a header: what it names is linked by the header itself and not referred to; its arguments are.
    fn header_type(&mut self, node: Node<'_>) -> ExprId {
        match kind(node) {
            Kind::TypeIdentifier | Kind::Identifier | Kind::ScopedTypeIdentifier | Kind::ScopedIdentifier => {
                self.plain_path(node)
            }
            Kind::GenericType => {
                let base = self.child(node, self.fields.type_of).map_or(self.unknown, |base| self.plain_path(base));
                let args = self.child(node, self.fields.type_arguments).map(|list| self.type_arguments(list));
                self.wrap(base, |base| Expr::Apply { base, args: args.unwrap_or_default() })
            }
            Kind::ReferenceType | Kind::PointerType | Kind::HigherRanked => {
                let inner = self.child(node, self.fields.type_of);
                inner.map_or(self.unknown, |inner| self.deeper(self.unknown, |walker| walker.header_type(inner)))
            }
            _ => self.type_of(node),
        }
    }
}
