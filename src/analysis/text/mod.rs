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

pub use identifier::{identifier_parts, split_identifier};
pub use path::{file_name, parent_dir, split_path};
pub use stem::stem;
