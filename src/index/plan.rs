//! Compares the checkout with the store: which files are new, changed, gone or as they were.

use std::collections::HashMap;

use crate::lang::{Language, language_named};
use crate::scan::discover::{DiscoveredFile, Discovery};
use crate::scan::{Skip, SkipReason};
use crate::store::{FileRow, SkipRow};

/// A file to be read: it is new, or its size or time differ.
pub(super) struct Candidate {
    pub(super) found: DiscoveredFile,
    /// Its row when the store has it.
    pub(super) known: Option<FileRow>,
}

/// A file that is as the store knows it.
pub(super) struct Kept {
    pub(super) row: FileRow,
    pub(super) language: &'static Language,
}

/// What is to be done.
pub(super) struct Plan {
    pub(super) kept: Vec<Kept>,
    pub(super) candidates: Vec<Candidate>,
    /// Files that the store has and the checkout has not.
    pub(super) removed: Vec<FileRow>,
    /// Files left out without being read now: by discovery, or for their content at an earlier run.
    pub(super) skips: Vec<SkipRow>,
}

/// The row of a file that was left out without being read.
pub(super) fn unread(skip: Skip) -> SkipRow {
    SkipRow { path: skip.path, reason: skip.reason.name().to_owned(), size: 0, mtime_ns: 0 }
}

/// Sorts what was found.
pub(super) fn plan(discovery: Discovery, known: Vec<FileRow>, known_skips: &[SkipRow]) -> Plan {
    let mut known: HashMap<String, FileRow> = known.into_iter().map(|row| (row.path.clone(), row)).collect();
    let by_content: HashMap<&str, &SkipRow> =
        known_skips.iter().filter(|skip| skip.mtime_ns != 0).map(|skip| (skip.path.as_str(), skip)).collect();
    let mut plan = Plan { kept: Vec::new(), candidates: Vec::new(), removed: Vec::new(), skips: Vec::new() };
    for found in discovery.files {
        let same_time = |size: u64, mtime_ns: i64| size == found.size && mtime_ns == found.mtime_ns && mtime_ns != 0;
        match known.remove(&found.path) {
            Some(row) if same_time(row.size, row.mtime_ns) && row.language == found.language.name => {
                plan.kept.push(Kept { row, language: found.language });
            }
            Some(row) => plan.candidates.push(Candidate { found, known: Some(row) }),
            None => match by_content.get(found.path.as_str()) {
                Some(skip) if same_time(skip.size, skip.mtime_ns) => plan.skips.push((*skip).clone()),
                _ => plan.candidates.push(Candidate { found, known: None }),
            },
        }
    }
    // What can't be listed now may be there all the same.
    let is_closed = |skip: &&Skip| skip.reason == SkipReason::Unreadable && skip.path.ends_with('/');
    let closed: Vec<&str> = discovery.skips.iter().filter(is_closed).map(|skip| skip.path.as_str()).collect();
    for row in known.into_values() {
        match language_named(&row.language).filter(|_| closed.iter().any(|folder| row.path.starts_with(folder))) {
            Some(language) => plan.kept.push(Kept { row, language }),
            None => plan.removed.push(row),
        }
    }
    plan.skips.extend(discovery.skips.into_iter().map(unread));
    plan.removed.sort_by(|one, two| one.path.cmp(&two.path));
    plan
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_in_a_folder_that_can_not_be_listed_is_kept() {
        let row = |path: &str| FileRow {
            id: 1,
            path: path.to_owned(),
            language: "python".to_owned(),
            size: 1,
            mtime_ns: 1,
            content_hash: [0; 32],
        };
        let skips = vec![Skip { path: "closed/".to_owned(), reason: SkipReason::Unreadable }];
        let discovery = Discovery { skips, ..Discovery::default() };
        let plan = plan(discovery, vec![row("closed/deep/a.py"), row("gone/b.py"), row("closed.py")], &[]);
        let paths = |rows: &mut dyn Iterator<Item = &FileRow>| rows.map(|row| row.path.clone()).collect::<Vec<_>>();
        assert_eq!(paths(&mut plan.kept.iter().map(|kept| &kept.row)), ["closed/deep/a.py"]);
        assert_eq!(paths(&mut plan.removed.iter()), ["closed.py", "gone/b.py"]);
    }
}
