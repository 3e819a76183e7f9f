//! Every file of the repository in one canonical order, from the parser or from the store.

use std::collections::HashMap;

use rayon::prelude::*;

use super::extract::{FileTexts, Parsed};
use super::placement::unpack_placement;
use super::plan::Kept;
use crate::facts::{Code, Outline};
use crate::lang::Language;
use crate::resolve::input::FileInput;
use crate::store::{Blob, FileRow, Reader, StoreError};

/// Up to so many files are loaded one by one; beyond, the whole table is read.
const FEW: usize = 64;

/// A file.
pub(super) struct Entry {
    pub(super) row: FileRow,
    pub(super) language: &'static Language,
    /// Without docs.
    pub(super) outline: Outline,
    /// Node numbers: the file's own, then its definitions'. Empty until numbered.
    pub(super) nodes: Vec<u32>,
    /// Its texts when it was parsed now; the code went into [`super::codes::Codes`].
    pub(super) texts: Option<FileTexts>,
    /// It was not in the store.
    pub(super) is_new: bool,
}

impl Entry {
    /// It was parsed in this run.
    pub(super) fn is_parsed(&self) -> bool {
        self.texts.is_some()
    }

    /// The folder for Go, else the file: definitions of one place share qualified names.
    pub(super) fn place(&self) -> &str {
        crate::lang::packages::definition_unit(&self.row.language, &self.row.path)
    }
}

/// The files, sorted by path.
pub(super) struct Catalog {
    pub(super) entries: Vec<Entry>,
}

impl Catalog {
    /// Joins what was parsed with what was kept. Gives the code of the parsed files, in the catalog's order.
    pub(super) fn assemble(
        parsed: Vec<Parsed>,
        kept: Vec<Kept>,
        reader: &Reader,
        pool: &rayon::ThreadPool,
    ) -> Result<(Catalog, Vec<Option<Code>>), StoreError> {
        let few = kept.len() <= FEW;
        let mut outlines = by_file(if few { Vec::new() } else { reader.outline_blobs()? });
        let mut placements = by_file(if few { Vec::new() } else { reader.placement_blobs()? });
        for kept in kept.iter().filter(|_| few) {
            outlines.extend(reader.outline_blob(kept.row.id)?.map(|blob| (blob.file, blob)));
            placements.extend(reader.placement_blob(kept.row.id)?.map(|blob| (blob.file, blob)));
        }
        let reader_path = reader.path().to_owned();
        let load = |kept: Kept| -> Result<(Entry, Option<Code>), StoreError> {
            let missing =
                || StoreError::Facts { path: reader_path.clone(), detail: format!("{} has none", kept.row.path) };
            let outline = outlines.get(&kept.row.id).ok_or_else(missing)?.unpack()?;
            let nodes = unpack_placement(placements.get(&kept.row.id).ok_or_else(missing)?)?;
            let Kept { row, language } = kept;
            Ok((Entry { row, language, outline, nodes, texts: None, is_new: false }, None))
        };
        let loaded: Result<Vec<_>, StoreError> = pool.install(|| kept.into_par_iter().map(load).collect());
        let fresh = parsed.into_iter().map(|parsed| {
            let Parsed { row, is_new, language, outline, code, texts } = parsed;
            (Entry { row, language, outline, nodes: Vec::new(), texts: Some(texts), is_new }, Some(code))
        });
        let mut all: Vec<(Entry, Option<Code>)> = loaded?.into_iter().chain(fresh).collect();
        all.sort_unstable_by(|(one, _), (two, _)| one.row.path.cmp(&two.row.path));
        let (entries, codes) = all.into_iter().unzip();
        Ok((Catalog { entries }, codes))
    }

    /// Gives new files their ids: gaps that removed files left stay empty until the next build from nothing.
    pub(super) fn number_files(&mut self, first_free: u32) {
        for (id, entry) in (first_free..).zip(self.entries.iter_mut().filter(|entry| entry.is_new)) {
            entry.row.id = id;
        }
    }

    /// The resolver's view of the files.
    pub(super) fn inputs(&self) -> Vec<FileInput<'_>> {
        self.entries
            .iter()
            .map(|entry| FileInput { path: &entry.row.path, language: entry.language.name, outline: &entry.outline })
            .collect()
    }
}

fn by_file(blobs: Vec<Blob>) -> HashMap<u32, Blob> {
    blobs.into_iter().map(|blob| (blob.file, blob)).collect()
}
