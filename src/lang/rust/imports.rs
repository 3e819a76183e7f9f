//! `use` declarations and `extern crate`.

use tree_sitter::Node;

use super::grammar::{Kind, kind};
use super::walker::{Walker, children};
use crate::facts::{Atom, BindingKind, Import, ImportName};

impl Walker {
    /// Adds the imports of `use a::{self, b as c, d::*};`.
    pub fn use_item(&mut self, node: Node<'_>) {
        let reexport = children(node).iter().any(|child| kind(*child) == Kind::VisibilityModifier);
        for child in children(node).into_iter().filter(|child| kind(*child) != Kind::VisibilityModifier) {
            self.use_tree(child, &mut Vec::new(), reexport);
        }
    }

    fn use_tree(&mut self, node: Node<'_>, prefix: &mut Vec<Atom>, reexport: bool) {
        self.descend((), |walker| walker.use_inner(node, prefix, reexport));
    }

    fn use_inner(&mut self, node: Node<'_>, prefix: &mut Vec<Atom>, reexport: bool) {
        let length = prefix.len();
        match kind(node) {
            Kind::UseList => children(node).into_iter().for_each(|child| self.use_tree(child, prefix, reexport)),
            Kind::ScopedUseList => {
                if let Some(path) = self.child(node, self.fields.path) {
                    self.segments(path, prefix);
                }
                if let Some(list) = self.child(node, self.fields.list) {
                    self.use_tree(list, prefix, reexport);
                }
            }
            Kind::UseAs => {
                let (Some(path), Some(alias)) =
                    (self.child(node, self.fields.path), self.child(node, self.fields.alias))
                else {
                    return;
                };
                let last = self.leaf(path, prefix);
                let local = (self.text_of(alias) != "_").then(|| self.atom(alias));
                self.add_import(prefix, last, local, reexport);
            }
            Kind::UseWildcard => {
                if let Some(path) = children(node).first() {
                    self.segments(*path, prefix);
                }
                let position = self.position(node);
                let scope = self.context.scope;
                let path = prefix.clone();
                self.builder.import(Import { scope, path, level: 0, name: ImportName::All, position, reexport });
            }
            Kind::Identifier | Kind::ScopedIdentifier | Kind::SelfValue | Kind::Crate | Kind::Super => {
                let last = self.leaf(node, prefix);
                let local = match kind(last) {
                    Kind::SelfValue => prefix.last().copied(),
                    _ => Some(self.atom(last)),
                };
                self.add_import(prefix, last, local, reexport);
            }
            _ => {}
        }
        prefix.truncate(length);
    }

    /// Appends all segments of a path but the last to `before` and returns the last one.
    fn leaf<'t>(&mut self, path: Node<'t>, prefix: &mut Vec<Atom>) -> Node<'t> {
        if kind(path) != Kind::ScopedIdentifier {
            return path;
        }
        if let Some(outer) = self.child(path, self.fields.path) {
            self.segments(outer, prefix);
        }
        self.child(path, self.fields.name).unwrap_or(path)
    }

    fn segments(&mut self, path: Node<'_>, into: &mut Vec<Atom>) {
        if kind(path) == Kind::ScopedIdentifier {
            if let Some(outer) = self.child(path, self.fields.path) {
                self.descend((), |walker| walker.segments(outer, into));
            }
            if let Some(name) = self.child(path, self.fields.name) {
                into.push(self.atom(name));
            }
        } else {
            into.push(self.atom(path));
        }
    }

    fn add_import(&mut self, prefix: &[Atom], last: Node<'_>, local: Option<Atom>, reexport: bool) {
        let (path, name) = match kind(last) {
            // `use a::b::{self}` imports `b`.
            Kind::SelfValue if !prefix.is_empty() => match prefix.split_last() {
                Some((own, rest)) if !rest.is_empty() => (rest.to_vec(), ImportName::Named(*own)),
                _ => (prefix.to_vec(), ImportName::Module),
            },
            Kind::SelfValue | Kind::Crate | Kind::Super => (vec![self.atom(last)], ImportName::Module),
            _ if prefix.is_empty() => (vec![self.atom(last)], ImportName::Module),
            _ => (prefix.to_vec(), ImportName::Named(self.atom(last))),
        };
        let (scope, position) = (self.context.scope, self.position(last));
        let import = self.builder.import(Import { scope, path, level: 0, name, position, reexport });
        if let Some(local) = local {
            self.bind(local, last, BindingKind::Import(import));
        }
    }

    /// Adds the import of `extern crate a as b;`.
    pub fn extern_crate(&mut self, node: Node<'_>) {
        let Some(name_node) = self.child(node, self.fields.name) else { return };
        let local = self.child(node, self.fields.alias).unwrap_or(name_node);
        let local = self.atom(local);
        let path = vec![self.atom(name_node)];
        let (scope, position) = (self.context.scope, self.position(name_node));
        let reexport = children(node).iter().any(|child| kind(*child) == Kind::VisibilityModifier);
        let name = ImportName::Module;
        let import = self.builder.import(Import { scope, path, level: 0, name, position, reexport });
        self.bind(local, name_node, BindingKind::Import(import));
    }
}
