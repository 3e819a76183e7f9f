//! Spans of definitions in their files.

use serde::{Deserialize, Serialize};

/// A range of source text. Bytes are half-open offsets into the file; lines are 1-based and inclusive.
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
    /// Line of the definition's name, the one shown to users.
    pub name_line: u32,
}

impl Span {
    /// Returns whether the symbol has lines. A route and a package have none: they are wherever code names them.
    pub fn is_known(&self) -> bool {
        self.name_line > 0
    }

    /// Returns the place in a file, such as `src/app.py:12`; the file alone if the line is not known.
    pub fn place(&self, file: &str) -> String {
        if self.is_known() { format!("{file}:{}", self.name_line) } else { file.to_owned() }
    }
}
