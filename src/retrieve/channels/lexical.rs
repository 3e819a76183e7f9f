//! Words: BM25F over the columns of the search index.

use std::collections::HashSet;

use crate::rank::bm25f::{self, QueryTerm, Scores};
use crate::rank::keywords::Keywords;
use crate::retrieve::graph::Graph;
use crate::retrieve::tuning;
use crate::store::{Reader, StoreError};
use crate::text::stem;
use crate::text::terms::terms;

/// Every symbol with one of the task's terms, and its evidence.
///
/// # Errors
/// When the store can't be read.
pub fn lexical(reader: &Reader, graph: &Graph, keywords: &Keywords) -> Result<Scores, StoreError> {
    let most = ((graph.symbols() as f64 * tuning::COMMON_SHARE) as usize).max(200);
    let mut query = Vec::new();
    for (term, weight) in query_terms(keywords) {
        let postings = reader.postings(&term, most)?;
        if !postings.is_empty() {
            query.push(QueryTerm { weight, postings });
        }
    }
    let lengths = |node: u32| graph.lengths.get(node as usize).copied().unwrap_or_default();
    Ok(bm25f::score(&query, graph.symbols(), &tuning::LEXICAL, lengths))
}

/// The terms to look for, with their weights, each once, the first weight kept.
fn query_terms(keywords: &Keywords) -> Vec<(String, f64)> {
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    let mut push = |term: String, weight: f64| {
        if !term.is_empty() && seen.insert(term.clone()) {
            found.push((term, weight));
        }
    };
    for identifier in &keywords.exact {
        terms(identifier).into_iter().for_each(|term| push(term, tuning::IDENTIFIER_WEIGHT));
    }
    for word in &keywords.components {
        push(stem(word).into_owned(), tuning::WORD_WEIGHT);
    }
    for compound in &keywords.compounds {
        let last = compound.rsplit('.').next().unwrap_or(compound);
        push(last.to_lowercase(), tuning::COMPOUND_WEIGHT);
    }
    found
}
