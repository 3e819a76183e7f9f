//! The inverted index term by term: where each term stands.

use super::error::{SqlContext, StoreError};
use super::read::{Reader, bad_column};
use super::rows::{SEARCH_COLUMNS, SearchColumn};
use super::symbols::MOST_NODES;
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
            if document >= MOST_NODES {
                return Err(bad_column(0, "the number of a symbol is out of range")).at(&self.path);
            }
            let name = row.get_ref(1).at(&self.path)?.as_bytes().unwrap_or_default();
            let column = SearchColumn::named(name).ok_or_else(|| bad_column(1, "an unknown column")).at(&self.path)?;
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

    /// True when a symbol has exactly this term.
    pub fn has_term(&self, term: &str) -> Result<bool, StoreError> {
        let mut statement = self.connection.prepare_cached(sql!("postings")).at(&self.path)?;
        statement.exists([term]).at(&self.path)
    }

    /// The path of a symbol's file, the symbol's scope and its name.
    pub fn name(&self, node: u32) -> Result<Option<(String, String, String)>, StoreError> {
        self.maybe(sql!("name"), [node], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
    }
}
