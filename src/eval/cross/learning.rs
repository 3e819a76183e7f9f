//! Learning: the quality of a system's answers after rounds of votes, by two-fold cross-validation.
//!
//! In each round every task of one half is asked, and each of its first results gets a vote by the ground truth. Then the
//! tasks of both halves are asked. The halves then change roles. The answers to the tasks without votes after the last
//! round are recorded as learned. A control, this program with votes on tasks of other repositories, comes from
//! [`simulate`](crate::simulate()), because votes of one repository can't be given in another by a command.

use std::collections::HashMap;

use super::folder::{FolderError, RunFolder, answer_key};
use super::process::Finished;
use super::record::{AnswerRecord, Group, Label, LearningRecord, file};
use super::repository::Repository;
use super::runner::{Plan, RunError, answer_record};
use super::score::Gold;
use super::sets::CrossTask;
use super::subject::{Reading, Subject};
use super::system::System;
use crate::matcher::{Matcher, Name};
use crate::metrics::{Metrics, measure};
use crate::simulate::{Simulation, weighted_mean};

/// Budget of the answers, in tokens.
const BUDGET: usize = 5_000;
/// Number of first results that get votes.
const VOTED_DEPTH: usize = 10;
/// The rule by which results are relevant.
pub const RULE: Matcher = Matcher::Dotted;

/// Measures every system that has a command for votes, on every repository of the plan without a record. Returns a text for
/// each system and repository in which votes failed.
///
/// # Errors
/// When the run's folder or the work folder can't be used, or this program can't index a repository.
pub fn run(plan: &Plan, folder: &mut RunFolder, rounds: usize, step: &dyn Fn(&str)) -> Result<Vec<String>, RunError> {
    let mut failures = Vec::new();
    let known: Vec<LearningRecord> = folder.read(file::LEARNING)?;
    for name in plan.repositories() {
        let is_open = |system: &&System| {
            let is_known = |it: &LearningRecord| {
                (&it.system, it.repository.as_str(), it.group) == (&system.name, name, Group::HeldOut)
            };
            system.feedback.is_some() && !known.iter().any(is_known)
        };
        let systems: Vec<&System> = plan.systems.iter().filter(is_open).collect();
        if systems.is_empty() {
            continue;
        }
        let repository = plan.repository(name)?;
        for system in systems {
            step(&format!("{} on {name}", system.name));
            let curve = Curve { plan, system, repository: &repository };
            let failed = curve.measure(rounds, folder)?;
            if let Some(first) = failed.first() {
                failures.push(format!("{} on {name}: votes on {} tasks failed: {first}", system.name, failed.len()));
            }
        }
    }
    Ok(failures)
}

/// The learning of one system in one repository.
struct Curve<'a> {
    plan: &'a Plan,
    system: &'a System,
    repository: &'a Repository,
}

impl Curve<'_> {
    /// Records the curve. Returns the failures of votes.
    fn measure(&self, rounds: usize, folder: &mut RunFolder) -> Result<Vec<String>, RunError> {
        let mut failures = Vec::new();
        let tasks = self.plan.tasks.iter().filter(|task| task.repository == self.repository.name);
        let tasks: Vec<&CrossTask> = tasks.collect();
        let halves = [0, 1].map(|half| tasks.iter().skip(half).step_by(2).copied().collect::<Vec<_>>());
        let mut measured: HashMap<(usize, Group), Vec<(Metrics, usize)>> = HashMap::new();
        for (voted, held_out) in [(&halves[0], &halves[1]), (&halves[1], &halves[0])] {
            let workplace = self.plan.workplace(&self.system.name, &self.repository.name, &self.repository.folder)?;
            let subject = self.plan.subject(self.system, &workplace, &self.repository.language)?.learning();
            let indexed = subject.index();
            for round in 0..=rounds {
                if round > 0 {
                    failures.extend(voted.iter().filter_map(|task| self.vote(&subject, task)));
                }
                for (group, tasks) in [(Group::Voted, voted), (Group::HeldOut, held_out)] {
                    let label = (round == rounds && group == Group::HeldOut).then_some(Label::Learned);
                    let metrics = self.ask(&subject, tasks, label, indexed.failure.as_deref(), folder)?;
                    measured.entry((round, group)).or_default().push((metrics, tasks.len()));
                }
            }
            drop(subject);
            workplace.remove()?;
        }
        for round in 0..=rounds {
            for group in [Group::Voted, Group::HeldOut] {
                let parts = measured.remove(&(round, group)).unwrap_or_default();
                let Metrics { ndcg10, mrr, .. } = weighted_mean(parts.into_iter());
                let (system, repository) = (self.system.name.clone(), self.repository.name.clone());
                let record = LearningRecord { system, repository, round, group, ndcg10, mrr, tasks: tasks.len() };
                folder.append(file::LEARNING, &record)?;
            }
        }
        Ok(failures)
    }

    /// Asks tasks, records the answers if they have a label, and returns their mean metrics.
    fn ask(
        &self,
        subject: &Subject<'_>,
        tasks: &[&CrossTask],
        label: Option<Label>,
        failure: Option<&str>,
        folder: &mut RunFolder,
    ) -> Result<Metrics, FolderError> {
        let mut all = Vec::with_capacity(tasks.len());
        for task in tasks {
            let answer = match failure {
                None => subject.ask(&task.text, BUDGET),
                Some(failure) => Finished { failure: Some(failure.to_owned()), ..Finished::default() },
            };
            let record = answer_record(subject, self.repository, task, BUDGET, label.unwrap_or(Label::Cold), &answer);
            if label.is_some() && !folder.has_answer(&answer_key(&record)) {
                folder.add_answer(&record)?;
            }
            all.push(metrics(&record));
        }
        Ok(Metrics::mean(all.into_iter()))
    }

    /// Votes on the first results of a task. Returns the reason of a failure.
    fn vote(&self, subject: &Subject<'_>, task: &CrossTask) -> Option<String> {
        let answer = subject.ask(&task.text, BUDGET);
        let Reading { results, .. } = subject.read(&answer, BUDGET);
        let mut votes: Vec<(&str, String, bool)> = Vec::new();
        for found in &results {
            // Only definitions of the repository can be voted on.
            let Some(name) = self.repository.definitions.normalized(found).into_iter().next() else { continue };
            if votes.len() < VOTED_DEPTH && !votes.iter().any(|(_, other, _)| *other == name) {
                let is_useful = is_relevant(&name, &task.gold);
                votes.push((&found.name, name, is_useful));
            }
        }
        let votes: Vec<(&str, &str, bool)> =
            votes.iter().map(|(printed, name, is_useful)| (*printed, name.as_str(), *is_useful)).collect();
        if votes.is_empty() {
            return None;
        }
        subject.vote(&task.text, &votes)?.failure
    }
}

fn is_relevant(name: &str, gold: &[Gold]) -> bool {
    let name = Name::new(name);
    gold.iter().any(|gold| RULE.matches(&name, &Name::new(&gold.symbol)))
}

fn metrics(record: &AnswerRecord) -> Metrics {
    let names = |names: &[String]| names.iter().map(|name| Name::new(name)).collect::<Vec<_>>();
    measure(RULE, &names(&record.ranked), &names(&record.gold))
}

/// Returns the record of the control: all tasks of a repository, after votes in other ones only.
pub fn control(system: &str, simulation: &Simulation) -> LearningRecord {
    let Metrics { ndcg10, mrr, .. } = simulation.with_other_votes;
    LearningRecord {
        system: system.to_owned(),
        repository: simulation.repository.clone(),
        round: simulation.rounds.len().saturating_sub(1),
        group: Group::VotedElsewhere,
        ndcg10,
        mrr,
        tasks: simulation.tasks,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::cross::runner::tests::plan;
    use crate::cross::system::Feedback;

    #[test]
    fn votes_change_later_answers_and_the_last_are_learned() {
        let temporary = tempfile::tempdir().unwrap();
        let mut plan = plan(temporary.path(), "true");
        let words = |script: &str| ["sh", "-c", script].map(str::to_owned).to_vec();
        let system = &mut plan.systems[0];
        // What was voted useful is printed first.
        system.query.command =
            words("cat {state}/votes 2>/dev/null; echo shop/payment.py:8: charge; echo shop/cart.py:17: total");
        let mut command = words(
            "while [ -n \"$1\" ]; do [ $1 = yes ] && echo shop/cart.py:17: total >> {state}/votes; shift 2; done",
        );
        command.push("votes".to_owned());
        let vote = |word: &str| [word, "{name}"].map(str::to_owned).to_vec();
        system.feedback =
            Some(Feedback { command, useful: vote("yes"), not_useful: vote("no"), environment: BTreeMap::new() });
        plan.tasks[0].gold.truncate(1);
        let mut other = plan.tasks[0].clone();
        other.id = "shop-2".to_owned();
        plan.tasks.push(other);
        let mut folder = RunFolder::open(&temporary.path().join("run")).unwrap();
        assert_eq!(run(&plan, &mut folder, 1, &|_| {}).unwrap(), Vec::<String>::new());
        let records: Vec<LearningRecord> = folder.read(file::LEARNING).unwrap();
        let shown: Vec<(usize, Group, f64)> = records.iter().map(|one| (one.round, one.group, one.mrr)).collect();
        let expected =
            [(0, Group::Voted, 0.5), (0, Group::HeldOut, 0.5), (1, Group::Voted, 1.0), (1, Group::HeldOut, 1.0)];
        assert_eq!(shown, expected);
        let answers: Vec<AnswerRecord> = folder.read(file::ANSWERS).unwrap();
        let shown: Vec<(&str, Label)> = answers.iter().map(|one| (one.task.as_str(), one.label)).collect();
        assert_eq!(shown, [("shop-2", Label::Learned), ("shop-1", Label::Learned)]);
    }

    #[test]
    fn control_is_this_program_after_votes_elsewhere() {
        let metrics = |mrr: f64| Metrics { mrr, ..Metrics::default() };
        let round = crate::Round { voted: metrics(0.1), held_out: metrics(0.2) };
        let simulation = Simulation {
            repository: "shop".to_owned(),
            tasks: 5,
            votes: 20,
            rounds: vec![round.clone(), round],
            with_other_votes: metrics(0.5),
            rule: RULE,
        };
        let record = control("knowing", &simulation);
        assert_eq!((record.round, record.group, record.mrr, record.tasks), (1, Group::VotedElsewhere, 0.5, 5));
    }
}
