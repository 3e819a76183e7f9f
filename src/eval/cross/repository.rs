//! A repository of the benchmark as this program's index shows it: its size and language, its definitions, and why a
//! symbol is ranked low.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::adapter::Found;
use super::definitions::Definitions;
use super::score::{Gold, ranks};
use super::subject::Subject;
use super::system::{Registry, System};
use crate::engine::{Engine, EngineError, Ranker, StoreError};
use crate::matcher::{Matcher, Name};
use crate::model::{PackedSymbol, Task};
use crate::render::gcf::Gcf;

/// Number of results whose components a low-ranked symbol's are compared with.
const DEPTH: usize = 10;
/// The name of this program among the systems.
const OWN: &str = "knowing";

/// A repository that can't be used.
#[derive(Debug, thiserror::Error)]
pub enum RepositoryError {
    #[error("no corpus has the repository {repository}; --corpus is the folder that contains it")]
    Missing { repository: String },
    #[error("{repository}: {cause}")]
    Engine { repository: String, cause: EngineError },
    #[error("{repository}: {cause}")]
    Store { repository: String, cause: StoreError },
}

/// A repository with its definitions.
pub struct Repository {
    pub name: String,
    pub folder: PathBuf,
    pub files: usize,
    pub source_bytes: u64,
    /// The language of most files.
    pub language: String,
    /// Whether this program has concepts for the framework that it is.
    pub is_home: bool,
    pub definitions: Definitions,
    ranker: Ranker,
    /// The last ranked task.
    ranking: RefCell<Option<(String, Vec<PackedSymbol>)>>,
    /// Whether the index that a command searches has a symbol.
    lookups: RefCell<HashMap<(String, String), Option<bool>>>,
}

impl Repository {
    /// Indexes a repository with a database in `databases`.
    ///
    /// # Errors
    /// When it can't be indexed.
    pub fn open(name: &str, folder: &Path, databases: &Path) -> Result<Repository, RepositoryError> {
        let engine = |cause| RepositoryError::Engine { repository: name.to_owned(), cause };
        let store = |cause| RepositoryError::Store { repository: name.to_owned(), cause };
        let database = databases.join(format!("{name}.db"));
        let mut opened = Engine::open(folder, Some(&database)).map_err(engine)?;
        opened.index(false, None, &|_| {}).map_err(engine)?;
        let ranker = opened.ranker().map_err(engine)?;
        let files = ranker.reader().files().map_err(store)?;
        let mut languages: HashMap<&str, usize> = HashMap::new();
        files.iter().for_each(|file| *languages.entry(&file.language).or_default() += 1);
        let language = languages.into_iter().max_by_key(|(name, count)| (*count, *name)).map_or("", |(name, _)| name);
        Ok(Repository {
            name: name.to_owned(),
            folder: folder.to_owned(),
            files: files.len(),
            source_bytes: files.iter().map(|file| file.size).sum(),
            language: language.to_owned(),
            is_home: ranker.is_own_framework(),
            definitions: Definitions::read(ranker.reader()).map_err(store)?,
            ranker,
            ranking: RefCell::default(),
            lookups: RefCell::default(),
        })
    }

    /// Returns the normalized names of results, each once.
    pub fn normalized(&self, results: &[Found]) -> Vec<String> {
        let mut seen = std::collections::HashSet::new();
        let names = results.iter().flat_map(|found| self.definitions.normalized(found));
        names.filter(|name| seen.insert(name.clone())).collect()
    }

    /// Returns whether the system is this program.
    pub fn is_own(&self, system: &System) -> bool {
        system.install.registry == Registry::Own && system.name == OWN
    }

    /// Returns the names of this program's whole ranking of a task; none if it can't be ranked.
    pub fn whole_ranking(&self, task: &str) -> Vec<String> {
        self.with_ranking(task, |ranking| ranking.iter().map(|ranked| ranked.symbol.short_name().to_owned()).collect())
    }

    /// Returns the component by which the first ten results lead a symbol most.
    pub fn leading_component(&self, task: &str, gold: &Gold) -> Option<String> {
        self.with_ranking(task, |ranking| {
            let names: Vec<String> = ranking.iter().map(|ranked| ranked.symbol.short_name().to_owned()).collect();
            let rank = ranks(Matcher::Strict, &names, std::slice::from_ref(gold))[0]?;
            leading(&ranking[..ranking.len().min(DEPTH)], &ranking[rank - 1])
        })
    }

    fn with_ranking<T>(&self, text: &str, read: impl Fn(&[PackedSymbol]) -> T) -> T {
        let mut last = self.ranking.borrow_mut();
        if last.as_ref().is_none_or(|(task, _)| task != text) {
            let pack = self.ranker.pack(&Task::from_text(text), &Gcf, false, &|| false);
            let pack = pack.ok().flatten().unwrap_or_default();
            let mut ranking: Vec<PackedSymbol> = pack.symbols.into_iter().chain(pack.omitted).collect();
            ranking.sort_by(|one, two| two.score.total_cmp(&one.score));
            *last = Some((text.to_owned(), ranking));
        }
        read(last.as_ref().map_or(&[], |(_, ranking)| ranking))
    }

    /// Asks a system whether its index has a relevant symbol; `None` if it can't tell. It has one if what it prints for
    /// the symbol's plain name has a match.
    pub fn is_indexed(&self, subject: &Subject<'_>, gold: &Gold) -> Option<bool> {
        // Systems with one index share the answers about it.
        let command = subject.system.lookup.as_ref().map(|step| step.command.join(" ")).unwrap_or_default();
        let key = (command, gold.name());
        if let Some(known) = self.lookups.borrow().get(&key) {
            return *known;
        }
        let word = gold.symbol.rsplit('.').next().unwrap_or(&gold.symbol);
        let known = subject.lookup(word).filter(|answer| answer.failure.is_none()).map(|answer| {
            let truth = Name::new(&gold.symbol);
            let names = answer.stdout.split(|c: char| c.is_whitespace() || "()[]<>\"',".contains(c));
            // The lookup is by plain name, so a plain name in what it prints is the symbol.
            names.filter(|name| !name.is_empty()).any(|name| Name::new(name).last() == truth.last())
        });
        self.lookups.borrow_mut().insert(key, known);
        known
    }
}

/// Returns the component whose mean over the first results exceeds the symbol's most.
fn leading(first: &[PackedSymbol], low: &PackedSymbol) -> Option<String> {
    let mut leads: Vec<(&str, f64)> = Vec::new();
    let mut add = |name: &'static str, value: f64| match leads.iter_mut().find(|(known, _)| *known == name) {
        Some((_, sum)) => *sum += value,
        None => leads.push((name, value)),
    };
    for component in first.iter().flat_map(|symbol| &symbol.components) {
        add(component.name, component.contribution / first.len() as f64);
    }
    low.components.iter().for_each(|component| add(component.name, -component.contribution));
    let most = leads.into_iter().max_by(|one, two| one.1.total_cmp(&two.1));
    most.filter(|(_, lead)| *lead > 0.0).map(|(name, _)| name.to_owned())
}
