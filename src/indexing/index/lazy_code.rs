//! The code of every file: held since it was parsed in this run, or loaded from the store, on first use.

use std::sync::{Mutex, OnceLock, PoisonError};

use super::file_set::{Entry, FileSet};
use super::held::Held;
use crate::facts::Code;
use crate::model::FileIndex;
use crate::resolve::input::CodeSource;
use crate::store::{Reader, StoreError};

/// The size of unpacked code, in parts, from which it is dropped: about 250 MB. A batch of files can unpack as much again.
const MAX_PARTS: usize = 6 << 20;

/// Code by the index in the set, unpacked on first use.
pub(super) struct LazyCode<'a> {
    file_set: &'a FileSet,
    cells: Vec<OnceLock<Code>>,
    /// A separate connection, since resolution runs beside the writer. `None` when nothing needs loading.
    reader: Option<&'a Mutex<Reader>>,
    error: OnceLock<StoreError>,
}

impl<'a> LazyCode<'a> {
    /// Uses the code of the parsed files, and for others the stored one.
    pub(super) fn new(file_set: &'a FileSet, reader: Option<&'a Mutex<Reader>>) -> LazyCode<'a> {
        let cells = file_set.entries.iter().map(|_| OnceLock::new()).collect();
        LazyCode { file_set, cells, reader, error: OnceLock::new() }
    }

    /// Returns the same code, of which nothing is unpacked.
    pub(super) fn again(&self) -> LazyCode<'a> {
        LazyCode::new(self.file_set, self.reader)
    }

    /// Returns the first error of loading code. Resolution itself can't fail.
    pub(super) fn into_error(self) -> Option<StoreError> {
        self.error.into_inner()
    }

    /// Drops unpacked code if it is large.
    pub(super) fn shrink(&mut self) {
        let unpacked = self.cells.iter().filter_map(OnceLock::get);
        let parts =
            |code: &Code| code.expressions.len() + code.references.len() + code.bindings.len() + code.scopes.len();
        if unpacked.map(parts).sum::<usize>() > MAX_PARTS {
            self.cells.iter_mut().for_each(|cell| *cell = OnceLock::new());
        }
    }

    fn load(&self, file: FileIndex) -> Code {
        let entry = &self.file_set.entries[file.index()];
        let code = match (held(entry), self.reader) {
            (Some(code), _) => code.get().map(std::borrow::Cow::into_owned),
            (None, None) => return Code::default(),
            (None, Some(reader)) => {
                // Decoding takes most of the time, so it happens outside the lock.
                let reader = reader.lock().unwrap_or_else(PoisonError::into_inner);
                let detail = || format!("file {} has no stored code", entry.row.id);
                let missing = || StoreError::Facts { path: reader.path().to_owned(), detail: detail() };
                let blob = reader.code_blob(entry.row.id).and_then(|blob| blob.ok_or_else(missing));
                drop(reader);
                blob.and_then(|blob| blob.code(&entry.bounds))
            }
        };
        code.unwrap_or_else(|load_error| {
            // Later errors have the same cause.
            self.error.get_or_init(|| load_error);
            Code::placeholder(&entry.bounds)
        })
    }
}

impl CodeSource for LazyCode<'_> {
    fn code(&self, file: FileIndex) -> &Code {
        match held(&self.file_set.entries[file.index()]) {
            Some(Held::Plain(code)) => code,
            _ => self.cells[file.index()].get_or_init(|| self.load(file)),
        }
    }
}

/// Returns the code of a file parsed in this run.
fn held(entry: &Entry) -> Option<&Held<Code>> {
    entry.parsed.as_ref()?.code.as_ref()
}
