//! `impact`: what a change affects.

use std::collections::HashSet;

use super::Questions;
use super::rows::{Reading, Search};
use super::subject::Roots;
use crate::engine::EngineError;
use crate::graph::reach::{Reached, reach};
use crate::model::{Answer, Question, Subject};

impl Questions<'_> {
    /// Returns what a change of the subject affects, through every kind of use.
    pub(super) fn impact(
        &self,
        question: &Question,
        subject: &Subject,
        depth: u32,
        limit: usize,
    ) -> Result<Answer, EngineError> {
        let roots = self.roots(subject)?;
        let reached = self.affected(&roots, depth);
        let Roots { subjects, notes, .. } = roots;
        let search = Search { question, subjects, reached, reading: Reading::ToSubject, notes };
        self.answer(search, limit, HashSet::new(), |_| true)
    }

    /// Returns what a change of the roots affects, the roots first.
    pub(super) fn affected(&self, roots: &Roots, depth: u32) -> Vec<Reached> {
        let rule = |at: &_, edge: &_| self.toward_users(at, edge);
        reach(&self.graph.adjacency, &roots.nodes, depth, rule, |node| self.graph.id_prefix(node))
    }
}
