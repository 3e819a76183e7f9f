//! The classes that the task fires, and the walk through what they lead to.

use super::super::workspace::Answer;
use crate::engine::classes::{ClassSymbol, FiredClass};

/// Where the walk through the matches of classes stands.
#[derive(Debug, Clone, Default)]
pub struct ClassStepper {
    /// The number of the question that fills it.
    pub asked: u64,
    /// None until an answer has come.
    pub found: Option<Answer<Vec<FiredClass>>>,
    pub class: usize,
    /// The match last stepped to, by its place in the class.
    pub place: Option<usize>,
}

impl ClassStepper {
    /// The classes, those that count most first.
    pub fn classes(&self) -> &[FiredClass] {
        match &self.found {
            Some(Ok(classes)) => classes,
            _ => &[],
        }
    }

    /// The class that is walked.
    pub fn current(&self) -> Option<&FiredClass> {
        self.classes().get(self.class)
    }

    /// The match last stepped to.
    pub fn symbol(&self) -> Option<&ClassSymbol> {
        self.current()?.symbols.get(self.place?)
    }

    /// Takes in an answer; the walk stays where it is as far as class and symbol are still there.
    pub fn fill(&mut self, found: Answer<Vec<FiredClass>>) {
        let concept = self.current().map(|class| class.concept.clone());
        let symbol = self.symbol().map(|found| found.symbol.id);
        self.found = Some(found);
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

    /// Goes to another match of the class; after the last comes the first.
    pub fn step(&mut self, by: isize) {
        let count = self.current().map_or(0, |class| class.symbols.len());
        if count > 0 {
            let next = match self.place {
                Some(place) => (place as isize + by).rem_euclid(count as isize) as usize,
                None if by < 0 => count - 1,
                None => 0,
            };
            self.place = Some(next);
        }
    }
}
