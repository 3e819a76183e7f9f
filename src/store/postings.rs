//! The inverted index term by term: where each term stands, and how long each field of a symbol is.

use super::error::{SqlContext, StoreError};
use super::read::{Reader, bad_column};
use super::rows::{SEARCH_COLUMNS, SearchColumn};
use crate::rank::bm25f::Posting;

impl Reader {
    /// The symbols that have exactly this term, with its frequency in each column, by symbol. Nothing when more than
    /// `most` symbols have it: such a term tells them apart from none.
    ///
    /// # Errors
    /// When the database can't be read; likewise for every function here.
    pub fn postings(&self, term: &str, most: usize) -> Result<Vec<Posting>, StoreError> {
        let mut statement = self.connection.prepare_cached(sql!("postings")).at(&self.path)?;
        let mut rows = statement.query([term]).at(&self.path)?;
        let mut found: Vec<Posting> = Vec::new();
        while let Some(row) = rows.next().at(&self.path)? {
            let document: u32 = row.get(0).at(&self.path)?;
            let column =
                row.get_ref(1).at(&self.path)?.as_str().map_err(|_| bad_column(1, "a column's name")).at(&self.path)?;
            let column = SearchColumn::named(column).ok_or_else(|| bad_column(1, "an unknown column")).at(&self.path)?;
            if found.last().is_none_or(|posting| posting.document != document) {
                if found.len() == most {
                    return Ok(Vec::new());
                }
                found.push(Posting { document, frequencies: [0; SEARCH_COLUMNS] });
            }
            if let Some(posting) = found.last_mut() {
                let frequency = &mut posting.frequencies[column as usize];
                *frequency = frequency.saturating_add(1);
            }
        }
        Ok(found)
    }

    /// How many terms each column of every symbol has, by node number; zeros where there is no symbol.
    pub fn field_lengths(&self) -> Result<Vec<[u32; SEARCH_COLUMNS]>, StoreError> {
        let mut statement = self.connection.prepare_cached(sql!("field_lengths")).at(&self.path)?;
        let mut rows = statement.query([]).at(&self.path)?;
        let mut lengths = vec![[0; SEARCH_COLUMNS]; self.node_capacity()? as usize];
        while let Some(row) = rows.next().at(&self.path)? {
            let node: u32 = row.get(0).at(&self.path)?;
            let sizes = row.get_ref(1).at(&self.path)?.as_blob().map_err(|_| bad_column(1, "sizes")).at(&self.path)?;
            if let Some(slot) = lengths.get_mut(node as usize) {
                *slot = varints(sizes);
            }
        }
        Ok(lengths)
    }

    /// The path of a symbol's file and the symbol's name.
    pub fn file_and_name(&self, node: u32) -> Result<Option<(String, String)>, StoreError> {
        self.maybe(sql!("file_and_name"), [node], |row| Ok((row.get(0)?, row.get(1)?)))
    }
}

/// Decodes SQLite's variable-length integers: seven bits a byte, the high bit set where more follow.
fn varints(bytes: &[u8]) -> [u32; SEARCH_COLUMNS] {
    let mut values = [0; SEARCH_COLUMNS];
    let mut rest = bytes.iter();
    for value in &mut values {
        for byte in rest.by_ref() {
            *value = (*value << 7) | u32::from(byte & 0x7f);
            if byte & 0x80 == 0 {
                break;
            }
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::varints;

    #[test]
    fn long_numbers_take_several_bytes() {
        assert_eq!(varints(&[3, 0x81, 0x00, 7]), [3, 128, 7, 0, 0, 0, 0, 0]);
    }
}
