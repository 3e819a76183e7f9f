//! Reads and parses files, in parallel.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::plan::Candidate;
use super::report::{Listener, Phase, Progress};
use super::rows;
use crate::facts::{Code, Outline};
use crate::lang::Language;
use crate::lang::parser::{ParseProblem, parse};
use crate::scan::discover::RACY_NS;
use crate::scan::{Repository, SkipReason};
use crate::store::{FileRow, SkipRow};

/// The words of a file: what only search and display read, kept apart from what resolution reads.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct FileTexts {
    pub(super) file_doc: String,
    /// Of each definition.
    pub(super) docs: Vec<String>,
    /// Of each definition.
    pub(super) bodies: Vec<String>,
}

/// A file that was parsed.
pub(super) struct Parsed {
    /// Its row; the id is given later when the file is new.
    pub(super) row: FileRow,
    pub(super) is_new: bool,
    pub(super) language: &'static Language,
    /// Without docs, which are in `texts`.
    pub(super) outline: Outline,
    pub(super) code: Code,
    pub(super) texts: FileTexts,
}

/// What became of a candidate.
pub(super) enum Outcome {
    Parsed(Box<Parsed>),
    /// Its content is as the store knows it; only size or time differ.
    Touched(FileRow, &'static Language),
    /// It is left out; a row of the store has to go.
    Skipped(SkipRow, Option<FileRow>),
}

/// Reads and parses the candidates; one outcome each, in their order. `started_ns` is when the run began.
pub(super) fn extract(
    repository: &Repository,
    candidates: Vec<Candidate>,
    started_ns: i64,
    listener: &dyn Listener,
) -> Vec<Outcome> {
    let total = candidates.len();
    let done = AtomicUsize::new(0);
    candidates
        .into_par_iter()
        .map(|candidate| {
            let outcome = extract_one(&repository.root, candidate, started_ns);
            if let Outcome::Parsed(parsed) = &outcome {
                listener.parsed(&|| rows::symbols(&parsed.row, &parsed.outline, &repository.id));
            }
            listener.progress(Progress { phase: Phase::Parse, done: done.fetch_add(1, Ordering::Relaxed) + 1, total });
            outcome
        })
        .collect()
}

fn extract_one(root: &Path, candidate: Candidate, started_ns: i64) -> Outcome {
    let Candidate { found, known } = candidate;
    // A file that changed this very moment may change again without showing it: its time is not trusted.
    let mtime_ns = if found.mtime_ns.saturating_add(RACY_NS) >= started_ns { 0 } else { found.mtime_ns };
    let skipped = |reason: SkipReason, known: Option<FileRow>| {
        let mtime_ns = if reason.is_transient() { 0 } else { mtime_ns };
        let reason = reason.name().to_owned();
        Outcome::Skipped(SkipRow { path: found.path.clone(), reason, size: found.size, mtime_ns }, known)
    };
    let content = match crate::scan::read(root, &found.path) {
        Ok(content) => content,
        Err(reason) => return skipped(reason, known),
    };
    let row = FileRow {
        id: known.as_ref().map_or(0, |row| row.id),
        path: found.path.clone(),
        language: found.language.name.to_owned(),
        size: found.size,
        mtime_ns,
        content_hash: content.hash,
    };
    if known.as_ref().is_some_and(|known| known.content_hash == row.content_hash && known.language == row.language) {
        return Outcome::Touched(row, found.language);
    }
    // Extraction must not panic; should it do so on some hostile file, only that file is left out.
    let parsed = catch_unwind(AssertUnwindSafe(|| parse(found.language, &found.path, content.text.as_bytes())));
    match parsed {
        Err(_) => skipped(SkipReason::Unparsable, known),
        Ok(Err(ParseProblem::TooDeep)) => skipped(SkipReason::DeepSyntax, known),
        Ok(Err(ParseProblem::NoTree)) => skipped(SkipReason::Unparsable, known),
        Ok(Ok(facts)) => {
            let (mut outline, code) = (facts.outline, facts.code);
            let docs = outline.definitions.iter_mut().map(|definition| std::mem::take(&mut definition.doc)).collect();
            let texts = FileTexts { file_doc: std::mem::take(&mut outline.doc), docs, bodies: facts.texts.bodies };
            let is_new = known.is_none();
            Outcome::Parsed(Box::new(Parsed { row, is_new, language: found.language, outline, code, texts }))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::discover::DiscoveredFile;

    #[test]
    fn a_reading_that_failed_is_tried_again() {
        let folder = tempfile::tempdir().unwrap();
        let repository = Repository { root: folder.path().to_owned(), id: "r".to_owned() };
        let language = crate::lang::language_of("a.py").unwrap();
        let found = DiscoveredFile { path: "a.py".to_owned(), language, size: 3, mtime_ns: 5 };
        let candidates = || vec![Candidate { found: found.clone(), known: None }];
        let mtime = |outcomes: &[Outcome]| match outcomes {
            [Outcome::Skipped(skip, None)] => (skip.reason.clone(), skip.mtime_ns),
            _ => panic!("one file is left out"),
        };
        let outcomes = extract(&repository, candidates(), i64::MAX / 2, &|_| {});
        assert_eq!(mtime(&outcomes), ("unreadable".to_owned(), 0));
        std::fs::write(folder.path().join("a.py"), "a\0b").unwrap();
        let outcomes = extract(&repository, candidates(), i64::MAX / 2, &|_| {});
        assert_eq!(mtime(&outcomes), ("binary".to_owned(), 5), "the content stays what it is");
    }
}
