//! Ranks a task in every member, and compares the scores of different members.
//!
//! Each member's scores come from the same model, so they are comparable as far as the model's features are. Many of
//! these are relative to the best of their own repository, which makes the best symbol of an unrelated repository look
//! good. So each score has one more component, the same for all symbols of a repository: the weighted logarithm of the
//! repository's probability, relative to that of the most probable one. The scores of the most probable repository are
//! unchanged.

use std::collections::BTreeSet;

use crate::engine::{
    Beside, EdgeAcross, EdgeBetween, EngineError, FirstRanks, PACK_CANDIDATES, PackPart, Ranker, Ranking, beside,
    pack_together,
};
use crate::model::{Component, ContextPack, MemberNode, NodeId, PackEdge, Provenance, Repositories, Request, Task};
use crate::render::Renderer;

use super::likelihood::probabilities;
use super::{Member, Workspace};

/// The component of a score that is the same for all symbols of a repository.
pub const COMPONENT: &str = "repository";

/// The rankings of all members for one request.
#[derive(Default)]
pub struct WorkspaceRanking {
    /// In the order of the members; `None` for one that did not answer.
    parts: Vec<Option<Ranking>>,
    /// The probability of each member, which sum to 1.
    probabilities: Vec<f64>,
    /// Sentences about members that did not answer.
    pub notes: Vec<String>,
}

/// The part of one member in an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct MemberShare {
    pub label: String,
    /// The probability that the task is about this repository, from 0 to 1.
    pub probability: f64,
    /// Packed symbols.
    pub symbols: usize,
    /// Tokens of the packed symbols.
    pub tokens: usize,
}

impl WorkspaceRanking {
    /// Returns the ranking of a member, by its position.
    pub fn part(&self, member: usize) -> Option<&Ranking> {
        self.parts.get(member)?.as_ref()
    }

    /// Returns the probability of each member that the task is about it.
    pub fn probabilities(&self) -> &[f64] {
        &self.probabilities
    }

    /// Returns the number of ranked symbols.
    pub fn symbols(&self) -> usize {
        self.parts.iter().flatten().map(|part| part.symbols.len()).sum()
    }

    /// Returns the rank, from 1, of a member's symbol among those of all members.
    pub fn rank_of(&self, member: usize, node: NodeId) -> Option<usize> {
        let part = self.part(member)?;
        let index = part.symbols.iter().position(|ranked| ranked.node == node)?;
        let added = |member| self.component(member).contribution;
        let score = part.symbols[index].score + added(member);
        let others = (0..self.parts.len()).filter(|other| *other != member);
        let better = |other: usize| {
            let symbols = self.part(other).map_or(&[][..], |part| &part.symbols);
            symbols.iter().filter(|ranked| ranked.score + added(other) > score).count()
        };
        Some(index + 1 + others.map(better).sum::<usize>())
    }

    /// Returns the ranked symbols of all members, best first.
    pub fn order(&self) -> Vec<MemberNode> {
        let mut all: Vec<(f64, MemberNode)> = Vec::new();
        for (member, part) in self.parts.iter().enumerate() {
            let added = self.component(member).contribution;
            let ranked = part.iter().flat_map(|part| &part.symbols);
            all.extend(ranked.map(|ranked| (ranked.score + added, MemberNode::new(member, ranked.node))));
        }
        // A single list has its order already, also where it is not that of the scores.
        if self.parts.len() > 1 {
            all.sort_by(|one, other| other.0.total_cmp(&one.0));
        }
        all.into_iter().map(|(_, node)| node).collect()
    }

    /// Returns the symbols of a member among the first of all members, with their ranks.
    pub fn first_of(&self, member: usize) -> FirstRanks {
        let ranks = self.order().into_iter().enumerate().filter(|(_, node)| node.position() == member);
        FirstRanks::new(ranks.map(|(index, node)| (node.node, index + 1)))
    }

    /// Returns the component of the scores of a member.
    pub(super) fn component(&self, member: usize) -> Component {
        component(&self.probabilities, member)
    }
}

/// Weight of the logarithm of the probability.
const WEIGHT: f64 = 0.1;
/// Lower bound of the component, so that a symbol that the task names is found in any repository.
const MIN_CONTRIBUTION: f64 = -4.0;

impl Workspace {
    /// Ranks symbols for a request in every member, several at a time; `None` if `cancelled` returned true. A member
    /// that fails is a note.
    ///
    /// # Errors
    /// When no member answers.
    pub fn rank(
        &mut self,
        task: &Task,
        cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<WorkspaceRanking>, EngineError> {
        let requests = self.requests(Some(task));
        let ranked = self.at_once(|member| {
            let request = requests[member.position].as_ref()?;
            let prefetched = member.prefetched.take().filter(|(_, known)| known == request);
            match prefetched {
                Some((ranking, _)) => Some(Ok(Some(ranking))),
                None => Some(member.ranker.as_ref()?.rank(request, cancelled)),
            }
        });
        let mut ranking = WorkspaceRanking { parts: Vec::new(), probabilities: Vec::new(), notes: Vec::new() };
        let mut failure = None;
        for (member, result) in self.members.iter().zip(ranked) {
            match result {
                Some(Ok(Some(mut part))) => {
                    let label = if member.label.is_empty() { String::new() } else { format!("{}: ", member.label) };
                    ranking.notes.extend(part.notes.drain(..).map(|note| format!("{label}{note}")));
                    ranking.parts.push(Some(part));
                }
                Some(Ok(None)) => return Ok(None),
                Some(Err(error)) => {
                    ranking.notes.push(format!("{}: {error}", member.label));
                    failure = Some(error);
                    ranking.parts.push(None);
                }
                None => ranking.parts.push(None),
            }
        }
        if let Request::Task(_) = task.request
            && !cancelled()
            && ranking.parts.iter().flatten().all(is_without_evidence)
        {
            let loaded = self.members.iter().zip(&mut ranking.parts);
            for (ranker, part) in loaded.filter_map(|(member, part)| Some((member.ranker.as_ref()?, part.as_mut()?))) {
                ranker.answer_by_lines(part, cancelled)?;
            }
            if cancelled() {
                return Ok(None);
            }
        }
        match failure.filter(|_| ranking.parts.iter().all(Option::is_none)) {
            Some(error) => Err(error),
            None => {
                let loaded = self.members.iter().zip(&ranking.parts);
                let loaded: Vec<_> =
                    loaded.map(|(member, part)| Some((member.ranker.as_ref()?, part.as_ref()?))).collect();
                ranking.probabilities = probabilities(&loaded)?;
                Ok(Some(ranking))
            }
        }
    }

    /// Packs a ranking of [`Workspace::rank`] in one list and one budget.
    ///
    /// # Errors
    /// When a store can't be read, or the budget can't hold even an empty pack.
    pub fn pack(
        &self,
        task: &Task,
        ranking: &WorkspaceRanking,
        renderer: &dyn Renderer,
        bodies: bool,
    ) -> Result<ContextPack, EngineError> {
        let rankings = self.members.iter().zip(&ranking.parts);
        let rankings: Vec<_> = rankings.map(|(member, part)| Some((member.ranker.as_ref()?, part.as_ref()?))).collect();
        let components: Vec<Component> = (0..rankings.len()).map(|member| ranking.component(member)).collect();
        let together = Rankings { rankings: &rankings, components: &components, edges: self.known_edges()? };
        together.pack(task, &self.repositories(), renderer, bodies)
    }

    /// Returns what stands beside a task's pack; nothing for changes, and for questions that the graph answers.
    ///
    /// # Errors
    /// When a store can't be read.
    pub fn beside(&self, task: &Task, ranking: &WorkspaceRanking, pack: &ContextPack) -> Result<Beside, EngineError> {
        if pack.packs_negative || pack.answer.is_some() {
            return Ok(Beside::default());
        }
        let mut parts = Vec::new();
        for (member, ranking) in self.members.iter().zip(&ranking.parts) {
            if let (Some(ranker), Some(ranking)) = (&member.ranker, ranking) {
                parts.push(PackPart { ranker, ranking, component: None });
            }
        }
        beside(task, &parts, pack)
    }

    /// Returns the part of each member in a pack.
    pub fn shares(&self, ranking: &WorkspaceRanking, pack: &ContextPack) -> Vec<MemberShare> {
        let share = |(member, probability): (&Member, &f64)| {
            let own = || pack.symbols.iter().filter(|packed| packed.symbol.repository() == member.engine.repository());
            MemberShare {
                label: member.label.clone(),
                probability: *probability,
                symbols: own().count(),
                tokens: own().map(|packed| packed.tokens).sum(),
            }
        };
        self.members.iter().zip(&ranking.probabilities).map(share).collect()
    }

    /// Returns the part of a request that is about each member; `None` where no part is.
    pub(super) fn requests(&self, task: Option<&Task>) -> Vec<Option<Task>> {
        self.members.iter().map(|member| self.request_of(member, task?)).collect()
    }

    /// Returns the part of a request that is about a member; `None` if no part is. Paths of files begin with a label, or are
    /// absolute.
    fn request_of(&self, member: &Member, task: &Task) -> Option<Task> {
        let Request::Files(files) = &task.request else { return Some(task.clone()) };
        let names = self.repositories();
        let own = files.iter().filter_map(|file| member.own_path(&names, file));
        let own: Vec<String> = own.collect();
        (!own.is_empty()).then(|| Task { request: Request::Files(own), ..task.clone() })
    }
}

/// Returns whether nothing speaks for any symbol of a ranking: names, documentation and code have none of the task's words.
fn is_without_evidence(ranking: &Ranking) -> bool {
    ranking.answer.is_none() && ranking.symbols.iter().all(|ranked| ranked.score <= 0.0)
}

/// The rankings of several repositories for one request; in all lists each repository has the same position.
#[derive(Clone, Copy)]
struct Rankings<'a> {
    /// `None` for a repository that did not answer.
    rankings: &'a [Option<(&'a Ranker, &'a Ranking)>],
    /// The component that the scores of each have in addition.
    components: &'a [Component],
    /// Edges between the repositories; those between candidates are packed.
    edges: &'a [EdgeBetween],
}

impl Rankings<'_> {
    /// Packs the rankings in one list and one budget.
    ///
    /// # Errors
    /// When a store can't be read, or the budget can't hold even an empty pack.
    fn pack(
        &self,
        task: &Task,
        repositories: &Repositories,
        renderer: &dyn Renderer,
        bodies: bool,
    ) -> Result<ContextPack, EngineError> {
        let is_answered = self.rankings.iter().flatten().any(|(_, ranking)| ranking.answer.is_some());
        let (mut parts, mut nodes) = (Vec::new(), BTreeSet::new());
        for (member, (part, component)) in self.rankings.iter().zip(self.components).enumerate() {
            let Some((ranker, ranking)) = *part else { continue };
            // Where one repository answers a question from its graph, rankings of others by words are not answers.
            if !is_answered || ranking.answer.is_some() {
                let component = (!is_answered && self.rankings.len() > 1).then(|| component.clone());
                parts.push(PackPart { ranker, ranking, component });
                let best = ranking.symbols.iter().take(PACK_CANDIDATES);
                nodes.extend(best.map(|ranked| MemberNode::new(member, ranked.node)));
            }
        }
        let edges = self.edges.iter().filter(|edge| nodes.contains(&edge.source) && nodes.contains(&edge.target));
        let edges: Vec<EdgeAcross> = edges.filter_map(|edge| self.edge_across(edge)).collect();
        pack_together(task, &parts, repositories, &edges, renderer, bodies)
    }

    /// Returns an edge with the ids of its symbols.
    fn edge_across(&self, edge: &EdgeBetween) -> Option<EdgeAcross> {
        let id = |end: MemberNode| {
            let (ranker, _) = (*self.rankings.get(end.position())?)?;
            ranker.reader().symbol_id(end.node).ok()?
        };
        let (edge_type, confidence) = (edge.edge_type, edge.confidence);
        Some(EdgeAcross {
            source: id(edge.source)?,
            target: id(edge.target)?,
            edge: PackEdge { source: 0, target: 0, edge_type, provenance: Provenance::Package, confidence },
        })
    }
}

fn component(probabilities: &[f64], member: usize) -> Component {
    let most = probabilities.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    let value = probabilities[member];
    let contribution = (WEIGHT * (value.max(f64::MIN_POSITIVE) / most).ln()).max(MIN_CONTRIBUTION);
    Component { name: COMPONENT, value, contribution }
}
