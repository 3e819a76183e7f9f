//! Text processing, independent of languages and repositories: identifier splitting, stemming, search terms, sanitizing
//! for display, links, token counting, lines, paths, fuzzy patterns, counts and lists in sentences.

pub mod display;
pub mod identifier;
pub mod lines;
pub mod link;
pub mod path;
pub mod pattern;
mod phrase;
pub mod stem;
pub mod terms;
pub mod tokens;

use std::borrow::Cow;

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

pub use identifier::{identifier_parts, is_cjk, split_identifier};
pub use path::{common_folders, file_name, parent_dir, route_form, split_path};
pub use phrase::{count, listed};
pub use stem::stem;

/// Returns the longest beginning of a text that has at most `limit` bytes and whole characters.
pub fn prefix(text: &str, limit: usize) -> &str {
    let end = (0..=limit.min(text.len())).rfind(|end| text.is_char_boundary(*end));
    &text[..end.unwrap_or_default()]
}

/// Returns a text in Unicode's composed form (NFC): `é` is one character, whether a program wrote one or two.
pub fn composed(text: &str) -> Cow<'_, str> {
    match text.is_ascii() || is_nfc_quick(text.chars()) == IsNormalized::Yes {
        true => Cow::Borrowed(text),
        false => Cow::Owned(text.nfc().collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefix_has_whole_characters() {
        assert_eq!(prefix("abc", 5), "abc");
        assert_eq!(prefix("aéb", 2), "a");
        assert_eq!(prefix("é", 0), "");
    }
}
