//! Writes files, symbols and their search text.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use rayon::prelude::*;

use super::affected::names_of_facts;
use super::file_set::{Entry, FileSet};
use super::linking::{FilelessNodes, fileless_row};
use super::node_ids::{NodeChanges, NodeIdentity, identify_file};
use super::report::{Phase, Progress};
use super::rows;
use super::texts::{FileTexts, StoredTexts, fingerprint};
use super::update::Update;
use crate::facts::Outline;
use crate::lang::Language;
use crate::model::{FileId, FileIndex, NodeId, SymbolKind};
use crate::store::{NodeRow, Reader, SearchRow, StoreError, Writer, encode, pack_node_ids};

/// Number of files whose rows are prepared at once, a compromise between parallelism and memory.
const BATCH: usize = 128;

/// The encoded facts of a file.
struct FactRows {
    outline: Vec<u8>,
    code: Vec<u8>,
    texts: Vec<u8>,
    /// The names that the file has something to do with, by their hash.
    names: BTreeMap<u32, u32>,
}

/// The rows of a file.
struct FileRows {
    /// Those of a file parsed in this run.
    facts: Option<FactRows>,
    node_ids: Vec<u8>,
    nodes: Vec<NodeRow>,
    search: Vec<SearchRow>,
}

/// Writes the changed files and symbols.
pub(super) fn symbols(
    writer: &mut Writer,
    file_set: &FileSet,
    node_changes: &NodeChanges,
    update: &Update<'_>,
) -> Result<(), StoreError> {
    writer.begin()?;
    let files: Vec<(&FileIndex, &Option<Vec<NodeIdentity>>)> = node_changes.identities.iter().collect();
    // Fingerprints are read before rows are overwritten, since a node can move between files of a package.
    let mut old: HashMap<NodeId, u64> = HashMap::new();
    for (file, _) in &files {
        let entry = &file_set.entries[file.index()];
        if !entry.is_new {
            old.extend(stored_search(writer, entry)?);
        }
    }
    node_changes.deleted.iter().try_for_each(|&node| writer.delete_node(node))?;
    // At once, so that the rows are side by side: every question reads them.
    files.iter().try_for_each(|(file, _)| writer.put_file(&file_set.entries[file.index()].row))?;
    for (number, batch) in files.chunks(BATCH).enumerate() {
        update.listener.progress(Progress { phase: Phase::Resolve, done: number * BATCH, total: files.len() });
        let mut texts: HashMap<FileIndex, FileTexts> = HashMap::new();
        for (file, _) in batch {
            let entry = &file_set.entries[file.index()];
            if !entry.is_parsed()
                && let Some(blob) = writer.reader().texts_blob(entry.row.id)?
            {
                texts.insert(**file, blob.unpack::<StoredTexts>()?.texts);
            }
        }
        let prepare = |(file, identities): &(&FileIndex, &Option<Vec<NodeIdentity>>)| {
            let entry = &file_set.entries[file.index()];
            let outline = entry.outline()?;
            let identities = identities.as_ref().map_or_else(
                || Cow::Owned(identify_file(&entry.row, &outline, update.repository, &mut HashMap::new())),
                Cow::Borrowed,
            );
            let stored = || Cow::Owned(texts.get(*file).cloned().unwrap_or_default());
            Ok(file_rows((entry, &outline), &identities, &entry.texts()?.unwrap_or_else(stored)))
        };
        let prepared: Result<Vec<FileRows>, StoreError> =
            update.pool.install(|| batch.par_iter().map(prepare).collect());
        for ((file, _), rows) in batch.iter().zip(prepared?) {
            put(writer, &file_set.entries[file.index()], rows, &old, node_changes)?;
        }
    }
    Ok(())
}

fn file_rows((entry, outline): (&Entry, &Outline), identities: &[NodeIdentity], texts: &FileTexts) -> FileRows {
    let search = rows::search_rows(outline, texts, &entry.nodes);
    let code = entry.parsed.as_ref().and_then(|parsed| parsed.code.as_ref());
    let facts = entry.held_outline.as_ref().zip(code).map(|(held, code)| FactRows {
        outline: held.encoded().into_owned(),
        code: code.encoded().into_owned(),
        texts: encode(&StoredTexts::new(entry, texts, &search)),
        names: names_of_facts(entry.language, outline),
    });
    FileRows {
        facts,
        node_ids: pack_node_ids(&entry.nodes),
        nodes: rows::node_rows((entry, outline), identities, texts),
        search,
    }
}

fn put(
    writer: &mut Writer,
    entry: &Entry,
    rows: FileRows,
    old: &HashMap<NodeId, u64>,
    node_changes: &NodeChanges,
) -> Result<(), StoreError> {
    if let Some(FactRows { outline, code, texts, names }) = &rows.facts {
        let before = match entry.stored_language() {
            Some(language) => stored_names(writer.reader(), entry.row.id, language)?,
            None => BTreeMap::new(),
        };
        writer.change_names(entry.row.id, &before, names);
        writer.put_facts(entry.row.id, outline, code, texts)?;
    }
    writer.put_file_nodes(entry.row.id, &rows.node_ids)?;
    rows.nodes.into_iter().try_for_each(|node| writer.put_node(node))?;
    for row in &rows.search {
        if old.get(&row.node) == Some(&fingerprint(row)) {
            continue;
        }
        // FTS5 would count a second row of the same id twice.
        if !node_changes.created.contains(&row.node) {
            writer.delete_search(row.node)?;
        }
        writer.put_search(row)?;
    }
    Ok(())
}

/// Returns what the stored facts of a file have to do with names, by their hash.
///
/// # Errors
/// When they can't be read.
pub(super) fn stored_names(
    reader: &Reader,
    file: FileId,
    language: &Language,
) -> Result<BTreeMap<u32, u32>, StoreError> {
    let outline = reader.outline_blob(file)?.map(|blob| blob.outline()).transpose()?;
    Ok(outline.map_or_else(BTreeMap::new, |(outline, _)| names_of_facts(language, &outline)))
}

/// Returns the stored fingerprints of a file's search rows, by node.
fn stored_search(writer: &Writer, entry: &Entry) -> Result<Vec<(NodeId, u64)>, StoreError> {
    let (reader, id) = (writer.reader(), entry.row.id);
    let (Some(texts), Some(nodes_blob)) = (reader.texts_blob(id)?, reader.file_nodes_blob(id)?) else {
        return Ok(Vec::new());
    };
    let nodes = crate::store::unpack_node_ids(&nodes_blob)?;
    Ok(nodes.into_iter().skip(1).zip(texts.unpack::<StoredTexts>()?.fingerprints).collect())
}

/// Deletes the `removed` nodes without a definition and inserts new ones. Renames packages if `package_names` are
/// given.
pub(super) fn fileless_nodes(
    writer: &mut Writer,
    fileless: &FilelessNodes,
    removed: &[NodeId],
    package_names: Option<&BTreeMap<String, String>>,
) -> Result<(), StoreError> {
    removed.iter().try_for_each(|&node| writer.delete_node(node))?;
    let mut nodes = fileless.sorted();
    // The search index writes all that it has collected whenever a row is not behind the one before.
    nodes.sort_unstable_by_key(|(_, node)| *node);
    for (key, node) in nodes {
        let is_package = key.kind == SymbolKind::Package;
        let needs_write = fileless.is_new(node) || (is_package && package_names.is_some());
        if !needs_write {
            continue;
        }
        let name = package_names.and_then(|names| names.get(&key.name)).map_or("", String::as_str);
        let row = fileless_row(key, node, name);
        if is_package && !fileless.is_new(node) {
            let stored = writer.reader().symbol(node)?;
            if stored.is_some_and(|stored| stored.name == row.name) {
                continue;
            }
        }
        let search = (key.kind != SymbolKind::External).then(|| rows::fileless_search_row(&row));
        writer.put_node(row)?;
        if let Some(search) = search {
            writer.delete_search(node)?;
            writer.put_search(&search)?;
        }
    }
    Ok(())
}
