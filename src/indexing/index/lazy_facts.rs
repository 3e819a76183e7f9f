//! The facts of every file: held since it was parsed or loaded in this run, or unpacked on first use.
//!
//! # Why
//!
//! Files are resolved in batches. Each needs its own files, which no other does, and those that most batches need, such as the
//! headers of a project.

use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

use parking_lot::Mutex;

use super::file_set::{Entry, FileSet, missing_in};
use super::held::Held;
use crate::facts::{Bounds, Code, Outline};
use crate::model::{FileIndex, NodeId};
use crate::resolve::input::FactSource;
use crate::store::{Reader, StoreError};

/// Facts by the index in the set, unpacked on first use; [`FactSource::shrink`] ends a batch.
pub(super) struct LazyFacts<'a> {
    file_set: &'a FileSet,
    /// The outlines that are not packed: names are looked up in them all the time.
    plain: Vec<Option<&'a Outline>>,
    /// The files that the tables over all files need, if not all.
    selected: Option<Vec<bool>>,
    outlines: Unpacked<(Outline, Bounds)>,
    codes: Unpacked<Code>,
    /// The node ids of files that are not loaded in the set.
    nodes: Vec<OnceLock<Vec<NodeId>>>,
    /// Maximum size of unpacked outlines in bytes, and that of unpacked code. After a batch with more, most of them are dropped.
    limit: usize,
    /// A separate connection, since resolution runs beside the writer. `None` when neither code nor outlines are loaded.
    reader: Option<&'a Mutex<Reader>>,
    error: OnceLock<StoreError>,
}

/// Values that were unpacked, and about how many bytes they take.
struct Unpacked<T> {
    cells: Vec<Cell<T>>,
    bytes: AtomicUsize,
    /// The number of the batch of files that is resolved, from 1.
    batch: u32,
}

struct Cell<T> {
    /// The value, its bytes and the batch in which it was unpacked. Few files have one in an update.
    value: OnceLock<Box<(T, usize, u32)>>,
    /// The last batch that used it.
    used: AtomicU32,
}

impl<T> Unpacked<T> {
    fn new(count: usize) -> Unpacked<T> {
        let cell = || Cell { value: OnceLock::new(), used: AtomicU32::new(0) };
        Unpacked { cells: (0..count).map(|_| cell()).collect(), bytes: AtomicUsize::new(0), batch: 1 }
    }

    fn get(&self, file: FileIndex, load: impl FnOnce() -> T, bytes: impl FnOnce(&T) -> usize) -> &T {
        let Cell { value, used } = &self.cells[file.index()];
        // Most uses are not the first of a batch, and a store would take the line from the other threads.
        if used.load(Ordering::Relaxed) != self.batch {
            used.store(self.batch, Ordering::Relaxed);
        }
        let unpacked = value.get_or_init(|| {
            let value = load();
            let bytes = bytes(&value);
            self.bytes.fetch_add(bytes, Ordering::Relaxed);
            Box::new((value, bytes, self.batch))
        });
        &unpacked.0
    }

    /// Returns a value that is unpacked.
    fn known(&self, file: FileIndex) -> Option<&T> {
        self.cells[file.index()].value.get().map(|unpacked| &unpacked.0)
    }

    /// Ends a batch. If the values take more than `limit` bytes, drops all but those that it had in common with one before; if
    /// these take more than half of that, too.
    fn shrink(&mut self, limit: usize) {
        if *self.bytes.get_mut() > limit {
            let batch = self.batch;
            self.keep(|unpacked, used| used == batch && unpacked < batch);
            if *self.bytes.get_mut() > limit / 2 {
                self.keep(|_, _| false);
            }
        }
        self.batch += 1;
    }

    /// Drops the values for which `is_kept` returns false, by the batches in which they were unpacked and last used.
    fn keep(&mut self, is_kept: impl Fn(u32, u32) -> bool) {
        let mut all = 0;
        for Cell { value, used } in &mut self.cells {
            match value.get().map(Box::as_ref) {
                Some((_, bytes, unpacked)) if is_kept(*unpacked, *used.get_mut()) => all += bytes,
                _ => drop(value.take()),
            }
        }
        *self.bytes.get_mut() = all;
    }
}

impl<'a> LazyFacts<'a> {
    /// Uses the facts of the set, and for code of files that were not parsed the stored one.
    pub(super) fn new(file_set: &'a FileSet, reader: Option<&'a Mutex<Reader>>) -> LazyFacts<'a> {
        let count = file_set.entries.len();
        let limit = file_set.unpacked_bytes as usize;
        let plain = |entry: &'a Entry| match &entry.held_outline {
            Some(Held::Plain(outline)) => Some(outline),
            Some(Held::Packed(_)) | None => None,
        };
        let plain = file_set.entries.iter().map(plain).collect();
        let (outlines, codes) = (Unpacked::new(count), Unpacked::new(count));
        let nodes = (0..count).map(|_| OnceLock::new()).collect();
        LazyFacts { file_set, plain, selected: None, outlines, codes, nodes, limit, reader, error: OnceLock::new() }
    }

    /// Selects the files that the tables over all files need, by the index in the set; `None` for all.
    pub(super) fn select(&mut self, files: Option<Vec<bool>>) {
        self.selected = files;
    }

    /// Returns the first error of loading facts. Resolution itself can't fail.
    pub(super) fn into_error(self) -> Option<StoreError> {
        self.error.into_inner()
    }

    /// Returns the node id of a file's own symbol (0) or of one of its definitions (from 1). Of one that is lost it is not valid, and
    /// the error is remembered.
    pub(super) fn node(&self, file: FileIndex, index: usize) -> NodeId {
        let entry = &self.file_set.entries[file.index()];
        let nodes = match self.reader.filter(|_| entry.nodes.is_empty()) {
            None => &entry.nodes,
            Some(reader) => self.nodes[file.index()].get_or_init(|| {
                entry.read_nodes(&reader.lock()).unwrap_or_else(|error| {
                    self.failed(error);
                    Vec::new()
                })
            }),
        };
        nodes.get(index).copied().unwrap_or_else(|| {
            let path = self.reader.map_or_else(PathBuf::new, |reader| reader.lock().path().to_owned());
            self.failed(missing_in(&path, &entry.row));
            NodeId::MAX
        })
    }

    fn unpacked_outline(&self, file: FileIndex) -> &(Outline, Bounds) {
        let load = || {
            self.read_outline(file).unwrap_or_else(|error| {
                self.failed(error);
                (Outline::default(), Outline::default().bounds().unwrap_or_default())
            })
        };
        self.outlines.get(file, load, |(outline, _)| outline.bytes())
    }

    fn read_outline(&self, file: FileIndex) -> Result<(Outline, Bounds), StoreError> {
        let entry = &self.file_set.entries[file.index()];
        match (&entry.held_outline, self.reader) {
            (None, Some(reader)) => entry.read_outline(reader),
            _ => entry.unpack_outline(),
        }
    }

    fn load_code(&self, file: FileIndex) -> Code {
        let entry = &self.file_set.entries[file.index()];
        let code = match (held(entry), self.reader) {
            (Some(code), _) => code.get().map(Cow::into_owned),
            (None, None) => return Code::default(),
            (None, Some(reader)) => {
                // Decoding takes most of the time, so it happens outside the lock.
                let reader = reader.lock();
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
        if let Some(outline) = known.or_else(|| self.outlines.known(file).map(|(outline, _)| outline)) {
            return Cow::Borrowed(outline);
        }
        // Those of a selection are few, and the tables are built several times.
        if self.selected.is_some() {
            return Cow::Borrowed(self.outline(file));
        }
        let entry = &self.file_set.entries[file.index()];
        let outline = match entry.held_outline {
            Some(_) => entry.outline(),
            None => self.read_outline(file).map(|(outline, _)| Cow::Owned(outline)),
        };
        outline.unwrap_or_else(|error| {
            self.failed(error);
            Cow::Owned(Outline::default())
        })
    }

    fn is_selected(&self, file: FileIndex) -> bool {
        self.selected.as_ref().is_none_or(|selected| selected[file.index()])
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
