//! Ranking and packing against one state of the index, held in memory.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use super::bodies::Bodies;
use super::cache::Cache;
use super::feedback::{FeedbackEpoch, FeedbackReader, vote_event};
use super::notation::{indexed_path, path_below};
use super::pipeline::{Pipeline, Ranking};
use super::source::{self, is_source};
use super::unread::skipped_reason;
use super::{EngineError, Reader};
use crate::candidates::{FeedbackContext, Graph, Groups, IndexView};
use crate::concepts::{Profile, Vocabulary};
use crate::feedback::{EventKind, FeedbackEvent, Vote};
use crate::index::profile;
use crate::model::{Component, ContextPack, MissingSource, NodeId, PackedSymbol, Request, Symbol, SymbolId, Task};
use crate::render::Renderer;
use crate::share::Experience;
use crate::store::{ChangeDetector, StoreChange};
use crate::temporary::TemporaryFolder;

/// A loaded index. The first task takes one pass over the graph; a question about symbols reads only the rows that it needs.
pub struct Ranker {
    pub(super) reader: Reader,
    /// Identifier of the state of the index that is loaded.
    state: Option<String>,
    pub(super) graph: Graph,
    /// Built by the first ranking: questions about structure need none.
    groups: OnceLock<Groups>,
    /// Found by the first question.
    pub(super) constructors: OnceLock<Arc<HashSet<NodeId>>>,
    pub(super) vocabulary: Arc<Vocabulary>,
    pub(super) profile: Profile,
    pub(super) root: PathBuf,
    feedback: FeedbackReader,
    /// Detects writes to the store; created at the first refresh.
    detector: Option<ChangeDetector>,
    pub(super) cache: Cache,
    /// The folder of a temporary index, which is deleted after everything that reads it.
    folder: Option<TemporaryFolder>,
}

impl Ranker {
    /// Loads the index of `reader`.
    pub(super) fn new(reader: Reader, root: PathBuf) -> Result<Ranker, EngineError> {
        let feedback = FeedbackReader::open(reader.path())?;
        let (reader, graph) = with_graph(reader)?;
        let vocabulary = Vocabulary::for_repository(&root);
        let profile = profile(&reader)?;
        Ok(Ranker {
            state: reader.state()?,
            reader,
            graph,
            groups: OnceLock::new(),
            constructors: OnceLock::new(),
            vocabulary,
            profile,
            root,
            feedback,
            detector: None,
            cache: Cache::default(),
            folder: None,
        })
    }

    /// Keeps the folder of a temporary index for as long as it is read.
    pub(super) fn keep(&mut self, folder: TemporaryFolder) {
        self.folder = Some(folder);
    }

    /// Sets the votes of other people that count in rankings.
    pub(super) fn set_experience(&mut self, experience: Option<Experience>) {
        self.feedback.set_experience(experience);
    }

    /// Loads the last complete index if another process has replaced it; returns whether it did. Takes a few
    /// microseconds if only feedback was written. On an error nothing is replaced, so that a ranking never mixes two
    /// states.
    ///
    /// # Errors
    /// When there is no usable index. The ranker keeps its present state.
    pub fn refresh(&mut self) -> Result<bool, EngineError> {
        // It is put back on success only. Without it the next call reloads, which retries after an error.
        if let Some(mut detector) = self.detector.take() {
            let is_same = match detector.poll()? {
                StoreChange::Unchanged => true,
                StoreChange::Written { state } if state.is_some() && state == self.state => {
                    // Makes other writes to the store visible.
                    self.reader.refresh()?;
                    self.reader.state()? == self.state && self.graph.refresh()? == self.state
                }
                _ => false,
            };
            if is_same {
                self.detector = Some(detector);
                return Ok(false);
            }
        }
        self.load()
    }

    /// Loads the last complete index if it differs from the present one.
    fn load(&mut self) -> Result<bool, EngineError> {
        // Created before the reader, so that writes between the two are detected twice instead of missed.
        let detector = ChangeDetector::new(self.reader.path())?;
        let mut reader = Reader::open(self.reader.path())?;
        let is_other = !self.is_at_state_of(&reader)?;
        if is_other {
            let graph;
            (reader, graph) = with_graph(reader)?;
            let (profile, state) = (profile(&reader)?, reader.state()?);
            self.feedback.reopen(reader.path())?;
            self.cache.clear_journal();
            (self.groups, self.constructors) = (OnceLock::new(), OnceLock::new());
            self.vocabulary = Vocabulary::for_repository(&self.root);
            (self.graph, self.profile, self.state) = (graph, profile, state);
            self.cache.clear_index();
        }
        self.reader = reader;
        self.detector = Some(detector);
        Ok(is_other)
    }

    /// Returns whether `reader` reads the state of the index that is loaded.
    fn is_at_state_of(&self, reader: &Reader) -> Result<bool, EngineError> {
        Ok(self.state.is_some() && self.state == reader.state()?)
    }

    /// Returns the reader of the loaded index.
    pub fn reader(&self) -> &Reader {
        &self.reader
    }

    /// Returns the root of the repository.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the languages and packages of the repository.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// Returns the graph of the loaded index.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Ranks by the lexical channel alone, best first: a preview of a ranking. The scores are scaled so that the best
    /// is 1.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn rank_lexical(&self, task: &str, limit: usize) -> Result<Vec<PackedSymbol>, EngineError> {
        let found = self.pipeline(&Task::from_text(task))?.rank_lexical(task, limit)?;
        let best = found.first().map_or(1.0, |(_, score)| *score);
        let nodes: Vec<NodeId> = found.iter().map(|(node, _)| *node).collect();
        let symbols = self.reader.symbols(&nodes)?;
        let scores: HashMap<NodeId, f64> = found.into_iter().collect();
        Ok(symbols
            .into_iter()
            .map(|symbol| {
                let value = scores.get(&symbol.node).copied().unwrap_or(0.0) / best;
                let component = Component { name: "lexical", value, contribution: value };
                packed(symbol, value, vec![component], 0, "bm25")
            })
            .collect())
    }

    /// Ranks symbols for a request; `None` if `cancelled` returned true.
    ///
    /// # Errors
    /// When the store can't be read, or a file, base or component of the ranking is unknown.
    pub fn rank(&self, task: &Task, cancelled: &dyn Fn() -> bool) -> Result<Option<Ranking>, EngineError> {
        let pipeline = self.pipeline(task)?;
        let ranking = match &task.request {
            Request::Task(text) => {
                let generate = || pipeline.generate_candidates(text, cancelled);
                let Some(sets) = self.cache.candidates(text, &task.options, generate)? else { return Ok(None) };
                let mut ranking = pipeline.rank_task(text, &sets, cancelled)?;
                if let Some(ranking) = ranking.as_mut().filter(|_| !task.options.every_feature) {
                    self.answer_task(text, ranking)?;
                }
                ranking
            }
            Request::Files(files) => {
                let (indexed, notes) = self.indexed(files)?;
                Some(Ranking { notes, ..pipeline.rank_files(&indexed)? })
            }
            Request::PullRequest(base) => Some(pipeline.rank_pull_request(&self.root, base)?),
        };
        // What is cached lacks the edges that can't be read.
        self.graph.check().inspect_err(|_| self.clear_cache())?;
        Ok(ranking)
    }

    /// Ranks and packs symbols for a request; `None` if `cancelled` returned true.
    ///
    /// # Errors
    /// Those of [`Ranker::rank`], or when the budget can't hold even an empty pack.
    pub fn pack(
        &self,
        task: &Task,
        renderer: &dyn Renderer,
        bodies: bool,
        cancelled: &dyn Fn() -> bool,
    ) -> Result<Option<ContextPack>, EngineError> {
        let Some(ranking) = self.rank(task, cancelled)? else { return Ok(None) };
        if cancelled() {
            return Ok(None);
        }
        Ok(Some(self.pack_ranked(task, &ranking, renderer, bodies)?))
    }

    /// Returns the source of a symbol as it was indexed, or the lines of a section; empty for a symbol without a file.
    ///
    /// # Errors
    /// When the store can't be read, or the file is missing or has changed.
    pub fn body(&self, symbol: &Symbol) -> Result<String, EngineError> {
        if symbol.is_section() {
            let content = source::read(&self.root, &symbol.file)
                .map_err(|error| EngineError::MissingSource { reason: error.to_string() })?;
            let (first, last) = (symbol.span.start_line.max(1) as usize, symbol.span.end_line as usize);
            return Ok(content.text.split_inclusive('\n').take(last).skip(first - 1).collect());
        }
        let mut sources = Bodies::new(&self.reader, &self.root);
        let body = sources.body(symbol)?;
        match sources.missing().pop() {
            Some(MissingSource { reason, .. }) => Err(EngineError::MissingSource { reason }),
            None => Ok(body.unwrap_or_default()),
        }
    }

    /// Clears the caches of ranking.
    pub fn clear_cache(&self) {
        self.cache.clear_index();
        self.cache.counts.clear();
    }

    /// Returns the feedback of a request, with its hypothetical votes.
    fn feedback_context(&self, task: &Task) -> Result<FeedbackContext, EngineError> {
        let moment = self.feedback.moment()?;
        let hypothetical = &task.options.hypothetical_votes;
        let (false, Request::Task(text)) = (hypothetical.is_empty(), &task.request) else {
            return Ok(FeedbackContext { state: self.feedback.state(&self.reader, &self.cache)?, moment });
        };
        let prefixes = hypothetical.keys().map(|id| id.id_prefix()).collect();
        let symbols = self.reader.symbols(&self.graph.nodes_by_id_prefix(&prefixes))?;
        let votes: Vec<(&Symbol, Vote)> = (symbols.iter())
            .filter_map(|symbol| {
                let is_useful = hypothetical.get(&symbol.id)?;
                Some((symbol, if *is_useful { Vote::Useful } else { Vote::NotUseful }))
            })
            .collect();
        let event = FeedbackEvent { session: moment.session.clone(), ..self.vote_event(text, &votes)? };
        Ok(FeedbackContext { state: self.feedback.state_with(&self.reader, &self.cache, event)?, moment })
    }

    fn pipeline<'a>(&'a self, task: &'a Task) -> Result<Pipeline<'a>, EngineError> {
        let (reader, graph) = (&self.reader, &self.graph);
        graph.load()?;
        let groups = self.groups.get_or_init(|| Groups::new(graph));
        let (postings, root, packages) = (&self.cache.postings, self.root.as_path(), &self.profile.own);
        let index = IndexView { reader, graph, groups, postings, root, packages };
        let (vocabulary, profile, options) = (&self.vocabulary, &self.profile, &task.options);
        let feedback = self.feedback_context(task)?;
        Ok(Pipeline::new(index, &self.cache.walks, vocabulary, profile, options, feedback)?)
    }

    /// Replaces the events of the journal for later requests, for simulations.
    pub fn replace_feedback(&mut self, events: &[FeedbackEvent]) {
        self.feedback.replace(events);
    }

    /// Returns the event of these votes; its number and session are not set.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn vote_event(&self, task: &str, votes: &[(&Symbol, Vote)]) -> Result<FeedbackEvent, EngineError> {
        Ok(vote_event(&self.reader, &self.vocabulary, EventKind::Vote, task, votes)?)
    }

    /// Returns the state of the feedback, which differs after every change by any process. Rankings may differ between
    /// states.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn feedback_epoch(&self) -> Result<FeedbackEpoch, EngineError> {
        self.feedback.epoch()
    }

    /// Normalizes the paths of indexed files, `./src/a.py` and an absolute path to `src/a.py`, and returns each once, with a note
    /// on each file that is not indexed.
    ///
    /// # Errors
    /// When none is indexed, or the store can't be read.
    fn indexed(&self, files: &[String]) -> Result<(Vec<String>, Vec<String>), EngineError> {
        let below = |file: &String| path_below(self.root(), file);
        let paths: BTreeMap<String, &String> = files.iter().map(|file| (below(file), file)).collect();
        let (mut indexed, mut unknown) = (BTreeSet::new(), Vec::new());
        for (path, file) in paths {
            if let Some(path) = indexed_path(&self.reader, self.root(), &path)? {
                indexed.insert(path);
            } else {
                let reason = self.why_not_indexed(&path)?;
                unknown.push(EngineError::UnknownFile { file: file.clone(), reason });
            }
        }
        let indexed = Vec::from_iter(indexed);
        match unknown.into_iter() {
            mut unknown if indexed.is_empty() => unknown.next().map_or(Ok(Default::default()), Err),
            unknown => Ok((indexed, unknown.map(|error| error.to_string()).collect())),
        }
    }

    /// Returns why a file is not in the index, as a clause.
    fn why_not_indexed(&self, path: &str) -> Result<String, EngineError> {
        let is_within =
            |folder: &str| path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        let skip = self.reader.skips()?.into_iter().find(|skip| is_within(skip.path.trim_end_matches('/')));
        Ok(match skip.map(|skip| (skip.path == path, skip.reason)) {
            _ if Path::new(path).is_absolute() || path.starts_with("..") => {
                "it is outside of this repository".to_owned()
            }
            Some((true, name)) => format!("it {}", skipped_reason(&name)),
            Some((false, name)) => format!("its folder {}", skipped_reason(&name)),
            None if self.root().join(path).is_file() && !is_source(path) => "no grammar reads it".to_owned(),
            None if self.root().join(path).is_file() => {
                "it came after the last `knowing index`, or is ignored".to_owned()
            }
            None if self.root().join(path).is_dir() => "it is a folder; name the files in it".to_owned(),
            None => "there is none; paths are relative to the repository's root, such as src/main.rs, or absolute"
                .to_owned(),
        })
    }

    /// Returns the nodes of these symbols in this state of the index.
    pub(super) fn nodes_of(&self, ids: &BTreeSet<SymbolId>) -> Result<BTreeSet<NodeId>, EngineError> {
        let mut nodes = BTreeSet::new();
        if ids.is_empty() {
            return Ok(nodes);
        }
        for node in self.graph.nodes_by_id_prefix(&ids.iter().map(|id| id.id_prefix()).collect()) {
            if self.reader.symbol_id(node)?.is_some_and(|id| ids.contains(&id)) {
                nodes.insert(node);
            }
        }
        self.graph.check()?;
        Ok(nodes)
    }
}

/// Returns the graph of the state that `reader` reads, with a reader of its own. If another state is written meanwhile, both are
/// of that one.
fn with_graph(mut reader: Reader) -> Result<(Reader, Graph), EngineError> {
    loop {
        let own = Reader::open(reader.path())?;
        if own.state()? == reader.state()? {
            return Ok((reader, Graph::open(own)?));
        }
        reader = Reader::open(reader.path())?;
    }
}

/// Returns a symbol as an entry of a pack, not yet rendered.
pub(super) fn packed(
    symbol: Symbol,
    score: f64,
    components: Vec<Component>,
    distance: u32,
    provenance: &'static str,
) -> PackedSymbol {
    PackedSymbol { symbol, score, components, distance, provenance, tokens: 0, body: None, reason: None }
}
