//! Precision of concepts: the share of the targets of matching concepts that are in the ground truth, in the repository
//! of a concept's framework ("at home") and in others ("away").

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use serde::Serialize;

use super::evaluate::Job;
use super::matcher::{Matcher, Name};
use super::task_file::EvalTask;
use crate::engine::concepts::{FrameworkUse, Layer, MatchStrength, MatchedConcept};
use crate::engine::{EngineError, Ranker};
use crate::model::{NodeId, Options, Task};

/// Precision of the matching concepts of one repository, layer, framework use and match strength.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ConceptTally {
    pub repository: String,
    pub layer: &'static str,
    /// The relation of the repository to the concepts' framework.
    pub framework_use: &'static str,
    /// Whether the repository is that framework.
    #[serde(skip)]
    pub is_home: bool,
    pub strength: &'static str,
    #[serde(flatten)]
    pub counts: ConceptCounts,
}

/// Counts over tasks. A symbol counts once per task.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct ConceptCounts {
    /// Matching concepts, without muted ones.
    pub matches: usize,
    /// Symbols that the targets of these concepts name.
    pub symbols: usize,
    /// Symbols that are in the ground truth, by rule.
    pub dotted: usize,
    pub strict: usize,
}

impl ConceptCounts {
    /// Adds `other` to the counts.
    pub fn add(&mut self, other: ConceptCounts) {
        self.matches += other.matches;
        self.symbols += other.symbols;
        self.dotted += other.dotted;
        self.strict += other.strict;
    }

    /// Returns the share of the symbols that are in the ground truth under a rule. `None` if there are no symbols.
    pub fn precision(&self, matcher: Matcher) -> Option<f64> {
        let right = match matcher {
            Matcher::Dotted => self.dotted,
            Matcher::Strict => self.strict,
        };
        (self.symbols > 0).then(|| right as f64 / self.symbols as f64)
    }
}

type Key = (Layer, FrameworkUse, MatchStrength);

/// Returns the tallies of each repository, in the order of the jobs, and the errors of tasks that can't be ranked.
pub fn concept_tallies(jobs: &[Job], options: &Options) -> (Vec<ConceptTally>, Vec<String>) {
    let found: Vec<(Vec<ConceptTally>, Vec<String>)> = jobs.par_iter().map(|job| tally_job(job, options)).collect();
    let (tallies, errors): (Vec<_>, Vec<_>) = found.into_iter().unzip();
    (tallies.concat(), errors.concat())
}

fn tally_job(job: &Job, options: &Options) -> (Vec<ConceptTally>, Vec<String>) {
    let ranker = match &job.engine {
        Ok(engine) => engine.ranker().map_err(|error| error.to_string()),
        Err(error) => Err(error.to_string()),
    };
    let ranker = match ranker {
        Ok(ranker) => ranker,
        Err(error) => return (Vec::new(), vec![format!("{}: {error}", job.repository)]),
    };
    let mut counts: BTreeMap<Key, ConceptCounts> = BTreeMap::new();
    let mut errors = Vec::new();
    for task in &job.tasks {
        match matching_concepts(&ranker, task, options) {
            Ok(matches) => tally(&matches, &task.ground_truth, &mut counts),
            Err(error) => errors.push(format!("{} {}: {error}", job.repository, task.id)),
        }
    }
    let tallies = counts.into_iter().map(|((layer, framework_use, strength), counts)| ConceptTally {
        repository: job.repository.clone(),
        layer: layer.name(),
        framework_use: framework_use.name(),
        is_home: framework_use == FrameworkUse::Itself,
        strength: strength.name(),
        counts,
    });
    (tallies.collect(), errors)
}

fn matching_concepts(ranker: &Ranker, task: &EvalTask, options: &Options) -> Result<Vec<MatchedConcept>, EngineError> {
    let task = Task { options: options.clone(), ..Task::from_text(&task.task) };
    let ranking = ranker.rank(&task, &|| false)?.unwrap_or_default();
    ranker.matched_concepts(&task, &ranking)
}

/// Adds the counts of one task's matching concepts.
fn tally(matches: &[MatchedConcept], ground_truth: &[String], counts: &mut BTreeMap<Key, ConceptCounts>) {
    let truth: Vec<Name> = ground_truth.iter().map(|name| Name::new(name)).collect();
    let mut seen: BTreeSet<(Key, NodeId)> = BTreeSet::new();
    for concept in matches.iter().filter(|concept| !concept.muted) {
        let key = (concept.layer, concept.framework_use, concept.strength);
        let counts = counts.entry(key).or_default();
        counts.matches += 1;
        for found in concept.symbols.iter().filter(|found| seen.insert((key, found.symbol.node))) {
            let name = Name::new(found.symbol.short_name());
            let is_right = |matcher: Matcher| usize::from(truth.iter().any(|truth| matcher.matches(&name, truth)));
            counts.symbols += 1;
            counts.dotted += is_right(Matcher::Dotted);
            counts.strict += is_right(Matcher::Strict);
        }
    }
}
