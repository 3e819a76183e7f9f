//! Items: dispatch by kind, functions, constants, modules, type aliases, macro definitions.

use tree_sitter::Node;

use super::attributes::OuterAttributes;
use super::builtins::PATH_ATTRIBUTE_PREFIX;
use super::definitions::Header;
use super::grammar::{Kind, kind};
use super::types::GenericOwner;
use super::walker::{Context, Walker, children};
use crate::facts::{
    ArgumentCount, BindingKind, Container, Expr, ExprId, Import, ImportName, Parameter, ScopeId, ScopeKind,
};
use crate::model::SymbolKind;

/// Maximum length in bytes of a constant's value that is part of the signature.
const MAX_SIGNATURE_VALUE: usize = 60;

impl Walker {
    /// Visits the items of a file, an inline module, a trait or an `impl` block.
    pub fn items(&mut self, list: Node<'_>) {
        let mut cursor = list.walk();
        let nodes: Vec<Node<'_>> = list.named_children(&mut cursor).collect();
        let mut attributes = OuterAttributes::default();
        for node in nodes {
            if attributes.try_push(node) {
                continue;
            }
            self.item(node, &attributes);
            attributes.clear();
        }
    }

    /// Visits one item.
    pub fn item(&mut self, node: Node<'_>, attributes: &OuterAttributes<'_>) {
        let saved = self.context.is_cfg_inactive;
        self.context.is_cfg_inactive = saved || attributes.is_cfg_inactive(self);
        self.descend((), |walker| walker.item_inner(node, attributes));
        self.context.is_cfg_inactive = saved;
    }

    fn item_inner(&mut self, node: Node<'_>, attributes: &OuterAttributes<'_>) {
        match kind(node) {
            Kind::FunctionItem | Kind::FunctionSignature => self.function_item(node, attributes),
            Kind::StructItem | Kind::UnionItem => self.struct_item(node, attributes),
            Kind::EnumItem => self.enum_item(node, attributes),
            Kind::TraitItem => self.trait_item(node, attributes),
            Kind::ImplItem => self.impl_item(node),
            Kind::TypeItem | Kind::AssociatedType => self.type_alias(node, attributes),
            Kind::ConstItem => self.const_item(node, attributes, SymbolKind::Const),
            Kind::StaticItem => self.const_item(node, attributes, SymbolKind::Var),
            Kind::ModItem => self.module_item(node, attributes),
            Kind::MacroDefinition => self.macro_definition(node, attributes),
            Kind::Use => self.use_item(node),
            Kind::ExternCrate => self.extern_crate(node),
            Kind::ForeignMod => {
                if let Some(body) = self.child(node, self.fields.body) {
                    self.items(body);
                }
            }
            Kind::InnerAttribute => {}
            _ => _ = self.statement(node),
        }
    }

    fn function_item(&mut self, node: Node<'_>, attributes: &OuterAttributes<'_>) {
        let Some(name) = self.child(node, self.fields.name) else { return };
        let is_method = self.context.container != Container::Module;
        let symbol_kind = if is_method { SymbolKind::Method } else { SymbolKind::Function };
        let body = self.child(node, self.fields.body);
        let scope = self.open_scope(ScopeKind::Function);
        let header = Header { item: node, name, kind: symbol_kind, scope, body };
        let id = self.define(&header, attributes);
        self.bind_definition(&header, id);
        self.builder.scope_mut(scope).definition = Some(id);
        let is_async = children(node)
            .first()
            .copied()
            .into_iter()
            .chain(children(node).get(1).copied())
            .any(|part| kind(part) == Kind::FunctionModifiers && self.text_of(part).contains("async"));
        let is_test = self.builder.definition(id).flags.is_test;
        let context = Context {
            scope,
            source: Some(id),
            parent: Some(id),
            container: Container::Module,
            in_function: true,
            is_test,
            is_cfg_inactive: self.context.is_cfg_inactive,
            locals_start: self.locals.len(),
        };
        let own_name = self.builder.definition(id).name;
        self.with_context(Some(own_name), context, |walker| {
            let type_parameters = walker.type_parameters(node, GenericOwner::Definition(id));
            let (parameters, has_receiver) = walker.parameters(node);
            let result = walker.child(node, walker.fields.return_type).map(|result| walker.type_expr(result));
            let definition = walker.builder.definition_mut(id);
            definition.type_parameters = type_parameters;
            definition.parameters = parameters;
            definition.result = result;
            definition.flags.is_async = is_async;
            definition.flags.is_abstract = body.is_none();
            definition.flags.is_static = is_method && !has_receiver;
            let locals_start = walker.context.locals_start;
            if let Some(body) = body {
                walker.block(body, false);
            }
            walker.locals.truncate(locals_start);
        });
    }

    /// Returns the parameters of a function and whether it has a receiver. Binds them as locals.
    fn parameters(&mut self, node: Node<'_>) -> (Vec<Parameter>, bool) {
        let mut parameters = Vec::new();
        let mut has_receiver = false;
        for child in self.child(node, self.fields.parameters).map(children).unwrap_or_default() {
            match kind(child) {
                Kind::SelfParameter => has_receiver = true,
                Kind::Parameter => {
                    let value_type = self.child(child, self.fields.type_node).map(|node| self.type_expr(node));
                    let Some(pattern) = self.child(child, self.fields.pattern) else { continue };
                    // `self: Box<Self>` is a receiver too.
                    if kind(pattern) == Kind::SelfValue {
                        has_receiver = true;
                        continue;
                    }
                    let value = value_type.map_or(self.unknown, |node| self.wrap(node, Expr::Instance));
                    self.pattern(pattern, value);
                    parameters.push(Parameter { name: self.atom(pattern), value_type, arguments: ArgumentCount::One });
                }
                Kind::AttributeItem => {}
                _ => {
                    let value_type = Some(self.type_expr(child));
                    let name = self.builder.atom("_");
                    parameters.push(Parameter { name, value_type, arguments: ArgumentCount::One });
                }
            }
        }
        (parameters, has_receiver)
    }

    fn const_item(&mut self, node: Node<'_>, attributes: &OuterAttributes<'_>, symbol_kind: SymbolKind) {
        let Some(name) = self.child(node, self.fields.name) else { return };
        let value = self.child(node, self.fields.value);
        let body = value.filter(|value| {
            value.end_byte() - value.start_byte() > MAX_SIGNATURE_VALUE || self.text_of(*value).contains('\n')
        });
        let header = Header { item: node, name, kind: symbol_kind, scope: self.context.scope, body };
        let id = self.define(&header, attributes);
        self.body_starts[id.index()] = value.map(|value| self.position(value));
        if self.text_of(name) != "_" {
            self.bind_definition(&header, id);
        }
        let value_type = self.child(node, self.fields.type_node).map(|node| self.type_expr(node));
        let parent = self.context.parent.replace(id);
        let value = value.map(|value| self.value(value));
        self.context.parent = parent;
        let definition = self.builder.definition_mut(id);
        (definition.value_type, definition.value) = (value_type, value);
    }

    /// Adds `type A = B;`, or an associated type `type A: Bound;`, whose type is the union of its bounds.
    fn type_alias(&mut self, node: Node<'_>, attributes: &OuterAttributes<'_>) {
        let Some(name) = self.child(node, self.fields.name) else { return };
        let scope = self.open_scope(ScopeKind::Block);
        let header = Header { item: node, name, kind: SymbolKind::Type, scope, body: None };
        let id = self.define(&header, attributes);
        self.bind_definition(&header, id);
        let saved = self.context;
        (self.context.scope, self.context.source) = (scope, Some(id));
        let type_parameters = self.type_parameters(node, GenericOwner::Definition(id));
        let target: Option<ExprId> = match self.child(node, self.fields.type_node) {
            Some(target) => Some(self.type_expr(target)),
            None => self.child(node, self.fields.bounds).map(|bounds| {
                let bounds = self.bounds(bounds);
                self.union(bounds)
            }),
        };
        self.context = saved;
        let definition = self.builder.definition_mut(id);
        definition.flags.is_alias = true;
        (definition.value_type, definition.type_parameters) = (target, type_parameters);
    }

    fn module_item(&mut self, node: Node<'_>, attributes: &OuterAttributes<'_>) {
        let Some(name) = self.child(node, self.fields.name) else { return };
        let body = self.child(node, self.fields.body);
        let Some(list) = body else {
            let header = Header { item: node, name, kind: SymbolKind::Package, scope: ScopeId(0), body };
            self.define(&header, attributes);
            self.module_declaration(name, attributes);
            return;
        };
        let scope = self.open_scope(ScopeKind::Module);
        let header = Header { item: node, name, kind: SymbolKind::Package, scope, body };
        let id = self.define(&header, attributes);
        self.bind_definition(&header, id);
        let own_name = self.builder.definition(id).name;
        let data = self.builder.scope_mut(scope);
        (data.definition, data.module_name) = (Some(id), Some(own_name));
        let is_test = self.builder.definition(id).flags.is_test;
        let context = Context {
            scope,
            parent: Some(id),
            container: Container::Module,
            in_function: false,
            is_test,
            is_cfg_inactive: self.context.is_cfg_inactive,
            locals_start: self.locals.len(),
            source: self.context.source,
        };
        self.with_context(Some(own_name), context, |walker| walker.items(list));
    }

    /// Adds an import for `mod x;`, whose definition is another file.
    fn module_declaration(&mut self, name: Node<'_>, attributes: &OuterAttributes<'_>) {
        let own = self.builder.atom("self");
        let local = self.atom(name);
        let target = match attributes.path_attribute(self) {
            Some(path) => self.builder.atom(&format!("{PATH_ATTRIBUTE_PREFIX}{path}")),
            None => local,
        };
        let (scope, position) = (self.context.scope, self.position(name));
        let (path, import_name) = (vec![own, target], ImportName::Module);
        let import = Import { scope, path, level: 0, name: import_name, position, reexport: true };
        let import = self.builder.import(import);
        self.bind(local, name, BindingKind::Import(import));
    }

    fn macro_definition(&mut self, node: Node<'_>, attributes: &OuterAttributes<'_>) {
        let Some(name) = self.child(node, self.fields.name) else { return };
        let rules = children(node).into_iter().find(|child| child.kind() == "macro_rule");
        let header = Header { item: node, name, kind: SymbolKind::Macro, scope: self.context.scope, body: rules };
        let id = self.define(&header, attributes);
        let signature = format!("macro_rules! {}", self.text_of(name));
        self.builder.definition_mut(id).signature = signature;
        let atom = self.builder.definition(id).name;
        self.bind(atom, name, BindingKind::Definition(id));
    }
}
