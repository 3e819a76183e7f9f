//! Items: dispatch, functions, constants, modules, aliases, macros.

use tree_sitter::Node;

use super::definitions::Header;
use super::grammar::{Kind, kind};
use super::preamble::Preamble;
use super::types::Generic;
use super::walker::{Context, Walker, children};
use crate::facts::{BindingKind, Container, Expr, ExprId, Import, ImportName, Parameter, ScopeId, ScopeKind};
use crate::model::SymbolKind;

impl Walker {
    /// Every item of a list: a file, a module's braces, a trait's or an `impl`'s.
    pub fn items(&mut self, list: Node<'_>) {
        let mut cursor = list.walk();
        let nodes: Vec<Node<'_>> = list.named_children(&mut cursor).collect();
        let mut preamble = Preamble::default();
        for node in nodes {
            if preamble.take(node) {
                continue;
            }
            self.item(node, &preamble);
            preamble.clear();
        }
    }

    /// One item.
    pub fn item(&mut self, node: Node<'_>, preamble: &Preamble<'_>) {
        let before = self.context.is_cfg_inactive;
        self.context.is_cfg_inactive = before || preamble.is_cfg_inactive(self);
        self.deeper((), |walker| walker.item_form(node, preamble));
        self.context.is_cfg_inactive = before;
    }

    fn item_form(&mut self, node: Node<'_>, preamble: &Preamble<'_>) {
        match kind(node) {
            Kind::FunctionItem | Kind::FunctionSignature => self.function(node, preamble),
            Kind::StructItem | Kind::UnionItem => self.structure(node, preamble),
            Kind::EnumItem => self.enumeration(node, preamble),
            Kind::TraitItem => self.trait_item(node, preamble),
            Kind::ImplItem => self.implementation(node),
            Kind::TypeItem | Kind::AssociatedType => self.alias(node, preamble),
            Kind::ConstItem => self.constant(node, preamble, SymbolKind::Const),
            Kind::StaticItem => self.constant(node, preamble, SymbolKind::Var),
            Kind::ModItem => self.module(node, preamble),
            Kind::MacroDefinition => self.macro_definition(node, preamble),
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

    fn function(&mut self, node: Node<'_>, preamble: &Preamble<'_>) {
        let Some(name) = self.child(node, self.fields.name) else { return };
        let is_method = self.context.container != Container::Module;
        let kind_of = if is_method { SymbolKind::Method } else { SymbolKind::Function };
        let body = self.child(node, self.fields.body);
        let scope = self.open(ScopeKind::Function);
        let header = Header { item: node, name, kind: kind_of, scope, body };
        let id = self.define(&header, preamble);
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
            floor: self.locals.len(),
        };
        let own_name = self.builder.definition(id).name;
        self.inside(Some(own_name), context, |walker| {
            let type_parameters = walker.type_parameters(node, Generic::Definition(id));
            let (parameters, has_receiver) = walker.parameters(node);
            let result = walker.child(node, walker.fields.return_type).map(|result| walker.type_of(result));
            let definition = walker.builder.definition_mut(id);
            definition.type_parameters = type_parameters;
            definition.parameters = parameters;
            definition.result = result;
            definition.flags.is_async = is_async;
            definition.flags.is_abstract = body.is_none();
            definition.flags.is_static = is_method && !has_receiver;
            let floor = walker.context.floor;
            if let Some(body) = body {
                walker.block(body, false);
            }
            walker.locals.truncate(floor);
        });
    }

    /// The parameters of a function, bound as locals, and whether it has a receiver.
    fn parameters(&mut self, node: Node<'_>) -> (Vec<Parameter>, bool) {
        let mut parameters = Vec::new();
        let mut has_receiver = false;
        for child in self.child(node, self.fields.parameters).map(children).unwrap_or_default() {
            match kind(child) {
                Kind::SelfParameter => has_receiver = true,
                Kind::Parameter => {
                    let value_type = self.child(child, self.fields.type_of).map(|of| self.type_of(of));
                    let Some(pattern) = self.child(child, self.fields.pattern) else { continue };
                    // `self: Box<Self>` is a receiver as well.
                    if kind(pattern) == Kind::SelfValue {
                        has_receiver = true;
                        continue;
                    }
                    let value = value_type.map_or(self.unknown, |of| self.wrap(of, Expr::Instance));
                    self.pattern(pattern, value);
                    parameters.push(Parameter { name: self.atom(pattern), value_type });
                }
                Kind::AttributeItem => {}
                _ => {
                    let value_type = Some(self.type_of(child));
                    let name = self.builder.atom("_");
                    parameters.push(Parameter { name, value_type });
                }
            }
        }
        (parameters, has_receiver)
    }

    fn constant(&mut self, node: Node<'_>, preamble: &Preamble<'_>, kind_of: SymbolKind) {
        let Some(name) = self.child(node, self.fields.name) else { return };
        let value = self.child(node, self.fields.value);
        let body =
            value.filter(|value| value.end_byte() - value.start_byte() > 60 || self.text_of(*value).contains('\n'));
        let header = Header { item: node, name, kind: kind_of, scope: self.context.scope, body };
        let id = self.define(&header, preamble);
        self.bodies[id.0 as usize] = value.map(|value| self.position(value));
        if self.text_of(name) != "_" {
            self.bind_definition(&header, id);
        }
        let value_type = self.child(node, self.fields.type_of).map(|of| self.type_of(of));
        let parent = self.context.parent.replace(id);
        let value = value.map(|value| self.value(value));
        self.context.parent = parent;
        let definition = self.builder.definition_mut(id);
        (definition.value_type, definition.value) = (value_type, value);
    }

    /// `type A = B;` and a trait's `type A: Bound;`, which stands for its bounds.
    fn alias(&mut self, node: Node<'_>, preamble: &Preamble<'_>) {
        let Some(name) = self.child(node, self.fields.name) else { return };
        let scope = self.open(ScopeKind::Block);
        let header = Header { item: node, name, kind: SymbolKind::Type, scope, body: None };
        let id = self.define(&header, preamble);
        self.bind_definition(&header, id);
        let before = self.context;
        (self.context.scope, self.context.source) = (scope, Some(id));
        let type_parameters = self.type_parameters(node, Generic::Definition(id));
        let target: Option<ExprId> = match self.child(node, self.fields.type_of) {
            Some(target) => Some(self.type_of(target)),
            None => self.child(node, self.fields.bounds).map(|bounds| {
                let bounds = self.bounds(bounds);
                self.union(bounds)
            }),
        };
        self.context = before;
        let definition = self.builder.definition_mut(id);
        definition.flags.is_alias = true;
        (definition.value_type, definition.type_parameters) = (target, type_parameters);
    }

    fn module(&mut self, node: Node<'_>, preamble: &Preamble<'_>) {
        let Some(name) = self.child(node, self.fields.name) else { return };
        let body = self.child(node, self.fields.body);
        let Some(list) = body else {
            let header = Header { item: node, name, kind: SymbolKind::Package, scope: ScopeId(0), body };
            self.define(&header, preamble);
            self.module_file(name, preamble);
            return;
        };
        let scope = self.open(ScopeKind::Module);
        let header = Header { item: node, name, kind: SymbolKind::Package, scope, body };
        let id = self.define(&header, preamble);
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
            floor: self.locals.len(),
            source: self.context.source,
        };
        self.inside(Some(own_name), context, |walker| walker.items(list));
    }

    /// `mod x;` is another file: an import of that module.
    fn module_file(&mut self, name: Node<'_>, preamble: &Preamble<'_>) {
        let own = self.builder.atom("self");
        let local = self.atom(name);
        let target = match preamble.path(self) {
            Some(path) => self.builder.atom(&format!("={path}")),
            None => local,
        };
        let (scope, position) = (self.context.scope, self.position(name));
        let (path, import_name) = (vec![own, target], ImportName::Module);
        let import = Import { scope, path, level: 0, name: import_name, position, reexport: true };
        let import = self.builder.import(import);
        self.bind(local, name, BindingKind::Import(import));
    }

    fn macro_definition(&mut self, node: Node<'_>, preamble: &Preamble<'_>) {
        let Some(name) = self.child(node, self.fields.name) else { return };
        let rules = children(node).into_iter().find(|child| child.kind() == "macro_rule");
        let header = Header { item: node, name, kind: SymbolKind::Macro, scope: self.context.scope, body: rules };
        let id = self.define(&header, preamble);
        let signature = format!("macro_rules! {}", self.text_of(name));
        self.builder.definition_mut(id).signature = signature;
        let atom = self.builder.definition(id).name;
        self.bind(atom, name, BindingKind::Definition(id));
    }
}
