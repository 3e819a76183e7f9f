//! Imports and exports of ECMAScript modules and CommonJS.

use tree_sitter::Node;

use super::builtins::{DEFAULT_EXPORT, EXPORT_ASSIGNMENT};
use super::functions::FunctionHeader;
use super::grammar::Kind;
use super::walker::{ContextualType, Walker};
use crate::facts::{BindingKind, Import, ImportId, ImportName, Role, Scope, ScopeId, ScopeKind};

impl<'a> Walker<'a> {
    /// Adds the imports of `import … from '…'`.
    pub fn import(&mut self, node: Node<'a>) {
        let mut source = self.field(node, self.fields.source);
        let children = self.children(node);
        let clause = children.iter().copied().find(|child| self.kind(*child) == Kind::ImportClause);
        let require = children.iter().copied().find(|child| self.kind(*child) == Kind::ImportRequire);
        if let Some(require) = require {
            source = self.field(require, self.fields.source).or(source);
        }
        let Some(path) = source.and_then(|source| self.string_value(source)) else { return };
        if let Some(require) = require {
            for child in self.children(require) {
                if self.kind(child) == Kind::Identifier {
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
            match self.kind(part) {
                Kind::Identifier => self.bind_import(path, ImportName::Default, part, part),
                Kind::NamespaceImport => {
                    if let Some(&name) = self.children(part).first() {
                        self.bind_import(path, ImportName::Module, name, name);
                    }
                }
                Kind::NamedImports => {
                    for specifier in self.children(part) {
                        self.import_specifier(path, specifier);
                    }
                }
                _ => {}
            }
        }
    }

    fn import_specifier(&mut self, path: &str, node: Node<'a>) {
        let Some(name) = self.field(node, self.fields.name) else { return };
        let local = self.field(node, self.fields.alias).unwrap_or(name);
        let imported = self.exported_name(name);
        self.bind_import(path, imported, name, local);
    }

    /// Returns the name of an import or export specifier.
    pub fn exported_name(&mut self, node: Node<'a>) -> ImportName {
        let text = match self.kind(node) {
            Kind::String => self.string_value(node).unwrap_or(""),
            _ => self.text_of(node),
        };
        if text == DEFAULT_EXPORT { ImportName::Default } else { ImportName::Named(self.facts.atom(text)) }
    }

    /// Adds an import and binds it to the local name.
    pub fn bind_import(&mut self, path: &str, name: ImportName, imported: Node<'a>, local: Node<'a>) {
        let scope = self.context.scope;
        let import = self.add_import(path, name, imported.start_byte(), scope, false);
        let atom = self.facts.atom(self.text_of(local));
        self.facts.bind(scope, atom, local.start_byte() as u32, BindingKind::Import(import));
        if scope == ScopeId(0) {
            self.imported.insert(atom, import);
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
        let atom = self.facts.atom(self.text_of(name));
        self.facts.bind(self.context.scope, atom, name.end_byte() as u32, BindingKind::Alias(target));
    }

    fn exports(&mut self) -> ScopeId {
        if let Some(scope) = self.exports {
            return scope;
        }
        let scope = self.facts.scope(Scope {
            parent: Some(ScopeId(0)),
            kind: ScopeKind::Exports,
            definition: None,
            extension: None,
            module_name: None,
        });
        self.exports = Some(scope);
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
            if self.kind(child) == Kind::Decorator && self.field(node, self.fields.declaration).is_none() {
                self.decorator(child);
            }
        }
        if let Some(source) = self.field(node, self.fields.source) {
            return self.reexport(node, source);
        }
        let is_default = self.has_token(node, DEFAULT_EXPORT);
        if let Some(declaration) = self.field(node, self.fields.declaration) {
            let first = self.facts.definitions().len();
            if is_default && self.field(declaration, self.fields.name).is_none() {
                return self.default_value(declaration, node);
            }
            self.statement_at(declaration, node);
            if is_default && self.facts.definitions().len() > first {
                let id = crate::facts::DefId::from_index(first);
                self.bind_export(DEFAULT_EXPORT, node.start_byte(), BindingKind::Definition(id));
            }
            return;
        }
        if let Some(value) = self.field(node, self.fields.value) {
            return self.default_value(value, node);
        }
        let children = self.children(node);
        for child in children {
            match self.kind(child) {
                Kind::ExportClause => {
                    for specifier in self.children(child) {
                        self.export_specifier(specifier);
                    }
                }
                Kind::Decorator => {}
                // `export = value`
                _ => {
                    let value = self.value(child, ContextualType::None);
                    self.bind_export(EXPORT_ASSIGNMENT, node.start_byte(), BindingKind::Alias(value));
                    self.bind_export(DEFAULT_EXPORT, node.start_byte(), BindingKind::Alias(value));
                }
            }
        }
    }

    fn export_specifier(&mut self, node: Node<'a>) {
        let Some(name) = self.field(node, self.fields.name) else { return };
        let atom = self.facts.atom(self.text_of(name));
        let expr = self.name(atom);
        self.add_reference(expr, name, Role::Read);
        let exported = self.field(node, self.fields.alias).unwrap_or(name);
        let text = self.text_of(exported).trim_matches(['"', '\'']);
        let exported_atom = self.facts.atom(text);
        if self.context.scope == ScopeId(0) {
            self.export_list.push((atom, exported_atom, exported.start_byte() as u32));
        } else if exported_atom != atom {
            self.facts.bind(self.context.scope, exported_atom, exported.start_byte() as u32, BindingKind::Alias(expr));
        }
    }

    /// Binds the names in the file's export lists, once all imports are known. A definition that is exported under its
    /// own name is visible anyway.
    pub fn bind_export_list(&mut self) {
        for (local, exported, position) in std::mem::take(&mut self.export_list) {
            let kind = match self.imported.get(&local) {
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
            match self.kind(child) {
                Kind::ExportClause => {
                    reexports_all = false;
                    for specifier in self.children(child) {
                        let Some(name) = self.field(specifier, self.fields.name) else { continue };
                        let exported = self.field(specifier, self.fields.alias).unwrap_or(name);
                        let imported = self.exported_name(name);
                        let import = self.add_import(path, imported, name.start_byte(), scope, true);
                        let text = self.text_of(exported).trim_matches(['"', '\'']);
                        self.bind_export(text, exported.start_byte(), BindingKind::Import(import));
                    }
                }
                Kind::NamespaceExport => {
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
        let kind = match self.kind(literal) {
            Kind::Class | Kind::ClassDeclaration | Kind::AbstractClass => {
                let id = self.class(literal, outer, self.field(literal, self.fields.name));
                BindingKind::Definition(id)
            }
            _ if self.is_function(literal) || self.kind(literal) == Kind::FunctionDeclaration => {
                let name_node = self.field(literal, self.fields.name).unwrap_or(literal);
                let text = if name_node == literal { DEFAULT_EXPORT } else { self.text_of(name_node) };
                let name = self.facts.atom(text);
                let header = FunctionHeader::new(name, name_node, outer, literal);
                BindingKind::Definition(self.function(literal, header))
            }
            _ => {
                let name = self.facts.atom(DEFAULT_EXPORT);
                self.scope_names.push(name);
                let value = self.value(value, ContextualType::None);
                self.scope_names.pop();
                BindingKind::Alias(value)
            }
        };
        self.bind_export(DEFAULT_EXPORT, outer.start_byte(), kind);
    }
}
