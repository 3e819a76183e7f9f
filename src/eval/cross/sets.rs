//! Task sets: tasks of several kinds with their relevant symbols, and a stratified sample of them.

use std::collections::HashMap;

use super::score::Gold;
use crate::model::Intent;
use crate::text::split_identifier;
use crate::training::{DataSet, GoldSymbol, TrainingTask, TrainingTasks};

/// A task of the benchmark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CrossTask {
    /// The name of its set.
    pub set: &'static str,
    pub repository: String,
    pub id: String,
    /// `explore`, `locate` or `issue`.
    pub kind: &'static str,
    /// The author's, or empty.
    pub tier: String,
    /// The text, verbatim.
    pub text: String,
    pub gold: Vec<Gold>,
}

/// Questions, answered by an expert.
const ORIENTATION: &str = "orientation";
/// Messages of commits.
const LOCALIZATION: &str = "localization";
/// Issues.
const ISSUES: &str = "issues";
/// Messages of the commits of training repositories.
const COMMITS: &str = "commits";
/// Questions made from documentation.
const DOCUMENTS: &str = "documents";
/// The names of all sets.
pub const SETS: [&str; 5] = [ORIENTATION, LOCALIZATION, ISSUES, COMMITS, DOCUMENTS];

/// Converts the tasks of a file. `tiers` are the tiers of YAML tasks by id.
pub fn tasks(file: TrainingTasks, tier: impl Fn(&str) -> String) -> Vec<CrossTask> {
    let TrainingTasks { set, repository, tasks, .. } = file;
    let kind = |intent: Intent| match (set, intent) {
        (DataSet::Issues, _) => (ISSUES, "issue"),
        (DataSet::Commits, _) => (COMMITS, "locate"),
        (DataSet::Documents, _) => (DOCUMENTS, "explore"),
        (DataSet::Development, Intent::Locate) => (LOCALIZATION, "locate"),
        (DataSet::Development, Intent::Explore) => (ORIENTATION, "explore"),
    };
    let task = |task: TrainingTask| {
        let (set, kind) = kind(task.intent);
        let gold = |gold: GoldSymbol| Gold { file: gold.file, symbol: gold.symbol };
        let gold: Vec<Gold> = task.ground_truth.into_iter().map(gold).collect();
        let own = tier(&task.id);
        CrossTask {
            set,
            kind,
            repository: repository.clone(),
            tier: match own.as_str() {
                "" | "commit" => named_tier(&task.task, &gold).to_owned(),
                _ => own,
            },
            id: task.id,
            text: task.task,
            gold,
        }
    };
    tasks.into_iter().map(task).collect()
}

/// Returns whether a text contains the name of a relevant file or symbol.
fn named_tier(text: &str, gold: &[Gold]) -> &'static str {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let has_word = |word: &str| {
        text.match_indices(word)
            .any(|(at, _)| !text[..at].ends_with(is_word) && !text[at + word.len()..].starts_with(is_word))
    };
    // A plain English word that is also a symbol's name does not name it.
    let is_distinctive = |name: &str| split_identifier(name).len() > 1 || name.contains('_');
    let names_symbol = |gold: &Gold| {
        let last = gold.symbol.rsplit('.').next().unwrap_or(&gold.symbol);
        has_word(&gold.symbol) && gold.symbol.contains('.') || is_distinctive(last) && has_word(last)
    };
    let names_file = |gold: &Gold| gold.file.as_deref().and_then(|path| path.rsplit('/').next()).is_some_and(has_word);
    match () {
        () if gold.iter().any(names_file) => "names_file",
        () if gold.iter().any(names_symbol) => "names_symbol",
        () => "names_neither",
    }
}

/// Returns at most `count` tasks of each set, as evenly over its repositories as they allow. The choice depends on the
/// ids alone, so that it is the same everywhere; the order is kept.
pub fn sample(tasks: Vec<CrossTask>, count: usize) -> Vec<CrossTask> {
    let mut order: Vec<usize> = (0..tasks.len()).collect();
    order.sort_by_key(|index| *blake3::hash(tasks[*index].id.as_bytes()).as_bytes());
    // The n-th task of its repository in that order: the first ones of all repositories come before the second ones.
    let mut seen: HashMap<(&str, &str), usize> = HashMap::new();
    let mut ranked: Vec<(usize, usize)> = Vec::with_capacity(order.len());
    for index in order {
        let number = seen.entry((tasks[index].set, tasks[index].repository.as_str())).or_default();
        ranked.push((*number, index));
        *number += 1;
    }
    ranked.sort_by_key(|(number, _)| *number);
    let mut taken: HashMap<&str, usize> = HashMap::new();
    let mut is_chosen = vec![false; tasks.len()];
    for (_, index) in ranked {
        let taken = taken.entry(tasks[index].set).or_default();
        if *taken < count {
            *taken += 1;
            is_chosen[index] = true;
        }
    }
    tasks.into_iter().zip(is_chosen).filter(|(_, is_chosen)| *is_chosen).map(|(task, _)| task).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gold(file: Option<&str>, symbol: &str) -> Gold {
        Gold { file: file.map(str::to_owned), symbol: symbol.to_owned() }
    }

    #[test]
    fn tier_tells_whether_the_text_names_what_is_relevant() {
        let tier = |text: &str| named_tier(text, &[gold(Some("shop/cart.py"), "Cart.add_item")]);
        assert_eq!(tier("crash in cart.py on load"), "names_file");
        assert_eq!(tier("add_item drops the price"), "names_symbol");
        assert_eq!(tier("call Cart.add_item twice"), "names_symbol");
        assert_eq!(tier("the cart forgets an item"), "names_neither");
        assert_eq!(named_tier("redirect to login", &[gold(None, "redirect")]), "names_neither");
    }

    #[test]
    fn sample_is_even_over_repositories_and_keeps_the_order() {
        let task = |repository: &str, id: usize| CrossTask {
            set: ORIENTATION,
            repository: repository.to_owned(),
            id: format!("{repository}-{id}"),
            kind: "explore",
            tier: String::new(),
            text: "pay".to_owned(),
            gold: vec![gold(None, "pay")],
        };
        let all: Vec<CrossTask> = (0..10).map(|id| task("shop", id)).chain([task("till", 0)]).collect();
        let chosen = sample(all.clone(), 3);
        assert_eq!(chosen.iter().filter(|task| task.repository == "shop").count(), 2);
        assert_eq!(chosen.last().unwrap().repository, "till");
        assert_eq!(sample(all, 3), chosen);
    }
}
