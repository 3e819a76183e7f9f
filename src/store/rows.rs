//! Rows as the index writes them and gets them back.

use crate::model::{EdgeType, Provenance, Span, SymbolId, SymbolKind};

/// An indexed file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileRow {
    pub id: u32,
    /// Relative to the repository's root, with forward slashes.
    pub path: String,
    pub language: String,
    pub size: u64,
    pub mtime_ns: i64,
    /// BLAKE3 of the content.
    pub content_hash: [u8; 32],
}

/// A file that was left out.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct SkipRow {
    pub path: String,
    pub reason: String,
    pub size: u64,
    pub mtime_ns: i64,
}

/// A symbol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeRow {
    pub id: u32,
    pub identity: SymbolId,
    /// `None` for what belongs to no file: externals, environment variables, processes, packages.
    pub file: Option<u32>,
    pub kind: SymbolKind,
    pub name: String,
    /// What stands between place and name in the qualified name, joined by dots.
    pub scope: String,
    pub signature: String,
    pub doc: String,
    pub span: Span,
    pub is_test: bool,
    pub ordinal: u32,
}

/// The part of a node that the index compares and links by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NodeKey {
    pub id: u32,
    pub identity: SymbolId,
    pub file: Option<u32>,
    pub kind: SymbolKind,
    pub is_test: bool,
}

/// A symbol that is no definition: it exists because an edge or a folder needs it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TailRow {
    pub id: u32,
    pub kind: SymbolKind,
    pub file: Option<u32>,
    pub scope: String,
    pub name: String,
}

/// Which pass made an edge; a pass replaces only its own.
pub type Layer = u8;

/// An edge. Confidence in ten-thousandths, so that equal edges are equal bit for bit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EdgeRow {
    pub source: u32,
    pub edge_type: EdgeType,
    pub target: u32,
    pub provenance: Provenance,
    pub confidence: u16,
    pub layer: Layer,
}

/// Confidence as it is stored.
pub fn stored_confidence(confidence: f32) -> u16 {
    (confidence.clamp(0.0, 1.0) * 10_000.0).round() as u16
}

/// A stored confidence as others use it.
#[inline]
pub fn read_confidence(stored: u16) -> f32 {
    f32::from(stored) / 10_000.0
}

/// How many columns the search index has.
pub const SEARCH_COLUMNS: usize = 8;

/// A column of the search index, in the order of the table.
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
    /// Every column, in the order of the table.
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

    /// The column with this name in the table.
    pub fn named(name: &[u8]) -> Option<SearchColumn> {
        SearchColumn::ALL.into_iter().find(|column| column.name().as_bytes() == name)
    }

    /// The column's name in the table.
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

/// Text of one symbol for the search index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchRow {
    pub node: u32,
    pub columns: [String; SEARCH_COLUMNS],
}

/// A commit of the repository's history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommitRow {
    pub hash: [u8; 20],
    /// Seconds since 1970.
    pub time: i64,
    pub author: String,
    pub subject: String,
    /// Paths it touched.
    pub paths: Vec<String>,
}

/// What git knows of one symbol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeHistory {
    pub node: u32,
    /// When it last changed, in seconds since 1970.
    pub last_time: i64,
    pub last_author: String,
    /// How many of the commits that were followed touched it.
    pub commit_count: u32,
}

/// A state of the graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SnapshotRow {
    pub root: [u8; 32],
    /// Commit that was checked out, in hexadecimal; empty without git.
    pub commit: String,
    pub parent: Option<[u8; 32]>,
    /// Seconds since 1970.
    pub created_at: i64,
}
