//! What is asked for, and how much may be spent on it.

use tui_input::Input;

/// The task line.
#[derive(Debug, Clone)]
pub struct TaskEntry {
    pub input: Input,
    pub budget_tokens: usize,
}

impl TaskEntry {
    /// The task without surrounding blanks.
    pub fn text(&self) -> &str {
        self.input.value().trim()
    }
}
