//! Metrics of a task's ranking, by the set that the task is from.

use std::cmp::Ordering;

use crate::model::Intent;
use crate::training::{DataSet, Sample};

/// Maximum number of metrics of a suite.
pub const MAX_METRICS: usize = 5;
/// One value for each metric of a suite; the others are 0.
pub type Measures = [f64; MAX_METRICS];

/// The tasks that are measured alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Suite {
    /// Commit messages of the training data.
    Commits,
    /// Issues: the published metric counts a task at k if all of its ground truth is among the first k.
    Issues,
    /// Development tasks with the intent `locate`.
    Locate,
    /// Development tasks with the intent `explore`.
    Explore,
    /// Questions made from documentation.
    Documents,
}

impl Suite {
    /// All suites.
    pub const ALL: [Suite; 5] = [Suite::Commits, Suite::Issues, Suite::Locate, Suite::Explore, Suite::Documents];

    /// Returns the suite of a sample.
    pub fn from_sample(sample: &Sample) -> Suite {
        match (sample.set, sample.intent) {
            (DataSet::Commits, _) => Suite::Commits,
            (DataSet::Issues, _) => Suite::Issues,
            (DataSet::Development, Intent::Locate) => Suite::Locate,
            (DataSet::Development, Intent::Explore) => Suite::Explore,
            (DataSet::Documents, _) => Suite::Documents,
        }
    }

    /// Returns the name used in output.
    pub fn name(self) -> &'static str {
        match self {
            Suite::Commits => "commits",
            Suite::Issues => "issues",
            Suite::Locate => "locate",
            Suite::Explore => "explore",
            Suite::Documents => "documents",
        }
    }

    /// Returns the names of the metrics. `functions@k` and `files@k` are the shares of tasks with all functions, or all
    /// files, of the ground truth among the first k; `candidates` is the share of the ground truth that is a candidate.
    pub fn metrics(self) -> &'static [&'static str] {
        match self {
            Suite::Commits | Suite::Locate => &["strict R@10", "strict MRR"],
            Suite::Issues => &["functions@1", "functions@5", "functions@10", "files@5", "MRR"],
            Suite::Explore | Suite::Documents => &["strict R@10", "strict MRR", "dotted P@10", "candidates"],
        }
    }

    /// Measures the ranking of a sample's candidates by `scores`.
    pub fn measure(self, sample: &Sample, scores: &[f64]) -> Measures {
        let ranking = ranking(scores);
        match self {
            Suite::Commits | Suite::Locate => [recall(sample, &ranking), reciprocal(sample, &ranking), 0.0, 0.0, 0.0],
            Suite::Explore | Suite::Documents => {
                let is_dotted = |candidate: &&usize| sample.dotted.iter().any(|(matched, _)| matched == *candidate);
                let dotted = ranking.iter().take(DEPTH).filter(is_dotted).count() as f64 / DEPTH as f64;
                let candidates = share_found(sample, ranking.iter().copied());
                [recall(sample, &ranking), reciprocal(sample, &ranking), dotted, candidates, 0.0]
            }
            Suite::Issues => issue(sample, &ranking),
        }
    }
}

/// The causes of lost recall, in the order in which they are looked for.
pub const LOSSES: [&str; 6] = ["no candidate", "its type", "its file", "a neighbor", "another", "elsewhere"];

/// Returns the share of the ground truth that is not among the first ten, by cause: it is not a candidate, or its type, file,
/// neighbor in the graph, or another relevant symbol is among them.
pub fn losses(sample: &Sample, scores: &[f64]) -> [f64; LOSSES.len()] {
    let ranking = ranking(scores);
    let first = &ranking[..ranking.len().min(DEPTH)];
    let mut losses = [0.0; LOSSES.len()];
    let is_found = |entry: usize| sample.strict.iter().any(|(one, of)| *of == entry && first.contains(one));
    let any_found = (0..sample.gold).any(is_found);
    let same = |one: usize, part: usize| {
        let place = |of: usize| sample.places.get(of).map(|place| place[part]).filter(|number| *number != u32::MAX);
        place(one).is_some() && first.iter().any(|other| place(*other) == place(one))
    };
    for entry in (0..sample.gold).filter(|entry| !is_found(*entry)) {
        let of_entry = || sample.strict.iter().enumerate().filter(|(_, (_, of))| *of == entry);
        let any = |has: &dyn Fn(usize, usize) -> bool| of_entry().any(|(pair, (one, _))| has(pair, *one));
        let is_near = |pair: usize, _: usize| {
            sample.neighbors.get(pair).is_some_and(|near| near.iter().any(|other| first.contains(other)))
        };
        let cause = match () {
            () if of_entry().next().is_none() => 0,
            () if any(&|_, one| same(one, 1)) => 1,
            () if any(&|_, one| same(one, 0)) => 2,
            () if any(&is_near) => 3,
            () if any_found => 4,
            () => 5,
        };
        losses[cause] += 1.0 / sample.gold as f64;
    }
    losses
}

/// Number of results that recall and precision consider.
const DEPTH: usize = 10;

/// Returns the candidates, best first. Ties are in the order of the candidates.
fn ranking(scores: &[f64]) -> Vec<usize> {
    let mut ranking: Vec<usize> = (0..scores.len()).collect();
    let better = |one: &usize, other: &usize| -> Ordering { scores[*other].total_cmp(&scores[*one]) };
    ranking.sort_by(better);
    ranking
}

/// Returns the entries of the ground truth that a candidate matches.
fn entries(sample: &Sample, candidate: usize) -> impl Iterator<Item = usize> {
    let of_candidate = sample.strict.iter().filter(move |(matched, _)| *matched == candidate);
    of_candidate.map(|(_, entry)| *entry)
}

fn recall(sample: &Sample, ranking: &[usize]) -> f64 {
    share_found(sample, ranking.iter().take(DEPTH).copied())
}

/// Returns the share of the ground truth that some of `candidates` match.
fn share_found(sample: &Sample, candidates: impl Iterator<Item = usize>) -> f64 {
    let mut is_found = vec![false; sample.gold];
    candidates.flat_map(|candidate| entries(sample, candidate)).for_each(|entry| is_found[entry] = true);
    is_found.iter().filter(|is_found| **is_found).count() as f64 / sample.gold as f64
}

fn reciprocal(sample: &Sample, ranking: &[usize]) -> f64 {
    let first = ranking.iter().position(|candidate| entries(sample, *candidate).next().is_some());
    first.map_or(0.0, |index| 1.0 / (index + 1) as f64)
}

fn issue(sample: &Sample, ranking: &[usize]) -> Measures {
    let (mut files, mut functions) = (Vec::new(), Vec::new());
    for candidate in ranking {
        files.extend(sample.files[*candidate].filter(|file| !files.contains(file)));
        functions.extend(sample.functions[*candidate].filter(|function| !functions.contains(function)));
    }
    // Candidates that are the same function match the same entries.
    let same = |function: &u32| sample.functions.iter().position(|other| other.as_ref() == Some(function));
    let counted: Vec<usize> = functions.iter().filter_map(same).collect();
    let all_at = |depth: usize| f64::from(u8::from(share_found(sample, counted.iter().take(depth).copied()) == 1.0));
    let first_files = &files[..files.len().min(5)];
    let has_files = sample.gold_files.iter().all(|file| file.is_some_and(|file| first_files.contains(&file)));
    [all_at(1), all_at(5), all_at(10), f64::from(u8::from(has_files)), reciprocal(sample, &counted)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training::tests::sample;

    #[test]
    fn what_is_lost_has_one_cause() {
        // Twelve candidates by rank: the last two are relevant, and so is one that is not a candidate.
        let scores: Vec<f64> = (0..12).map(|rank| -f64::from(rank)).collect();
        let mut task = sample("shop", "a", &[0.0; 12], &[10, 11]);
        task.gold = 4;
        let shares = |task: &Sample| losses(task, &scores).map(|share| share * 4.0);
        assert_eq!(shares(&task), [2.0, 0.0, 0.0, 0.0, 0.0, 2.0]);
        task.places = (0..12).map(|number| [number, number, number]).collect();
        task.places[10][1] = 3;
        task.places[11] = [4, u32::MAX, 11];
        assert_eq!(shares(&task), [2.0, 1.0, 1.0, 0.0, 0.0, 0.0]);
        task.places[11] = [11, u32::MAX, 11];
        task.neighbors = vec![vec![], vec![9]];
        assert_eq!(shares(&task), [2.0, 1.0, 0.0, 1.0, 0.0, 0.0]);
        task.neighbors = vec![vec![], vec![10]];
        task.strict.push((0, 2));
        assert_eq!(shares(&task), [1.0, 1.0, 0.0, 0.0, 1.0, 0.0]);
    }

    #[test]
    fn recall_counts_entries_and_missing_ones() {
        // Entries 0 and 1 are candidates 0 and 11, entry 2 is none; candidate 1 matches entry 0 too.
        let mut task = sample("shop", "a", &[0.0; 12], &[0, 11]);
        (task.gold, task.strict) = (3, vec![(0, 0), (1, 0), (11, 1)]);
        let ascending: Vec<f64> = (0..12).map(f64::from).collect();
        assert_eq!(Suite::Commits.measure(&task, &ascending)[..2], [1.0 / 3.0, 1.0]);
        let equal = [0.0; 12];
        assert_eq!(Suite::Commits.measure(&task, &equal)[..2], [1.0 / 3.0, 1.0]);
        let mut late = [0.0; 12];
        (late[0], late[1], late[11]) = (-1.0, -1.0, -0.5);
        assert_eq!(Suite::Locate.measure(&task, &late)[..2], [1.0 / 3.0, 0.1]);
        assert_eq!(Suite::Commits.measure(&sample("shop", "a", &[], &[]), &[])[..2], [0.0, 0.0]);
    }

    #[test]
    fn precision_counts_dotted_matches() {
        let mut task = sample("shop", "a", &[0.0; 12], &[1]);
        (task.set, task.intent, task.dotted) = (DataSet::Development, Intent::Explore, vec![(0, 0), (1, 0), (11, 0)]);
        assert_eq!(Suite::from_sample(&task), Suite::Explore);
        assert_eq!(Suite::Explore.measure(&task, &[0.0; 12])[..3], [1.0, 0.5, 0.2]);
    }

    #[test]
    fn issues_need_all_functions_and_files() {
        let mut task = sample("shop", "a", &[0.0; 5], &[1, 3]);
        task.set = DataSet::Issues;
        // The first candidate is a test; the second and third are a class and its constructor.
        task.files = vec![None, Some(0), Some(0), Some(1), Some(2)];
        task.functions = vec![None, Some(0), Some(0), Some(1), Some(2)];
        task.strict = vec![(1, 0), (2, 0), (3, 1)];
        task.gold_files = vec![Some(0), Some(1)];
        assert_eq!(Suite::Issues.measure(&task, &[0.0; 5]), [0.0, 1.0, 1.0, 1.0, 1.0]);
        assert_eq!(Suite::Issues.measure(&task, &[0.0, 0.0, 0.0, 0.0, 1.0])[4], 0.5);
        task.gold_files = vec![Some(0), None];
        assert_eq!(Suite::Issues.measure(&task, &[0.0; 5])[3], 0.0);
        (task.gold, task.strict) = (1, vec![(1, 0), (2, 0)]);
        assert_eq!(Suite::Issues.measure(&task, &[0.0; 5])[..2], [1.0, 1.0]);
    }
}
