//! Ranks and packs against one state of the index, which it holds in memory.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::Arc;

use super::bodies::Bodies;
use super::learner::judged;
use super::learning::Learning;
use super::{EngineError, Reader};
use crate::index::profile;
use crate::learn::{Act, ActKind, Vote};
use crate::model::{
    Component, ContextPack, MissingSource, Options, PackEdge, PackedSymbol, Preset, Request, Symbol, SymbolId, Task,
};
use crate::rank::pack::{Candidate, Offer, pack};
use crate::render::{Renderer, TokenCache, TokenCounter};
use crate::retrieve::{Gathered, Graph, Groups, Ranking, Retriever, Teaching, tuning};
use crate::scan::changes::changed_files;
use crate::store::{Seen, Watch};
use crate::vocab::{Profile, Vocabulary};

/// A loaded index. Opening costs one pass over the graph; each task after that reads only what it needs.
pub struct Ranker {
    pub(super) reader: Reader,
    /// The name of the state that this ranks against.
    state: Option<String>,
    pub(super) graph: Graph,
    groups: Groups,
    pub(super) vocabulary: Arc<Vocabulary>,
    pub(super) profile: Profile,
    pub(super) root: PathBuf,
    learning: Learning,
    /// Tells when the store is written to; made when it is first asked.
    watch: Option<Watch>,
    /// What the last task's words found.
    gathered: RefCell<Option<(GatheredFor, Arc<Gathered>)>>,
    /// What symbols cost in the last packs.
    counts: TokenCache,
}

/// What gathering depends on: the task's words, the preset, and the parts of it that are left out.
type GatheredFor = (String, Preset, BTreeSet<String>);

impl Ranker {
    pub(super) fn new(reader: Reader, root: PathBuf) -> Result<Ranker, EngineError> {
        let learning = Learning::open(reader.path())?;
        let graph = Graph::load(&reader)?;
        let groups = Groups::new(&graph);
        let vocabulary = Vocabulary::of_repository(&root);
        let profile = profile(&reader)?;
        Ok(Ranker {
            state: reader.state()?,
            reader,
            graph,
            groups,
            vocabulary,
            profile,
            root,
            learning,
            watch: None,
            gathered: RefCell::default(),
            counts: TokenCache::default(),
        })
    }

    /// Goes over to the last complete index if that is another one now, whichever process made it; true when it did.
    /// Costs some microseconds where only votes and the like were written. A ranking never mixes two states: it borrows the
    /// ranker, which this replaces as a whole, or not at all when it fails.
    ///
    /// # Errors
    /// When there is no usable index any more. The ranker still answers from the state that it has.
    pub fn renew(&mut self) -> Result<bool, EngineError> {
        // It comes back when all went well; without it the next call loads anew, so that what failed is tried again.
        if let Some(mut watch) = self.watch.take() {
            let is_same = match watch.look()? {
                Seen::Nothing => true,
                Seen::Written { state } if state.is_some() && state == self.state => {
                    // What others wrote beside the index shows now, too.
                    self.reader.refresh()?;
                    self.reader.state()? == self.state
                }
                _ => false,
            };
            if is_same {
                self.watch = Some(watch);
                return Ok(false);
            }
        }
        self.load()
    }

    /// Loads the last complete index if that is another one.
    fn load(&mut self) -> Result<bool, EngineError> {
        // The watch comes first: what is written after it and before the reader is seen twice, but not missed.
        let watch = Watch::new(self.reader.path())?;
        let reader = Reader::open(self.reader.path())?;
        let is_other = !self.shows(&reader)?;
        if is_other {
            let (graph, profile, state) = (Graph::load(&reader)?, profile(&reader)?, reader.state()?);
            self.learning.reopen(reader.path())?;
            self.groups = Groups::new(&graph);
            self.vocabulary = Vocabulary::of_repository(&self.root);
            (self.graph, self.profile, self.state) = (graph, profile, state);
            *self.gathered.get_mut() = None;
        }
        self.reader = reader;
        self.watch = Some(watch);
        Ok(is_other)
    }

    /// True when `reader` shows the state that this ranks against.
    pub(super) fn shows(&self, reader: &Reader) -> Result<bool, EngineError> {
        Ok(self.state.is_some() && self.state == reader.state()?)
    }

    /// The index that this ranks against.
    pub fn reader(&self) -> &Reader {
        &self.reader
    }

    /// Matches by words alone, best first, their scores scaled so that the best has 1.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn words(&self, task: &str, limit: usize) -> Result<Vec<PackedSymbol>, EngineError> {
        let found = self.retriever(&Task::words(task))?.words(task, limit)?;
        let best = found.first().map_or(1.0, |(_, score)| *score);
        let nodes: Vec<u32> = found.iter().map(|(node, _)| *node).collect();
        let symbols = self.reader.symbols(&nodes)?;
        let scores: HashMap<u32, f64> = found.into_iter().collect();
        Ok(symbols
            .into_iter()
            .map(|symbol| {
                let value = scores.get(&symbol.node).copied().unwrap_or(0.0) / best;
                let component = Component { name: "lexical", value, weight: 1.0, contribution: value };
                packed(symbol, value, vec![component], 0, "bm25")
            })
            .collect())
    }

    /// The ranking of a task; `None` when `cancelled` said so on the way.
    ///
    /// # Errors
    /// When the store can't be read, or a file, base or part of the preset is unknown.
    pub fn rank(&self, task: &Task, cancelled: &dyn Fn() -> bool) -> Result<Option<Ranking>, EngineError> {
        let retriever = self.retriever(task)?;
        match &task.request {
            Request::Task(text) => {
                let Some(gathered) = self.gathered(&retriever, text, &task.options, cancelled)? else {
                    return Ok(None);
                };
                Ok(retriever.task(text, &gathered, cancelled)?)
            }
            Request::Files(files) => {
                let files: Result<Vec<String>, EngineError> = files.iter().map(|file| self.indexed(file)).collect();
                Ok(Some(retriever.files(&files?)?))
            }
            Request::PullRequest(base) => {
                let files = changed_files(&self.root, base)?;
                Ok(Some(retriever.pull_request(&files)?))
            }
        }
    }

    /// The pack of a task; `None` when `cancelled` said so on the way.
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

    /// The pack of a task that [`Ranker::rank`] has ranked.
    ///
    /// # Errors
    /// When the store can't be read, or the budget can't hold even an empty pack.
    pub fn pack_ranked(
        &self,
        task: &Task,
        ranking: &Ranking,
        renderer: &dyn Renderer,
        bodies: bool,
    ) -> Result<ContextPack, EngineError> {
        let (offer, mut missing_sources) = self.offer(task, ranking, bodies)?;
        let pack = pack(offer, &TokenCounter::new(renderer, &self.counts))?;
        missing_sources.retain(|missing| pack.symbols.iter().any(|packed| packed.symbol.file == missing.file));
        Ok(ContextPack { missing_sources, ..pack })
    }

    /// The source of a symbol as it was indexed; empty for what lies in no file.
    ///
    /// # Errors
    /// When the store can't be read, or the file is gone or has changed since.
    pub fn body(&self, symbol: &Symbol) -> Result<String, EngineError> {
        let mut sources = Bodies::new(&self.reader, &self.root);
        let body = sources.body(symbol)?;
        match sources.missing().pop() {
            Some(MissingSource { reason, .. }) => Err(EngineError::MissingSource { reason }),
            None => Ok(body.unwrap_or_default()),
        }
    }

    pub(super) fn graph(&self) -> &Graph {
        &self.graph
    }

    /// What the words of a task find, gathered anew when they or the ways to look have changed. The index never does.
    fn gathered(
        &self,
        retriever: &Retriever<'_>,
        text: &str,
        options: &Options,
        cancelled: &dyn Fn() -> bool,
    ) -> Result<Option<Arc<Gathered>>, EngineError> {
        let key = (text.to_owned(), options.preset, options.without.clone());
        let mut last = self.gathered.borrow_mut();
        if let Some((known, gathered)) = &*last
            && *known == key
        {
            return Ok(Some(Arc::clone(gathered)));
        }
        let Some(gathered) = retriever.gather(text, cancelled)? else { return Ok(None) };
        let gathered = Arc::new(gathered);
        *last = Some((key, Arc::clone(&gathered)));
        Ok(Some(gathered))
    }

    /// Ranks the next task as if it had never been asked: for measuring.
    pub fn forget(&self) {
        *self.gathered.borrow_mut() = None;
        self.graph.forget();
        self.counts.clear();
    }

    /// What was taught, and what is supposed to have been.
    fn teaching(&self, task: &Task) -> Result<Teaching, EngineError> {
        let moment = self.learning.moment()?;
        let supposed = &task.options.supposed_votes;
        let (false, Request::Task(text)) = (supposed.is_empty(), &task.request) else {
            return Ok(Teaching { standing: self.learning.standing()?, moment });
        };
        let ties = supposed.keys().map(SymbolId::tie).collect();
        let symbols = self.reader.symbols(&self.graph.bearing(&ties))?;
        let votes: Vec<(&Symbol, Vote)> = (symbols.iter())
            .filter_map(|symbol| {
                let is_useful = supposed.get(&symbol.id)?;
                Some((symbol, if *is_useful { Vote::Useful } else { Vote::NotUseful }))
            })
            .collect();
        let act = Act { session: moment.session.clone(), ..self.judged(text, &votes)? };
        Ok(Teaching { standing: self.learning.supposing(act)?, moment })
    }

    pub(super) fn retriever<'a>(&'a self, task: &'a Task) -> Result<Retriever<'a>, EngineError> {
        let (options, teaching) = (&task.options, self.teaching(task)?);
        let (reader, graph, groups) = (&self.reader, &self.graph, &self.groups);
        Ok(Retriever::new(reader, graph, groups, &self.vocabulary, &self.profile, options, teaching)?)
    }

    /// From now on questions belong to this session: what it used last comes first. Without one they belong to the session
    /// that goes on in the store.
    pub fn set_session(&mut self, session: String) {
        self.learning.set_session(session);
    }

    /// From now on these entries count, and nothing of the journal: for simulations.
    pub fn learn_only(&mut self, acts: &[Act]) {
        self.learning.set_only(acts);
    }

    /// The entry that these votes would make in the journal; it has no number and no session yet.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn judged(&self, task: &str, votes: &[(&Symbol, Vote)]) -> Result<Act, EngineError> {
        Ok(judged(&self.reader, &self.vocabulary, ActKind::Vote, task, votes)?)
    }

    /// A number that grows with every change of what was taught, in any process: answers may differ when it does.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn learning_epoch(&self) -> Result<i64, EngineError> {
        Ok(self.learning.epoch()?)
    }

    /// The path of an indexed file as the index knows it: `./src/a.py` is `src/a.py`.
    fn indexed(&self, file: &str) -> Result<String, EngineError> {
        let path = file.strip_prefix("./").unwrap_or(file).replace('\\', "/");
        if self.reader.symbols_of_file(&path)?.is_empty() {
            return Err(EngineError::UnknownFile { file: file.to_owned() });
        }
        Ok(path)
    }

    /// What a pack can be chosen from, and the files whose source was asked for and can't be shown.
    fn offer(&self, task: &Task, ranking: &Ranking, bodies: bool) -> Result<(Offer, Vec<MissingSource>), EngineError> {
        let mut sources = Bodies::new(&self.reader, &self.root);
        let mut place = HashMap::new();
        let mut candidates: Vec<Candidate> = Vec::new();
        let pinned = self.nodes_of(&task.options.pinned)?;
        let (first, others) = ranking.symbols.split_at(ranking.symbols.len().min(tuning::OFFERED));
        for ranked in first.iter().chain(others.iter().filter(|ranked| pinned.contains(&ranked.node))) {
            let Some(symbol) = self.reader.symbol(ranked.node)? else { continue };
            let body = if bodies { sources.body(&symbol)? } else { None };
            let symbol = packed(symbol, ranked.score, ranked.components.clone(), ranked.distance, ranked.provenance);
            place.insert(ranked.node, candidates.len());
            candidates.push(Candidate { symbol: PackedSymbol { body, ..symbol }, walk: ranked.walk });
        }
        for node in pinned.into_iter().filter(|node| !place.contains_key(node)).collect::<Vec<u32>>() {
            let Some(symbol) = self.reader.symbol(node)? else { continue };
            let body = if bodies { sources.body(&symbol)? } else { None };
            let symbol = packed(symbol, 0.0, Vec::new(), tuning::WALK.most_hops + 1, "pinned");
            place.insert(node, candidates.len());
            candidates.push(Candidate { symbol: PackedSymbol { body, ..symbol }, walk: 0.0 });
        }
        let edges = self.edges(&candidates, &place);
        let offer = Offer {
            task: describe(&task.request),
            repository: self.reader.repository().to_owned(),
            budget_tokens: task.budget_tokens,
            candidates,
            edges,
            pinned: task.options.pinned.clone(),
            dropped: task.options.dropped.clone(),
            phantom_ratio: self.graph.phantom_ratio(),
        };
        Ok((offer, sources.missing()))
    }

    /// The numbers of these symbols in this state of the index.
    pub(super) fn nodes_of(&self, ids: &BTreeSet<SymbolId>) -> Result<BTreeSet<u32>, EngineError> {
        let mut nodes = BTreeSet::new();
        if ids.is_empty() {
            return Ok(nodes);
        }
        for node in self.graph.bearing(&ids.iter().map(|id| id.tie()).collect()) {
            if self.reader.identity_of(node)?.is_some_and(|id| ids.contains(&id)) {
                nodes.insert(node);
            }
        }
        Ok(nodes)
    }

    fn edges(&self, candidates: &[Candidate], place: &HashMap<u32, usize>) -> Vec<PackEdge> {
        let mut edges = Vec::new();
        for (source, candidate) in candidates.iter().enumerate() {
            for neighbor in self.graph.adjacency.outgoing(candidate.symbol.symbol.node) {
                if let Some(&target) = place.get(&neighbor.node) {
                    let (edge_type, provenance) = (neighbor.edge_type, neighbor.provenance);
                    edges.push(PackEdge { source, target, edge_type, provenance, confidence: neighbor.confidence() });
                }
            }
        }
        edges
    }
}

/// What the pack is said to be for.
fn describe(request: &Request) -> String {
    match request {
        Request::Task(text) => text.clone(),
        Request::Files(files) => format!("changed files: {}", files.join(", ")),
        Request::PullRequest(base) => format!("changes since {base}"),
    }
}

fn packed(
    symbol: Symbol,
    score: f64,
    components: Vec<Component>,
    distance: u32,
    provenance: &'static str,
) -> PackedSymbol {
    PackedSymbol { symbol, score, components, distance, provenance, tokens: 0, body: None }
}
