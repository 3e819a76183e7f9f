//! Tasks that are structural questions, such as `who calls Flask.route?`.
//!
//! A task is one only as a whole, and only if its names refer to symbols: everything else is ranked.

use super::{EngineError, Ranker, named};
use crate::model::{Question, Subject};

/// Limit of a question in bytes; longer tasks are texts.
const MAX_TASK_BYTES: usize = 300;

/// The words around the names of a question: `{}` is a name, and a name in `[]` must look like code, because the other
/// words are common in tasks, too.
const PHRASES: [(&str, Kind); 23] = [
    ("who calls {}", Kind::Callers),
    ("what calls {}", Kind::Callers),
    ("callers of {}", Kind::Callers),
    ("where is [] called", Kind::Callers),
    ("where is [] called from", Kind::Callers),
    ("callees of {}", Kind::Callees),
    ("what does {} call", Kind::Callees),
    ("what breaks if {} changes", Kind::Impact),
    ("what breaks when {} changes", Kind::Impact),
    ("what breaks if i change {}", Kind::Impact),
    ("what breaks when i change {}", Kind::Impact),
    ("what depends on []", Kind::Impact),
    ("impact of {}", Kind::Impact),
    ("impact of changing {}", Kind::Impact),
    ("tests for []", Kind::Tests),
    ("tests of []", Kind::Tests),
    ("which tests cover []", Kind::Tests),
    ("what tests cover []", Kind::Tests),
    ("which tests reach []", Kind::Tests),
    ("which tests exercise []", Kind::Tests),
    ("how does {} reach {}", Kind::Path),
    ("how does [] call []", Kind::Path),
    ("path from {} to {}", Kind::Path),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Callers,
    Callees,
    Impact,
    Tests,
    Path,
}

impl Ranker {
    /// Returns the question that a task is; `None` if it is none, or a name in it is unknown or ambiguous.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn question_of(&self, task: &str) -> Result<Option<Question>, EngineError> {
        let Some((kind, names)) = parse(task) else { return Ok(None) };
        for name in &names {
            match named(self.reader(), name) {
                Ok(_) => {}
                Err(EngineError::Name(_)) => return Ok(None),
                Err(error) => return Err(error),
            }
        }
        let mut names = names.into_iter();
        let (Some(first), second) = (names.next(), names.next()) else { return Ok(None) };
        Ok(Some(match (kind, second) {
            (Kind::Callers, _) => Question::Callers { of: first, depth: 1 },
            (Kind::Callees, _) => Question::Callees { of: first, depth: 1 },
            (Kind::Impact, _) => Question::Impact { of: Subject::Symbol(first), depth: Question::UNLIMITED },
            (Kind::Tests, _) => Question::Tests { of: Subject::Symbol(first) },
            (Kind::Path, Some(to)) => Question::Path { from: first, to },
            (Kind::Path, None) => return Ok(None),
        }))
    }
}

/// Returns the kind and the names of a question.
fn parse(task: &str) -> Option<(Kind, Vec<String>)> {
    let task = task.trim().trim_end_matches(['?', '.', '!']).trim_end();
    if task.len() > MAX_TASK_BYTES || task.contains('\n') {
        return None;
    }
    let words: Vec<&str> = task.split_whitespace().collect();
    PHRASES.iter().find_map(|(phrase, kind)| {
        let pattern: Vec<&str> = phrase.split(' ').collect();
        if pattern.len() != words.len() {
            return None;
        }
        let mut names = Vec::new();
        for (expected, word) in pattern.into_iter().zip(&words) {
            match expected {
                "{}" | "[]" if expected == "{}" || is_code(word) => names.push(name(word)),
                _ if expected.eq_ignore_ascii_case(word) => {}
                _ => return None,
            }
        }
        Some((*kind, names))
    })
}

/// Returns a name without quotes and parentheses.
fn name(word: &str) -> String {
    let word = word.trim_matches(['`', '"', '\'', ',']);
    word.strip_suffix("()").unwrap_or(word).to_owned()
}

/// Returns whether a word is written like code: quoted, called, or joined of several words.
fn is_code(word: &str) -> bool {
    let inner = word.trim_matches(['`', '"', '\'']);
    let is_inner_capital = |(index, letter): (usize, char)| index > 0 && letter.is_uppercase();
    word.starts_with('`')
        || inner.contains(['_', '.', ':', '(', '/'])
        || inner.char_indices().any(is_inner_capital) && inner.chars().any(char::is_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(task: &str) -> Option<(Kind, String)> {
        parse(task).map(|(kind, names)| (kind, names.join(" ")))
    }

    #[test]
    fn whole_questions_are_recognized() {
        for (task, kind, names) in [
            ("Who calls `Flask.route()`?", Kind::Callers, "Flask.route"),
            ("what does run call", Kind::Callees, "run"),
            ("What breaks when src/app.py:12 changes?", Kind::Impact, "src/app.py:12"),
            ("tests for is_expired", Kind::Tests, "is_expired"),
            ("which tests cover FlaskClient?", Kind::Tests, "FlaskClient"),
            ("how does main reach Writer::open", Kind::Path, "main Writer::open"),
        ] {
            assert_eq!(parsed(task), Some((kind, names.to_owned())), "{task}");
        }
    }

    #[test]
    fn tasks_are_not_questions() {
        for task in [
            "tests for login",
            "add tests for is_expired",
            "who calls the shots in a_b",
            "what depends on time",
            "impact of the new cache",
            "who calls a\nwho calls b",
            "",
        ] {
            assert_eq!(parsed(task), None, "{task}");
        }
    }
}
