//! Means of a run's metrics over repositories, intents and tiers.

use serde::Serialize;

use super::metrics::Metrics;
use super::run::TaskResult;
use crate::model::Intent;

/// A set of tasks with their mean metrics. Intent, repository and tier select the tasks; `None` selects all.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Group {
    pub intent: Option<Intent>,
    pub repository: Option<String>,
    pub tier: Option<String>,
    pub tasks: usize,
    /// Tasks that could not be ranked. They count as zero.
    pub errors: usize,
    pub dotted: Metrics,
    pub strict: Metrics,
}

impl Group {
    /// Returns the indexes in `tasks` of the group's members.
    pub fn members(&self, tasks: &[TaskResult]) -> Vec<usize> {
        let is_member = |task: &TaskResult| {
            self.intent.is_none_or(|intent| intent == task.intent)
                && self.repository.as_ref().is_none_or(|repository| *repository == task.repository)
                && self.tier.as_ref().is_none_or(|tier| *tier == task.tier)
        };
        (0..tasks.len()).filter(|index| is_member(&tasks[*index])).collect()
    }

    fn new(intent: Option<Intent>, repository: Option<&str>, tier: Option<&str>, tasks: &[TaskResult]) -> Group {
        let mut group = Group {
            intent,
            repository: repository.map(str::to_owned),
            tier: tier.map(str::to_owned),
            tasks: 0,
            errors: 0,
            dotted: Metrics::default(),
            strict: Metrics::default(),
        };
        let members = group.members(tasks);
        group.tasks = members.len();
        group.errors = members.iter().filter(|index| tasks[**index].error.is_some()).count();
        group.dotted = Metrics::mean(members.iter().map(|index| tasks[*index].dotted));
        group.strict = Metrics::mean(members.iter().map(|index| tasks[*index].strict));
        group
    }
}

/// Returns the groups of a run: for each intent its repositories and their total, then the tiers, then all tasks.
/// Repositories and tiers are in the order of the tasks.
pub fn summary(tasks: &[TaskResult]) -> Vec<Group> {
    let mut groups = Vec::new();
    for intent in Intent::ALL {
        let with_intent = || tasks.iter().filter(move |task| task.intent == intent);
        for repository in distinct(with_intent().map(|task| task.repository.as_str())) {
            groups.push(Group::new(Some(intent), Some(repository), None, tasks));
        }
        if with_intent().next().is_some() {
            groups.push(Group::new(Some(intent), None, None, tasks));
        }
    }
    for tier in distinct(tasks.iter().map(|task| task.tier.as_str())) {
        groups.push(Group::new(None, None, Some(tier), tasks));
    }
    groups.push(Group::new(None, None, None, tasks));
    groups
}

/// Returns each name once, in the order of first appearance.
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
    use crate::run::tests::result;

    #[test]
    fn groups_have_their_tasks_and_errors_count_as_zero() {
        let mut tasks = vec![result("shop", "1", 1.0), result("shop", "2", 0.0), result("till", "3", 0.5)];
        tasks[1].error = Some("gone".to_owned());
        tasks[2].intent = Intent::Locate;
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
