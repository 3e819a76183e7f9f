//! Lines of uses. The graph has only the edges, so the lines are computed from the references in the facts of a file.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use super::{EngineError, Reader, source};
use crate::facts::{Code, Definition, Expr, ExprId, Outline, Role};
use crate::model::{DefId, EdgeType, FileId, Symbol, SymbolKind};

/// A use whose line is wanted.
#[derive(Debug, Clone, Copy)]
pub(super) struct Use<'a> {
    pub user: &'a Symbol,
    pub edge_type: EdgeType,
    pub used: &'a Symbol,
}

/// Returns the line of the first reference of each use. It is `None` for a use under another name and for a file that
/// has changed since it was indexed.
///
/// # Errors
/// When the store can't be read.
pub(super) fn lines_of_uses(reader: &Reader, root: &Path, uses: &[Use<'_>]) -> Result<Vec<Option<u32>>, EngineError> {
    let mut lines = vec![None; uses.len()];
    let mut by_file: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, Use { user, .. }) in uses.iter().enumerate() {
        by_file.entry(user.file.as_str()).or_default().push(index);
    }
    let ids: HashMap<String, FileId> = reader.file_paths()?.into_iter().map(|(id, path)| (path, id)).collect();
    for (path, indexes) in by_file {
        let Some(&id) = ids.get(path) else { continue };
        let Some(text) = as_indexed(reader, root, path)? else { continue };
        let (Some(outline), Some(code)) = (reader.outline_blob(id)?, reader.code_blob(id)?) else { continue };
        // With corrupt facts only the lines are missing; `knowing fsck` reports such facts.
        let Ok((outline, bounds)) = outline.outline() else { continue };
        let Ok(code) = code.code(&bounds) else { continue };
        let facts = File { outline, code };
        for index in indexes {
            let Use { user, edge_type, used } = uses[index];
            lines[index] = facts.first_use(user, edge_type, used).and_then(|position| line_of(&text, position));
        }
    }
    Ok(lines)
}

/// Reads a file; `None` if it has changed since it was indexed.
fn as_indexed(reader: &Reader, root: &Path, path: &str) -> Result<Option<String>, EngineError> {
    let Ok(content) = source::read(root, path) else { return Ok(None) };
    Ok((reader.content_hash(path)? == Some(content.hash)).then_some(content.text))
}

struct File {
    outline: Outline,
    code: Code,
}

impl File {
    /// Returns the byte of `user`'s first reference to `used`, preferably in the role of the edge.
    fn first_use(&self, user: &Symbol, edge_type: EdgeType, used: &Symbol) -> Option<u32> {
        let is_user = |definition: &Definition| {
            definition.kind == user.kind && definition.span.start_byte == user.span.start_byte
        };
        let source = match user.kind {
            SymbolKind::File => None,
            _ => Some(DefId::from_index(self.outline.definitions.iter().position(is_user)?)),
        };
        // A call of a class uses its constructor, whose name is not in the source.
        let class = used.scope.rsplit('.').next().unwrap_or_default();
        let names = [used.name.as_str(), class];
        let uses = self.code.references.iter().filter(|reference| {
            reference.source == source && (reference.role == Role::Document) == (edge_type == EdgeType::Documents)
        });
        let named = uses.filter_map(|reference| {
            let name = self.name(reference.expr)?;
            let likeness = names.iter().position(|known| *known == name)?;
            let other_role = (edge_type == EdgeType::Calls) != (reference.role == Role::Call);
            Some((likeness, other_role, reference.position))
        });
        named.min().map(|(_, _, position)| position)
    }

    fn name(&self, expr: ExprId) -> Option<&str> {
        match self.code.expressions.get(expr.0 as usize)? {
            Expr::Name(name) | Expr::Root(name) | Expr::Member { name, .. } => Some(self.outline.names.get(*name)),
            Expr::Apply { base, .. } => self.name(*base),
            _ => None,
        }
    }
}

/// Returns the line of a byte, from 1.
fn line_of(text: &str, position: u32) -> Option<u32> {
    let before = text.get(..position as usize)?;
    Some(1 + before.matches('\n').count() as u32)
}
