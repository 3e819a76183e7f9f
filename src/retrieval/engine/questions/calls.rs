//! `callers` and `callees`.

use std::collections::HashSet;

use super::Questions;
use super::rows::{Reading, Search};
use super::rules::{is_call, is_use};
use crate::engine::EngineError;
use crate::graph::reach::reach;
use crate::model::{Answer, NodeId, Question, Symbol};

impl Questions<'_> {
    /// Returns what calls a symbol. A call of a method that it overrides may run it, a call of a type runs its
    /// constructor, and a request to a route its handler.
    pub(super) fn callers(
        &self,
        question: &Question,
        symbol: &Symbol,
        depth: u32,
        limit: usize,
    ) -> Result<Answer, EngineError> {
        let rule = |at: &_, edge: &_| self.toward_callers(at, edge);
        let reached =
            reach(&self.graph.adjacency, &self.overloads(symbol)?, depth, rule, |node| self.graph.id_prefix(node));
        let notes = Vec::new();
        let reading = Reading::ToSubject;
        let search = Search { question, subjects: vec![symbol.clone()], reached, reading, notes };
        let mut answer = self.answer(search, limit, HashSet::new(), |_| true)?;
        answer.notes.extend(self.other_users(symbol));
        Ok(answer)
    }

    /// Returns what a symbol calls. A call of a method may run each that overrides it.
    pub(super) fn callees(
        &self,
        question: &Question,
        symbol: &Symbol,
        depth: u32,
        limit: usize,
    ) -> Result<Answer, EngineError> {
        let rule = |at: &_, edge: &_| self.toward_callees(at, edge);
        let reached =
            reach(&self.graph.adjacency, &self.overloads(symbol)?, depth, rule, |node| self.graph.id_prefix(node));
        let reading = Reading::FromSubject;
        let search = Search { question, subjects: vec![symbol.clone()], reached, reading, notes: Vec::new() };
        self.answer(search, limit, HashSet::new(), |_| true)
    }

    /// Returns a note on the symbols that use a symbol without calling it, if there are some.
    fn other_users(&self, symbol: &Symbol) -> Option<String> {
        let of = |wanted: fn(_) -> bool| -> HashSet<NodeId> {
            let edges = self.graph.adjacency.incoming(symbol.node).iter();
            edges.filter(|edge| wanted(edge.edge_type)).map(|edge| edge.node).collect()
        };
        let count = of(is_use).difference(&of(is_call)).count();
        let users = if count == 1 { "1 symbol uses".to_owned() } else { format!("{count} symbols use") };
        (count > 0).then(|| format!("{users} it without a call (`knowing impact` lists them)"))
    }
}
