//! The vocabulary: what people say, and what code calls it (SPEC §7). Loads `seeds/`, which is embedded in the binary, and
//! the files that a user or a repository adds; finds the classes that a task speaks of.

pub mod check;
pub mod class;
mod files;
mod matching;
mod profile;
pub mod seed_file;
#[cfg(test)]
mod tests;
mod thesaurus;
mod vocabulary;
mod word_file;
mod words;

pub use class::{Class, Layer, Scope};
pub use matching::{Fired, Gate, Said};
pub use profile::{Profile, Standing};
pub use seed_file::Problem;
pub use thesaurus::Thesaurus;
pub use vocabulary::Vocabulary;
