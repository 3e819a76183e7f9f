//! `path`: how one symbol reaches another.

use std::collections::HashSet;

use super::Questions;
use super::rows::{Reading, Search};
use super::rules::{is_call, is_use};
use crate::engine::EngineError;
use crate::graph::reach::{Reached, reach, trace};
use crate::model::{Answer, NodeId, Question, Symbol};

impl Questions<'_> {
    /// Returns the shortest path of calls from one symbol, or a member of it, to another or a member of that. If there
    /// is none, of any uses. Without a path the answer has no rows.
    pub(super) fn path(&self, question: &Question, from: &Symbol, to: &Symbol) -> Result<Answer, EngineError> {
        let mut roots = self.with_members(from)?;
        let mut goals: HashSet<NodeId> = self.with_members(to)?.into_iter().collect();
        // A type and its own member: what is in both is one end of the path only.
        if goals.len() < roots.len() && goals.iter().all(|goal| roots.contains(goal)) {
            roots.retain(|root| !goals.contains(root));
        } else {
            goals.retain(|goal| !roots.contains(goal));
        }
        let found = [is_call as fn(_) -> bool, is_use].into_iter().find_map(|is_followed| {
            let rule = |_: &_, edge: &_| self.toward_used(edge, is_followed);
            let tie_break = |node| self.graph.id_prefix(node);
            let reached = reach(&self.graph.adjacency, &roots, Question::UNLIMITED, rule, tie_break);
            let is_goal = |reached: &Reached| reached.distance > 0 && goals.contains(&reached.node);
            reached.iter().position(is_goal).map(|index| (index, reached))
        });
        let (subjects, reading) = (vec![from.clone(), to.clone()], Reading::FromSubject);
        let Some((goal, mut reached)) = found else {
            let search = Search { question, subjects, reached: Vec::new(), reading, notes: Vec::new() };
            return self.answer(search, 0, HashSet::new(), |_| false);
        };
        // The goal is a row even if it was only passed through, such as a constructor.
        reached[goal].is_transit = false;
        let on_path: Vec<Reached> = trace(&reached, goal).into_iter().map(|index| reached[index]).collect();
        let search = Search { question, subjects, reached, reading, notes: Vec::new() };
        let mut answer = self.answer(search, usize::MAX, HashSet::new(), |result| on_path.contains(result))?;
        // Rows of one distance are ordered by file; a path has its own order.
        answer.rows.sort_by_key(|row| row.path.len());
        Ok(answer)
    }
}
