//! All files of the repository in canonical order, parsed now or loaded from the store.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;

use parking_lot::Mutex;
use rayon::prelude::*;

use super::checkout::UnchangedFile;
use super::extract::ParsedFile;
use super::held::Held;
use super::memory::Memory;
use super::texts::FileTexts;
use crate::facts::{Bounds, Code, Outline};
use crate::lang::Language;
use crate::model::{FileId, FileIndex, NodeId};
use crate::resolve::input::FileInput;
use crate::store::{Blob, FileRow, Reader, StoreError, unpack_node_ids};

/// Of up to this many files, blobs are loaded one by one; beyond it, whole tables are read.
const MAX_SINGLE_LOADS: usize = 64;

/// The facts of a parsed file that are not in its outline.
pub(super) struct Parsed {
    /// `None` after all files are resolved and written.
    pub(super) code: Option<Held<Code>>,
    /// Number of the file's definitions.
    pub(super) definitions: usize,
    pub(super) texts: Held<FileTexts>,
    /// The language of the stored facts.
    stored_language: Option<&'static Language>,
}

/// A file of the set.
pub(super) struct Entry {
    pub(super) row: FileRow,
    pub(super) language: &'static Language,
    /// Without doc comments, which are in the file's texts; `None` if it is not loaded from the store.
    pub(super) held_outline: Option<Held<Outline>>,
    /// The bounds of the code of an unchanged file whose outline is plain.
    pub(super) bounds: Option<Bounds>,
    /// Node ids of the file's own symbol and its definitions, empty until loaded or assigned.
    pub(super) nodes: Vec<NodeId>,
    /// The other facts of a file parsed in this run.
    pub(super) parsed: Option<Parsed>,
    /// Whether the file was not in the store.
    pub(super) is_new: bool,
}

impl Entry {
    /// Returns whether the file was parsed in this run.
    pub(super) fn is_parsed(&self) -> bool {
        self.parsed.is_some()
    }

    /// Returns the language of the stored facts of a file that was parsed in this run.
    pub(super) fn stored_language(&self) -> Option<&'static Language> {
        self.parsed.as_ref()?.stored_language
    }

    fn held_outline(&self) -> Result<&Held<Outline>, StoreError> {
        let not_loaded =
            || StoreError::Facts { path: self.row.path.clone().into(), detail: "its outline is not loaded".to_owned() };
        self.held_outline.as_ref().ok_or_else(not_loaded)
    }

    /// Returns the outline, which is loaded.
    ///
    /// # Errors
    /// When it can't be unpacked.
    pub(super) fn outline(&self) -> Result<Cow<'_, Outline>, StoreError> {
        match self.held_outline()? {
            Held::Plain(outline) => Ok(Cow::Borrowed(outline)),
            Held::Packed(blob) => Ok(Cow::Owned(self.unpack(blob)?.0)),
        }
    }

    /// Returns a copy of the outline, which is loaded, and the bounds of the file's code.
    ///
    /// # Errors
    /// When it can't be unpacked.
    pub(super) fn unpack_outline(&self) -> Result<(Outline, Bounds), StoreError> {
        match self.held_outline()? {
            Held::Plain(outline) => Ok((outline.clone(), self.bounds.clone().unwrap_or_default())),
            Held::Packed(blob) => self.unpack(blob),
        }
    }

    /// Returns the file's outline in a blob, and the bounds of its code.
    fn unpack(&self, blob: &Blob) -> Result<(Outline, Bounds), StoreError> {
        let (outline, bounds) = blob.outline()?;
        if !self.is_parsed() && !self.nodes.is_empty() && self.nodes.len() != outline.definitions.len() + 1 {
            return Err(blob.invalid(&format!("{} has {} node ids", self.row.path, self.nodes.len())));
        }
        Ok((outline, bounds))
    }

    /// Returns the outline in the store, and the bounds of the file's code. Decoding takes most of the time, so it happens
    /// without the reader.
    ///
    /// # Errors
    /// When the store does not have it, or it can't be unpacked.
    pub(super) fn read_outline(&self, reader: &Mutex<Reader>) -> Result<(Outline, Bounds), StoreError> {
        let blob = self.outline_blob(&reader.lock())?;
        self.unpack(&blob)
    }

    fn outline_blob(&self, reader: &Reader) -> Result<Blob, StoreError> {
        reader.outline_blob(self.row.id)?.ok_or_else(|| missing_in(reader.path(), &self.row))
    }

    /// Returns the node ids in the store.
    ///
    /// # Errors
    /// When the store does not have them, or they can't be unpacked.
    pub(super) fn read_nodes(&self, reader: &Reader) -> Result<Vec<NodeId>, StoreError> {
        let blob = reader.file_nodes_blob(self.row.id)?;
        unpack_node_ids(&blob.ok_or_else(|| missing_in(reader.path(), &self.row))?)
    }

    /// Returns the texts of a file parsed in this run.
    ///
    /// # Errors
    /// When they can't be unpacked.
    pub(super) fn texts(&self) -> Result<Option<Cow<'_, FileTexts>>, StoreError> {
        self.parsed.as_ref().map(|parsed| parsed.texts.get()).transpose()
    }

    /// Returns the package: the folder for Go, else the file. Definitions of a package share qualified names.
    pub(super) fn package(&self) -> &str {
        crate::lang::packages::definition_unit(&self.row.language, &self.row.path)
    }
}

/// All files, sorted by path. The position of a file is its [`FileIndex`], also in the
/// resolver's input.
pub(super) struct FileSet {
    pub(super) entries: Vec<Entry>,
    /// The bytes of unpacked facts from which on they are dropped.
    pub(super) unpacked_bytes: u64,
}

impl FileSet {
    /// Combines parsed and unchanged files, and loads the outlines and node ids of the latter.
    pub(super) fn assemble(
        parsed: Vec<ParsedFile>,
        unchanged: Vec<UnchangedFile>,
        reader: &Reader,
        context: (&rayon::ThreadPool, &Memory),
    ) -> Result<FileSet, StoreError> {
        let mut file_set = FileSet::unloaded(parsed, unchanged, context.1);
        file_set.load(reader, context)?;
        Ok(file_set)
    }

    /// Combines parsed and unchanged files. Nothing of the latter is loaded.
    pub(super) fn unloaded(parsed: Vec<ParsedFile>, unchanged: Vec<UnchangedFile>, memory: &Memory) -> FileSet {
        let stored = unchanged.into_iter().map(|UnchangedFile { row, language }| Entry {
            row,
            language,
            held_outline: None,
            bounds: None,
            nodes: Vec::new(),
            parsed: None,
            is_new: false,
        });
        let parsed = parsed.into_iter().map(|parsed| {
            let ParsedFile { row, is_new, stored_language, language, outline, definitions, code, texts } = parsed;
            let parsed = Some(Parsed { code: Some(code), definitions, texts, stored_language });
            Entry { row, language, held_outline: Some(outline), bounds: None, nodes: Vec::new(), parsed, is_new }
        });
        let mut entries: Vec<Entry> = stored.chain(parsed).collect();
        // The unchanged ones are sorted.
        entries.sort_by(|one, two| one.row.path.cmp(&two.row.path));
        FileSet { entries, unpacked_bytes: memory.budget.unpacked }
    }

    /// Loads the outlines and node ids that are not loaded.
    pub(super) fn load(&mut self, reader: &Reader, context: (&rayon::ThreadPool, &Memory)) -> Result<(), StoreError> {
        load(self.entries.iter_mut().collect(), reader, context)
    }

    /// Loads the outlines and node ids of these files, which are sorted, that are not loaded.
    pub(super) fn load_files(
        &mut self,
        files: &[FileIndex],
        reader: &Reader,
        context: (&rayon::ThreadPool, &Memory),
    ) -> Result<(), StoreError> {
        let numbered = FileIndex::sequence().zip(&mut self.entries);
        let of_files = numbered.filter(|(file, _)| files.binary_search(file).is_ok());
        load(of_files.map(|(_, entry)| entry).collect(), reader, context)
    }

    /// Assigns ids to new files. Ids of removed files stay unused until the next rebuild.
    pub(super) fn number_files(&mut self, first_free: FileId) {
        for (id, entry) in
            (first_free.get()..).map(FileId::new).zip(self.entries.iter_mut().filter(|entry| entry.is_new))
        {
            entry.row.id = id;
        }
    }

    /// Drops the code of the parsed files, when all files are resolved and written.
    pub(super) fn drop_code(&mut self) {
        for parsed in self.entries.iter_mut().filter_map(|entry| entry.parsed.as_mut()) {
            parsed.code = None;
        }
    }

    /// Drops the facts of all files, when every edge is derived.
    pub(super) fn drop_facts(&mut self) {
        for entry in &mut self.entries {
            (entry.held_outline, entry.parsed) = (None, None);
        }
    }

    /// Returns the index of each file.
    pub(super) fn numbers(&self) -> impl Iterator<Item = FileIndex> {
        FileIndex::sequence().take(self.entries.len())
    }

    /// Returns the resolver's input.
    pub(super) fn inputs(&self) -> Vec<FileInput<'_>> {
        self.entries.iter().map(|entry| FileInput { path: &entry.row.path, language: entry.language.name }).collect()
    }
}

/// Loads the outlines and node ids of entries that are not loaded.
fn load(
    mut entries: Vec<&mut Entry>,
    reader: &Reader,
    (pool, memory): (&rayon::ThreadPool, &Memory),
) -> Result<(), StoreError> {
    load_nodes(&mut entries, reader, pool)?;
    entries.retain(|entry| entry.held_outline.is_none());
    let is_few = entries.len() <= MAX_SINGLE_LOADS;
    let outlines = Mutex::new(by_file(if is_few { Vec::new() } else { reader.outline_blobs()? }));
    for entry in entries.iter().filter(|_| is_few) {
        outlines.lock().insert(entry.row.id, entry.outline_blob(reader)?);
    }
    let path = reader.path();
    let load = |entry: &mut &mut Entry| -> Result<(), StoreError> {
        let blob = outlines.lock().remove(&entry.row.id).ok_or_else(|| missing_in(path, &entry.row))?;
        if memory.has_room_for_outlines() {
            let (outline, bounds) = entry.unpack(&blob)?;
            if memory.admits_outline(outline.bytes()) {
                (entry.held_outline, entry.bounds) = (Some(Held::Plain(outline)), Some(bounds));
                return Ok(());
            }
        }
        entry.held_outline = Some(Held::Packed(blob));
        Ok(())
    };
    pool.install(|| entries.par_iter_mut().try_for_each(load))
}

/// Loads the node ids of unchanged files that are not loaded.
fn load_nodes(entries: &mut [&mut Entry], reader: &Reader, pool: &rayon::ThreadPool) -> Result<(), StoreError> {
    let mut entries: Vec<&mut &mut Entry> =
        entries.iter_mut().filter(|entry| !entry.is_parsed() && entry.nodes.is_empty()).collect();
    if entries.len() <= MAX_SINGLE_LOADS {
        return entries.iter_mut().try_for_each(|entry| {
            entry.nodes = entry.read_nodes(reader)?;
            Ok(())
        });
    }
    let (blobs, path) = (by_file(reader.file_nodes_blobs()?), reader.path());
    let load = |entry: &mut &mut &mut Entry| -> Result<(), StoreError> {
        let blob = blobs.get(&entry.row.id).ok_or_else(|| missing_in(path, &entry.row))?;
        entry.nodes = unpack_node_ids(blob)?;
        Ok(())
    };
    pool.install(|| entries.par_iter_mut().try_for_each(load))
}

/// Returns the error for a file without facts in the store at `path`.
pub(super) fn missing_in(path: &Path, row: &FileRow) -> StoreError {
    StoreError::Facts { path: path.to_owned(), detail: format!("{} has no stored facts", row.path) }
}

fn by_file(blobs: Vec<Blob>) -> HashMap<FileId, Blob> {
    blobs.into_iter().map(|blob| (blob.file, blob)).collect()
}
