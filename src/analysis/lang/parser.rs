//! Parses source text with tree-sitter and extracts its facts.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, HashSet};
use std::ops::{ControlFlow, Range};

use tree_sitter::{ParseOptions, ParseState, Point};

use crate::documents::notebook;
use crate::facts::{FileFacts, NameKey, name_key};
use crate::lang::{Language, SourceFile, gates, templates};
use crate::text::file_name;
use crate::text::lines::LineStarts;

/// Maximum depth of a syntax tree. Walkers recurse, so this bounds their stack; most code stays below 200.
pub const MAX_DEPTH: usize = 1_000;

/// Depth of what is kept of a part that is too deep, such as a sum of a thousand texts.
const KEPT_DEPTH: usize = MAX_DEPTH / 2;
/// Number of times that such parts are cut before the file is skipped: without them, the parser may find others.
const MAX_CUTS: usize = 2;

/// Maximum number of the pairs of anonymous nodes in a row beside each other. To know whether a node has later siblings that are
/// named, a query passes all of them, so that it takes the square of their number; code has a few in a row.
const MAX_ANONYMOUS_PAIRS: usize = 100_000_000;
/// Number of nodes from which on a subtree is examined for such rows.
const MIN_EXAMINED_NODES: usize = 1_000;

/// Size of the parts in which the parser reads a text, by which its work is counted.
const CHUNK_BYTES: usize = 4_096;
/// Limit of the times that the parser reads a text, and of the bytes that it reads of a short one: of broken code, some grammars
/// read all that follows at each quote. A file of 1 MB may be read more than two hundred times.
const MAX_READS: usize = 16;
const MIN_READ_BYTES: usize = 256 << 20;

/// The reason why a file has no facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParseProblem {
    /// The syntax tree is deeper than [`MAX_DEPTH`].
    TooDeep,
    /// tree-sitter returned no tree, or one of marks alone, beyond [`MAX_ANONYMOUS_PAIRS`], or read the text too often.
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
    let mut tree = tree_of(language, path, masked.as_deref().unwrap_or(&text)).ok_or(ParseProblem::NoTree)?;
    let (mut cut, mut shallow) = (Vec::new(), None);
    for _ in 0..MAX_CUTS {
        let parts = deep_parts(&tree);
        if parts.is_empty() {
            break;
        }
        cut.extend(parts);
        shallow = Some(without(&text, &cut));
        let masked = masked.as_deref().map(|masked| without(masked, &cut));
        let readable = masked.as_ref().or(shallow.as_ref()).map_or(&*text, String::as_str);
        tree = tree_of(language, path, readable).ok_or(ParseProblem::NoTree)?;
    }
    if !deep_parts(&tree).is_empty() {
        return Err(ParseProblem::TooDeep);
    }
    if has_long_rows(&tree) {
        return Err(ParseProblem::NoTree);
    }
    let file = SourceFile { path, text: shallow.as_deref().unwrap_or(&text), tree: &tree };
    let mut facts = (language.extract)(&file);
    facts.outline.unparsed = unparsed((&tree, &cut), &text, &facts);
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

/// Returns the syntax tree of a text that the grammar can read; `None` if the parser reads it too often.
fn tree_of(language: &Language, path: &str, text: &str) -> Option<tree_sitter::Tree> {
    let extension = file_name(path).rsplit_once('.').map_or("", |(_, extension)| extension);
    PARSER.with_borrow_mut(|parser| {
        parser.reset();
        parser.set_language(&(language.grammar)(extension)).ok()?;
        let limit = text.len() * MAX_READS + MIN_READ_BYTES;
        let read = Cell::new(0);
        let mut chunk = |offset: usize, _: Point| {
            let rest = text.as_bytes().get(offset..).filter(|_| read.get() <= limit).unwrap_or_default();
            let chunk = &rest[..rest.len().min(CHUNK_BYTES)];
            read.set(read.get() + chunk.len());
            chunk
        };
        let mut progress = |_: &ParseState| match read.get() > limit {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        let options = ParseOptions::new().progress_callback(&mut progress);
        parser.parse_with_options(&mut chunk, None, Some(options)).filter(|_| read.get() <= limit)
    })
}

/// Returns the ranges of the nodes at [`KEPT_DEPTH`] whose subtrees reach below [`MAX_DEPTH`]. A subtree is at most as deep as it
/// has nodes, so that few are visited.
fn deep_parts(tree: &tree_sitter::Tree) -> Vec<Range<usize>> {
    let mut cursor = tree.walk();
    let (mut depth, mut parts) = (0, Vec::new());
    loop {
        if depth + cursor.node().descendant_count() > MAX_DEPTH && cursor.goto_first_child() {
            depth += 1;
            if depth <= MAX_DEPTH {
                continue;
            }
            while depth > KEPT_DEPTH && cursor.goto_parent() {
                depth -= 1;
            }
            parts.push(cursor.node().byte_range());
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return parts;
            }
            depth -= 1;
        }
    }
}

/// The name in the place of a part that is left out. Nothing has it, as `_` can have.
const LEFT_OUT: &[u8] = b"_cut_";

/// Returns a text with a name instead of each of these parts, byte for byte: where a part was, a value or a statement can be.
fn without(text: &str, parts: &[Range<usize>]) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for part in parts {
        let part = &mut bytes[part.clone()];
        let is_line = part.get(..LEFT_OUT.len()).is_some_and(|start| !start.contains(&b'\n'));
        let name = if is_line { LEFT_OUT } else { b"_" };
        let cut = part.iter_mut().enumerate().filter(|(_, byte)| **byte != b'\n');
        cut.for_each(|(index, byte)| *byte = name.get(index).copied().unwrap_or(b' '));
    }
    // Nodes begin and end between characters; if one did not, the text would stay too deep.
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

/// Returns whether a tree has rows of anonymous nodes that are too long for queries.
fn has_long_rows(tree: &tree_sitter::Tree) -> bool {
    let mut cursor = tree.walk();
    let (mut rows, mut pairs) = (vec![0_usize], 0_usize);
    loop {
        let node = cursor.node();
        if let Some(row) = rows.last_mut() {
            pairs += *row;
            *row = if node.is_named() { 0 } else { *row + 1 };
        }
        if pairs > MAX_ANONYMOUS_PAIRS {
            return true;
        }
        if node.descendant_count() > MIN_EXAMINED_NODES && cursor.goto_first_child() {
            rows.push(0);
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return false;
            }
            rows.pop();
        }
    }
}

/// Returns the runs of lines in syntax errors, and in parts that were cut, on which extraction found neither a definition nor a
/// reference.
fn unparsed((tree, cut): (&tree_sitter::Tree, &[Range<usize>]), text: &str, facts: &FileFacts) -> Vec<(u32, u32)> {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    let mut lines = error_lines(tree);
    if lines.is_empty() && cut.is_empty() {
        return runs;
    }
    let starts = LineStarts::new(text);
    let line_at = |byte: usize| starts.line(byte) as usize;
    // What extraction found on the first line of a part is around it.
    let of_part = |part: &Range<usize>| line_at(part.start)..=line_at(part.end.saturating_sub(1));
    let cut: HashSet<usize> = cut.iter().flat_map(of_part).collect();
    lines.extend(&cut);
    let references = facts.code.references.iter();
    let mut read: HashSet<usize> = references.map(|reference| line_at(reference.position as usize)).collect();
    read.extend(facts.outline.definitions.iter().map(|definition| definition.span.name_line as usize));
    let texts: Vec<&str> = text.split('\n').collect();
    let is_blank = |line: usize| texts.get(line - 1).is_none_or(|line| !line.contains(char::is_alphanumeric));
    let is_unread = |line: &usize| cut.contains(line) || !read.contains(line);
    for line in lines.into_iter().filter(|line| is_unread(line) && !is_blank(*line)) {
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
