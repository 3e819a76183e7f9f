//! What the user asks for.

/// One of the three ways into the retrieval pipeline (SPEC §6).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Request {
    /// A task in plain words.
    Task(String),
    /// Changed files, as paths relative to the repository's root.
    Files(Vec<String>),
    /// A branch, tag or commit to compare the working tree with.
    PullRequest(String),
}

/// A request and how much may be spent on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    pub request: Request,
    /// The pack's size limit, in cl100k_base tokens of the rendered text.
    pub budget_tokens: usize,
}

impl Task {
    /// Budget for tasks and files when none is given (SPEC §6).
    pub const DEFAULT_BUDGET: usize = 50_000;
    /// Budget for pull requests when none is given (SPEC §6).
    pub const PULL_REQUEST_BUDGET: usize = 8_000;

    /// A task in plain words with the default budget.
    pub fn words(text: impl Into<String>) -> Task {
        Task { request: Request::Task(text.into()), budget_tokens: Self::DEFAULT_BUDGET }
    }
}
