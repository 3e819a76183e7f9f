//! Names that are similar to one that was asked for: those that begin with it or have its words, which the index finds; if there
//! are none, those with its letters in order.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashSet};

use nucleo::pattern::{AtomKind, CaseMatching, Normalization, Pattern};
use nucleo::{Config, Matcher, Utf32Str};

use crate::model::{NodeId, SymbolKind};
use crate::store::{NodeSummary, Reader, SearchColumn, StoreError};
use crate::text::pattern::bounded_pattern;
use crate::text::{split_identifier, stem};

/// Minimum Jaro-Winkler similarity of a suggestion.
const MIN_SIMILARITY: f64 = 0.85;
/// Limit of the suggestions.
pub(super) const MAX_SUGGESTIONS: usize = 5;
/// Limit of the names that begin with a query, shortest first.
const MAX_PREFIXED: usize = 500;
/// Limit of the symbols that have a word; more are not told apart by it.
const MAX_WITH_WORD: usize = 200_000;
/// Limit of the symbols that have all words of a query; of more, only those are read that begin with it.
const MAX_WITH_WORDS: usize = 5_000;

/// Returns the symbols with similar names, best first, without those that are `known`; all of them are only read if there is
/// none, not even a known one.
///
/// # Errors
/// When the database can't be read.
pub(super) fn similar(
    reader: &Reader,
    query: &str,
    known: &HashSet<NodeId>,
    limit: usize,
) -> Result<Vec<NodeId>, StoreError> {
    let mut nodes: BTreeSet<NodeId> = reader.nodes_with_prefix(query, limit.max(MAX_PREFIXED))?.into_iter().collect();
    let with_words = with_words(reader, query)?;
    if with_words.len() <= MAX_WITH_WORDS {
        nodes.extend(with_words);
    }
    let mut search = Search::new(query);
    let mut found = Vec::new();
    for node in nodes.into_iter().filter(|node| !known.contains(node)) {
        found.extend(reader.node_summary(node)?.filter(is_listed).and_then(|head| search.rate(head)));
    }
    if found.is_empty() && known.is_empty() {
        found = search.among_all(reader, limit)?;
    }
    found.sort_unstable();
    Ok(found.into_iter().take(limit).map(|rated| rated.node).collect())
}

/// Returns whether a symbol is listed among similar names.
fn is_listed(head: &NodeSummary) -> bool {
    head.kind != SymbolKind::External
}

/// Returns the symbols whose names have every word of a query.
fn with_words(reader: &Reader, query: &str) -> Result<BTreeSet<NodeId>, StoreError> {
    let words: BTreeSet<String> = split_identifier(query).iter().map(|word| stem(word).into_owned()).collect();
    let mut nodes: Option<BTreeSet<NodeId>> = None;
    for word in &words {
        let postings = reader.postings(word, MAX_WITH_WORD)?.into_iter();
        let named = postings.filter(|posting| posting.frequencies[SearchColumn::SymbolName as usize] > 0);
        let named = named.map(|posting| posting.document);
        nodes = Some(match nodes {
            None => named.collect(),
            Some(nodes) => named.filter(|node| nodes.contains(node)).collect(),
        });
    }
    Ok(nodes.unwrap_or_default())
}

/// A symbol by the order in which it is listed.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Rated {
    score: Reverse<u32>,
    length: usize,
    name: String,
    identity: [u8; 16],
    node: NodeId,
}

/// A fuzzy search for names.
struct Search {
    matcher: Matcher,
    pattern: Pattern,
    buffer: Vec<char>,
}

impl Search {
    fn new(query: &str) -> Search {
        let query = bounded_pattern(query);
        let pattern = Pattern::new(&query, CaseMatching::Ignore, Normalization::Smart, AtomKind::Fuzzy);
        Search { matcher: Matcher::new(Config::DEFAULT), pattern, buffer: Vec::new() }
    }

    fn score(&mut self, name: &str) -> Option<u32> {
        self.pattern.score(Utf32Str::new(name, &mut self.buffer), &mut self.matcher)
    }

    fn rate(&mut self, head: NodeSummary) -> Option<Rated> {
        let NodeSummary { node, identity, name, .. } = head;
        Some(Rated { score: Reverse(self.score(&name)?), length: name.len(), name, identity: identity.0, node })
    }

    /// Returns the best of all symbols. Reads every name, and keeps few.
    fn among_all(&mut self, reader: &Reader, limit: usize) -> Result<Vec<Rated>, StoreError> {
        let mut best: BTreeSet<(Reverse<u32>, usize, String)> = BTreeSet::new();
        let mut failure = Ok(());
        reader.for_each_name(|name| {
            let Some(score) = self.score(name) else { return };
            let rated = (Reverse(score), name.len(), name.to_owned());
            let is_good = best.len() < limit || best.last().is_some_and(|last| rated < *last);
            if !is_good || failure.is_err() {
                return;
            }
            match reader.node_summaries_named(name) {
                Ok(heads) if heads.iter().any(is_listed) => {
                    best.insert(rated);
                    if best.len() > limit {
                        best.pop_last();
                    }
                }
                Ok(_) => {}
                Err(error) => failure = Err(error),
            }
        })?;
        failure?;
        let mut found = Vec::new();
        for (.., name) in best {
            let heads = reader.node_summaries_named(&name)?.into_iter().filter(is_listed);
            found.extend(heads.filter_map(|head| self.rate(head)));
        }
        Ok(found)
    }
}

/// Returns the names most similar to `query`, best first.
pub(super) fn suggestions<'a>(query: &str, names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut ranking = Suggestions::new(query);
    names.for_each(|name| ranking.add(name));
    ranking.best().take(MAX_SUGGESTIONS).collect()
}

/// Returns the names of symbols most similar to `query`, best first. Reads every name.
///
/// # Errors
/// When the database can't be read.
pub(super) fn suggested(reader: &Reader, query: &str) -> Result<Vec<String>, StoreError> {
    let mut ranking = Suggestions::new(query);
    reader.for_each_name(|name| ranking.add(name))?;
    let mut names = Vec::new();
    for name in ranking.best() {
        if names.len() == MAX_SUGGESTIONS {
            break;
        }
        names.extend(reader.node_summaries_named(&name)?.iter().any(is_listed).then_some(name));
    }
    Ok(names)
}

/// Names that are similar to a query in lower case.
struct Suggestions {
    query: String,
    names: Vec<(f64, String)>,
}

impl Suggestions {
    fn new(query: &str) -> Suggestions {
        Suggestions { query: query.to_lowercase(), names: Vec::new() }
    }

    fn add(&mut self, name: &str) {
        let lower = name.to_lowercase();
        let (one, other) = without_common_ending(&self.query, &lower);
        let similarity = strsim::jaro_winkler(one, other);
        if similarity >= MIN_SIMILARITY {
            self.names.push((similarity, name.to_owned()));
        }
    }

    /// Returns the names, best first, each once.
    fn best(mut self) -> impl Iterator<Item = String> {
        self.names.sort_by(|one, two| two.0.total_cmp(&one.0).then_with(|| one.1.cmp(&two.1)));
        self.names.dedup_by(|one, two| one.1 == two.1);
        self.names.into_iter().map(|(_, name)| name)
    }
}

/// Returns two names without the ending that both have: files of one kind are not similar by it.
fn without_common_ending<'a>(one: &'a str, other: &'a str) -> (&'a str, &'a str) {
    match (one.split_once('.'), other.split_once('.')) {
        (Some((first, ending)), Some((second, same))) if ending == same => (first, second),
        _ => (one, other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{FileId, SymbolId};

    /// Returns the order in which these names are listed.
    fn listed(query: &str, names: &[(&str, u8)]) -> Vec<u32> {
        let mut search = Search::new(query);
        let head = |(index, (name, identity)): (usize, &(&str, u8))| NodeSummary {
            node: NodeId::from_index(index),
            identity: SymbolId([*identity; 16]),
            kind: SymbolKind::Function,
            file: Some(FileId::new(1)),
            is_test: false,
            name: (*name).to_owned(),
        };
        let mut rated: Vec<Rated> = names.iter().enumerate().filter_map(|one| search.rate(head(one))).collect();
        rated.sort_unstable();
        rated.into_iter().map(|rated| rated.node.get()).collect()
    }

    #[test]
    fn typing_errors_find_the_name() {
        let names = ["before_request", "after_request", "run", "before_request"];
        assert_eq!(suggestions("befroe_request", names.into_iter()), ["before_request"]);
    }

    #[test]
    fn an_ending_makes_no_files_similar() {
        let names = ["404.html.erb", "new.html.erb", "indxe.html.erb"];
        assert_eq!(suggestions("index.html.erb", names.into_iter()), ["indxe.html.erb"]);
    }

    #[test]
    fn letters_in_order_are_similar() {
        assert_eq!(listed("dsprq", &[("dispatch_request", 1), ("full_dispatch_request", 2), ("run", 3)]), [0, 1]);
    }

    #[test]
    fn no_letter_of_a_query_is_an_operator() {
        for query in ["!run", "^run", "run$", "'run"] {
            assert_eq!(listed(query, &[("run", 1), ("stop", 2)]), [0; 0], "{query}");
        }
    }

    #[test]
    fn namesakes_come_in_an_order_that_numbers_do_not_decide() {
        assert_eq!(listed("rn", &[("run", 9), ("run", 8), ("run", 7)]), [2, 1, 0]);
    }
}
