//! Imports and exports of ECMAScript modules and CommonJS.

use tree_sitter::Node;

use super::builtins::{DEFAULT_EXPORT, EXPORT_ASSIGNMENT};
use super::functions::FunctionHeader;
use super::state::Ts;
use crate::facts::{BindingKind, Import, ImportId, ImportName, Role, Scope, ScopeId, ScopeKind};
use crate::lang::common::walker::Expected;

impl<'a> Ts<'_, 'a> {
    /// Adds the imports of `import … from '…'`.
    pub fn import(&mut self, node: Node<'a>) {
        let mut source = self.field(node, "source");
        let children = self.children(node);
        let clause = children.iter().copied().find(|child| child.kind() == "import_clause");
        let require = children.iter().copied().find(|child| child.kind() == "import_require_clause");
        if let Some(require) = require {
            source = self.field(require, "source").or(source);
        }
        let Some(path) = source.and_then(|source| self.string_value(source)) else { return };
        if let Some(require) = require {
            for child in self.children(require) {
                if child.kind() == "identifier" {
                    self.bind_import(path, ImportName::Module, child, child);
                }
            }
            return;
        }
        let Some(clause) = clause else {
            let position = source.map_or(0, |source| source.start_byte());
            self.add_import(path, ImportName::Module, position, self.context.scope, false);
            return;
        };
        for part in self.children(clause) {
            match part.kind() {
                "identifier" => self.bind_import(path, ImportName::Default, part, part),
                "namespace_import" => {
                    if let Some(&name) = self.children(part).first() {
                        self.bind_import(path, ImportName::Module, name, name);
                    }
                }
                "named_imports" => {
                    for specifier in self.children(part) {
                        self.import_specifier(path, specifier);
                    }
                }
                _ => {}
            }
        }
    }

    fn import_specifier(&mut self, path: &str, node: Node<'a>) {
        let Some(name) = self.field(node, "name") else { return };
        let local = self.field(node, "alias").unwrap_or(name);
        let imported = self.exported_name(name);
        self.bind_import(path, imported, name, local);
    }

    /// Returns the name of an import or export specifier.
    pub fn exported_name(&mut self, node: Node<'a>) -> ImportName {
        let text = match node.kind() {
            "string" => self.string_value(node).unwrap_or(""),
            _ => self.text_of(node),
        };
        if text == DEFAULT_EXPORT { ImportName::Default } else { ImportName::Named(self.facts.atom(text)) }
    }

    /// Adds an import and binds it to the local name.
    pub fn bind_import(&mut self, path: &str, name: ImportName, imported: Node<'a>, local: Node<'a>) {
        let scope = self.context.scope;
        let import = self.add_import(path, name, imported.start_byte(), scope, false);
        let atom = self.atom_of(local);
        self.facts.bind(scope, atom, local.start_byte() as u32, BindingKind::Import(import));
        if scope == ScopeId(0) {
            self.imports.insert(atom, import);
        }
        self.shadow(atom);
    }

    /// Adds an import without a binding.
    pub fn add_import(
        &mut self,
        path: &str,
        name: ImportName,
        position: usize,
        scope: ScopeId,
        reexport: bool,
    ) -> ImportId {
        let path = vec![self.facts.atom(path)];
        self.facts.import(Import { scope, path, level: 0, name, position: position as u32, reexport })
    }

    /// Binds `import a = b.c`.
    pub fn import_alias(&mut self, node: Node<'a>) {
        let children = self.children(node);
        let (Some(&name), Some(&target)) = (children.first(), children.get(1)) else { return };
        let target = self.type_expr(target);
        let atom = self.atom_of(name);
        self.bind_here(atom, name.end_byte() as u32, BindingKind::Alias(target));
    }

    /// Returns the scope of the names that only importers see.
    pub fn exports(&mut self) -> ScopeId {
        if let Some(scope) = self.state().exports {
            return scope;
        }
        let scope = self.facts.scope(Scope {
            parent: Some(ScopeId(0)),
            kind: ScopeKind::Exports,
            definition: None,
            extension: None,
            module_name: None,
            extends: None,
        });
        self.state().exports = Some(scope);
        scope
    }

    /// Binds a name that importers can use. In a namespace it is a binding of the namespace.
    pub fn bind_export(&mut self, name: &str, position: usize, kind: BindingKind) {
        let scope = if self.context.scope == ScopeId(0) { self.exports() } else { self.context.scope };
        let atom = self.facts.atom(name);
        self.facts.bind(scope, atom, position as u32, kind);
    }

    /// Visits `export …`.
    pub fn export(&mut self, node: Node<'a>) {
        for child in self.children(node) {
            if child.kind() == "decorator" && self.field(node, "declaration").is_none() {
                self.decorator(child);
            }
        }
        if let Some(source) = self.field(node, "source") {
            return self.reexport(node, source);
        }
        let is_default = self.has_token(node, DEFAULT_EXPORT);
        if let Some(declaration) = self.field(node, "declaration") {
            let first = self.facts.definitions().len();
            if is_default && self.field(declaration, "name").is_none() {
                return self.default_value(declaration, node);
            }
            self.declaration(declaration, node);
            if is_default && self.facts.definitions().len() > first {
                let id = crate::facts::DefId::from_index(first);
                self.bind_export(DEFAULT_EXPORT, node.start_byte(), BindingKind::Definition(id));
            }
            return;
        }
        if let Some(value) = self.field(node, "value") {
            return self.default_value(value, node);
        }
        let children = self.children(node);
        for child in children {
            match child.kind() {
                "export_clause" => {
                    for specifier in self.children(child) {
                        self.export_specifier(specifier);
                    }
                }
                "decorator" => {}
                // `export = value`
                _ => {
                    let value = self.value(child, Expected::None);
                    self.bind_export(EXPORT_ASSIGNMENT, node.start_byte(), BindingKind::Alias(value));
                    self.bind_export(DEFAULT_EXPORT, node.start_byte(), BindingKind::Alias(value));
                }
            }
        }
    }

    fn export_specifier(&mut self, node: Node<'a>) {
        let Some(name) = self.field(node, "name") else { return };
        let atom = self.atom_of(name);
        let expr = self.name(atom);
        self.refer(expr, name, Role::Read);
        let exported = self.field(node, "alias").unwrap_or(name);
        let text = self.text_of(exported).trim_matches(['"', '\'']);
        let exported_atom = self.facts.atom(text);
        if self.context.scope == ScopeId(0) {
            self.state().export_list.push((atom, exported_atom, exported.start_byte() as u32));
        } else if exported_atom != atom {
            self.bind_here(exported_atom, exported.start_byte() as u32, BindingKind::Alias(expr));
        }
    }

    /// Binds the names in the file's export lists, once all imports are known. A definition that is exported under its
    /// own name is visible anyway.
    pub fn bind_export_list(&mut self) {
        for (local, exported, position) in std::mem::take(&mut self.state().export_list) {
            let kind = match self.imports.get(&local) {
                Some(import) => BindingKind::Import(*import),
                None if local == exported => continue,
                None => BindingKind::Alias(self.name(local)),
            };
            let scope = self.exports();
            self.facts.bind(scope, exported, position, kind);
        }
    }

    /// Adds the imports and bindings of `export { a as b } from '…'`, `export * from '…'` or `export * as ns from '…'`.
    fn reexport(&mut self, node: Node<'a>, source: Node<'a>) {
        let Some(path) = self.string_value(source) else { return };
        let scope = self.exports();
        let mut reexports_all = true;
        for child in self.children(node) {
            match child.kind() {
                "export_clause" => {
                    reexports_all = false;
                    for specifier in self.children(child) {
                        let Some(name) = self.field(specifier, "name") else { continue };
                        let exported = self.field(specifier, "alias").unwrap_or(name);
                        let imported = self.exported_name(name);
                        let import = self.add_import(path, imported, name.start_byte(), scope, true);
                        let text = self.text_of(exported).trim_matches(['"', '\'']);
                        self.bind_export(text, exported.start_byte(), BindingKind::Import(import));
                    }
                }
                "namespace_export" => {
                    reexports_all = false;
                    let import = self.add_import(path, ImportName::Module, source.start_byte(), scope, true);
                    if let Some(&name) = self.children(child).first() {
                        let text = self.text_of(name).trim_matches(['"', '\'']);
                        self.bind_export(text, name.start_byte(), BindingKind::Import(import));
                    }
                }
                _ => {}
            }
        }
        if reexports_all {
            self.add_import(path, ImportName::All, source.start_byte(), scope, true);
        }
    }

    /// Visits `export default <expression>`. A function or class without a name is called `default`.
    fn default_value(&mut self, value: Node<'a>, outer: Node<'a>) {
        let literal = self.unwrapped(value);
        let kind = match literal.kind() {
            "class" | "class_declaration" | "abstract_class_declaration" => {
                let id = self.class(literal, outer, self.field(literal, "name"));
                BindingKind::Definition(id)
            }
            _ if self.is_function(literal) || literal.kind() == "function_declaration" => {
                let name_node = self.field(literal, "name").unwrap_or(literal);
                let text = if name_node == literal { DEFAULT_EXPORT } else { self.text_of(name_node) };
                let name = self.facts.atom(text);
                let header = FunctionHeader::new(name, name_node, outer, literal);
                BindingKind::Definition(self.function(literal, header))
            }
            kind => {
                let name = self.facts.atom(DEFAULT_EXPORT);
                self.scope_names.push(name);
                let value = match kind {
                    // `this` in its methods is the object, which has no name in the source.
                    "object" => {
                        let holder = self.name(name);
                        let value = self.object_literal(literal, Expected::None, Some(holder));
                        self.bind_here(name, 0, BindingKind::Alias(value));
                        value
                    }
                    _ => self.value(value, Expected::None),
                };
                self.scope_names.pop();
                BindingKind::Alias(value)
            }
        };
        self.bind_export(DEFAULT_EXPORT, outer.start_byte(), kind);
    }
}
