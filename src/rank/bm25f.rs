//! BM25F: one relevance score over several fields, each with its own weight and length normalization
//! (Zaragoza, Craswell, Taylor, Saria and Robertson, TREC 2004).

use std::sync::Arc;

/// How many fields a document has.
pub const FIELDS: usize = 8;

/// How one field counts.
#[derive(Debug, Clone, Copy)]
pub struct FieldConfig {
    pub weight: f64,
    /// How strongly length counts against the field, from 0 to 1.
    pub length_penalty: f64,
    /// The length, in terms, at which a term counts as it is. A constant, so that a score depends on no average over the
    /// collection and an edit elsewhere moves nothing.
    pub usual_length: f64,
}

/// The model's parameters.
#[derive(Debug, Clone, Copy)]
pub struct Bm25fConfig {
    pub fields: [FieldConfig; FIELDS],
    /// How soon more occurrences stop to matter.
    pub saturation: f64,
}

/// How often a term stands in each field of a document.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Posting {
    pub document: u32,
    pub frequencies: [u16; FIELDS],
}

/// A query term: how much the query cares, and where it stands.
#[derive(Debug, Clone)]
pub struct QueryTerm {
    pub weight: f64,
    pub postings: Arc<[Posting]>,
}

/// A document's evidence.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Evidence {
    pub score: f64,
    /// Share of the query's rarity-weighted terms that the document has anywhere, from 0 to 1.
    pub coverage: f64,
}

/// Rarity of a term that `with` of `documents` documents have. Always positive.
pub fn rarity(documents: usize, with: usize) -> f64 {
    let (all, with) = (documents.max(with) as f64, with as f64);
    (1.0 + (all - with + 0.5) / (with + 0.5)).ln()
}

/// The evidence of every document that has a term, in dense arrays over the documents' numbers.
#[derive(Debug, Clone, Default)]
pub struct Scores {
    evidence: Vec<Evidence>,
    found: Vec<u32>,
    importance: f64,
}

impl Scores {
    /// A document's evidence; none for one without any of the terms.
    pub fn get(&self, document: u32) -> Evidence {
        self.evidence.get(document as usize).copied().unwrap_or_default()
    }

    /// What a document would score that had every term without end: the sum of the terms' importance.
    pub fn importance(&self) -> f64 {
        self.importance
    }

    /// The documents with evidence, each once, in the order in which the terms led to them.
    pub fn found(&self) -> &[u32] {
        &self.found
    }

    /// The best `count` documents that `keep` lets through, best first, equal ones in the order that `tie` gives.
    pub fn best(&self, count: usize, keep: impl Fn(u32) -> bool, tie: impl Fn(u32) -> u64) -> Vec<u32> {
        let kept = self.found.iter().copied().filter(|document| keep(*document));
        let mut keyed: Vec<(f64, u64, u32)> =
            kept.map(|document| (self.get(document).score, tie(document), document)).collect();
        let order = |a: &(f64, u64, u32), b: &(f64, u64, u32)| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2)));
        if count < keyed.len() {
            keyed.select_nth_unstable_by(count, order);
            keyed.truncate(count);
        }
        keyed.sort_unstable_by(order);
        keyed.into_iter().map(|(.., document)| document).collect()
    }
}

/// Scores every document that has a term. `lengths` gives a document's field lengths. Linear in the postings.
pub fn score(
    terms: &[QueryTerm],
    documents: usize,
    config: &Bm25fConfig,
    lengths: impl Fn(u32) -> [u32; FIELDS],
) -> Scores {
    let mut scores = Scores::default();
    let total: f64 = terms.iter().map(|term| term.importance(documents)).sum();
    scores.importance = total;
    for term in terms {
        let importance = term.importance(documents);
        for posting in term.postings.iter() {
            let lengths = lengths(posting.document);
            let part = |field: usize| {
                config.fields[field].normalized_weight(lengths[field]) * f64::from(posting.frequencies[field])
            };
            let frequency: f64 = (0..FIELDS).filter(|field| posting.frequencies[*field] > 0).map(part).sum();
            if frequency <= 0.0 {
                continue;
            }
            let place = posting.document as usize;
            if scores.evidence.len() <= place {
                scores.evidence.resize(place + 1, Evidence::default());
            }
            let evidence = &mut scores.evidence[place];
            if evidence.score == 0.0 {
                scores.found.push(posting.document);
            }
            evidence.score += importance * frequency / (config.saturation + frequency);
            evidence.coverage += importance / total;
        }
    }
    scores
}

/// Each field by itself: what the documents would score if they had nothing else, as a share of what is to be had, in
/// the order of `wanted`. `saturation` is the field's own. Linear in the postings.
pub fn by_field(
    terms: &[QueryTerm],
    documents: usize,
    config: &Bm25fConfig,
    saturation: &[f64; FIELDS],
    wanted: &[u32],
    lengths: impl Fn(u32) -> [u32; FIELDS],
) -> Vec<[f64; FIELDS]> {
    let mut places: Vec<u32> = Vec::new();
    for (place, document) in wanted.iter().enumerate() {
        let document = *document as usize;
        if places.len() <= document {
            places.resize(document + 1, u32::MAX);
        }
        places[document] = place as u32;
    }
    let total: f64 = terms.iter().map(|term| term.importance(documents)).sum();
    let mut shares = vec![[0.0; FIELDS]; wanted.len()];
    for term in terms {
        let importance = term.importance(documents) / total;
        for posting in term.postings.iter() {
            let place = places.get(posting.document as usize).map_or(u32::MAX, |place| *place);
            let Some(shares) = shares.get_mut(place as usize) else { continue };
            let lengths = lengths(posting.document);
            for field in (0..FIELDS).filter(|field| posting.frequencies[*field] > 0) {
                let alone = FieldConfig { weight: 1.0, ..config.fields[field] };
                let frequency = alone.normalized_weight(lengths[field]) * f64::from(posting.frequencies[field]);
                shares[field] += importance * frequency / (saturation[field] + frequency);
            }
        }
    }
    shares
}

impl QueryTerm {
    /// How much the query cares, times how rare the term is.
    pub fn importance(&self, documents: usize) -> f64 {
        self.weight * rarity(documents, self.postings.len())
    }
}

impl FieldConfig {
    fn normalized_weight(&self, length: u32) -> f64 {
        self.weight / (1.0 - self.length_penalty + self.length_penalty * f64::from(length) / self.usual_length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config() -> Bm25fConfig {
        let field = |weight| FieldConfig { weight, length_penalty: 0.5, usual_length: 4.0 };
        Bm25fConfig { fields: [5.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0].map(field), saturation: 1.2 }
    }

    fn posting(document: u32, field: usize, count: u16) -> Posting {
        let mut frequencies = [0; FIELDS];
        frequencies[field] = count;
        Posting { document, frequencies }
    }

    fn term(postings: Vec<Posting>) -> QueryTerm {
        QueryTerm { weight: 1.0, postings: postings.into() }
    }

    #[test]
    fn heavier_fields_and_shorter_texts_win() {
        let terms = [term(vec![posting(1, 0, 1), posting(2, 1, 1), posting(3, 0, 1)])];
        let found = score(&terms, 100, &config(), |document| [if document == 3 { 40 } else { 4 }; FIELDS]);
        assert!(found.get(1).score > found.get(2).score);
        assert!(found.get(1).score > found.get(3).score);
    }

    #[test]
    fn coverage_is_one_only_with_every_term() {
        let terms = [term(vec![posting(1, 0, 1), posting(2, 0, 9)]), term(vec![posting(1, 1, 1)])];
        let found = score(&terms, 100, &config(), |_| [4; FIELDS]);
        assert!((found.get(1).coverage - 1.0).abs() < 1e-12);
        assert!(found.get(2).coverage < 0.5); // the shared term is the more common one
    }

    #[test]
    fn the_best_are_chosen_before_they_are_sorted() {
        let terms = [term((1..50).map(|document| posting(document, 0, 1 + (document % 7) as u16)).collect())];
        let found = score(&terms, 100, &config(), |_| [4; FIELDS]);
        let all = found.best(usize::MAX, |_| true, u64::from);
        assert_eq!(found.best(5, |_| true, u64::from), all[..5]);
        assert!(!found.best(9, |document| document != all[0], u64::from).contains(&all[0]));
    }

    #[test]
    fn fields_are_shares_of_what_is_to_be_had() {
        let terms = [term(vec![posting(1, 0, 1), posting(2, 1, 3)]), term(vec![posting(2, 1, 1)])];
        let shares = by_field(&terms, 100, &config(), &[1.2; FIELDS], &[2, 1, 7], |_| [4; FIELDS]);
        assert!(shares[0][1] > shares[1][0] && shares[0][0] == 0.0);
        assert_eq!(shares[2], [0.0; FIELDS]);
        assert!(shares.iter().all(|fields| fields.iter().sum::<f64>() < 1.0));
    }

    #[test]
    fn rarity_is_positive_and_falls() {
        assert!(rarity(10, 1) > rarity(10, 5) && rarity(10, 10) > 0.0 && rarity(0, 3) > 0.0);
    }
}
