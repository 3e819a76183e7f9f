//! Posting lists after updates, compared with those of FTS5.

use std::collections::BTreeMap;
use std::path::Path;

use super::{fixture, search_row};
use crate::model::NodeId;
use crate::store::{Reader, SEARCH_COLUMNS, Writer, fts5, search_text};

/// Compares every posting list with the occurrences in FTS5's own table of terms; returns the number of segments.
fn assert_postings_are_those_of_fts5(path: &Path) -> usize {
    let reader = Reader::open(path).unwrap();
    let structure: Vec<u8> =
        reader.connection.query_row("SELECT block FROM search_data WHERE id = 10", [], |row| row.get(0)).unwrap();
    let segments = fts5::segments(&structure).unwrap().len();
    let mut expected: BTreeMap<String, BTreeMap<u32, [u16; SEARCH_COLUMNS]>> = BTreeMap::new();
    let mut statement = reader.connection.prepare("SELECT term, doc FROM search_terms").unwrap();
    let mut rows = statement.query([]).unwrap();
    while let Some(row) = rows.next().unwrap() {
        let (stored, document): (String, u32) = (row.get(0).unwrap(), row.get(1).unwrap());
        let (term, rest) = stored.split_once(search_text::END).unwrap();
        let (column, frequency) = search_text::decode(rest.as_bytes()).unwrap();
        expected.entry(term.to_owned()).or_default().entry(document).or_default()[column as usize] += frequency;
    }
    assert!(expected.contains_key("common"));
    for (term, documents) in expected {
        let postings = reader.postings(&term, usize::MAX).unwrap();
        let found: BTreeMap<u32, [u16; SEARCH_COLUMNS]> =
            postings.iter().map(|posting| (posting.document.get(), posting.frequencies)).collect();
        assert_eq!(found, documents, "{term}");
        assert!(postings.is_sorted_by_key(|posting| posting.document));
    }
    segments
}

#[test]
fn postings_are_those_of_fts5_after_any_updates() {
    let fixture = fixture();
    let mut writer = Writer::open(&fixture.path).unwrap();
    writer.begin().unwrap();
    writer.clear().unwrap();
    writer.set_repository("r").unwrap();
    writer.renew_state().unwrap();
    // Doclists of several pages, one of them with a row of several pages.
    let text = |id: u32, round: u32| format!("common {} w{} r{round}", "twice ".repeat(2 + id as usize % 3), id % 40);
    for id in 0..2_500 {
        writer.put_search(&search_row(id, &format!("name{} common", id % 7), &text(id, 0))).unwrap();
    }
    writer.put_search(&search_row(2_500, "long", &"common other ".repeat(9_000))).unwrap();
    writer.commit().unwrap();
    let mut segments = vec![assert_postings_are_those_of_fts5(&fixture.path)];
    for round in 1..8 {
        let mut writer = Writer::open(&fixture.path).unwrap();
        writer.begin().unwrap();
        for id in (round..2_600).step_by(37 * round as usize) {
            writer.delete_search(NodeId::new(id)).unwrap();
            if id % 3 > 0 {
                writer.put_search(&search_row(id, "common", &text(id, round))).unwrap();
            }
        }
        writer.renew_state().unwrap();
        writer.commit().unwrap();
        segments.push(assert_postings_are_those_of_fts5(&fixture.path));
    }
    // FTS5 merges segments after some of the updates.
    assert!(segments.iter().any(|count| *count > 2), "{segments:?}");
}
