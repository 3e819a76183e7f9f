//! The package clause and the imports.

use tree_sitter::Node;

use super::docs;
use super::extract::{TOP, Walker};
use super::kinds::Kind;
use super::kinds::kind;
use crate::facts::{BindingKind, Import, ImportName};

impl<'a> Walker<'a> {
    /// The package clause, with the doc comment above it.
    pub(super) fn package(&mut self, clause: Node<'a>) {
        let mut name = None;
        self.each(clause, |_, child| name = name.or(Some(child)));
        if let Some(name) = name {
            self.facts.package(&self.text[name.byte_range()]);
        }
        self.facts.set_file_doc(docs::above(self.text, clause.start_byte()));
    }

    /// `import "a"` or `import ( … )`.
    pub(super) fn import_declaration(&mut self, node: Node<'a>) {
        self.each(node, |walker, child| match kind(child) {
            Kind::ImportSpec => walker.import(child),
            _ => walker.import_declaration(child),
        });
    }

    fn import(&mut self, spec: Node<'a>) {
        let Some(path_node) = self.child(spec, self.fields.path) else { return };
        let path = string_content(self.source(path_node));
        let name_node = self.child(spec, self.fields.name);
        let (bound, name) = match name_node.map(kind) {
            Some(Kind::Dot) => (None, ImportName::All),
            Some(Kind::BlankIdentifier) => (None, ImportName::Module),
            Some(_) => (name_node.map(|node| self.source(node)), ImportName::Module),
            None => (Some(default_name(path)), ImportName::Module),
        };
        let segment = self.facts.atom(path);
        let id = self.facts.import(Import {
            scope: TOP.scope,
            path: vec![segment],
            level: 0,
            name,
            position: path_node.start_byte() as u32,
            reexport: false,
        });
        if let Some(bound) = bound {
            self.imports.insert(bound, path);
            let atom = self.facts.atom(bound);
            self.facts.bind(TOP.scope, atom, spec.start_byte() as u32, BindingKind::Import(id));
        }
    }
}

/// The text between a string literal's quotes.
pub(super) fn string_content(literal: &str) -> &str {
    let quote = |c| c == '"' || c == '`';
    literal.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote)).unwrap_or(literal)
}

/// The name that an import most likely binds when it gives none: the last segment of its path without a version.
/// Only the imported package itself knows for sure.
pub(super) fn default_name(path: &str) -> &str {
    let mut segments = path.rsplit('/');
    let mut last = segments.next().unwrap_or(path);
    if is_version(last)
        && let Some(before) = segments.next()
    {
        last = before;
    }
    // gopkg.in/yaml.v3
    if let Some((stem, version)) = last.rsplit_once('.')
        && is_version(version)
    {
        last = stem;
    }
    last.strip_prefix("go-").or_else(|| last.strip_suffix("-go")).unwrap_or(last)
}

/// `v2`, `v10`.
fn is_version(segment: &str) -> bool {
    segment.strip_prefix('v').is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit()))
}
