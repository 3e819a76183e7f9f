//! The files of a repository in which a name may be written: those that are indexed, those that were skipped, and those that are
//! no source of a known language. What cannot be searched is told, as it may have the name.

use std::collections::BTreeSet;
use std::ops::Range;

use super::{EngineError, Member};
use crate::engine::unread::{size_of, skipped_files, skipped_reason};
use crate::model::FileId;
use crate::scan::discover::other_files;
use crate::scan::read::MAX_FILE_BYTES;

/// Limit of the size of a file that is not indexed, unless it is source.
const MAX_OTHER_BYTES: u64 = 1 << 20;
/// Limit of the bytes of all source files that are larger, and limit of the files that a note names.
const MAX_LARGE_BYTES: u64 = 64 << 20;
const MAX_NAMED: usize = 3;

/// A file that is searched.
pub(super) struct SearchedFile {
    /// `None` if it is not indexed.
    pub id: Option<FileId>,
    pub path: String,
    pub max_bytes: u64,
}

/// The files that are searched for names.
#[derive(Default)]
pub(super) struct Searched {
    /// Those that are not indexed come last.
    pub files: Vec<SearchedFile>,
    /// Number of the indexed ones.
    pub indexed: usize,
    /// The source files that are too large to be searched, with the reasons why they are not indexed.
    unsearched: Vec<(String, &'static str)>,
}

impl Searched {
    /// Returns all files of a repository.
    pub fn all(member: &Member<'_>) -> Result<Searched, EngineError> {
        let indexed = member.reader.file_paths()?;
        let skipped = Searched::skipped(member)?;
        let mut others: BTreeSet<String> = member.reader.skips()?.into_iter().map(|skip| skip.path).collect();
        others.extend(other_files(member.root));
        for path in indexed.iter().map(|(_, path)| path).chain(skipped.files.iter().map(|file| &file.path)) {
            others.remove(path);
        }
        let count = indexed.len();
        let indexed = indexed.into_iter();
        let mut files: Vec<SearchedFile> =
            indexed.map(|(id, path)| SearchedFile { id: Some(id), path, max_bytes: MAX_FILE_BYTES }).collect();
        files.extend(skipped.files);
        files.extend(others.into_iter().map(|path| SearchedFile { id: None, path, max_bytes: MAX_OTHER_BYTES }));
        Ok(Searched { files, indexed: count, ..skipped })
    }

    /// Returns the source files of a repository that are not indexed.
    pub fn skipped(member: &Member<'_>) -> Result<Searched, EngineError> {
        let mut searched = Searched::default();
        let mut left = MAX_LARGE_BYTES;
        for skip in skipped_files(member.reader)? {
            let size = size_of(member.root, &skip);
            let cost = if size > MAX_OTHER_BYTES { size } else { 0 };
            match left.checked_sub(cost) {
                Some(rest) => {
                    left = rest;
                    searched.files.push(SearchedFile { id: None, path: skip.path, max_bytes: MAX_FILE_BYTES });
                }
                None => searched.unsearched.push((skip.path, skipped_reason(&skip.reason))),
            }
        }
        Ok(searched)
    }

    /// Returns a note on the source files that are not searched; `None` if all are.
    pub fn note(&self) -> Option<String> {
        let named = self.unsearched.iter().take(MAX_NAMED).map(|(path, reason)| format!("{path} (it {reason})"));
        let named = named.collect::<Vec<_>>().join(", ");
        match self.unsearched.len() {
            0 => None,
            1 => Some(format!("1 skipped file was not searched for the name: {named}")),
            count @ ..=MAX_NAMED => Some(format!("{count} skipped files were not searched for the name: {named}")),
            count => Some(format!("{count} skipped files were not searched for the name, the first are {named}")),
        }
    }
}

/// Ranges of bytes without overlaps, in order.
#[derive(Debug, Default)]
pub(super) struct Ranges(Vec<Range<usize>>);

impl FromIterator<Range<usize>> for Ranges {
    fn from_iter<I: IntoIterator<Item = Range<usize>>>(ranges: I) -> Ranges {
        let mut ranges: Vec<Range<usize>> = ranges.into_iter().collect();
        ranges.sort_by_key(|range| range.start);
        let mut joined: Vec<Range<usize>> = Vec::new();
        for range in ranges {
            match joined.last_mut().filter(|last| range.start <= last.end) {
                Some(last) => last.end = last.end.max(range.end),
                None => joined.push(range),
            }
        }
        Ranges(joined)
    }
}

impl Ranges {
    /// Returns whether a byte is in one of them.
    pub fn contain(&self, byte: usize) -> bool {
        let before = self.0.partition_point(|range| range.start <= byte);
        before.checked_sub(1).is_some_and(|last| self.0[last].contains(&byte))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_that_overlap_are_one() {
        let ranges: Ranges = [10..12, 0..4, 3..6, 6..8, 1..2].into_iter().collect();
        let inside: Vec<usize> = (0..14).filter(|byte| ranges.contain(*byte)).collect();
        assert_eq!(inside, [0, 1, 2, 3, 4, 5, 6, 7, 10, 11]);
        assert!(!Ranges::default().contain(0));
    }
}
