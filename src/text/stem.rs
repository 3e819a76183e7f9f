//! Word stems, so that `validators` finds `validate`: the Snowball English stemmer.

use std::borrow::Cow;

use rust_stemmers::{Algorithm, Stemmer};

/// The stem of a lower-case word. Words that are not plain letters, or shorter than four, are their own stems:
/// those are names, not prose.
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
    fn inflections_meet() {
        assert_eq!(stem("validators"), stem("validator"));
        assert_eq!(stem("migrations"), stem("migrate"));
        assert_eq!(stem("parsing"), stem("parse"));
    }

    #[test]
    fn short_and_mixed_words_stay() {
        for word in ["ids", "utf8", "i18n", "größe", ""] {
            assert_eq!(stem(word), word);
        }
    }
}
