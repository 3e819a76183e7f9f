//! Lines of uses. The graph has only the edges, so the lines are computed from the references in the facts of a file.

use std::collections::{BTreeMap, HashMap};

use super::neighborhood::Relation;
use super::{EngineError, Ranker, source};
use crate::facts::{Code, Definition, Expr, ExprId, Outline, Role};
use crate::model::{DefId, EdgeType, FileId, Symbol, SymbolKind};

impl Ranker {
    /// Sets the line of each user's first reference to `used`. It stays `None` for a use under another name and for a
    /// file that has changed since it was indexed.
    pub(super) fn find_lines(&self, used: &Symbol, users: &mut [Relation]) -> Result<(), EngineError> {
        let mut by_file: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (index, user) in users.iter().enumerate() {
            by_file.entry(user.symbol.file.clone()).or_default().push(index);
        }
        let ids: HashMap<String, FileId> = self.reader.file_paths()?.into_iter().map(|(id, path)| (path, id)).collect();
        for (path, indexes) in by_file {
            let Some(&id) = ids.get(&path) else { continue };
            let Some(bytes) = self.as_indexed(&path)? else { continue };
            let (Some(outline), Some(code)) = (self.reader.outline_blob(id)?, self.reader.code_blob(id)?) else {
                continue;
            };
            // With corrupt facts only the lines are missing; `knowing fsck` reports such facts.
            let Ok((outline, bounds)) = outline.outline() else { continue };
            let Ok(code) = code.code(&bounds) else { continue };
            let facts = File { outline, code };
            for index in indexes {
                let user = &mut users[index];
                let position = facts.first_use(&user.symbol, user.edge_type, used);
                user.line = position.and_then(|position| line_of(&bytes, position));
            }
        }
        Ok(())
    }

    /// Reads a file; `None` if it has changed since it was indexed.
    fn as_indexed(&self, path: &str) -> Result<Option<Vec<u8>>, EngineError> {
        let Ok(bytes) = source::read(&self.root, path) else { return Ok(None) };
        let indexed = self.reader.content_hash(path)?;
        Ok((indexed == Some(*blake3::hash(&bytes).as_bytes())).then_some(bytes))
    }
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
        let uses = self.code.references.iter().filter(|reference| reference.source == source);
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
            Expr::Name(name) | Expr::Member { name, .. } => Some(self.outline.names.get(*name)),
            Expr::Apply { base, .. } => self.name(*base),
            _ => None,
        }
    }
}

/// Returns the line of a byte, from 1.
fn line_of(bytes: &[u8], position: u32) -> Option<u32> {
    let before = bytes.get(..position as usize)?;
    Some(1 + before.iter().filter(|byte| **byte == b'\n').count() as u32)
}
