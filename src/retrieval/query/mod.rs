//! Query analysis: from a task's text to keywords, intent and the cluster of similar tasks.
//!
//! [`parts`], [`keywords`] and [`intent`] are pure; [`analyze`] looks words up in the index. Independent of
//! channels and scores.

pub mod intent;
pub mod keywords;
mod frames;
mod locations;
mod mentions;
mod own_name;
pub mod parts;
mod printed;
mod question;

pub use frames::Frame;
pub use intent::classify_intent;
pub use keywords::{Form, Keyword, Keywords, extract_with_verbs as keywords_with_verbs};
pub use locations::{Location, is_source_path, locations};
pub use mentions::{Mentions, mentions};
pub use own_name::without_own_name;
pub use parts::{Part, title};
pub use printed::{Message, is_word_part, printed};
pub use question::{question, readings};

use crate::concepts::WordLists;
use crate::feedback::Cluster;
use crate::store::{Reader, StoreError};
use crate::text::stem;
use keywords::{extract, extract_with_verbs};

/// Limit of the primary keywords of a cluster; a query's most specific words come first.
const MAX_CLUSTER_KEYWORDS: usize = 24;

/// Returns the keywords of a task. Action verbs are excluded, since they rarely name code, unless no other word of the
/// task is in the index: "add and subtract" may refer to `add`.
///
/// # Errors
/// When the store can't be read.
pub fn analyze(reader: &Reader, lists: &WordLists, task: &str) -> Result<Keywords, StoreError> {
    let is_known = |keyword: &Keyword| Ok(keyword.form == Form::Called || has_term(reader, keyword)?);
    let mut keywords = extract(task, lists);
    keywords.limit::<StoreError>(is_known)?;
    if is_indexed(reader, &keywords)? {
        return Ok(keywords);
    }
    let mut with_verbs = extract_with_verbs(task, lists);
    with_verbs.limit::<StoreError>(is_known)?;
    Ok(if is_indexed(reader, &with_verbs)? { with_verbs } else { keywords })
}

/// Returns whether a word of the query is a term of the index or a prefix of a name in it, as `dedup` is of
/// `deduplicate`.
fn is_indexed(reader: &Reader, keywords: &Keywords) -> Result<bool, StoreError> {
    for Keyword { text, .. } in keywords.words() {
        if reader.has_term(&stem(text))? || !reader.nodes_with_prefix(text, 1)?.is_empty() {
            return Ok(true);
        }
    }
    for identifier in keywords.with_form(Form::Quoted) {
        if has_term(reader, identifier)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns whether the index has a term of a keyword.
fn has_term(reader: &Reader, keyword: &Keyword) -> Result<bool, StoreError> {
    for term in keyword.terms() {
        if reader.has_term(&term)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns the name that is all of a task: one identifier.
pub fn sole_name(task: &str) -> Option<&str> {
    let name = task.trim();
    let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '$');
    (name.starts_with(|first: char| is_part(first) && !first.is_numeric()) && name.chars().all(is_part)).then_some(name)
}

/// Returns the cluster of a query: the stems of its primary keywords.
pub fn cluster(keywords: &Keywords) -> Cluster {
    Cluster::new(keywords.words().take(MAX_CLUSTER_KEYWORDS).map(|word| stem(&word.text).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_of_one_identifier_is_a_name() {
        assert_eq!(
            [" load\n", "_g", "$el", "Pod2"].map(sole_name),
            [Some("load"), Some("_g"), Some("$el"), Some("Pod2")]
        );
        assert_eq!(["", "2", "load it", "load()", "a.b", "late-fees"].map(sole_name), [None; 6]);
    }

    #[test]
    fn cluster_ignores_order_and_word_form() {
        let cluster = |words: &[&str]| {
            let word = |word: &&str| Keyword { text: (*word).to_owned(), form: Form::Word, part: Part::Subject };
            cluster(&Keywords { keywords: words.iter().map(word).collect(), ..Keywords::default() })
        };
        let (one, two) = (cluster(&["session", "expires"]), cluster(&["expire", "sessions", "session"]));
        assert_eq!((&one, one.hash()), (&two, two.hash()));
    }
}
