//! Row types of the index's tables.

use std::borrow::Cow;

use crate::model::{EdgeType, FileId, NodeId, Provenance, Span, SymbolId, SymbolKind};

/// An indexed file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileRow {
    pub id: FileId,
    /// Relative to the repository's root, with forward slashes.
    pub path: String,
    pub language: String,
    pub size: u64,
    pub mtime_ns: i64,
    /// BLAKE3 of the content.
    pub content_hash: [u8; 32],
}

/// A skipped file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct SkipRow {
    pub path: String,
    pub reason: String,
    pub size: u64,
    pub mtime_ns: i64,
}

/// A symbol as it is stored. Its identity is computed from these values and its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeRow {
    pub id: NodeId,
    /// `None` for externals, environment variables, processes and packages.
    pub file: Option<FileId>,
    pub kind: SymbolKind,
    pub name: String,
    /// Names of the enclosing scopes, joined by dots.
    pub scope: String,
    pub signature: String,
    pub doc: String,
    pub span: Span,
    pub is_test: bool,
    pub ordinal: u32,
}

/// Stands for the symbol's name in a stored signature.
pub(super) const NAME: char = '\u{1}';
/// Precedes a stored signature that has such a character itself.
const VERBATIM: &str = "\u{1}\u{1}";

/// Returns a signature as it is stored: the name, which is another column, is not repeated.
pub(super) fn short_signature<'a>(signature: &'a str, name: &str) -> Cow<'a, str> {
    if signature.contains(NAME) {
        return Cow::Owned(format!("{VERBATIM}{signature}"));
    }
    match signature.split_once(name).filter(|_| !name.is_empty()) {
        Some((before, after)) => Cow::Owned(format!("{before}{NAME}{after}")),
        None => Cow::Borrowed(signature),
    }
}

/// Returns the signature of a stored one.
pub(super) fn full_signature(stored: String, name: &str) -> String {
    match stored.strip_prefix(VERBATIM) {
        Some(signature) => signature.to_owned(),
        None => match stored.split_once(NAME) {
            Some((before, after)) => [before, name, after].concat(),
            None => stored,
        },
    }
}

/// Returns the parts of a signature around the symbol's name, whose terms the search index then has once; `None` where the
/// name is not between separators.
pub fn around_name<'a>(signature: &'a str, name: &str) -> Option<(&'a str, &'a str)> {
    let (before, after) = signature.split_once(name).filter(|_| !name.is_empty() && !signature.contains(NAME))?;
    is_apart(before.chars().next_back(), after.chars().next()).then_some((before, after))
}

/// Returns whether [`around_name`] finds the name, by the stored signature.
pub(super) fn has_name_apart(stored: &str) -> bool {
    let Some((before, after)) = stored.split_once(NAME) else { return false };
    is_apart(before.chars().next_back(), after.chars().next())
}

fn is_apart(before: Option<char>, after: Option<char>) -> bool {
    let is_separator =
        |letter: char| letter.is_ascii() && !letter.is_ascii_alphanumeric() && !['_', NAME].contains(&letter);
    [before, after].into_iter().flatten().all(is_separator)
}

/// The part of a node that the Merkle tree and edge checks need.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NodeKey {
    pub id: NodeId,
    pub identity: SymbolId,
    pub file: Option<FileId>,
    pub kind: SymbolKind,
    pub is_test: bool,
}

/// A node without a definition, which exists because an edge or a folder refers to it: an external, environment
/// variable, process, package or route. Only routes have a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilelessNodeRow {
    pub id: NodeId,
    pub kind: SymbolKind,
    pub file: Option<FileId>,
    pub scope: String,
    pub name: String,
}

/// The pass that made an edge. A pass replaces only its own edges.
pub type Layer = u8;

/// An edge. Confidence is in ten-thousandths, so that equal edges are bitwise equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EdgeRow {
    pub source: NodeId,
    pub edge_type: EdgeType,
    pub target: NodeId,
    pub provenance: Provenance,
    pub confidence: u16,
    pub layer: Layer,
}

/// Returns a resolved edge for a test.
#[cfg(test)]
pub(super) fn edge(source: u32, target: u32, edge_type: EdgeType) -> EdgeRow {
    let (source, target) = (NodeId::new(source), NodeId::new(target));
    EdgeRow { source, edge_type, target, provenance: Provenance::AstResolved, confidence: 9_000, layer: 1 }
}

/// Converts a confidence to its stored form.
pub fn stored_confidence(confidence: f32) -> u16 {
    (confidence.clamp(0.0, 1.0) * 10_000.0).round() as u16
}

/// Converts a stored confidence back.
#[inline]
pub fn read_confidence(stored: u16) -> f32 {
    f32::from(stored) / 10_000.0
}

/// Number of columns of the search index.
pub const SEARCH_COLUMNS: usize = 8;

/// A column of the search index: a kind of text. [`super::search_text`] says how they are stored.
///
/// Terms that other columns or symbols have, too, are stored once, and readers add them: `Concepts` has the terms of the file's
/// path, stored with the file's own symbol (it is unrelated to the concepts of [`crate::concepts`]); `QualifiedName` stores the
/// scope's terms, and the name's are added; so they are to `Signature` where [`around_name`] finds the name in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SearchColumn {
    SymbolName,
    Concepts,
    QualifiedName,
    Signature,
    FilePath,
    Doc,
    Body,
    History,
}

impl SearchColumn {
    /// Every column.
    pub const ALL: [SearchColumn; SEARCH_COLUMNS] = [
        SearchColumn::SymbolName,
        SearchColumn::Concepts,
        SearchColumn::QualifiedName,
        SearchColumn::Signature,
        SearchColumn::FilePath,
        SearchColumn::Doc,
        SearchColumn::Body,
        SearchColumn::History,
    ];

    /// Returns the column's name.
    pub fn name(self) -> &'static str {
        match self {
            SearchColumn::SymbolName => "symbol_name",
            SearchColumn::Concepts => "concepts",
            SearchColumn::QualifiedName => "qualified_name",
            SearchColumn::Signature => "signature",
            SearchColumn::FilePath => "file_path",
            SearchColumn::Doc => "doc",
            SearchColumn::Body => "body",
            SearchColumn::History => "history",
        }
    }
}

/// The text of a symbol in the search index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchRow {
    pub node: NodeId,
    pub columns: [String; SEARCH_COLUMNS],
}

/// A commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommitRow {
    pub hash: [u8; 20],
    /// Seconds since 1970.
    pub time: i64,
    pub author: String,
    pub subject: String,
    /// Paths that the commit changed.
    pub paths: Vec<String>,
}

/// The git history of a symbol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeHistory {
    pub node: NodeId,
    /// Time of the last change, in seconds since 1970.
    pub last_time: i64,
    pub last_author: String,
    /// Number of followed commits that changed the symbol.
    pub commit_count: u32,
    /// The followed commits that changed lines of the symbol outside of its members: bit n stands for the commit n of
    /// the file's history, latest first.
    pub own_commits: u64,
}

/// A recorded state of the graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SnapshotRow {
    pub root: [u8; 32],
    /// Hash of the checked-out commit in hexadecimal; empty without git.
    pub commit: String,
    pub parent: Option<[u8; 32]>,
    /// Seconds since 1970.
    pub created_at: i64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_are_the_same_after_they_were_stored() {
        for (signature, name, stored) in [
            ("def load(path)", "load", "def \u{1}(path)"),
            ("#define A A", "A", "#define \u{1} A"),
            ("x = 1", "y", "x = 1"),
            ("", "", ""),
            ("a\u{1}b", "b", "\u{1}\u{1}a\u{1}b"),
            ("\u{1}\u{1}", "b", "\u{1}\u{1}\u{1}\u{1}"),
        ] {
            assert_eq!(short_signature(signature, name), stored);
            assert_eq!(full_signature(stored.to_owned(), name), signature);
        }
    }

    #[test]
    fn names_in_signatures_are_found_alike_before_and_after_they_are_stored() {
        for (signature, name, expected) in [
            ("def load(path)", "load", Some(("def ", "(path)"))),
            ("load", "load", Some(("", ""))),
            ("reload load", "load", None),
            ("äload", "load", None),
            ("load_all", "load", None),
            ("x\u{1} load", "load", None),
            ("\u{1}", "\u{1}", None),
            ("x = 1", "y", None),
            ("x", "", None),
        ] {
            assert_eq!(around_name(signature, name), expected, "{signature}");
            let stored: Vec<char> = short_signature(signature, name).chars().collect();
            let at = stored.iter().position(|letter| *letter == NAME).unwrap_or_default().saturating_sub(1);
            let middle: String = stored[at..].iter().take(3).collect();
            assert_eq!(has_name_apart(&middle), expected.is_some(), "{signature}");
        }
    }
}
