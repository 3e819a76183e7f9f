//! What is asked for, and how much may be spent on it.

use tui_input::Input;

use crate::model::{Options, Request, Task};

/// The task line.
#[derive(Debug, Clone)]
pub struct TaskEntry {
    pub input: Input,
    pub budget_tokens: usize,
    /// What the ranking does without.
    pub options: Options,
}

impl TaskEntry {
    /// The task without surrounding blanks.
    pub fn text(&self) -> &str {
        self.input.value().trim()
    }

    /// What the engine is asked.
    pub fn task(&self) -> Task {
        let request = Request::Task(self.text().to_owned());
        Task { request, budget_tokens: self.budget_tokens, options: self.options.clone() }
    }
}
