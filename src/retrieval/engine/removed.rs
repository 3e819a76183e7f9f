//! Changed lines of files, and the definitions of the base that the working tree does not have.

use std::collections::HashSet;
use std::path::Path;

use super::source;
use crate::facts::Definition;
use crate::facts::Outline;
use crate::lang::language_of;
use crate::lang::parser::parse;
use crate::model::{Symbol, SymbolKind};
use crate::scan::changes::{ChangedFile, Hunk};

/// Limit of the text of the base that is parsed for one comparison.
const MAX_PARSED_BYTES: usize = 4 << 20;

/// A definition of the base that the working tree does not have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Removed {
    pub file: String,
    /// Its name, with those of the types around it.
    pub scoped: String,
    pub name: String,
    pub kind: SymbolKind,
}

/// The changed part of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Touch {
    /// First and last changed lines of the present state. Where lines were only removed between two definitions, the first is
    /// after the last.
    pub ranges: Vec<(u32, u32)>,
    pub removed: Vec<Removed>,
}

/// A comparison of files with their base. The text of the base is made from the present one and the hunks, and parsed.
pub(super) struct Comparison<'r> {
    root: &'r Path,
    bytes_left: usize,
}

impl<'r> Comparison<'r> {
    pub(super) fn new(root: &'r Path) -> Comparison<'r> {
        Comparison { root, bytes_left: MAX_PARSED_BYTES }
    }

    /// Returns what changed of a file, whose present symbols are given. Of a base that is too large to be parsed no removed
    /// definitions are known.
    pub(super) fn touch(&mut self, file: &ChangedFile, symbols: &[Symbol]) -> Touch {
        let base = self.base(file);
        let definitions = base.as_ref().map_or(&[][..], |(outline, _)| &outline.definitions);
        let mut ranges = Vec::with_capacity(file.hunks.len());
        for (index, hunk) in file.hunks.iter().enumerate() {
            let first = base.as_ref().and_then(|(_, firsts)| firsts.get(index).copied());
            let is_end =
                hunk.lines == 0 && first.is_some_and(|first| is_end_of_definition(definitions, first, &hunk.removed));
            ranges.push(if is_end { (hunk.start - 1, hunk.start - 1) } else { hunk.range() });
        }
        let removed = base.as_ref().map_or_else(Vec::new, |(outline, _)| removed(outline, &file.path, symbols));
        Touch { ranges, removed }
    }

    /// Returns the outline of the base of a file, and the first line in it of each hunk.
    fn base(&mut self, file: &ChangedFile) -> Option<(Outline, Vec<u32>)> {
        let language = language_of(&file.path)?;
        if file.hunks.iter().all(|hunk| hunk.removed.is_empty()) {
            return None;
        }
        let present = source::read(self.root, &file.path).ok()?.text;
        let (text, firsts) = base_text(&present, &file.hunks);
        self.bytes_left = self.bytes_left.checked_sub(text.len())?;
        Some((parse(language, &file.path, text.as_bytes()).ok()?.outline, firsts))
    }
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

/// Returns the definitions that are not among the present symbols, without those of a definition that is gone, too.
fn removed(outline: &Outline, path: &str, symbols: &[Symbol]) -> Vec<Removed> {
    let known: HashSet<(&str, &str)> =
        symbols.iter().map(|symbol| (symbol.scope.as_str(), symbol.name.as_str())).collect();
    let name_of = |definition: &Definition| {
        let scope: Vec<&str> = definition.scope_names.iter().map(|name| outline.names.get(*name)).collect();
        (scope.join("."), outline.names.get(definition.name))
    };
    let is_gone = |definition: &Definition| {
        let (scope, name) = name_of(definition);
        !known.contains(&(scope.as_str(), name))
    };
    let parent = |definition: &Definition| definition.parent.and_then(|parent| outline.definitions.get(parent.index()));
    let gone = outline.definitions.iter().filter(|one| is_gone(one) && !parent(one).is_some_and(is_gone));
    let mut listed = HashSet::new();
    gone.filter(|one| listed.insert(name_of(one)))
        .map(|definition| {
            let (scope, name) = name_of(definition);
            let scoped = if scope.is_empty() { name.to_owned() } else { format!("{scope}.{name}") };
            Removed { file: path.to_owned(), scoped, name: name.to_owned(), kind: definition.kind }
        })
        .collect()
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
}
