//! Example tasks from the repository's own code and history.

use std::cmp::Reverse;

use super::{EngineError, Ranker};
use crate::model::{NodeId, Symbol, SymbolKind};

/// Number of symbols considered for one example; many of the most used ones have no suitable comment.
const CONSIDERED: usize = 60;
/// Number of words of a sentence that reads as a task.
const SENTENCE_WORDS: std::ops::RangeInclusive<usize> = 4..=12;
/// Limit of a task in bytes: one line of a small terminal.
const MAX_LEN: usize = 60;

impl Ranker {
    /// Returns up to three tasks: one in plain words, one that names code and one from a commit subject.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn examples(&self) -> Result<Vec<String>, EngineError> {
        let functions = self.most_used(&[SymbolKind::Function, SymbolKind::Method])?;
        let types = self.most_used(&[SymbolKind::Type, SymbolKind::Interface])?;
        let mut examples = Vec::new();
        examples.extend(functions.iter().find_map(|symbol| sentence(&symbol.doc)));
        let named = types.first().or(functions.first());
        examples.extend(named.map(|symbol| format!("what breaks when {} changes", symbol.name)));
        let files = types.iter().chain(&functions).map(|symbol| symbol.file.as_str());
        let mut subjects = Vec::new();
        for file in files.take(CONSIDERED / 2) {
            let commits = self.reader.file_history(file, 3)?;
            subjects.extend(commits.iter().filter_map(|commit| subject(&commit.subject)));
            if !subjects.is_empty() {
                break;
            }
        }
        examples.extend(subjects.into_iter().next());
        if let (true, Some(symbol)) = (examples.len() < 3, functions.first()) {
            examples.push(format!("who calls {}", symbol.name));
        }
        Ok(examples)
    }

    /// Returns the most used symbols of these kinds without tests, most used first.
    fn most_used(&self, kinds: &[SymbolKind]) -> Result<Vec<Symbol>, EngineError> {
        let nodes = NodeId::sequence().take(self.graph.adjacency.nodes());
        let fits = |node: &NodeId| {
            self.graph
                .meta(*node)
                .is_some_and(|head| kinds.contains(&head.kind) && !head.is_test && head.file.is_some())
        };
        let mut nodes: Vec<NodeId> = nodes.filter(fits).collect();
        nodes.sort_by_cached_key(|node| (Reverse(self.graph.popularity(*node)), self.graph.id_prefix(*node)));
        nodes.truncate(CONSIDERED);
        let mut symbols = self.reader.symbols(&nodes)?;
        symbols.sort_by_key(|symbol| nodes.iter().position(|node| *node == symbol.node));
        Ok(symbols)
    }
}

/// Returns the first sentence of a comment if it reads as a task.
fn sentence(doc: &str) -> Option<String> {
    let paragraph = doc.trim_start().split("\n\n").next()?;
    let words: Vec<&str> = paragraph.split_whitespace().collect();
    let text = words.join(" ");
    let first = text.split_once(". ").map_or(text.as_str(), |(first, _)| first).trim_end_matches('.');
    let count = first.split(' ').count();
    let is_plain = first.chars().all(|letter| letter.is_alphanumeric() || " -_',()/".contains(letter));
    (SENTENCE_WORDS.contains(&count) && first.len() <= MAX_LEN && is_plain).then(|| lowered(first))
}

/// Returns a commit subject if it reads as a task.
fn subject(subject: &str) -> Option<String> {
    // `fix(core): …` names the area, which is removed.
    let plain = match subject.split_once(": ") {
        Some((tag, rest)) if !tag.contains(' ') => rest,
        _ => subject,
    };
    let plain = plain.split(" (#").next()?.trim().trim_end_matches('.');
    let count = plain.split(' ').count();
    let lower = plain.to_lowercase();
    let is_chore =
        ["merge", "bump", "release", "revert", "update", "version"].iter().any(|word| lower.starts_with(word));
    (SENTENCE_WORDS.contains(&count) && plain.len() <= MAX_LEN && !is_chore).then(|| lowered(plain))
}

/// Returns the text with a lower-case first letter, unless its first word is a name.
fn lowered(text: &str) -> String {
    let first = text.split(' ').next().unwrap_or("");
    let is_name = first.chars().skip(1).any(|letter| letter.is_uppercase() || letter == '_' || letter.is_numeric());
    let mut letters = text.chars();
    match letters.next() {
        Some(letter) if !is_name => letter.to_lowercase().chain(letters).collect(),
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_sentence_of_a_comment_may_be_a_task() {
        let doc = "Creates a cookie for\nthe session. More follows.\n\nAnd more.";
        assert_eq!(sentence(doc).as_deref(), Some("creates a cookie for the session"));
        assert_eq!(
            sentence("URLPattern objects are resolved here."),
            Some("URLPattern objects are resolved here".into())
        );
        assert_eq!(sentence("Too short."), None);
        assert_eq!(sentence("See :func:`x` for what this is about."), None);
        assert_eq!(sentence(""), None);
    }

    #[test]
    fn commit_subject_may_be_a_task() {
        assert_eq!(subject("fix(core): Retry uploads that time out (#12)"), Some("retry uploads that time out".into()));
        assert_eq!(subject("Merge pull request #3 from a/b"), None);
        assert_eq!(subject("Bump the version of the thing"), None);
    }
}
