//! Import statements.

use tree_sitter::Node;

use super::extract::{MODULE_SCOPE, Walker};
use super::grammar::{FIELDS, Kind, children, children_by_field, field, kind};
use crate::facts::{Atom, BindingKind, Import, ImportName};

impl Walker<'_> {
    /// Records `import a.b` and `import a.b as c`.
    pub(super) fn import_statement(&mut self, node: Node<'_>) {
        for name in children_by_field(node, FIELDS.name) {
            if kind(name) == Kind::AliasedImport {
                let (Some(path), Some(alias)) = (field(name, FIELDS.name), field(name, FIELDS.alias)) else { continue };
                let segments = self.segments(path);
                self.bind_import(segments, 0, ImportName::Module, path.start_byte(), Some(alias));
                continue;
            }
            let segments = self.segments(name);
            let Some(root) = children(name).into_iter().next() else { continue };
            if segments.len() > 1 {
                // `import a.b` imports the submodule but binds the name of the top-level package.
                self.bind_import(segments.clone(), 0, ImportName::Module, name.start_byte(), None);
            }
            self.bind_import(segments[..1].to_vec(), 0, ImportName::Module, root.start_byte(), Some(root));
        }
    }

    /// Records `from a import b as c`, `from . import x` and `from a import *`.
    pub(super) fn import_from(&mut self, node: Node<'_>) {
        let Some(module) = field(node, FIELDS.module_name) else { return };
        let (path, level) = match kind(module) {
            Kind::RelativeImport => self.relative_import(module),
            _ => (self.segments(module), 0),
        };
        for name in children_by_field(node, FIELDS.name) {
            let (imported, bound) = match kind(name) {
                Kind::AliasedImport => match (field(name, FIELDS.name), field(name, FIELDS.alias)) {
                    (Some(imported), Some(alias)) => (imported, alias),
                    _ => continue,
                },
                _ => (name, name),
            };
            let atom = self.atom(imported);
            self.bind_import(path.clone(), level, ImportName::Named(atom), imported.start_byte(), Some(bound));
        }
        if let Some(star) = children(node).into_iter().find(|child| kind(*child) == Kind::WildcardImport) {
            self.bind_import(path, level, ImportName::All, star.start_byte(), None);
        }
    }

    /// Returns the segments of a dotted name.
    fn segments(&mut self, node: Node<'_>) -> Vec<Atom> {
        children(node).into_iter().map(|segment| self.atom(segment)).collect()
    }

    /// Returns the path and the level (number of dots) of a relative import.
    fn relative_import(&mut self, node: Node<'_>) -> (Vec<Atom>, u8) {
        let (mut path, mut level) = (Vec::new(), 0);
        for part in children(node) {
            match kind(part) {
                Kind::ImportPrefix => level = self.text_of(part).matches('.').count().min(255) as u8,
                _ => path = self.segments(part),
            }
        }
        (path, level)
    }

    /// Adds an import and binds the name `bound`.
    fn bind_import(&mut self, path: Vec<Atom>, level: u8, name: ImportName, position: usize, bound: Option<Node<'_>>) {
        let scope = self.context.scope;
        let reexport = scope == MODULE_SCOPE;
        let import = self.facts.import(Import { scope, path, level, name, position: position as u32, reexport });
        if let Some(bound) = bound {
            let name = self.atom(bound);
            if reexport {
                self.imported.insert(name);
            } else {
                self.frame.locals.forget(name);
            }
            self.bind(scope, name, bound.start_byte() as u32, BindingKind::Import(import));
        }
    }
}
