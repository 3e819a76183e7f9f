//! Parses source text with tree-sitter and extracts its facts.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeSet, HashSet};

use crate::documents::notebook;
use crate::facts::{FileFacts, NameKey, name_key};
use crate::lang::{Language, SourceFile, gates, templates};
use crate::text::file_name;

/// Maximum depth of a syntax tree. Walkers recurse, so this bounds their stack; real code stays below 200.
pub const MAX_DEPTH: usize = 1_000;

/// The reason why a file has no facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParseProblem {
    /// The syntax tree is deeper than [`MAX_DEPTH`].
    TooDeep,
    /// tree-sitter returned no tree.
    NoTree,
    /// A page without scripts.
    NoCode,
}

thread_local! {
    // Parsers are expensive to create and can be reused for any grammar, but not shared by threads.
    static PARSER: RefCell<tree_sitter::Parser> = RefCell::new(tree_sitter::Parser::new());
}

/// Parses `bytes` and extracts the facts. Invalid UTF-8 is replaced; byte offsets refer to the text after replacement.
///
/// # Errors
/// When the file cannot be parsed at all. Syntax errors are not errors.
pub fn parse(language: &Language, path: &str, bytes: &[u8]) -> Result<FileFacts, ParseProblem> {
    let text = String::from_utf8_lossy(bytes);
    let text = notebook::code(path, &text).map_or(text, Cow::Owned);
    let masked = (language.masked)(path, &text);
    if masked.as_ref().is_some_and(|masked| masked.trim().is_empty()) {
        return Err(ParseProblem::NoCode);
    }
    let tree = tree_of(language, path, masked.as_deref().unwrap_or(&text)).ok_or(ParseProblem::NoTree)?;
    if depth_exceeds(&tree, MAX_DEPTH) {
        return Err(ParseProblem::TooDeep);
    }
    let file = SourceFile { path, text: &text, tree: &tree };
    let mut facts = (language.extract)(&file);
    facts.outline.unparsed = unparsed(&tree, &text, &facts);
    facts.outline.unparsed_names = names_on(&facts.outline.unparsed, &text);
    gates::add(&mut facts, &file, (language.gates)(&file));
    templates::add(&mut facts, &file);
    Ok(facts)
}

/// Parses a file and returns only its syntax tree; the benchmarks use it as the lower bound of indexing time.
pub fn syntax_tree(language: &Language, path: &str, text: &str) -> Option<tree_sitter::Tree> {
    let masked = (language.masked)(path, text);
    tree_of(language, path, masked.as_deref().unwrap_or(text))
}

/// Returns the first and last lines of the syntax errors of a text, in order.
pub fn syntax_errors(language: &Language, path: &str, text: &str) -> Vec<(u32, u32)> {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for line in syntax_tree(language, path, text).iter().flat_map(error_lines) {
        let line = u32::try_from(line).unwrap_or(u32::MAX);
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == line => *last = line,
            _ => runs.push((line, line)),
        }
    }
    runs
}

/// Returns the syntax tree of a text that the grammar can read.
fn tree_of(language: &Language, path: &str, text: &str) -> Option<tree_sitter::Tree> {
    let extension = file_name(path).rsplit_once('.').map_or("", |(_, extension)| extension);
    PARSER.with_borrow_mut(|parser| {
        parser.reset();
        parser.set_language(&(language.grammar)(extension)).ok()?;
        parser.parse(text, None)
    })
}

/// Returns whether a tree is deeper than a limit. A subtree is at most as deep as it has nodes, so that few are visited.
fn depth_exceeds(tree: &tree_sitter::Tree, limit: usize) -> bool {
    let mut cursor = tree.walk();
    let mut depth = 0;
    loop {
        if depth + cursor.node().descendant_count() > limit && cursor.goto_first_child() {
            depth += 1;
            if depth > limit {
                return true;
            }
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return false;
            }
            depth -= 1;
        }
    }
}

/// Returns the runs of lines in syntax errors on which extraction found neither a definition nor a reference.
fn unparsed(tree: &tree_sitter::Tree, text: &str, facts: &FileFacts) -> Vec<(u32, u32)> {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    let lines = error_lines(tree);
    if lines.is_empty() {
        return runs;
    }
    let starts: Vec<usize> = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
    let line_of = |position: u32| starts.partition_point(|start| *start <= position as usize);
    let mut read: HashSet<usize> = facts.code.references.iter().map(|reference| line_of(reference.position)).collect();
    read.extend(facts.outline.definitions.iter().map(|definition| definition.span.name_line as usize));
    let is_blank = |line: usize| {
        let end = starts.get(line).copied().unwrap_or(text.len());
        text.get(starts[line - 1]..end).is_none_or(|line| !line.contains(char::is_alphanumeric))
    };
    for line in lines.into_iter().filter(|line| *line <= starts.len() && !read.contains(line) && !is_blank(*line)) {
        let line = u32::try_from(line).unwrap_or(u32::MAX);
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == line => *last = line,
            _ => runs.push((line, line)),
        }
    }
    runs
}

/// Returns the keys of the words on lines, sorted.
fn names_on(runs: &[(u32, u32)], text: &str) -> Vec<NameKey> {
    let (mut names, mut runs, mut number) = (BTreeSet::new(), runs.iter().peekable(), 0_u32);
    for line in text.split('\n') {
        number += 1;
        while runs.next_if(|(_, last)| *last < number).is_some() {}
        match runs.peek() {
            None => break,
            Some((first, _)) if number >= *first => {
                let words = line.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
                names.extend(words.filter(|word| !word.is_empty()).map(name_key));
            }
            Some(_) => {}
        }
    }
    names.into_iter().collect()
}

/// Returns the lines of a tree's error nodes, from 1, sorted.
fn error_lines(tree: &tree_sitter::Tree) -> BTreeSet<usize> {
    let mut lines = BTreeSet::new();
    for_each_error(tree, |node| {
        if node.is_error() {
            lines.extend(node.start_position().row + 1..=node.end_position().row + 1);
        }
    });
    lines
}

/// Returns the size of a tree's errors: the bytes of error nodes plus the number of missing nodes.
pub fn error_size(tree: &tree_sitter::Tree) -> usize {
    let mut total = 0;
    for_each_error(tree, |node| total += if node.is_error() { node.end_byte() - node.start_byte() } else { 1 });
    total
}

/// Visits the outermost error nodes of a tree, and its missing nodes.
fn for_each_error(tree: &tree_sitter::Tree, mut visit: impl FnMut(tree_sitter::Node<'_>)) {
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        if node.is_error() || node.is_missing() {
            visit(node);
        }
        if node.has_error() && !node.is_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return;
            }
        }
    }
}
