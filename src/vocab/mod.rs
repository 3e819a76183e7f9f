//! Loads the vocabulary under `seeds/`, which is embedded in the binary.

mod words;

pub use words::word_lists;
