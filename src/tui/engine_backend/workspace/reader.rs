//! The reader of several repositories: one ranked list, and questions to the repository that they are about.

use std::num::NonZero;
use std::sync::Arc;
use std::thread;

use super::super::reader::EngineReader;
use super::super::{MAX_RESULTS, engine_result};
use super::place::{Place, member_of, subject};
use crate::engine::concepts::MatchedConcept;
use crate::engine::{EdgeBetween, Engine, Ranker, Ranking, Relation};
use crate::model::{Component, ContextPack, MemberNode, PackedSymbol, Repositories, Request, Symbol, Task};
use crate::render::gcf::Gcf;
use crate::render::{Renderer, renderer_named};
use crate::text::tokens;
use crate::tui::backend::{Answer, Examples, Reader, RepositoryStatus, Response};
use crate::tui::effect::{Node, TextRequest, Topic};
use crate::tui::model::export::{Form, Written};
use crate::workspace::{edges_between, merge};

/// The reader of one member.
pub struct MemberReader {
    place: Place,
    reader: EngineReader,
}

impl MemberReader {
    /// Creates the reader of a loaded index.
    pub fn new(place: Place, engine: Engine, ranker: Ranker) -> MemberReader {
        MemberReader { place, reader: EngineReader::new(engine, ranker) }
    }
}

/// The reader of all members.
pub struct WorkspaceReader {
    members: Vec<MemberReader>,
    repositories: Repositories,
    /// The component that each member's scores have in addition, in the last ranking.
    components: Vec<Component>,
    /// Symbols of all members in the last ranking.
    ranked: usize,
    /// The last pack, with names and numbers of the repositories.
    pack: ContextPack,
    /// The edges between the members, whose numbers are positions, and the states of the indexes that they are of;
    /// computed by the first question about uses, and by the first text.
    edges: Option<(Vec<Option<String>>, Vec<EdgeBetween>)>,
}

impl WorkspaceReader {
    /// Creates the reader of these members.
    pub fn new(members: Vec<MemberReader>, repositories: Repositories) -> WorkspaceReader {
        WorkspaceReader {
            members,
            repositories,
            components: Vec::new(),
            ranked: 0,
            pack: ContextPack::default(),
            edges: None,
        }
    }

    /// Ranks a request in all members, as many at once as there are cores; `None` if it was canceled. A member that fails has no ranking, unless all
    /// fail.
    fn rankings(
        &mut self,
        task: &Task,
        cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Answer<Option<Vec<Option<Arc<Ranking>>>>> {
        let rank = |member: &mut MemberReader| match own_request(task, &member.place) {
            Some(own) => member.reader.ranking(&own, cancelled).map(Some),
            None => Ok(None),
        };
        let at_once = thread::available_parallelism().map_or(1, NonZero::get);
        let mut results: Vec<Answer<Option<Option<Arc<Ranking>>>>> = Vec::new();
        for members in self.members.chunks_mut(at_once) {
            results.extend(thread::scope(|scope| {
                let threads: Vec<_> = members.iter_mut().map(|member| scope.spawn(move || rank(member))).collect();
                let join = |thread: thread::ScopedJoinHandle<'_, _>| {
                    thread.join().unwrap_or_else(|_| Err("ranking failed by an internal error".to_owned()))
                };
                threads.into_iter().map(join).collect::<Vec<_>>()
            }));
        }
        let mut rankings = Vec::new();
        let mut errors = Vec::new();
        for (member, result) in self.members.iter().zip(results) {
            match result {
                Ok(Some(None)) => return Ok(None),
                Ok(ranking) => rankings.push(ranking.flatten()),
                Err(error) => {
                    errors.push(format!("{}: {error}", member.place.label));
                    rankings.push(None);
                }
            }
        }
        if errors.len() == self.members.len() {
            return Err(errors.join("; "));
        }
        self.ranked = rankings.iter().flatten().map(|ranking| ranking.symbols.len()).sum();
        self.components = engine_result(merge::components(&self.loaded(&rankings)))?;
        Ok(Some(rankings))
    }

    /// Packs rankings in one list and one budget.
    fn packed(
        &self,
        task: &Task,
        rankings: &[Option<Arc<Ranking>>],
        renderer: &dyn Renderer,
        bodies: bool,
    ) -> Answer<ContextPack> {
        let loaded = self.loaded(rankings);
        let edges = self.edges.as_ref().filter(|(states, _)| self.states().is_ok_and(|now| now == *states));
        let edges = edges.map_or(&[][..], |(_, edges)| edges);
        let together = merge::Rankings { rankings: &loaded, components: &self.components, edges };
        engine_result(together.pack(task, &self.repositories, renderer, bodies))
    }

    /// Returns the rankers of all members with their rankings.
    fn loaded<'a>(&'a self, rankings: &'a [Option<Arc<Ranking>>]) -> Vec<Option<(&'a Ranker, &'a Ranking)>> {
        let loaded = self.members.iter().zip(rankings);
        loaded.map(|(member, ranking)| Some((&member.reader.ranker, ranking.as_deref()?))).collect()
    }

    /// Returns the states of the members' indexes.
    fn states(&self) -> Answer<Vec<Option<String>>> {
        let state = |member: &MemberReader| member.reader.ranker.reader().state().map_err(|error| error.to_string());
        self.members.iter().map(state).collect()
    }

    /// Computes the edges between the members, unless those of the present indexes are known.
    fn find_edges(&mut self) -> Answer<&[EdgeBetween]> {
        let states = self.states()?;
        if self.edges.as_ref().is_none_or(|(known, _)| *known != states) {
            let members: Vec<(&str, Option<&Ranker>)> = (self.members.iter())
                .map(|member| (member.reader.engine.repository(), Some(&member.reader.ranker)))
                .collect();
            self.edges = Some((states, engine_result(edges_between(&members))?));
        }
        Ok(self.edges.as_ref().map_or(&[], |(_, edges)| edges))
    }

    /// Renders the pack of a task as the command line would.
    fn render(&mut self, task: &Task, form: Form) -> Answer<Written> {
        let renderer = renderer_named(form.format).ok_or_else(|| format!("unknown format {}", form.format))?;
        let Some(rankings) = self.rankings(task, &|| false)? else { return Ok(Written::default()) };
        self.find_edges()?;
        let mut pack = self.packed(task, &rankings, renderer, form.bodies)?;
        if !form.edges {
            pack.edges.clear();
        }
        let text = renderer.render(&pack);
        let (symbols, missing) = (pack.symbols.len(), pack.missing_sources.len());
        Ok(Written { tokens: tokens::count(&text), text, symbols, missing })
    }

    /// Asks a member about one of its symbols or files.
    fn ask_member(&mut self, number: usize, topic: &Topic) -> Answer<Response> {
        let position = self.members.iter().position(|member| member.place.number == number);
        let position = position.ok_or("this repository has no index; press r to update it")?;
        // A hypothetical rank would be one within the repository.
        if matches!(topic, Topic::Counterfactuals { .. }) {
            return Ok(Response::Counterfactuals(Vec::new()));
        }
        let member = &mut self.members[position];
        let own = member.place.own_topic(topic);
        let response = member.reader.ask(&own)?;
        let mut response = member.place.show_response(response);
        match (&mut response, &own) {
            (Response::Users(users), Topic::Users(node)) => users.extend(self.relations_across(position, *node, true)?),
            (Response::Uses(uses), Topic::Uses(node)) => {
                let across = self.relations_across(position, *node, false)?;
                uses.splice(0..0, across);
            }
            _ => {}
        }
        if let (Response::Why(explained) | Response::Compared(explained), Some(component)) =
            (&mut response, self.components.get(position))
            && let Some(score) = explained.why.as_mut().and_then(|why| why.rank.as_mut())
        {
            let rank = |list: &[PackedSymbol]| list.iter().position(|packed| packed.symbol.id == explained.symbol.id);
            let packed = rank(&self.pack.symbols).map(|index| index + 1);
            let rest = || rank(&self.pack.omitted).map(|index| index + 1 + self.pack.symbols.len());
            score.rank = packed.or_else(rest).unwrap_or(score.rank);
            score.of = self.ranked;
            score.score += component.contribution;
            score.components.push(component.clone());
        }
        Ok(response)
    }

    /// Returns the users of a member's symbol in other members, or the symbols of others that it uses.
    fn relations_across(&mut self, position: usize, node: Node, are_users: bool) -> Answer<Vec<Relation>> {
        let edges = self.find_edges()?.to_vec();
        let asked = MemberNode::new(position, node.number);
        let mut relations = Vec::new();
        for edge in edges {
            let (own, other) = if are_users { (edge.target, edge.source) } else { (edge.source, edge.target) };
            if own != asked {
                continue;
            }
            let Some(member) = self.members.get(other.position()) else { continue };
            let symbol = member.reader.ranker.reader().symbol(other.node).map_err(|error| error.to_string())?;
            if let Some(mut symbol) = symbol {
                member.place.show(&mut symbol);
                relations.push(Relation { symbol, edge_type: edge.edge_type, confidence: edge.confidence, line: None });
            }
        }
        Ok(relations)
    }

    /// Asks all members, and joins the lists that they answer with. A member that fails is left out, unless all fail.
    fn ask_all<T>(&mut self, topic: &Topic, list: impl Fn(Response) -> Vec<T>) -> Answer<Vec<T>> {
        let mut all = Vec::new();
        let mut errors = Vec::new();
        let count = self.members.len();
        for member in &mut self.members {
            let own = match topic {
                Topic::Concepts { task } => {
                    let Some(task) = own_request(task, &member.place) else { continue };
                    &Topic::Concepts { task }
                }
                topic => topic,
            };
            match member.reader.ask(own) {
                Ok(response) => all.push(list(member.place.show_response(response))),
                Err(error) => errors.push(format!("{}: {error}", member.place.label)),
            }
        }
        if errors.len() == count {
            return Err(errors.join("; "));
        }
        // The first of each member, then the second, and so on.
        let longest = all.iter().map(Vec::len).max().unwrap_or(0);
        let mut lists: Vec<_> = all.into_iter().map(Vec::into_iter).collect();
        Ok((0..longest).flat_map(|_| lists.iter_mut().filter_map(Iterator::next).collect::<Vec<T>>()).collect())
    }

    fn relocate(&mut self, symbols: &[Symbol]) -> Answer<Response> {
        let mut relocated = vec![None; symbols.len()];
        for member in &mut self.members {
            let own = || symbols.iter().enumerate().filter(|(_, symbol)| member_of(symbol.node) == member.place.number);
            let question = Topic::Relocate(own().map(|(_, symbol)| member.place.own(symbol)).collect());
            let positions: Vec<usize> = own().map(|(position, _)| position).collect();
            // The symbols of a member that fails are not found.
            let Ok(response) = member.reader.ask(&question) else { continue };
            if let Response::Relocated(found) = member.place.show_response(response) {
                positions.into_iter().zip(found).for_each(|(position, symbol)| relocated[position] = symbol);
            }
        }
        Ok(Response::Relocated(relocated))
    }

    /// Returns what the explorer tells of each repository.
    fn statuses(&self) -> Answer<Vec<RepositoryStatus>> {
        let status = |(position, member): (usize, &MemberReader)| {
            let own = || {
                let id = member.reader.engine.repository();
                self.pack.symbols.iter().filter(move |packed| packed.symbol.repository() == id)
            };
            // The value of the component is the probability.
            let probability = self.components.get(position).map_or(0.0, |component| component.value);
            Ok(RepositoryStatus {
                label: member.place.label.clone(),
                packed: own().count(),
                tokens: own().map(|packed| packed.tokens).sum(),
                probability: (probability * 100.0).round() as u8,
                ..member.reader.status()?
            })
        };
        // One that fails is left out: its problem is a message.
        let statuses = self.members.iter().enumerate().map(status);
        Ok(statuses.filter_map(|status: Answer<RepositoryStatus>| status.ok()).collect())
    }

    fn examples(&mut self) -> Answer<Response> {
        let mut examples = Examples { tasks: Vec::new(), is_complete: true };
        for member in &mut self.members {
            if let Ok(Response::Examples(own)) = member.reader.ask(&Topic::Examples) {
                examples.is_complete &= own.is_complete;
                examples.tasks.extend(own.tasks);
            }
        }
        Ok(Response::Examples(examples))
    }
}

impl Reader for WorkspaceReader {
    fn lexical(&mut self, task: &str, limit: usize) -> Answer<Vec<PackedSymbol>> {
        let mut found = Vec::new();
        for member in &mut self.members {
            // The ranking that follows reports a member that fails.
            let own = member.reader.lexical(task, limit).unwrap_or_default();
            found.extend(own.into_iter().map(|mut packed| {
                member.place.show(&mut packed.symbol);
                packed
            }));
        }
        // The sort is stable: of equal scores the first member's comes first.
        found.sort_by(|one, other| other.score.total_cmp(&one.score));
        found.truncate(limit);
        Ok(found)
    }

    fn rank(&mut self, task: &Task, cancelled: &(dyn Fn() -> bool + Sync)) -> Answer<Option<ContextPack>> {
        let Some(rankings) = self.rankings(task, cancelled)? else { return Ok(None) };
        let mut pack = self.packed(task, &rankings, &Gcf, false)?;
        self.pack.clone_from(&pack);
        for member in &mut self.members {
            member.reader.pack.clone_from(&pack);
        }
        let repository = |member: &MemberReader| member.reader.engine.repository().to_owned();
        let known: Vec<(String, &Place)> =
            self.members.iter().map(|member| (repository(member), &member.place)).collect();
        for packed in pack.symbols.iter_mut().chain(&mut pack.omitted) {
            if let Some((_, place)) = known.iter().find(|(id, _)| id == packed.symbol.repository()) {
                place.show(&mut packed.symbol);
            }
        }
        Ok(Some(pack))
    }

    fn ask(&mut self, topic: &Topic) -> Answer<Response> {
        let places: Vec<Place> = self.members.iter().map(|member| member.place.clone()).collect();
        if let Some(number) = subject(topic, &places) {
            return self.ask_member(number, topic);
        }
        match topic {
            Topic::Text(TextRequest::Pack { task, form }) => self.render(task, *form).map(Response::Text),
            Topic::Relocate(symbols) => self.relocate(symbols),
            Topic::Examples => self.examples(),
            Topic::Repositories => self.statuses().map(Response::Repositories),
            Topic::Concepts { .. } => {
                let concepts = self.ask_all(topic, |response| match response {
                    Response::Concepts(list) => list,
                    _ => Vec::new(),
                })?;
                Ok(Response::Concepts(joined(concepts)))
            }
            Topic::Symbols(_) => {
                let mut symbols = self.ask_all(topic, |response| match response {
                    Response::Symbols(list) => list,
                    _ => Vec::new(),
                })?;
                symbols.truncate(MAX_RESULTS);
                Ok(Response::Symbols(symbols))
            }
            Topic::Files { .. } | Topic::DirtyFiles => {
                let mut files = self.ask_all(topic, |response| match response {
                    Response::Files(list) | Response::DirtyFiles(list) => list,
                    _ => Vec::new(),
                })?;
                files.truncate(MAX_RESULTS);
                Ok(if *topic == Topic::DirtyFiles { Response::DirtyFiles(files) } else { Response::Files(files) })
            }
            Topic::MuteEffect { .. } => {
                Ok(Response::Refused("the effect of muting is computed for one repository only"))
            }
            Topic::Bases | Topic::Changes { .. } => {
                Ok(Response::Refused("revisions are compared in one repository only: open it alone"))
            }
            _ => Err("this repository has no index; press r to update it".to_owned()),
        }
    }
}

/// Joins concepts of one name: each repository has its own symbols of them.
fn joined(concepts: Vec<MatchedConcept>) -> Vec<MatchedConcept> {
    let mut joined: Vec<MatchedConcept> = Vec::with_capacity(concepts.len());
    for concept in concepts {
        match joined.iter_mut().find(|known| known.concept == concept.concept) {
            Some(known) => known.symbols.extend(concept.symbols),
            None => joined.push(concept),
        }
    }
    joined
}

/// Returns the part of a request that is about a member; `None` if no part is.
fn own_request(task: &Task, place: &Place) -> Option<Task> {
    let Request::Files(files) = &task.request else { return Some(task.clone()) };
    let own: Vec<String> = files.iter().filter_map(|file| place.own_file(file)).map(str::to_owned).collect();
    (!own.is_empty()).then(|| Task { request: Request::Files(own), ..task.clone() })
}
