//! A cache of posting lists. Each keystroke in the terminal UI searches all terms of the task again, and reading the
//! postings of a common term from the store takes longer than scoring them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::Graph;
use crate::rank::bm25f::Posting;
use crate::rank::tuning;
use crate::store::{Reader, StoreError};

/// Limit of cached postings over all terms, those of the current query excepted. 20 bytes each.
const MAX_CACHED: usize = 500_000;

/// The postings of one state of the index. They never change, so cached ones equal those of the store.
#[derive(Debug, Default)]
pub struct PostingCache {
    cached: Mutex<HashMap<String, Arc<[Posting]>>>,
}

impl PostingCache {
    /// Returns the postings of each term; none for a term in more than [`tuning::COMMON_SHARE`] of all symbols, which
    /// does not discriminate.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn get(&self, reader: &Reader, graph: &Graph, terms: &[String]) -> Result<Vec<Arc<[Posting]>>, StoreError> {
        let max_documents = ((graph.symbols() as f64 * tuning::COMMON_SHARE) as usize).max(tuning::COMMON_MIN);
        // Entries are inserted whole, so a poisoned lock still guards valid ones.
        let mut cached = self.cached.lock().unwrap_or_else(PoisonError::into_inner);
        let mut found = Vec::with_capacity(terms.len());
        for term in terms {
            let postings = match cached.get(term) {
                Some(postings) => Arc::clone(postings),
                None => {
                    let postings: Arc<[Posting]> = reader.postings(term, max_documents)?.into();
                    cached.insert(term.clone(), Arc::clone(&postings));
                    postings
                }
            };
            found.push(postings);
        }
        if cached.values().map(|postings| postings.len()).sum::<usize>() > MAX_CACHED {
            // The next query probably shares most terms with this one.
            cached.retain(|term, _| terms.contains(term));
        }
        Ok(found)
    }

    /// Removes every entry.
    pub fn clear(&self) {
        self.cached.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}
