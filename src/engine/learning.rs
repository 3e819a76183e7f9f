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

/// Entries and what counts of them.
#[derive(Clone)]
struct Known {
    acts: Arc<Vec<Act>>,
    standing: Arc<Standing>,
}

impl Known {
    fn of(acts: Vec<Act>) -> Known {
        Known { standing: Arc::new(Standing::of(&acts)), acts: Arc::new(acts) }
    }
}

/// A journal and what counted of it when it was last looked at.
pub struct Learning {
    journal: Journal,
    /// The session that questions belong to; nothing for the one that goes on in the store.
    session: Option<String>,
    seen: RefCell<Option<(i64, Known)>>,
    /// What counts instead of the journal.
    only: Option<Known>,
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
        self.only = Some(Known::of(acts.to_vec()));
    }

    /// A number that grows with every change of what was taught.
    pub fn epoch(&self) -> Result<i64, StoreError> {
        self.journal.revision()
    }

    /// What counts now. Costs one look at the journal's number while nothing has changed.
    pub fn standing(&self) -> Result<Arc<Standing>, StoreError> {
        Ok(self.known()?.standing)
    }

    /// What would count if this were the last entry.
    pub fn supposing(&self, act: Act) -> Result<Arc<Standing>, StoreError> {
        let known = self.known()?;
        let id = known.acts.last().map_or(1, |last| last.id + 1);
        let mut acts = known.acts.to_vec();
        acts.push(Act { id, batch: id, ..act });
        Ok(Arc::new(Standing::of(&acts)))
    }

    fn known(&self) -> Result<Known, StoreError> {
        if let Some(only) = &self.only {
            return Ok(only.clone());
        }
        let epoch = self.journal.revision()?;
        let mut seen = self.seen.borrow_mut();
        if let Some((then, known)) = &*seen
            && *then == epoch
        {
            return Ok(known.clone());
        }
        // Nothing was ever taught to most indexes.
        let known = Known::of(if epoch == 0 { Vec::new() } else { self.journal.events()? });
        *seen = Some((epoch, known.clone()));
        Ok(known)
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
