//! Lists of words in files beside the patterns of a language. They are split, and their order is checked, when the
//! program is compiled.

/// The words of a file as a sorted `&'static [&'static str]`; `static WORDS: &[&str] = word_list!("words.txt")`. It does
/// not compile when they are not in the order of their bytes.
macro_rules! word_list {
    ($file:literal) => {{
        const TEXT: &str = include_str!($file);
        const WORDS: [&str; $crate::lang::common::word_list::count(TEXT)] =
            $crate::lang::common::word_list::split(TEXT);
        &WORDS
    }};
}

pub(in crate::lang) use word_list;

/// Returns the number of words in a text.
pub const fn count(text: &str) -> usize {
    let bytes = text.as_bytes();
    let (mut words, mut at) = (0, 0);
    while at < bytes.len() {
        let is_last = at + 1 == bytes.len() || bytes[at + 1].is_ascii_whitespace();
        if is_last && !bytes[at].is_ascii_whitespace() {
            words += 1;
        }
        at += 1;
    }
    words
}

/// Returns the words of a text, whose [`count`] is `N`.
///
/// # Panics
/// When they are not in the order of their bytes.
pub const fn split<const N: usize>(text: &str) -> [&str; N] {
    let bytes = text.as_bytes();
    let mut words = [""; N];
    let (mut found, mut at) = (0, 0);
    while at < bytes.len() {
        let start = at;
        while at < bytes.len() && !bytes[at].is_ascii_whitespace() {
            at += 1;
        }
        if at > start {
            words[found] = text.split_at(at).0.split_at(start).1;
            assert!(found == 0 || is_before(words[found - 1], words[found]), "the words are not sorted");
            found += 1;
        }
        at += 1;
    }
    words
}

/// Returns whether a word is before another one in the order of their bytes.
const fn is_before(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at < other.len() && (at == one.len() || one[at] < other[at])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_at_white_space() {
        const TEXT: &str = "\n Eq add\tadd_all\r\nnew\n";
        assert_eq!((count(TEXT), count(""), count("a")), (4, 0, 1));
        assert_eq!(split::<4>(TEXT), ["Eq", "add", "add_all", "new"]);
    }

    #[test]
    #[should_panic(expected = "not sorted")]
    fn words_that_repeat_are_refused() {
        split::<2>("add add");
    }
}
