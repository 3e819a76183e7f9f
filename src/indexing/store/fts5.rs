//! The storage of FTS5: segments, doclists and tombstones, in the tables behind the search index.
//!
//! # Why
//!
//! FTS5's own table of terms returns a row for each occurrence, and takes ten times as long as decoding the doclists
//! once. The format is part of SQLite's file format and described at the top of `fts5_index.c`.

use super::error::DecodeError;

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

/// Returns what the terms of the index begin with that begin with a text.
pub(super) fn key(start: &str) -> Vec<u8> {
    [&[MAIN_INDEX], start.as_bytes()].concat()
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

/// Reads the doclists of the terms with the same start from consecutive pages of a segment.
#[derive(Debug)]
pub(super) struct Scan<'a> {
    start: &'a [u8],
    /// The rest of each term, with its doclist.
    found: Vec<(Vec<u8>, Doclist)>,
    /// Whether the next page may continue the last doclist.
    is_open: bool,
}

impl<'a> Scan<'a> {
    /// Begins with the page on which the first of these terms would be.
    pub(super) fn new(start: &'a [u8]) -> Scan<'a> {
        Scan { start, found: Vec::new(), is_open: false }
    }

    /// Reads the next page; returns whether the one after it can have more.
    pub(super) fn read(&mut self, block: &[u8]) -> Result<bool, DecodeError> {
        let leaf = Leaf::new(block)?;
        let mut ends = leaf.term_offsets()?;
        if let (true, Some((_, doclist))) = (self.is_open, self.found.last_mut()) {
            doclist.extend(&leaf, ends.first().copied())?;
        }
        ends.push(leaf.content.len());
        let mut term: Vec<u8> = Vec::new();
        for (index, bounds) in ends.windows(2).enumerate() {
            let mut reader = Varints { rest: leaf.content.get(bounds[0]..bounds[1]).ok_or(DecodeError::Truncated)? };
            let shared = if index == 0 { 0 } else { reader.read()? as usize };
            let added = reader.read()? as usize;
            term.truncate(shared);
            term.extend(reader.take(added)?);
            let rest = term.strip_prefix(self.start);
            if rest.is_none() && term.as_slice() > self.start {
                return Ok(false);
            }
            self.is_open = rest.is_some();
            let doclist = |rest: &[u8]| (rest.to_vec(), Doclist { bytes: reader.rest.to_vec(), absolute: Vec::new() });
            self.found.extend(rest.map(doclist));
        }
        Ok(true)
    }

    /// Returns the rest of each term, with its doclist.
    pub(super) fn found(self) -> Vec<(Vec<u8>, Doclist)> {
        self.found
    }
}

/// The rows with a term in one segment.
#[derive(Debug, Default)]
pub(super) struct Doclist {
    /// The parts on all pages, without their headers.
    bytes: Vec<u8>,
    /// Offsets at which a page begins with the number of a row instead of a difference.
    absolute: Vec<usize>,
}

impl Doclist {
    /// Adds the part on a page, which ends at its first term.
    fn extend(&mut self, leaf: &Leaf<'_>, first_term: Option<usize>) -> Result<(), DecodeError> {
        if let Some(start) = leaf.first_row.checked_sub(LEAF_HEADER) {
            self.absolute.push(self.bytes.len() + start);
        }
        let end = first_term.unwrap_or(leaf.content.len());
        self.bytes.extend(leaf.content.get(LEAF_HEADER..end).ok_or(DecodeError::Truncated)?);
        Ok(())
    }

    /// Calls `visit` with each row, ascending.
    pub(super) fn decode(&self, mut visit: impl FnMut(u64)) -> Result<(), DecodeError> {
        let mut reader = Varints { rest: &self.bytes };
        let mut absolute = self.absolute.iter().copied().peekable();
        let mut row: Option<u64> = None;
        while !reader.rest.is_empty() {
            let start = self.bytes.len() - reader.rest.len();
            let step = reader.read()?;
            let next = match row {
                Some(row) if absolute.next_if_eq(&start).is_none() => row.wrapping_add(step),
                _ => step,
            };
            if row.is_some_and(|row| row >= next) {
                return Err(DecodeError::NodeId);
            }
            visit(next);
            row = Some(next);
        }
        Ok(())
    }
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
    let slots = page[TOMBSTONE_HEADER..].chunks_exact(width);
    let value = |slot: &[u8]| slot.iter().fold(0, |value: u64, byte| value << 8 | u64::from(*byte));
    let start = (row / count) as usize % slots.len().max(1);
    let probed = slots.clone().skip(start).chain(slots.take(start)).map(value);
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
        assert!(segments(&[0, 0, 0]).is_err() && segments(&[0, 0, 0, 0, 1, 1]).is_err());
        assert!(Scan::new(b"0a").read(&[0, 0, 0]).is_err() && Scan::new(b"0a").read(&[0, 9, 0, 200]).is_err());
        let twice = Doclist { bytes: vec![7, 1, 0], absolute: Vec::new() };
        assert_eq!(twice.decode(|_| ()), Err(DecodeError::NodeId));
        let backwards = Doclist { bytes: vec![7, 6], absolute: vec![1] };
        assert_eq!(backwards.decode(|_| ()), Err(DecodeError::NodeId));
    }
}
