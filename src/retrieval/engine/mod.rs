//! The engine, the only interface of the clients: open a repository, index it, rank, explain, record feedback.
//!
//! [`Engine`] is a repository and its database; [`Ranker`] is one loaded state of its index, with an explicit cache.
//! [`pipeline`] joins the modules of ranking; every other file here is one operation for the clients. Independent of
//! the terminal and the command line; output formats are those of `render`.

mod also;
mod bodies;
mod cache;
mod catalog;
mod changes;
pub mod concepts;
mod consent;
mod counterfactual;
mod debug;
mod delivered;
mod digest;
mod documents;
mod emptiness;
mod explanation;
mod examples;
mod excerpt;
mod feedback;
mod finder;
mod first_look;
pub mod inspect;
mod last_commit;
mod live;
mod local_names;
mod missing;
mod names;
mod neighborhood;
mod notation;
mod origin;
mod output_path;
mod packing;
mod partial_index;
mod pipeline;
mod prefetch;
mod questions;
mod ranker;
mod reason;
mod registered;
mod relocate;
mod removed;
mod reply;
mod reuse;
mod share;
mod source;
mod unmatched;
mod unread;
mod uses;
mod watch;
mod why;
mod words;

use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use crate::catalog::{Catalog, CatalogError, Field, Match as RouteMatch, Route, Router};
pub use crate::features::texts::{MAX_TITLE, component_title, evidence, is_about_task};
pub use crate::feedback::{Cluster, EventKind, FeedbackEvent, LineError, SymbolFeedback, Vote};
pub use crate::index::{
    ENGINE_VERSION, FilesWithoutGrammar, IndexError, IndexOptions, IndexReport, Listener, Phase, Progress, Staleness,
    Unread, files_without_grammar, partly_parsed, unresolved,
};
pub use crate::lang::known::other_build;
pub use crate::query::{Form, Keywords, Location, Part, locations, title};
pub use crate::rank::tuning::PACK_CANDIDATES;
pub use crate::resolve::output::Unresolved;
pub use crate::scan::changes::{Base, ChangesError, Hunk, changes_of_commit};
pub use crate::scan::settings::register_languages;
pub use crate::share::{
    Cache, CachedIndex, Collected, Experience, MAX_CACHE_BYTES, Origin, Outline as PublishOutline, PublishReport,
    PublishedIndex, Share, ShareError, SharedCatalogs, SyncOptions, SyncReport, WriterSummary, collect,
    configured_share, configured_sync, published_indexes, shared_catalogs,
};
pub use crate::store::location::{CheckoutFolder, DataFolder};
pub use crate::store::{Finding, Reader, SCHEMA_VERSION, ScipAnswer, Stats, StoreError, is_database};
pub use crate::temporary::TemporaryFolder;
pub use changes::{ChangeRole, Changes, Elsewhere};
pub use consent::Concern;
pub use counterfactual::{Change, Move};
pub use debug::{ChannelList, ChannelStage, FusedSymbol, KeywordStage, NamedRank, PartLine, WalkStage, WalkedSymbol};
pub use delivered::DeliveredPack;
pub use emptiness::reason_without_files;
pub use examples::ExampleSearch;
pub use explanation::{
    Shares, channel_title, component_meaning, feedback_lines, headline, intent_line, matches, route, shares,
};
pub use feedback::{EffectiveVote, FeedbackEpoch, FeedbackRecorder, LearnedTerm, USE_EFFECT};
pub use finder::Finder;
pub use first_look::{FirstLook, Survey};
pub use last_commit::LastCommit;
pub use live::{FirstRun, Live, LiveState, LiveUpdate};
pub use local_names::LocalName;
pub use missing::MissingReason;
pub use neighborhood::{EgoRequest, NeighborNode, Neighborhood, ParentEdge, Relation, Users};
pub use notation::path_below;
pub use origin::IndexOrigin;
pub use output_path::OutputPathError;
pub use packing::{Beside, EdgeAcross, PackPart, beside, pack_together};
pub use partial_index::{PartialIndex, PartialIndexListener};
pub use pipeline::{Ranking, STAGES, Setup, UnknownComponent};
pub use prefetch::{Prefetch, Prefetched};
pub use questions::{EdgeBetween, JoinedGraph, MAX_ANSWER_ROWS, Questions, Sureness, Unused, unused_counts, why_lines};
pub use ranker::Ranker;
pub use reason::{FirstRanks, Reasons};
pub use removed::Removed;
pub use reply::{Reply, ReplyKind, ReplyRequest};
pub use share::{ShareFetch, ShareSource};
pub use source::{SourceError, SourceFile, Token, TokenClass, highlight, is_source};
pub use unread::{unread_beside, unread_code};
pub use uses::{edges_on_line, facts_of_file};
pub use watch::{FileChanges, FileWatcher, WatchEvent, WatchTargets};
pub use why::{
    ChannelRank, ConceptContribution, ListRank, PackStatus, PathStep, RankedScore, TermMatch, WalkReach, Why,
};
pub use words::WordMatch;

use bodies::Bodies;
use inspect::NameError;

use crate::concepts::Vocabulary;
use crate::index::{check_file_names, check_file_nodes, check_snapshot, check_unresolved_names, index, staleness};
use crate::model::Symbol;
use crate::rank::pack::BudgetTooSmall;
use crate::scan::Content;
use crate::scan::changes::bases;
use crate::scan::repository::Repository;
use crate::store::{self, location};
use crate::text::display::excerpt;

/// An error of the engine.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    #[error("{path} can't be opened as a folder: {cause}")]
    Folder { path: PathBuf, cause: std::io::Error },
    #[error("{root} does not exist any more")]
    Gone { root: PathBuf, problem: String },
    #[error(transparent)]
    Index(#[from] IndexError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Budget(#[from] BudgetTooSmall),
    #[error(transparent)]
    Changes(#[from] ChangesError),
    #[error(transparent)]
    Share(#[from] ShareError),
    #[error(transparent)]
    Catalog(#[from] CatalogError),
    #[error("{} is not an indexed file: {reason}", excerpt(file))]
    UnknownFile { file: String, reason: String },
    #[error("{reason}")]
    MissingSource { reason: String },
    #[error("can't start threads: {0}; raise the limit of processes (`ulimit -u`), or set RAYON_NUM_THREADS=1")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    #[error(transparent)]
    Component(#[from] UnknownComponent),
    #[error(transparent)]
    Name(Box<NameError>),
    #[error(transparent)]
    Source(#[from] SourceError),
    #[error("{reason}")]
    Task { reason: String },
    #[error(transparent)]
    Line(#[from] LineError),
    #[error(
        "the task \"{}\" has no keyword, so feedback on it is not recorded; use more specific words",
        excerpt(task)
    )]
    NoKeywords { task: String },
}

impl From<NameError> for EngineError {
    fn from(error: NameError) -> EngineError {
        EngineError::Name(Box::new(error))
    }
}

/// Starts the threads that all parts of the program share. Where they are started only when they are needed, a failure is a panic.
///
/// # Errors
/// When the system does not allow as many.
pub fn start_threads() -> Result<(), EngineError> {
    Ok(rayon::ThreadPoolBuilder::new().build_global()?)
}

fn repository(folder: &Path) -> Result<Repository, EngineError> {
    Repository::find(folder).map_err(|cause| EngineError::Folder { path: folder.to_owned(), cause })
}

/// One repository and its index.
#[derive(Debug, Clone)]
pub struct Engine {
    repository: Repository,
    /// The folder with the databases of all checkouts; `None` if the caller chose the database.
    data: Option<DataFolder>,
    database: PathBuf,
    /// The share from which a first index is fetched.
    share: Option<String>,
    /// The indexes of other checkouts on this machine.
    cache: Option<Cache>,
    /// The votes of other people.
    experience: Option<Experience>,
}

impl Engine {
    /// Finds the repository of `folder` and its database, without reading them: the one that is given, else that of the
    /// checkout in the user's data folder.
    ///
    /// # Errors
    /// When `folder` can't be opened, or there is no data folder.
    pub fn open(folder: &Path, database: Option<&Path>) -> Result<Engine, EngineError> {
        match database {
            Some(database) => Ok(Engine::new(repository(folder)?, None, database.to_owned())),
            None => Engine::open_in(folder, DataFolder::of_user()?),
        }
    }

    /// Finds the repository of `folder` and its database in a data folder, without reading them.
    ///
    /// # Errors
    /// When `folder` can't be opened.
    pub fn open_in(folder: &Path, data: DataFolder) -> Result<Engine, EngineError> {
        let repository = repository(folder)?;
        let database = data.database(&repository.root)?;
        Ok(Engine::new(repository, Some(data), database))
    }

    fn new(repository: Repository, data: Option<DataFolder>, database: PathBuf) -> Engine {
        Engine { repository, data, database, share: None, cache: None, experience: None }
    }

    /// Sets the URL or folder of the share from which a first index is fetched; `None` for none.
    pub fn set_share(&mut self, url: Option<String>) {
        self.share = url;
    }

    /// Sets the cache that a first index starts from, and that keeps it; `None` for none.
    pub fn set_cache(&mut self, cache: Option<Cache>) {
        self.cache = cache;
    }

    /// Returns the repository's root.
    pub fn root(&self) -> &Path {
        &self.repository.root
    }

    /// Returns the repository's id, such as `github.com/pallets/flask`.
    pub fn repository(&self) -> &str {
        &self.repository.id
    }

    /// Returns the path of the database, whether or not it exists.
    pub fn database(&self) -> &Path {
        &self.database
    }

    /// Builds the index, or updates it incrementally.
    ///
    /// # Errors
    /// When the store can't be used or written.
    pub fn index(
        &mut self,
        force: bool,
        jobs: Option<usize>,
        listener: &dyn Listener,
    ) -> Result<IndexReport, EngineError> {
        let options = IndexOptions { force, jobs, ..IndexOptions::default() };
        self.index_with(options, listener)
    }

    /// Builds or updates the index from the files, and from a copy if the options have one.
    fn index_here(&mut self, options: IndexOptions, listener: &dyn Listener) -> Result<IndexReport, EngineError> {
        let options = IndexOptions { database: Some(self.prepare()?), ..options };
        let report = index(&self.repository.root, &options, listener)?;
        self.database.clone_from(&report.database);
        Ok(report)
    }

    /// Prepares the folder of the database for writing; returns the database.
    fn prepare(&self) -> Result<PathBuf, IndexError> {
        Ok(match &self.data {
            Some(data) => data.prepare(self.root())?,
            None => location::prepare_file(&self.database).map(|()| self.database.clone())?,
        })
    }

    /// Compares the index with the checkout. Writes nothing.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn staleness(&self) -> Result<Staleness, EngineError> {
        match self.reader() {
            Ok(reader) => Ok(staleness(&self.repository, &reader)?),
            Err(EngineError::Store(StoreError::Missing { .. })) => {
                Ok(Staleness { is_absent: true, ..Staleness::default() })
            }
            Err(error) => Err(error),
        }
    }

    /// Loads the embedded vocabulary with the user's and this repository's files.
    pub fn vocabulary(&self) -> Arc<Vocabulary> {
        Vocabulary::for_repository(&self.repository.root)
    }

    /// Opens a read-only view of the last complete index.
    ///
    /// # Errors
    /// When there is no complete index or it can't be used.
    pub fn reader(&self) -> Result<Reader, EngineError> {
        Ok(Reader::open(&self.database)?)
    }

    /// Returns whether another process is writing the index, perhaps the first one. Writes nothing itself.
    pub fn is_being_indexed(&self) -> bool {
        store::is_being_written(&self.database)
    }

    /// Loads the last complete index for ranking.
    ///
    /// # Errors
    /// When there is no complete index or it can't be used.
    pub fn ranker(&self) -> Result<Ranker, EngineError> {
        let mut ranker = Ranker::new(self.reader()?, self.repository.root.clone())?;
        ranker.set_experience(self.experience.clone());
        Ok(ranker)
    }

    /// Checks the integrity of the index.
    ///
    /// # Errors
    /// When the database can't be opened.
    pub fn fsck(&self) -> Result<Vec<Finding>, EngineError> {
        let mut findings = store::fsck(&self.database)?;
        // A check that cannot run is a finding, so that the others are still reported.
        let finding_or_error = |check, finding: Result<Finding, StoreError>| {
            finding.unwrap_or_else(|error| Finding { check, problems: vec![error.to_string()] })
        };
        findings.push(finding_or_error("node ids of files", check_file_nodes(&self.database)));
        findings.push(finding_or_error("unresolved names", check_unresolved_names(&self.database)));
        findings.push(finding_or_error("names of files", check_file_names(&self.database)));
        findings.push(finding_or_error("Merkle root", check_snapshot(&self.database)));
        Ok(findings)
    }

    /// Returns the revisions that the working tree can be compared with: `HEAD`, then branches, the most recent first,
    /// then commits.
    ///
    /// # Errors
    /// When there is no git repository, or it can't be read.
    pub fn bases(&self) -> Result<Vec<Base>, EngineError> {
        Ok(bases(&self.repository.root)?)
    }

    /// Reads the text of a file of the repository.
    ///
    /// # Errors
    /// When it is missing, too large, not text, or outside the repository.
    pub fn source(&self, file: &str) -> Result<String, EngineError> {
        Ok(source::read(&self.repository.root, file)?.text)
    }

    /// Returns the column of each symbol's name, in bytes from 1; 1 where the file has changed.
    ///
    /// # Errors
    /// When the index can't be read.
    pub fn columns(&self, symbols: &[&Symbol]) -> Result<Vec<u32>, EngineError> {
        let reader = self.reader()?;
        let mut sources = Bodies::new(&reader, self.root());
        symbols.iter().map(|symbol| Ok(sources.column(symbol)?.unwrap_or(1))).collect()
    }

    /// Reads a file of the repository with its indexed definitions, and whether it has changed since.
    ///
    /// # Errors
    /// Those of [`Engine::source`]; when there is an index that can't be read.
    pub fn source_file(&self, file: &str) -> Result<SourceFile, EngineError> {
        let Content { text, hash } = source::read(&self.repository.root, file)?;
        let reader = match self.reader() {
            // Until there is an index of this version the file is shown without definitions.
            Err(EngineError::Store(StoreError::Missing { .. } | StoreError::Older { .. })) => {
                return Ok(SourceFile { text, ..SourceFile::default() });
            }
            reader => reader?,
        };
        let definitions = reader.symbols_of_file(file)?;
        let changed = reader.content_hash(file)?.is_some_and(|indexed| indexed != hash);
        Ok(SourceFile { text, definitions, changed })
    }
}
