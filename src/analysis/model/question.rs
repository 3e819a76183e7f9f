//! Structural questions, which the graph answers exactly, and their answers.

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde::Serialize;

use super::{EdgeType, Provenance, Repositories, Symbol, SymbolId};

/// A question about the structure of a repository. Symbols are given by name, qualified name or `path:line`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Question {
    /// The callers of a symbol, through at most `depth` calls.
    Callers { of: String, depth: u32 },
    /// The callees of a symbol, through at most `depth` calls.
    Callees { of: String, depth: u32 },
    /// The symbols that a change affects, its blast radius, through at most `depth` uses.
    Impact { of: Subject, depth: u32 },
    /// The tests that reach a symbol or a change: the test scope.
    Tests { of: Subject },
    /// The shortest way from one symbol to another.
    Path { from: String, to: String },
    /// The symbols that implement, extend or override a symbol, directly or through others.
    Implementations { of: String },
    /// The symbols with the lines that have words, in comments and texts as well.
    Lines { with: String },
    /// The symbols of one of which a question is asked by a name that all have.
    Choices { name: String },
}

/// The symbols that a question is about.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Subject {
    /// A symbol, with its members if it has some.
    Symbol(String),
    /// The symbols that differ between the working tree and a revision.
    Diff(String),
}

impl Question {
    /// Returns whether it is about what differs from a revision.
    pub fn is_of_diff(&self) -> bool {
        matches!(self, Question::Impact { of: Subject::Diff(_), .. } | Question::Tests { of: Subject::Diff(_) })
    }

    /// Returns the name of the symbol whose users are the answer.
    pub fn used(&self) -> Option<&str> {
        match self {
            Question::Callers { of, .. } | Question::Implementations { of } => Some(of),
            Question::Impact { of: Subject::Symbol(of), .. } | Question::Tests { of: Subject::Symbol(of) } => Some(of),
            Question::Impact { .. } | Question::Tests { .. } => None,
            Question::Callees { .. } | Question::Path { .. } => None,
            Question::Lines { .. } | Question::Choices { .. } => None,
        }
    }

    /// Returns the question about the symbols of other names.
    pub fn with_names(&self, name: &dyn Fn(&str) -> String) -> Question {
        let subject = |of: &Subject| match of {
            Subject::Symbol(of) => Subject::Symbol(name(of)),
            Subject::Diff(base) => Subject::Diff(base.clone()),
        };
        match self {
            Question::Callers { of, depth } => Question::Callers { of: name(of), depth: *depth },
            Question::Callees { of, depth } => Question::Callees { of: name(of), depth: *depth },
            Question::Impact { of, depth } => Question::Impact { of: subject(of), depth: *depth },
            Question::Tests { of } => Question::Tests { of: subject(of) },
            Question::Path { from, to } => Question::Path { from: name(from), to: name(to) },
            Question::Implementations { of } => Question::Implementations { of: name(of) },
            Question::Lines { .. } => self.clone(),
            Question::Choices { name: of } => Question::Choices { name: name(of) },
        }
    }

    /// Depth of a question without a limit.
    pub const UNLIMITED: u32 = u32::MAX;

    /// Returns the name of the question's command.
    pub fn name(&self) -> &'static str {
        match self {
            Question::Callers { .. } => "callers",
            Question::Callees { .. } => "callees",
            Question::Impact { .. } => "impact",
            Question::Tests { .. } => "tests",
            Question::Path { .. } => "path",
            Question::Implementations { .. } => "implementations",
            Question::Lines { .. } => "lines",
            Question::Choices { .. } => "choices",
        }
    }

    /// Returns the question's words, such as `callers of App.run`.
    pub fn title(&self) -> String {
        let of = |subject: &Subject| match subject {
            Subject::Symbol(name) => format!("of {name}"),
            Subject::Diff(base) => format!("of the changes since {base}"),
        };
        match self {
            Question::Callers { of, .. } => format!("callers of {of}"),
            Question::Callees { of, .. } => format!("callees of {of}"),
            Question::Impact { of: subject @ Subject::Symbol(_), depth: 1 } => format!("uses {}", of(subject)),
            Question::Impact { of: subject, .. } => format!("impact {}", of(subject)),
            Question::Tests { of: subject } => format!("tests {}", of(subject)),
            Question::Path { from, to } => format!("path from {from} to {to}"),
            Question::Implementations { of } => format!("implementations of {of}"),
            Question::Lines { with } => format!("lines with {with}"),
            Question::Choices { name } => format!("`{name}` is ambiguous"),
        }
    }
}

/// The answer to a question.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    pub question: Question,
    /// The repositories of the symbols, if there are several.
    pub repositories: Repositories,
    /// The symbols that the question is about: for a path, its two ends; for a diff, the changed symbols.
    pub subjects: Vec<Symbol>,
    /// The answer's symbols, nearest first; those of a path in its order, its two ends among them.
    pub rows: Vec<AnswerRow>,
    /// Number of the symbols, with those beyond the limit of `rows`.
    pub total: usize,
    /// Number of the symbols at each distance from 0, that of a subject.
    pub by_distance: Vec<usize>,
    /// Number of the symbols that are tests.
    pub tests: usize,
    /// Number of the symbols that are not certain.
    pub uncertain: usize,
    /// Facts about the question that a list of symbols does not show, such as changes outside definitions.
    pub notes: Vec<String>,
    /// For a question about the users of a symbol: the lines that name it, and of which it is not known what they mean.
    /// If there are no rows, every other line that has the name, too.
    pub mentions: Vec<Mention>,
    /// Paths and line numbers of the `mentions` that the reader already has: they are counted, but not listed again.
    pub known_lines: BTreeSet<(String, u32)>,
    /// The symbols that lines with the name mean instead of the subject, if there are no rows.
    pub meant: Vec<String>,
    /// Whether there may be more than the graph and lines by name show: what the language or a framework calls, or, of what the
    /// subject uses, what is in syntax errors or not resolved.
    pub may_have_users: bool,
    /// Shell commands that run the tests of `rows`, for a question about tests.
    pub commands: Vec<String>,
    /// Shell commands that run every test in the files whose unresolved lines name the subject, of tests that are not in `rows`;
    /// where one of [`Answer::commands`] is too long to be read, in the files of the nearest of `rows` and in those.
    pub file_commands: Vec<String>,
}

impl Answer {
    /// Returns an answer without rows.
    pub fn new(question: Question, repositories: Repositories, subjects: Vec<Symbol>) -> Answer {
        Answer {
            question,
            repositories,
            subjects,
            rows: Vec::new(),
            total: 0,
            by_distance: Vec::new(),
            tests: 0,
            uncertain: 0,
            notes: Vec::new(),
            mentions: Vec::new(),
            known_lines: BTreeSet::new(),
            meant: Vec::new(),
            may_have_users: false,
            commands: Vec::new(),
            file_commands: Vec::new(),
        }
    }

    /// Returns the lines that name the subject, without those that the reader has.
    pub fn listed_mentions(&self) -> impl Iterator<Item = &Mention> {
        self.mentions.iter().filter(|line| self.known_lines.is_empty() || !self.known_lines.contains(&line.place()))
    }

    /// Returns the file of the lines of a row, below the label of its repository: the row's own, or that of what uses the row.
    pub fn file_of_lines<'a>(&self, row: &'a AnswerRow) -> Cow<'a, str> {
        match (&self.question, row.path.last()) {
            (Question::Callees { .. } | Question::Path { .. }, Some(step)) => Cow::Borrowed(&step.from.file),
            _ => self.repositories.file(&row.symbol),
        }
    }
}

/// A line that has a text which is not a name.
#[derive(Debug, Clone, PartialEq)]
pub struct Occurrence {
    /// Below the label of its repository, if there are several.
    pub file: String,
    pub line: u32,
    pub text: String,
    /// The innermost definition around it.
    pub symbol: Option<Symbol>,
    pub is_indexed: bool,
}

/// A line that names a symbol outside of its definition and is not a known use of it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mention {
    pub meaning: Meaning,
    /// Below the label of its repository, if there are several.
    pub file: String,
    pub line: u32,
    /// The line without the white space around it.
    pub text: String,
    /// Whether its file is one of tests.
    pub is_test: bool,
    /// Whether its file is in another language than the symbol, so that it is hardly a use.
    pub is_foreign: bool,
}

impl Mention {
    /// Returns the file and the line.
    pub fn place(&self) -> (String, u32) {
        (self.file.clone(), self.line)
    }
}

/// The meaning of a name on a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Meaning {
    /// A reference that was not resolved, or a line of which the grammar made nothing.
    Unresolved,
    /// A reference to another symbol, or a variable.
    Other,
    /// The name in the definition of another symbol.
    Definition,
    /// Code in which it is not a reference: an import, the text of a macro.
    Code,
    /// A comment or a text.
    Text,
    /// A file that is not indexed, such as a generated one.
    LeftOut,
}

impl Meaning {
    /// All of them, in the order of output.
    pub const ALL: [Meaning; 6] =
        [Meaning::Unresolved, Meaning::Other, Meaning::Definition, Meaning::Code, Meaning::Text, Meaning::LeftOut];

    /// Returns the words used in output.
    pub fn phrase(self) -> &'static str {
        match self {
            Meaning::Unresolved => "not resolved",
            Meaning::Other => "means something else",
            Meaning::Definition => "defines something else",
            Meaning::Code => "other code",
            Meaning::Text => "comment or text",
            Meaning::LeftOut => "not indexed",
        }
    }
}

/// One symbol of an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct AnswerRow {
    pub symbol: Symbol,
    /// Number of uses from the subject. A call that may run an overriding method counts as one.
    pub distance: u32,
    /// From the symbol to the subject; for callees and paths from the subject to the symbol. Empty for a subject.
    pub path: Vec<AnswerStep>,
    /// The least confidence of the path's edges.
    pub confidence: f32,
    /// Whether every edge of the path was resolved, and no overriding method is involved.
    pub is_certain: bool,
    /// Lines of the uses in the source, sorted, for a symbol that uses the subject directly.
    pub lines: Vec<u32>,
    /// The text of the first of them, if it was asked for; for a choice the task that asks about it.
    pub text: Option<String>,
    /// Every line of the use of a field, sorted; empty for other subjects.
    pub accesses: Vec<FieldAccess>,
}

/// A line that uses a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct FieldAccess {
    pub access: Access,
    pub line: u32,
}

/// The kind of a use of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Access {
    Read,
    Write,
    /// It is set where a value of its type is made.
    Construction,
}

impl Access {
    /// Returns the verb used in output.
    pub fn verb(self) -> &'static str {
        match self {
            Access::Read => "reads",
            Access::Write => "writes",
            Access::Construction => "constructs with",
        }
    }
}

/// One edge of a path, in the direction in which the path follows it.
#[derive(Debug, Clone, PartialEq)]
pub struct AnswerStep {
    pub from: StepEnd,
    pub edge_type: EdgeType,
    /// Whether the edge points from `from` to `to`.
    pub forward: bool,
    pub to: StepEnd,
    pub provenance: Provenance,
    pub confidence: f32,
}

/// A symbol on a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepEnd {
    pub id: SymbolId,
    /// Qualified within its file.
    pub name: String,
    /// Below the label of its repository, if there are several.
    pub file: String,
    pub line: u32,
}

impl AnswerStep {
    /// Returns the words between the two symbols, such as `calls` or `overridden by`.
    pub fn phrase(&self) -> &'static str {
        let (source, target) = self.edge_type.phrases();
        if self.forward { source } else { target }
    }
}

/// The facts about one symbol.
#[derive(Debug, Clone, PartialEq)]
pub struct SymbolDetails {
    pub symbol: Symbol,
    /// The definition's source as it was indexed.
    pub source: Option<String>,
    /// The reason why there is no source.
    pub missing_source: Option<String>,
    /// Members of a type, in source order.
    pub members: Vec<Symbol>,
    /// The symbols that it uses.
    pub uses: Answer,
    /// The symbols that use it.
    pub users: Answer,
    /// The tests that reach it.
    pub tests: Answer,
    /// Owners of its file in CODEOWNERS.
    pub owners: Vec<String>,
    /// For a task: its rank and why, one sentence a line.
    pub why: Vec<String>,
}
