//! Messages to standard error, which are off unless asked for.

use std::io::Write;

use crate::text::display;

/// A log that may be off.
#[derive(Debug, Clone, Copy)]
pub struct Log {
    is_on: bool,
}

impl Log {
    /// Creates a log.
    pub fn new(is_on: bool) -> Log {
        Log { is_on }
    }

    /// Writes a line.
    pub fn write(self, text: &str) {
        if self.is_on {
            self.notify(text);
        }
    }

    /// Writes a line that the user needs, such as a token.
    pub fn notify(self, text: &str) {
        // Nothing can be done when standard error is closed.
        let _closed = writeln!(std::io::stderr(), "knowing mcp: {}", display::safe(text));
    }
}
