//! The source text of definitions, as it was indexed.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use super::source;
use crate::model::{MissingSource, Symbol};
use crate::store::{Reader, StoreError};

/// Limit of a column. A number of up to three digits is one token, so columns do not affect the size of a pack.
const MAX_COLUMN: u32 = 999;

/// A reader of the source text of definitions. Reads each file once. A file that has changed since it was indexed has
/// no source, because its spans are not valid.
pub struct Bodies<'a> {
    /// Each repository's index and root.
    repositories: Vec<(&'a Reader, &'a Path)>,
    /// By the repository's position and the path.
    contents: HashMap<(usize, String), Option<String>>,
    missing: BTreeMap<(usize, String), String>,
}

impl<'a> Bodies<'a> {
    /// Creates a reader of the symbols of `reader` with their files below `root`.
    pub fn new(reader: &'a Reader, root: &'a Path) -> Bodies<'a> {
        Bodies::across(vec![(reader, root)])
    }

    /// Creates a reader of the symbols of several repositories, each with its index and its root.
    pub fn across(repositories: Vec<(&'a Reader, &'a Path)>) -> Bodies<'a> {
        Bodies { repositories, contents: HashMap::new(), missing: BTreeMap::new() }
    }

    /// Returns the column of a symbol's name in its line, in bytes from 1; the first column of text if the name is not
    /// in the line; `None` where [`Bodies::body`] has no source.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn column(&mut self, symbol: &Symbol) -> Result<Option<u32>, StoreError> {
        let Some(text) = self.text(symbol)? else { return Ok(None) };
        let line = text.split('\n').nth((symbol.span.name_line as usize).saturating_sub(1)).unwrap_or_default();
        let indent = line.len() - line.trim_start().len();
        let column = name_index(line, &symbol.name).unwrap_or(indent) + 1;
        Ok(Some(u32::try_from(column).unwrap_or(MAX_COLUMN).min(MAX_COLUMN)))
    }

    /// Returns a symbol's source; `None` for a symbol without a file, or with one that [`Bodies::missing`] reports.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn body(&mut self, symbol: &Symbol) -> Result<Option<String>, StoreError> {
        let span = symbol.span.start_byte as usize..symbol.span.end_byte as usize;
        Ok(self.text(symbol)?.and_then(|text| text.get(span)).map(str::to_owned))
    }

    /// Returns a symbol's source with the indentation of its first line, as [`Bodies::body`] otherwise.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn indented_body(&mut self, symbol: &Symbol) -> Result<Option<String>, StoreError> {
        let body = self.body(symbol)?;
        let before = self.text(symbol)?.and_then(|text| text.get(..symbol.span.start_byte as usize));
        let line = before.map(|before| before.rsplit('\n').next().unwrap_or_default());
        let indent = line.filter(|line| line.trim().is_empty());
        Ok(body.map(|body| format!("{}{body}", indent.unwrap_or_default())))
    }

    /// Returns the text of a symbol's file, if it has one that is unchanged.
    fn text(&mut self, symbol: &Symbol) -> Result<Option<&String>, StoreError> {
        if symbol.file.is_empty() {
            return Ok(None);
        }
        let own = |(reader, _): &(&Reader, &Path)| reader.repository() == symbol.repository();
        let key = (self.repositories.iter().position(own).unwrap_or(0), symbol.file.clone());
        if !self.contents.contains_key(&key) {
            let content = self.content(&key)?;
            self.contents.insert(key.clone(), content);
        }
        Ok(self.contents.get(&key).and_then(Option::as_ref))
    }

    fn content(&mut self, key: &(usize, String)) -> Result<Option<String>, StoreError> {
        let ((reader, root), file) = (self.repositories[key.0], &key.1);
        let indexed = reader.content_hash(file)?;
        let reason = match source::read(root, file) {
            Ok(content) if indexed == Some(content.hash) => return Ok(Some(content.text)),
            Ok(_) => format!("{file} has changed since it was indexed"),
            Err(error) => error.to_string(),
        };
        self.missing.insert(key.clone(), reason);
        Ok(None)
    }

    /// Returns the requested files that are missing or have changed, sorted by name.
    pub fn missing(self) -> Vec<MissingSource> {
        self.missing.into_iter().map(|((_, file), reason)| MissingSource { file, reason }).collect()
    }
}

/// Returns the byte at which a line has `name` as a whole identifier.
fn name_index(line: &str, name: &str) -> Option<usize> {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    line.match_indices(name).map(|(index, _)| index).find(|index| {
        let (before, after) = (&line[..*index], &line[index + name.len()..]);
        !before.ends_with(is_part) && !after.starts_with(is_part)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn name_is_found_as_a_whole_identifier() {
        assert_eq!(name_index("    def run_all(run):", "run"), Some(16));
        assert_eq!(name_index("fn é_run() run", "run"), Some(12));
        assert_eq!(name_index("export default () => 1", "default_1"), None);
    }
}
