//! Text processing: identifier splitting, stemming, search terms, sanitizing for display, token counting. Independent
//! of languages and repositories.

pub mod display;
pub mod identifier;
pub mod stem;
pub mod terms;
pub mod tokens;

pub use identifier::{identifier_parts, split_identifier};
pub use stem::stem;
