//! Posting lists of the search index.

use super::error::{SqlContext, StoreError};
use super::read::{Reader, bad_column};
use super::rows::{SEARCH_COLUMNS, SearchColumn};
use super::symbols::MAX_NODES;
use crate::model::NodeId;
use crate::rank::bm25f::Posting;

impl Reader {
    /// Returns the posting list of an exact term, sorted by symbol, with the term frequency in each column. Empty when
    /// more than `max_postings` symbols contain the term, since it then barely discriminates.
    ///
    /// # Errors
    /// When the database can't be read, as for every function of this file.
    pub fn postings(&self, term: &str, max_postings: usize) -> Result<Vec<Posting>, StoreError> {
        let mut statement = self.connection.prepare_cached(sql!("postings")).at(&self.path)?;
        let mut rows = statement.query([term]).at(&self.path)?;
        let mut postings: Vec<Posting> = Vec::new();
        while let Some(row) = rows.next().at(&self.path)? {
            let document: NodeId = row.get(0).at(&self.path)?;
            if document.get() >= MAX_NODES {
                return Err(bad_column(0, "a node id is out of range")).at(&self.path);
            }
            let name = row.get_ref(1).at(&self.path)?.as_bytes().unwrap_or_default();
            let column =
                SearchColumn::named(name).ok_or_else(|| bad_column(1, "unknown search column")).at(&self.path)?;
            if postings.last().is_none_or(|posting| posting.document != document) {
                if postings.len() == max_postings {
                    return Ok(Vec::new());
                }
                postings.push(Posting { document, frequencies: [0; SEARCH_COLUMNS] });
            }
            if let Some(posting) = postings.last_mut() {
                let frequency = &mut posting.frequencies[column as usize];
                *frequency = frequency.saturating_add(1);
            }
        }
        Ok(postings)
    }

    /// Returns whether a symbol contains exactly this term.
    pub fn has_term(&self, term: &str) -> Result<bool, StoreError> {
        let mut statement = self.connection.prepare_cached(sql!("postings")).at(&self.path)?;
        statement.exists([term]).at(&self.path)
    }
}
