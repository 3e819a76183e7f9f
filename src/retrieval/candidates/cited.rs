//! Definitions that comments cite which have the words of a question: comments on modules and types explain with the
//! reader's words what the cited code does.

use std::collections::{BTreeSet, HashMap};

use super::select::is_candidate;
use super::{Graph, Lexical};
use crate::model::NodeId;
use crate::rank::bm25f::{best, field_scores};
use crate::rank::tuning;
use crate::store::{Reader, SearchColumn, StoreError};
use crate::text::prefix;

/// Number of the comments that match best.
const COMMENTS: usize = 60;
/// Limit of the names that are looked up for a task.
const MAX_NAMES: usize = 300;
/// Limit of a comment that is read, in bytes.
const MAX_COMMENT: usize = 20_000;
/// Limit of the definitions of a cited name: a name of more says little.
const SAME_NAME: usize = 8;
/// The same for candidates, and the number of names that add some.
const SAME_NAME_CANDIDATES: usize = 3;
const NAMES_CANDIDATES: usize = 30;
/// Words of a comment before a name that it links.
const LINKS: [&str; 4] = ["link", "linkplain", "see", "ref"];

/// Definitions that comments cite.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Cited {
    /// For each definition the score of the best comment that cites it, as a share of the best comment's.
    pub values: HashMap<NodeId, f64>,
    /// Those of the names with most evidence: many comments that match well and cite little else.
    pub candidates: Vec<NodeId>,
}

/// Returns the definitions that the comments cite which match the query best.
///
/// # Errors
/// When the store can't be read.
pub fn cited(reader: &Reader, graph: &Graph, lexical: &Lexical) -> Result<Cited, StoreError> {
    let comments = comments(graph, lexical);
    let Some((_, largest)) = comments.first().copied() else { return Ok(Cited::default()) };
    // For each name the share of the best comment, and the evidence of all.
    let mut names: HashMap<String, (f64, f64)> = HashMap::new();
    for (node, score) in comments {
        let Some(symbol) = reader.symbol(node)? else { continue };
        let cited = citations(&symbol.doc);
        let share = score / largest;
        for name in cited.iter().filter(|name| **name != symbol.name) {
            let (best, all) = names.entry((*name).to_owned()).or_default();
            *best = best.max(share);
            *all += share * share / (cited.len() as f64).sqrt();
        }
    }
    let mut names: Vec<(String, (f64, f64))> = names.into_iter().collect();
    names.sort_by(|one, two| two.1.1.total_cmp(&one.1.1).then_with(|| one.0.cmp(&two.0)));
    names.truncate(MAX_NAMES);
    let mut found = Cited::default();
    let mut adding = 0;
    for (name, (share, _)) in names {
        let mut nodes = reader.nodes_named_exactly(&name, SAME_NAME + 1)?;
        nodes.retain(|node| is_candidate(graph, *node) && graph.meta(*node).is_some_and(|meta| !meta.is_test));
        if nodes.is_empty() || nodes.len() > SAME_NAME {
            continue;
        }
        if nodes.len() <= SAME_NAME_CANDIDATES && adding < NAMES_CANDIDATES {
            adding += 1;
            found.candidates.extend(&nodes);
        }
        found.values.extend(nodes.into_iter().map(|node| (node, share)));
    }
    Ok(found)
}

/// Returns the symbols whose comments match the query best, with their scores, best first.
fn comments(graph: &Graph, lexical: &Lexical) -> Vec<(NodeId, f64)> {
    let lengths = |node: NodeId| graph.lengths().get(node);
    let (config, field) = (&tuning::DEFAULT.lexical, SearchColumn::Doc as usize);
    let scores = field_scores(&lexical.terms, graph.symbols(), config, &tuning::FIELD_K1, field, lengths);
    let scores: HashMap<NodeId, f64> =
        scores.into_iter().filter(|(node, _)| graph.meta(*node).is_some_and(|meta| !meta.is_test)).collect();
    let scored = scores.iter().map(|(node, score)| (*score, graph.id_prefix(*node), *node)).collect();
    best(scored, COMMENTS).into_iter().map(|node| (node, scores[&node])).collect()
}

/// Returns the last parts of the names that a comment cites: those in code or links, and those that are written like no
/// word of prose.
fn citations(comment: &str) -> BTreeSet<&str> {
    let comment = prefix(comment, MAX_COMMENT);
    let mut cited = BTreeSet::new();
    let (mut in_code, mut in_fence, mut last) = (false, false, "");
    let mut start = None;
    for (at, letter) in comment.char_indices().chain([(comment.len(), ' ')]) {
        if letter.is_alphanumeric() || letter == '_' {
            start.get_or_insert(at);
            continue;
        }
        if let Some(from) = start.take() {
            let name = &comment[from..at];
            let is_linked = LINKS.contains(&last) || comment[..from].ends_with('[');
            let continues = comment[at..].starts_with("::") || comment[at..].starts_with('.') && in_code;
            if (in_code || is_linked || is_written_as_code(name)) && !continues && is_name(name) {
                cited.insert(name);
            }
            last = name;
        }
        match letter {
            '`' if comment[..at].ends_with('`') => {}
            '`' if comment[at..].starts_with("```") => {
                in_fence = !in_fence;
                in_code = in_fence;
            }
            '`' => in_code = !in_code || in_fence,
            '\n' if comment[at..].starts_with("\n\n") => in_code = in_fence,
            _ => {}
        }
    }
    cited
}

fn is_name(name: &str) -> bool {
    name.len() > 2 && !name.starts_with(|letter: char| letter.is_ascii_digit())
}

/// Returns whether a word has the form of an identifier: an underscore between letters, or a capital after a small one.
fn is_written_as_code(word: &str) -> bool {
    let inner = word.trim_matches('_');
    inner.contains('_')
        || inner.as_bytes().windows(2).any(|two| two[0].is_ascii_lowercase() && two[1].is_ascii_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_code_links_and_of_the_form_of_identifiers_are_cited() {
        for (comment, expected) in [
            ("Opens the `till` for a [Visitor] of {@link Cart#total}.", &["Cart", "Visitor", "till"][..]),
            ("Uses `Cart::total` and `cart.add()` on iOS of snake_case.", &["add", "iOS", "snake_case", "total"]),
            ("Plain words, Capital words and `9lives` cite nothing.", &[]),
            ("An open ` ends with its paragraph.\n\nNothing here", &["ends", "its", "with"]),
        ] {
            assert_eq!(citations(comment).into_iter().collect::<Vec<_>>(), expected, "{comment}");
        }
    }
}
