//! The files of a run: their names, and the content of a line of each.
//!
//! A run is a folder with `run.json` and files of JSON lines that are only appended to, so that an interrupted run
//! resumes after the last complete line. Ranks are stored instead of metrics: a report is made from them without
//! running anything. Times are in seconds, sizes in bytes.

use serde::{Deserialize, Serialize};

/// The format's version; a reader refuses others.
pub const FORMAT: u32 = 1;

/// Names of a run's files.
pub mod file {
    /// Systems and machine: one [`super::RunRecord`].
    pub const RUN: &str = "run.json";
    /// One [`super::AnswerRecord`] a system, label, task and budget.
    pub const ANSWERS: &str = "answers.jsonl";
    /// One [`super::IndexRecord`] a system and repository.
    pub const INDEXES: &str = "indexes.jsonl";
    /// One [`super::LearningRecord`] a system, repository, round and group.
    pub const LEARNING: &str = "learning.jsonl";
    /// One [`super::StalenessRecord`] a system and change.
    pub const STALENESS: &str = "staleness.jsonl";
    /// One [`super::ScaleRecord`] a system and size.
    pub const SCALE: &str = "scale.jsonl";
}

/// The systems of a run, its machine and command.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunRecord {
    pub format: u32,
    /// When the run was first started, RFC 3339 in UTC.
    pub started: String,
    pub machine: Machine,
    /// The command line.
    pub command: String,
    pub program_version: String,
    /// Hash of the program's commit, if it was built in a checkout.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// Remarks on the run, such as on the load of the machine.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Names of the task sets.
    pub sets: Vec<String>,
    pub systems: Vec<SystemRecord>,
}

/// The machine that a run's times are about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    pub cpu: String,
    pub cores: usize,
    pub memory_bytes: u64,
    pub os: String,
}

/// A system of a run. One that could not run has a reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SystemRecord {
    pub name: String,
    pub title: String,
    pub version: String,
    pub license: String,
    /// BLAKE3 hash of the installed files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash: Option<String>,
    pub status: SystemStatus,
    /// Why the system is absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Whether it updates an index; the others index again.
    pub updates: bool,
    /// Whether it learns from feedback.
    pub learns: bool,
    /// Whether it prints the scores of its results.
    pub gives_scores: bool,
    /// Limits of the system, and how the adapter bridges them.
    #[serde(default)]
    pub notes: Vec<String>,
}

/// Whether a system took part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SystemStatus {
    Ran,
    Absent,
}

/// The state of a system when it was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Label {
    /// A new index, no feedback, nothing cached by the system.
    Cold,
    /// Asked before with the same text.
    Warm,
    /// After rounds of feedback on other tasks.
    Learned,
}

/// The answer of a system to one task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AnswerRecord {
    pub system: String,
    pub label: Label,
    /// The task's set.
    pub set: String,
    pub repository: String,
    pub language: String,
    /// `explore` for questions, `locate` for commit messages, `issue` for issues.
    pub kind: String,
    /// Whether the text contains the name of a relevant file (`names_file`) or symbol (`names_symbol`) or neither
    /// (`names_neither`), unless the task's author gave a tier.
    pub tier: String,
    /// The task's id.
    pub task: String,
    /// Budget in tokens of cl100k_base.
    pub budget: usize,
    /// Whether this program has concepts for the repository's framework.
    pub home: bool,
    /// Normalized names, best first, within the budget.
    pub ranked: Vec<String>,
    pub gold: Vec<String>,
    /// For each entry of `gold` the rank of the first result that matches by the dotted rule, from 1.
    pub ranks: Vec<Option<usize>>,
    /// The same by the strict rule.
    pub strict_ranks: Vec<Option<usize>>,
    /// Tokens of what the system printed.
    pub tokens: usize,
    /// Median over the repetitions.
    pub seconds: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Entries of `gold` without a strict rank within the first ten, and why.
    #[serde(default)]
    pub misses: Vec<Miss>,
}

/// A relevant symbol that is not among the first ten results.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Miss {
    pub gold: String,
    pub cause: Cause,
    /// The component of the score by which the results above it lead most, when it was ranked low.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub component: Option<String>,
}

/// Why a relevant symbol was missed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// The system gave no answer: an error or a timeout.
    NoAnswer,
    /// The system's index has no such symbol.
    NotExtracted,
    /// The index has it, and the first stage of the ranking did not find it.
    NotCandidate,
    /// It was ranked below the first ten.
    RankedLow,
    /// It was ranked among the first ten, or high enough, and left out for the budget.
    OverBudget,
    /// The answer has a symbol of that last name that is another one.
    AmbiguousName,
    /// The relevant symbol is in a test or in generated code, which the system leaves out.
    TestOrGenerated,
    /// No system finds it, or it is not in the repository: the label may be wrong.
    LabelDoubtful,
    /// The system's output does not tell.
    Unknown,
}

/// The cost of indexing a repository, and of asking for the first time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct IndexRecord {
    pub system: String,
    pub repository: String,
    /// Source files of the repository.
    pub files: usize,
    /// Their size.
    pub source_bytes: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub symbols: Option<u64>,
    /// Time to index; 0 for a system without an index.
    pub seconds: f64,
    /// Time of the first answer after indexing.
    pub first_answer_seconds: f64,
    /// Median of the answers after it.
    pub warm_answer_seconds: f64,
    /// The largest resident set of the system's processes.
    pub peak_memory_bytes: u64,
    pub database_bytes: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// Quality after a round of feedback.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LearningRecord {
    pub system: String,
    pub repository: String,
    /// Rounds of feedback given before; round 0 is without.
    pub round: usize,
    pub group: Group,
    pub ndcg10: f64,
    pub mrr: f64,
    /// Number of tasks measured.
    pub tasks: usize,
}

/// Which tasks are measured after a round of feedback.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Group {
    /// Those that feedback was given on.
    Voted,
    /// The others of the same repository.
    HeldOut,
    /// Tasks of a repository, after feedback in other ones only.
    VotedElsewhere,
}

/// The time for which a system is wrong after a change of the checkout.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StalenessRecord {
    pub system: String,
    pub repository: String,
    pub change: Change,
    pub update: Update,
    /// Time from the change to the first right answer; absent if it never was right.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds_until_right: Option<f64>,
    /// Whether an answer before that was wrong without saying that the index is old.
    pub silently_wrong: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// A change of the checkout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    Rename,
    NewFunction,
    MovedFile,
    DeletedFile,
    BranchSwitch,
}

/// Who brings the index up to date.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Update {
    /// The system, when it is asked.
    Automatic,
    /// The user, by a command.
    Command,
}

/// The cost of one size of repository.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ScaleRecord {
    pub system: String,
    pub repository: String,
    pub files: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub symbols: Option<u64>,
    pub source_bytes: u64,
    pub index_seconds: f64,
    /// CPU time to index; absent in older runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index_cpu_seconds: Option<f64>,
    /// Median over the questions.
    pub query_seconds: f64,
    /// Time of an update when nothing changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unchanged_seconds: Option<f64>,
    /// Time of an update after a function was added to one file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edit_seconds: Option<f64>,
    pub peak_memory_bytes: u64,
    /// The largest resident set of a question's processes; absent in older runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query_memory_bytes: Option<u64>,
    pub database_bytes: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}
