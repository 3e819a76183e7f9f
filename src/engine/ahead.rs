//! Loads the index that is there while it is being brought up to date: mostly there is nothing to bring, and both take
//! about as long.

use std::thread::{Builder, JoinHandle};

use super::{Engine, EngineError, Ranker};

/// An index that is being loaded on a thread of its own.
pub struct Ahead {
    /// `None` where the system gives no thread.
    loading: Option<JoinHandle<Result<Ranker, EngineError>>>,
}

impl Ahead {
    /// Begins to load whatever index the engine has now.
    pub fn start(engine: &Engine) -> Ahead {
        let engine = engine.clone();
        Ahead { loading: Builder::new().name("knowing-load".to_owned()).spawn(move || engine.ranker()).ok() }
    }

    /// What was loaded if it is the state that the engine's index is in now; else loads that.
    ///
    /// # Errors
    /// Those of [`Engine::ranker`].
    pub fn finish(self, engine: &Engine) -> Result<Ranker, EngineError> {
        // Whatever went wrong ahead of time goes right now, or wrong again.
        let loaded = self.loading.and_then(|loading| loading.join().ok()).and_then(Result::ok);
        match loaded {
            Some(ranker) if ranker.reader().path() == engine.database() && ranker.shows(&engine.reader()?)? => {
                Ok(ranker)
            }
            _ => engine.ranker(),
        }
    }
}
