//! The `bm25` channel: BM25F over the columns of the search index.

use std::collections::{HashMap, HashSet};

use serde::Serialize;

use super::IndexView;
use crate::model::{FileId, NodeId};
use crate::query::Keywords;
use crate::rank::bm25f::{self, QueryTerm, Scores};
use crate::rank::tuning::{self, Tuning};
use crate::store::StoreError;
use crate::text::stem;
use crate::text::terms::terms;

/// A term that the lexical channel searched.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Term {
    pub text: String,
    pub weight: f64,
    /// Symbols that contain it; 0 when they are too many for the term to be searched.
    pub symbols: usize,
}

/// The query's terms, their postings and the scores of the symbols that contain them.
#[derive(Debug, Default)]
pub struct Lexical {
    /// Every searched term, found or not.
    pub searched: Vec<Term>,
    /// The terms with postings.
    pub terms: Vec<QueryTerm>,
    pub scores: Scores,
    /// Share of the query's terms in the commit subjects of each file, from 0 to 1.
    pub histories: HashMap<FileId, f64>,
}

/// Scores every symbol that contains a term of the query or one of `synonyms`.
///
/// # Errors
/// When the store can't be read.
pub fn lexical(
    index: IndexView<'_>,
    keywords: &Keywords,
    synonyms: &[String],
    tuning: &Tuning,
) -> Result<Lexical, StoreError> {
    let IndexView { reader, graph, postings, .. } = index;
    let (mut searched, mut terms) = (Vec::new(), Vec::new());
    let (texts, weights): (Vec<String>, Vec<f64>) =
        query_terms(keywords, synonyms, tuning.synonym_weight).into_iter().unzip();
    let postings = postings.get(reader, graph, &texts)?;
    for ((text, weight), postings) in texts.into_iter().zip(weights).zip(postings) {
        searched.push(Term { text, weight, symbols: postings.len() });
        if !postings.is_empty() {
            terms.push(QueryTerm { weight, postings });
        }
    }
    let lengths = |node: NodeId| graph.lengths.get(node.index()).copied().unwrap_or_default();
    let scores = bm25f::score(&terms, graph.symbols(), &tuning.lexical, lengths);
    Ok(Lexical { searched, terms, scores, ..Lexical::default() })
}

/// Returns the terms to search with their weights, each once with its first weight.
fn query_terms(keywords: &Keywords, synonyms: &[String], synonym_weight: f64) -> Vec<(String, f64)> {
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
    synonyms.iter().for_each(|synonym| push(synonym.clone(), synonym_weight));
    found
}
