//! Stems words with the Snowball English stemmer, so that `validators` matches `validate`.

use std::borrow::Cow;

use rust_stemmers::{Algorithm, Stemmer};

/// Returns the stem of a lower-case word. Words shorter than four letters and words with characters other than `a` to
/// `z` are unchanged.
pub fn stem(word: &str) -> Cow<'_, str> {
    if word.len() < 4 || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return Cow::Borrowed(word);
    }
    thread_local! {
        static STEMMER: Stemmer = Stemmer::create(Algorithm::English);
    }
    STEMMER.with(|stemmer| Cow::Owned(stemmer.stem(word).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::stem;

    #[test]
    fn inflections_have_equal_stems() {
        assert_eq!(stem("validators"), stem("validator"));
        assert_eq!(stem("migrations"), stem("migrate"));
        assert_eq!(stem("parsing"), stem("parse"));
    }

    #[test]
    fn short_and_mixed_words_are_unchanged() {
        for word in ["ids", "utf8", "i18n", "größe", ""] {
            assert_eq!(stem(word), word);
        }
    }
}
