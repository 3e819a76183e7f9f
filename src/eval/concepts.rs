//! How much of what equivalence classes lead to is right: the share of the symbols that fired classes name which are in the
//! ground truth, at home (in the framework that a class is written for) and away.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use serde::Serialize;

use super::evaluate::Job;
use super::matcher::{Matcher, Name};
use super::task_file::EvalTask;
use crate::engine::classes::{FiredClass, Gate, Layer, Standing};
use crate::engine::{EngineError, Ranker};
use crate::model::{Options, Task};

/// What the classes that have these things in common led to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ClassTally {
    pub repository: String,
    pub layer: &'static str,
    /// What their framework is to the repository.
    pub standing: &'static str,
    /// What in the task fired them.
    pub gate: &'static str,
    #[serde(flatten)]
    pub counts: ClassCounts,
}

/// Counts over tasks; a symbol counts once for each task.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct ClassCounts {
    /// Classes that fired, muted ones left out.
    pub fired: usize,
    /// Symbols that they led to.
    pub symbols: usize,
    /// Those that are in the ground truth.
    pub dotted: usize,
    pub strict: usize,
}

impl ClassCounts {
    /// Adds another's counts.
    pub fn add(&mut self, other: ClassCounts) {
        self.fired += other.fired;
        self.symbols += other.symbols;
        self.dotted += other.dotted;
        self.strict += other.strict;
    }

    /// The share of the symbols that are right by a rule; nothing where there are none.
    pub fn precision(&self, matcher: Matcher) -> Option<f64> {
        let right = match matcher {
            Matcher::Dotted => self.dotted,
            Matcher::Strict => self.strict,
        };
        (self.symbols > 0).then(|| right as f64 / self.symbols as f64)
    }
}

type Key = (Layer, Standing, Gate);

/// The tallies of each repository, in the order of the jobs. A task that can't be answered is told of with its error.
pub fn class_tallies(jobs: &[Job], options: &Options) -> (Vec<ClassTally>, Vec<String>) {
    let found: Vec<(Vec<ClassTally>, Vec<String>)> = jobs.par_iter().map(|job| of_job(job, options)).collect();
    let (tallies, errors): (Vec<_>, Vec<_>) = found.into_iter().unzip();
    (tallies.concat(), errors.concat())
}

fn of_job(job: &Job, options: &Options) -> (Vec<ClassTally>, Vec<String>) {
    let ranker = match &job.engine {
        Ok(engine) => engine.ranker().map_err(|error| error.to_string()),
        Err(error) => Err(error.clone()),
    };
    let ranker = match ranker {
        Ok(ranker) => ranker,
        Err(error) => return (Vec::new(), vec![format!("{}: {error}", job.repository)]),
    };
    let mut counts: BTreeMap<Key, ClassCounts> = BTreeMap::new();
    let mut errors = Vec::new();
    for task in &job.tasks {
        match fired(&ranker, task, options) {
            Ok(fired) => tally(&fired, &task.ground_truth, &mut counts),
            Err(error) => errors.push(format!("{} {}: {error}", job.repository, task.id)),
        }
    }
    let tallies = counts.into_iter().map(|((layer, standing, gate), counts)| ClassTally {
        repository: job.repository.clone(),
        layer: layer.name(),
        standing: standing.name(),
        gate: gate.name(),
        counts,
    });
    (tallies.collect(), errors)
}

fn fired(ranker: &Ranker, task: &EvalTask, options: &Options) -> Result<Vec<FiredClass>, EngineError> {
    let task = Task { options: options.clone(), ..Task::words(&task.task) };
    let ranking = ranker.rank(&task, &|| false)?.unwrap_or_default();
    ranker.fired(&task, &ranking)
}

/// Adds what one task's classes led to.
fn tally(fired: &[FiredClass], ground_truth: &[String], counts: &mut BTreeMap<Key, ClassCounts>) {
    let truth: Vec<Name> = ground_truth.iter().map(|name| Name::new(name)).collect();
    let mut seen: BTreeSet<(Key, u32)> = BTreeSet::new();
    for class in fired.iter().filter(|class| !class.muted) {
        let key = (class.layer, class.standing, class.gate);
        let counts = counts.entry(key).or_default();
        counts.fired += 1;
        for found in class.symbols.iter().filter(|found| seen.insert((key, found.symbol.node))) {
            let name = Name::new(found.symbol.short_name());
            let is_right = |matcher: Matcher| usize::from(truth.iter().any(|truth| matcher.matches(&name, truth)));
            counts.symbols += 1;
            counts.dotted += is_right(Matcher::Dotted);
            counts.strict += is_right(Matcher::Strict);
        }
    }
}
