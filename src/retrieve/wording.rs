//! What a task's words become, against an index.

use super::long;
use crate::rank::keywords::{Keywords, WordLists, keywords, keywords_with_verbs};
use crate::store::{Reader, StoreError};
use crate::text::stem;
use crate::text::terms::terms;

/// The task's keywords. Verbs of action say what is to be done, not where; but where nothing else of the task is anywhere in
/// the index, they are all there is to go by: "add and subtract" may well ask for `add`.
///
/// # Errors
/// When the store can't be read.
pub fn wording(reader: &Reader, lists: &WordLists, task: &str) -> Result<Keywords, StoreError> {
    let task = long::shortened(reader, task)?;
    let found = keywords(&task, lists);
    if is_indexed(reader, &found)? {
        return Ok(found);
    }
    let with_verbs = keywords_with_verbs(&task, lists);
    Ok(if is_indexed(reader, &with_verbs)? { with_verbs } else { found })
}

/// True when a word is in the index, or begins a name there: `dedup` finds `deduplicate`. Parts of compounds are words, too.
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
