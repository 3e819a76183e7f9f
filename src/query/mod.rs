//! Query analysis: from a task's text to keywords, intent and the cluster of similar tasks.
//!
//! [`keywords`] and [`intent`] are pure; [`analyze`] and [`truncate`] look names up in the index. Independent of
//! channels and scores.

pub mod intent;
pub mod keywords;
mod locations;
mod truncate;

pub use intent::classify_intent;
pub use keywords::Keywords;
pub use locations::{Location, locations};

use crate::concepts::WordLists;
use crate::feedback::Cluster;
use crate::store::{Reader, StoreError};
use crate::text::stem;
use crate::text::terms::terms;
use keywords::{extract, extract_with_verbs};

/// Limit of the primary keywords of a cluster; a query's most specific words come first.
const MAX_CLUSTER_KEYWORDS: usize = 24;

/// Returns the keywords of a task. Action verbs are excluded, since they rarely name code, unless no other word of the
/// task is in the index: "add and subtract" may refer to `add`.
///
/// # Errors
/// When the store can't be read.
pub fn analyze(reader: &Reader, lists: &WordLists, task: &str) -> Result<Keywords, StoreError> {
    let task = truncate::truncate(reader, task)?;
    let keywords = extract(&task, lists);
    if is_indexed(reader, &keywords)? {
        return Ok(keywords);
    }
    let with_verbs = extract_with_verbs(&task, lists);
    Ok(if is_indexed(reader, &with_verbs)? { with_verbs } else { keywords })
}

/// Returns whether a word of the query is a term of the index or a prefix of a name in it, as `dedup` is of
/// `deduplicate`.
fn is_indexed(reader: &Reader, keywords: &Keywords) -> Result<bool, StoreError> {
    for word in &keywords.components {
        if reader.has_term(&stem(word))? || !reader.nodes_with_prefix(word, 1)?.is_empty() {
            return Ok(true);
        }
    }
    for term in keywords.exact.iter().flat_map(|identifier| terms(identifier)) {
        if reader.has_term(&term)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns the cluster of a query: the stems of its primary keywords.
pub fn cluster(keywords: &Keywords) -> Cluster {
    Cluster::new(keywords.components.iter().take(MAX_CLUSTER_KEYWORDS).map(|word| stem(word).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cluster_ignores_order_and_word_form() {
        let cluster = |words: &[&str]| {
            let components = words.iter().map(|word| (*word).to_owned()).collect();
            cluster(&Keywords { components, ..Keywords::default() })
        };
        let (one, two) = (cluster(&["session", "expires"]), cluster(&["expire", "sessions", "session"]));
        assert_eq!((&one, one.hash()), (&two, two.hash()));
    }
}
