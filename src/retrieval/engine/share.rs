//! Publishing an index to a share, and starting from a published one.

use super::{Engine, EngineError, IndexReport, Listener, Phase, Progress, PublishOutline, PublishReport};
use crate::index::IndexOptions;
use crate::share::{self, Fetched, Origin, Share, ShareError};
use crate::text::display::{bytes, safe, thousands};

/// Number of letters of a commit that are shown.
const COMMIT_LETTERS: usize = 12;

/// The result of looking for a published index.
#[derive(Debug)]
pub enum ShareFetch {
    /// An index was fetched and updated.
    Fetched(ShareSource),
    /// There was a current index, which was updated.
    NotNeeded,
    /// The share has no index of the repository; the index was built from the files.
    NotPublished,
    /// The share could not be used; the index was built from the files.
    Failed(ShareError),
}

/// The published index that an index started from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShareSource {
    /// The commit, in hexadecimal.
    pub commit: String,
    pub origin: Origin,
    pub compressed_bytes: u64,
}

impl ShareFetch {
    /// Returns a sentence about where the index came from; `None` if nothing was fetched because none was needed.
    pub fn note(&self, repository: &str) -> Option<String> {
        Some(match self {
            ShareFetch::Fetched(source) => {
                let commit = source.commit.get(..COMMIT_LETTERS).unwrap_or(&source.commit);
                let relation = match source.origin {
                    Origin::SameTree => "which has the same files".to_owned(),
                    Origin::Ancestor(1) => "1 commit behind".to_owned(),
                    Origin::Ancestor(count) => format!("{} commits behind", thousands(count)),
                    Origin::Other => "the last published one; none of an ancestor was found".to_owned(),
                };
                format!("fetched the index of {commit} ({}), {relation}", bytes(source.compressed_bytes))
            }
            ShareFetch::NotNeeded => return None,
            ShareFetch::NotPublished => {
                format!("the share has no index of {}; built it from the files", safe(repository))
            }
            ShareFetch::Failed(error) => format!("{error}; built the index from the files"),
        })
    }
}

impl Engine {
    /// Builds or updates the index like [`Engine::index`]. Where there is no current one it starts from the published
    /// index that is nearest to the checked-out commit. A share that can't be used is not an error.
    ///
    /// # Errors
    /// Those of [`Engine::index`].
    pub fn index_from(
        &mut self,
        url: &str,
        options: IndexOptions,
        listener: &dyn Listener,
    ) -> Result<(IndexReport, ShareFetch), EngineError> {
        if self.has_current_index() {
            return Ok((self.index_here(options, listener)?, ShareFetch::NotNeeded));
        }
        let mut notes = Vec::new();
        let (copy, outcome) = match self.fetch(url, listener, &mut notes) {
            Ok(Some(fetched)) => {
                let Fetched { copy, commit, origin, compressed_bytes, .. } = fetched;
                (Some(copy), ShareFetch::Fetched(ShareSource { commit, origin, compressed_bytes }))
            }
            Ok(None) => (None, ShareFetch::NotPublished),
            Err(EngineError::Share(error)) => (None, ShareFetch::Failed(error)),
            Err(error) => return Err(error),
        };
        let options = IndexOptions { copy, ..options };
        let mut report = self.index_here(options, listener)?;
        report.notes.splice(0..0, notes);
        let fetched = matches!(outcome, ShareFetch::Fetched(_)).then(|| outcome.note(&self.repository.id)).flatten();
        self.record_origin(fetched.as_deref());
        Ok((report, outcome))
    }

    /// Fetches the nearest index. Notes what is wrong with others and with the share.
    fn fetch(
        &self,
        url: &str,
        listener: &dyn Listener,
        notes: &mut Vec<String>,
    ) -> Result<Option<Fetched>, EngineError> {
        let database = self.prepare()?;
        let progress = |done: u64, total: u64| {
            let kilobytes = |bytes: u64| usize::try_from(bytes / 1_000).unwrap_or(usize::MAX);
            listener.progress(Progress { phase: Phase::Fetch, done: kilobytes(done), total: kilobytes(total) });
        };
        let share = Share::open(url)?;
        let fetched = share::fetch(&share, &self.repository, &database, &progress);
        notes.extend(share.note());
        if let Ok(Some(fetched)) = &fetched {
            notes.extend(fetched.notes.iter().cloned());
        }
        Ok(fetched?)
    }

    /// Publishes the index of the checked-out commit to a share.
    ///
    /// # Errors
    /// When files differ from the commit, there is no current index, or the share can't be written.
    pub fn publish(&self, url: &str) -> Result<PublishReport, EngineError> {
        Ok(share::publish(&Share::open_or_create(url)?, &self.repository, &self.database)?)
    }

    /// Returns what [`Engine::publish`] would publish. Connects to nothing.
    ///
    /// # Errors
    /// When files differ from the commit, or there is no current index.
    pub fn publish_outline(&self) -> Result<PublishOutline, EngineError> {
        Ok(share::outline(&self.repository, &self.database)?)
    }
}
