//! The explorer's repository through the real engine.

mod first;

use std::collections::BTreeSet;
use std::path::Path;
use std::rc::Rc;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::effect::{Node, Record, TextRequest, Topic};
use super::model::concepts::MuteEffect;
use super::model::export::{Form, Written};
use super::panes::why::{Counterfactual, Explained};
use super::workspace::{
    Answer, Finding, Indexed, Journal, Progress, Reader, Recorded, Scribe, Status, Watched, Workspace,
};
use crate::engine::{
    Change, Engine, EngineError, Finder, Learner, Ranker, Ranking, Sketch, Sketching, SourceFile, inspect,
};
use crate::model::{ContextPack, Options, PackedSymbol, Request, Symbol, Task};
use crate::render::gcf::Gcf;
use crate::render::renderer_named;
use crate::text::tokens;

/// One repository. Indexing may find another place for the database, so the engine is shared behind a lock that nobody
/// holds for long.
pub struct Live {
    engine: Mutex<Engine>,
    /// What the first index has met, while it is being made.
    sketch: Mutex<Option<Arc<Sketch>>>,
}

/// Names that a finder lists.
const NAMES: usize = 200;

struct LiveReader {
    engine: Engine,
    ranker: Ranker,
    /// Read when somebody looks for a name.
    finder: Option<Finder>,
    kept: Option<Kept>,
    /// The pack that was made of it last.
    pack: ContextPack,
}

/// The last ranking, and what was ranked.
struct Kept {
    request: Request,
    options: Options,
    /// What was taught by then.
    epoch: i64,
    ranking: Rc<Ranking>,
}

impl Live {
    /// The repository of an engine.
    pub fn new(engine: Engine) -> Live {
        Live { engine: Mutex::new(engine), sketch: Mutex::new(None) }
    }

    fn engine(&self) -> MutexGuard<'_, Engine> {
        self.engine.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn sketch(&self) -> MutexGuard<'_, Option<Arc<Sketch>>> {
        self.sketch.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Workspace for Live {
    fn status(&self) -> Answer<Status> {
        let engine = self.engine().clone();
        let repository = engine.repository().to_owned();
        // Without a usable index the explorer makes one, and that tells why it can't.
        let Ok(reader) = engine.reader() else { return Ok(Status { repository, ..Status::default() }) };
        let stats = reader.stats().map_err(|error| error.to_string())?;
        Ok(Status {
            repository,
            files: stats.file_count() as usize,
            symbols: stats.symbol_count() as usize,
            usable: true,
        })
    }

    fn index(&self, progress: &(dyn Fn(Progress) + Sync)) -> Answer<Indexed> {
        let mut engine = self.engine().clone();
        let told = |step: crate::engine::Progress| {
            progress(Progress { phase: step.phase.name(), done: step.done, total: step.total });
        };
        let is_first = engine.reader().is_err();
        let indexed = if is_first {
            let sketch = Arc::new(Sketch::default());
            *self.sketch() = Some(sketch.clone());
            engine.index(false, None, &Sketching { sketch: &sketch, progress: &told })
        } else {
            engine.index(false, None, &told)
        };
        // Whatever became of it, the sketch has served its time.
        *self.sketch() = None;
        let report = said(indexed)?;
        *self.engine() = engine;
        Ok(Indexed { status: self.status()?, changed: !report.is_unchanged })
    }

    fn reader(&self) -> Answer<Box<dyn Reader>> {
        let engine = self.engine().clone();
        if let Some(sketch) = self.sketch().clone() {
            return Ok(Box::new(first::SketchReader { engine, sketch }));
        }
        let ranker = said(engine.ranker())?;
        Ok(Box::new(LiveReader { engine, ranker, finder: None, kept: None, pack: ContextPack::default() }))
    }

    fn scribe(&self) -> Answer<Box<dyn Scribe>> {
        let engine = self.engine().clone();
        Ok(Box::new(LiveScribe { learner: said(engine.learner(None))? }))
    }

    fn watched(&self) -> Answer<Watched> {
        let engine = self.engine().clone();
        let root = engine.root().to_owned();
        let reader = engine.reader().map_err(|error| error.to_string())?;
        let files = reader.files().map_err(|error| error.to_string())?;
        let mut folders = BTreeSet::from([root.clone()]);
        for file in &files {
            let above = Path::new(&file.path).ancestors().skip(1);
            folders.extend(above.map(|folder| root.join(folder)));
        }
        let folders = folders.into_iter().map(|folder| folder.components().collect()).collect();
        Ok(Watched { root, folders, database: engine.database().to_owned() })
    }

    fn source(&self, file: &str) -> Answer<SourceFile> {
        let engine = self.engine().clone();
        let sketch = self.sketch().clone();
        let mut source = said(engine.source_file(file))?;
        if let Some(sketch) = sketch {
            source.definitions = sketch.definitions(file);
        }
        Ok(source)
    }
}

struct LiveScribe {
    learner: Learner,
}

impl Scribe for LiveScribe {
    fn record(&mut self, record: &Record) -> Answer<Recorded> {
        let learner = &mut self.learner;
        let done = |written: Result<(), EngineError>| said(written).map(|()| Recorded::Done);
        match record {
            Record::Vote { task, symbol, after, .. } => done(learner.vote(task, symbol, *after).map(drop)),
            Record::Used { task, symbol, how } => done(learner.used(task, symbol, *how).map(drop)),
            Record::Shown { task, symbols } => done(learner.shown(task, symbols).map(drop)),
            Record::Votes { task } => {
                let votes = said(learner.votes_for(task))?;
                Ok(Recorded::Votes(votes.into_iter().map(|taught| (taught.symbol, taught.vote)).collect()))
            }
            Record::Journal => self.journal(),
            Record::SetUndone { entry, undone } => {
                said(learner.set_undone_entry(*entry, *undone))?;
                self.journal()
            }
            Record::Forget { keyword, symbol } => {
                said(learner.forget(keyword, Some(symbol)))?;
                self.journal()
            }
        }
    }
}

impl LiveScribe {
    fn journal(&self) -> Answer<Recorded> {
        let (acts, words) = (said(self.learner.acts())?, said(self.learner.words())?);
        Ok(Recorded::Journal(Journal { acts, words }))
    }
}

impl Reader for LiveReader {
    fn lexical(&mut self, task: &str, limit: usize) -> Answer<Vec<PackedSymbol>> {
        self.renew()?;
        said(self.ranker.words(task, limit))
    }

    fn rank(&mut self, task: &Task, cancelled: &(dyn Fn() -> bool + Sync)) -> Answer<Option<ContextPack>> {
        let Some(ranking) = self.ranking(task, cancelled)? else { return Ok(None) };
        let pack = said(self.ranker.pack_ranked(task, &ranking, &Gcf, false))?;
        self.pack.clone_from(&pack);
        Ok(Some(pack))
    }

    fn ask(&mut self, topic: &Topic) -> Answer<Finding> {
        match topic {
            Topic::Examples => said(self.ranker.examples()).map(Finding::Examples),
            Topic::Text(TextRequest::Pack { task, form }) => self.written(task, *form).map(Finding::Text),
            Topic::Text(TextRequest::Body { symbol }) => self.body(symbol).map(Finding::Text),
            Topic::Concepts { task } => {
                let Some(ranking) = self.ranking(task, &|| false)? else { return Ok(Finding::Classes(Vec::new())) };
                said(self.ranker.fired(task, &ranking)).map(Finding::Classes)
            }
            Topic::Why(node) => self.explain(*node).map(Box::new).map(Finding::Why),
            Topic::Versus(node) => self.explain(*node).map(Box::new).map(Finding::Versus),
            Topic::Counterfactuals { task, node, concepts } => {
                self.otherwise(task, *node, concepts).map(Finding::Otherwise)
            }
            Topic::MuteEffect { task, concept } => self.without(task, concept).map(Finding::Without),
            Topic::Neighborhood(request) => {
                let ranking = self.kept.as_ref().map(|kept| &*kept.ranking);
                said(self.ranker.neighborhood(ranking, request)).map(Finding::Around)
            }
            Topic::Uses(node) => said(self.ranker.uses(self.known(*node)?.node)).map(Finding::Uses),
            Topic::Users(node) => said(self.ranker.users(self.known(*node)?.node)).map(Finding::Users),
            Topic::Symbols(question) => self.symbols(question).map(Finding::Symbols),
            Topic::Files { needle } => Ok(Finding::Files(self.finder()?.files(needle, NAMES))),
            Topic::Bases => said(self.engine.bases()).map(Finding::Bases),
            Topic::Relocate(symbols) => {
                let again = symbols.iter().map(|symbol| said(self.ranker.again(symbol)));
                again.collect::<Answer<_>>().map(Finding::Again)
            }
        }
    }
}

impl LiveReader {
    /// The pack of a task in some form, as the command line would write it.
    fn written(&mut self, task: &Task, form: Form) -> Answer<Written> {
        let renderer = renderer_named(form.format).ok_or_else(|| format!("there is no format {}", form.format))?;
        let Some(ranking) = self.ranking(task, &|| false)? else { return Ok(Written::default()) };
        let mut pack = said(self.ranker.pack_ranked(task, &ranking, renderer, form.bodies))?;
        if !form.edges {
            pack.edges.clear();
        }
        let text = renderer.render(&pack);
        let (symbols, missing) = (pack.symbols.len(), pack.missing_sources.len());
        Ok(Written { tokens: tokens::count(&text), text, symbols, missing })
    }

    fn body(&mut self, symbol: &Symbol) -> Answer<Written> {
        let text = said(self.ranker.body(symbol))?;
        Ok(Written { tokens: tokens::count(&text), text, symbols: 1, missing: 0 })
    }

    /// Goes over to what another process indexed meanwhile.
    fn renew(&mut self) -> Answer<()> {
        if said(self.ranker.renew())? {
            self.kept = None;
            self.finder = None;
        }
        Ok(())
    }

    /// Symbols by the letters of their names; a qualified name is looked up part by part.
    fn symbols(&mut self, question: &str) -> Answer<Vec<Symbol>> {
        if question.contains(['.', ':']) {
            let search = inspect::find(self.ranker.reader(), question, NAMES).map_err(|error| error.to_string())?;
            return Ok(search.found.into_iter().map(|found| found.symbol).collect());
        }
        let nodes = self.finder()?.symbols(question, NAMES);
        said(self.ranker.symbols(&nodes))
    }

    fn finder(&mut self) -> Answer<&Finder> {
        match &mut self.finder {
            Some(finder) => Ok(finder),
            empty => Ok(empty.insert(said(self.ranker.finder())?)),
        }
    }

    /// The ranking of a task: the kept one where only the pack differs, since packing anew is much less work.
    fn ranking(&mut self, task: &Task, cancelled: &(dyn Fn() -> bool + Sync)) -> Answer<Option<Rc<Ranking>>> {
        self.renew()?;
        let epoch = said(self.ranker.learning_epoch())?;
        // Pins and drops change the pack only.
        let options = Options { pinned: BTreeSet::new(), dropped: BTreeSet::new(), ..task.options.clone() };
        let same = |kept: &&Kept| kept.request == task.request && kept.options == options && kept.epoch == epoch;
        if let Some(kept) = self.kept.as_ref().filter(same) {
            return Ok(Some(kept.ranking.clone()));
        }
        let Some(ranking) = said(self.ranker.rank(task, &cancelled))? else { return Ok(None) };
        let request = task.request.clone();
        let ranking = Rc::new(ranking);
        self.kept = Some(Kept { request, options, epoch, ranking: ranking.clone() });
        Ok(Some(ranking))
    }

    /// What the first symbols would be without a class: as many as the pack has.
    fn without(&mut self, task: &Task, concept: &str) -> Answer<MuteEffect> {
        let ranking = self.ranking(task, &|| false)?.ok_or("the ranking was given up")?;
        let change = Change::WithoutClass(concept.to_owned());
        let other = said(self.ranker.supposing(task, &change, &|| false))?.ok_or("the ranking was given up")?;
        let most = self.pack.symbols.len().min(ranking.symbols.len());
        let place = |index: usize| {
            let node = ranking.symbols.get(index)?.node;
            other.symbols.iter().position(|ranked| ranked.node == node)
        };
        let moved = (0..most).filter(|index| place(*index) != Some(*index)).count();
        let left = (0..most).filter(|index| place(*index).is_none_or(|place| place >= most)).count();
        Ok(MuteEffect { concept: concept.to_owned(), moved, most, left, first: place(0).map(|index| index + 1) })
    }

    fn otherwise(&self, task: &Task, node: Node, concepts: &[String]) -> Answer<Vec<Counterfactual>> {
        let without = said(self.ranker.without_classes(task, node.number, concepts, &|| false))?.unwrap_or_default();
        let mut places: Vec<Counterfactual> = (without.into_iter())
            .map(|without| Counterfactual { change: format!("without {}", without.concept), rank: without.place })
            .collect();
        for (useful, supposed) in [(true, "with a vote for it"), (false, "with a vote against it")] {
            let change = Change::Vote { symbol: node.id, useful };
            let Some(ranking) = said(self.ranker.supposing(task, &change, &|| false))? else { continue };
            let index = ranking.symbols.iter().position(|ranked| ranked.node == node.number);
            places.push(Counterfactual { change: supposed.to_owned(), rank: index.map(|index| index + 1) });
        }
        Ok(places)
    }

    /// The symbol that is meant, and not another one that has its number by now.
    fn known(&self, node: Node) -> Answer<Symbol> {
        let symbol = self.ranker.reader().symbol(node.number).map_err(|error| error.to_string())?;
        symbol.filter(|symbol| symbol.id == node.id).ok_or_else(|| "the index has changed; r ranks again".to_owned())
    }

    fn explain(&self, node: Node) -> Answer<Explained> {
        let symbol = self.known(node)?;
        let why = match &self.kept {
            Some(kept) => Some(Box::new(said(self.ranker.explain(&kept.ranking, &self.pack, &symbol))?)),
            None => None,
        };
        Ok(Explained { symbol, why })
    }
}

fn said<T>(result: Result<T, EngineError>) -> Answer<T> {
    result.map_err(|error| error.to_string())
}
