//! Truncation of long tasks: the beginning, and every later word that names a symbol.
//!
//! Users paste logs. Each term is looked up, so the text must be bounded, but every name in it should be kept.
//! Complexity: one look-up by name for each distinct identifier after the beginning.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::store::{Reader, StoreError};

/// Limits of the beginning that is kept whole, whichever is reached first. With the names that follow, the text stays
/// below the limits of keyword extraction.
const BEGINNING_WORDS: usize = 400;
const BEGINNING_BYTES: usize = 6_000;
/// Limit of the names taken from the rest.
const MAX_NAMES: usize = 100;

/// Returns the task, truncated if it is long.
///
/// # Errors
/// When the store can't be read.
pub fn truncate<'a>(reader: &Reader, task: &'a str) -> Result<Cow<'a, str>, StoreError> {
    truncate_by(task, |name| Ok(!reader.nodes_named(name, 1)?.is_empty()))
}

fn truncate_by<E>(task: &str, mut is_name: impl FnMut(&str) -> Result<bool, E>) -> Result<Cow<'_, str>, E> {
    let limit = beginning(task);
    if limit == task.len() {
        return Ok(Cow::Borrowed(task));
    }
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    // An identifier across the limit belongs to the rest.
    let start = task[..limit].rfind(|letter| !is_part(letter)).unwrap_or(0);
    let (beginning, rest) = task.split_at(start);
    let mut short = beginning.to_owned();
    let mut seen = HashSet::new();
    let mut names = 0;
    let words = rest.split(|letter| !is_part(letter));
    for word in words.filter(|word| !word.is_empty() && word.len() <= BEGINNING_BYTES) {
        if names < MAX_NAMES && seen.insert(word) && is_name(word)? {
            names += 1;
            short.push(' ');
            short.push_str(word);
        }
    }
    Ok(Cow::Owned(short))
}

/// Returns the end of the beginning in bytes. Backticks separate words as white space does.
fn beginning(task: &str) -> usize {
    let max_bytes = BEGINNING_BYTES.min(task.len());
    let by_bytes = (0..=max_bytes).rev().find(|offset| task.is_char_boundary(*offset)).unwrap_or(0);
    let is_blank = |letter: char| letter.is_whitespace() || letter == '`';
    let starts = task[..by_bytes].match_indices(|letter| !is_blank(letter)).map(|(offset, _)| offset);
    let mut words = starts.filter(|offset| task[..*offset].chars().next_back().is_none_or(is_blank));
    words.nth(BEGINNING_WORDS).unwrap_or(by_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn short(task: &str) -> String {
        let known = |name: &str| Ok::<bool, ()>(["charge", "Cart"].contains(&name));
        truncate_by(task, known).unwrap().into_owned()
    }

    #[test]
    fn short_tasks_are_unchanged() {
        assert_eq!(short("fix the cart"), "fix the cart");
        assert_eq!(short(""), "");
    }

    #[test]
    fn names_are_kept_wherever_they_occur() {
        let log = "2024-01-01 nothing of note; ".repeat(4_000);
        let short = short(&format!("why {log} Cart.charge(1), Cart {log}"));
        assert!(short.starts_with("why 2024") && short.ends_with(" Cart charge"), "{short}");
        assert!(short.len() < BEGINNING_BYTES + 20 && short.split_whitespace().count() <= BEGINNING_WORDS + 2);
    }

    #[test]
    fn a_name_across_the_limit_is_kept_whole() {
        for before in BEGINNING_BYTES - 10..BEGINNING_BYTES + 2 {
            let task = format!("{}é charge {}", "-".repeat(before), ",".repeat(50));
            assert!(short(&task).ends_with(" charge") || short(&task).contains("é charge "), "{before}");
        }
        assert_eq!(short(&"x".repeat(100_000)), "");
        assert!(short(&"é".repeat(50_000)).is_empty());
    }
}
