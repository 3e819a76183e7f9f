//! Equivalence classes against a repository: which fire for a task and what they lead to, and what is wrong with them.

use std::ops::Range;

pub use crate::vocab::check::{Flaw, Rule};
pub use crate::vocab::{Class, Layer, Standing, Vocabulary};

use super::{EngineError, Ranker};
use crate::model::Symbol;
use crate::retrieve::definitions;
use crate::store::StoreError;
use crate::vocab::check;

/// A class that a task fires in a repository.
#[derive(Debug, Clone)]
pub struct FiredClass {
    pub class: Class,
    /// What the class's framework is to the repository.
    pub standing: Standing,
    /// Particular enough to lead the ranking.
    pub strong: bool,
    /// The class's phrases that the task has, and where in the task.
    pub phrases: Vec<(String, Range<usize>)>,
    /// Each target with the symbols that it names, the likeliest first.
    pub targets: Vec<(String, Vec<Symbol>)>,
}

impl Ranker {
    /// The vocabulary that tasks are read with.
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// The classes that a task fires here, those that count most first, with at most `most` symbols for a target.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn fired(&self, task: &str, most: usize) -> Result<Vec<FiredClass>, EngineError> {
        let mut found = Vec::new();
        for (fired, standing) in self.vocabulary.fired(task, &self.profile) {
            let mut targets = Vec::new();
            for target in &fired.class.entry.targets {
                let mut nodes = definitions(&self.reader, &self.graph, fired.class, target)?;
                nodes.truncate(most);
                targets.push((target.clone(), self.reader.symbols(&nodes)?));
            }
            let phrases = fired.phrases.iter().map(|said| (said.phrase.to_owned(), said.span.clone())).collect();
            let (class, strong) = (fired.class.clone(), fired.strong);
            found.push(FiredClass { class, standing, strong, phrases, targets });
        }
        Ok(found)
    }

    /// Every flaw of the vocabulary, its targets held against the index.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn check_classes(&self) -> Result<Vec<Flaw>, EngineError> {
        let mut flaws = check::check(&self.vocabulary);
        let standing = |class: &Class| self.profile.standing(self.vocabulary.scope(class));
        let mut count = |class: &Class, target: &str| -> Result<usize, StoreError> {
            Ok(definitions(&self.reader, &self.graph, class, target)?.len())
        };
        flaws.extend(check::check_targets(&self.vocabulary, &standing, &mut count)?);
        flaws.sort();
        Ok(flaws)
    }
}
