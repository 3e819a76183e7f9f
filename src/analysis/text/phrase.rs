//! Counts and lists in sentences.

use super::display::thousands;

/// Formats a number and its noun, in the plural unless the number is 1: `1 file`, `1,200 files`, `2 repositories`.
pub fn count(number: usize, noun: &str) -> String {
    let is_vowel = |letter: char| "aeiou".contains(letter);
    let number_and = |noun: &str, end: &str| format!("{} {noun}{end}", thousands(number));
    match noun.strip_suffix('y').filter(|stem| !stem.ends_with(is_vowel)) {
        _ if number == 1 => number_and(noun, ""),
        Some(stem) => number_and(stem, "ies"),
        None => number_and(noun, "s"),
    }
}

/// Joins the first items, at most `limit`, and says how many more there are: `a, b and 3 more`.
pub fn listed<S: AsRef<str>>(items: &[S], limit: usize) -> String {
    let (named, more) = items.split_at(limit.min(items.len()));
    let named = named.iter().map(AsRef::as_ref).collect::<Vec<&str>>().join(", ");
    if more.is_empty() { named } else { format!("{named} and {} more", thousands(more.len())) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_noun_is_in_the_plural_unless_there_is_one() {
        assert_eq!([0, 1, 1_200].map(|number| count(number, "file")), ["0 files", "1 file", "1,200 files"]);
        assert_eq!([1, 2].map(|number| count(number, "repository")), ["1 repository", "2 repositories"]);
        assert_eq!(count(2, "key"), "2 keys");
    }

    #[test]
    fn a_long_list_ends_with_a_number() {
        assert_eq!(listed::<&str>(&[], 2), "");
        assert_eq!(listed(&["a", "b"], 2), "a, b");
        assert_eq!(listed(&["a", "b", "c", "d"], 2), "a, b and 2 more");
    }
}
