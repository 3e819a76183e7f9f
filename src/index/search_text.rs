//! What search reads of a symbol, column by column.

use crate::store::{SEARCH_COLUMNS, SearchColumn};
use crate::text::terms::term_text;

/// The columns that all symbols of a file share.
pub(super) struct PathText {
    concepts: String,
    path: String,
}

impl PathText {
    /// The text of a path: its words, and its segments as they are.
    pub(super) fn new(path: &str) -> PathText {
        let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
        PathText { concepts: term_text(stem), path: path.to_lowercase() }
    }
}

/// The columns of one symbol. History is the file's alone.
pub(super) fn columns(
    path: &PathText,
    name: &str,
    scope: &str,
    signature: &str,
    doc: &str,
    body: &str,
) -> [String; SEARCH_COLUMNS] {
    let mut columns: [String; SEARCH_COLUMNS] = Default::default();
    let mut set = |column: SearchColumn, text: String| columns[column as usize] = text;
    set(SearchColumn::SymbolName, term_text(name));
    set(SearchColumn::Concepts, path.concepts.clone());
    set(SearchColumn::QualifiedName, term_text(&format!("{scope} {name}")));
    set(SearchColumn::Signature, term_text(signature));
    set(SearchColumn::FilePath, path.path.clone());
    set(SearchColumn::Doc, term_text(doc));
    set(SearchColumn::Body, term_text(body));
    columns
}
