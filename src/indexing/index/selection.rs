//! Which files the tables of an update need.
//!
//! # Why
//!
//! The tables over all files of Linux take seven seconds and a gigabyte, and after an edit of a function's body a few thousand names
//! are asked for. Resolving a file depends on the meaning of the names that it mentions and of those that are looked up for it, which
//! the evaluator records (see [`affected`](super::affected)). So what other files define matters only where it gives a meaning to
//! one of these. The index has the files by the names of what they define. Files that define a name which the last
//! resolution asked for are selected first; when resolution asks for more names, the files that define those are added, and the
//! tables are built again.
//!
//! That holds where names and the files that a file reaches are all by which definitions are found: in languages whose files
//! include the texts of others (C), and which have no glob imports. There files with extension blocks are always selected. Another
//! language is selected as a whole if one of its files has an extension block, or if it declares services; otherwise no file of it.

use std::collections::{BTreeSet, HashMap};

use parking_lot::Mutex;
use rayon::ThreadPool;
use rustc_hash::{FxHashMap, FxHashSet};

use super::affected::{any_name, looked_up, shares_modules, short_hash};
use super::file_set::{Entry, FileSet};
use crate::facts::{NameKey, name_key};
use crate::lang::Language;
use crate::model::{FileId, FileIndex};
use crate::resolve::input::{FactSource, FileInput, LanguageFiles};
use crate::resolve::named::text_key;
use crate::store::{DEFINED, Reader, StoreError};

/// Limit of the files that are resolved: each round resolves them all.
pub(super) const MAX_RESOLVED: usize = 64;

/// Limit of the rounds: each builds the tables again. A name that leads to another over many files takes as many.
const MAX_ROUNDS: u32 = 8;

/// All files are selected if these are more than one of so many.
const MIN_SHARE: usize = 4;

/// The files of the repository, and their facts.
type Facts<'a> = (&'a FileSet, &'a dyn FactSource);

/// The files whose definitions an update needs.
pub(super) struct Selection<'a> {
    /// Reads which files define a name.
    reader: &'a Mutex<Reader>,
    by_id: FxHashMap<FileId, FileIndex>,
    /// The files by the hashes of the keys of their texts.
    by_text: FxHashMap<u32, Vec<FileIndex>>,
    /// Hashes of the names that resolution asks for.
    asked: FxHashSet<u32>,
    selected: Vec<bool>,
    /// The files whose texts those have that were asked for.
    reached: Vec<bool>,
    /// Number of the times that names were added.
    rounds: u32,
}

/// The effect of what resolution asks for on a selection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Growth {
    /// It asks for nothing that other files define.
    Complete,
    /// More files are selected.
    More,
    /// Too many files would be selected, or too many rounds are needed.
    TooMany,
}

impl<'a> Selection<'a> {
    /// Selects the files that define what these files mention, or looked up last time, and those whose texts they have; `None` if
    /// all files are needed.
    pub(super) fn new(
        facts: Facts<'_>,
        resolved: &[FileIndex],
        reader: &'a Mutex<Reader>,
        pool: &ThreadPool,
    ) -> Result<Option<Selection<'a>>, StoreError> {
        let entries = &facts.0.entries;
        let are_found_by_name = |file: &FileIndex| includes_texts(entries[file.index()].language);
        if resolved.len() > MAX_RESOLVED || !resolved.iter().all(are_found_by_name) {
            return Ok(None);
        }
        let by_id: FxHashMap<FileId, FileIndex> =
            FileIndex::sequence().zip(entries).map(|(file, entry)| (entry.row.id, file)).collect();
        let (mut selected, reached) = (vec![false; entries.len()], vec![false; entries.len()]);
        resolved.iter().for_each(|file| selected[file.index()] = true);
        let mut by_text: FxHashMap<u32, Vec<FileIndex>> = FxHashMap::default();
        for (file, entry) in FileIndex::sequence().zip(entries) {
            by_text.entry(short_hash(text_key(&entry.row.path))).or_default().push(file);
        }
        let mut selection =
            Selection { reader, by_id, by_text, asked: FxHashSet::default(), selected, reached, rounds: 0 };
        pool.install(|| selection.select_defining(&[short_hash(any_name())]))?;
        selection.select_languages(entries);
        if selection.is_too_large() {
            return Ok(None);
        }
        let mut asked: FxHashSet<u32> = FxHashSet::default();
        for (file, entry) in FileIndex::sequence().zip(entries) {
            // What extension blocks extend is evaluated for all of them, nothing for other files that are not resolved.
            if selection.selected[file.index()] && includes_texts(entry.language) {
                asked.extend(facts.1.outline(file).names.iter().map(|name| short_hash(name_key(name))));
            }
        }
        for file in resolved {
            let row = &entries[file.index()].row;
            asked.insert(short_hash(text_key(&row.path)));
            asked.extend(looked_up(&reader.lock(), row.id)?);
        }
        let growth = pool.install(|| selection.ask(asked, facts))?;
        Ok((growth != Growth::TooMany).then_some(selection))
    }

    /// Selects all files of the languages that are not found by name alone, if a file of theirs is selected or has services.
    fn select_languages(&mut self, entries: &[Entry]) {
        let is_needed = |(entry, is_selected): &(&Entry, &bool)| {
            !includes_texts(entry.language) && (**is_selected || entry.language.rules.traits().has_services)
        };
        let needed = entries.iter().zip(&self.selected).filter(is_needed);
        let needed: BTreeSet<&str> = needed.map(|(entry, _)| entry.language.name).collect();
        for (entry, is_selected) in entries.iter().zip(&mut self.selected) {
            *is_selected |= shares_modules(entry.language, &needed);
        }
    }

    /// Selects the files that define names of these hashes, which are sorted, and returns whether that adds any.
    fn select_defining(&mut self, hashes: &[u32]) -> Result<bool, StoreError> {
        let mut is_more = false;
        for name in self.reader.lock().files_with_names(hashes)? {
            if name.value & DEFINED != 0
                && let Some(file) = self.by_id.get(&name.file)
            {
                is_more |= !std::mem::replace(&mut self.selected[file.index()], true);
            }
        }
        Ok(is_more)
    }

    /// Returns the selected files, by the index in the set.
    pub(super) fn files(&self) -> Vec<bool> {
        self.selected.clone()
    }

    /// Adds the files that give a meaning to names.
    pub(super) fn add(&mut self, names: impl Iterator<Item = NameKey>, facts: Facts<'_>) -> Result<Growth, StoreError> {
        self.ask(names.map(short_hash).collect(), facts)
    }

    fn ask(&mut self, mut new: FxHashSet<u32>, facts: Facts<'_>) -> Result<Growth, StoreError> {
        new.retain(|name| self.asked.insert(*name));
        // What has no name is not found by one.
        new.remove(&short_hash(any_name()));
        let mut sorted: Vec<u32> = new.into_iter().collect();
        sorted.sort_unstable();
        let of_texts = sorted.iter().filter_map(|name| self.by_text.get(name)).flatten().copied();
        // What these reach was reached with them.
        let reaching: Vec<FileIndex> = of_texts.filter(|file| !self.reached[file.index()]).collect();
        let mut is_more = self.select_defining(&sorted)?;
        for file in reached(reaching, facts) {
            self.reached[file.index()] = true;
            is_more |= !std::mem::replace(&mut self.selected[file.index()], true);
        }
        self.rounds += 1;
        Ok(match is_more {
            false => Growth::Complete,
            true if self.is_too_large() || self.rounds > MAX_ROUNDS => Growth::TooMany,
            true => Growth::More,
        })
    }

    fn is_too_large(&self) -> bool {
        self.selected.iter().filter(|is_selected| **is_selected).count() * MIN_SHARE > self.selected.len()
    }
}

/// Returns whether names and includes are all by which most files of a language find what others define.
pub(super) fn includes_texts(language: &Language) -> bool {
    language.rules.traits().includes_texts
}

/// Returns the files whose texts these have.
fn reached(from: Vec<FileIndex>, (file_set, facts): Facts<'_>) -> Vec<FileIndex> {
    let mut by_language: HashMap<&str, Vec<FileIndex>> = HashMap::new();
    for file in from {
        by_language.entry(file_set.entries[file.index()].language.name).or_default().push(file);
    }
    let mut reached = Vec::new();
    for (language, from) in by_language {
        let numbered = FileIndex::sequence().zip(file_set.inputs());
        let files: Vec<(FileIndex, FileInput<'_>)> = numbered.filter(|(_, file)| file.language == language).collect();
        let rules = file_set.entries[from[0].index()].language.rules;
        reached.extend(rules.texts_of(LanguageFiles { files: &files, facts }, &from));
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::super::checkout::UnchangedFile;
    use super::super::lazy_facts::LazyFacts;
    use super::super::memory::{Budget, Memory};
    use super::super::{IndexOptions, index};
    use super::*;
    use crate::lang::language_named;

    /// Files beside the project that has something to do with the resolved one.
    const APART: usize = 40;

    /// Indexes a project, and returns what is selected for the resolution of its first file: without the unrelated files.
    fn selected(project: &[(&str, &str)]) -> Option<Vec<String>> {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("graph.db");
        let root = folder.path().join("repo");
        let apart = (0..APART).map(|number| (format!("apart/{number}.c"), format!("int apart_{number};\n")));
        for (path, text) in project.iter().map(|(path, text)| (path.to_string(), text.to_string())).chain(apart) {
            std::fs::create_dir_all(root.join(&path).parent().unwrap()).unwrap();
            std::fs::write(root.join(&path), text).unwrap();
        }
        let options = IndexOptions { database: Some(database.clone()), ..IndexOptions::default() };
        index(&root, &options, &|_| {}).unwrap();
        let reader = Reader::open(&database).unwrap();
        let unchanged = |row: crate::store::FileRow| {
            let language = language_named(&row.language).unwrap();
            UnchangedFile { row, language }
        };
        let files = reader.files().unwrap().into_iter().map(unchanged).collect();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let file_set = FileSet::unloaded(Vec::new(), files, &Memory::new(Budget::new(None, 0)));
        let path = |file: FileIndex| file_set.entries[file.index()].row.path.as_str();
        let resolved: Vec<FileIndex> = file_set.numbers().filter(|file| path(*file) == project[0].0).collect();
        let code_reader = Mutex::new(Reader::open(&database).unwrap());
        let facts = LazyFacts::new(&file_set, Some(&code_reader));
        let selection = Selection::new((&file_set, &facts), &resolved, &code_reader, &pool).unwrap()?;
        assert!(facts.into_error().is_none());
        let numbered = file_set.numbers().zip(selection.files());
        Some(numbered.filter(|(_, is_selected)| *is_selected).map(|(file, _)| path(file).to_owned()).collect())
    }

    #[test]
    fn files_are_selected_by_what_they_define_and_include_and_languages_by_their_blocks() {
        let project = [
            ("main.c", "#include \"a.h\"\nint main(void) { return make()->size + other(1); }\n"),
            ("a.h", "#include \"b.h\"\nstruct item *make(void);\n"),
            ("b.h", "#include \"empty.h\"\n"),
            ("empty.h", "\n"),
            ("item.h", "struct item { struct part *size; };\n"),
            ("make.c", "struct item *make(void) { return 0; }\n"),
            ("apart.rs", "struct Item;\nimpl Item { fn make() {} }\n"),
            ("beside.rs", "fn beside() {}\n"),
            ("run.sh", "make() { echo 1; }\n"),
            ("same.c", "int same(void) { return make_it(); }\n"),
            ("unasked.h", "struct apart { int size; };\n"),
        ];
        let expected = ["a.h", "apart.rs", "b.h", "beside.rs", "empty.h", "item.h", "main.c", "make.c"];
        assert_eq!(selected(&project).unwrap(), expected);
    }

    #[test]
    fn extension_blocks_ask_for_what_they_extend() {
        let project = [
            ("main.c", "int main(void) { return 0; }\n"),
            ("box.h", "class Box { public: int size(); };\n"),
            ("box.cpp", "#include \"box.h\"\nint Box::size() { return 1; }\n"),
        ];
        assert_eq!(selected(&project).unwrap(), ["box.cpp", "box.h", "main.c"]);
    }

    #[test]
    fn nothing_is_selected_where_names_are_not_all_or_files_are_too_many() {
        assert_eq!(selected(&[("main.py", "def main(): pass\n")]), None);
        let text = |n: usize| (format!("f{n}.c"), format!("int f{n}(void) {{ return 0; }}\n"));
        let callers: Vec<(String, String)> = (0..APART).map(text).collect();
        let main: String = (0..APART).map(|n| format!("f{n}();")).collect();
        let main = format!("void main(void) {{ {main} }}\n");
        let mut project = vec![("main.c", main.as_str())];
        project.extend(callers.iter().map(|(path, text)| (path.as_str(), text.as_str())));
        assert_eq!(selected(&project), None);
    }
}
