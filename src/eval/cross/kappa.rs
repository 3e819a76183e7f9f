//! Agreement of two labelers on the relevant symbols of the same tasks: Cohen's kappa, and the list of disagreements.
//!
//! Each symbol of a repository is one decision, relevant or not, so nearly all decisions are agreements on *not
//! relevant*. Kappa then nearly equals the positive agreement, the F1 of one labeling against the other (Hripcsak and
//! Rothschild, 2005), and hardly depends on the number of symbols. Both are reported.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::TaskFile;
use crate::matcher::{Matcher, Name};

/// A second labeling.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Labeling {
    /// Who labeled, from what, and by which protocol.
    pub protocol: String,
    /// Number of symbols of each repository, among which the labeler chose.
    pub symbols: BTreeMap<String, usize>,
    pub tasks: Vec<LabeledTask>,
}

/// The symbols that the second labeler considers relevant to one task.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LabeledTask {
    pub repository: String,
    pub id: String,
    pub ground_truth: Vec<String>,
    /// The reason why no labeling of the task can be certain.
    #[serde(default)]
    pub doubtful: Option<String>,
}

/// Numbers of symbols by the decisions of two labelers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Agreement {
    pub both: usize,
    /// Only the first labeler considers them relevant.
    pub first: usize,
    pub second: usize,
    pub neither: usize,
}

impl Agreement {
    /// Returns Cohen's kappa (*A Coefficient of Agreement for Nominal Scales*, 1960): the agreement beyond chance as a
    /// share of the possible one. `None` if chance alone agrees always.
    pub fn kappa(&self) -> Option<f64> {
        let total = (self.both + self.first + self.second + self.neither) as f64;
        let observed = (self.both + self.neither) as f64 / total;
        let first = (self.both + self.first) as f64 / total;
        let second = (self.both + self.second) as f64 / total;
        let expected = first * second + (1.0 - first) * (1.0 - second);
        (expected < 1.0).then(|| (observed - expected) / (1.0 - expected))
    }

    /// Returns the share of agreed symbols among all that a labeler considers relevant, counted once per labeler. `None`
    /// if neither chose one.
    pub fn positive(&self) -> Option<f64> {
        let chosen = 2 * self.both + self.first + self.second;
        (chosen > 0).then(|| 2.0 * self.both as f64 / chosen as f64)
    }

    fn add(&mut self, other: Agreement) {
        self.both += other.both;
        self.first += other.first;
        self.second += other.second;
        self.neither += other.neither;
    }
}

/// Agreement on one task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TaskAgreement {
    pub repository: String,
    pub id: String,
    pub tier: String,
    pub counts: Agreement,
    /// Symbols that only the first labeler considers relevant.
    pub only_first: Vec<String>,
    pub only_second: Vec<String>,
    pub doubtful: Option<String>,
}

/// Agreement on the tasks with one tier, or on all.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GroupAgreement {
    pub group: String,
    pub tasks: usize,
    pub counts: Agreement,
    pub kappa: Option<f64>,
    pub positive: Option<f64>,
}

/// A labeling that can't be compared with the first one.
#[derive(Debug, thiserror::Error)]
pub enum LabelingError {
    #[error("not a labeling: {0}")]
    Malformed(String),
    #[error("the task {0} is in no task file")]
    UnknownTask(String),
    #[error("`symbols` has no number for {0}, or a smaller one than its labels")]
    NoSymbols(String),
}

impl Labeling {
    /// Parses a labeling in YAML.
    ///
    /// # Errors
    /// When the text is malformed.
    pub fn read(text: &str) -> Result<Labeling, LabelingError> {
        serde_saphyr::from_str(text).map_err(|error| LabelingError::Malformed(error.to_string()))
    }

    /// Compares the labeling with the ground truth of task files, task by task in the order of the labeling.
    ///
    /// # Errors
    /// When a labeled task is in none of the files, or the number of symbols of its repository is unknown.
    pub fn compare(&self, files: &[TaskFile]) -> Result<Vec<TaskAgreement>, LabelingError> {
        let compare = |labeled: &LabeledTask| {
            let LabeledTask { repository, id, ground_truth, doubtful } = labeled;
            let mut tasks = files.iter().filter(|file| file.repository == *repository).flat_map(|file| &file.tasks);
            let task = tasks
                .find(|task| task.id == *id)
                .ok_or_else(|| LabelingError::UnknownTask(format!("{repository}/{id}")))?;
            let (both, only_first, only_second) = matched(&task.ground_truth, ground_truth);
            let chosen = both + only_first.len() + only_second.len();
            let symbols = self.symbols.get(repository).filter(|symbols| **symbols >= chosen);
            let neither = symbols.ok_or_else(|| LabelingError::NoSymbols(repository.clone()))? - chosen;
            let counts = Agreement { both, first: only_first.len(), second: only_second.len(), neither };
            let (repository, id, tier) = (repository.clone(), id.clone(), task.tier.clone());
            Ok(TaskAgreement { repository, id, tier, counts, only_first, only_second, doubtful: doubtful.clone() })
        };
        self.tasks.iter().map(compare).collect()
    }
}

/// Pairs equal names, then names that match strictly, each at most once. Returns the number of pairs and the names of
/// either list without a partner.
fn matched(first: &[String], second: &[String]) -> (usize, Vec<String>, Vec<String>) {
    let (mut first, mut second) = (first.to_vec(), second.to_vec());
    let count = first.len();
    let is_equal = |one: &str, two: &str| one == two;
    let is_strict = |one: &str, two: &str| Matcher::Strict.matches(&Name::new(one), &Name::new(two));
    for rule in [&is_equal as &dyn Fn(&str, &str) -> bool, &is_strict] {
        first.retain(|name| match second.iter().position(|other| rule(name, other)) {
            Some(index) => {
                second.remove(index);
                false
            }
            None => true,
        });
    }
    (count - first.len(), first, second)
}

/// Sums the agreement over all tasks, then over the tasks of each tier, in the order of first appearance.
pub fn by_tier(tasks: &[TaskAgreement]) -> Vec<GroupAgreement> {
    let mut tiers: Vec<&str> = Vec::new();
    for task in tasks {
        if !tiers.contains(&task.tier.as_str()) {
            tiers.push(&task.tier);
        }
    }
    let group = |group: &str, is_member: &dyn Fn(&TaskAgreement) -> bool| {
        let mut counts = Agreement::default();
        let members = tasks.iter().filter(|task| is_member(task)).inspect(|task| counts.add(task.counts)).count();
        let (kappa, positive) = (counts.kappa(), counts.positive());
        GroupAgreement { group: group.to_owned(), tasks: members, counts, kappa, positive }
    };
    let all = group("all", &|_| true);
    let certain = group("all but doubtful", &|task| task.doubtful.is_none());
    let tiers = tiers.into_iter().map(|tier| group(tier, &|task| task.tier == tier));
    [all, certain].into_iter().chain(tiers).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    const FIRST: &str = "tasks:\n\
        - {id: a, tier: easy, task: pay, ground_truth: [Cart.total, charge, Order]}\n\
        - {id: b, tier: commit, task: ship, ground_truth: [send]}\n";
    const SECOND: &str = "protocol: read the code\nsymbols: {shop: 100}\ntasks:\n\
        - {repository: shop, id: a, ground_truth: [shop.charge, Cart, Cart.total]}\n\
        - {repository: shop, id: b, ground_truth: [post], doubtful: two ways to ship}\n";

    fn files() -> Vec<TaskFile> {
        vec![TaskFile::read(Path::new("shop.yaml"), FIRST).unwrap()]
    }

    #[test]
    fn disagreements_are_listed_by_task() {
        let tasks = Labeling::read(SECOND).unwrap().compare(&files()).unwrap();
        assert_eq!(tasks[0].counts, Agreement { both: 2, first: 1, second: 1, neither: 96 });
        assert_eq!(
            (&tasks[0].only_first[..], &tasks[0].only_second[..]),
            (&["Order".into()][..], &["Cart".into()][..])
        );
        let groups = by_tier(&tasks);
        let shown: Vec<_> = groups.iter().map(|group| (group.group.as_str(), group.tasks, group.counts.both)).collect();
        assert_eq!(shown, [("all", 2, 2), ("all but doubtful", 1, 2), ("easy", 1, 2), ("commit", 1, 0)]);
        assert!((groups[1].positive.unwrap() - 2.0 / 3.0).abs() < 1e-12);
        assert!((groups[1].kappa.unwrap() - (0.98 - 0.9418) / (1.0 - 0.9418)).abs() < 1e-12);
    }

    #[test]
    fn a_name_has_one_partner() {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let (both, first, second) = matched(&names(&["total", "Cart.total"]), &names(&["Cart.total", "Cart.total"]));
        assert_eq!((both, first.len(), second.len()), (2, 0, 0));
        let (both, first, second) = matched(&names(&["Cart.total"]), &names(&["total", "Cart.total"]));
        assert_eq!((both, first, second), (1, vec![], names(&["total"])));
    }

    #[test]
    fn unusable_labelings_are_reported() {
        let message = |text: &str| match Labeling::read(text) {
            Ok(labeling) => labeling.compare(&files()).unwrap_err().to_string(),
            Err(error) => error.to_string(),
        };
        assert!(message("tasks: 7").starts_with("not a labeling: "));
        assert!(message(&SECOND.replace("id: b", "id: c")).contains("shop/c"));
        assert!(message(&SECOND.replace("shop: 100", "shop: 2")).contains("shop"));
    }

    #[test]
    fn certain_chance_has_no_kappa() {
        let counts = Agreement { neither: 5, ..Agreement::default() };
        assert_eq!((counts.kappa(), counts.positive()), (None, None));
    }
}
