//! Words: BM25F over the columns of the search index.

use std::collections::{HashMap, HashSet};

use crate::rank::bm25f::{self, QueryTerm, Scores};
use crate::rank::keywords::Keywords;
use crate::retrieve::evidence::GroupScores;
use crate::retrieve::graph::Graph;
use crate::retrieve::ranking::Term;
use crate::retrieve::tuning::{self, Tuning};
use crate::store::{Reader, StoreError};
use crate::text::stem;
use crate::text::terms::terms;
use crate::vocab::Thesaurus;

/// The task's terms with what the index says of them.
#[derive(Debug, Default)]
pub struct Lexical {
    /// The terms asked for, whether or not they were found.
    pub asked: Vec<Term>,
    /// Those that were found.
    pub terms: Vec<QueryTerm>,
    pub scores: Scores,
    /// What the commit subjects of each file say of the task, from 0 to 1.
    pub histories: HashMap<u32, f64>,
    /// What the terms say of files, folders and types; nothing where that has no weight.
    pub groups: GroupScores,
}

/// Every symbol with one of the task's terms, and its evidence.
///
/// # Errors
/// When the store can't be read.
pub fn lexical(
    reader: &Reader,
    graph: &Graph,
    keywords: &Keywords,
    thesaurus: &Thesaurus,
    tuning: &Tuning,
) -> Result<Lexical, StoreError> {
    let (mut asked, mut terms) = (Vec::new(), Vec::new());
    let (texts, weights): (Vec<String>, Vec<f64>) =
        query_terms(keywords, thesaurus, tuning.synonym_weight).into_iter().unzip();
    let postings = graph.postings(reader, &texts)?;
    for ((text, weight), postings) in texts.into_iter().zip(weights).zip(postings) {
        asked.push(Term { text, weight, symbols: postings.len() });
        if !postings.is_empty() {
            terms.push(QueryTerm { weight, postings });
        }
    }
    let lengths = |node: u32| graph.lengths.get(node as usize).copied().unwrap_or_default();
    let scores = bm25f::score(&terms, graph.symbols(), &tuning.lexical, lengths);
    Ok(Lexical { asked, terms, scores, ..Lexical::default() })
}

/// The terms to look for, with their weights, each once, the first weight kept.
fn query_terms(keywords: &Keywords, thesaurus: &Thesaurus, synonym_weight: f64) -> Vec<(String, f64)> {
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    let mut push = |term: String, weight: f64| {
        if !term.is_empty() && seen.insert(term.clone()) {
            found.push((term, weight));
        }
    };
    for identifier in &keywords.exact {
        terms(identifier).into_iter().for_each(|term| push(term, tuning::QUOTED_WEIGHT));
    }
    for word in &keywords.components {
        push(stem(word).into_owned(), tuning::WORD_WEIGHT);
    }
    let joined = keywords.joined();
    for compound in &keywords.compounds {
        let last = compound.rsplit('.').next().unwrap_or(compound);
        let weight = if joined.contains(compound) { tuning::COMPOUND_WEIGHT } else { tuning::IDENTIFIER_WEIGHT };
        push(last.trim_matches('_').to_lowercase(), weight);
    }
    if synonym_weight > 0.0 {
        for word in &keywords.components {
            thesaurus.synonyms(word).into_iter().for_each(|synonym| push(synonym, synonym_weight));
        }
    }
    found
}
