//! Compares the checkout with the store: files that are new, changed, removed, skipped or unchanged.

use std::collections::HashMap;

use rayon::ThreadPool;

use super::extract::{self, Outcome, ParsedFile};
use super::memory::Memory;
use super::report::{Clock, Listener, Phase};
use crate::lang::{Language, language_named};
use crate::resolve::input::Manifest;
use crate::scan::discover::DiscoveredFile;
use crate::scan::{Discovery, Repository, Skip, SkipReason, read_manifests};
use crate::store::{FileRow, SkipRow};

/// The files and skips of the checkout in an index.
pub(super) struct Stored<'a> {
    pub(super) files: Vec<FileRow>,
    pub(super) skips: &'a [SkipRow],
    /// Whether a file with the size and time of its row is as it was; otherwise its content must be looked at again,
    /// because other settings chose the files.
    pub(super) are_stamps_valid: bool,
}

/// The checkout's files by kind of change.
pub(super) struct Checkout {
    /// Files whose stored facts are current.
    pub(super) unchanged: Vec<UnchangedFile>,
    /// Files that are new or changed.
    pub(super) parsed: Vec<ParsedFile>,
    /// Rows whose size or time changed, but not the content. These files are also in `unchanged`.
    pub(super) touched: Vec<FileRow>,
    /// Rows of files that were deleted or are now skipped.
    pub(super) removed: Vec<FileRow>,
    pub(super) skips: Vec<SkipRow>,
    pub(super) manifests: Vec<Manifest>,
    pub(super) manifest_hashes: Vec<(String, [u8; 32])>,
}

impl Checkout {
    /// Returns whether a file is new, changed or removed.
    pub(super) fn has_changes(&self) -> bool {
        !self.parsed.is_empty() || !self.removed.is_empty()
    }

    /// Returns whether no file is indexed.
    pub(super) fn is_empty(&self) -> bool {
        self.unchanged.is_empty() && self.parsed.is_empty()
    }

    /// Returns whether there are files, and none that could not be read.
    pub(super) fn is_read(&self) -> bool {
        !self.is_empty() && self.skips.iter().all(|skip| skip.reason != SkipReason::Unreadable.name())
    }

    /// Reads and parses the files that differ from the `stored` rows and skips.
    pub(super) fn read(
        repository: &Repository,
        discovery: &Discovery,
        stored: Stored<'_>,
        started_ns: i64,
        (pool, memory): (&ThreadPool, &Memory),
        listener: &dyn Listener,
        clock: &mut Clock,
    ) -> Checkout {
        listener.found(&discovery.files);
        let (manifests, manifest_skips) = read_manifests(&repository.root, &discovery.manifests);
        let manifest_hashes = manifests.iter().map(|manifest| (manifest.path.clone(), hash_of(manifest))).collect();
        let plan = plan(discovery, stored);
        clock.end(Phase::Scan);
        let outcomes = pool.install(|| extract::extract(repository, plan.changed, started_ns, (memory, listener)));
        let mut checkout = Checkout {
            unchanged: plan.unchanged,
            parsed: Vec::new(),
            touched: Vec::new(),
            removed: plan.removed,
            skips: plan.skips,
            manifests,
            manifest_hashes,
        };
        checkout.skips.extend(manifest_skips.into_iter().map(unread_skip_row));
        for outcome in outcomes {
            match outcome {
                Outcome::Parsed(parsed) => checkout.parsed.push(*parsed),
                Outcome::Touched(row, language) => {
                    checkout.touched.push(row.clone());
                    checkout.unchanged.push(UnchangedFile { row, language });
                }
                Outcome::Skipped(skip, stored) => {
                    checkout.skips.push(skip);
                    checkout.removed.extend(stored);
                }
            }
        }
        checkout.skips.sort_unstable();
        checkout.skips.dedup_by(|one, two| one.path == two.path);
        clock.end(Phase::Parse);
        checkout
    }
}

/// A file to read: it is new, or its size or time differ from its row.
pub(super) struct ChangedFile {
    pub(super) found: DiscoveredFile,
    /// Its row, if it is in the store.
    pub(super) stored: Option<FileRow>,
}

/// A file whose size and time equal its row.
pub(super) struct UnchangedFile {
    pub(super) row: FileRow,
    pub(super) language: &'static Language,
}

/// The comparison of discovered files with rows, before any file is read.
pub(super) struct Plan {
    unchanged: Vec<UnchangedFile>,
    pub(super) changed: Vec<ChangedFile>,
    /// Rows of files that are not in the checkout.
    pub(super) removed: Vec<FileRow>,
    /// Files skipped without being read in this run: by discovery, or for their content in an earlier run.
    skips: Vec<SkipRow>,
}

/// Returns the row of a file that was skipped without being read.
fn unread_skip_row(skip: Skip) -> SkipRow {
    SkipRow { path: skip.path, reason: skip.reason.name().to_owned(), size: 0, mtime_ns: 0 }
}

/// Returns the hash of a manifest's text.
pub(super) fn hash_of(manifest: &Manifest) -> [u8; 32] {
    *blake3::hash(manifest.text.as_bytes()).as_bytes()
}

/// Compares the discovered files, which are sorted by path, with the stored rows.
pub(super) fn plan(discovery: &Discovery, stored: Stored<'_>) -> Plan {
    let Stored { mut files, skips, are_stamps_valid } = stored;
    files.sort_by(|one, two| one.path.cmp(&two.path));
    let mut stored = files.into_iter().peekable();
    let mut gone = Vec::new();
    let skipped_for_content: HashMap<&str, &SkipRow> =
        skips.iter().filter(|skip| skip.mtime_ns != 0).map(|skip| (skip.path.as_str(), skip)).collect();
    let mut plan = Plan { unchanged: Vec::new(), changed: Vec::new(), removed: Vec::new(), skips: Vec::new() };
    for found in &discovery.files {
        let is_same = |size: u64, mtime_ns: i64| {
            are_stamps_valid && size == found.size && mtime_ns == found.mtime_ns && mtime_ns != 0
        };
        while let Some(row) = stored.next_if(|row| row.path < found.path) {
            gone.push(row);
        }
        match stored.next_if(|row| row.path == found.path) {
            Some(row) if is_same(row.size, row.mtime_ns) && row.language == found.language.name => {
                plan.unchanged.push(UnchangedFile { row, language: found.language });
            }
            Some(row) => plan.changed.push(ChangedFile { found: found.clone(), stored: Some(row) }),
            None => match skipped_for_content.get(found.path.as_str()) {
                Some(skip) if is_same(skip.size, skip.mtime_ns) => plan.skips.push((*skip).clone()),
                _ => plan.changed.push(ChangedFile { found: found.clone(), stored: None }),
            },
        }
    }
    // Files of a folder that can't be listed may still exist.
    let is_unlistable = |skip: &&Skip| skip.reason == SkipReason::Unreadable && skip.path.ends_with('/');
    let unlistable: Vec<&str> = discovery.skips.iter().filter(is_unlistable).map(|skip| skip.path.as_str()).collect();
    gone.extend(stored);
    for row in gone {
        match language_named(&row.language).filter(|_| unlistable.iter().any(|folder| row.path.starts_with(folder))) {
            Some(language) => plan.unchanged.push(UnchangedFile { row, language }),
            None => plan.removed.push(row),
        }
    }
    plan.skips.extend(discovery.skips.iter().cloned().map(unread_skip_row));
    plan
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_an_unlistable_folder_are_unchanged() {
        let row = |path: &str| FileRow {
            id: crate::model::FileId::new(1),
            path: path.to_owned(),
            language: "python".to_owned(),
            size: 1,
            mtime_ns: 1,
            content_hash: [0; 32],
        };
        let skips = vec![Skip { path: "closed/".to_owned(), reason: SkipReason::Unreadable }];
        let discovery = Discovery { skips, ..Discovery::default() };
        let files = vec![row("closed/deep/a.py"), row("gone/b.py"), row("closed.py")];
        let plan = plan(&discovery, Stored { files, skips: &[], are_stamps_valid: true });
        let paths = |rows: &mut dyn Iterator<Item = &FileRow>| rows.map(|row| row.path.clone()).collect::<Vec<_>>();
        assert_eq!(paths(&mut plan.unchanged.iter().map(|unchanged| &unchanged.row)), ["closed/deep/a.py"]);
        assert_eq!(paths(&mut plan.removed.iter()), ["closed.py", "gone/b.py"]);
    }
}
