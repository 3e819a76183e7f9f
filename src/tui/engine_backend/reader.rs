//! The reader of one repository's index.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::SystemTime;

use super::{MAX_RESULTS, engine_result};
use crate::engine::{Change, Engine, ExampleSearch, FeedbackEpoch, Finder, Ranker, Ranking, inspect};
use crate::model::{ContextPack, Options, PackedSymbol, Request, Symbol, Task};
use crate::render::gcf::Gcf;
use crate::render::renderer_named;
use crate::text::tokens;
use crate::tui::backend::{Answer, Examples, Reader, RepositoryStatus, Response};
use crate::tui::effect::{Node, TextRequest, Topic};
use crate::tui::model::concepts::MuteEffect;
use crate::tui::model::export::{Form, Written};
use crate::tui::panes::why::{Counterfactual, Explained};

/// A reader of one version of the index.
pub(super) struct EngineReader {
    pub(super) engine: Engine,
    pub(super) ranker: Ranker,
    /// Loaded by the first search for a name.
    finder: Option<Finder>,
    examples: ExampleSearch,
    cached: Option<CachedRanking>,
    /// The latest pack.
    pub(super) pack: ContextPack,
}

/// The latest ranking and its inputs.
struct CachedRanking {
    request: Request,
    options: Options,
    /// The state of the feedback.
    epoch: FeedbackEpoch,
    ranking: Arc<Ranking>,
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
            Topic::Repositories => Ok(Response::Repositories(vec![self.status()?])),
            Topic::Relocate(symbols) => {
                let relocated = symbols.iter().map(|symbol| engine_result(self.ranker.relocate(symbol)));
                relocated.collect::<Answer<_>>().map(Response::Relocated)
            }
        }
    }
}

impl EngineReader {
    pub(super) fn new(engine: Engine, ranker: Ranker) -> EngineReader {
        EngineReader {
            engine,
            ranker,
            finder: None,
            examples: ExampleSearch::default(),
            cached: None,
            pack: ContextPack::default(),
        }
    }

    /// Returns what the explorer tells of the repository. All of the last pack is of it.
    pub(super) fn status(&self) -> Answer<RepositoryStatus> {
        let origin = engine_result(self.engine.origin())?;
        // A time in the future is now: clocks differ.
        let age = |at: SystemTime| at.elapsed().unwrap_or_default();
        let stats = self.ranker.reader().stats().map_err(|error| error.to_string())?;
        Ok(RepositoryStatus {
            label: self.engine.repository().to_owned(),
            id: self.engine.repository().to_owned(),
            root: self.engine.root().display().to_string(),
            files: stats.file_count() as usize,
            symbols: stats.symbol_count() as usize,
            commit: origin.commit,
            changed: origin.changed_at.map(age),
            began_from: origin.began_from.map(|(sentence, at)| (sentence, age(at))),
            packed: self.pack.symbols.len(),
            tokens: self.pack.symbols.iter().map(|packed| packed.tokens).sum(),
            probability: 100,
        })
    }

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
    pub(super) fn ranking(
        &mut self,
        task: &Task,
        cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Answer<Option<Arc<Ranking>>> {
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
        let ranking = Arc::new(ranking);
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
