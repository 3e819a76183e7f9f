//! Every file's code: what was parsed now at hand, the rest loaded from the store when first asked for.

use std::sync::{Mutex, OnceLock, PoisonError};

use crate::facts::Code;
use crate::resolve::input::CodeSource;
use crate::store::{Reader, StoreError};

/// Code of the catalog's files.
pub(super) struct Codes {
    cells: Vec<OnceLock<Code>>,
    file_ids: Vec<u32>,
    /// A connection of its own, since resolution runs beside the writer. `None` when nothing has to be loaded.
    reader: Option<Mutex<Reader>>,
    problem: OnceLock<StoreError>,
}

impl Codes {
    /// Code given for some files; the others are read by their file ids.
    pub(super) fn new(given: Vec<Option<Code>>, file_ids: Vec<u32>, reader: Option<Reader>) -> Codes {
        let cells = given.into_iter().map(|code| code.map_or_else(OnceLock::new, OnceLock::from)).collect();
        Codes { cells, file_ids, reader: reader.map(Mutex::new), problem: OnceLock::new() }
    }

    /// What went wrong while loading; resolution itself can't fail.
    pub(super) fn into_problem(self) -> Option<StoreError> {
        self.problem.into_inner()
    }

    fn load(&self, file: u32) -> Code {
        let Some(reader) = &self.reader else { return Code::default() };
        // Unpacking is the slow part, so it happens after the lock is given back.
        let blob = reader.lock().unwrap_or_else(PoisonError::into_inner).code_blob(self.file_ids[file as usize]);
        let code = blob.and_then(|blob| blob.map_or_else(|| Ok(Code::default()), |blob| blob.unpack()));
        code.unwrap_or_else(|error| {
            // Only the first problem is told; later ones have the same cause.
            self.problem.get_or_init(|| error);
            Code::default()
        })
    }
}

impl CodeSource for Codes {
    fn code(&self, file: u32) -> &Code {
        self.cells[file as usize].get_or_init(|| self.load(file))
    }
}
