//! The storage of FTS5: segments, doclists and tombstones, in the tables behind the search index.
//!
//! # Why
//!
//! FTS5's own table of terms returns a row for each occurrence, and takes ten times as long as decoding the doclists
//! once. The format is part of SQLite's file format and described at the top of `fts5_index.c`.

use super::error::DecodeError;
use super::rows::SEARCH_COLUMNS;

/// Row of the list of segments in `search_data`.
pub(super) const STRUCTURE: i64 = 10;
/// Begins every term of the index, as opposed to those of prefix indexes.
const MAIN_INDEX: u8 = b'0';
/// Follows the cookie in a structure with tombstones.
const WITH_TOMBSTONES: [u8; 4] = [0xff, 0, 0, 1];
/// Bits of page numbers in the rows of `search_data`, with those of other kinds of pages.
const SEGMENT_SHIFT: u32 = 37;
/// Added to a segment's number for its tombstones.
const TOMBSTONES: i64 = 1 << 16;
/// Bytes before the content of a leaf, and before the slots of a tombstone page.
const LEAF_HEADER: usize = 4;
const TOMBSTONE_HEADER: usize = 8;

/// Returns a term as the index has it.
pub(super) fn key(term: &str) -> Vec<u8> {
    [&[MAIN_INDEX], term.as_bytes()].concat()
}

/// A sorted run of terms with their doclists. A symbol that was written again is in several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Segment {
    pub(super) id: i64,
    first_page: i64,
    last_page: i64,
    tombstone_pages: u64,
}

impl Segment {
    /// Returns the rows of its leaves from `page`, or from its first one.
    pub(super) fn leaves(&self, page: Option<i64>) -> (i64, i64) {
        let start = self.id << SEGMENT_SHIFT;
        (start + page.map_or(self.first_page, |page| page.max(self.first_page)), start + self.last_page)
    }

    /// Returns the rows of its tombstones; `None` if it has none.
    pub(super) fn tombstones(&self) -> Option<(i64, i64)> {
        let start = (self.id + TOMBSTONES) << SEGMENT_SHIFT;
        (self.tombstone_pages > 0).then(|| (start, start + self.tombstone_pages as i64 - 1))
    }
}

/// Decodes the list of segments, the newest first.
pub(super) fn segments(structure: &[u8]) -> Result<Vec<Segment>, DecodeError> {
    let after_cookie = structure.get(4..).ok_or(DecodeError::Truncated)?;
    let rest = after_cookie.strip_prefix(&WITH_TOMBSTONES);
    let mut reader = Varints { rest: rest.unwrap_or(after_cookie) };
    let levels = reader.read()?;
    let (_segments, _write_counter) = (reader.read()?, reader.read()?);
    let mut segments = Vec::new();
    for _ in 0..levels {
        let (_merged, count) = (reader.read()?, reader.read()?);
        let start = segments.len();
        for _ in 0..count {
            let [id, first_page, last_page] =
                [reader.read()?, reader.read()?, reader.read()?].map(|value| value as i64);
            let mut tombstone_pages = 0;
            if rest.is_some() {
                let _origins = (reader.read()?, reader.read()?);
                tombstone_pages = reader.read()?;
                let _entries = (reader.read()?, reader.read()?);
            }
            segments.push(Segment { id, first_page, last_page, tombstone_pages });
        }
        segments[start..].reverse();
    }
    Ok(segments)
}

/// The doclist of a term in one segment.
#[derive(Debug, Default)]
pub(super) struct Doclist {
    /// The parts on all pages, without their headers.
    bytes: Vec<u8>,
    /// Offsets at which a page begins with the number of a row instead of a difference.
    absolute: Vec<usize>,
    is_complete: bool,
}

impl Doclist {
    /// Begins with the page of a term; `None` if the term is not on it.
    pub(super) fn find(block: &[u8], key: &[u8]) -> Result<Option<Doclist>, DecodeError> {
        let leaf = Leaf::new(block)?;
        let (mut term, mut ends): (Vec<u8>, Vec<usize>) = (Vec::new(), leaf.term_offsets()?);
        ends.push(leaf.content.len());
        for (index, bounds) in ends.windows(2).enumerate() {
            let mut reader = Varints { rest: leaf.content.get(bounds[0]..bounds[1]).ok_or(DecodeError::Truncated)? };
            let shared = if index == 0 { 0 } else { reader.read()? as usize };
            let added = reader.read()? as usize;
            term.truncate(shared);
            term.extend(reader.take(added)?);
            if term == key {
                let is_complete = index + 2 < ends.len();
                return Ok(Some(Doclist { bytes: reader.rest.to_vec(), absolute: Vec::new(), is_complete }));
            }
        }
        Ok(None)
    }

    /// Returns whether no page is missing.
    pub(super) fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Adds the segment's next page.
    pub(super) fn extend(&mut self, block: &[u8]) -> Result<(), DecodeError> {
        let leaf = Leaf::new(block)?;
        let first_term = leaf.term_offsets()?.first().copied();
        if let Some(start) = leaf.first_row.checked_sub(LEAF_HEADER) {
            self.absolute.push(self.bytes.len() + start);
        }
        let end = first_term.unwrap_or(leaf.content.len());
        self.bytes.extend(leaf.content.get(LEAF_HEADER..end).ok_or(DecodeError::Truncated)?);
        self.is_complete = first_term.is_some();
        Ok(())
    }

    /// Calls `visit` with each row and its frequencies in the columns.
    pub(super) fn decode(&self, mut visit: impl FnMut(u64, [u16; SEARCH_COLUMNS])) -> Result<(), DecodeError> {
        let mut reader = Varints { rest: &self.bytes };
        let mut absolute = self.absolute.iter().copied().peekable();
        let mut row: u64 = 0;
        while !reader.rest.is_empty() {
            let start = self.bytes.len() - reader.rest.len();
            let step = reader.read()?;
            row = if absolute.next_if_eq(&start).is_some() { step } else { row.wrapping_add(step) };
            // The last bit marks rows that an older segment may have, too.
            let length = (reader.read()? >> 1) as usize;
            visit(row, frequencies(reader.take(length)?)?);
        }
        Ok(())
    }
}

/// Returns the number of positions in each column.
fn frequencies(positions: &[u8]) -> Result<[u16; SEARCH_COLUMNS], DecodeError> {
    /// Precedes the number of a column; every position is larger.
    const NEXT_COLUMN: u64 = 1;
    let (mut frequencies, mut column) = ([0_u16; SEARCH_COLUMNS], 0);
    let mut reader = Varints { rest: positions };
    while !reader.rest.is_empty() {
        match reader.read()? {
            NEXT_COLUMN => column = reader.read()? as usize,
            _ => {
                let count = frequencies.get_mut(column).ok_or(DecodeError::SearchColumn)?;
                *count = count.saturating_add(1);
            }
        }
    }
    Ok(frequencies)
}

/// A page of a segment.
struct Leaf<'a> {
    /// The header, terms and doclists. Offsets count from its start.
    content: &'a [u8],
    /// Differences of the offsets of terms.
    footer: &'a [u8],
    /// Offset of the first row before the first term; 0 if there is none.
    first_row: usize,
}

impl Leaf<'_> {
    fn new(block: &[u8]) -> Result<Leaf<'_>, DecodeError> {
        let &[a, b, c, d, ..] = block else { return Err(DecodeError::Truncated) };
        let (content, footer) =
            block.split_at_checked(u16::from_be_bytes([c, d]).into()).ok_or(DecodeError::Truncated)?;
        Ok(Leaf { content, footer, first_row: u16::from_be_bytes([a, b]).into() })
    }

    fn term_offsets(&self) -> Result<Vec<usize>, DecodeError> {
        let (mut reader, mut offsets, mut offset) = (Varints { rest: self.footer }, Vec::new(), 0_usize);
        while !reader.rest.is_empty() {
            offset = offset.wrapping_add(reader.read()? as usize);
            offsets.push(offset);
        }
        Ok(offsets)
    }
}

/// Returns whether a row of a segment was deleted. `pages` are the segment's tombstones, a hash table.
pub(super) fn is_deleted(pages: &[Vec<u8>], row: u64) -> bool {
    let count = pages.len().max(1) as u64;
    let Some(page) = pages.get((row % count) as usize).filter(|page| page.len() >= TOMBSTONE_HEADER) else {
        return false;
    };
    if row == 0 {
        return page[1] != 0;
    }
    let width = if page[0] == 4 { 4 } else { 8 };
    let slots: Vec<&[u8]> = page[TOMBSTONE_HEADER..].chunks_exact(width).collect();
    let value = |slot: &[u8]| slot.iter().fold(0, |value: u64, byte| value << 8 | u64::from(*byte));
    let start = (row / count) as usize % slots.len().max(1);
    let probed = slots[start..].iter().chain(&slots[..start]).map(|slot| value(slot));
    probed.take_while(|value| *value != 0).any(|value| value == row)
}

/// SQLite's varints: seven bits a byte, most significant first, the high bit set on all but the last; a ninth byte has
/// eight.
struct Varints<'a> {
    rest: &'a [u8],
}

impl<'a> Varints<'a> {
    #[inline]
    fn read(&mut self) -> Result<u64, DecodeError> {
        if let [first, rest @ ..] = self.rest
            && *first < 0x80
        {
            self.rest = rest;
            return Ok(u64::from(*first));
        }
        let mut value = 0;
        for index in 0..9 {
            let (&byte, rest) = self.rest.split_first().ok_or(DecodeError::Truncated)?;
            self.rest = rest;
            if index == 8 {
                return Ok(value << 8 | u64::from(byte));
            }
            value = value << 7 | u64::from(byte & 0x7f);
            if byte < 0x80 {
                break;
            }
        }
        Ok(value)
    }

    fn take(&mut self, length: usize) -> Result<&'a [u8], DecodeError> {
        let (taken, rest) = self.rest.split_at_checked(length).ok_or(DecodeError::Truncated)?;
        self.rest = rest;
        Ok(taken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn varints_are_big_endian() {
        let bytes = [5, 0x81, 0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff];
        let mut reader = Varints { rest: &bytes };
        assert_eq!((reader.read(), reader.read(), reader.read()), (Ok(5), Ok(128), Ok(u64::MAX)));
        assert_eq!(reader.read(), Err(DecodeError::Truncated));
    }

    #[test]
    fn tombstones_are_probed_from_their_slot() {
        let slots = [7_u32, 0, 5, 9].map(u32::to_be_bytes).concat();
        let page = [&[4, 1, 0, 0, 0, 0, 0, 3][..], &slots].concat();
        let deleted: Vec<u64> = (0..12).filter(|row| is_deleted(std::slice::from_ref(&page), *row)).collect();
        // 9 % 4 is 1, whose slot is free: a hash table never has it elsewhere.
        assert_eq!(deleted, [0, 7]);
        assert!(!is_deleted(&[], 7));
    }

    #[test]
    fn damaged_pages_are_refused() {
        let mut doclist = Doclist::default();
        assert!(segments(&[0, 0, 0]).is_err() && segments(&[0, 0, 0, 0, 1, 1]).is_err());
        assert!(Doclist::find(&[0, 0, 0], b"0a").is_err() && doclist.extend(&[0, 9, 0, 200]).is_err());
        let beyond = Doclist { bytes: vec![1, 6, 1, 9, 2], ..Doclist::default() };
        assert_eq!(beyond.decode(|_, _| ()), Err(DecodeError::SearchColumn));
    }
}
