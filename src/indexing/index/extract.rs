//! Reads and parses files in parallel.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::checkout::ChangedFile;
use super::held::Held;
use super::memory::Memory;
use super::report::{Listener, Phase, Progress};
use super::rows;
use super::texts::FileTexts;
use crate::documents::notebook;
use crate::facts::{Code, Outline};
use crate::lang::parser::{ParseProblem, parse};
use crate::lang::{Language, language_named};
use crate::model::FileId;
use crate::scan::discover::RACY_NS;
use crate::scan::exclude::by_content;
use crate::scan::{Content, Repository, SkipReason};
use crate::store::{FileRow, SkipRow};

/// The facts of a file parsed in this run.
pub(super) struct ParsedFile {
    /// The id of a new file is assigned later.
    pub(super) row: FileRow,
    pub(super) is_new: bool,
    /// The language of the stored facts, which can be another one: the text decides for some names of files.
    pub(super) stored_language: Option<&'static Language>,
    pub(super) language: &'static Language,
    /// Without doc comments, which are in `texts`.
    pub(super) outline: Held<Outline>,
    /// Number of its definitions.
    pub(super) definitions: usize,
    pub(super) code: Held<Code>,
    pub(super) texts: Held<FileTexts>,
}

/// The result of reading a file.
pub(super) enum Outcome {
    Parsed(Box<ParsedFile>),
    /// Only size or time changed, not the content.
    Touched(FileRow, &'static Language),
    /// The file is skipped; its row, if it has one, must be deleted.
    Skipped(SkipRow, Option<FileRow>),
}

/// Reads and parses files; returns one outcome for each, in order. `started_ns` is the start of the run.
pub(super) fn extract(
    repository: &Repository,
    changed: Vec<ChangedFile>,
    started_ns: i64,
    (memory, listener): (&Memory, &dyn Listener),
) -> Vec<Outcome> {
    let total = changed.len();
    let done = AtomicUsize::new(0);
    changed
        .into_par_iter()
        .map(|file| {
            let outcome = extract_one(repository, file, started_ns, (memory, listener));
            listener.progress(Progress { phase: Phase::Parse, done: done.fetch_add(1, Ordering::Relaxed) + 1, total });
            outcome
        })
        .collect()
}

fn extract_one(
    repository: &Repository,
    file: ChangedFile,
    started_ns: i64,
    (memory, listener): (&Memory, &dyn Listener),
) -> Outcome {
    let ChangedFile { found, stored } = file;
    // A file modified this recently may change again within the clock's resolution, so its time is not trusted.
    let mtime_ns = if found.mtime_ns.saturating_add(RACY_NS) >= started_ns { 0 } else { found.mtime_ns };
    let skipped = |reason: SkipReason, stored: Option<FileRow>| {
        let mtime_ns = if reason.is_transient() { 0 } else { mtime_ns };
        let reason = reason.name().to_owned();
        Outcome::Skipped(SkipRow { path: found.path.clone(), reason, size: found.size, mtime_ns }, stored)
    };
    let content = crate::scan::read(&repository.root, &found.path).and_then(|content| {
        // The results of a notebook are not code, and have lines of any length.
        let text = notebook::code(&found.path, &content.text).unwrap_or(content.text);
        let content = Content { text, ..content };
        // What the settings include is read whatever its content is.
        if found.is_included { Ok(content) } else { by_content(&content.text).map(|()| content) }
    });
    let content = match content {
        Ok(content) => content,
        Err(reason) => return skipped(reason, stored),
    };
    let row = FileRow {
        id: stored.as_ref().map_or(FileId::NONE, |row| row.id),
        path: found.path.clone(),
        language: found.language.name.to_owned(),
        size: found.size,
        mtime_ns,
        content_hash: content.hash,
    };
    if stored.as_ref().is_some_and(|stored| stored.content_hash == row.content_hash && stored.language == row.language)
    {
        return Outcome::Touched(row, found.language);
    }
    // Extraction must not panic. If it does on a hostile file, only that file is skipped.
    let parsed = catch_unwind(AssertUnwindSafe(|| parse(found.language, &found.path, content.text.as_bytes())));
    match parsed {
        Err(_) => skipped(SkipReason::Unparsable, stored),
        Ok(Err(ParseProblem::TooDeep)) => skipped(SkipReason::DeepSyntax, stored),
        Ok(Err(ParseProblem::NoCode)) => skipped(SkipReason::NoCode, stored),
        Ok(Err(ParseProblem::NoTree)) => skipped(SkipReason::Unparsable, stored),
        Ok(Ok(facts)) => {
            let (mut outline, code) = (facts.outline, facts.code);
            let docs = outline.definitions.iter_mut().map(|definition| std::mem::take(&mut definition.doc)).collect();
            let texts = FileTexts { file_doc: std::mem::take(&mut outline.doc), docs, bodies: facts.texts.bodies };
            let is_new = stored.is_none();
            let stored_language = stored.and_then(|stored| language_named(&stored.language));
            listener.parsed(&|| rows::symbols(&row, &outline, &repository.id));
            let definitions = outline.definitions.len();
            let is_plain = memory.admits_outline(outline.bytes());
            let outline = Held::new(outline, &row.path, is_plain);
            let is_plain = memory.admits_parsed(row.size);
            let (code, texts) = (Held::new(code, &row.path, is_plain), Held::new(texts, &row.path, is_plain));
            let language = found.language;
            let facts = ParsedFile { row, is_new, stored_language, language, outline, definitions, code, texts };
            Outcome::Parsed(Box::new(facts))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::memory::Budget;
    use crate::scan::discover::DiscoveredFile;

    #[test]
    fn failed_reads_are_retried() {
        let folder = tempfile::tempdir().unwrap();
        let repository = Repository { root: folder.path().to_owned(), id: "r".to_owned() };
        let language = crate::lang::language_of("a.py").unwrap();
        let found = DiscoveredFile { path: "a.py".to_owned(), language, size: 3, mtime_ns: 5, is_included: false };
        let changed = || vec![ChangedFile { found: found.clone(), stored: None }];
        let mtime = |outcomes: &[Outcome]| match outcomes {
            [Outcome::Skipped(skip, None)] => (skip.reason.clone(), skip.mtime_ns),
            _ => panic!("one file is left out"),
        };
        let memory = Memory::new(Budget::new(None, 0));
        let outcomes = extract(&repository, changed(), i64::MAX / 2, (&memory, &|_: Progress| {}));
        assert_eq!(mtime(&outcomes), ("unreadable".to_owned(), 0));
        std::fs::write(folder.path().join("a.py"), "\0".repeat(99)).unwrap();
        let memory = Memory::new(Budget::new(None, 0));
        let outcomes = extract(&repository, changed(), i64::MAX / 2, (&memory, &|_: Progress| {}));
        assert_eq!(mtime(&outcomes), ("binary".to_owned(), 5), "unreadable content is not retried");
    }
}
