//! The concepts that the task matches, and the cursor that steps through their symbols.

use crate::engine::concepts::{ConceptSymbol, MatchedConcept};
use crate::tui::backend::Answer;
use crate::tui::fuzzy;

/// The matched concepts, and the selected one of their symbols.
#[derive(Debug, Clone, Default)]
pub struct ConceptCursor {
    /// Number of the question for the concepts.
    pub question: u64,
    /// `None` until the answer arrives.
    pub answer: Option<Answer<Vec<MatchedConcept>>>,
    /// Index of the selected concept.
    pub concept: usize,
    /// Index of the selected symbol in the concept.
    pub symbol: Option<usize>,
    /// Letters that narrow the symbols, matched fuzzily.
    pub filter: String,
}

impl ConceptCursor {
    /// Returns the concepts, the most important first.
    pub fn concepts(&self) -> &[MatchedConcept] {
        match &self.answer {
            Some(Ok(concepts)) => concepts,
            _ => &[],
        }
    }

    /// Returns the selected concept.
    pub fn current(&self) -> Option<&MatchedConcept> {
        self.concepts().get(self.concept)
    }

    /// Returns the selected symbol.
    pub fn selected(&self) -> Option<&ConceptSymbol> {
        self.current()?.symbols.get(self.symbol?)
    }

    /// Replaces the concepts. Concept and symbol stay selected if they are still there.
    pub fn set_answer(&mut self, answer: Answer<Vec<MatchedConcept>>) {
        let name = self.current().map(|current| current.concept.clone());
        let symbol = self.selected().map(|found| found.symbol.id);
        self.answer = Some(answer);
        let index = self.concepts().iter().position(|other| Some(&other.concept) == name.as_ref());
        self.concept = index.unwrap_or(0);
        self.symbol = index
            .and_then(|index| self.concepts()[index].symbols.iter().position(|found| Some(found.symbol.id) == symbol));
    }

    /// Forgets the concepts; the answer to a question that was asked before is dropped.
    pub fn forget(&mut self) {
        *self = ConceptCursor::default();
    }

    /// Selects another concept; after the last comes the first.
    pub fn cycle(&mut self, by: isize) {
        let count = self.concepts().len();
        if count > 0 {
            self.concept = (self.concept as isize + by).rem_euclid(count as isize) as usize;
            self.symbol = None;
        }
    }

    /// Returns the indexes of the symbols that pass the filter, in the order of the concept.
    pub fn shown(&self) -> Vec<usize> {
        self.current().map_or(Vec::new(), |concept| self.shown_of(concept))
    }

    /// Returns the indexes of the symbols of a concept that pass the filter.
    pub fn shown_of(&self, concept: &MatchedConcept) -> Vec<usize> {
        let symbols = &concept.symbols;
        let texts: Vec<String> =
            (symbols.iter()).map(|found| format!("{} {}", found.symbol.name, found.symbol.scope)).collect();
        let mut shown = fuzzy::matching(&self.filter, texts.iter().map(String::as_str));
        shown.sort_unstable();
        shown
    }

    /// Returns the row of the selected symbol among those.
    pub fn row(&self) -> Option<usize> {
        self.shown().iter().position(|index| Some(*index) == self.symbol)
    }

    /// Selects another symbol; after the last comes the first.
    pub fn step(&mut self, by: isize) {
        let count = self.shown().len();
        let next = match self.row() {
            Some(row) => (row as isize + by).rem_euclid(count.max(1) as isize) as usize,
            None if by < 0 => count.saturating_sub(1),
            None => 0,
        };
        self.go_to(next);
    }

    /// Selects the symbol in this row, or the last one.
    pub fn go_to(&mut self, row: usize) {
        let shown = self.shown();
        self.symbol = shown.get(row).or(shown.last()).copied();
    }
}
