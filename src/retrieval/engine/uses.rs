//! Lines of uses, and of references whose target is unknown. The graph has only the edges, so the lines are computed from the references in the facts of a file.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

use super::{EngineError, Reader, source};
use crate::facts::{Code, Definition, Outline, Reference, Role};
use crate::index::{self, UnknownInFile};
use crate::model::{DefId, EdgeType, FileId, Symbol, SymbolKind, UnresolvedLine};

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
        let Some(facts) = File::read(reader, id)? else { continue };
        for index in indexes {
            let Use { user, edge_type, used } = uses[index];
            lines[index] = facts.first_use(user, edge_type, used).and_then(|position| line_of(&text, position));
        }
    }
    Ok(lines)
}

/// Returns the lines with a reference by this name that has no edge, and those with the name of which the grammar made
/// nothing, sorted by file and line. Files that have changed since they were indexed are left out.
///
/// # Errors
/// When the store can't be read.
pub(super) fn unresolved_lines(reader: &Reader, root: &Path, name: &str) -> Result<Vec<UnresolvedLine>, EngineError> {
    let found = index::unknown_in_files(reader, name)?;
    if found.is_empty() {
        return Ok(Vec::new());
    }
    let paths: HashMap<FileId, String> = reader.file_paths()?.into_iter().collect();
    let mut lines = Vec::new();
    for UnknownInFile { file, references, .. } in found {
        let Some(path) = paths.get(&file) else { continue };
        let Some(text) = as_indexed(reader, root, path)? else { continue };
        let Some(facts) = File::read(reader, file)? else { continue };
        let mut numbers: BTreeSet<u32> =
            facts.named(&references, name).filter_map(|position| line_of(&text, position)).collect();
        let texts: Vec<&str> = text.lines().collect();
        let unparsed = facts.outline.unparsed.iter().flat_map(|(first, last)| *first..=*last);
        numbers.extend(unparsed.filter(|line| texts.get(*line as usize - 1).is_some_and(|text| has_word(text, name))));
        lines.extend(numbers.into_iter().map(|line| {
            let text = texts.get(line as usize - 1).copied().unwrap_or_default().trim();
            UnresolvedLine { file: path.clone(), line, text: text.to_owned() }
        }));
    }
    lines.sort();
    Ok(lines)
}

/// Returns whether a line has a name that is not part of a longer one.
fn has_word(line: &str, name: &str) -> bool {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    !name.is_empty()
        && line
            .match_indices(name)
            .any(|(at, _)| !line[..at].ends_with(is_part) && !line[at + name.len()..].starts_with(is_part))
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
    /// Reads the facts of a file. With corrupt facts only lines are missing; `knowing fsck` reports such facts.
    fn read(reader: &Reader, id: FileId) -> Result<Option<File>, EngineError> {
        let (Some(outline), Some(code)) = (reader.outline_blob(id)?, reader.code_blob(id)?) else { return Ok(None) };
        let Ok((outline, bounds)) = outline.outline() else { return Ok(None) };
        Ok(code.code(&bounds).ok().map(|code| File { outline, code }))
    }

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
            let name = self.outline.names.get(self.code.last_name(reference.expr)?);
            let likeness = names.iter().position(|known| *known == name)?;
            let other_role = (edge_type == EdgeType::Calls) != (reference.role == Role::Call);
            Some((likeness, other_role, reference.position))
        });
        named.min().map(|(_, _, position)| position)
    }

    /// Returns the bytes of the references among those at `indexes` whose last name is `name`.
    fn named<'f>(&'f self, indexes: &'f [u32], name: &'f str) -> impl Iterator<Item = u32> + 'f {
        let references = indexes.iter().filter_map(|index| self.code.references.get(*index as usize));
        let is_named = move |reference: &&Reference| {
            self.code.last_name(reference.expr).is_some_and(|atom| self.outline.names.get(atom) == name)
        };
        references.filter(is_named).map(|reference| reference.position)
    }
}

/// Returns the line of a byte, from 1.
fn line_of(text: &str, position: u32) -> Option<u32> {
    let before = text.get(..position as usize)?;
    Some(1 + before.matches('\n').count() as u32)
}
