//! Loads the index that is there, and ranks with it, while it is being brought up to date: mostly there is nothing to bring,
//! and both take about as long.

use std::thread::{Builder, JoinHandle};

use super::{Engine, EngineError, Ranker, Ranking};
use crate::model::Task;

/// An index that is being loaded, and a task that is being ranked, on a thread of its own.
pub struct Ahead {
    /// `None` where the system gives no thread.
    loading: Option<JoinHandle<Result<Loaded, EngineError>>>,
}

/// A loaded index.
pub struct Loaded {
    pub ranker: Ranker,
    /// The ranking of the task, where it was made ahead of time.
    pub ranking: Option<Ranking>,
}

impl Ahead {
    /// Begins to load whatever index the engine has now, and to rank `task` with it.
    pub fn start(engine: &Engine, task: Option<&Task>) -> Ahead {
        let (engine, task) = (engine.clone(), task.cloned());
        let load = move || {
            let ranker = engine.ranker()?;
            // Whatever goes wrong is told when the task is ranked with the index as it is then.
            let ranking = task.and_then(|task| ranker.rank(&task, &|| false).ok().flatten());
            Ok(Loaded { ranker, ranking })
        };
        Ahead { loading: Builder::new().name("knowing-load".to_owned()).spawn(load).ok() }
    }

    /// What was loaded if it is the state that the engine's index is in now; else loads that.
    ///
    /// # Errors
    /// Those of [`Engine::ranker`].
    pub fn finish(self, engine: &Engine) -> Result<Loaded, EngineError> {
        // Whatever went wrong ahead of time goes right now, or wrong again.
        let loaded = self.loading.and_then(|loading| loading.join().ok()).and_then(Result::ok);
        match loaded {
            Some(loaded)
                if loaded.ranker.reader().path() == engine.database() && loaded.ranker.shows(&engine.reader()?)? =>
            {
                Ok(loaded)
            }
            _ => Ok(Loaded { ranker: engine.ranker()?, ranking: None }),
        }
    }
}
