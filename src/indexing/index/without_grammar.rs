//! Counts of the source files that no registered language reads, stored with the index.

use crate::lang::known::{ExtensionCounts, language_without_grammar};
use crate::store::{Reader, StoreError, Writer};

/// Key in `meta` of the counts by extension.
const WITHOUT_GRAMMAR: &str = "without_grammar";

/// Source files of one extension that were not understood, because no grammar reads them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilesWithoutGrammar {
    /// Without the dot.
    pub extension: String,
    pub language: &'static str,
    pub files: u64,
}

/// Returns whether these counts differ from the stored ones.
///
/// # Errors
/// When the store can't be read, as for every function of this file.
pub(super) fn is_changed(counts: &ExtensionCounts, reader: &Reader) -> Result<bool, StoreError> {
    Ok(stored(reader)? != *counts)
}

/// Stores the counts.
pub(super) fn write(counts: &ExtensionCounts, writer: &mut Writer) -> Result<(), StoreError> {
    writer.set_meta(WITHOUT_GRAMMAR, &serde_json::to_string(counts).unwrap_or_default())
}

fn stored(reader: &Reader) -> Result<ExtensionCounts, StoreError> {
    let text = reader.meta(WITHOUT_GRAMMAR)?;
    Ok(text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default())
}

/// Returns the files without a grammar by extension, most files first. Extensions that a language of this version reads
/// are left out: an index made by an earlier version may have counted them.
pub fn files_without_grammar(reader: &Reader) -> Result<Vec<FilesWithoutGrammar>, StoreError> {
    let mut list: Vec<FilesWithoutGrammar> = (stored(reader)?.into_iter())
        .filter_map(|(extension, files)| {
            let language = language_without_grammar(&extension)?;
            Some(FilesWithoutGrammar { extension, language, files })
        })
        .collect();
    list.sort_by(|one, two| two.files.cmp(&one.files).then_with(|| one.extension.cmp(&two.extension)));
    Ok(list)
}
