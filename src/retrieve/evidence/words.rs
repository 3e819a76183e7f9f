//! The task's words in the symbol's own text: all fields together, and each by itself.

use super::{Column, Sources};
use crate::rank::bm25f::by_field;
use crate::retrieve::tuning;
use crate::store::SearchColumn;

/// The columns that stand for a field of the search index. A signature says nothing that the name, the types' own
/// symbols and the walk don't say better (measured), so it has none.
const FIELDS: [(&str, SearchColumn); 5] = [
    ("name", SearchColumn::SymbolName),
    ("path", SearchColumn::Concepts),
    ("scope", SearchColumn::QualifiedName),
    ("doc", SearchColumn::Doc),
    ("body", SearchColumn::Body),
];

pub(super) const NAMES: [&str; 7] = ["lexical", "coverage", "name", "path", "scope", "doc", "body"];

pub(super) fn columns(sources: &Sources<'_>, candidates: &[u32]) -> Vec<Column> {
    let graph = sources.graph;
    let lengths = |node: u32| graph.lengths.get(node as usize).copied().unwrap_or_default();
    let shares = by_field(
        sources.terms,
        graph.symbols(),
        &tuning::DEFAULT.lexical,
        &tuning::FIELD_SATURATION,
        candidates,
        lengths,
    );
    let to_be_had = if sources.lexical.importance() > 0.0 { sources.lexical.importance() } else { 1.0 };
    let mut columns = vec![
        super::column("lexical", candidates, |node| sources.lexical.get(node).score / to_be_had),
        super::column("coverage", candidates, |node| sources.lexical.get(node).coverage),
    ];
    for (name, field) in FIELDS {
        columns.push(Column { name, values: shares.iter().map(|shares| shares[field as usize]).collect() });
    }
    columns
}
