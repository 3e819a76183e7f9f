//! BM25F: BM25 over weighted fields with their own length normalization (Zaragoza, Craswell, Taylor, Saria and
//! Robertson, TREC 2004).

use std::sync::Arc;

use super::node_set::NodeSet;
pub use crate::model::posting::FIELDS;
use crate::model::{NodeId, Posting};

/// The parameters of one field.
#[derive(Debug, Clone, Copy)]
pub struct FieldConfig {
    pub weight: f64,
    /// Length normalization, from 0 (none) to 1 (full).
    pub b: f64,
    /// Average length in terms. A constant instead of the average of the collection, so that an edit of one document
    /// does not change the scores of others.
    pub avg_len: f64,
}

/// The model's parameters.
#[derive(Debug, Clone, Copy)]
pub struct Bm25fConfig {
    pub fields: [FieldConfig; FIELDS],
    /// Term frequency saturation.
    pub k1: f64,
}

/// A term of the query with its posting list.
#[derive(Debug, Clone)]
pub struct QueryTerm {
    pub weight: f64,
    pub postings: Arc<[Posting]>,
}

/// The relevance of a document.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Relevance {
    pub score: f64,
    /// Share of the query's terms in the document, weighted by idf, from 0 to 1.
    pub coverage: f64,
}

/// Returns the inverse document frequency of a term that `with` of `documents` documents contain, in the variant that
/// is always positive.
pub fn idf(documents: usize, with: usize) -> f64 {
    let (all, with) = (documents.max(with) as f64, with as f64);
    (1.0 + (all - with + 0.5) / (with + 0.5)).ln()
}

/// The relevance of every document with a term.
#[derive(Debug, Clone, Default)]
pub struct Scores {
    with_term: NodeSet,
    /// By the index in `with_term`.
    relevance: Vec<Relevance>,
    found: Vec<NodeId>,
    importance: f64,
}

impl Scores {
    /// Returns the relevance of a document; 0 if it has none of the terms.
    pub fn get(&self, document: NodeId) -> Relevance {
        self.with_term.index_of(document).map(|index| self.relevance[index]).unwrap_or_default()
    }

    /// Returns the upper bound of the scores: the sum of [`QueryTerm::importance`].
    pub fn importance(&self) -> f64 {
        self.importance
    }

    /// Returns the documents with a term, each once, in the order of their first posting.
    pub fn found(&self) -> &[NodeId] {
        &self.found
    }

    /// Returns the best `count` documents that `keep` accepts, best first; equal scores in the order of `tie_break`.
    pub fn best(&self, count: usize, keep: impl Fn(NodeId) -> bool, tie_break: impl Fn(NodeId) -> u64) -> Vec<NodeId> {
        let kept = self.found.iter().copied().filter(|document| keep(*document));
        let keyed = kept.map(|document| (self.get(document).score, tie_break(document), document));
        best(keyed.collect(), count)
    }
}

/// Returns the `count` documents with the best scores, best first; equal scores in the order of the second values.
pub fn best(mut scored: Vec<(f64, u64, NodeId)>, count: usize) -> Vec<NodeId> {
    let order = |a: &(f64, u64, NodeId), b: &(f64, u64, NodeId)| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2)));
    if count < scored.len() {
        scored.select_nth_unstable_by(count, order);
        scored.truncate(count);
    }
    scored.sort_unstable_by(order);
    scored.into_iter().map(|(.., document)| document).collect()
}

/// Scores every document with a term. `lengths` returns the field lengths of a document. Linear in the postings.
pub fn score(
    terms: &[QueryTerm],
    documents: usize,
    config: &Bm25fConfig,
    lengths: impl Fn(NodeId) -> [u32; FIELDS],
) -> Scores {
    let total: f64 = terms.iter().map(|term| term.importance(documents)).sum();
    let with_term: NodeSet = postings(terms).map(|posting| posting.document).collect();
    let mut relevance = vec![Relevance::default(); with_term.len()];
    let mut found = Vec::new();
    for term in terms {
        let importance = term.importance(documents);
        for posting in term.postings.iter() {
            let Some(index) = with_term.index_of(posting.document) else { continue };
            let lengths = lengths(posting.document);
            let weighted = |field: usize| {
                config.fields[field].normalized_weight(lengths[field]) * f64::from(posting.frequencies[field])
            };
            let frequency: f64 = (0..FIELDS).filter(|field| posting.frequencies[*field] > 0).map(weighted).sum();
            if frequency <= 0.0 {
                continue;
            }
            let Relevance { score, coverage } = &mut relevance[index];
            if *score == 0.0 {
                found.push(posting.document);
            }
            *score += importance * frequency / (config.k1 + frequency);
            *coverage += importance / total;
        }
    }
    Scores { with_term, relevance, found, importance: total }
}

/// Returns the postings of all terms.
fn postings(terms: &[QueryTerm]) -> impl Iterator<Item = &Posting> {
    terms.iter().flat_map(|term| term.postings.iter())
}

/// Scores every document by one field alone, as in [`by_field`] but not as a share. Returns those with a term in it, in
/// no particular order. Linear in the postings.
pub fn field_scores(
    terms: &[QueryTerm],
    documents: usize,
    config: &Bm25fConfig,
    k1: &[f64; FIELDS],
    field: usize,
    lengths: impl Fn(NodeId) -> [u32; FIELDS],
) -> Vec<(NodeId, f64)> {
    let in_field = |posting: &&Posting| posting.frequencies[field] > 0;
    let with_term: NodeSet = postings(terms).filter(in_field).map(|posting| posting.document).collect();
    let (mut scores, mut found): (Vec<f64>, Vec<NodeId>) = (vec![0.0; with_term.len()], Vec::new());
    let alone = FieldConfig { weight: 1.0, ..config.fields[field] };
    for term in terms {
        let importance = term.importance(documents);
        for posting in term.postings.iter().filter(in_field) {
            let Some(index) = with_term.index_of(posting.document) else { continue };
            let length = lengths(posting.document)[field];
            let frequency = alone.normalized_weight(length) * f64::from(posting.frequencies[field]);
            if scores[index] == 0.0 {
                found.push(posting.document);
            }
            scores[index] += importance * frequency / (k1[field] + frequency);
        }
    }
    let score = |document: NodeId| Some((document, scores[with_term.index_of(document)?]));
    found.into_iter().filter_map(score).collect()
}

/// Scores the documents `wanted`, in their order, by each field alone, as a share of the maximum. `k1` has the
/// parameter of each field. Linear in the postings.
pub fn by_field(
    terms: &[QueryTerm],
    documents: usize,
    config: &Bm25fConfig,
    k1: &[f64; FIELDS],
    wanted: &[NodeId],
    lengths: impl Fn(NodeId) -> [u32; FIELDS],
) -> Vec<[f64; FIELDS]> {
    let documents_wanted: NodeSet = wanted.iter().copied().collect();
    let mut positions = vec![0; documents_wanted.len()];
    for (position, document) in wanted.iter().enumerate() {
        documents_wanted.index_of(*document).into_iter().for_each(|index| positions[index] = position);
    }
    let total: f64 = terms.iter().map(|term| term.importance(documents)).sum();
    let mut shares = vec![[0.0; FIELDS]; wanted.len()];
    for term in terms {
        let importance = term.importance(documents) / total;
        for posting in term.postings.iter() {
            let Some(index) = documents_wanted.index_of(posting.document) else { continue };
            let shares = &mut shares[positions[index]];
            let lengths = lengths(posting.document);
            for field in (0..FIELDS).filter(|field| posting.frequencies[*field] > 0) {
                let alone = FieldConfig { weight: 1.0, ..config.fields[field] };
                let frequency = alone.normalized_weight(lengths[field]) * f64::from(posting.frequencies[field]);
                shares[field] += importance * frequency / (k1[field] + frequency);
            }
        }
    }
    shares
}

impl QueryTerm {
    /// Returns the weight of the term in scores: its weight in the query times its idf.
    pub fn importance(&self, documents: usize) -> f64 {
        self.weight * idf(documents, self.postings.len())
    }
}

impl FieldConfig {
    fn normalized_weight(&self, length: u32) -> f64 {
        self.weight / (1.0 - self.b + self.b * f64::from(length) / self.avg_len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config() -> Bm25fConfig {
        let field = |weight| FieldConfig { weight, b: 0.5, avg_len: 4.0 };
        Bm25fConfig { fields: [5.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0].map(field), k1: 1.2 }
    }

    fn posting(document: u32, field: usize, count: u16) -> Posting {
        let mut frequencies = [0; FIELDS];
        frequencies[field] = count;
        Posting { document: NodeId::new(document), frequencies }
    }

    fn term(postings: Vec<Posting>) -> QueryTerm {
        QueryTerm { weight: 1.0, postings: postings.into() }
    }

    #[test]
    fn heavier_fields_and_shorter_texts_score_higher() {
        let terms = [term(vec![posting(1, 0, 1), posting(2, 1, 1), posting(3, 0, 1)])];
        let found = score(&terms, 100, &config(), |document| [if document == NodeId::new(3) { 40 } else { 4 }; FIELDS]);
        assert!(found.get(NodeId::new(1)).score > found.get(NodeId::new(2)).score);
        assert!(found.get(NodeId::new(1)).score > found.get(NodeId::new(3)).score);
    }

    #[test]
    fn coverage_is_one_only_with_every_term() {
        let terms = [term(vec![posting(1, 0, 1), posting(2, 0, 9)]), term(vec![posting(1, 1, 1)])];
        let found = score(&terms, 100, &config(), |_| [4; FIELDS]);
        assert!((found.get(NodeId::new(1)).coverage - 1.0).abs() < 1e-12);
        assert!(found.get(NodeId::new(2)).coverage < 0.5); // the shared term is the more common one
        assert!([0, 3, 64, 900].iter().all(|other| found.get(NodeId::new(*other)) == Relevance::default()));
    }

    #[test]
    fn best_selects_a_prefix_of_the_order() {
        let terms = [term((1..50).map(|document| posting(document, 0, 1 + (document % 7) as u16)).collect())];
        let found = score(&terms, 100, &config(), |_| [4; FIELDS]);
        let all = found.best(usize::MAX, |_| true, |document| document.get().into());
        assert_eq!(found.best(5, |_| true, |document| document.get().into()), all[..5]);
        assert!(!found.best(9, |document| document != all[0], |document| document.get().into()).contains(&all[0]));
    }

    #[test]
    fn field_scores_are_shares_of_the_maximum() {
        let terms = [term(vec![posting(1, 0, 1), posting(2, 1, 3)]), term(vec![posting(2, 1, 1)])];
        let shares = by_field(&terms, 100, &config(), &[1.2; FIELDS], &[2, 1, 7].map(NodeId::new), |_| [4; FIELDS]);
        assert!(shares[0][1] > shares[1][0] && shares[0][0] == 0.0);
        assert_eq!(shares[2], [0.0; FIELDS]);
        let by_name = field_scores(&terms, 100, &config(), &[1.2; FIELDS], 1, |_| [4; FIELDS]);
        let share = by_name[0].1 / terms.iter().map(|term| term.importance(100)).sum::<f64>();
        assert_eq!((by_name.len(), by_name[0].0), (1, NodeId::new(2)));
        assert!((share - shares[0][1]).abs() < 1e-12);
        assert!(shares.iter().all(|fields| fields.iter().sum::<f64>() < 1.0));
    }

    #[test]
    fn idf_is_positive_and_decreasing() {
        assert!(idf(10, 1) > idf(10, 5) && idf(10, 10) > 0.0 && idf(0, 3) > 0.0);
    }
}
