//! Per-file text kept for incremental updates.

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::file_set::Entry;
use crate::store::SearchRow;

/// The text of a file that only search and display read, kept apart from the input of resolution.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct FileTexts {
    pub(super) file_doc: String,
    /// Doc comment of each definition.
    pub(super) docs: Vec<String>,
    /// Body text of each definition.
    pub(super) bodies: Vec<String>,
}

/// The stored texts of a file.
///
/// Texts of definitions are read again only where a change in another file can change their node ids or pair them with
/// others: in packages of several files, which only Go has. Other files are parsed again when they change.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct StoredTexts {
    pub(super) texts: FileTexts,
    /// Fingerprint of each definition's search row, whose text is not stored.
    pub(super) fingerprints: Vec<u64>,
}

impl StoredTexts {
    /// Selects the texts of `entry` that must be stored.
    pub(super) fn new(entry: &Entry, texts: &FileTexts, search: &[SearchRow]) -> StoredTexts {
        let is_alone = entry.package() == entry.row.path;
        let texts = match is_alone {
            true => FileTexts { file_doc: texts.file_doc.clone(), ..FileTexts::default() },
            false => texts.clone(),
        };
        StoredTexts { texts, fingerprints: search.iter().map(fingerprint).collect() }
    }
}

/// Returns a hash of the row's columns.
pub(super) fn fingerprint(row: &SearchRow) -> u64 {
    row.columns.iter().fold(0, |before, column| xxh3_64_with_seed(column.as_bytes(), before))
}
