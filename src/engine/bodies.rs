//! The source text of definitions, as it was indexed.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use super::source;
use crate::model::{MissingSource, Symbol};
use crate::store::{Reader, StoreError};

/// A reader of the source text of definitions. Reads each file once. A file that has changed since it was indexed has
/// no source, because its spans are not valid.
pub struct Bodies<'a> {
    reader: &'a Reader,
    root: &'a Path,
    contents: HashMap<String, Option<Vec<u8>>>,
    missing: BTreeMap<String, String>,
}

impl<'a> Bodies<'a> {
    /// Creates a reader of the symbols of `reader` with their files below `root`.
    pub fn new(reader: &'a Reader, root: &'a Path) -> Bodies<'a> {
        Bodies { reader, root, contents: HashMap::new(), missing: BTreeMap::new() }
    }

    /// Returns a symbol's source; `None` for a symbol without a file, or with one that [`Bodies::missing`] reports.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn body(&mut self, symbol: &Symbol) -> Result<Option<String>, StoreError> {
        if symbol.file.is_empty() {
            return Ok(None);
        }
        if !self.contents.contains_key(&symbol.file) {
            let content = self.content(&symbol.file)?;
            self.contents.insert(symbol.file.clone(), content);
        }
        let bytes = self.contents.get(&symbol.file).and_then(Option::as_ref);
        let span = symbol.span.start_byte as usize..symbol.span.end_byte as usize;
        Ok(bytes.and_then(|bytes| bytes.get(span)).map(|text| String::from_utf8_lossy(text).into_owned()))
    }

    fn content(&mut self, file: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let indexed = self.reader.content_hash(file)?;
        let reason = match source::read(self.root, file) {
            Ok(bytes) if indexed == Some(*blake3::hash(&bytes).as_bytes()) => return Ok(Some(bytes)),
            Ok(_) => format!("{file} has changed since it was indexed"),
            Err(error) => error.to_string(),
        };
        self.missing.insert(file.to_owned(), reason);
        Ok(None)
    }

    /// Returns the requested files that are missing or have changed, sorted by name.
    pub fn missing(self) -> Vec<MissingSource> {
        self.missing.into_iter().map(|(file, reason)| MissingSource { file, reason }).collect()
    }
}
