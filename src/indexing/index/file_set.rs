//! All files of the repository in canonical order, parsed now or loaded from the store.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;

use super::checkout::UnchangedFile;
use super::extract::ParsedFile;
use super::held::Held;
use super::memory::Memory;
use super::texts::FileTexts;
use crate::facts::{Bounds, Code, Names, Outline};
use crate::lang::Language;
use crate::model::{FileId, NodeId};
use crate::resolve::input::FileInput;
use crate::store::{Blob, FileRow, Reader, StoreError, unpack_node_ids};

/// Up to this many unchanged files, blobs are loaded one by one; beyond it, whole tables are read.
const MAX_SINGLE_LOADS: usize = 64;

/// The facts of a parsed file that are not in its outline.
pub(super) struct Parsed {
    /// `None` after all files are resolved and written.
    pub(super) code: Option<Held<Code>>,
    /// Number of the file's definitions.
    pub(super) definitions: usize,
    pub(super) texts: Held<FileTexts>,
}

/// A file of the set.
pub(super) struct Entry {
    pub(super) row: FileRow,
    pub(super) language: &'static Language,
    /// Without doc comments, which are in the file's texts.
    pub(super) held_outline: Held<Outline>,
    /// The bounds of the code of an unchanged file whose outline is plain.
    pub(super) bounds: Option<Bounds>,
    /// Node ids of the file's own symbol and its definitions, empty until assigned.
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

    /// Returns the outline.
    ///
    /// # Errors
    /// When it can't be unpacked.
    pub(super) fn outline(&self) -> Result<Cow<'_, Outline>, StoreError> {
        match &self.held_outline {
            Held::Plain(outline) => Ok(Cow::Borrowed(outline)),
            Held::Packed(_) => Ok(Cow::Owned(self.unpack_outline()?.0)),
        }
    }

    /// Returns all names in the file's facts.
    ///
    /// # Errors
    /// When they can't be unpacked.
    pub(super) fn names(&self) -> Result<Cow<'_, Names>, StoreError> {
        match &self.held_outline {
            Held::Plain(outline) => Ok(Cow::Borrowed(&outline.names)),
            Held::Packed(blob) => Ok(Cow::Owned(blob.names_of_outline()?)),
        }
    }

    /// Returns a copy of the outline, and the bounds of the file's code.
    ///
    /// # Errors
    /// When it can't be unpacked.
    pub(super) fn unpack_outline(&self) -> Result<(Outline, Bounds), StoreError> {
        match &self.held_outline {
            Held::Plain(outline) => Ok((outline.clone(), self.bounds.clone().unwrap_or_default())),
            Held::Packed(blob) => {
                let (outline, bounds) = blob.outline()?;
                if !self.is_parsed() && self.nodes.len() != outline.definitions.len() + 1 {
                    return Err(blob.invalid(&format!("{} has {} node ids", self.row.path, self.nodes.len())));
                }
                Ok((outline, bounds))
            }
        }
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

/// All files, sorted by path. The position of a file is its [`FileIndex`](crate::model::FileIndex), also in the
/// resolver's input.
pub(super) struct FileSet {
    pub(super) entries: Vec<Entry>,
    /// The bytes of unpacked facts from which on they are dropped.
    pub(super) unpacked_bytes: u64,
}

impl FileSet {
    /// Combines parsed and unchanged files.
    pub(super) fn assemble(
        parsed: Vec<ParsedFile>,
        unchanged: Vec<UnchangedFile>,
        reader: &Reader,
        (pool, memory): (&rayon::ThreadPool, &Memory),
    ) -> Result<FileSet, StoreError> {
        let load_singly = unchanged.len() <= MAX_SINGLE_LOADS;
        let outlines = Mutex::new(by_file(if load_singly { Vec::new() } else { reader.outline_blobs()? }));
        let mut node_blobs = by_file(if load_singly { Vec::new() } else { reader.file_nodes_blobs()? });
        for unchanged in unchanged.iter().filter(|_| load_singly) {
            let blob = reader.outline_blob(unchanged.row.id)?;
            lock(&outlines).extend(blob.map(|blob| (blob.file, blob)));
            node_blobs.extend(reader.file_nodes_blob(unchanged.row.id)?.map(|blob| (blob.file, blob)));
        }
        let reader_path = reader.path().to_owned();
        let load = |unchanged: UnchangedFile| -> Result<Entry, StoreError> {
            let missing = || StoreError::Facts {
                path: reader_path.clone(),
                detail: format!("{} has no stored facts", unchanged.row.path),
            };
            let blob = lock(&outlines).remove(&unchanged.row.id).ok_or_else(missing)?;
            let nodes = unpack_node_ids(node_blobs.get(&unchanged.row.id).ok_or_else(missing)?)?;
            let UnchangedFile { row, language } = unchanged;
            let held_outline = Held::Packed(blob);
            let mut entry = Entry { row, language, held_outline, bounds: None, nodes, parsed: None, is_new: false };
            if memory.has_room_for_outlines() {
                let (outline, bounds) = entry.unpack_outline()?;
                if memory.admits_outline(outline.bytes()) {
                    (entry.held_outline, entry.bounds) = (Held::Plain(outline), Some(bounds));
                }
            }
            Ok(entry)
        };
        let loaded: Result<Vec<_>, StoreError> = pool.install(|| unchanged.into_par_iter().map(load).collect());
        let new = parsed.into_iter().map(|parsed| {
            let ParsedFile { row, is_new, language, outline, definitions, code, texts } = parsed;
            let parsed = Some(Parsed { code: Some(code), definitions, texts });
            Entry { row, language, held_outline: outline, bounds: None, nodes: Vec::new(), parsed, is_new }
        });
        let mut entries: Vec<Entry> = loaded?.into_iter().chain(new).collect();
        entries.sort_unstable_by(|one, two| one.row.path.cmp(&two.row.path));
        Ok(FileSet { entries, unpacked_bytes: memory.budget.unpacked })
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
            (entry.held_outline, entry.parsed) = (Held::Plain(Outline::default()), None);
        }
    }

    /// Returns the resolver's input.
    pub(super) fn inputs(&self) -> Vec<FileInput<'_>> {
        self.entries.iter().map(|entry| FileInput { path: &entry.row.path, language: entry.language.name }).collect()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn by_file(blobs: Vec<Blob>) -> HashMap<FileId, Blob> {
    blobs.into_iter().map(|blob| (blob.file, blob)).collect()
}
