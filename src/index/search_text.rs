//! What search reads of a symbol, column by column.

use crate::store::{SEARCH_COLUMNS, SearchColumn};
use crate::text::terms::term_text;

/// What all symbols of a file share.
pub(super) struct PathText {
    concepts: String,
}

impl PathText {
    /// The words of a path.
    pub(super) fn new(path: &str) -> PathText {
        let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
        PathText { concepts: term_text(stem) }
    }
}

/// The columns of one symbol. History and the path as it is written are the file's alone: definitions have its words
/// in the concepts, and a second time they would cost a tenth of the index.
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
    set(SearchColumn::Doc, term_text(doc));
    set(SearchColumn::Body, term_text(body));
    columns
}
