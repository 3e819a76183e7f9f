//! The façade: open, index, retrieve. What the command line and the explorer use, and all they use.

mod again;
mod ahead;
mod bodies;
pub mod classes;
mod counterfactual;
mod debug;
mod examples;
mod finder;
pub mod inspect;
mod learned_words;
mod learner;
mod learning;
mod neighborhood;
mod ranker;
mod reply;
mod sketch;
mod source;
mod uses;
mod why;

use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use crate::index::{IndexError, IndexReport, Listener, Phase, Progress, unresolved};
pub use crate::learn::{Act, ActKind, LineError, Vote};
pub use crate::rank::keywords::Keywords;
pub use crate::retrieve::{Lesson, Ranking, STAGES, Setup, UnknownPart};
pub use crate::scan::changes::ChangesError;
pub use crate::store::{Finding, Reader, Stats, StoreError};
pub use ahead::{Ahead, Loaded};
pub use counterfactual::{Change, Move, WithoutClass};
pub use debug::{ChannelList, ChannelStage, FusedSymbol, KeywordStage, NamedPlace, WalkStage, WalkedSymbol};
pub use finder::Finder;
pub use learned_words::LearnedWord;
pub use learner::{Learner, TaughtVote};
pub use neighborhood::{Branch, EgoRequest, NeighborNode, Neighborhood, Relation};
pub use ranker::Ranker;
pub use reply::{Question, Reply};
pub use sketch::{Sketch, Sketching};
pub use source::{SourceError, SourceFile, is_source};
pub use why::{ChannelPlace, ClassPlace, PackPlace, PathStep, Place, RankPlace, TermMatch, WalkPlace, Why};

use crate::index::{IndexOptions, check_file_nodes, check_snapshot, index};
use crate::model::{ContextPack, Task};
use crate::rank::pack::BudgetTooSmall;
use crate::render::Renderer;
use crate::scan::changes::bases;
use crate::scan::repository::Repository;
use crate::store::{self, location};
use crate::vocab::Vocabulary;

/// Why the engine can't do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    #[error("{path} can't be opened as a folder: {cause}")]
    Folder { path: PathBuf, cause: std::io::Error },
    #[error(transparent)]
    Index(#[from] IndexError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Budget(#[from] BudgetTooSmall),
    #[error(transparent)]
    Changes(#[from] ChangesError),
    #[error("{file} is no indexed file of this repository; paths are relative to its root, such as src/main.rs")]
    UnknownFile { file: String },
    #[error("{reason}")]
    MissingSource { reason: String },
    #[error("threads can't be started: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    #[error(transparent)]
    Part(#[from] UnknownPart),
    #[error(transparent)]
    Source(#[from] SourceError),
    #[error("{reason}")]
    Task { reason: String },
    #[error(transparent)]
    Line(#[from] LineError),
    #[error("no word of the task \"{}\" tells it from others, so nothing can be learned for it; say it in other words", task.escape_debug())]
    Wordless { task: String },
}

/// One repository and its index.
#[derive(Debug, Clone)]
pub struct Engine {
    repository: Repository,
    /// The database that the user chose, if any.
    chosen: Option<PathBuf>,
    database: PathBuf,
}

impl Engine {
    /// Finds the repository around `folder` and its database; reads neither.
    ///
    /// # Errors
    /// When `folder` can't be entered.
    pub fn open(folder: &Path, database: Option<&Path>) -> Result<Engine, EngineError> {
        let repository =
            Repository::find(folder).map_err(|cause| EngineError::Folder { path: folder.to_owned(), cause })?;
        let chosen = database.map(Path::to_owned);
        let database = chosen.clone().unwrap_or_else(|| location::find(&repository.root));
        Ok(Engine { repository, chosen, database })
    }

    /// The repository's root.
    pub fn root(&self) -> &Path {
        &self.repository.root
    }

    /// The repository's id, such as `github.com/pallets/flask`.
    pub fn repository(&self) -> &str {
        &self.repository.id
    }

    /// The database file, whether or not it exists yet.
    pub fn database(&self) -> &Path {
        &self.database
    }

    /// Builds the index, or brings it up to date with what changed.
    ///
    /// # Errors
    /// When the store can't be used or written.
    pub fn index(
        &mut self,
        force: bool,
        jobs: Option<usize>,
        listener: &dyn Listener,
    ) -> Result<IndexReport, EngineError> {
        let options = IndexOptions { database: self.chosen.clone(), force, jobs };
        let report = index(&self.repository.root, &options, listener)?;
        self.database.clone_from(&report.database);
        Ok(report)
    }

    /// The program's vocabulary with the user's and this repository's.
    pub fn vocabulary(&self) -> Arc<Vocabulary> {
        Vocabulary::of_repository(&self.repository.root)
    }

    /// A read-only view of the last complete index.
    ///
    /// # Errors
    /// When there is no complete index or it can't be used.
    pub fn reader(&self) -> Result<Reader, EngineError> {
        Ok(Reader::open(&self.database)?)
    }

    /// Loads the last complete index for ranking.
    ///
    /// # Errors
    /// When there is no complete index or it can't be used.
    pub fn ranker(&self) -> Result<Ranker, EngineError> {
        Ranker::new(self.reader()?, self.repository.root.clone())
    }

    /// The pack for a task, written in `renderer`'s format; with `bodies`, each symbol carries its source.
    ///
    /// # Errors
    /// When there is no usable index, a file or base is unknown, or the budget can't hold even an empty pack.
    pub fn retrieve(&self, task: &Task, renderer: &dyn Renderer, bodies: bool) -> Result<ContextPack, EngineError> {
        let pack = self.ranker()?.pack(task, renderer, bodies, &|| false)?;
        Ok(pack.unwrap_or_default())
    }

    /// Whether the index is sound.
    ///
    /// # Errors
    /// When the database can't be opened.
    pub fn fsck(&self) -> Result<Vec<Finding>, EngineError> {
        let mut findings = store::fsck(&self.database)?;
        // Where one check can't be made, the findings of the others count all the more.
        let told = |check, finding: Result<Finding, StoreError>| {
            finding.unwrap_or_else(|error| Finding { check, problems: vec![error.to_string()] })
        };
        findings.push(told("node ids of files", check_file_nodes(&self.database)));
        findings.push(told("Merkle root", check_snapshot(&self.database)));
        Ok(findings)
    }

    /// What the working tree can be compared with: `HEAD`, then branches, the last committed to first.
    ///
    /// # Errors
    /// When there is no git repository, or it can't be read.
    pub fn bases(&self) -> Result<Vec<String>, EngineError> {
        Ok(bases(&self.repository.root)?)
    }

    /// The bytes of a file of the repository.
    ///
    /// # Errors
    /// When it is gone, too large, or not inside the repository.
    pub fn source(&self, file: &str) -> Result<Vec<u8>, EngineError> {
        Ok(source::read(&self.repository.root, file)?)
    }
    /// A file of the repository with its indexed definitions, and whether it has changed since.
    ///
    /// # Errors
    /// Those of [`Engine::source`]; when there is an index that can't be read.
    pub fn source_file(&self, file: &str) -> Result<SourceFile, EngineError> {
        let bytes = self.source(file)?;
        // Without an index there still is a file to show.
        let Ok(reader) = self.reader() else { return Ok(SourceFile { bytes, ..SourceFile::default() }) };
        let definitions = reader.symbols_of_file(file)?;
        let indexed = reader.content_hash(file)?;
        let changed = indexed.is_some_and(|hash| hash != *blake3::hash(&bytes).as_bytes());
        Ok(SourceFile { bytes, definitions, changed })
    }
}
