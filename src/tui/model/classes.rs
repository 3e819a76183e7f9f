//! The classes that the task fires, and the walk through what they lead to.

use crate::engine::concepts::{ConceptSymbol, MatchedConcept};
use crate::tui::fuzzy;
use crate::tui::workspace::Answer;

/// Where the walk through the matches of classes stands.
#[derive(Debug, Clone, Default)]
pub struct ClassStepper {
    /// The number of the question that fills it.
    pub asked: u64,
    /// None until an answer has come.
    pub found: Option<Answer<Vec<MatchedConcept>>>,
    pub class: usize,
    /// The match last stepped to, by its place in the class.
    pub place: Option<usize>,
    /// Only matches with these letters are walked through.
    pub filter: String,
    /// What is known of the ranking without each class.
    pub without: Vec<Without>,
    /// Number of the last question for that, and what it was about: the ranking and the index of its time, and the class.
    pub asked_without: u64,
    pub awaited_without: Option<((u64, u64), String)>,
}

/// What would be otherwise without a class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Without {
    pub concept: String,
    /// How many of the first `most` symbols would stand elsewhere.
    pub moved: usize,
    pub most: usize,
    /// How many of them would not be among the first any more.
    pub left: usize,
    /// Where the first symbol would stand; none when it would not be ranked.
    pub first: Option<usize>,
}

impl ClassStepper {
    /// The classes, those that count most first.
    pub fn classes(&self) -> &[MatchedConcept] {
        match &self.found {
            Some(Ok(classes)) => classes,
            _ => &[],
        }
    }

    /// The class that is walked.
    pub fn current(&self) -> Option<&MatchedConcept> {
        self.classes().get(self.class)
    }

    /// The match last stepped to.
    pub fn symbol(&self) -> Option<&ConceptSymbol> {
        self.current()?.symbols.get(self.place?)
    }

    /// Takes in an answer; the walk stays where it is as far as class and symbol are still there.
    pub fn fill(&mut self, found: Answer<Vec<MatchedConcept>>) {
        let concept = self.current().map(|class| class.concept.clone());
        let symbol = self.symbol().map(|found| found.symbol.id);
        self.found = Some(found);
        self.without.clear();
        let class = self.classes().iter().position(|class| Some(&class.concept) == concept.as_ref());
        self.class = class.unwrap_or(0);
        self.place = class
            .and_then(|class| self.classes()[class].symbols.iter().position(|found| Some(found.symbol.id) == symbol));
    }

    /// Goes to another class.
    pub fn turn(&mut self, by: isize) {
        let count = self.classes().len();
        if count > 0 {
            self.class = (self.class as isize + by).rem_euclid(count as isize) as usize;
            self.place = None;
        }
    }

    /// Places of the matches that are walked through, in the order of the class.
    pub fn shown(&self) -> Vec<usize> {
        self.current().map_or(Vec::new(), |class| self.shown_of(class))
    }

    /// Places of the matches of a class that the filter lets through.
    pub fn shown_of(&self, class: &MatchedConcept) -> Vec<usize> {
        let symbols = &class.symbols;
        let texts: Vec<String> =
            (symbols.iter()).map(|found| format!("{} {}", found.symbol.name, found.symbol.scope)).collect();
        let mut shown = fuzzy::matching(&self.filter, texts.iter().map(String::as_str));
        shown.sort_unstable();
        shown
    }

    /// Where in that order the match last stepped to stands.
    pub fn row(&self) -> Option<usize> {
        self.shown().iter().position(|place| Some(*place) == self.place)
    }

    /// Goes to another match of the class; after the last comes the first.
    pub fn step(&mut self, by: isize) {
        let count = self.shown().len();
        let next = match self.row() {
            Some(row) => (row as isize + by).rem_euclid(count.max(1) as isize) as usize,
            None if by < 0 => count.saturating_sub(1),
            None => 0,
        };
        self.go_to(next);
    }

    /// Goes to the match in this row, or to the last.
    pub fn go_to(&mut self, row: usize) {
        let shown = self.shown();
        self.place = shown.get(row).or(shown.last()).copied();
    }

    /// What is known of the ranking without the walked class.
    pub fn without(&self) -> Option<&Without> {
        let concept = &self.current()?.concept;
        self.without.iter().find(|without| without.concept == *concept)
    }
}
