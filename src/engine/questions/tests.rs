//! `tests`: which tests reach a symbol or a change.

use super::Questions;
use super::rows::{Reading, Search};
use super::subject::Roots;
use crate::engine::EngineError;
use crate::model::{Answer, Question, Subject, Symbol};

impl Questions<'_> {
    /// Returns the tests that reach the subject, nearest first.
    pub(super) fn tests(&self, question: &Question, subject: &Subject, limit: usize) -> Result<Answer, EngineError> {
        self.test_scope(question, self.roots(subject)?, limit)
    }

    /// Returns the tests that reach a symbol, nearest first.
    pub(super) fn tests_of(&self, question: &Question, symbol: &Symbol, limit: usize) -> Result<Answer, EngineError> {
        let nodes = self.with_members(symbol.node);
        self.test_scope(question, Roots { subjects: vec![symbol.clone()], nodes, notes: Vec::new() }, limit)
    }

    fn test_scope(&self, question: &Question, roots: Roots, limit: usize) -> Result<Answer, EngineError> {
        let reached = self.affected(&roots, Question::UNLIMITED);
        let Roots { subjects, notes, .. } = roots;
        let search = Search { question, subjects, reached, reading: Reading::ToSubject, notes };
        self.answer(search, limit, |reached| self.is_test(reached.node))
    }
}
