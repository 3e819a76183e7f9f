//! A first index from another one on this machine, and the choice between that, a share, and building it.

use std::time::Duration;

use super::{Engine, EngineError, IndexReport, Listener, Phase};
use crate::index::{IndexOptions, is_current};
use crate::share::{self, LocalCopy, ShareError};
use crate::store::Reader;

/// An index that takes longer to build is cached.
const MIN_BUILD: Duration = Duration::from_secs(1);

impl Engine {
    /// Builds or updates the index with options, of which the database is this engine's. Where there is no current index
    /// it starts from one of the same repository on this machine, else from a published one if a share is set; a note
    /// says where it came from. The result is the same.
    ///
    /// # Errors
    /// When a SCIP index can't be read, or the store can't be used or written.
    pub fn index_with(&mut self, options: IndexOptions, listener: &dyn Listener) -> Result<IndexReport, EngineError> {
        let is_update = self.has_current_index() && !options.force;
        if is_update || options.force || !options.scip.is_empty() {
            let report = self.index_here(options, listener)?;
            if !is_update {
                self.record_origin(None);
            }
            return Ok(report);
        }
        let mut notes = Vec::new();
        let local = match self.local_copy() {
            Ok(local) => local,
            Err(EngineError::Share(error)) => {
                notes.push(error.to_string());
                None
            }
            Err(error) => return Err(error),
        };
        let mut report = match (local, self.share.clone()) {
            (Some(LocalCopy { copy, worktree }), _) => {
                let note = match worktree {
                    Some(root) => format!("started from the index of the worktree {}", root.display()),
                    None => "started from the cached index of another checkout".to_owned(),
                };
                let report = self.index_here(IndexOptions { copy: Some(copy), ..options }, listener)?;
                self.record_origin(Some(&note));
                notes.push(note);
                report
            }
            (None, Some(url)) => {
                let (report, fetch) = self.index_from(&url, options, listener)?;
                notes.extend(fetch.note(&self.repository.id));
                report
            }
            (None, None) => {
                let report = self.index_here(options, listener)?;
                self.record_origin(None);
                report
            }
        };
        notes.extend(self.keep(&report).err().map(|error| format!("the index was not cached: {error}")));
        report.notes.splice(0..0, notes);
        Ok(report)
    }

    pub(super) fn has_current_index(&self) -> bool {
        Reader::open(&self.database).and_then(|reader| is_current(&reader, &self.repository.id)).unwrap_or(false)
    }

    /// Copies an index of the repository that this machine has.
    fn local_copy(&self) -> Result<Option<LocalCopy>, EngineError> {
        // With a chosen database, the checkout's own index may be as good; it is not looked for.
        let Some(data) = &self.data else { return Ok(None) };
        let database = self.prepare()?;
        if let Some(copy) = share::copy_of_worktree(&self.repository, data, &database)? {
            return Ok(Some(copy));
        }
        Ok(self.cache.as_ref().map(|cache| cache.copy(&self.repository, &database)).transpose()?.flatten())
    }

    /// Caches an index that took long to build.
    fn keep(&self, report: &IndexReport) -> Result<(), ShareError> {
        let built: Duration =
            report.timings.iter().filter(|(phase, _)| *phase != Phase::Fetch).map(|(_, time)| *time).sum();
        match &self.cache {
            Some(cache) if self.data.is_some() && built >= MIN_BUILD => cache.put(&self.repository, &self.database),
            _ => Ok(()),
        }
    }
}
