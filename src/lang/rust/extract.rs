//! Walks a Rust syntax tree and writes down its facts.

use crate::facts::{FactsBuilder, FileFacts};
use crate::lang::SourceFile;

/// Facts of one Rust file.
pub fn extract(_file: &SourceFile<'_>) -> FileFacts {
    FactsBuilder::new().finish()
}
