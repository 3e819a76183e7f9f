//! The words of a task that an agent without an index searches.

/// Words that say nothing about the code: the function words of English, and the verbs of requests.
const STOP_WORDS: &[&str] = &[
    "a",
    "about",
    "add",
    "after",
    "all",
    "also",
    "an",
    "and",
    "any",
    "are",
    "as",
    "at",
    "be",
    "before",
    "but",
    "by",
    "can",
    "change",
    "could",
    "do",
    "does",
    "each",
    "fix",
    "for",
    "from",
    "get",
    "has",
    "have",
    "how",
    "i",
    "if",
    "implement",
    "in",
    "into",
    "is",
    "it",
    "its",
    "make",
    "more",
    "need",
    "new",
    "no",
    "not",
    "of",
    "on",
    "only",
    "or",
    "other",
    "our",
    "out",
    "over",
    "own",
    "should",
    "so",
    "some",
    "such",
    "support",
    "than",
    "that",
    "the",
    "their",
    "them",
    "then",
    "there",
    "they",
    "this",
    "to",
    "up",
    "use",
    "used",
    "uses",
    "using",
    "via",
    "want",
    "was",
    "we",
    "were",
    "what",
    "when",
    "where",
    "which",
    "while",
    "who",
    "why",
    "will",
    "with",
    "without",
    "would",
    "you",
    "your",
];
/// Words of one letter match everywhere.
const MIN_LENGTH: usize = 2;

/// Returns the words of a task, each once, in its order, without stop words. Identifiers are kept whole.
pub fn task_words(task: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in task.split(|c: char| !(c.is_alphanumeric() || c == '_')) {
        let is_searched = word.chars().count() >= MIN_LENGTH && !STOP_WORDS.contains(&word.to_lowercase().as_str());
        if is_searched && !words.iter().any(|known| known.eq_ignore_ascii_case(word)) {
            words.push(word.to_owned());
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_the_tasks_without_stop_words() {
        assert_eq!(task_words("Add a `Cart.total_price` to the Cart, x cart"), ["Cart", "total_price"]);
    }

    #[test]
    fn stop_words_are_sorted() {
        assert!(STOP_WORDS.is_sorted());
    }
}
