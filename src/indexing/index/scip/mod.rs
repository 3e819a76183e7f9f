//! SCIP indexes, which compilers and type checkers write: found, imported, and matched with the symbols of the file set.
//!
//! An imported index is kept beside the database, so that it survives updates and rebuilds. `index.scip` in the
//! repository's root comes with the repository: it is read where it is, and only if the user has agreed. Whether the statements about a file apply is decided from the file's text
//! alone ([`mod@occurrences`]), so an updated index equals a rebuilt one: statements about an edited file whose names have
//! moved do not apply until the next import.

mod definitions;
mod names;
mod occurrences;
mod symbol;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use protobuf::{CodedInputStream, Message};
use rayon::prelude::*;
use scip::types::{Document, Index};

use super::error::IndexError;
use super::file_set::FileSet;
use crate::model::FileIndex;
use crate::resolve::input::FactSource;
use crate::resolve::scip::{ScipFile, ScipFiles};
use crate::scan::read::read_small;
use crate::scan::{Repository, Stamp, read};
use crate::store::{ScipAnswer, scip_answer, scip_beside, write_scip_answer};
use crate::text::display::safe;
use definitions::Definitions;

/// Name of the index that is found in the repository's root.
const ROOT_INDEX: &str = "index.scip";
/// Maximum size of an index. That of a million lines has about 300 MB.
const MAX_BYTES: u64 = 1 << 30;

/// The SCIP indexes of a repository.
pub(super) struct ScipIndexes<'a> {
    repository: &'a Repository,
    /// The imported one, then that of the root.
    paths: [PathBuf; 2],
    stamps: [Option<Stamp>; 2],
    /// Number of steps of matching.
    steps: AtomicU64,
}

impl<'a> ScipIndexes<'a> {
    /// Finds the indexes that may be used, without reading them.
    pub(super) fn find(repository: &'a Repository, database: &Path) -> ScipIndexes<'a> {
        let paths = [scip_beside(database), repository.root.join(ROOT_INDEX)];
        let is_agreed = scip_answer(database) == Some(ScipAnswer::Use);
        let stamps = [Stamp::of_file(&paths[0]), Stamp::of_file(&paths[1]).filter(|_| is_agreed)];
        ScipIndexes { repository, paths, stamps, steps: AtomicU64::new(0) }
    }

    /// Returns whether there is an index.
    pub(super) fn exist(&self) -> bool {
        self.stamps.iter().any(Option::is_some)
    }

    /// Returns the number of steps of matching so far, a measure of the work.
    pub(super) fn steps(&self) -> u64 {
        self.steps.load(Ordering::Relaxed)
    }

    /// Returns a text that changes with the indexes, empty if there are none.
    pub(super) fn key(&self) -> String {
        let stamp =
            |stamp: &Option<Stamp>| stamp.map_or(String::new(), |stamp| format!("{}:{}", stamp.size, stamp.time_ns));
        match self.exist() {
            true => self.stamps.iter().map(stamp).collect::<Vec<_>>().join(","),
            false => String::new(),
        }
    }

    /// Returns the documents of all indexes, by path in the repository; a later index of a file wins. Notes an index that
    /// can't be read.
    pub(super) fn documents(&self, notes: &mut Vec<String>) -> HashMap<String, Document> {
        let mut documents = HashMap::new();
        for (path, _) in self.paths.iter().zip(&self.stamps).filter(|(_, stamp)| stamp.is_some()) {
            match parse(path) {
                Ok(index) => documents.extend(located(index, &self.repository.root)),
                Err(cause) => notes.push(format!("{} is left out: {cause}", safe(&path.display().to_string()))),
            }
        }
        documents
    }

    /// Returns the statements about the given files, as far as their texts are those that were compiled.
    pub(super) fn files(
        &self,
        (file_set, facts): (&FileSet, &dyn FactSource),
        files: &[FileIndex],
        notes: &mut Vec<String>,
    ) -> ScipFiles {
        if !self.exist() {
            return ScipFiles::new();
        }
        let documents = self.documents(notes);
        let definitions = Definitions::new(file_set, facts, &documents);
        self.steps.fetch_add(definitions.steps, Ordering::Relaxed);
        let statements = |&file: &FileIndex| -> Option<(FileIndex, Option<ScipFile>)> {
            let entry = &file_set.entries[file.index()];
            let document = documents.get(&entry.row.path)?;
            let content = read(&self.repository.root, &entry.row.path).ok()?;
            let is_indexed = content.hash == entry.row.content_hash;
            Some((file, occurrences::statements(document, &content.text, file, &definitions).filter(|_| is_indexed)))
        };
        let found: Vec<(FileIndex, Option<ScipFile>)> = files.par_iter().filter_map(statements).collect();
        let edited = found.iter().filter(|(_, statements)| statements.is_none()).count();
        if edited > 0 {
            notes.push(format!("{edited} files differ from those of the SCIP index, which does not apply to them"));
        }
        found.into_iter().filter_map(|(file, statements)| Some((file, statements?))).collect()
    }
}

/// Returns the SCIP index in the repository's root; `None` if there is none.
pub fn own_scip(root: &Path) -> Option<PathBuf> {
    let path = root.join(ROOT_INDEX);
    Stamp::of_file(&path).map(|_| path)
}

/// Joins SCIP indexes into the one beside the database, which replaces an earlier one. That of the repository's root is
/// not copied: from now on it is used where it is.
///
/// # Errors
/// When one can't be read, or the database's folder can't be written.
pub(super) fn import(paths: &[PathBuf], repository: &Repository, database: &Path) -> Result<(), IndexError> {
    let root_index = repository.root.join(ROOT_INDEX).canonicalize().ok();
    let is_own = |path: &&PathBuf| root_index.is_some() && path.canonicalize().ok() == root_index;
    let (own, others): (Vec<&PathBuf>, Vec<&PathBuf>) = paths.iter().partition(is_own);
    let unwritable = |error: std::io::Error| IndexError::Scip { path: scip_beside(database), cause: error.to_string() };
    if let Some(path) = own.first() {
        parse(path).map_err(|cause| IndexError::Scip { path: path.to_path_buf(), cause })?;
        write_scip_answer(database, ScipAnswer::Use)?;
    }
    if others.is_empty() {
        return crate::store::remove_scip(database).map_err(unwritable);
    }
    let mut joined = Index::new();
    for path in others {
        let index = parse(path).map_err(|cause| IndexError::Scip { path: path.clone(), cause })?;
        for (path, mut document) in located(index, &repository.root) {
            // Of the other fields nothing is read.
            document.relative_path = path;
            document.text.clear();
            joined.documents.push(document);
        }
    }
    joined.documents.sort_by(|one, two| one.relative_path.cmp(&two.relative_path));
    let bytes = joined.write_to_bytes().map_err(|error| unwritable(error.into()))?;
    crate::store::write_scip(database, &bytes).map_err(unwritable)
}

fn parse(path: &Path) -> Result<Index, String> {
    let bytes = read_small(path, MAX_BYTES).map_err(|reason| format!("can't be read ({})", reason.name()))?;
    let index = parse_whole(&bytes).map_err(|error| format!("not a SCIP index ({error})"))?;
    match index.documents.iter().all(|document| document.relative_path.is_empty()) {
        true => Err("not a SCIP index, or one without documents".to_owned()),
        false => Ok(index),
    }
}

/// Parses an index of exactly these bytes. Without a limit, a length beyond the end would be that of a shorter index.
fn parse_whole(bytes: &[u8]) -> protobuf::Result<Index> {
    let mut input = CodedInputStream::from_bytes(bytes);
    input.push_limit(bytes.len() as u64)?;
    let mut index = Index::new();
    index.merge_from(&mut input)?;
    input.check_eof()?;
    Ok(index)
}

/// Returns the documents of an index by their paths in the repository. Those of a project in one of its folders are
/// relative to that folder.
fn located(index: Index, root: &Path) -> impl Iterator<Item = (String, Document)> {
    let project = index.metadata.project_root.strip_prefix("file://").unwrap_or_default().trim_end_matches('/');
    let folder = Path::new(project).strip_prefix(root).ok().and_then(Path::to_str).unwrap_or_default();
    let prefix = if folder.is_empty() { String::new() } else { format!("{folder}/") };
    let path = move |document: &Document| format!("{prefix}{}", document.relative_path.replace('\\', "/"));
    index.documents.into_iter().map(move |document| (path(&document), document))
}
