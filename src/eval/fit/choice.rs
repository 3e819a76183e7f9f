//! The choice of training rows: which tasks, and which of their candidates.
//!
//! A task has all its relevant candidates, the best by words, and a random sample of the others. Each of the sample
//! represents several candidates, so the logarithm of their number is added to its score (sampled softmax; Jean et al.,
//! 2015). Without this correction the fit loses a third of its gain.

use std::collections::BTreeMap;

use super::data::{Data, seed};
use crate::model::Intent;
use crate::random::SplitMix64;
use crate::training::{DataSet, Sample};

/// Maximum number of relevant candidates of a task. A change of more is not about what its message says.
const MAX_RELEVANT: usize = 25;
/// Number of candidates that are chosen by words.
const BEST: usize = 80;
/// Number of candidates that are chosen at random.
const RANDOM: usize = 80;
/// Label of a candidate that matches by the dotted rule only, in an explore task.
const DOTTED_LABEL: f64 = 0.45;
/// The same in a question from documentation, whose ground truth has a type and those of its members that matter.
const DOCUMENT_DOTTED_LABEL: f64 = 0.1;

/// The training rows of one task.
#[derive(Debug, Clone, PartialEq)]
pub struct Chosen {
    /// Index of the sample.
    pub sample: usize,
    /// Indexes of the candidates, ascending.
    pub candidates: Vec<usize>,
    /// For each candidate, the addition to its score.
    pub corrections: Vec<f64>,
    /// For each candidate, its share of the relevance.
    pub targets: Vec<f64>,
    pub weight: f64,
}

/// Returns the rows for the intent `locate`.
pub fn locate_tasks(data: &Data) -> Vec<Chosen> {
    let mut groups: BTreeMap<(DataSet, &str), Vec<usize>> = BTreeMap::new();
    for (index, sample) in data.samples.iter().enumerate().filter(|(_, sample)| sample.intent == Intent::Locate) {
        let relevant = labels(sample).iter().filter(|label| **label > 0.0).count();
        if (1..=MAX_RELEVANT).contains(&relevant) {
            groups.entry((sample.set, &sample.project)).or_default().push(index);
        }
    }
    let mut chosen = Vec::new();
    for members in groups.into_values() {
        let weight = 1.0 / (members.len() as f64).sqrt();
        chosen.extend(members.into_iter().map(|index| sampled(data, index, weight)));
    }
    chosen
}

/// Returns the rows for the intent `explore`. There are few development tasks, so all their candidates are rows, and each
/// weighs 1. The questions from documentation are chosen as those of `locate`; a group of them weighs as one task.
pub fn explore_tasks(data: &Data, document_weight: f64) -> Vec<Chosen> {
    let tasks = data.samples.iter().enumerate().filter(|(_, sample)| sample.intent == Intent::Explore);
    let relevant = tasks.filter(|(_, sample)| labels(sample).iter().any(|label| *label > 0.0));
    let (documents, others): (Vec<_>, Vec<_>) = relevant.partition(|(_, sample)| sample.set == DataSet::Documents);
    let whole = others.into_iter().map(|(index, sample)| Chosen {
        sample: index,
        candidates: (0..sample.candidates).collect(),
        corrections: vec![0.0; sample.candidates],
        targets: shares(&labels(sample)),
        weight: 1.0,
    });
    let mut chosen: Vec<Chosen> = whole.collect();
    let mut projects: BTreeMap<&str, Vec<(usize, &Sample)>> = BTreeMap::new();
    for (index, sample) in documents.into_iter().filter(|(_, sample)| sample.strict.len() <= MAX_RELEVANT) {
        projects.entry(&sample.project).or_default().push((index, sample));
    }
    for members in projects.into_values() {
        let mut groups: BTreeMap<&str, f64> = BTreeMap::new();
        members.iter().for_each(|(_, sample)| *groups.entry(sample.group()).or_default() += 1.0);
        let of_group = document_weight / (groups.len() as f64).sqrt();
        chosen.extend(members.iter().map(|(index, sample)| sampled(data, *index, of_group / groups[sample.group()])));
    }
    chosen
}

/// Returns the relevance of each candidate, from 0 to 1.
pub fn labels(sample: &Sample) -> Vec<f64> {
    let mut labels = vec![0.0; sample.candidates];
    if sample.intent == Intent::Explore {
        let dotted = if sample.set == DataSet::Documents { DOCUMENT_DOTTED_LABEL } else { DOTTED_LABEL };
        sample.dotted.iter().for_each(|(candidate, _)| labels[*candidate] = dotted);
    }
    sample.strict.iter().for_each(|(candidate, _)| labels[*candidate] = 1.0);
    labels
}

/// Divides labels by their sum.
fn shares(labels: &[f64]) -> Vec<f64> {
    let sum: f64 = labels.iter().sum();
    labels.iter().map(|label| label / sum).collect()
}

fn sampled(data: &Data, index: usize, weight: f64) -> Chosen {
    let sample = &data.samples[index];
    let labels = labels(sample);
    let lexical = sample.column(data.lexical);
    let mut by_words: Vec<usize> = (0..sample.candidates).collect();
    by_words.sort_by(|one, other| lexical[*other].total_cmp(&lexical[*one]));
    let mut is_kept: Vec<bool> = labels.iter().map(|label| *label > 0.0).collect();
    by_words.iter().take(BEST).for_each(|candidate| is_kept[*candidate] = true);
    let others: Vec<usize> = (0..sample.candidates).filter(|candidate| !is_kept[*candidate]).collect();
    let represented = others.len();
    let drawn = SplitMix64(seed(sample)).choose(others, RANDOM);
    let mut corrections = vec![0.0; sample.candidates];
    for candidate in &drawn {
        is_kept[*candidate] = true;
        corrections[*candidate] = libm::log(represented as f64 / drawn.len() as f64);
    }
    let candidates: Vec<usize> = (0..sample.candidates).filter(|candidate| is_kept[*candidate]).collect();
    let targets = shares(&labels);
    Chosen {
        sample: index,
        corrections: candidates.iter().map(|candidate| corrections[*candidate]).collect(),
        targets: candidates.iter().map(|candidate| targets[*candidate]).collect(),
        candidates,
        weight,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training::FeatureFile;
    use crate::training::tests::sample;

    fn data(samples: Vec<Sample>) -> Data {
        Data::new(vec![("one".to_owned(), FeatureFile { features: vec!["lexical".to_owned()], samples })]).unwrap()
    }

    #[test]
    fn relevant_best_and_some_others_are_rows() {
        // The relevant candidate is the worst by words.
        let values: Vec<f32> = (0..300).map(|rank| 1.0 - rank as f32 / 300.0).collect();
        let data = data(vec![sample("shop", "a", &values, &[299])]);
        let [chosen] = &locate_tasks(&data)[..] else { panic!() };
        assert_eq!(chosen.candidates.len(), 1 + BEST + RANDOM);
        assert_eq!(
            (&chosen.candidates[..BEST], chosen.candidates[BEST + RANDOM]),
            (&(0..80).collect::<Vec<_>>()[..], 299)
        );
        assert_eq!((chosen.targets[BEST + RANDOM], chosen.targets.iter().sum::<f64>()), (1.0, 1.0));
        let correction = (219.0f64 / 80.0).ln();
        assert!((chosen.corrections[BEST] - correction).abs() < 1e-12);
        assert_eq!((chosen.corrections[0], chosen.corrections[BEST + RANDOM]), (0.0, 0.0));
    }

    #[test]
    fn tasks_weigh_less_the_more_their_repository_has() {
        let of = |name: &str, count: usize| {
            (0..count).map(|id| sample(name, &id.to_string(), &[0.5, 0.0], &[0])).collect::<Vec<_>>()
        };
        let mut samples = [of("shop", 70), of("till", 4)].concat();
        samples.push(sample("till", "nothing", &[0.5], &[]));
        samples.push(sample("till", "sweep", &[0.5; 30], &(0..26).collect::<Vec<_>>()));
        let mut issue = sample("till", "issue", &[0.5], &[0]);
        issue.set = DataSet::Issues;
        samples.push(issue);
        let chosen = locate_tasks(&data(samples));
        let weights: Vec<f64> = chosen.iter().map(|chosen| chosen.weight).collect();
        assert_eq!(weights.len(), 70 + 4 + 1);
        assert_eq!(weights[0], 1.0 / 70f64.sqrt());
        assert_eq!((weights[70], weights[74]), (0.5, 1.0));
    }

    #[test]
    fn explore_tasks_have_fractional_labels() {
        let mut task = sample("shop", "a", &[0.5, 0.4, 0.3], &[0]);
        (task.intent, task.dotted) = (Intent::Explore, vec![(0, 0), (1, 0)]);
        let data = data(vec![task]);
        let [chosen] = &explore_tasks(&data, 1.0)[..] else { panic!() };
        assert_eq!(chosen.targets, [1.0 / 1.45, 0.45 / 1.45, 0.0]);
        assert!(locate_tasks(&data).is_empty());
    }

    #[test]
    fn a_group_of_questions_weighs_as_one_task() {
        let question = |id: &str, group: &str| {
            let mut task = sample("shop", id, &[0.5, 0.0], &[0]);
            (task.intent, task.set, task.group) = (Intent::Explore, DataSet::Documents, Some(group.to_owned()));
            task
        };
        let questions = [("a", "one"), ("b", "one"), ("c", "two"), ("d", "three"), ("e", "four")];
        let data = data(questions.map(|(id, group)| question(id, group)).to_vec());
        let weights: Vec<f64> = explore_tasks(&data, 3.0).iter().map(|chosen| chosen.weight).collect();
        assert_eq!(weights, [0.75, 0.75, 1.5, 1.5, 1.5]);
    }
}
