//! Posting lists of the search index.

use rusqlite::Row;

use super::digest;
use super::error::{DecodeError, SqlContext, StoreError};
use super::fts5::{self, Doclist, Scan, Segment};
use super::read::Reader;
use super::rows::{SEARCH_COLUMNS, SearchColumn};
use super::search_text;
use super::symbols::MAX_NODES;
use crate::model::NodeId;
use crate::model::Posting;

/// A symbol of a doclist.
struct Entry {
    document: u32,
    /// That of the segment.
    age: u32,
    frequency: u16,
    column: SearchColumn,
}

impl Reader {
    /// Returns the posting list of an exact term, sorted by symbol, with the term frequency in each column. Empty when
    /// more than `max_postings` symbols contain the term, since it then barely discriminates.
    ///
    /// # Errors
    /// When the database can't be read, as for every function of this file.
    pub fn postings(&self, term: &str, max_postings: usize) -> Result<Vec<Posting>, StoreError> {
        let structure =
            self.query_one(sql!("search_block"), [fts5::STRUCTURE], |row| Ok(self.block(row).map(<[u8]>::to_vec)))??;
        let segments = self.decoded(fts5::segments(&structure))?;
        let key = fts5::key(&format!("{term}{}", search_text::END));
        let mut entries: Vec<Entry> = Vec::new();
        for (age, segment) in (0..).zip(&segments) {
            self.add_entries(segment, &key, age, &mut entries)?;
        }
        // Sorted runs, which a stable sort merges.
        entries.sort_by_key(|entry| (entry.document, entry.age));
        let mut postings = Vec::new();
        for of_document in entries.chunk_by(|one, two| one.document == two.document) {
            let mut frequencies = [0_u16; SEARCH_COLUMNS];
            // The newest segment with a symbol replaces the others.
            for entry in of_document.iter().take_while(|entry| entry.age == of_document[0].age) {
                let count = &mut frequencies[entry.column as usize];
                *count = count.saturating_add(entry.frequency);
            }
            postings.push(Posting { document: NodeId::new(of_document[0].document), frequencies });
        }
        Ok(if postings.len() > max_postings { Vec::new() } else { postings })
    }

    /// Returns what follows a key in each term of a segment that begins with it, with the term's doclist.
    fn doclists(&self, segment: &Segment, key: &[u8]) -> Result<Vec<(Vec<u8>, Doclist)>, StoreError> {
        let page: Option<i64> = self.query_optional(sql!("search_page"), (segment.id, key), |row| row.get(0))?;
        let mut statement = self.connection.prepare_cached(sql!("search_blocks")).at(&self.path)?;
        let (first, last) = segment.leaves(page);
        let mut rows = statement.query((first, last)).at(&self.path)?;
        let mut scan = Scan::new(key);
        for id in first..=last {
            let row =
                rows.next().at(&self.path)?.filter(|row| row.get(0) == Ok(id)).ok_or_else(|| self.lost_block())?;
            if !self.decoded(scan.read(self.block(row)?))? {
                break;
            }
        }
        Ok(scan.found())
    }

    /// Returns the block of a row of `search_block.sql` or `search_blocks.sql`. That of a committed state must have its
    /// checksum.
    fn block<'row>(&self, row: &'row Row<'_>) -> Result<&'row [u8], StoreError> {
        let id: i64 = row.get(0).at(&self.path)?;
        let block = row.get_ref(1).at(&self.path)?.as_bytes().unwrap_or_default();
        let checksum: Option<i64> = row.get(2).at(&self.path)?;
        match !self.is_snapshot || checksum == Some(digest::checksum_of_block(id, block)) {
            true => Ok(block),
            false => Err(self.damaged_search("a row of table search_data changed")),
        }
    }

    fn lost_block(&self) -> StoreError {
        self.damaged_search("table search_data lacks a row")
    }

    fn damaged_search(&self, detail: &str) -> StoreError {
        StoreError::Damaged { path: self.path.clone(), detail: detail.to_owned() }
    }

    /// Reports rows of the search index that differ from their checksums.
    pub(super) fn check_search_blocks(&self) -> Result<Vec<String>, StoreError> {
        let checked =
            self.query_all(sql!("search_blocks"), (i64::MIN, i64::MAX), |row| Ok(self.block(row).map(drop)))?;
        Ok(checked.into_iter().filter_map(|checked| checked.err().map(|error| error.detail())).collect())
    }

    /// Adds the symbols of a segment whose terms begin with a key, except deleted ones.
    fn add_entries(&self, segment: &Segment, key: &[u8], age: u32, entries: &mut Vec<Entry>) -> Result<(), StoreError> {
        let doclists = self.doclists(segment, key)?;
        let tombstones = if doclists.is_empty() { Vec::new() } else { self.tombstones(segment)? };
        for (rest, doclist) in doclists {
            let (column, frequency) = self.decoded(search_text::decode(&rest).ok_or(DecodeError::SearchColumn))?;
            let mut is_in_range = true;
            let decoded = doclist.decode(|row| {
                is_in_range &= row < u64::from(MAX_NODES);
                if !fts5::is_deleted(&tombstones, row) {
                    entries.push(Entry { document: row as u32, age, frequency, column });
                }
            });
            self.decoded(decoded.and(if is_in_range { Ok(()) } else { Err(DecodeError::NodeId) }))?;
        }
        Ok(())
    }

    /// Returns the pages of a segment with the rows that were deleted from it.
    fn tombstones(&self, segment: &Segment) -> Result<Vec<Vec<u8>>, StoreError> {
        let Some((first, last)) = segment.tombstones() else { return Ok(Vec::new()) };
        let blocks =
            self.query_all(sql!("search_blocks"), (first, last), |row| Ok(self.block(row).map(<[u8]>::to_vec)))?;
        if blocks.len() as i64 != last - first + 1 {
            return Err(self.lost_block());
        }
        blocks.into_iter().collect()
    }

    fn decoded<T>(&self, result: Result<T, DecodeError>) -> Result<T, StoreError> {
        result.map_err(|error| StoreError::from_decode(self.path(), error))
    }

    /// Calls `visit` with each term, a symbol that contains it, and the column: once each, together by term, and sorted by symbol
    /// and column. Reads the whole search index, about two million occurrences a second.
    pub fn for_each_occurrence(&self, mut visit: impl FnMut(&str, NodeId, SearchColumn)) -> Result<(), StoreError> {
        let mut statement = self.connection.prepare_cached(sql!("occurrences")).at(&self.path)?;
        let mut rows = statement.query([]).at(&self.path)?;
        let (mut term, mut occurrences) = (String::new(), Vec::new());
        let mut flush = |term: &str, occurrences: &mut Vec<(NodeId, SearchColumn)>| {
            occurrences.sort_unstable();
            occurrences.drain(..).for_each(|(symbol, column)| visit(term, symbol, column));
        };
        while let Some(row) = rows.next().at(&self.path)? {
            let stored = row.get_ref(0).at(&self.path)?.as_str().unwrap_or_default();
            let Some((of_row, rest)) = stored.split_once(search_text::END) else { continue };
            let Some((column, _)) = search_text::decode(rest.as_bytes()) else { continue };
            if of_row != term {
                flush(&term, &mut occurrences);
                of_row.clone_into(&mut term);
            }
            occurrences.push((row.get(1).at(&self.path)?, column));
        }
        flush(&term, &mut occurrences);
        Ok(())
    }

    /// Returns whether a symbol contains exactly this term.
    pub fn has_term(&self, term: &str) -> Result<bool, StoreError> {
        Ok(!self.postings(term, usize::MAX)?.is_empty())
    }
}
