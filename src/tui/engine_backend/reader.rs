//! The reader of the indexes: one ranked list, and questions to the repository that they are about.

use std::sync::Arc;
use std::time::SystemTime;

use super::{NOT_AVAILABLE, engine_result};
use crate::engine::{
    Beside, EgoRequest, EngineError, ExampleSearch, FeedbackEpoch, Finder, Neighborhood, PartialIndex, Ranker,
    Relation, Users, inspect,
};
use crate::model::{ContextPack, MemberNode, NodeId, Options, PackedSymbol, Request, Symbol, Task};
use crate::render::diagram::DiagramFormat;
use crate::render::gcf::Gcf;
use crate::render::renderer_named;
use crate::text::tokens;
use crate::tui::backend::{Answer, Examples, Reader, RepositoryStatus, Response};
use crate::tui::effect::{NeighborhoodRequest, Node, TextRequest, Topic};
use crate::tui::model::export::{Form, Written};
use crate::tui::panes::why::Explained;
use crate::workspace::{Member, Workspace, WorkspaceRanking, alternating};

/// Maximum number of results of a search for symbols or files.
const MAX_RESULTS: usize = 200;
const HAS_CHANGED: &str = "the index has changed; press r to rank again";
const NO_INDEX: &str = "this repository has no index; press r to update it";

/// A reader of one version of the indexes. The paths of its symbols begin with a label where there are several
/// repositories.
pub(super) struct EngineReader {
    workspace: Workspace,
    /// The names of each repository, in the order of the members.
    names: Vec<Names>,
    cached: Option<CachedRanking>,
    /// The latest pack, with paths within the repositories.
    pack: ContextPack,
}

/// The names of one repository.
#[derive(Default)]
struct Names {
    /// The names found so far, while the first index is being built.
    partial: Option<Arc<PartialIndex>>,
    /// Loaded by the first search for a name.
    finder: Option<Finder>,
    examples: ExampleSearch,
}

/// The latest ranking and its inputs.
struct CachedRanking {
    request: Request,
    options: Options,
    /// The state of the feedback.
    epochs: Vec<Option<FeedbackEpoch>>,
    ranking: Arc<WorkspaceRanking>,
}

impl Reader for EngineReader {
    fn lexical(&mut self, task: &str, limit: usize) -> Answer<Vec<PackedSymbol>> {
        if self.is_partial() {
            // There is no index whose words could be searched; the first look follows.
            return Ok(Vec::new());
        }
        self.reload()?;
        let mut found = engine_result(self.workspace.rank_lexical(task, limit))?;
        found.iter_mut().for_each(|packed| self.show(&mut packed.symbol));
        Ok(found)
    }

    fn rank(&mut self, task: &Task, cancelled: &(dyn Fn() -> bool + Sync)) -> Answer<Option<ContextPack>> {
        if self.is_partial() {
            let Some((workspace, _)) = engine_result(self.workspace.first_look(&task.request))? else {
                return Ok(None);
            };
            self.workspace = workspace;
            self.cached = None;
        }
        let Some(ranking) = self.ranking(task, cancelled)? else { return Ok(None) };
        let mut pack = engine_result(self.workspace.pack(task, &ranking, &Gcf, false))?;
        self.pack.clone_from(&pack);
        pack.symbols.iter_mut().chain(&mut pack.omitted).for_each(|packed| self.show(&mut packed.symbol));
        Ok(Some(pack))
    }

    fn ask(&mut self, topic: &Topic) -> Answer<Response> {
        if !matches!(topic, Topic::Symbols(_) | Topic::Files { .. } | Topic::Bases) {
            self.require_index()?;
        }
        match topic {
            Topic::Examples => self.examples().map(Response::Examples),
            Topic::Text(TextRequest::Pack { task, form }) => self.render(task, *form).map(Response::Text),
            Topic::Text(TextRequest::Body { symbol }) => self.body(symbol).map(Response::Text),
            Topic::Text(TextRequest::Diagram(request, format)) => self.diagram(request, *format).map(Response::Text),
            Topic::Concepts { task } => {
                let Some(ranking) = self.ranking(task, &|| false)? else { return Ok(Response::Concepts(Vec::new())) };
                let mut concepts = engine_result(self.workspace.matched_concepts(task, &ranking))?;
                let symbols = concepts.iter_mut().flat_map(|concept| &mut concept.symbols);
                symbols.for_each(|found| self.show(&mut found.symbol));
                Ok(Response::Concepts(concepts))
            }
            Topic::Beside { task } => {
                let Some(ranking) = self.ranking(task, &|| false)? else {
                    return Ok(Response::Beside(Beside::default()));
                };
                let mut beside = engine_result(self.workspace.beside(task, &ranking, &self.pack))?;
                beside.also.iter_mut().chain(&mut beside.documents).for_each(|one| self.show(&mut one.symbol));
                Ok(Response::Beside(beside))
            }
            Topic::Why(node) => self.explain(*node).map(Box::new).map(Response::Why),
            Topic::LastCommit(node) => {
                let (_, symbol) = self.find(*node)?;
                engine_result(self.workspace.last_commit(&symbol)).map(Response::LastCommit)
            }
            Topic::Neighborhood(request) => self.neighborhood(request).map(Response::Neighborhood),
            Topic::Uses(node) => {
                let (node, _) = self.find(*node)?;
                engine_result(self.workspace.uses(node)).map(|list| Response::Uses(self.shown(list)))
            }
            Topic::Users(node) => {
                let (node, _) = self.find(*node)?;
                let Users { relations, caveats } = engine_result(self.workspace.users(node))?;
                Ok(Response::Users(Users { relations: self.shown(relations), caveats }))
            }
            Topic::Definitions { word, file, line, is_plain } => {
                let (position, own) = self.workspace.split_path(file).ok_or("this file is in no repository")?;
                let ranker = self.ranker(position)?;
                let local = if *is_plain { engine_result(ranker.local_name(word, own, *line))? } else { None };
                if let Some(mut local) = local {
                    self.show(&mut local.within);
                    return Ok(Response::Local(local));
                }
                let found = engine_result(ranker.definitions(word, own, *line))?;
                Ok(Response::Definitions(self.shown(found)))
            }
            Topic::Symbols(question) => self.symbols(question).map(Response::Symbols),
            Topic::Files { needle } => self.files(needle).map(Response::Files),
            Topic::DirtyFiles => engine_result(self.workspace.dirty_files()).map(Response::DirtyFiles),
            Topic::Bases => engine_result(self.workspace.bases()).map(Response::Bases),
            Topic::Changes { base } => engine_result(self.workspace.changes(base)).map(Response::Changes),
            Topic::Repositories => self.statuses().map(Response::Repositories),
            Topic::Relocate(symbols) => {
                let relocated = symbols.iter().map(|symbol| self.relocate(symbol));
                relocated.collect::<Answer<_>>().map(Response::Relocated)
            }
        }
    }
}

impl EngineReader {
    /// Creates the reader of loaded indexes, and of the partial ones of repositories without an index.
    pub(super) fn new(workspace: Workspace, partial: Vec<Option<Arc<PartialIndex>>>) -> EngineReader {
        let names = partial.into_iter().map(|partial| Names { partial, ..Names::default() }).collect();
        EngineReader { workspace, names, cached: None, pack: ContextPack::default() }
    }

    /// Returns whether a first index is being built.
    fn is_partial(&self) -> bool {
        self.names.iter().any(|names| names.partial.is_some())
    }

    /// Fails while a first index is being built of which there was no first look.
    fn require_index(&self) -> Answer<()> {
        let mut members = self.workspace.members().iter().zip(&self.names);
        match members.any(|(member, names)| names.partial.is_some() && member.ranker().is_none()) {
            true => Err(NOT_AVAILABLE.to_owned()),
            false => Ok(()),
        }
    }

    /// Reloads the indexes that another process updated.
    fn reload(&mut self) -> Answer<()> {
        if engine_result(self.workspace.reload())? {
            self.cached = None;
            self.names.iter_mut().for_each(|names| names.finder = None);
        }
        Ok(())
    }

    /// Converts a symbol of a repository to one of the explorer.
    fn show(&self, symbol: &mut Symbol) {
        if !symbol.file.is_empty()
            && let Some(member) = self.workspace.member_of(symbol)
        {
            symbol.file = self.workspace.shown_path(member.position(), &symbol.file);
        }
    }

    fn shown(&self, mut relations: Vec<Relation>) -> Vec<Relation> {
        relations.iter_mut().for_each(|relation| self.show(&mut relation.symbol));
        relations
    }

    /// Converts a symbol of the explorer to one of its repository.
    fn own(&self, symbol: &Symbol) -> Symbol {
        let file = self.workspace.split_path(&symbol.file).map_or(symbol.file.as_str(), |(_, own)| own);
        Symbol { file: file.to_owned(), ..symbol.clone() }
    }

    fn ranker(&self, position: usize) -> Answer<&Ranker> {
        self.workspace.members()[position].ranker().ok_or_else(|| NO_INDEX.to_owned())
    }

    fn ranker_of(&self, symbol: &Symbol) -> Answer<&Ranker> {
        self.workspace.member_of(symbol).and_then(Member::ranker).ok_or_else(|| NO_INDEX.to_owned())
    }

    /// Returns the symbol of a node, with its path within its repository, or an error if the node id has been
    /// reassigned. An identity is that of one repository's symbol.
    fn find(&self, node: Node) -> Answer<(MemberNode, Symbol)> {
        for member in self.workspace.members() {
            let Some(ranker) = member.ranker() else { continue };
            let symbol = ranker.reader().symbol(node.number).map_err(|error| error.to_string())?;
            if let Some(symbol) = symbol.filter(|symbol| symbol.id == node.id) {
                return Ok((MemberNode::new(member.position(), node.number), symbol));
            }
        }
        Err(HAS_CHANGED.to_owned())
    }

    /// Returns the ranking of a task, or `None` if canceled. The cached ranking is reused if only the packing differs.
    fn ranking(&mut self, task: &Task, cancelled: &(dyn Fn() -> bool + Sync)) -> Answer<Option<Arc<WorkspaceRanking>>> {
        self.reload()?;
        let epochs = engine_result(self.workspace.feedback_epochs())?;
        // These affect only the pack.
        let (pinned, dropped) = Default::default();
        let options = Options { pinned, dropped, documents: false, ..task.options.clone() };
        let is_same = |cached: &&CachedRanking| {
            cached.request == task.request && cached.options == options && cached.epochs == epochs
        };
        if let Some(cached) = self.cached.as_ref().filter(is_same) {
            return Ok(Some(cached.ranking.clone()));
        }
        let Some(ranking) = engine_result(self.workspace.rank(task, &cancelled))? else { return Ok(None) };
        let (request, ranking) = (task.request.clone(), Arc::new(ranking));
        self.cached = Some(CachedRanking { request, options, epochs, ranking: ranking.clone() });
        Ok(Some(ranking))
    }

    /// Renders the pack of a task as the command line would.
    fn render(&mut self, task: &Task, form: Form) -> Answer<Written> {
        let renderer = renderer_named(form.format).ok_or_else(|| format!("unknown format {}", form.format))?;
        let Some(ranking) = self.ranking(task, &|| false)? else { return Ok(Written::default()) };
        engine_result(self.workspace.cross_edges())?;
        let mut pack = engine_result(self.workspace.pack(task, &ranking, renderer, form.bodies))?;
        if !form.edges {
            pack.edges.clear();
        }
        let text = renderer.render(&pack);
        let (symbols, missing) = (pack.symbols.len(), pack.missing_sources.len());
        Ok(Written { tokens: tokens::count(&text), text, symbols, missing, ..Written::default() })
    }

    fn body(&mut self, symbol: &Symbol) -> Answer<Written> {
        let own = self.own(symbol);
        let text = engine_result(self.ranker_of(&own)?.body(&own))?;
        Ok(Written { tokens: tokens::count(&text), text, symbols: 1, ..Written::default() })
    }

    /// Returns the neighborhood as a diagram; one that code forges draw is a block of Markdown.
    fn diagram(&self, request: &NeighborhoodRequest, format: DiagramFormat) -> Answer<Written> {
        let (root, _) = self.find(request.root)?;
        let shown = self.neighborhood(request)?;
        let diagram = self.ranker(root.position())?.diagram(&shown);
        let (left_out, diagram) = (diagram.left_out, diagram.render(format));
        let text = match format {
            DiagramFormat::Mermaid => format!("```mermaid\n{diagram}```\n"),
            DiagramFormat::Dot => diagram,
        };
        Ok(Written { tokens: tokens::count(&text), text, symbols: shown.nodes.len(), left_out, ..Written::default() })
    }

    /// Continues the search for example tasks by one ranking in each repository.
    fn examples(&mut self) -> Answer<Examples> {
        let (mut is_complete, mut tasks) = (true, Vec::new());
        for (member, names) in self.workspace.members().iter().zip(&mut self.names) {
            let Some(ranker) = member.ranker() else { continue };
            match names.examples.step(ranker) {
                Ok(has_ended) => is_complete &= has_ended,
                Err(error) if self.workspace.is_single() => return Err(error.to_string()),
                Err(_) => continue,
            }
            tasks.push(names.examples.tasks());
        }
        // Each repository has some of the first.
        Ok(Examples { tasks: alternating(tasks), is_complete })
    }

    /// Searches in the names of each repository, and joins what is found.
    fn search<T>(
        &mut self,
        partial: impl Fn(&PartialIndex) -> Vec<T>,
        complete: impl Fn(&Ranker, &Finder) -> Result<Vec<T>, EngineError>,
    ) -> Answer<Vec<(usize, T)>> {
        let (mut lists, mut errors) = (Vec::new(), Vec::new());
        for (member, names) in self.workspace.members().iter().zip(&mut self.names) {
            let found = match (&names.partial, member.ranker()) {
                (Some(names), _) => Ok(partial(names)),
                (None, Some(ranker)) => match &names.finder {
                    Some(finder) => complete(ranker, finder),
                    None => ranker.finder().and_then(|finder| complete(ranker, names.finder.insert(finder))),
                },
                (None, None) => continue,
            };
            match found {
                Ok(found) => lists.push(found.into_iter().map(|one| (member.position(), one)).collect()),
                Err(error) => errors.push(error.to_string()),
            }
        }
        if lists.is_empty() && !errors.is_empty() {
            return Err(errors.join("; "));
        }
        let mut joined = alternating(lists);
        joined.truncate(MAX_RESULTS);
        Ok(joined)
    }

    /// Searches symbols by name: qualified names by their parts, others fuzzily.
    fn symbols(&mut self, question: &str) -> Answer<Vec<Symbol>> {
        let is_qualified = question.contains(['.', ':']);
        let found = self.search(
            |partial| partial.symbols(question, MAX_RESULTS),
            |ranker, finder| {
                if is_qualified {
                    let found = inspect::find(ranker.reader(), question, MAX_RESULTS)?.found;
                    if !found.is_empty() {
                        return Ok(found.into_iter().map(|found| found.symbol).collect());
                    }
                    // A place: `src/app.py:12`.
                    return match ranker.questions()?.symbol_named(question) {
                        Ok(symbol) => Ok(vec![symbol]),
                        Err(EngineError::Name(_)) => Ok(Vec::new()),
                        Err(error) => Err(error),
                    };
                }
                ranker.symbols_like(finder, question, MAX_RESULTS)
            },
        )?;
        Ok(found
            .into_iter()
            .map(|(_, mut symbol)| {
                self.show(&mut symbol);
                symbol
            })
            .collect())
    }

    fn files(&mut self, needle: &str) -> Answer<Vec<String>> {
        let found = self
            .search(|partial| partial.files(needle, MAX_RESULTS), |_, finder| Ok(finder.files(needle, MAX_RESULTS)))?;
        Ok(found.into_iter().map(|(position, file)| self.workspace.shown_path(position, &file)).collect())
    }

    /// Returns the neighborhood of a symbol within its repository.
    fn neighborhood(&self, request: &NeighborhoodRequest) -> Answer<Neighborhood> {
        let Ok((root, _)) = self.find(request.root) else { return Ok(Neighborhood::default()) };
        let ranker = self.ranker(root.position())?;
        let is_own = |node: &Node| ranker.reader().symbol_id(node.number).is_ok_and(|id| id == Some(node.id));
        let wider = request.wider.iter().filter(|(node, _)| is_own(node));
        let wider: Vec<(NodeId, usize)> = wider.map(|(node, width)| (node.number, *width)).collect();
        let extent = EgoRequest { root: root.node, hops: request.hops, wider };
        let ranking = self.cached.as_ref().and_then(|cached| cached.ranking.part(root.position()));
        let mut shown = engine_result(ranker.neighborhood(ranking, &extent))?;
        shown.nodes.iter_mut().for_each(|node| self.show(&mut node.symbol));
        Ok(shown)
    }

    fn explain(&self, node: Node) -> Answer<Explained> {
        let (_, mut symbol) = self.find(node)?;
        let why = match &self.cached {
            Some(cached) => {
                Some(Box::new(engine_result(self.workspace.explain(&cached.ranking, &self.pack, &symbol))?))
            }
            None => None,
        };
        self.show(&mut symbol);
        Ok(Explained { symbol, why })
    }

    fn relocate(&self, symbol: &Symbol) -> Answer<Option<Symbol>> {
        let own = self.own(symbol);
        let found = self.ranker_of(&own).and_then(|ranker| engine_result(ranker.relocate(&own)));
        match found {
            Ok(mut found) => {
                found.iter_mut().for_each(|symbol| self.show(symbol));
                Ok(found)
            }
            // The symbols of a repository that fails are not found.
            Err(_) if !self.workspace.is_single() => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Returns what the explorer tells of each repository.
    fn statuses(&self) -> Answer<Vec<RepositoryStatus>> {
        let ranking = self.cached.as_ref().map(|cached| &*cached.ranking);
        let statuses = self.workspace.members().iter().map(|member| self.status(member, ranking));
        if self.workspace.is_single() {
            return statuses.collect();
        }
        // One that fails is left out: its problem is a message.
        Ok(statuses.filter_map(Result::ok).collect())
    }

    fn status(&self, member: &Member, ranking: Option<&WorkspaceRanking>) -> Answer<RepositoryStatus> {
        let (engine, is_single) = (member.engine(), self.workspace.is_single());
        let ranker = member.ranker().ok_or(NO_INDEX)?;
        let origin = engine_result(engine.origin())?;
        // A time in the future is now: clocks differ.
        let age = |at: SystemTime| at.elapsed().unwrap_or_default();
        let stats = ranker.reader().stats().map_err(|error| error.to_string())?;
        let is_own = |packed: &&PackedSymbol| is_single || packed.symbol.repository() == engine.repository();
        let own = || self.pack.symbols.iter().filter(is_own);
        let probability = ranking.and_then(|ranking| ranking.probabilities().get(member.position()).copied());
        let probability = if is_single { 1.0 } else { probability.unwrap_or(0.0) };
        Ok(RepositoryStatus {
            label: if is_single { engine.repository() } else { member.label() }.to_owned(),
            id: engine.repository().to_owned(),
            root: engine.root().display().to_string(),
            files: stats.file_count() as usize,
            symbols: stats.symbol_count() as usize,
            commit: origin.commit,
            changed: origin.changed_at.map(age),
            began_from: origin.began_from.map(|(sentence, at)| (sentence, age(at))),
            packed: own().count(),
            tokens: own().map(|packed| packed.tokens).sum(),
            probability: (probability * 100.0).round() as u8,
        })
    }
}
