//! The learning curve of this program: quality after rounds of feedback, on the tasks with votes, on the others of the
//! same repository, and on tasks of a repository after votes in other ones only.

use super::record::{Group, LearningRecord};
use crate::eval::metrics::Metrics;
use crate::eval::simulate::Simulation;

/// Returns the records of a simulation for a system's name.
pub fn records(system: &str, simulation: &Simulation) -> Vec<LearningRecord> {
    let record = |round: usize, group: Group, metrics: Metrics| LearningRecord {
        system: system.to_owned(),
        repository: simulation.repository.clone(),
        round,
        group,
        ndcg10: metrics.ndcg10,
        mrr: metrics.mrr,
        tasks: simulation.tasks,
    };
    let rounds = simulation.rounds.iter().enumerate().flat_map(|(round, measured)| {
        [record(round, Group::Voted, measured.voted), record(round, Group::HeldOut, measured.held_out)]
    });
    let last = simulation.rounds.len().saturating_sub(1);
    rounds.chain([record(last, Group::VotedElsewhere, simulation.with_other_votes)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{Matcher, Round};

    #[test]
    fn each_round_has_both_groups_and_the_last_one_the_control() {
        let metrics = |mrr: f64| Metrics { mrr, ..Metrics::default() };
        let round = |voted, held_out| Round { voted: metrics(voted), held_out: metrics(held_out) };
        let simulation = Simulation {
            repository: "shop".to_owned(),
            tasks: 5,
            votes: 20,
            rounds: vec![round(0.1, 0.2), round(0.3, 0.4)],
            with_other_votes: metrics(0.5),
            rule: Matcher::Dotted,
        };
        let all = records("knowing", &simulation);
        let shown: Vec<(usize, Group, f64)> = all.iter().map(|one| (one.round, one.group, one.mrr)).collect();
        let expected = [
            (0, Group::Voted, 0.1),
            (0, Group::HeldOut, 0.2),
            (1, Group::Voted, 0.3),
            (1, Group::HeldOut, 0.4),
            (1, Group::VotedElsewhere, 0.5),
        ];
        assert_eq!(shown, expected);
    }
}
