//! The package clause and the imports.

use tree_sitter::Node;

use super::docs;
use super::extract::{TOP_LEVEL, Walker};
use super::grammar::{Kind, kind};
use crate::facts::{BindingKind, Import, ImportName};

impl<'a> Walker<'a> {
    /// Records the package's name and the doc comment of the package clause.
    pub(super) fn package_clause(&mut self, clause: Node<'a>) {
        let mut name = None;
        self.for_each_child(clause, |_, child| name = name.or(Some(child)));
        if let Some(name) = name {
            self.facts.package(&self.text[name.byte_range()]);
        }
        self.facts.set_file_doc(docs::comment_above(self.text, clause.start_byte()));
    }

    /// Records the imports of a declaration: `import "a"` or `import ( … )`.
    pub(super) fn import_declaration(&mut self, node: Node<'a>) {
        self.for_each_child(node, |walker, child| match kind(child) {
            Kind::ImportSpec => walker.import(child),
            _ => walker.import_declaration(child),
        });
    }

    fn import(&mut self, spec: Node<'a>) {
        let Some(path_node) = self.child(spec, self.fields.path) else { return };
        let path = string_content(self.text_of(path_node));
        let name_node = self.child(spec, self.fields.name);
        let (bound, name) = match name_node.map(kind) {
            Some(Kind::Dot) => (None, ImportName::All),
            Some(Kind::BlankIdentifier) => (None, ImportName::Module),
            Some(_) => (name_node.map(|node| self.text_of(node)), ImportName::Module),
            None => (Some(default_name(path)), ImportName::Module),
        };
        let segment = self.facts.atom(path);
        let id = self.facts.import(Import {
            scope: TOP_LEVEL.scope,
            path: vec![segment],
            level: 0,
            name,
            position: path_node.start_byte() as u32,
            reexport: false,
        });
        if let Some(bound) = bound {
            self.imports.insert(bound, path);
            let atom = self.facts.atom(bound);
            self.facts.bind(TOP_LEVEL.scope, atom, spec.start_byte() as u32, BindingKind::Import(id));
        }
    }
}

/// Returns the text between a string literal's quotes.
pub(super) fn string_content(literal: &str) -> &str {
    let quote = |c| c == '"' || c == '`';
    literal.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote)).unwrap_or(literal)
}

/// Returns the name that an import without an explicit name most likely binds: the last segment of its path without a
/// version. The actual name is in the imported package's clause.
pub(super) fn default_name(path: &str) -> &str {
    let mut segments = path.rsplit('/');
    let mut last = segments.next().unwrap_or(path);
    if is_version(last)
        && let Some(before) = segments.next()
    {
        last = before;
    }
    // `gopkg.in/yaml.v3`
    if let Some((stem, version)) = last.rsplit_once('.')
        && is_version(version)
    {
        last = stem;
    }
    last.strip_prefix("go-").or_else(|| last.strip_suffix("-go")).unwrap_or(last)
}

/// Returns whether a path segment is a major version: `v2`, `v10`.
fn is_version(segment: &str) -> bool {
    segment.strip_prefix('v').is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit()))
}
