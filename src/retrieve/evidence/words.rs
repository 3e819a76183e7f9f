//! The task's words in the symbol's own text: all fields together, and each by itself, and the place that they give it.

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

/// The columns for the place among the candidates, and of which column.
const PLACES: [(&str, &str); 2] = [("word_place", "lexical"), ("body_place", "body")];

pub(super) const NAMES: [&str; 9] =
    ["lexical", "coverage", "name", "path", "scope", "doc", "body", "word_place", "body_place"];

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
    for (name, of) in PLACES {
        let values = columns.iter().find(|column| column.name == of).map(|column| places(&column.values));
        columns.push(Column { name, values: values.unwrap_or_default() });
    }
    columns
}

/// The reciprocal rank of each value: 1 for the largest, half of that for one with as many larger ones as `PLACE_K`, equal
/// values alike, and 0 for nothing. What leads is set apart from the rest however close the values lie.
fn places(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(|one, two| two.total_cmp(one));
    let place = |value: f64| sorted.partition_point(|other| *other > value) as f64;
    let reciprocal = |value: f64| tuning::PLACE_K / (tuning::PLACE_K + place(value));
    values.iter().map(|value| if *value > 0.0 { reciprocal(*value) } else { 0.0 }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_reciprocal_and_shared_by_equals() {
        assert_eq!(tuning::PLACE_K, 5.0);
        assert_eq!(places(&[0.2, 0.9, 0.0, 0.2]), [5.0 / 6.0, 1.0, 0.0, 5.0 / 6.0]);
        assert!(places(&[]).is_empty());
    }
}
