//! Text processing, independent of languages and repositories: identifier splitting, stemming, search terms, sanitizing
//! for display, links, token counting, paths, fuzzy patterns.

pub mod display;
pub mod identifier;
pub mod link;
pub mod path;
pub mod pattern;
pub mod stem;
pub mod terms;
pub mod tokens;

use std::borrow::Cow;

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

pub use identifier::{identifier_parts, split_identifier};
pub use path::{file_name, parent_dir, split_path};
pub use stem::stem;

/// Returns a text in Unicode's composed form (NFC): `é` is one character, whether a program wrote one or two.
pub fn composed(text: &str) -> Cow<'_, str> {
    match text.is_ascii() || is_nfc_quick(text.chars()) == IsNormalized::Yes {
        true => Cow::Borrowed(text),
        false => Cow::Owned(text.nfc().collect()),
    }
}
