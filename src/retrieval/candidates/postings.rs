//! A cache of posting lists. Each keystroke in the terminal UI searches all terms of the task again, and reading the
//! postings of a common term from the store takes longer than scoring them.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use parking_lot::Mutex;

use super::past::Subjects;
use super::{Graph, Term};
use crate::model::{FileId, Posting, SymbolKind};
use crate::rank::tuning;
use crate::store::{Reader, SEARCH_COLUMNS, SearchColumn, StoreError};

/// Limit of cached postings over all terms, those of the current query excepted. 20 bytes each.
const MAX_CACHED: usize = 500_000;

/// The postings of one state of the index. They never change, so cached ones equal those of the store.
#[derive(Debug, Default)]
pub struct PostingCache {
    cached: Mutex<HashMap<String, Cached>>,
    /// The subjects of commits, once a task needs them.
    subjects: Mutex<Option<Arc<Subjects>>>,
}

/// The postings of a term in at most `limit` symbols; none if it is in more.
#[derive(Debug)]
struct Cached {
    postings: Arc<[Posting]>,
    limit: usize,
}

impl PostingCache {
    /// Returns the terms of the commits' subjects.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn subjects(&self, reader: &Reader) -> Result<Arc<Subjects>, StoreError> {
        let mut subjects = self.subjects.lock();
        let known = match subjects.take() {
            Some(known) => known,
            None => Arc::new(Subjects::read(reader)?),
        };
        *subjects = Some(Arc::clone(&known));
        Ok(known)
    }

    /// Returns the postings of a term; none for a term in more than [`tuning::COMMON_SHARE`] of all symbols, which does
    /// not discriminate. The share is smaller for a less worthy part of the task, so that no term is searched whose
    /// worth times idf is below that of a word in this share of the symbols.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn get(&self, reader: &Reader, graph: &Graph, term: &Term) -> Result<Arc<[Posting]>, StoreError> {
        let (symbols, worth) = (graph.symbols() as f64, term.worth());
        let min = (tuning::COMMON_MIN as f64 * worth) as usize;
        let limit = ((symbols * tuning::COMMON_SHARE.powf(1.0 / worth)) as usize).max(min);
        let mut cached = self.cached.lock();
        let known = cached.get(&term.text).filter(|known| !known.postings.is_empty() || known.limit >= limit);
        let postings = match known {
            Some(known) => Arc::clone(&known.postings),
            None => {
                let postings: Arc<[Posting]> = of_term(reader, graph, &term.text, limit)?.into();
                cached.insert(term.text.clone(), Cached { postings: Arc::clone(&postings), limit });
                postings
            }
        };
        // A more worthy term can have been searched before.
        Ok(if postings.len() > limit { Arc::default() } else { postings })
    }

    /// Removes the entries of other terms if there are too many postings. The next query probably shares most terms
    /// with this one.
    pub fn shrink(&self, terms: &[Term]) {
        let mut cached = self.cached.lock();
        if cached.values().map(|known| known.postings.len()).sum::<usize>() > MAX_CACHED {
            let kept: HashSet<&str> = terms.iter().map(|term| term.text.as_str()).collect();
            cached.retain(|text, _| kept.contains(text.as_str()));
        }
    }

    /// Removes every entry.
    pub fn clear(&self) {
        self.cached.lock().clear();
        *self.subjects.lock() = None;
    }
}

/// Returns the postings of a term, with what [`SearchColumn`] says to add; none if more than `limit` symbols have it.
fn of_term(reader: &Reader, graph: &Graph, term: &str, limit: usize) -> Result<Vec<Posting>, StoreError> {
    let mut postings = reader.postings(term, limit)?;
    for posting in &mut postings {
        let name = posting.frequencies[SearchColumn::SymbolName as usize];
        let in_signature = if graph.is_in_signature(posting.document) { name } else { 0 };
        let mut add = |column: SearchColumn, more: u16| {
            let frequency = &mut posting.frequencies[column as usize];
            *frequency = frequency.saturating_add(more);
        };
        add(SearchColumn::QualifiedName, name);
        add(SearchColumn::Signature, in_signature);
    }
    let column = SearchColumn::Concepts as usize;
    let files: Vec<(FileId, u16)> = postings
        .iter()
        .filter_map(|posting| {
            let meta = graph.meta(posting.document).filter(|meta| meta.kind == SymbolKind::File)?;
            Some((meta.file?, posting.frequencies[column])).filter(|(_, frequency)| *frequency > 0)
        })
        .collect();
    // No symbol is in two files.
    if files.iter().map(|(file, _)| graph.nodes_in_file(*file).len()).sum::<usize>() > limit {
        return Ok(Vec::new());
    }
    let inherited = files.iter().flat_map(|(file, frequency)| {
        let mut frequencies = [0; SEARCH_COLUMNS];
        frequencies[column] = *frequency;
        graph.nodes_in_file(*file).iter().map(move |&document| Posting { document, frequencies })
    });
    let inherited: Vec<Posting> = inherited.collect();
    postings = merged(postings, inherited);
    let is_common = postings.len() > limit;
    Ok(if is_common { Vec::new() } else { of_definitions(postings, graph) })
}

/// Returns postings in which a definition also has the words of its declarations, whose comments document it.
fn of_definitions(postings: Vec<Posting>, graph: &Graph) -> Vec<Posting> {
    let mut declared: Vec<Posting> = Vec::new();
    for posting in &postings {
        if let Some(document) = graph.declared(posting.document) {
            declared.push(Posting { document, ..*posting });
        }
    }
    merged(postings, declared)
}

/// Adds more postings to sorted ones. A symbol of both has the higher frequencies.
fn merged(mut postings: Vec<Posting>, more: Vec<Posting>) -> Vec<Posting> {
    if more.is_empty() {
        return postings;
    }
    postings.extend(more);
    postings.sort_by_key(|posting| posting.document);
    postings.dedup_by(|other, kept| {
        let is_same = other.document == kept.document;
        if is_same {
            let both = kept.frequencies.iter_mut().zip(other.frequencies);
            both.for_each(|(kept, other)| *kept = (*kept).max(other));
        }
        is_same
    });
    postings
}
