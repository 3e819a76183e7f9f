//! Where a definition stands in its file.

use serde::{Deserialize, Serialize};

/// A stretch of source text. Bytes are offsets into the file, half open; lines are 1-based and inclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Span {
    /// First byte, decorators and attributes included.
    pub start_byte: u32,
    /// One past the last byte.
    pub end_byte: u32,
    /// Line of the first byte.
    pub start_line: u32,
    /// Line of the last byte.
    pub end_line: u32,
    /// Line on which the definition's name stands; what a reader is shown.
    pub name_line: u32,
}
