//! The files that a run did not read, besides the files that it skipped one by one: files without a grammar, files that rules leave
//! out, and, when nothing is indexed, the census of the checkout. Stored with the index, so that every client can tell.

use serde::{Deserialize, Serialize};

use crate::lang::known::{ExtensionCounts, language_without_grammar};
use crate::scan::{Census, Discovery, Omission};
use crate::store::{Reader, StoreError, Writer};

/// Key in `meta` of the value.
const UNREAD: &str = "unread";
/// Maximum number of omissions that are stored.
const MAX_OMISSIONS: usize = 500;

/// The files that a run did not read, besides the skips.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Unread {
    /// Source files of languages that are not supported, by extension.
    without_grammar: ExtensionCounts,
    /// The first folders and files, by path, that ignore rules and settings leave out.
    pub omissions: Vec<Omission>,
    /// Number of all of them.
    pub omission_count: u64,
    /// `None` when a file is indexed.
    pub census: Option<Census>,
    /// The limit of the size of a file.
    pub max_file_bytes: u64,
}

/// Source files of one extension that were not understood, because no grammar reads them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilesWithoutGrammar {
    /// Without the dot.
    pub extension: String,
    pub language: &'static str,
    pub files: u64,
}

impl Unread {
    /// Returns what a walk of the checkout at `root` left out, without the census.
    pub(super) fn new(discovery: &Discovery) -> Unread {
        Unread {
            without_grammar: discovery.without_grammar.clone(),
            omissions: discovery.omissions.iter().take(MAX_OMISSIONS).cloned().collect(),
            omission_count: discovery.omissions.len() as u64,
            census: None,
            max_file_bytes: discovery.settings.max_file_bytes(),
        }
    }

    /// Returns whether the stored value differs.
    ///
    /// # Errors
    /// When the store can't be read.
    pub(super) fn is_changed(&self, reader: &Reader) -> Result<bool, StoreError> {
        Ok(reader.meta(UNREAD)?.as_deref() != Some(&self.to_text()))
    }

    /// Stores the value.
    ///
    /// # Errors
    /// When the store can't be written.
    pub(super) fn write(&self, writer: &mut Writer) -> Result<(), StoreError> {
        writer.set_meta(UNREAD, &self.to_text())
    }

    /// Reads the stored value.
    ///
    /// # Errors
    /// When the store can't be read or the value is damaged.
    pub fn read(reader: &Reader) -> Result<Unread, StoreError> {
        let Some(text) = reader.meta(UNREAD)? else { return Ok(Unread::default()) };
        serde_json::from_str(&text)
            .map_err(|error| StoreError::Facts { path: reader.path().to_owned(), detail: error.to_string() })
    }

    fn to_text(&self) -> String {
        // Numbers, texts and lists of them are always representable.
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// Returns the files without a grammar by extension, most files first. Extensions that a language of this version reads
/// are left out: an index made by an earlier version may have counted them.
///
/// # Errors
/// Those of [`Unread::read`].
pub fn files_without_grammar(reader: &Reader) -> Result<Vec<FilesWithoutGrammar>, StoreError> {
    let mut list: Vec<FilesWithoutGrammar> = (Unread::read(reader)?.without_grammar.into_iter())
        .filter_map(|(extension, files)| {
            let language = language_without_grammar(&extension)?;
            Some(FilesWithoutGrammar { extension, language, files })
        })
        .collect();
    list.sort_by(|one, two| two.files.cmp(&one.files).then_with(|| one.extension.cmp(&two.extension)));
    Ok(list)
}
