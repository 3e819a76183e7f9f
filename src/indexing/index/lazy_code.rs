//! The code of every file: parsed in this run, or loaded from the store on first use.

use std::sync::{Mutex, OnceLock, PoisonError};

use crate::facts::{Bounds, Code};
use crate::model::{FileId, FileIndex};
use crate::resolve::input::CodeSource;
use crate::store::{Reader, StoreError};

/// Code by the index in the set, loaded on first use.
pub(super) struct LazyCode {
    cells: Vec<OnceLock<Code>>,
    /// Id of each file, and the bounds of its stored code.
    files: Vec<(FileId, Bounds)>,
    /// A separate connection, since resolution runs beside the writer. `None` when nothing needs loading.
    reader: Option<Mutex<Reader>>,
    error: OnceLock<StoreError>,
}

impl LazyCode {
    /// Uses `parsed` where it is present, else the stored code of the file.
    pub(super) fn new(parsed: Vec<Option<Code>>, files: Vec<(FileId, Bounds)>, reader: Option<Reader>) -> LazyCode {
        let cells = parsed.into_iter().map(|code| code.map_or_else(OnceLock::new, OnceLock::from)).collect();
        LazyCode { cells, files, reader: reader.map(Mutex::new), error: OnceLock::new() }
    }

    /// Returns the first error of loading code. Resolution itself can't fail.
    pub(super) fn into_error(self) -> Option<StoreError> {
        self.error.into_inner()
    }

    fn load(&self, file: FileIndex) -> Code {
        let Some(reader) = &self.reader else { return Code::default() };
        // Decoding takes most of the time, so it happens outside the lock.
        let (id, bounds) = &self.files[file.index()];
        let reader = reader.lock().unwrap_or_else(PoisonError::into_inner);
        let detail = || format!("file {id} has no stored code");
        let missing = || StoreError::Facts { path: reader.path().to_owned(), detail: detail() };
        let blob = reader.code_blob(*id).and_then(|blob| blob.ok_or_else(missing));
        drop(reader);
        let code = blob.and_then(|blob| blob.code(bounds));
        code.unwrap_or_else(|load_error| {
            // Later errors have the same cause.
            self.error.get_or_init(|| load_error);
            Code::placeholder(bounds)
        })
    }
}

impl CodeSource for LazyCode {
    fn code(&self, file: FileIndex) -> &Code {
        self.cells[file.index()].get_or_init(|| self.load(file))
    }
}
