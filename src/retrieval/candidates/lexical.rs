//! The `bm25` channel: BM25F over the columns of the search index.

use std::collections::HashMap;

use serde::Serialize;

use super::IndexView;
use crate::model::{FileId, NodeId};
use crate::query::{Keywords, Part};
use crate::rank::bm25f::{self, QueryTerm, Scores};
use crate::rank::tuning::Tuning;
use crate::store::StoreError;

/// A term that the lexical channel searched.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Term {
    pub text: String,
    pub weight: f64,
    /// The most worthy part of the task that has it.
    pub part: Part,
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
    /// Scores by the terms of the subject alone; `None` for a task that has no others.
    pub subject: Option<Scores>,
    /// Share of the query's terms in the commit subjects of each file, from 0 to 1.
    pub histories: HashMap<FileId, f64>,
}

/// Scores every symbol that contains a term of the query.
///
/// # Errors
/// When the store can't be read.
pub fn lexical(index: IndexView<'_>, keywords: &Keywords, tuning: &Tuning) -> Result<Lexical, StoreError> {
    let IndexView { reader, graph, postings, .. } = index;
    let (mut searched, mut terms) = (Vec::new(), Vec::new());
    for term in query_terms(keywords) {
        let postings = postings.get(reader, graph, &term)?;
        let weight = term.weight;
        searched.push(Term { symbols: postings.len(), ..term });
        if !postings.is_empty() {
            terms.push(QueryTerm { weight, postings });
        }
    }
    postings.shrink(&searched);
    let lengths = |node: NodeId| graph.lengths().get(node);
    let score = |terms: &[QueryTerm]| bm25f::score(terms, graph.symbols(), &tuning.lexical, lengths);
    let found = searched.iter().filter(|term| term.symbols > 0);
    let in_subject: Vec<bool> = found.map(|term| term.part == Part::Subject).collect();
    let subject = || {
        let terms = terms.iter().zip(&in_subject).filter(|(_, is_in)| **is_in).map(|(term, _)| term.clone());
        in_subject.contains(&false).then(|| score(&terms.collect::<Vec<QueryTerm>>()))
    };
    let (scores, subject) = rayon::join(|| score(&terms), subject);
    Ok(Lexical { searched, terms, scores, subject, ..Lexical::default() })
}

impl Term {
    /// Returns the worth of its part, from 0 to 1.
    pub fn worth(&self) -> f64 {
        self.part.worth()
    }
}

/// Returns the terms to search, each once with the greatest of its weights, the greatest first.
fn query_terms(keywords: &Keywords) -> Vec<Term> {
    let term = |(text, (weight, part))| Term { text, weight, part, symbols: 0 };
    let mut terms: Vec<Term> = keywords.terms().into_iter().map(term).collect();
    terms.sort_by(|one, two| two.weight.total_cmp(&one.weight).then_with(|| one.text.cmp(&two.text)));
    terms
}
