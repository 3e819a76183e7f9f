//! Ranks repositories for a task by their catalogs.
//!
//! Each catalog is one document. Fields are weighted and frequencies saturate as in BM25F (Zaragoza et al., TREC 2004). A
//! term's frequency is the share of the field's occurrences, and its rarity counts repositories, as in the selection of
//! collections (Callan, Lu and Croft, SIGIR 1995).

use std::borrow::Borrow;
use std::collections::{HashMap, HashSet};
use std::convert::Infallible;

use xxhash_rust::xxh3::xxh3_64;

use super::field::{Counts, FIELDS, Field, fields_of};
use super::{Catalog, Term};
use crate::concepts::Vocabulary;
use crate::query::keywords::{Keywords, extract, extract_with_verbs};
use crate::query::{Mentions, mentions};
use crate::rank::bm25f::idf;
use crate::text::terms::terms;

/// Number of matches of a route: enough to explain it.
const MAX_MATCHES: usize = 8;

/// The parameters of routing, fitted to training tasks by `knowing-eval routing --fit`; those of packages and concepts are
/// larger than fitted, since tasks of training name no repository.
#[derive(Debug, Clone, Copy)]
pub struct RouterConfig {
    /// The weight of each field.
    pub weights: [f64; FIELDS],
    /// Number of occurrences that a field is taken to have beside its own, so that few do not count as much.
    pub smoothing: f64,
    /// Saturation of the frequency of a term.
    pub k1: f64,
    /// Weight of a segment of a dotted name or a path of the task.
    pub segment: f64,
}

impl Default for RouterConfig {
    fn default() -> RouterConfig {
        // In the order of `Field`.
        let weights = [0.5, 1.35, 1.35, 0.25, 0.5, 0.4, 1.0, 0.2, 0.05];
        RouterConfig { weights, smoothing: 500.0, k1: 0.1, segment: 1.0 }
    }
}

/// A repository that a task may concern.
#[derive(Debug, Clone, PartialEq)]
pub struct Route {
    /// The repository's id, such as `github.com/pallets/flask`.
    pub repository: String,
    /// The sum of what the terms contribute.
    pub score: f64,
    /// The terms that contribute most, the greatest first.
    pub matches: Vec<Match>,
}

/// A term of the task that a repository has.
#[derive(Debug, Clone, PartialEq)]
pub struct Match {
    /// As the task has it, in lower case.
    pub word: String,
    pub contribution: f64,
    /// The places where the repository has it.
    pub fields: Vec<Field>,
}

/// A term of a task, and the word that it is from.
struct QueryTerm {
    term: String,
    word: String,
    weight: f64,
}

/// A term of one catalog.
#[derive(Debug, Clone, Copy)]
struct Posting {
    repository: u32,
    /// Weighted and normalized.
    frequency: f32,
    /// The set of fields.
    fields: u32,
}

/// The catalogs of many repositories, inverted: by term, the repositories that have it.
#[derive(Debug, Clone, Default)]
pub struct Router {
    repositories: Vec<String>,
    /// Hashes of terms, sorted. A collision of two terms of 64 bits is improbable, and would cost one wrong match.
    hashes: Vec<u64>,
    /// For each hash the end of its postings.
    ends: Vec<u32>,
    postings: Vec<Posting>,
    config: RouterConfig,
}

impl Router {
    /// Inverts catalogs. Of several catalogs of one repository the first counts.
    pub fn new(catalogs: impl IntoIterator<Item: Borrow<Catalog>>) -> Router {
        Router::with_config(catalogs, RouterConfig::default())
    }

    /// Inverts catalogs for routing with other parameters.
    pub fn with_config(catalogs: impl IntoIterator<Item: Borrow<Catalog>>, config: RouterConfig) -> Router {
        let mut router = Router { config, ..Router::default() };
        let (mut known, mut entries) = (HashSet::new(), Vec::new());
        for catalog in catalogs {
            let catalog: &Catalog = catalog.borrow();
            if known.insert(catalog.repository.clone()) {
                let repository = router.repositories.len() as u32;
                entries.extend(catalog.terms.iter().map(|Term { text, counts }| {
                    let frequency = config.frequency(&counts, &catalog.lengths) as f32;
                    (xxh3_64(text.as_bytes()), Posting { repository, frequency, fields: fields_of(&counts) })
                }));
                router.repositories.push(catalog.repository.clone());
            }
        }
        entries.sort_unstable_by_key(|(hash, posting)| (*hash, posting.repository));
        for chunk in entries.chunk_by(|one, two| one.0 == two.0) {
            router.postings.extend(chunk.iter().map(|(_, posting)| *posting));
            router.hashes.extend(chunk.first().map(|(hash, _)| *hash));
            router.ends.push(router.postings.len() as u32);
        }
        router
    }

    /// Returns the number of repositories.
    pub fn repository_count(&self) -> usize {
        self.repositories.len()
    }

    /// Returns the `limit` repositories that a task concerns most, best first; equal scores in the order of ids. Linear in
    /// the postings of the task's terms.
    pub fn route(&self, task: &str, limit: usize) -> Vec<Route> {
        let mut scores = vec![0.0_f64; self.repositories.len()];
        let query = self.query(task);
        let found: Vec<(&QueryTerm, &[Posting])> =
            query.iter().map(|term| (term, self.postings(&term.term))).filter(|(_, found)| !found.is_empty()).collect();
        for (term, postings) in &found {
            for posting in *postings {
                scores[posting.repository as usize] += self.contribution(term.weight, postings.len(), posting);
            }
        }
        let mut ranked: Vec<usize> = (0..scores.len()).filter(|index| scores[*index] > 0.0).collect();
        let order = |one: &usize, two: &usize| {
            scores[*two].total_cmp(&scores[*one]).then_with(|| self.repositories[*one].cmp(&self.repositories[*two]))
        };
        ranked.sort_unstable_by(order);
        ranked.truncate(limit);
        let route = |index: usize| Route {
            repository: self.repositories[index].clone(),
            score: scores[index],
            matches: self.matches(index, &found),
        };
        ranked.into_iter().map(route).collect()
    }

    /// Returns the terms of the task that contribute most to a repository.
    fn matches(&self, repository: usize, found: &[(&QueryTerm, &[Posting])]) -> Vec<Match> {
        let mut matches: Vec<Match> = (found.iter())
            .filter_map(|(term, postings)| {
                let at = postings.binary_search_by_key(&(repository as u32), |posting| posting.repository).ok()?;
                let contribution = self.contribution(term.weight, postings.len(), &postings[at]);
                let has = |field: &Field| postings[at].fields >> *field as u32 & 1 == 1;
                Some(Match {
                    word: term.word.clone(),
                    contribution,
                    fields: Field::ALL.into_iter().filter(has).collect(),
                })
            })
            .collect();
        matches.sort_by(|one, two| two.contribution.total_cmp(&one.contribution).then_with(|| one.word.cmp(&two.word)));
        matches.truncate(MAX_MATCHES);
        matches
    }

    fn contribution(&self, weight: f64, with: usize, posting: &Posting) -> f64 {
        let frequency = f64::from(posting.frequency);
        weight * idf(self.repositories.len(), with) * frequency / (self.config.k1 + frequency)
    }

    /// Returns the terms of a task, sorted.
    fn query(&self, task: &str) -> Vec<QueryTerm> {
        let vocabulary = Vocabulary::embedded();
        let lists = vocabulary.words();
        let mut query = self.keywords(extract(task, lists));
        if !query.keys().any(|term| self.has(term)) {
            query = self.keywords(extract_with_verbs(task, lists));
        }
        // Segments of dotted names and of paths are often packages.
        let Mentions { paths, dotted, frames, .. } = mentions(task, lists);
        let mentioned = paths.iter().chain(&dotted).chain(frames.iter().map(|frame| &frame.path));
        for term in mentioned.flat_map(|text| terms(text)) {
            let known = query.entry(term.clone()).or_insert(QueryTerm { word: term.clone(), term, weight: 0.0 });
            known.weight = known.weight.max(self.config.segment);
        }
        let mut query: Vec<QueryTerm> = query.into_values().collect();
        query.sort_by(|one, two| one.term.cmp(&two.term));
        query
    }

    /// Returns the terms of keywords, each with the shortest keyword that has it.
    fn keywords(&self, mut keywords: Keywords) -> HashMap<String, QueryTerm> {
        let Ok(()) = keywords.limit::<Infallible>(|word| Ok(word.terms().iter().any(|term| self.has(term))));
        let mut words: HashMap<String, &str> = HashMap::new();
        for keyword in &keywords.keywords {
            for term in keyword.terms() {
                let word = words.entry(term).or_insert(&keyword.text);
                *word = std::cmp::min_by_key(*word, &keyword.text, |word| (word.len(), *word));
            }
        }
        let query_term = |(term, (weight, _)): (String, (f64, _))| {
            let word = words.get(&term).map_or_else(|| term.clone(), |word| (*word).to_owned());
            (term.clone(), QueryTerm { term, word, weight })
        };
        keywords.terms().into_iter().map(query_term).collect()
    }

    fn has(&self, term: &str) -> bool {
        !self.postings(term).is_empty()
    }

    fn postings(&self, term: &str) -> &[Posting] {
        let Ok(index) = self.hashes.binary_search(&xxh3_64(term.as_bytes())) else { return &[] };
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.postings[start as usize..self.ends[index] as usize]
    }
}

impl RouterConfig {
    /// Returns the weighted frequency of a term in a catalog. Counts of symbols vary with their size; the square root makes
    /// that the same for rare and frequent terms.
    fn frequency(&self, counts: &Counts, lengths: &Counts) -> f64 {
        let of_field = |field: usize| {
            let length = f64::from(lengths[field].max(counts[field])) + self.smoothing;
            self.weights[field] * (f64::from(counts[field]) / length).sqrt()
        };
        (0..FIELDS).filter(|field| counts[*field] > 0).map(of_field).sum()
    }
}
