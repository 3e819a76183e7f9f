//! Questions about several repositories: one graph of theirs, with the edges between them.

use std::borrow::Cow;
use std::collections::HashSet;

use super::Questions;
use super::rows::{NodeFacts, Reading, Search};
use super::rules::{is_call, is_use};
use crate::engine::inspect::NameError;
use crate::engine::uses::{Use, lines_of_uses};
use crate::engine::{EngineError, Ranker};
use crate::graph::adjacency::{Adjacency, Neighbor};
use crate::graph::reach::{Follow, Reached, reach};
use crate::model::{Answer, Edge, EdgeType, NodeId, Provenance, Question, Repositories, Subject, Symbol, SymbolKind};

/// A symbol of one of several repositories.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeAcross {
    /// The position of the repository.
    pub member: usize,
    pub node: NodeId,
}

/// An edge from one repository to another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EdgeBetween {
    pub source: NodeAcross,
    pub target: NodeAcross,
    /// The external symbol of the source's repository that stands for the target.
    pub external: NodeId,
    pub edge_type: EdgeType,
    pub confidence: f32,
}

/// The loaded indexes of several repositories, which answer questions together.
pub struct QuestionsAcross<'a> {
    members: Vec<Questions<'a>>,
    /// The number of each member's node 0 in the common graph.
    first: Vec<u32>,
    graph: Adjacency,
    repositories: &'a Repositories,
}

impl<'a> QuestionsAcross<'a> {
    /// Joins the graphs of the rankers. `edges` replace the external symbols that stand for their targets.
    ///
    /// # Errors
    /// When a store can't be read.
    pub fn new(
        rankers: &[&'a Ranker],
        edges: &[EdgeBetween],
        repositories: &'a Repositories,
    ) -> Result<QuestionsAcross<'a>, EngineError> {
        let members = rankers.iter().map(|ranker| ranker.questions()).collect::<Result<Vec<_>, _>>()?;
        let mut first = Vec::with_capacity(members.len());
        let mut count = 0_u32;
        for member in &members {
            first.push(count);
            count = count.saturating_add(u32::try_from(member.graph.adjacency.nodes()).unwrap_or(u32::MAX));
        }
        let mut across = QuestionsAcross { members, first, graph: Adjacency::new(0, &[]), repositories };
        // By source, since an external symbol can be the same name for another one, and something else.
        let replaced: HashSet<(NodeId, NodeId)> = (edges.iter())
            .map(|edge| {
                let external = NodeAcross { member: edge.source.member, node: edge.external };
                (across.common(edge.source), across.common(external))
            })
            .collect();
        let mut all: Vec<Edge> = Vec::new();
        for (member, questions) in across.members.iter().enumerate() {
            let adjacency = &questions.graph.adjacency;
            for node in (0..u32::try_from(adjacency.nodes()).unwrap_or(u32::MAX)).map(NodeId::new) {
                let source = across.common(NodeAcross { member, node });
                all.extend(adjacency.outgoing(node).iter().filter_map(|edge| {
                    let target = across.common(NodeAcross { member, node: edge.node });
                    let (edge_type, provenance, confidence) = (edge.edge_type, edge.provenance, edge.confidence());
                    (!replaced.contains(&(source, target))).then_some(Edge {
                        source,
                        target,
                        edge_type,
                        provenance,
                        confidence,
                    })
                }));
            }
        }
        all.extend(edges.iter().map(|edge| Edge {
            source: across.common(edge.source),
            target: across.common(edge.target),
            edge_type: edge.edge_type,
            provenance: Provenance::Package,
            confidence: edge.confidence,
        }));
        across.graph = Adjacency::new(count as usize, &all);
        Ok(across)
    }

    /// Answers a question about callers, callees or impact with at most `limit` rows. A name may begin with the label of
    /// a repository: `api://Session.open`, `api/src/a.rs:12`.
    ///
    /// # Errors
    /// When the name refers to no symbol or to several, the question is of another kind, or a store can't be read.
    pub fn ask(&self, question: &Question, limit: usize) -> Result<Answer, EngineError> {
        let (name, depth, reading) = match question {
            Question::Callers { of, depth } => (of, *depth, Reading::ToSubject),
            Question::Callees { of, depth } => (of, *depth, Reading::FromSubject),
            Question::Impact { of: Subject::Symbol(of), depth } => (of, *depth, Reading::ToSubject),
            _ => {
                let reason = format!("`{}` is about one repository", question.title());
                return Err(EngineError::Task { reason });
            }
        };
        let (member, symbol) = self.named(name)?;
        let own = &self.members[member];
        let nodes = match question {
            Question::Impact { .. } => own.with_members(&symbol)?,
            _ => own.overloads(&symbol)?,
        };
        let roots: Vec<NodeId> = nodes.into_iter().map(|node| self.common(NodeAcross { member, node })).collect();
        let follow = |at: &Reached, edge: &Neighbor| self.follow(question, at, edge);
        let reached = reach(&self.graph, &roots, depth, follow, |node| self.id_prefix(node));
        let search = Search { question, subjects: vec![symbol], reached, reading, notes: Vec::new() };
        let facts: &dyn NodeFacts = self;
        facts.answer(search, limit, HashSet::new(), &|_| true)
    }

    /// Decides about an edge of the common graph: within a repository by its rule, otherwise by the edge's type.
    fn follow(&self, question: &Question, at: &Reached, edge: &Neighbor) -> Follow {
        let (from, to) = (self.local(at.node), self.local(edge.node));
        let own = &self.members[from.member];
        if from.member == to.member {
            let (at, edge) = (&Reached { node: from.node, ..*at }, &edge.with_node(to.node));
            return match question {
                Question::Callees { .. } => own.toward_callees(at, edge),
                Question::Callers { .. } => own.toward_callers(at, edge),
                _ => own.toward_users(at, edge),
            };
        }
        let is_followed = match question {
            Question::Callees { .. } => edge.is_outgoing() && is_call(edge.edge_type),
            Question::Callers { .. } => !edge.is_outgoing() && is_call(edge.edge_type),
            _ => !edge.is_outgoing() && is_use(edge.edge_type),
        };
        let is_file = self.members[to.member].graph.meta(to.node).is_some_and(|meta| meta.kind == SymbolKind::File);
        match (is_followed, matches!(question, Question::Impact { .. }) && is_file) {
            (false, _) => Follow::No,
            // Code of a module runs when it is loaded, and nothing calls it.
            (true, true) => Follow::Last,
            (true, false) => Follow::Step,
        }
    }

    /// Returns the symbol of a name and the position of its repository.
    fn named(&self, name: &str) -> Result<(usize, Symbol), EngineError> {
        let mut found = Vec::new();
        let mut failure: Option<NameError> = None;
        for (member, questions) in self.members.iter().enumerate() {
            let Some(own) = self.own_name(member, name) else { continue };
            match questions.named(own) {
                Ok(symbol) => found.push((member, symbol)),
                Err(EngineError::Name(error)) if !error.choices.is_empty() => {
                    found.extend(error.choices.into_iter().map(|(_, symbol)| (member, symbol)));
                }
                Err(EngineError::Name(error)) => match &mut failure {
                    Some(known) => known.suggestions.extend(error.suggestions),
                    None => failure = Some(*error),
                },
                Err(error) => return Err(error),
            }
        }
        match (found.len(), failure) {
            (1, _) => Ok(found.remove(0)),
            (0, Some(failure)) => Err(failure.into()),
            (0, None) => Err(NameError { name: name.to_owned(), ..NameError::default() }.into()),
            _ => {
                let shown =
                    |(_, symbol): (usize, Symbol)| (self.repositories.qualified_name(&symbol).into_owned(), symbol);
                let choices = found.into_iter().map(shown).collect();
                Err(NameError { name: name.to_owned(), choices, ..NameError::default() }.into())
            }
        }
    }

    /// Returns a name as a member knows it; `None` if it begins with the label of another one.
    fn own_name<'n>(&self, member: usize, name: &'n str) -> Option<&'n str> {
        match self.repositories.split_label(name) {
            None => Some(name),
            Some((repository, rest)) => (self.members[member].reader.repository() == repository).then_some(rest),
        }
    }

    /// Returns the number of a node in the common graph.
    fn common(&self, node: NodeAcross) -> NodeId {
        NodeId::new(self.first[node.member].saturating_add(node.node.get()))
    }

    /// Returns the node of a number in the common graph.
    fn local(&self, node: NodeId) -> NodeAcross {
        let member = self.first.partition_point(|first| *first <= node.get()) - 1;
        NodeAcross { member, node: NodeId::new(node.get() - self.first[member]) }
    }
}

impl NodeFacts for QuestionsAcross<'_> {
    fn symbol(&self, node: NodeId) -> Result<Option<Symbol>, EngineError> {
        let NodeAcross { member, node } = self.local(node);
        self.members[member].symbol(node)
    }

    fn is_test(&self, node: NodeId) -> bool {
        let NodeAcross { member, node } = self.local(node);
        self.members[member].is_test(node)
    }

    fn shown_path(&self, node: NodeId) -> Option<Cow<'_, str>> {
        let NodeAcross { member, node } = self.local(node);
        let path = self.members[member].shown_path(node)?;
        Some(Cow::Owned(format!("{}/{path}", self.members[member].reader.repository())))
    }

    fn id_prefix(&self, node: NodeId) -> u64 {
        let NodeAcross { member, node } = self.local(node);
        self.members[member].id_prefix(node)
    }

    fn repositories(&self) -> &Repositories {
        self.repositories
    }

    fn lines(&self, uses: &[Use<'_>]) -> Result<Vec<Option<u32>>, EngineError> {
        let mut lines = vec![None; uses.len()];
        for member in &self.members {
            let own = |index: &usize| uses[*index].user.repository() == member.reader.repository();
            let indexes: Vec<usize> = (0..uses.len()).filter(own).collect();
            let of_member: Vec<Use<'_>> = indexes.iter().map(|index| uses[*index]).collect();
            for (index, line) in indexes.into_iter().zip(lines_of_uses(member.reader, member.root, &of_member)?) {
                lines[index] = line;
            }
        }
        Ok(lines)
    }
}
