//! Posting lists of the search index.

use rusqlite::Row;

use super::digest;
use super::error::{DecodeError, SqlContext, StoreError};
use super::fts5::{self, Doclist, Segment};
use super::read::Reader;
use super::rows::{SEARCH_COLUMNS, SearchColumn};
use super::symbols::MAX_NODES;
use crate::model::NodeId;
use crate::model::Posting;

/// An entry of a segment: symbol, age of the segment, frequencies; none of a deleted entry.
type Entry = (u32, usize, [u16; SEARCH_COLUMNS]);

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
        let mut entries: Vec<Entry> = Vec::new();
        // From the oldest to the newest, which is the order of most symbols.
        for (age, segment) in segments.iter().enumerate().rev() {
            if let Some(doclist) = self.doclist(segment, &fts5::key(term))? {
                self.add_entries(&doclist, segment, age, &mut entries)?;
            }
        }
        if !entries.is_sorted_by_key(|(document, age, _)| (*document, *age)) {
            entries.sort_unstable_by_key(|(document, age, _)| (*document, *age));
        }
        // The newest entry of a symbol replaces the others, even if it was deleted.
        entries.dedup_by_key(|(document, ..)| *document);
        entries.retain(|(.., frequencies)| *frequencies != [0; SEARCH_COLUMNS]);
        if entries.len() > max_postings {
            return Ok(Vec::new());
        }
        let posting = |(document, _, frequencies)| Posting { document: NodeId::new(document), frequencies };
        Ok(entries.into_iter().map(posting).collect())
    }

    fn doclist(&self, segment: &Segment, key: &[u8]) -> Result<Option<Doclist>, StoreError> {
        let page: Option<i64> = self.query_optional(sql!("search_page"), (segment.id, key), |row| row.get(0))?;
        let mut statement = self.connection.prepare_cached(sql!("search_blocks")).at(&self.path)?;
        let (first, last) = segment.leaves(page);
        let mut rows = statement.query((first, last)).at(&self.path)?;
        let mut doclist: Option<Doclist> = None;
        for id in first..=last {
            let row =
                rows.next().at(&self.path)?.filter(|row| row.get(0) == Ok(id)).ok_or_else(|| self.lost_block())?;
            let block = self.block(row)?;
            match &mut doclist {
                None => doclist = self.decoded(Doclist::find(block, key))?,
                Some(doclist) => self.decoded(doclist.extend(block))?,
            }
            if doclist.as_ref().is_none_or(Doclist::is_complete) {
                break;
            }
        }
        Ok(doclist)
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

    fn add_entries(
        &self,
        doclist: &Doclist,
        segment: &Segment,
        age: usize,
        entries: &mut Vec<Entry>,
    ) -> Result<(), StoreError> {
        let tombstones: Vec<Vec<u8>> = match segment.tombstones() {
            Some((first, last)) => {
                let blocks = self
                    .query_all(sql!("search_blocks"), (first, last), |row| Ok(self.block(row).map(<[u8]>::to_vec)))?;
                if blocks.len() as i64 != last - first + 1 {
                    return Err(self.lost_block());
                }
                blocks.into_iter().collect::<Result<_, StoreError>>()?
            }
            None => Vec::new(),
        };
        let mut is_in_range = true;
        let decoded = doclist.decode(|row, frequencies| {
            is_in_range &= row < u64::from(MAX_NODES);
            let is_deleted = fts5::is_deleted(&tombstones, row);
            entries.push((row as u32, age, if is_deleted { [0; SEARCH_COLUMNS] } else { frequencies }));
        });
        self.decoded(decoded.and(if is_in_range { Ok(()) } else { Err(DecodeError::NodeId) }))
    }

    fn decoded<T>(&self, result: Result<T, DecodeError>) -> Result<T, StoreError> {
        result.map_err(|error| StoreError::from_decode(self.path(), error))
    }

    /// Calls `visit` with each term, a symbol that contains it, and the column: once each, sorted by term, then symbol. Reads
    /// the whole search index, about two million occurrences a second.
    pub fn for_each_occurrence(&self, mut visit: impl FnMut(&str, NodeId, SearchColumn)) -> Result<(), StoreError> {
        let mut statement = self.connection.prepare_cached(sql!("occurrences")).at(&self.path)?;
        let mut rows = statement.query([]).at(&self.path)?;
        let mut previous = (String::new(), NodeId::default(), SearchColumn::History);
        while let Some(row) = rows.next().at(&self.path)? {
            let term = row.get_ref(0).at(&self.path)?.as_str().unwrap_or_default();
            let (symbol, name) = (row.get(1).at(&self.path)?, row.get_ref(2).at(&self.path)?);
            let name = name.as_str().unwrap_or_default();
            let Some(column) = SearchColumn::ALL.into_iter().find(|column| column.name() == name) else { continue };
            // A term that occurs several times in a column has as many rows.
            if (previous.0.as_str(), previous.1, previous.2) != (term, symbol, column) {
                visit(term, symbol, column);
                term.clone_into(&mut previous.0);
                (previous.1, previous.2) = (symbol, column);
            }
        }
        Ok(())
    }

    /// Returns whether a symbol contains exactly this term.
    pub fn has_term(&self, term: &str) -> Result<bool, StoreError> {
        Ok(!self.postings(term, usize::MAX)?.is_empty())
    }
}
