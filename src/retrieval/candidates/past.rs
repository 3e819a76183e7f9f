//! Symbols that past commits with messages like the task changed.

use std::collections::{HashMap, HashSet};

use rayon::prelude::*;

use super::Graph;
use super::lexical::Term;
use super::select::is_candidate;
use crate::model::{FileId, NodeId};
use crate::rank::tuning;
use crate::store::{Reader, StoreError};
use crate::text::terms::terms;

/// The evidence of past commits for a symbol.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PastChange {
    /// Likeness of the best commits that changed it, from 0 to about 1: a commit of many symbols says little of each.
    pub value: f64,
    /// Number of commits like the task that changed it.
    pub commits: usize,
}

/// Returns the symbols that the commits most like the task changed. Empty without a history.
///
/// # Errors
/// When the store can't be read.
pub fn past_changes(reader: &Reader, graph: &Graph, query: &[Term]) -> Result<HashMap<NodeId, PastChange>, StoreError> {
    let alike = alike(&reader.commit_subjects(tuning::PAST_COMMITS)?, query);
    let mut changed: HashMap<i64, Vec<NodeId>> = HashMap::new();
    let mut known: HashSet<FileId> = HashSet::new();
    for (commit, _) in &alike {
        for file in reader.files_of_commit(*commit)? {
            if known.insert(file) {
                let of_file = reader.commits_of_file(file, u64::BITS as usize)?;
                for (node, bits) in reader.own_commits_of_file(file)? {
                    let commits = of_file.iter().enumerate().filter(|(at, _)| bits >> at & 1 == 1);
                    commits.for_each(|(_, commit)| changed.entry(*commit).or_default().push(node));
                }
            }
        }
    }
    let mut found: HashMap<NodeId, PastChange> = HashMap::new();
    // The best first, so that each symbol has its best commits.
    for (commit, likeness) in alike {
        let Some(nodes) = changed.get(&commit) else { continue };
        let value = likeness * likeness / (nodes.len() as f64).sqrt();
        for node in nodes.iter().filter(|node| is_candidate(graph, **node)) {
            let past = found.entry(*node).or_default();
            if past.commits < tuning::PAST_OF_SYMBOL {
                *past = PastChange { value: past.value + value, commits: past.commits + 1 };
            }
        }
    }
    Ok(found)
}

/// Returns the symbols with the best values, which are candidates.
pub fn best(graph: &Graph, past: &HashMap<NodeId, PastChange>) -> Vec<NodeId> {
    let mut best: Vec<NodeId> = past.keys().copied().collect();
    let tie = |node: NodeId| (graph.id_prefix(node), node);
    best.sort_by(|one, two| past[two].value.total_cmp(&past[one].value).then_with(|| tie(*one).cmp(&tie(*two))));
    best.truncate(tuning::PAST_CANDIDATES);
    best
}

/// Returns the commits whose subjects are most like the query with the cosine of their terms, best first.
fn alike(subjects: &[(i64, String)], query: &[Term]) -> Vec<(i64, f64)> {
    let numbers: HashMap<&str, usize> = query.iter().enumerate().map(|(at, term)| (term.text.as_str(), at)).collect();
    let bags: Vec<Vec<String>> = (subjects.par_iter())
        .map(|(_, subject)| {
            let mut bag = terms(subject);
            bag.sort_unstable();
            bag.dedup();
            bag
        })
        .collect();
    let mut counts: HashMap<&str, usize> = HashMap::new();
    bags.iter().flatten().for_each(|term| *counts.entry(term).or_default() += 1);
    let idf = |term: &str| (subjects.len() as f64 / counts.get(term).copied().unwrap_or(1) as f64).ln_1p();
    let weights: Vec<f64> = query.iter().map(|term| term.weight * idf(&term.text)).collect();
    let norm = weights.iter().map(|weight| weight * weight).sum::<f64>().sqrt();
    let mut alike: Vec<(usize, f64)> = (bags.par_iter().enumerate())
        .filter_map(|(at, bag)| {
            let common = bag.iter().filter_map(|term| Some(weights[*numbers.get(term.as_str())?] * idf(term)));
            let product: f64 = common.sum();
            let length = bag.iter().map(|term| idf(term).powi(2)).sum::<f64>().sqrt();
            (product > 0.0).then(|| (at, product / (norm * length)))
        })
        .collect();
    alike.sort_by(|one, two| two.1.total_cmp(&one.1).then(one.0.cmp(&two.0)));
    alike.truncate(tuning::PAST_ALIKE);
    alike.into_iter().map(|(at, likeness)| (subjects[at].0, likeness)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::Part;

    #[test]
    fn commits_with_the_rarer_words_of_the_task_are_the_most_alike() {
        let subjects = ["Open the till", "Count the till's surcharge", "Open the door", "Paint it"];
        let subjects: Vec<(i64, String)> = (7..).zip(subjects.map(str::to_owned)).collect();
        let term = |text: &str| Term { text: text.to_owned(), weight: 1.0, part: Part::Subject, symbols: 1 };
        let found = alike(&subjects, &["till", "surcharg"].map(term));
        assert_eq!(found.iter().map(|(commit, _)| *commit).collect::<Vec<i64>>(), [8, 7]);
        assert!(found[0].1 > found[1].1 && found[0].1 <= 1.0);
        assert!(alike(&subjects, &[term("zeppelin")]).is_empty() && alike(&[], &[term("till")]).is_empty());
    }
}
