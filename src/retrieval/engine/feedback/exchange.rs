//! Exchange of votes with other people through a share.

use super::renamed;
use crate::engine::{Engine, EngineError};
use crate::share::{Experience, Share, SyncOptions, SyncReport};
use crate::store::Journal;

impl Engine {
    /// Sets the votes of other people that count in rankings; `None` for none.
    pub fn set_experience(&mut self, experience: Option<Experience>) {
        self.experience = experience;
    }

    /// Publishes the votes of this journal that are not published yet, and receives those of others.
    ///
    /// # Errors
    /// When there is no index, or the share can't be read or written.
    pub fn sync_feedback(&self, url: &str, options: &SyncOptions) -> Result<SyncReport, EngineError> {
        let Some(experience) = &self.experience else { return Ok(SyncReport::default()) };
        let mut events = Journal::open(self.database())?.events()?;
        renamed::rename_all(&mut events, &self.reader()?)?;
        Ok(experience.sync(&Share::open_or_create(url)?, options, &events)?)
    }
}
