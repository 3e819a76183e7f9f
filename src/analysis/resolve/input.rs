//! Input of the resolver.

use std::borrow::Cow;

use rayon::prelude::*;

use crate::facts::{Code, Outline};
pub use crate::model::FileIndex;

/// One file of the repository.
#[derive(Debug, Clone, Copy)]
pub struct FileInput<'a> {
    /// Path relative to the repository's root, with forward slashes.
    pub path: &'a str,
    /// Name of its language in the registry.
    pub language: &'a str,
}

/// A file that determines how modules are named and found: `go.mod`, `Cargo.toml`, `package.json`, `tsconfig.json`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manifest {
    /// Path relative to the repository's root, with forward slashes.
    pub path: String,
    pub text: String,
}

/// Loads the facts of files when they are needed. The outlines of all files of a large repository take more memory than all
/// else, so they are loaded by file, and only until [`FactSource::shrink`].
pub trait FactSource: Sync {
    /// Returns the outline of the `file`-th [`FileInput`], which stays loaded.
    fn outline(&self, file: FileIndex) -> &Outline;

    /// Returns the outline of a file for one use: where memory is scarce, it does not stay loaded.
    fn outline_once(&self, file: FileIndex) -> Cow<'_, Outline> {
        Cow::Borrowed(self.outline(file))
    }

    /// Returns whether what a file defines is part of the tables over all files. An update needs only the files that define a name
    /// which resolution asks for.
    fn is_selected(&self, _file: FileIndex) -> bool {
        true
    }

    /// Returns the code of the `file`-th [`FileInput`], which stays loaded.
    fn code(&self, file: FileIndex) -> &Code;

    /// Forgets what is loaded if it takes too much memory.
    fn shrink(&mut self) {}
}

/// Number of files whose outlines are loaded at once by [`each_outline`].
const BATCH: usize = 256;

/// Calls `visit` with the outlines of files that are selected, one after the other. Outlines that are not loaded are unpacked in parallel.
pub fn each_outline(
    facts: &dyn FactSource,
    files: impl Iterator<Item = FileIndex>,
    mut visit: impl FnMut(FileIndex, &Outline),
) {
    each_batch(facts, files, |batch| batch.iter().for_each(|(file, outline)| visit(*file, outline)));
}

/// A file and its outline.
type WithOutline<'a> = (FileIndex, Cow<'a, Outline>);

/// Calls `visit` with batches of files that are selected and their outlines, see [`each_outline`].
pub fn each_batch(
    facts: &dyn FactSource,
    files: impl Iterator<Item = FileIndex>,
    mut visit: impl FnMut(&[WithOutline<'_>]),
) {
    let mut files = files.filter(|file| facts.is_selected(*file)).peekable();
    while files.peek().is_some() {
        let batch: Vec<FileIndex> = files.by_ref().take(BATCH).collect();
        let batch: Vec<WithOutline<'_>> = batch.par_iter().map(|file| (*file, facts.outline_once(*file))).collect();
        visit(&batch);
    }
}

/// The files of one language, and the source of their facts.
#[derive(Clone, Copy)]
pub struct LanguageFiles<'a> {
    pub files: &'a [(FileIndex, FileInput<'a>)],
    pub facts: &'a dyn FactSource,
}

impl<'a> LanguageFiles<'a> {
    /// Calls `visit` with each file that is selected and its outline, in order.
    pub fn each_outline(&self, mut visit: impl FnMut(FileIndex, &FileInput<'a>, &Outline)) {
        let mut inputs = self.files.iter().filter(|(file, _)| self.facts.is_selected(*file));
        each_outline(self.facts, self.files.iter().map(|(file, _)| *file), |file, outline| {
            if let Some((_, input)) = inputs.next() {
                visit(file, input, outline);
            }
        });
    }
}
