//! What of a file's words a later run can need.

use serde::{Deserialize, Serialize};

use super::catalog::Entry;
use super::extract::FileTexts;
use crate::store::SearchRow;

/// The words of a file as they are stored.
///
/// Words of definitions are read again only where a change in another file can renumber these definitions or pair them
/// with others: in places of several files, which only Go has. Elsewhere the file that changed is parsed again anyway.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct StoredTexts {
    pub(super) texts: FileTexts,
    /// Of the search row of each definition, whose text is not kept.
    pub(super) fingerprints: Vec<u64>,
}

impl StoredTexts {
    /// What is to be kept of the words of `entry`, which has these search rows.
    pub(super) fn new(entry: &Entry, texts: &FileTexts, search: &[SearchRow]) -> StoredTexts {
        let is_alone = entry.place() == entry.row.path;
        let texts = match is_alone {
            true => FileTexts { file_doc: texts.file_doc.clone(), ..FileTexts::default() },
            false => texts.clone(),
        };
        StoredTexts { texts, fingerprints: search.iter().map(fingerprint).collect() }
    }
}

/// Equal for equal columns, and practically only for those.
pub(super) fn fingerprint(row: &SearchRow) -> u64 {
    let mut hash = blake3::Hasher::new();
    for column in &row.columns {
        hash.update(&(column.len() as u64).to_le_bytes());
        hash.update(column.as_bytes());
    }
    hash.finalize().as_bytes().first_chunk().copied().map_or(0, u64::from_le_bytes)
}
