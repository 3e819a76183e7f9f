//! Speculative loading and ranking with the present index while it is being updated. Usually the update changes
//! nothing, and both take about the same time.

use std::thread::{Builder, JoinHandle};

use super::{Engine, EngineError, Ranker, Ranking};
use crate::model::Task;

/// A thread that loads an index and ranks a task.
pub struct Prefetch {
    /// `None` if no thread could be started.
    loading: Option<JoinHandle<Result<Prefetched, EngineError>>>,
}

/// A loaded index.
pub struct Prefetched {
    pub ranker: Ranker,
    /// The ranking of the task, if it was prefetched.
    pub ranking: Option<Ranking>,
}

impl Prefetch {
    /// Starts loading the engine's present index and ranking `task`.
    pub fn start(engine: &Engine, task: Option<&Task>) -> Prefetch {
        let (engine, task) = (engine.clone(), task.cloned());
        let load = move || {
            let ranker = engine.ranker()?;
            // An error occurs again, and is reported, when the task is ranked with the updated index.
            let ranking = task.and_then(|task| ranker.rank(&task, &|| false).ok().flatten());
            Ok(Prefetched { ranker, ranking })
        };
        Prefetch { loading: Builder::new().name("knowing-load".to_owned()).spawn(load).ok() }
    }

    /// Returns the prefetched ranker with the updated index, and the prefetched ranking if the update changed nothing that it
    /// depends on.
    ///
    /// # Errors
    /// Those of [`Engine::ranker`].
    pub fn finish(self, engine: &Engine) -> Result<Prefetched, EngineError> {
        // After an error the index is loaded below.
        let loaded = self.loading.and_then(|loading| loading.join().ok()).and_then(Result::ok);
        let Some(Prefetched { mut ranker, ranking }) =
            loaded.filter(|loaded| loaded.ranker.reader().path() == engine.database())
        else {
            return Ok(Prefetched { ranker: engine.ranker()?, ranking: None });
        };
        // The state is that of the graph. Which files are skipped is in the answer to a question, too.
        let skips = |ranker: &Ranker| ranking.as_ref().map(|_| ranker.reader().skips()).transpose();
        let before = skips(&ranker)?;
        let is_same = !ranker.refresh()? && before == skips(&ranker)?;
        Ok(Prefetched { ranker, ranking: ranking.filter(|_| is_same) })
    }
}
