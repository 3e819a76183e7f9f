//! Writes what an update found.

use std::collections::{BTreeMap, HashMap};

use rayon::ThreadPool;
use rayon::prelude::*;

use super::catalog::{Catalog, Entry};
use super::codes::Codes;
use super::extract::FileTexts;
use super::linking::{Tail, tail_row};
use super::numbering::{Named, Renumbered};
use super::placement::pack_placement;
use super::rows;
use super::search_text::{self, PathText};
use super::stored_texts::{StoredTexts, fingerprint};
use crate::model::SymbolKind;
use crate::resolve::input::CodeSource;
use crate::store::{NodeRow, SearchRow, StoreError, Writer, encode};

/// How many files' rows are prepared at once: enough to keep threads busy, few enough to hold in memory.
const BATCH: usize = 128;

/// Everything that is written of one file.
struct FileRows {
    facts: Option<[Vec<u8>; 3]>,
    placement: Vec<u8>,
    nodes: Vec<NodeRow>,
    search: Vec<SearchRow>,
}

/// Writes the files and symbols that changed.
pub(super) fn symbols(
    writer: &mut Writer,
    catalog: &Catalog,
    codes: &Codes,
    renumbered: &Renumbered,
    pool: &ThreadPool,
) -> Result<(), StoreError> {
    writer.begin()?;
    let files: Vec<(&u32, &Vec<Named>)> = renumbered.named.iter().collect();
    // What the store has of them, before it is overwritten. A node can go over from one file of a package to another.
    let mut old: HashMap<u32, u64> = HashMap::new();
    for (file, _) in &files {
        let entry = &catalog.entries[**file as usize];
        if !entry.is_new {
            old.extend(stored_search(writer, entry)?);
        }
    }
    renumbered.deleted.iter().try_for_each(|&node| writer.delete_node(node))?;
    for batch in files.chunks(BATCH) {
        let mut texts: HashMap<u32, FileTexts> = HashMap::new();
        for (file, _) in batch {
            let entry = &catalog.entries[**file as usize];
            if entry.texts.is_none()
                && let Some(blob) = writer.reader().texts_blob(entry.row.id)?
            {
                texts.insert(**file, blob.unpack::<StoredTexts>()?.texts);
            }
        }
        let none = FileTexts::default();
        let prepare = |(file, names): &(&u32, &Vec<Named>)| {
            let entry = &catalog.entries[**file as usize];
            let texts = entry.texts.as_ref().or_else(|| texts.get(*file)).unwrap_or(&none);
            file_rows(**file, entry, names, texts, codes)
        };
        let prepared: Vec<FileRows> = pool.install(|| batch.par_iter().map(prepare).collect());
        for ((file, _), rows) in batch.iter().zip(prepared) {
            put(writer, &catalog.entries[**file as usize], rows, &old, renumbered)?;
        }
    }
    Ok(())
}

fn file_rows(file: u32, entry: &Entry, names: &[Named], texts: &FileTexts, codes: &Codes) -> FileRows {
    let search = rows::search_rows(&entry.row.path, &entry.outline, texts, &entry.nodes);
    let stored = || encode(&StoredTexts::new(entry, texts, &search));
    FileRows {
        facts: entry.is_parsed().then(|| [encode(&entry.outline), encode(codes.code(file)), stored()]),
        placement: pack_placement(&entry.nodes),
        nodes: rows::node_rows(entry, names, texts),
        search,
    }
}

fn put(
    writer: &mut Writer,
    entry: &Entry,
    rows: FileRows,
    old: &HashMap<u32, u64>,
    renumbered: &Renumbered,
) -> Result<(), StoreError> {
    writer.put_file(&entry.row)?;
    if let Some([outline, code, texts]) = &rows.facts {
        writer.put_facts(entry.row.id, outline, code, texts)?;
    }
    writer.put_placement(entry.row.id, &rows.placement)?;
    rows.nodes.iter().try_for_each(|node| writer.put_node(node))?;
    for row in &rows.search {
        if old.get(&row.node) == Some(&fingerprint(row)) {
            continue;
        }
        // A second row of one number would be counted twice.
        if !renumbered.created.contains(&row.node) {
            writer.delete_search(row.node)?;
        }
        writer.put_search(row)?;
    }
    Ok(())
}

/// By node, the fingerprints of the search rows that the store has of a file.
fn stored_search(writer: &Writer, entry: &Entry) -> Result<Vec<(u32, u64)>, StoreError> {
    let (reader, id) = (writer.reader(), entry.row.id);
    let (Some(texts), Some(placement)) = (reader.texts_blob(id)?, reader.placement_blob(id)?) else {
        return Ok(Vec::new());
    };
    let nodes = super::placement::unpack_placement(&placement)?;
    Ok(nodes.into_iter().skip(1).zip(texts.unpack::<StoredTexts>()?.fingerprints).collect())
}

/// Writes the tail's symbols: those gone, those new, and packages, whose name may change if `package_names` are given.
pub(super) fn tail(
    writer: &mut Writer,
    catalog: &Catalog,
    tail: &Tail,
    gone: &[u32],
    package_names: Option<&BTreeMap<String, String>>,
    repository: &str,
) -> Result<(), StoreError> {
    gone.iter().try_for_each(|&node| writer.delete_node(node))?;
    let places: HashMap<u32, (&str, &str)> = catalog
        .entries
        .iter()
        .map(|entry| (entry.row.id, (entry.row.language.as_str(), entry.row.path.as_str())))
        .collect();
    for (key, node) in tail.sorted() {
        let is_package = key.kind == SymbolKind::Package;
        let is_named_anew = tail.is_created(node) || (is_package && package_names.is_some());
        if !is_named_anew {
            continue;
        }
        let place = key.file.and_then(|file| places.get(&file).copied());
        let name = package_names.and_then(|names| names.get(&key.name)).map_or("", String::as_str);
        let row = tail_row(key, node, place, repository, name);
        if is_package && !tail.is_created(node) {
            let known = writer.reader().symbol(node)?;
            if known.is_some_and(|known| known.name == row.name) {
                continue;
            }
        }
        writer.put_node(&row)?;
        if key.kind != SymbolKind::External {
            writer.delete_search(node)?;
            writer.put_search(&tail_search(&row, place))?;
        }
    }
    Ok(())
}

fn tail_search(row: &NodeRow, place: Option<(&str, &str)>) -> SearchRow {
    let path = PathText::new(place.map_or(row.scope.as_str(), |(_, path)| path));
    SearchRow { node: row.id, columns: search_text::columns(&path, &row.name, "", "", "", "") }
}
