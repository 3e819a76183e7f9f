//! What was taught, as a ranker sees it: read again whenever the journal has changed, by whomever.

use std::cell::RefCell;
use std::path::Path;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::learn::{Act, Moment, Standing};
use crate::store::{Journal, StoreError};

/// Seconds without any act after which a session has ended.
pub const SESSION_PAUSE: i64 = 30 * 60;

/// The present time in seconds since 1970.
pub fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| i64::try_from(since.as_secs()).unwrap_or(i64::MAX))
}

/// A journal and what counted of it when it was last looked at.
pub struct Learning {
    journal: Journal,
    /// The session that questions belong to; nothing for the one that goes on in the store.
    session: Option<String>,
    seen: RefCell<Option<(i64, Arc<Standing>)>>,
    /// What counts instead of the journal.
    only: Option<Arc<Standing>>,
}

impl Learning {
    pub fn open(database: &Path) -> Result<Learning, StoreError> {
        Ok(Learning { journal: Journal::open(database)?, session: None, seen: RefCell::new(None), only: None })
    }

    /// Goes over to the journal at `database`, where another file may have taken the place of the one that was read.
    pub fn reopen(&mut self, database: &Path) -> Result<(), StoreError> {
        self.journal = Journal::open(database)?;
        self.seen = RefCell::new(None);
        Ok(())
    }

    /// From now on questions belong to this session.
    pub fn set_session(&mut self, session: String) {
        self.session = Some(session);
    }

    /// From now on these entries count, and nothing of the journal.
    pub fn set_only(&mut self, acts: &[Act]) {
        self.only = Some(Arc::new(Standing::of(acts)));
    }

    /// A number that grows with every change of what was taught.
    pub fn epoch(&self) -> Result<i64, StoreError> {
        self.journal.epoch()
    }

    /// What counts now. Costs one look at the journal's number while nothing has changed.
    pub fn standing(&self) -> Result<Arc<Standing>, StoreError> {
        if let Some(only) = &self.only {
            return Ok(Arc::clone(only));
        }
        let epoch = self.journal.epoch()?;
        let mut seen = self.seen.borrow_mut();
        if let Some((known, standing)) = &*seen
            && *known == epoch
        {
            return Ok(Arc::clone(standing));
        }
        // Nothing was ever taught to most indexes.
        let standing = Arc::new(if epoch == 0 { Standing::default() } else { Standing::of(&self.journal.acts()?) });
        *seen = Some((epoch, Arc::clone(&standing)));
        Ok(standing)
    }

    /// When and in which session it is asked.
    pub fn moment(&self) -> Result<Moment, StoreError> {
        let at = now();
        let session = match &self.session {
            Some(session) => session.clone(),
            None => self.journal.last_session(at - SESSION_PAUSE)?.map_or_else(String::new, |session| session.id),
        };
        Ok(Moment { session, at })
    }
}
