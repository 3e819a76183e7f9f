//! The backend of the explorer on the engine: one or several repositories, one list, one tree of files.

mod agents;
mod feedback;
mod reader;

use std::path::PathBuf;
use std::time::Duration;

use parking_lot::{Mutex, MutexGuard};

use super::backend::{Answer, Backend, FeedbackWriter, Indexed, Progress, Reader, Status, WAITING};
use super::roots::Roots;
use crate::engine::{
    Engine, EngineError, Live, LiveState, LiveUpdate, SourceFile, StoreError, WatchTargets, reason_without_files,
};
use crate::exchange::Exchange;
use crate::workspace::{Member, Workspace};
use feedback::EngineFeedbackWriter;
use reader::EngineReader;

/// The error of everything that needs edges or keeps votes while a first index is being built.
const NOT_AVAILABLE: &str = "not available until the first index is built";

/// The pause before another look at an index that another process writes, and how often one is looked at that is there.
const POLL_INTERVAL: Duration = Duration::from_millis(500);
const MAX_POLLS: usize = 6;

/// The repositories of the explorer, each with its index kept current. The workspace has no loaded indexes: each reader
/// has its own.
pub struct EngineBackend {
    workspace: Mutex<Workspace>,
    lives: Vec<Live>,
    labels: Vec<String>,
    /// The state of each index that the last reader loaded: what is shown is of it.
    shown: Mutex<Vec<Option<String>>>,
}

impl EngineBackend {
    /// Wraps the repositories of a workspace.
    pub fn new(workspace: Workspace) -> EngineBackend {
        let lives = workspace.members().iter().map(|member| Live::new(member.engine().clone())).collect();
        let labels = workspace.members().iter().map(|member| member.label().to_owned()).collect();
        EngineBackend { workspace: Mutex::new(workspace), lives, labels, shown: Mutex::default() }
    }

    fn workspace(&self) -> MutexGuard<'_, Workspace> {
        self.workspace.lock()
    }

    fn shown(&self) -> MutexGuard<'_, Vec<Option<String>>> {
        self.shown.lock()
    }

    fn engines(&self) -> Vec<Engine> {
        self.lives.iter().map(Live::engine).collect()
    }

    fn roots_of(&self) -> impl Iterator<Item = PathBuf> {
        self.lives.iter().map(|live| live.engine().root().to_owned())
    }

    fn is_single(&self) -> bool {
        self.lives.len() == 1
    }

    /// Returns a sentence about a repository, which is named where there are several.
    fn sentence(&self, position: usize, text: &str) -> String {
        if self.is_single() { text.to_owned() } else { format!("{}: {text}", self.labels[position]) }
    }

    /// Calls a function for each repository and its position. Fails if it fails for all of them.
    fn each<T>(&self, call: impl Fn(usize, &Live) -> Answer<T>) -> Answer<Vec<T>> {
        let (mut done, mut errors) = (Vec::new(), Vec::new());
        for (position, live) in self.lives.iter().enumerate() {
            match call(position, live) {
                Ok(value) => done.push(value),
                Err(error) => errors.push(self.sentence(position, &error)),
            }
        }
        if done.is_empty() { Err(errors.join("; ")) } else { Ok(done) }
    }

    /// Updates one index, or opens the first one when another process has built it. Returns whether it changed.
    fn update(&self, live: &Live, progress: &(dyn Fn(Progress) + Sync)) -> Answer<bool> {
        let is_there = || live.engine().reader().is_ok();
        let report = |step: crate::engine::Progress| {
            progress(Progress { phase: step.phase.name(), done: step.done, total: step.total });
        };
        let was_there = is_there();
        let mut polls = 0;
        loop {
            match live.update(&report) {
                LiveState::Ready(LiveUpdate { is_changed, .. }) => return Ok(is_changed),
                LiveState::Failed(reason) => return Err(reason),
                LiveState::Busy | LiveState::Missing | LiveState::Partial(_) if was_there && polls == MAX_POLLS => {
                    return Err(StoreError::Busy { path: live.engine().database().to_owned() }.to_string());
                }
                LiveState::Busy | LiveState::Missing | LiveState::Partial(_) => {
                    progress(Progress { phase: WAITING, done: 0, total: 0 });
                    std::thread::sleep(POLL_INTERVAL);
                    polls += 1;
                }
            }
            if !was_there && is_there() {
                return Ok(true);
            }
        }
    }

    /// Returns whether what is shown is of another state of the index than the present one: another process, such as a
    /// command or an agent's server, can have updated it before this one.
    fn is_outdated(&self, position: usize, live: &Live) -> bool {
        let Some(shown) = self.shown().get(position).cloned().flatten() else { return false };
        let now = live.engine().reader().ok().and_then(|reader| reader.state().ok().flatten());
        now.is_some_and(|now| now != shown)
    }
}

impl Backend for EngineBackend {
    fn status(&self) -> Answer<Status> {
        let statuses = self.each(|_, live| status(&live.engine()))?;
        let clause =
            |(position, status): (usize, &Status)| Some(self.sentence(position, status.nothing_indexed.as_ref()?));
        let clauses: Vec<String> = statuses.iter().enumerate().filter_map(clause).collect();
        let is_gone = |(position, live): (usize, &Live)| live.present().err().map(|_| self.labels[position].as_str());
        let gone: Vec<&str> = self.lives.iter().enumerate().filter_map(is_gone).collect();
        let gone = match (gone.is_empty(), self.is_single()) {
            (true, _) => None,
            (false, true) => Some("the folder is gone".to_owned()),
            (false, false) => Some(format!("gone: {}", gone.join(", "))),
        };
        let [only] = &statuses[..] else {
            return Ok(Status {
                repository: self.labels.join(" + "),
                files: statuses.iter().map(|status| status.files).sum(),
                symbols: statuses.iter().map(|status| status.symbols).sum(),
                folders: self.roots_of().map(|root| root.display().to_string()).collect(),
                nothing_indexed: (!clauses.is_empty()).then(|| clauses.join("; ")),
                // All are indexed before the first ranking, so that the list is of all repositories.
                usable: statuses.len() == self.lives.len() && statuses.iter().all(|status| status.usable),
                gone,
            });
        };
        Ok(Status { gone, ..only.clone() })
    }

    fn index(&self, progress: &(dyn Fn(Progress) + Sync)) -> Answer<Indexed> {
        let problems = Mutex::new(Vec::new());
        let changed = self.each(|position, live| {
            let updated = self.update(live, progress).inspect_err(|error| {
                problems.lock().push(format!("{} is left out: {error}", self.labels[position]));
            });
            Ok(updated? || self.is_outdated(position, live))
        })?;
        let problems = problems.into_inner();
        // A ranking of the others is of use.
        let status = Status { usable: true, ..self.status()? };
        Ok(Indexed { status, changed: changed.contains(&true), problems })
    }

    fn reader(&self) -> Answer<Box<dyn Reader>> {
        let mut workspace = self.workspace().with_engines(self.engines());
        let partial = |live: &Live| match live.state() {
            LiveState::Partial(partial) => Some(partial),
            _ => None,
        };
        let partial: Vec<_> = self.lives.iter().map(partial).collect();
        workspace.load();
        if partial.iter().all(Option::is_none) && workspace.members().iter().all(|member| member.ranker().is_none()) {
            let problem = |(position, member): (usize, &Member)| Some(self.sentence(position, member.problem()?));
            return Err(workspace.members().iter().enumerate().filter_map(problem).collect::<Vec<_>>().join("; "));
        }
        let state = |member: &Member| member.ranker().and_then(|ranker| ranker.reader().state().ok().flatten());
        *self.shown() = workspace.members().iter().map(state).collect();
        Ok(Box::new(EngineReader::new(workspace, partial)))
    }

    fn feedback_writer(&self) -> Answer<Box<dyn FeedbackWriter>> {
        let workspace = self.workspace().with_engines(self.engines());
        Ok(Box::new(EngineFeedbackWriter::open(&workspace)?))
    }

    fn watch_targets(&self) -> Answer<WatchTargets> {
        let mut targets = self.each(|_, live| engine_result(live.engine().watch_targets()))?;
        let Some(last) = targets.pop() else { return Ok(WatchTargets::default()) };
        if self.is_single() {
            return Ok(last);
        }
        let mut folders: Vec<PathBuf> = targets.into_iter().chain([last]).flat_map(|own| own.folders).collect();
        folders.sort();
        folders.dedup();
        // The databases are in hidden folders, or elsewhere.
        Ok(WatchTargets { roots: self.roots_of().collect(), folders, database: PathBuf::new() })
    }

    fn source(&self, file: &str) -> Answer<SourceFile> {
        let workspace = self.workspace();
        let (position, own) = workspace.split_path(file).ok_or_else(|| format!("{file} is in no repository"))?;
        let live = &self.lives[position];
        let mut source = engine_result(live.engine().source_file(own))?;
        if let LiveState::Partial(partial) = live.state() {
            source.definitions = partial.definitions(own);
        }
        source.definitions.iter_mut().for_each(|symbol| symbol.file = workspace.shown_path(position, &symbol.file));
        Ok(source)
    }

    fn roots(&self) -> Roots {
        match &self.labels[..] {
            [_] => self.roots_of().next().map(Roots::single).unwrap_or_default(),
            labels => Roots::labeled(labels.iter().cloned().zip(self.roots_of())),
        }
    }

    fn exchanges(&self) -> Vec<Exchange> {
        self.engines().iter().map(Exchange::for_engine).collect()
    }
}

/// Returns the status of one index.
fn status(engine: &Engine) -> Answer<Status> {
    let repository = engine.repository().to_owned();
    // Without a usable index the explorer builds one; that reports why it cannot.
    let Ok(reader) = engine.reader() else { return Ok(Status { repository, ..Status::default() }) };
    let stats = reader.stats().map_err(|error| error.to_string())?;
    Ok(Status {
        repository,
        files: stats.file_count() as usize,
        symbols: stats.symbol_count() as usize,
        nothing_indexed: reason_without_files(&reader).map_err(|error| error.to_string())?,
        usable: true,
        folders: Vec::new(),
        gone: None,
    })
}

fn engine_result<T>(result: Result<T, EngineError>) -> Answer<T> {
    result.map_err(|error| match error {
        // The list of a command line has a line for each; here the names must fit in one.
        EngineError::Name(error) if !error.choices.is_empty() => {
            let names: Vec<&str> = error.choices.iter().map(|(name, _)| name.as_str()).collect();
            format!("{} are called `{}`: {}", names.len(), error.name, names.join(", "))
        }
        error => error.to_string(),
    })
}
