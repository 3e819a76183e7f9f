//! The cache of a [`Ranker`](super::Ranker) between requests. Cached values equal computed ones.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::Arc;

use super::EngineError;
use super::feedback::{FeedbackEpoch, JournalState};
use super::pipeline::WalkCache;
use crate::candidates::{CandidateSets, PostingCache};
use crate::model::{Intent, Options};
use crate::render::TokenCache;
use crate::store::StoreError;

/// The task and every option that candidate generation depends on.
#[derive(PartialEq, Eq)]
struct CandidateKey {
    task: String,
    without: BTreeSet<String>,
    intent: Option<Intent>,
    every_feature: bool,
}

impl CandidateKey {
    fn new(task: &str, options: &Options) -> CandidateKey {
        let Options { without, intent, every_feature, .. } = options;
        CandidateKey { task: task.to_owned(), without: without.clone(), intent: *intent, every_feature: *every_feature }
    }
}

/// The caches of one ranker. Those of the index are cleared with [`Cache::clear_index`]; the journal's state is checked
/// against the journal's revision at each use.
#[derive(Default)]
pub(super) struct Cache {
    /// Posting lists of the last queries.
    pub postings: PostingCache,
    /// The last walks.
    pub walks: WalkCache,
    /// Token counts of the symbols of the last packs; valid across indexes, since they depend on the rendered text
    /// only.
    pub counts: TokenCache,
    /// Candidates of the last query.
    candidates: RefCell<Option<(CandidateKey, Arc<CandidateSets>)>>,
    /// The journal with the state of the feedback.
    journal: RefCell<Option<(FeedbackEpoch, JournalState)>>,
}

impl Cache {
    /// Returns the candidates of a task; calls `generate` if they are not cached. `None` if it was canceled.
    pub fn candidates(
        &self,
        task: &str,
        options: &Options,
        generate: impl FnOnce() -> Result<Option<CandidateSets>, StoreError>,
    ) -> Result<Option<Arc<CandidateSets>>, EngineError> {
        let key = CandidateKey::new(task, options);
        let mut last = self.candidates.borrow_mut();
        if let Some((known, sets)) = &*last
            && *known == key
        {
            return Ok(Some(Arc::clone(sets)));
        }
        let Some(sets) = generate()? else { return Ok(None) };
        let sets = Arc::new(sets);
        *last = Some((key, Arc::clone(&sets)));
        Ok(Some(sets))
    }

    /// Returns the state of the journal at this epoch; calls `read` if it is not cached.
    pub fn journal(
        &self,
        epoch: FeedbackEpoch,
        read: impl FnOnce() -> Result<JournalState, EngineError>,
    ) -> Result<JournalState, EngineError> {
        let mut cached = self.journal.borrow_mut();
        if let Some((known, state)) = &*cached
            && *known == epoch
        {
            return Ok(state.clone());
        }
        let state = read()?;
        *cached = Some((epoch, state.clone()));
        Ok(state)
    }

    /// Removes everything that depends on the index.
    pub fn clear_index(&self) {
        *self.candidates.borrow_mut() = None;
        self.postings.clear();
        self.walks.clear();
    }

    /// Removes the state of the journal.
    pub fn clear_journal(&self) {
        *self.journal.borrow_mut() = None;
    }
}
