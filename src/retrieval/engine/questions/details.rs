//! The facts about one symbol.

use std::collections::HashSet;

use super::Questions;
use super::rows::{Reading, Search};
use super::rules::is_use;
use crate::engine::bodies::Bodies;
use crate::engine::{EngineError, Ranker, headline, matches, route};
use crate::graph::adjacency::Neighbor;
use crate::graph::reach::{Follow, reach};
use crate::model::{Answer, EdgeType, NodeId, Question, Subject, Symbol, SymbolDetails, SymbolKind, Task};
use crate::render::gcf::Gcf;

/// Separator of the parts of a line.
const SEPARATOR: &str = " · ";

impl Ranker {
    /// Returns the facts about a symbol, with at most `limit` rows in each list, and its rank for `task`.
    ///
    /// # Errors
    /// When the store can't be read, or a component of the task's options is unknown.
    pub fn details(&self, symbol: &Symbol, limit: usize, task: Option<&Task>) -> Result<SymbolDetails, EngineError> {
        let mut details = self.questions()?.details(symbol, limit)?;
        let Some(task) = task else { return Ok(details) };
        let why = self.why(task, &Gcf, symbol)?;
        details.why = vec![headline(&why, SEPARATOR), matches(&why.words, SEPARATOR), route(&why)];
        details.why.extend(why.missing.iter().map(ToString::to_string));
        details.why.retain(|line| !line.is_empty());
        Ok(details)
    }
}

impl Questions<'_> {
    /// Returns the facts about a symbol, with at most `limit` rows in each list.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn details(&self, symbol: &Symbol, limit: usize) -> Result<SymbolDetails, EngineError> {
        let mut sources = Bodies::new(self.reader, self.root);
        let source = match symbol.kind {
            SymbolKind::File | SymbolKind::Package => None,
            _ => sources.indented_body(symbol)?,
        };
        let name = symbol.short_name().to_owned();
        let mut users = self.neighbors(symbol, Reading::ToSubject, limit)?;
        self.add_unresolved(&mut users)?;
        let tests = self.tests_of(&Question::Tests { of: Subject::Symbol(name) }, symbol, limit)?;
        Ok(SymbolDetails {
            symbol: symbol.clone(),
            source,
            missing_source: sources.missing().pop().map(|missing| missing.reason),
            members: self.members(symbol)?,
            uses: self.neighbors(symbol, Reading::FromSubject, limit)?,
            users,
            tests,
            owners: self.owners(symbol.node)?,
            why: Vec::new(),
        })
    }

    /// Returns what a symbol uses, or what uses it, by one edge.
    fn neighbors(&self, symbol: &Symbol, reading: Reading, limit: usize) -> Result<Answer, EngineError> {
        let of = symbol.short_name().to_owned();
        let is_outgoing = reading == Reading::FromSubject;
        let question = match reading {
            Reading::FromSubject => Question::Callees { of, depth: 1 },
            Reading::ToSubject => Question::Impact { of: Subject::Symbol(of), depth: 1 },
        };
        let rule = |_: &_, edge: &Neighbor| {
            let is_followed = edge.is_outgoing() == is_outgoing && is_use(edge.edge_type);
            if is_followed { Follow::Step } else { Follow::No }
        };
        let reached =
            reach(&self.graph.adjacency, &self.overloads(symbol)?, 1, rule, |node| self.graph.id_prefix(node));
        let (subjects, notes) = (vec![symbol.clone()], Vec::new());
        self.answer(Search { question: &question, subjects, reached, reading, notes }, limit, HashSet::new(), |_| true)
    }

    /// Returns the members of a type, or the definitions of a file, in source order.
    fn members(&self, symbol: &Symbol) -> Result<Vec<Symbol>, EngineError> {
        if !symbol.kind.is_type() && symbol.kind != SymbolKind::File {
            return Ok(Vec::new());
        }
        let nodes: Vec<NodeId> = self.graph.members(symbol.node).collect();
        let mut members = self.reader.symbols(&nodes)?;
        members.retain(|member| member.kind != SymbolKind::RouteHandler);
        members.sort_by(|one, other| {
            let position = |member: &Symbol| (member.span.start_byte, member.ordinal);
            one.file.cmp(&other.file).then_with(|| position(one).cmp(&position(other)))
        });
        Ok(members)
    }

    /// Returns the owners of a symbol's file.
    pub(in crate::engine) fn owners(&self, node: NodeId) -> Result<Vec<String>, EngineError> {
        let file = self.graph.meta(node).and_then(|meta| meta.file);
        let nodes = file.map_or(&[][..], |file| self.graph.nodes_in_file(file));
        let edges = nodes.iter().flat_map(|node| self.graph.adjacency.outgoing(*node));
        let owners: Vec<NodeId> =
            edges.filter(|edge| edge.edge_type == EdgeType::OwnedBy).map(|edge| edge.node).collect();
        let mut owners: Vec<String> = self.reader.symbols(&owners)?.into_iter().map(|owner| owner.name).collect();
        owners.sort();
        Ok(owners)
    }
}
