//! Changed lines of files, and the definitions of the base that the working tree does not have.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use super::{EngineError, source};
use crate::facts::Definition;
use crate::facts::Outline;
use crate::lang::language_of;
use crate::lang::parser::parse;
use crate::model::{Symbol, SymbolKind};
use crate::scan::changes::{CONFLICT, ChangedFile, DeletedFile, Difference, Hunk, difference};
use crate::store::Reader;

/// Limit of the text of the base that is parsed for one comparison.
const MAX_PARSED_BYTES: usize = 4 << 20;

/// A definition of the base that the working tree does not have where it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Removed {
    pub file: String,
    /// Its name, with those of the types around it.
    pub scoped: String,
    pub name: String,
    pub kind: SymbolKind,
    /// The file that has a new definition of this name and kind: it was moved.
    pub moved_to: Option<String>,
    /// Whether its whole file was deleted.
    pub is_with_file: bool,
}

/// The leavings of changed files: definitions, conflicts and paths that are no longer what they were.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Leavings {
    pub removed: Vec<Removed>,
    /// The files with the marks of a merge that is not finished.
    pub conflicts: Vec<String>,
    /// The renamed files, each with its path before.
    pub renamed: Vec<(String, String)>,
}

/// A comparison of files with their base. The text of the base is made from the present one and the hunks, and parsed.
struct Comparison<'r> {
    root: &'r Path,
    bytes_left: usize,
    leavings: Leavings,
    /// The files of new definitions, by name and kind.
    added: HashMap<(String, SymbolKind), String>,
}

/// The differences between a revision and the working tree of one repository.
#[derive(Debug, Default)]
pub struct BaseComparison {
    /// The changed files that can be indexed.
    pub(super) changed: HashSet<String>,
    /// Sorted.
    pub(super) deleted: Vec<String>,
    pub(super) leavings: Leavings,
    /// Whether the revision has so many entries that further deleted files were not searched for.
    pub(super) is_cut: bool,
    /// The submodules that can't be compared, each with the reason.
    pub(super) unknown: Vec<String>,
}

impl BaseComparison {
    /// Compares a repository with a revision. `visit` receives each changed file with its indexed symbols and its changed lines, of
    /// all of which not more than one file's are in memory.
    ///
    /// # Errors
    /// When the revision is unknown, git or the store can't be read, or `visit` fails.
    pub(super) fn new(
        root: &Path,
        reader: &Reader,
        base: &str,
        mut visit: impl FnMut(ChangedFile, &[Symbol], &[(u32, u32)]) -> Result<(), EngineError>,
    ) -> Result<BaseComparison, EngineError> {
        let Difference { changed: files, deleted, is_cut, unknown } = difference(root, base)?;
        let (mut comparison, mut changed) = (Comparison::new(root), HashSet::new());
        for file in files {
            let symbols = reader.symbols_of_file(&file.path)?;
            let lines = comparison.touch(&file, &symbols);
            changed.insert(file.path.clone());
            visit(file, &symbols, &lines)?;
        }
        deleted.iter().for_each(|file| comparison.delete(file));
        let deleted = deleted.into_iter().map(|file| file.path).collect();
        Ok(BaseComparison { changed, deleted, leavings: comparison.leavings(), is_cut, unknown })
    }
}

impl<'r> Comparison<'r> {
    fn new(root: &'r Path) -> Comparison<'r> {
        let (leavings, added) = (Leavings::default(), HashMap::new());
        Comparison { root, bytes_left: MAX_PARSED_BYTES, leavings, added }
    }

    /// Returns the first and last changed lines of a file, whose present symbols are given. Where lines were only removed between
    /// two definitions, the first is after the last. Of a base that is too large to be parsed no removed definitions are known.
    fn touch(&mut self, file: &ChangedFile, symbols: &[Symbol]) -> Vec<(u32, u32)> {
        let base = self.base(file);
        let definitions = base.as_ref().map_or(&[][..], |(outline, _)| &outline.definitions);
        let mut ranges = Vec::with_capacity(file.hunks.len());
        for (index, hunk) in file.hunks.iter().enumerate() {
            let first = base.as_ref().and_then(|(_, firsts)| firsts.get(index).copied());
            let is_end =
                hunk.lines == 0 && first.is_some_and(|first| is_end_of_definition(definitions, first, &hunk.removed));
            ranges.push(if is_end { (hunk.start - 1, hunk.start - 1) } else { hunk.range() });
        }
        self.note_added(file, symbols, &ranges, base.as_ref().map(|(outline, _)| outline));
        if let Some(from) = &file.renamed_from {
            self.leavings.renamed.push((from.clone(), file.path.clone()));
            self.leavings.removed.extend(moved(from, file, symbols));
        }
        if let Some((outline, _)) = base {
            let before = file.renamed_from.as_ref().unwrap_or(&file.path);
            self.leavings.removed.extend(removed(&outline, before, symbols, false));
        }
        if file.has_conflicts {
            self.leavings.conflicts.push(file.path.clone());
            ranges.extend(self.in_conflict(file, symbols));
        }
        ranges
    }

    /// Adds the definitions of a deleted file to the removed ones.
    fn delete(&mut self, file: &DeletedFile) {
        let Some(outline) = self.parsed(&file.path, &file.text) else { return };
        self.leavings.removed.extend(removed(&outline, &file.path, &[], true));
    }

    /// Returns what the files leave behind: a definition that is new in another place of the changes was moved there.
    fn leavings(self) -> Leavings {
        let Comparison { mut leavings, added, .. } = self;
        for one in leavings.removed.iter_mut().filter(|one| one.moved_to.is_none()) {
            one.moved_to = added.get(&(one.name.clone(), one.kind)).cloned();
        }
        // Limits leave out what was moved before what is gone.
        leavings.removed.sort_by_key(|one| one.moved_to.is_some());
        leavings
    }

    /// Keeps the definitions of a file that its base does not have.
    fn note_added(&mut self, file: &ChangedFile, symbols: &[Symbol], ranges: &[(u32, u32)], base: Option<&Outline>) {
        let known: HashSet<(String, &str)> = base.map_or_else(HashSet::new, |outline| {
            outline.definitions.iter().map(|definition| name_of(outline, definition)).collect()
        });
        let is_new = |symbol: &&Symbol| {
            let line = symbol.span.name_line;
            symbol.kind != SymbolKind::File
                && ranges.iter().any(|(first, last)| (*first..=*last).contains(&line))
                && !known.contains(&(symbol.scope.clone(), symbol.name.as_str()))
        };
        for symbol in symbols.iter().filter(is_new) {
            self.added.entry((symbol.name.clone(), symbol.kind)).or_insert_with(|| file.path.clone());
        }
    }

    /// Returns the lines of the names of the definitions around conflicts of a merge, which the marks hide from a parser: they are
    /// found in the text of one side.
    fn in_conflict(&mut self, file: &ChangedFile, symbols: &[Symbol]) -> Vec<(u32, u32)> {
        let Ok(present) = source::read(self.root, &file.path) else { return Vec::new() };
        let (text, ranges) = own_side(&present.text);
        let Some(outline) = self.parsed(&file.path, &text) else { return Vec::new() };
        let mut lines = Vec::new();
        for (first, last) in ranges {
            let around = (outline.definitions.iter())
                .filter(|one| one.span.start_line <= last && first <= one.span.end_line)
                .min_by_key(|one| one.span.end_byte - one.span.start_byte);
            let Some((scope, name)) = around.map(|around| name_of(&outline, around)) else { continue };
            let present = symbols.iter().find(|symbol| symbol.scope == scope && symbol.name == name);
            lines.extend(present.map(|symbol| (symbol.span.name_line, symbol.span.name_line)));
        }
        lines
    }

    /// Returns the outline of the base of a file, and the first line in it of each hunk.
    fn base(&mut self, file: &ChangedFile) -> Option<(Outline, Vec<u32>)> {
        language_of(&file.path)?;
        if file.hunks.iter().all(|hunk| hunk.removed.is_empty()) {
            return None;
        }
        let present = source::read(self.root, &file.path).ok()?.text;
        let (text, firsts) = base_text(&present, &file.hunks);
        Some((self.parsed(&file.path, &text)?, firsts))
    }

    /// Returns the outline of a text, while there is room for it.
    fn parsed(&mut self, path: &str, text: &str) -> Option<Outline> {
        let language = language_of(path)?;
        self.bytes_left = self.bytes_left.checked_sub(text.len())?;
        Some(parse(language, path, text.as_bytes()).ok()?.outline)
    }
}

/// Returns the text of the side of a merge that comes first, and the first and last line of each conflict in it; of one without
/// lines the line before.
fn own_side(text: &str) -> (String, Vec<(u32, u32)>) {
    let [begin, middle, end] = CONFLICT;
    let (mut own, mut ranges, mut first, mut is_other) = (Vec::new(), Vec::new(), None, false);
    for line in text.lines() {
        if line.starts_with(begin) && first.is_none() {
            first = Some(own.len() as u32 + 1);
        } else if let Some(start) = first {
            if line.starts_with(end) {
                let last = own.len() as u32;
                ranges.push((start.min(last), last));
                (first, is_other) = (None, false);
            } else if line.starts_with(middle) || line.starts_with("|||||||") {
                is_other = true;
            } else if !is_other {
                own.push(line);
            }
        } else {
            own.push(line);
        }
    }
    (own.join("\n") + "\n", ranges)
}

/// Returns the text of the base, and the first line in it of each hunk.
fn base_text(present: &str, hunks: &[Hunk]) -> (String, Vec<u32>) {
    let lines: Vec<&str> = present.lines().collect();
    let (mut base, mut firsts, mut next): (Vec<&str>, Vec<u32>, usize) = (Vec::new(), Vec::new(), 0);
    for hunk in hunks {
        let start = (hunk.start as usize).saturating_sub(1).clamp(next, lines.len().max(next));
        base.extend(lines.get(next..start).unwrap_or_default());
        firsts.push(base.len() as u32 + 1);
        base.extend(hunk.removed.iter().map(String::as_str));
        next = start + hunk.lines as usize;
    }
    base.extend(lines.get(next..).unwrap_or_default());
    (base.join("\n") + "\n", firsts)
}

/// Returns whether removed lines of the base, from `first` on, were the last ones of the definition that ends before them now.
fn is_end_of_definition(definitions: &[Definition], first: u32, removed: &[String]) -> bool {
    let blank = removed.iter().take_while(|line| line.trim().is_empty()).count();
    let line = first + blank as u32;
    let around =
        |line: u32| definitions.iter().filter(move |one| (one.span.start_line..=one.span.end_line).contains(&line));
    let innermost = around(first.saturating_sub(1)).min_by_key(|one| one.span.end_byte - one.span.start_byte);
    blank < removed.len() && innermost.is_some_and(|innermost| innermost.span.end_line >= line)
}

/// Returns the names of the types around a definition, and its own.
fn name_of<'o>(outline: &'o Outline, definition: &Definition) -> (String, &'o str) {
    let scope: Vec<&str> = definition.scope_names.iter().map(|name| outline.names.get(*name)).collect();
    (scope.join("."), outline.names.get(definition.name))
}

/// Returns the definitions that are not among the present symbols, without those of a definition that is gone, too.
fn removed(outline: &Outline, path: &str, symbols: &[Symbol], is_with_file: bool) -> Vec<Removed> {
    let known: HashSet<(&str, &str)> =
        symbols.iter().map(|symbol| (symbol.scope.as_str(), symbol.name.as_str())).collect();
    let is_gone = |definition: &Definition| {
        let (scope, name) = name_of(outline, definition);
        !known.contains(&(scope.as_str(), name))
    };
    let parent = |definition: &Definition| definition.parent.and_then(|parent| outline.definitions.get(parent.index()));
    let gone = outline.definitions.iter().filter(|one| is_gone(one) && !parent(one).is_some_and(is_gone));
    let mut listed = HashSet::new();
    gone.filter(|one| listed.insert(name_of(outline, one)))
        .map(|definition| {
            let (scope, name) = name_of(outline, definition);
            let scoped = if scope.is_empty() { name.to_owned() } else { format!("{scope}.{name}") };
            let (file, name, kind) = (path.to_owned(), name.to_owned(), definition.kind);
            Removed { file, scoped, name, kind, moved_to: None, is_with_file }
        })
        .collect()
}

/// Returns the definitions at the top of a renamed file, which code that names the old path does not find.
fn moved(from: &str, file: &ChangedFile, symbols: &[Symbol]) -> Vec<Removed> {
    let is_top = |symbol: &&Symbol| symbol.scope.is_empty() && symbol.kind != SymbolKind::File;
    let moved = symbols.iter().filter(is_top).map(|symbol| Removed {
        file: from.to_owned(),
        scoped: symbol.name.clone(),
        name: symbol.name.clone(),
        kind: symbol.kind,
        moved_to: Some(file.path.clone()),
        is_with_file: false,
    });
    moved.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_base_is_made_from_the_present_text() {
        let hunk = |start, lines, removed: &[&str]| Hunk {
            start,
            lines,
            removed: removed.iter().map(|line| (*line).to_owned()).collect(),
        };
        let hunks = [hunk(2, 1, &["x"]), hunk(4, 0, &["y", "z"])];
        assert_eq!(base_text("a\nb\nc\n", &hunks), ("a\nx\nc\ny\nz\n".to_owned(), vec![2, 4]));
        assert_eq!(base_text("", &[hunk(1, 0, &["x"])]), ("x\n".to_owned(), vec![1]));
        assert_eq!(base_text("a\n", &[hunk(9, 4, &["x"])]), ("a\nx\n".to_owned(), vec![2]), "a hunk of another text");
    }

    #[test]
    fn one_side_of_a_merge_is_a_text_without_marks() {
        let text = "a\n<<<<<<< HEAD\nb\nc\n||||||| base\nx\n=======\ny\n>>>>>>> other\nd\n<<<<<<< HEAD\n=======\nz\n>>>>>>> o\n";
        assert_eq!(own_side(text), ("a\nb\nc\nd\n".to_owned(), vec![(2, 3), (4, 4)]));
    }
}
