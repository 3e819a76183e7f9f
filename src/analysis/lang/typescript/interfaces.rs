//! Interfaces, type aliases, enums and namespaces.

use tree_sitter::Node;

use super::builtins::{GLOBAL, GLOBAL_TYPINGS};
use super::docs;
use super::state::Ts;
use crate::facts::{Atom, Base, BaseRelation, BindingKind, Container, DefId, Expr, ExprId, Scope, ScopeId, ScopeKind};
use crate::lang::common::walker::Expected;
use crate::model::SymbolKind;

impl<'a> Ts<'_, 'a> {
    /// Adds `interface Name extends Base { … }`.
    pub fn interface(&mut self, node: Node<'a>, outer: Node<'a>) {
        let Some(id) = self.open_type(node, outer, SymbolKind::Interface) else { return };
        let (saved, names) = (self.context, self.hidden_types.len());
        let (scope, name) = (self.facts.definition(id).scope, self.facts.definition(id).name);
        self.enter_type(id, scope, name);
        let type_parameters = self.type_parameters(node, Some(id));
        let mut bases = Vec::new();
        for clause in self.children(node) {
            if clause.kind() == "extends_type_clause" {
                for base in self.children(clause) {
                    let expr = self.base_type(base);
                    bases.push(Base { expr, relation: BaseRelation::Extends });
                }
            }
        }
        let value_type = match self.field(node, "body") {
            Some(body) => self.type_members(body, id),
            None => None,
        };
        let definition = self.facts.definition_mut(id);
        definition.type_parameters = type_parameters.into();
        definition.bases = bases.into();
        definition.value_type = value_type;
        self.scope_names.pop();
        self.hidden_types.truncate(names);
        self.context = saved;
    }

    /// Adds `type Name = …`. An alias of an object type has members of its own, like an interface.
    pub fn type_alias(&mut self, node: Node<'a>, outer: Node<'a>) {
        let Some(id) = self.open_type(node, outer, SymbolKind::Type) else { return };
        self.facts.definition_mut(id).flags.is_alias = true;
        let (saved, names) = (self.context, self.hidden_types.len());
        let (scope, name) = (self.facts.definition(id).scope, self.facts.definition(id).name);
        self.enter_type(id, scope, name);
        let type_parameters = self.type_parameters(node, Some(id));
        self.facts.definition_mut(id).type_parameters = type_parameters.into();
        if let Some(value) = self.field(node, "value") {
            let is_object = value.kind() == "object_type" && !self.is_mapped(value);
            let value_type = if is_object { self.type_members(value, id) } else { Some(self.type_expr(value)) };
            let definition = self.facts.definition_mut(id);
            definition.flags.is_alias = !is_object;
            definition.value_type = value_type;
        }
        self.scope_names.pop();
        self.hidden_types.truncate(names);
        self.context = saved;
    }

    fn open_type(&mut self, node: Node<'a>, outer: Node<'a>, kind: SymbolKind) -> Option<DefId> {
        let name_node = self.field(node, "name")?;
        let name = self.atom_of(name_node);
        let scope = self.open_scope(ScopeKind::Type, None);
        let mut definition = self.new_definition(name, kind, outer, name_node);
        definition.scope = scope;
        let end = self.field(node, "body").map_or(node.end_byte(), |body| body.start_byte());
        definition.signature = docs::signature(self.text, self.declaration_start(outer), end);
        let id = self.facts.define(definition, String::new());
        self.facts.scope_mut(scope).definition = Some(id);
        self.bind_here(name, name_node.start_byte() as u32, BindingKind::Definition(id));
        Some(id)
    }

    /// Returns a base as a type. Its name is not referenced, because the base has an edge of its own; its arguments
    /// are.
    pub fn base_type(&mut self, node: Node<'a>) -> ExprId {
        match node.kind() {
            "type_identifier" => {
                let atom = self.atom_with_word(node);
                self.name(atom)
            }
            "generic_type" => {
                let base = self.field(node, "name").map(|name| self.base_type(name));
                let args = self.field(node, "type_arguments").map(|args| self.type_arguments(args));
                let base = base.unwrap_or(self.unknown);
                self.facts.expr(Expr::Apply { base, args: args.unwrap_or_default() })
            }
            "nested_type_identifier" => self.replay(|walker| walker.type_expr(node)),
            _ => self.type_expr(node),
        }
    }

    /// Adds the named members of an interface or object type as definitions of `owner`. Returns its call, construct and
    /// index signatures as an object.
    fn type_members(&mut self, body: Node<'a>, owner: DefId) -> Option<ExprId> {
        let mut signatures = Vec::new();
        for child in self.children(body) {
            match child.kind() {
                "method_signature" => self.method(child, &[], owner),
                "property_signature" => {
                    self.property(child, Container::Definition(owner));
                }
                _ => signatures.extend(self.signature_member(child)),
            }
        }
        (!signatures.is_empty()).then(|| self.object(signatures))
    }

    /// Adds a property of an interface or object type.
    pub fn property(&mut self, node: Node<'a>, container: Container) -> Option<(Atom, DefId)> {
        let name_node = self.field(node, "name")?;
        let name = self.member_name(name_node)?;
        let mut definition = self.new_definition(name, SymbolKind::Field, node, name_node);
        definition.container = container;
        definition.signature = docs::signature(self.text, node.start_byte(), node.end_byte());
        let id = self.facts.define(definition, String::new());
        let saved = self.context;
        self.context.parent = Some(id);
        self.scope_names.push(name);
        let value_type = self.field(node, "type").map(|annotation| self.annotation(annotation));
        self.scope_names.pop();
        self.context = saved;
        self.facts.definition_mut(id).value_type = value_type;
        Some((name, id))
    }

    /// Adds `enum Name { A, B = 1 }`.
    pub fn enum_declaration(&mut self, node: Node<'a>, outer: Node<'a>) {
        let Some(id) = self.open_type(node, outer, SymbolKind::Type) else { return };
        let saved = self.context;
        let (scope, name) = (self.facts.definition(id).scope, self.facts.definition(id).name);
        self.enter_type(id, scope, name);
        for child in self.field(node, "body").map_or_else(Vec::new, |body| self.children(body)) {
            let (name_node, value) = match child.kind() {
                "enum_assignment" => (self.field(child, "name"), self.field(child, "value")),
                _ => (Some(child), None),
            };
            let Some(name_node) = name_node else { continue };
            let Some(member) = self.member_name(name_node) else { continue };
            let mut definition = self.new_definition(member, SymbolKind::Field, child, name_node);
            definition.container = Container::Definition(id);
            definition.flags.is_variant = true;
            definition.signature = docs::signature(self.text, child.start_byte(), child.end_byte());
            let member_id = self.facts.define(definition, String::new());
            let inside = self.context;
            self.context.parent = Some(member_id);
            if let Some(value) = value {
                self.value(value, Expected::None);
            }
            self.context = inside;
        }
        self.scope_names.pop();
        self.context = saved;
    }

    /// Adds `namespace A.B { … }` or `declare module 'name' { … }`.
    pub fn namespace(&mut self, node: Node<'a>, outer: Node<'a>) {
        let Some(name_node) = self.field(node, "name") else { return };
        let text = match name_node.kind() {
            "string" => self.string_value(name_node).unwrap_or(""),
            _ => self.text_of(name_node),
        };
        let is_plain = name_node.kind() != "string";
        let parts: Vec<&str> = if is_plain { text.split('.').map(str::trim).collect() } else { vec![text] };
        let (saved, names) = (self.context, self.scope_names.len());
        for part in parts.into_iter().filter(|part| !part.is_empty()) {
            let name = self.facts.atom(part);
            self.open_namespace(name, outer, (name_node, name_node.end_byte()), is_plain);
        }
        if let Some(body) = self.field(node, "body") {
            self.statements(body);
        }
        self.scope_names.truncate(names);
        self.context = saved;
    }

    /// Marks a script of typings (`.d.ts` without import or export), whose names are global.
    pub fn mark_global_typings(&mut self, path: &str, root: Node<'_>) {
        let mut cursor = root.walk();
        let is_of_module = |node: Node<'_>| matches!(node.kind(), "export_statement" | "import_statement");
        if path.ends_with(".d.ts") && !root.children(&mut cursor).any(is_of_module) {
            let name = self.facts.atom(GLOBAL_TYPINGS);
            let unknown = self.unknown;
            self.facts.bind(ScopeId(0), name, 0, BindingKind::Alias(unknown));
        }
    }

    /// Adds `declare global { … }`, whose names all files see.
    pub fn globals(&mut self, body: Node<'a>, outer: Node<'a>) {
        let (saved, names) = (self.context, self.scope_names.len());
        let name = self.facts.atom(GLOBAL);
        self.open_namespace(name, outer, (outer, body.start_byte()), false);
        self.statements(body);
        self.scope_names.truncate(names);
        self.context = saved;
    }

    /// Adds a namespace, whose signature ends at a byte, and enters it. `binds` says whether code can name it.
    fn open_namespace(&mut self, name: Atom, outer: Node<'a>, (name_node, end): (Node<'a>, usize), binds: bool) {
        let parent = Some(self.context.scope);
        let scope = self.facts.scope(Scope {
            parent,
            kind: ScopeKind::Module,
            definition: None,
            extension: None,
            module_name: Some(name),
            extends: None,
        });
        let mut definition = self.new_definition(name, SymbolKind::Package, outer, name_node);
        definition.scope = scope;
        definition.signature = docs::signature(self.text, self.declaration_start(outer), end);
        let id = self.facts.define(definition, String::new());
        self.facts.scope_mut(scope).definition = Some(id);
        if binds {
            self.bind_here(name, name_node.start_byte() as u32, BindingKind::Definition(id));
        }
        self.context.scope = scope;
        self.context.parent = Some(id);
        self.scope_names.push(name);
    }
}
