//! Where the terms of the last questions stand. Someone who writes a task asks for all of its words anew with every letter, and
//! reading a common word's postings out of the store costs more than scoring them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::rank::bm25f::Posting;
use crate::store::{Reader, StoreError};

/// Postings that are kept, over all terms, beside those of the question at hand. 20 bytes each.
const MOST_KEPT: usize = 500_000;

/// The postings of one state of the index. They never change, so what is kept gives the same as the store would.
#[derive(Debug, Default)]
pub struct Postings {
    kept: Mutex<HashMap<String, Arc<[Posting]>>>,
}

impl Postings {
    /// The postings of each term, as [`Reader::postings`] gives them for at most `most` documents, which are always the
    /// same many.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn of(&self, reader: &Reader, terms: &[String], most: usize) -> Result<Vec<Arc<[Posting]>>, StoreError> {
        // One that panicked while it held the lock left whole entries, or none.
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let mut found = Vec::with_capacity(terms.len());
        for term in terms {
            let postings = match kept.get(term) {
                Some(postings) => Arc::clone(postings),
                None => {
                    let postings: Arc<[Posting]> = reader.postings(term, most)?.into();
                    kept.insert(term.clone(), Arc::clone(&postings));
                    postings
                }
            };
            found.push(postings);
        }
        if kept.values().map(|postings| postings.len()).sum::<usize>() > MOST_KEPT {
            // The next question is most like this one.
            kept.retain(|term, _| terms.contains(term));
        }
        Ok(found)
    }

    /// Keeps nothing any more.
    pub fn forget(&self) {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}
