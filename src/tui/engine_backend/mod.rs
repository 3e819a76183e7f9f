//! The backend of the explorer on the engine.

mod agents;
mod partial;

use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::backend::{
    Answer, Backend, Examples, FeedbackWriter, Indexed, Journal, Progress, Reader, Recorded, Response, Status,
};
use super::effect::{Node, Record, TextRequest, Topic};
use super::model::concepts::MuteEffect;
use super::model::export::{Form, Written};
use super::panes::why::{Counterfactual, Explained};
use crate::engine::{
    Change, Engine, EngineError, ExampleSearch, FeedbackRecorder, Finder, PartialIndex, PartialIndexListener, Ranker,
    Ranking, SourceFile, WatchTargets, inspect, without_grammar,
};
use crate::exchange::Exchange;
use crate::model::{ContextPack, Options, PackedSymbol, Request, Symbol, Task};
use crate::render::gcf::Gcf;
use crate::render::renderer_named;
use crate::text::tokens;

/// A repository opened with the engine. Indexing may move the database, so the engine is behind a lock, which is held
/// only to clone the engine.
pub struct EngineBackend {
    engine: Mutex<Engine>,
    /// The partial index, while the first index is being built.
    partial_index: Mutex<Option<Arc<PartialIndex>>>,
}

/// Maximum number of results of a search for symbols or files.
const MAX_RESULTS: usize = 200;

struct EngineReader {
    engine: Engine,
    ranker: Ranker,
    /// Loaded by the first search for a name.
    finder: Option<Finder>,
    examples: ExampleSearch,
    cached: Option<CachedRanking>,
    /// The latest pack.
    pack: ContextPack,
}

/// The latest ranking and its inputs.
struct CachedRanking {
    request: Request,
    options: Options,
    /// The version of the feedback.
    epoch: i64,
    ranking: Rc<Ranking>,
}

impl EngineBackend {
    /// Wraps an engine.
    pub fn new(engine: Engine) -> EngineBackend {
        EngineBackend { engine: Mutex::new(engine), partial_index: Mutex::new(None) }
    }

    fn engine(&self) -> MutexGuard<'_, Engine> {
        self.engine.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn partial_index(&self) -> MutexGuard<'_, Option<Arc<PartialIndex>>> {
        self.partial_index.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Backend for EngineBackend {
    fn status(&self) -> Answer<Status> {
        let engine = self.engine().clone();
        let repository = engine.repository().to_owned();
        // Without a usable index the explorer builds one; that reports why it cannot.
        let Ok(reader) = engine.reader() else { return Ok(Status { repository, ..Status::default() }) };
        let stats = reader.stats().map_err(|error| error.to_string())?;
        Ok(Status {
            repository,
            files: stats.file_count() as usize,
            symbols: stats.symbol_count() as usize,
            without_grammar: without_grammar(&reader).map_err(|error| error.to_string())?,
            usable: true,
        })
    }

    fn index(&self, progress: &(dyn Fn(Progress) + Sync)) -> Answer<Indexed> {
        let mut engine = self.engine().clone();
        let report = |step: crate::engine::Progress| {
            progress(Progress { phase: step.phase.name(), done: step.done, total: step.total });
        };
        let is_first = engine.reader().is_err();
        let indexed = if is_first {
            let partial_index = Arc::new(PartialIndex::default());
            *self.partial_index() = Some(partial_index.clone());
            engine.index(false, None, &PartialIndexListener { index: &partial_index, progress: &report })
        } else {
            engine.index(false, None, &report)
        };
        *self.partial_index() = None;
        let update = engine_result(indexed)?;
        *self.engine() = engine;
        Ok(Indexed { status: self.status()?, changed: !update.is_unchanged })
    }

    fn reader(&self) -> Answer<Box<dyn Reader>> {
        let engine = self.engine().clone();
        if let Some(partial_index) = self.partial_index().clone() {
            return Ok(Box::new(partial::PartialIndexReader { engine, partial_index }));
        }
        let ranker = engine_result(engine.ranker())?;
        Ok(Box::new(EngineReader {
            engine,
            ranker,
            finder: None,
            examples: ExampleSearch::default(),
            cached: None,
            pack: ContextPack::default(),
        }))
    }

    fn feedback_writer(&self) -> Answer<Box<dyn FeedbackWriter>> {
        let engine = self.engine().clone();
        let recorder = engine_result(engine.feedback_recorder(None))?;
        Ok(Box::new(EngineFeedbackWriter { engine, recorder }))
    }

    fn watch_targets(&self) -> Answer<WatchTargets> {
        engine_result(self.engine().watch_targets())
    }

    fn source(&self, file: &str) -> Answer<SourceFile> {
        let engine = self.engine().clone();
        let partial_index = self.partial_index().clone();
        let mut source = engine_result(engine.source_file(file))?;
        if let Some(partial_index) = partial_index {
            source.definitions = partial_index.definitions(file);
        }
        Ok(source)
    }

    fn exchange(&self) -> Option<Exchange> {
        Some(Exchange::for_engine(&self.engine()))
    }
}

struct EngineFeedbackWriter {
    engine: Engine,
    recorder: FeedbackRecorder,
}

impl FeedbackWriter for EngineFeedbackWriter {
    fn record(&mut self, record: &Record) -> Answer<Recorded> {
        let recorder = &mut self.recorder;
        let done = |result: Result<(), EngineError>| engine_result(result).map(|()| Recorded::Done);
        match record {
            Record::Vote { task, symbol, after, .. } => done(recorder.vote(task, symbol, *after).map(drop)),
            Record::Used { task, symbol, how } => {
                let event = engine_result(recorder.record_use(task, symbol, *how))?;
                Ok(Recorded::Used { event: event.id })
            }
            Record::Shown { task, symbols } => done(recorder.record_shown(task, symbols).map(drop)),
            Record::Votes { task } => {
                let votes = engine_result(recorder.votes_for(task))?;
                Ok(Recorded::Votes(votes.into_iter().map(|voted| (voted.symbol, voted.vote)).collect()))
            }
            Record::Journal => self.journal(),
            Record::SetUndone { entry, undone } => {
                engine_result(recorder.set_undone(*entry, *undone))?;
                self.journal()
            }
            Record::Agent(job) => agents::carry_out(&self.engine, recorder, job).map(Recorded::Agent),
            Record::Forget { keyword, symbol } => {
                engine_result(recorder.forget_term(keyword, Some(symbol)))?;
                self.journal()
            }
        }
    }
}

impl EngineFeedbackWriter {
    fn journal(&self) -> Answer<Recorded> {
        let (events, learned_terms) = (engine_result(self.recorder.events())?, engine_result(self.recorder.terms())?);
        Ok(Recorded::Journal(Journal { events, learned_terms }))
    }
}

impl Reader for EngineReader {
    fn lexical(&mut self, task: &str, limit: usize) -> Answer<Vec<PackedSymbol>> {
        self.refresh()?;
        engine_result(self.ranker.rank_lexical(task, limit))
    }

    fn rank(&mut self, task: &Task, cancelled: &(dyn Fn() -> bool + Sync)) -> Answer<Option<ContextPack>> {
        let Some(ranking) = self.ranking(task, cancelled)? else { return Ok(None) };
        let pack = engine_result(self.ranker.pack_ranked(task, &ranking, &Gcf, false))?;
        self.pack.clone_from(&pack);
        Ok(Some(pack))
    }

    fn ask(&mut self, topic: &Topic) -> Answer<Response> {
        match topic {
            Topic::Examples => self.examples().map(Response::Examples),
            Topic::Text(TextRequest::Pack { task, form }) => self.render(task, *form).map(Response::Text),
            Topic::Text(TextRequest::Body { symbol }) => self.body(symbol).map(Response::Text),
            Topic::Concepts { task } => {
                let Some(ranking) = self.ranking(task, &|| false)? else { return Ok(Response::Concepts(Vec::new())) };
                engine_result(self.ranker.matched_concepts(task, &ranking)).map(Response::Concepts)
            }
            Topic::Why(node) => self.explain(*node).map(Box::new).map(Response::Why),
            Topic::Versus(node) => self.explain(*node).map(Box::new).map(Response::Compared),
            Topic::Counterfactuals { task, node, concepts } => {
                self.counterfactuals(task, *node, concepts).map(Response::Counterfactuals)
            }
            Topic::MuteEffect { task, concept } => self.mute_effect(task, concept).map(Response::MuteEffect),
            Topic::Neighborhood(request) => {
                let ranking = self.cached.as_ref().map(|cached| &*cached.ranking);
                engine_result(self.ranker.neighborhood(ranking, request)).map(Response::Neighborhood)
            }
            Topic::Uses(node) => engine_result(self.ranker.uses(self.symbol(*node)?.node)).map(Response::Uses),
            Topic::Users(node) => engine_result(self.ranker.users(self.symbol(*node)?.node)).map(Response::Users),
            Topic::Definitions { word, file, line } => {
                engine_result(self.ranker.definitions(word, file, *line)).map(Response::Definitions)
            }
            Topic::Symbols(question) => self.symbols(question).map(Response::Symbols),
            Topic::Files { needle } => Ok(Response::Files(self.finder()?.files(needle, MAX_RESULTS))),
            Topic::DirtyFiles => engine_result(self.ranker.dirty_files()).map(Response::DirtyFiles),
            Topic::Bases => engine_result(self.engine.bases()).map(Response::Bases),
            Topic::Changes { base } => engine_result(self.ranker.changes(base)).map(Response::Changes),
            Topic::Relocate(symbols) => {
                let relocated = symbols.iter().map(|symbol| engine_result(self.ranker.relocate(symbol)));
                relocated.collect::<Answer<_>>().map(Response::Relocated)
            }
        }
    }
}

impl EngineReader {
    /// Renders the pack of a task as the command line would.
    fn render(&mut self, task: &Task, form: Form) -> Answer<Written> {
        let renderer = renderer_named(form.format).ok_or_else(|| format!("unknown format {}", form.format))?;
        let Some(ranking) = self.ranking(task, &|| false)? else { return Ok(Written::default()) };
        let mut pack = engine_result(self.ranker.pack_ranked(task, &ranking, renderer, form.bodies))?;
        if !form.edges {
            pack.edges.clear();
        }
        let text = renderer.render(&pack);
        let (symbols, missing) = (pack.symbols.len(), pack.missing_sources.len());
        Ok(Written { tokens: tokens::count(&text), text, symbols, missing })
    }

    fn body(&mut self, symbol: &Symbol) -> Answer<Written> {
        let text = engine_result(self.ranker.body(symbol))?;
        Ok(Written { tokens: tokens::count(&text), text, symbols: 1, missing: 0 })
    }

    /// Continues the search for example tasks by one ranking.
    fn examples(&mut self) -> Answer<Examples> {
        let is_complete = engine_result(self.examples.step(&self.ranker))?;
        Ok(Examples { tasks: self.examples.tasks(), is_complete })
    }

    /// Reloads the index if another process updated it.
    fn refresh(&mut self) -> Answer<()> {
        if engine_result(self.ranker.refresh())? {
            self.cached = None;
            self.finder = None;
        }
        Ok(())
    }

    /// Searches symbols by name: qualified names by their parts, others fuzzily.
    fn symbols(&mut self, question: &str) -> Answer<Vec<Symbol>> {
        if question.contains(['.', ':']) {
            let search =
                inspect::find(self.ranker.reader(), question, MAX_RESULTS).map_err(|error| error.to_string())?;
            return Ok(search.found.into_iter().map(|found| found.symbol).collect());
        }
        let nodes = self.finder()?.symbols(question, MAX_RESULTS);
        engine_result(self.ranker.symbols(&nodes))
    }

    fn finder(&mut self) -> Answer<&Finder> {
        match &mut self.finder {
            Some(finder) => Ok(finder),
            empty => Ok(empty.insert(engine_result(self.ranker.finder())?)),
        }
    }

    /// Returns the ranking of a task, or `None` if canceled. The cached ranking is reused if only the packing differs.
    fn ranking(&mut self, task: &Task, cancelled: &(dyn Fn() -> bool + Sync)) -> Answer<Option<Rc<Ranking>>> {
        self.refresh()?;
        let epoch = engine_result(self.ranker.feedback_epoch())?;
        // Pins and drops affect only the pack.
        let options = Options { pinned: BTreeSet::new(), dropped: BTreeSet::new(), ..task.options.clone() };
        let is_same = |cached: &&CachedRanking| {
            cached.request == task.request && cached.options == options && cached.epoch == epoch
        };
        if let Some(cached) = self.cached.as_ref().filter(is_same) {
            return Ok(Some(cached.ranking.clone()));
        }
        let Some(ranking) = engine_result(self.ranker.rank(task, &cancelled))? else { return Ok(None) };
        let request = task.request.clone();
        let ranking = Rc::new(ranking);
        self.cached = Some(CachedRanking { request, options, epoch, ranking: ranking.clone() });
        Ok(Some(ranking))
    }

    /// Returns the changes in the first symbols, as many as are packed, if a concept were muted.
    fn mute_effect(&mut self, task: &Task, concept: &str) -> Answer<MuteEffect> {
        let ranking = self.ranking(task, &|| false)?.ok_or("the ranking was canceled")?;
        let change = Change::WithoutConcept(concept.to_owned());
        let other =
            engine_result(self.ranker.rank_with(task, &change, &|| false))?.ok_or("the ranking was canceled")?;
        let most = self.pack.symbols.len().min(ranking.symbols.len());
        let other_index = |index: usize| {
            let node = ranking.symbols.get(index)?.node;
            other.symbols.iter().position(|ranked| ranked.node == node)
        };
        let moved = (0..most).filter(|index| other_index(*index) != Some(*index)).count();
        let left = (0..most).filter(|index| other_index(*index).is_none_or(|other| other >= most)).count();
        Ok(MuteEffect { concept: concept.to_owned(), moved, most, left, first: other_index(0).map(|index| index + 1) })
    }

    fn counterfactuals(&self, task: &Task, node: Node, concepts: &[String]) -> Answer<Vec<Counterfactual>> {
        let without =
            engine_result(self.ranker.without_concepts(task, node.number, concepts, &|| false))?.unwrap_or_default();
        let mut counterfactuals: Vec<Counterfactual> = (without.into_iter())
            .map(|without| Counterfactual { change: format!("without {}", without.concept), rank: without.rank })
            .collect();
        for (useful, description) in [(true, "with a vote for it"), (false, "with a vote against it")] {
            let change = Change::Vote { symbol: node.id, useful };
            let Some(ranking) = engine_result(self.ranker.rank_with(task, &change, &|| false))? else { continue };
            let index = ranking.symbols.iter().position(|ranked| ranked.node == node.number);
            counterfactuals.push(Counterfactual { change: description.to_owned(), rank: index.map(|index| index + 1) });
        }
        Ok(counterfactuals)
    }

    /// Returns the symbol of a node, or an error if the node id has been reassigned.
    fn symbol(&self, node: Node) -> Answer<Symbol> {
        let symbol = self.ranker.reader().symbol(node.number).map_err(|error| error.to_string())?;
        symbol
            .filter(|symbol| symbol.id == node.id)
            .ok_or_else(|| "the index has changed; press r to rank again".to_owned())
    }

    fn explain(&self, node: Node) -> Answer<Explained> {
        let symbol = self.symbol(node)?;
        let why = match &self.cached {
            Some(cached) => Some(Box::new(engine_result(self.ranker.explain(&cached.ranking, &self.pack, &symbol))?)),
            None => None,
        };
        Ok(Explained { symbol, why })
    }
}

fn engine_result<T>(result: Result<T, EngineError>) -> Answer<T> {
    result.map_err(|error| error.to_string())
}
