//! Concepts: mappings from phrases in tasks to symbol names in code. Loads the embedded `seeds/` and the files of a
//! user or a repository, matches concepts in a task and checks them. Independent of the index and of ranking.

mod concept;
pub mod diagnostics;
mod files;
mod matching;
mod profile;
pub mod seed_file;
#[cfg(test)]
mod tests;
mod vocabulary;
mod word_file;
mod words;

pub use concept::{Concept, Layer, Scope, is_generic};
pub use matching::{ConceptMatch, MatchStrength, PhraseMatch};
pub use profile::{FrameworkUse, Profile};
pub use seed_file::Problem;
pub use vocabulary::Vocabulary;
pub use words::WordLists;
