//! The facts of every file: held since it was parsed or loaded in this run, or unpacked on first use.

use std::borrow::Cow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use super::file_set::{Entry, FileSet};
use super::held::Held;
use crate::facts::{Bounds, Code, Outline};
use crate::model::FileIndex;
use crate::resolve::input::FactSource;
use crate::store::{Reader, StoreError};

/// Facts by the index in the set, unpacked on first use, and dropped in [`FactSource::shrink`].
pub(super) struct LazyFacts<'a> {
    file_set: &'a FileSet,
    /// The outlines that are not packed: names are looked up in them all the time.
    plain: Vec<Option<&'a Outline>>,
    outlines: Unpacked<(Outline, Bounds)>,
    codes: Unpacked<Code>,
    /// The bytes of outlines, and those of code, from which on they are dropped.
    limit: usize,
    /// A separate connection, since resolution runs beside the writer. `None` when no code is loaded.
    reader: Option<&'a Mutex<Reader>>,
    error: OnceLock<StoreError>,
}

/// Values that were unpacked, and about how many bytes they take.
struct Unpacked<T> {
    cells: Vec<OnceLock<T>>,
    bytes: AtomicUsize,
}

impl<T> Unpacked<T> {
    fn new(count: usize) -> Unpacked<T> {
        Unpacked { cells: (0..count).map(|_| OnceLock::new()).collect(), bytes: AtomicUsize::new(0) }
    }

    fn get(&self, file: FileIndex, load: impl FnOnce() -> T, bytes: impl FnOnce(&T) -> usize) -> &T {
        self.cells[file.index()].get_or_init(|| {
            let value = load();
            self.bytes.fetch_add(bytes(&value), Ordering::Relaxed);
            value
        })
    }

    fn shrink(&mut self, limit: usize) {
        if *self.bytes.get_mut() > limit {
            *self = Unpacked::new(self.cells.len());
        }
    }
}

impl<'a> LazyFacts<'a> {
    /// Uses the facts of the set, and for code of files that were not parsed the stored one.
    pub(super) fn new(file_set: &'a FileSet, reader: Option<&'a Mutex<Reader>>) -> LazyFacts<'a> {
        let count = file_set.entries.len();
        let limit = file_set.unpacked_bytes as usize;
        let plain = |entry: &'a Entry| match &entry.held_outline {
            Held::Plain(outline) => Some(outline),
            Held::Packed(_) => None,
        };
        let plain = file_set.entries.iter().map(plain).collect();
        let (outlines, codes) = (Unpacked::new(count), Unpacked::new(count));
        LazyFacts { file_set, plain, outlines, codes, limit, reader, error: OnceLock::new() }
    }

    /// Returns the first error of loading facts. Resolution itself can't fail.
    pub(super) fn into_error(self) -> Option<StoreError> {
        self.error.into_inner()
    }

    fn unpacked_outline(&self, file: FileIndex) -> &(Outline, Bounds) {
        let load = || {
            self.file_set.entries[file.index()].unpack_outline().unwrap_or_else(|error| {
                self.failed(error);
                (Outline::default(), Outline::default().bounds().unwrap_or_default())
            })
        };
        self.outlines.get(file, load, |(outline, _)| outline.bytes())
    }

    fn load_code(&self, file: FileIndex) -> Code {
        let entry = &self.file_set.entries[file.index()];
        let code = match (held(entry), self.reader) {
            (Some(code), _) => code.get().map(Cow::into_owned),
            (None, None) => return Code::default(),
            (None, Some(reader)) => {
                // Decoding takes most of the time, so it happens outside the lock.
                let reader = reader.lock().unwrap_or_else(PoisonError::into_inner);
                let detail = || format!("file {} has no stored code", entry.row.id);
                let missing = || StoreError::Facts { path: reader.path().to_owned(), detail: detail() };
                let blob = reader.code_blob(entry.row.id).and_then(|blob| blob.ok_or_else(missing));
                drop(reader);
                blob.and_then(|blob| blob.code(self.bounds(file)))
            }
        };
        code.unwrap_or_else(|error| {
            self.failed(error);
            Code::placeholder(self.bounds(file))
        })
    }

    /// Returns the bounds of the code of a file that was not parsed.
    fn bounds(&self, file: FileIndex) -> &Bounds {
        match &self.file_set.entries[file.index()].bounds {
            Some(bounds) => bounds,
            None => &self.unpacked_outline(file).1,
        }
    }

    /// Remembers an error. Later ones have the same cause.
    fn failed(&self, error: StoreError) {
        self.error.get_or_init(|| error);
    }
}

impl FactSource for LazyFacts<'_> {
    fn outline(&self, file: FileIndex) -> &Outline {
        match self.plain[file.index()] {
            Some(outline) => outline,
            None => &self.unpacked_outline(file).0,
        }
    }

    fn outline_once(&self, file: FileIndex) -> Cow<'_, Outline> {
        let known = self.plain[file.index()];
        if let Some(outline) = known.or_else(|| self.outlines.cells[file.index()].get().map(|(outline, _)| outline)) {
            return Cow::Borrowed(outline);
        }
        self.file_set.entries[file.index()].outline().unwrap_or_else(|error| {
            self.failed(error);
            Cow::Owned(Outline::default())
        })
    }

    fn code(&self, file: FileIndex) -> &Code {
        match held(&self.file_set.entries[file.index()]) {
            Some(Held::Plain(code)) => code,
            _ => self.codes.get(file, || self.load_code(file), Code::bytes),
        }
    }

    fn shrink(&mut self) {
        self.outlines.shrink(self.limit);
        self.codes.shrink(self.limit);
    }
}

/// Returns the code of a file parsed in this run.
fn held(entry: &Entry) -> Option<&Held<Code>> {
    entry.parsed.as_ref()?.code.as_ref()
}
