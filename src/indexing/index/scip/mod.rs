//! SCIP indexes, which compilers and type checkers write: found, imported, and matched with the symbols of the file set.
//!
//! An imported index is kept beside the database, so that it survives updates and rebuilds; `index.scip` in the
//! repository's root is read where it is. Whether the statements about a file apply is decided from the file's text
//! alone ([`mod@occurrences`]), so an updated index equals a rebuilt one: statements about an edited file whose names have
//! moved do not apply until the next import.

mod definitions;
mod occurrences;

use std::collections::HashMap;
use std::path::Path;

use protobuf::Message;
use rayon::prelude::*;
use scip::types::{Document, Index};

use super::error::IndexError;
use super::file_set::FileSet;
use crate::model::FileIndex;
use crate::resolve::scip::{ScipFile, ScipFiles};
use crate::scan::read::{FileStamp, read_small, stamp};
use crate::scan::{Repository, read};
use crate::store::scip_beside;
use definitions::Definitions;

/// Name of the index that is found in the repository's root.
const ROOT_INDEX: &str = "index.scip";
/// Maximum size of an index. That of a million lines has about 300 MB.
const MAX_BYTES: u64 = 1 << 30;

/// Key in `meta` of the size and time of the indexes that the edges were made with.
pub(super) const SCIP: &str = "scip";

/// The SCIP indexes of a repository.
pub(super) struct ScipIndexes<'a> {
    repository: &'a Repository,
    /// The imported one, then that of the root.
    paths: [std::path::PathBuf; 2],
    stamps: [Option<FileStamp>; 2],
}

impl<'a> ScipIndexes<'a> {
    /// Finds the indexes without reading them.
    pub(super) fn find(repository: &'a Repository, database: &Path) -> ScipIndexes<'a> {
        let paths = [scip_beside(database), repository.root.join(ROOT_INDEX)];
        let stamps = [stamp(&paths[0]), stamp(&paths[1])];
        ScipIndexes { repository, paths, stamps }
    }

    /// Returns whether there is an index.
    pub(super) fn exist(&self) -> bool {
        self.stamps.iter().any(Option::is_some)
    }

    /// Returns a text that changes with the indexes, empty if there are none.
    pub(super) fn key(&self) -> String {
        let stamp = |stamp: &Option<FileStamp>| stamp.map_or(String::new(), |(size, time)| format!("{size}:{time}"));
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
                Err(cause) => notes.push(format!("{} is left out: {cause}", path.display())),
            }
        }
        documents
    }

    /// Returns the statements about the given files, as far as their texts are those that were compiled.
    pub(super) fn files(&self, file_set: &FileSet, files: &[FileIndex], notes: &mut Vec<String>) -> ScipFiles {
        if !self.exist() {
            return ScipFiles::new();
        }
        let documents = self.documents(notes);
        let definitions = Definitions::new(file_set, &documents);
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

/// Joins SCIP indexes into the one beside the database, which replaces an earlier one.
///
/// # Errors
/// When one can't be read, or the database's folder can't be written.
pub(super) fn import(paths: &[std::path::PathBuf], repository: &Repository, database: &Path) -> Result<(), IndexError> {
    let mut joined = Index::new();
    for path in paths {
        let index = parse(path).map_err(|cause| IndexError::Scip { path: path.clone(), cause })?;
        for (path, mut document) in located(index, &repository.root) {
            // Of the other fields nothing is read.
            document.relative_path = path;
            document.text.clear();
            joined.documents.push(document);
        }
    }
    joined.documents.sort_by(|one, two| one.relative_path.cmp(&two.relative_path));
    let unwritable = |cause: String| IndexError::Scip { path: scip_beside(database), cause };
    let bytes = joined.write_to_bytes().map_err(|error| unwritable(error.to_string()))?;
    crate::store::write_scip(database, &bytes).map_err(|error| unwritable(error.to_string()))
}

fn parse(path: &Path) -> Result<Index, String> {
    let bytes = read_small(path, MAX_BYTES).map_err(|reason| format!("can't be read ({})", reason.name()))?;
    let index = Index::parse_from_bytes(&bytes).map_err(|error| format!("not a SCIP index ({error})"))?;
    match index.documents.is_empty() {
        true => Err("not a SCIP index, or one without documents".to_owned()),
        false => Ok(index),
    }
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
