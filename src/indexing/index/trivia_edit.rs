//! The incremental path for edits of comments, docs and blank lines, which do not affect resolution: only the files'
//! own rows are written.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::body_edit;
use super::checkout::UnchangedFile;
use super::edge_slots::{self, Slots};
use super::error::IndexError;
use super::extract::ParsedFile;
use super::file_set::FileSet;
use super::node_ids::{self, NodeChanges};
use super::report::{Clock, Phase};
use super::update::Update;
use super::write;
use crate::facts::equal_except_trivia;
use crate::lang::packages::definition_unit;
use crate::model::FileId;
use crate::store::{Reader, StoreError, Writer, unpack_node_ids};

/// The result of trying an incremental path.
pub(super) enum FastPath {
    /// Everything is written. Contains the ids of the parsed files.
    Applied(HashSet<FileId>),
    /// Some file changed more than trivia. Nothing was written; the input is returned.
    NotApplicable(Vec<ParsedFile>, Vec<UnchangedFile>),
}

/// Writes the parsed files if each differs from its stored facts in trivia only.
pub(super) fn try_apply(
    update: &Update<'_>,
    parsed: Vec<ParsedFile>,
    unchanged: Vec<UnchangedFile>,
    writer: &mut Writer,
    clock: &mut Clock,
) -> Result<FastPath, IndexError> {
    for file in &parsed {
        if !is_trivia_edit(file, writer.reader())? {
            return Ok(FastPath::NotApplicable(parsed, unchanged));
        }
    }
    let packages: BTreeSet<String> =
        parsed.iter().map(|file| definition_unit(&file.row.language, &file.row.path).to_owned()).collect();
    let is_sibling =
        |unchanged: &UnchangedFile| packages.contains(definition_unit(&unchanged.row.language, &unchanged.row.path));
    let siblings = unchanged.into_iter().filter(is_sibling).collect();
    let mut file_set = FileSet::assemble(parsed, siblings, writer.reader(), (update.pool, update.memory))?;
    let mut node_changes = NodeChanges::default();
    for (file, identities) in node_ids::identities(&file_set, update.repository)? {
        let entry = &mut file_set.entries[file.index()];
        if entry.is_parsed() {
            let nodes_blob = writer.reader().file_nodes_blob(entry.row.id)?;
            entry.nodes = nodes_blob.map_or_else(|| Ok(Vec::new()), |blob| unpack_node_ids(&blob))?;
            node_changes.identities.insert(file, Some(identities));
        }
    }
    clock.end(Phase::Load);
    write::symbols(writer, &file_set, &node_changes, update)?;
    let (mut slots, mut old) = (Slots::new(), Vec::new());
    let packages: BTreeSet<&str> = packages.iter().map(String::as_str).collect();
    body_edit::add_similar(update, &file_set, &packages, &mut slots, &mut old, writer.reader())?;
    let diff = edge_slots::replace(writer, &mut slots, &old, (update.pool, update.writing))?;
    body_edit::write_counts_and_roots(&file_set, &packages, &diff, &BTreeMap::new(), writer)?;
    let parsed = file_set.entries.iter().filter(|entry| entry.is_parsed());
    Ok(FastPath::Applied(parsed.map(|entry| entry.row.id).collect()))
}

fn is_trivia_edit(parsed: &ParsedFile, reader: &Reader) -> Result<bool, StoreError> {
    let (Some(outline), Some(code)) = (reader.outline_blob(parsed.row.id)?, reader.code_blob(parsed.row.id)?) else {
        return Ok(false);
    };
    let (outline, bounds) = outline.outline()?;
    let code = code.code(&bounds)?;
    Ok(equal_except_trivia((&outline, &code), (&*parsed.outline.get()?, &*parsed.code.get()?)))
}
