//! Means of a run's metrics over repositories, kinds and tiers.

use serde::Serialize;

use super::metrics::Metrics;
use super::run::Outcome;
use crate::model::Intent;

/// A set of tasks and their mean metrics. What is `None` was not a condition.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Group {
    pub kind: Option<Intent>,
    pub repository: Option<String>,
    pub tier: Option<String>,
    pub tasks: usize,
    /// Tasks without an answer, which count as zero.
    pub errors: usize,
    pub dotted: Metrics,
    pub strict: Metrics,
}

impl Group {
    /// Members of the group, by their places in `tasks`.
    pub fn members(&self, tasks: &[Outcome]) -> Vec<usize> {
        let is_member = |task: &Outcome| {
            self.kind.is_none_or(|kind| kind == task.kind)
                && self.repository.as_ref().is_none_or(|repository| *repository == task.repository)
                && self.tier.as_ref().is_none_or(|tier| *tier == task.tier)
        };
        (0..tasks.len()).filter(|place| is_member(&tasks[*place])).collect()
    }

    fn of(kind: Option<Intent>, repository: Option<&str>, tier: Option<&str>, tasks: &[Outcome]) -> Group {
        let mut group = Group {
            kind,
            repository: repository.map(str::to_owned),
            tier: tier.map(str::to_owned),
            tasks: 0,
            errors: 0,
            dotted: Metrics::default(),
            strict: Metrics::default(),
        };
        let members = group.members(tasks);
        group.tasks = members.len();
        group.errors = members.iter().filter(|place| tasks[**place].error.is_some()).count();
        group.dotted = Metrics::mean(members.iter().map(|place| tasks[*place].dotted));
        group.strict = Metrics::mean(members.iter().map(|place| tasks[*place].strict));
        group
    }
}

/// The groups of a run: for each kind its repositories and all of it, then the tiers, then everything. Repositories and
/// tiers come in the order of the tasks.
pub fn summary(tasks: &[Outcome]) -> Vec<Group> {
    let mut groups = Vec::new();
    for kind in Intent::ALL {
        let of_kind = || tasks.iter().filter(move |task| task.kind == kind);
        for repository in distinct(of_kind().map(|task| task.repository.as_str())) {
            groups.push(Group::of(Some(kind), Some(repository), None, tasks));
        }
        if of_kind().next().is_some() {
            groups.push(Group::of(Some(kind), None, None, tasks));
        }
    }
    for tier in distinct(tasks.iter().map(|task| task.tier.as_str())) {
        groups.push(Group::of(None, None, Some(tier), tasks));
    }
    groups.push(Group::of(None, None, None, tasks));
    groups
}

/// Each name once, in the order of first appearance.
fn distinct<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut seen = Vec::new();
    for name in names {
        if !seen.contains(&name) {
            seen.push(name);
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::run::tests::outcome;

    #[test]
    fn groups_hold_their_tasks_and_errors_count_as_zero() {
        let mut tasks = vec![outcome("shop", "1", 1.0), outcome("shop", "2", 0.0), outcome("till", "3", 0.5)];
        tasks[1].error = Some("gone".to_owned());
        tasks[2].kind = Intent::Locate;
        tasks[2].tier = "commit".to_owned();
        let groups = summary(&tasks);
        let shown = groups.iter().map(|group| {
            let condition = group.repository.as_deref().or(group.tier.as_deref()).unwrap_or("-");
            (condition, group.tasks, group.errors, group.strict.mrr)
        });
        assert_eq!(
            shown.collect::<Vec<_>>(),
            [
                ("shop", 2, 1, 0.5),
                ("-", 2, 1, 0.5),
                ("till", 1, 0, 0.5),
                ("-", 1, 0, 0.5),
                ("easy", 2, 1, 0.5),
                ("commit", 1, 0, 0.5),
                ("-", 3, 1, 0.5),
            ]
        );
        assert_eq!(groups[2].members(&tasks), [2]);
    }
}
