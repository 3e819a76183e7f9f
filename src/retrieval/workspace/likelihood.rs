//! The probability of each repository that a task is about it, by the task's words: query likelihood with Jelinek-Mercer
//! smoothing (Zhai and Lafferty, SIGIR 2001).
//!
//! A word says more the rarer it is in the other repositories. A repository's own statistics, on which its scores are
//! based, do not have that.

use std::collections::BTreeMap;

use crate::engine::{EngineError, Ranker, Ranking};

/// Share of the background model, the mean of all repositories, in a word's probability.
const BACKGROUND: f64 = 0.5;
/// Share of the symbols that have a word which is too common to be searched.
const COMMON: f64 = 0.2;

/// Returns the probability of each repository, given its ranker and ranking; 0 for one without.
///
/// # Errors
/// When a store can't be read.
pub fn probabilities(parts: &[Option<(&Ranker, &Ranking)>]) -> Result<Vec<f64>, EngineError> {
    let mut worths: BTreeMap<&str, f64> = BTreeMap::new();
    for term in parts.iter().flatten().flat_map(|(_, ranking)| &ranking.terms) {
        let worth = worths.entry(&term.text).or_insert(0.0);
        *worth = worth.max(term.worth());
    }
    let mut likelihoods = vec![0.0; parts.len()];
    let count = parts.iter().flatten().count().max(1) as f64;
    for (word, worth) in worths {
        let mut shares = Vec::with_capacity(parts.len());
        for part in parts {
            shares.push(part.map(|(ranker, ranking)| share(ranker, ranking, word)).transpose()?);
        }
        let background = shares.iter().flatten().sum::<f64>() / count;
        if background > 0.0 {
            for (likelihood, share) in likelihoods.iter_mut().zip(shares) {
                let ratio = share.unwrap_or(0.0) / background;
                *likelihood += worth * ((1.0 - BACKGROUND) * ratio + BACKGROUND).ln();
            }
        }
    }
    Ok(softmax(&likelihoods, |position| parts[position].is_some()))
}

/// Returns the share of a repository's symbols that have a word.
fn share(ranker: &Ranker, ranking: &Ranking, word: &str) -> Result<f64, EngineError> {
    let searched = ranking.terms.iter().find(|term| term.text == word);
    match searched.map_or(0, |term| term.symbols) {
        0 if ranker.reader().has_term(word)? => Ok(COMMON),
        symbols => Ok(symbols as f64 / ranker.graph().symbols().max(1) as f64),
    }
}

fn softmax(likelihoods: &[f64], is_present: impl Fn(usize) -> bool) -> Vec<f64> {
    let present = || likelihoods.iter().enumerate().filter(|(position, _)| is_present(*position));
    let highest = present().map(|(_, likelihood)| *likelihood).fold(f64::NEG_INFINITY, f64::max);
    let weight = |likelihood: f64| (likelihood - highest).exp();
    let sum: f64 = present().map(|(_, likelihood)| weight(*likelihood)).sum();
    let probability = |(position, likelihood): (usize, &f64)| match is_present(position) {
        true => weight(*likelihood) / sum,
        false => 0.0,
    };
    likelihoods.iter().enumerate().map(probability).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_sum_to_one_over_the_repositories_that_answer() {
        let found = softmax(&[0.0, -1.0, -9.0], |position| position != 1);
        assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-12 && found[1] == 0.0 && found[0] > found[2]);
    }
}
