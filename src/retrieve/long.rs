//! A long task made short: its beginning, and whatever of the rest names a symbol.
//!
//! People paste logs. Their words are looked up one by one, so a task of any length has to become one of bounded length;
//! but a name that stands anywhere in it must not be lost. Complexity: one look-up by name for each distinct identifier
//! behind the beginning.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::store::{Reader, StoreError};

/// How much of a task counts word by word: so many words and bytes, whichever come first. With the names that follow they
/// stay below what the keywords read of a task.
const BEGINNING_WORDS: usize = 400;
const BEGINNING: usize = 6_000;
/// Most names that are taken from the rest.
const MOST_NAMES: usize = 100;

/// The task, or what there is to look up of a long one.
///
/// # Errors
/// When the store can't be read.
pub fn shortened<'a>(reader: &Reader, task: &'a str) -> Result<Cow<'a, str>, StoreError> {
    shortened_by(task, |name| Ok(!reader.nodes_named(name, 1)?.is_empty()))
}

fn shortened_by<E>(task: &str, mut is_name: impl FnMut(&str) -> Result<bool, E>) -> Result<Cow<'_, str>, E> {
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
    for word in rest.split(|letter| !is_part(letter)).filter(|word| !word.is_empty() && word.len() <= BEGINNING) {
        if names < MOST_NAMES && seen.insert(word) && is_name(word)? {
            names += 1;
            short.push(' ');
            short.push_str(word);
        }
    }
    Ok(Cow::Owned(short))
}

/// Where the part ends whose every word counts. Backticks separate words as white space does.
fn beginning(task: &str) -> usize {
    let by_bytes = (0..=BEGINNING.min(task.len())).rev().find(|place| task.is_char_boundary(*place)).unwrap_or(0);
    let is_blank = |letter: char| letter.is_whitespace() || letter == '`';
    let starts = task[..by_bytes].match_indices(|letter| !is_blank(letter)).map(|(place, _)| place);
    let mut words = starts.filter(|place| task[..*place].chars().next_back().is_none_or(is_blank));
    words.nth(BEGINNING_WORDS).unwrap_or(by_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn short(task: &str) -> String {
        let known = |name: &str| Ok::<bool, ()>(["charge", "Cart"].contains(&name));
        shortened_by(task, known).unwrap().into_owned()
    }

    #[test]
    fn an_ordinary_task_stays_as_it_is() {
        assert_eq!(short("fix the cart"), "fix the cart");
        assert_eq!(short(""), "");
    }

    #[test]
    fn names_are_found_wherever_they_stand() {
        let log = "2024-01-01 nothing of note; ".repeat(4_000);
        let short = short(&format!("why {log} Cart.charge(1), Cart {log}"));
        assert!(short.starts_with("why 2024") && short.ends_with(" Cart charge"), "{short}");
        assert!(short.len() < BEGINNING + 20 && short.split_whitespace().count() <= BEGINNING_WORDS + 2);
    }

    #[test]
    fn a_name_across_the_limit_is_whole() {
        for before in BEGINNING - 10..BEGINNING + 2 {
            let task = format!("{}é charge {}", "-".repeat(before), ",".repeat(50));
            assert!(short(&task).ends_with(" charge") || short(&task).contains("é charge "), "{before}");
        }
        assert_eq!(short(&"x".repeat(100_000)), "");
        assert!(short(&"é".repeat(50_000)).is_empty());
    }
}
