//! Keeps the documents of the index as those of the checkout. A document depends on no other file, so an update replaces
//! those that changed.

use std::collections::HashMap;
use std::path::Path;

use rayon::ThreadPool;
use rayon::prelude::*;

use crate::documents::{Section, sections};
use crate::scan::SkipReason;
use crate::scan::discover::{DiscoveredDocument, RACY_NS};
use crate::store::{DocumentRow, Reader, StoreError, Writer};

/// The differences between the documents of the checkout and those of the index.
#[derive(Debug, Default, PartialEq)]
pub(super) struct DocumentChanges {
    /// New and changed ones with their sections.
    changed: Vec<(DocumentRow, Vec<Section>)>,
    /// Those of which only size or time changed.
    touched: Vec<DocumentRow>,
    removed: Vec<i64>,
    /// Whether one could not be read.
    has_unreadable: bool,
}

/// A document of the checkout that may differ from the stored one.
struct Candidate<'a> {
    found: &'a DiscoveredDocument,
    stored: Option<DocumentRow>,
}

/// Returns the documents whose size and time differ from those stored, and the ids of those that are gone.
fn candidates<'a>(
    found: &'a [DiscoveredDocument],
    reader: &Reader,
) -> Result<(Vec<Candidate<'a>>, Vec<i64>), StoreError> {
    let stored = reader.documents()?.into_iter().map(|row| (row.path.clone(), row));
    let mut stored: HashMap<String, DocumentRow> = stored.collect();
    let mut candidates = Vec::new();
    for document in found {
        match stored.remove(&document.path) {
            Some(row) if row.size == document.size && row.mtime_ns == document.mtime_ns && row.mtime_ns != 0 => (),
            row => candidates.push(Candidate { found: document, stored: row }),
        }
    }
    let mut removed: Vec<i64> = stored.into_values().map(|row| row.id).collect();
    removed.sort_unstable();
    Ok((candidates, removed))
}

impl DocumentChanges {
    /// Reads the documents that may have changed. `started_ns` is the start of the run. A document that can't be read, or is
    /// no text, has no sections.
    pub(super) fn read(
        root: &Path,
        found: &[DiscoveredDocument],
        reader: &Reader,
        started_ns: i64,
        pool: &ThreadPool,
    ) -> Result<DocumentChanges, StoreError> {
        let (candidates, removed) = candidates(found, reader)?;
        let read = |Candidate { found, stored }: Candidate<'_>| {
            let content = crate::scan::read(root, &found.path);
            let is_unreadable = content == Err(SkipReason::Unreadable);
            let content = content.ok();
            // A file modified this recently may change again within the clock's resolution, so its time is not trusted.
            let is_sure = content.is_some() && found.mtime_ns.saturating_add(RACY_NS) < started_ns;
            let row = DocumentRow {
                id: stored.as_ref().map_or(0, |row| row.id),
                path: found.path.clone(),
                size: found.size,
                mtime_ns: if is_sure { found.mtime_ns } else { 0 },
                content_hash: content.as_ref().map_or([0; 32], |content| content.hash),
            };
            match stored {
                Some(stored) if stored.content_hash == row.content_hash => (row, None, stored.mtime_ns, is_unreadable),
                _ => {
                    let text = content.map(|content| content.text).unwrap_or_default();
                    let sections = sections(&found.path, &text);
                    (row, Some(sections), 0, is_unreadable)
                }
            }
        };
        let read: Vec<_> = pool.install(|| candidates.into_par_iter().map(read).collect());
        let mut changes = DocumentChanges { removed, ..DocumentChanges::default() };
        for (row, sections, stored_mtime, is_unreadable) in read {
            changes.has_unreadable |= is_unreadable;
            match sections {
                Some(sections) => changes.changed.push((row, sections)),
                // One whose time is never sure would be written in every run.
                None if row.mtime_ns != stored_mtime => changes.touched.push(row),
                None => (),
            }
        }
        Ok(changes)
    }

    /// Returns whether an answer may differ.
    pub(super) fn change_answers(&self) -> bool {
        !self.changed.is_empty() || !self.removed.is_empty()
    }

    /// Returns whether all could be read.
    pub(super) fn are_read(&self) -> bool {
        !self.has_unreadable
    }

    /// Returns whether there is anything to write.
    pub(super) fn is_empty(&self) -> bool {
        self.changed.is_empty() && self.touched.is_empty() && self.removed.is_empty()
    }

    /// Writes the changes.
    pub(super) fn write(&self, writer: &mut Writer) -> Result<(), StoreError> {
        self.removed.iter().try_for_each(|id| writer.delete_document(*id))?;
        self.touched.iter().try_for_each(|row| writer.touch_document(row))?;
        self.changed.iter().try_for_each(|(row, sections)| writer.put_document(row, sections))
    }
}

/// Returns the numbers of documents that changed, are new, and are gone. Writes nothing.
pub(super) fn differences(
    root: &Path,
    found: &[DiscoveredDocument],
    reader: &Reader,
) -> Result<[usize; 3], StoreError> {
    let (candidates, removed) = candidates(found, reader)?;
    let (mut changed, mut new) = (0, 0);
    for Candidate { found, stored } in candidates {
        let hash = crate::scan::read(root, &found.path).map_or([0; 32], |content| content.hash);
        match stored {
            Some(stored) => changed += usize::from(stored.content_hash != hash),
            None => new += 1,
        }
    }
    Ok([changed, new, removed.len()])
}
