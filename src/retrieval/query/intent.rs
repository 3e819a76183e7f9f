//! The intent of a task, from the form of its text alone. Compare informational and navigational queries (Broder, "A
//! taxonomy of web search", SIGIR Forum, 2002).

use super::parts::blocks;
use crate::model::Intent;

/// Conventional limit of a commit subject in characters: eighty columns, less the indentation of `git log` on both
/// sides.
const MAX_SUBJECT_LEN: usize = 72;

/// First words of questions and of requests for an explanation.
const QUESTION_WORDS: [&str; 22] = [
    "are",
    "can",
    "debug",
    "describe",
    "do",
    "document",
    "does",
    "explain",
    "find",
    "how",
    "investigate",
    "is",
    "show",
    "trace",
    "understand",
    "walk",
    "what",
    "when",
    "where",
    "which",
    "who",
    "why",
];

/// Words that ask for an explanation wherever they are in a sentence with a question mark.
const ASKING_WORDS: [&str; 6] = ["how", "what", "where", "which", "who", "why"];

/// First words of commit messages, which a heading does not begin with.
const CHANGE_WORDS: [&str; 22] = [
    "add",
    "added",
    "adds",
    "allow",
    "bump",
    "conform",
    "drop",
    "fix",
    "fixed",
    "fixes",
    "implement",
    "improve",
    "make",
    "merge",
    "missing",
    "release",
    "remove",
    "rename",
    "revert",
    "support",
    "update",
    "use",
];
/// Words of titles that are written in lower case.
const SMALL_WORDS: [&str; 20] = [
    "a", "an", "and", "as", "at", "by", "for", "from", "in", "into", "is", "of", "on", "or", "over", "the", "to",
    "via", "vs", "with",
];
/// Minimum length of a word in `-ing` that is an action.
const MIN_GERUND: usize = 6;

/// Returns [`Intent::Locate`] for a text in the form of a commit message: a short subject, one with an area
/// (`parser: …`, `fix(parser)!: …`) or one with a body. A report of a problem, which has errors, traces, logs or the
/// headings of a form, asks for a change, too, and so does a doubt (`cookie not set?`). Returns [`Intent::Explore`]
/// for a question, for a heading (`Merging Carts`) and for a long request.
pub fn classify_intent(task: &str) -> Intent {
    if blocks(task).iter().any(|block| block.part.is_of_report()) {
        return Intent::Locate;
    }
    let task = task.trim();
    let (subject, body) = task.split_once('\n').unwrap_or((task, ""));
    let asks = subject.trim_end().ends_with('?') && words(subject).any(|word| ASKING_WORDS.contains(&word.as_str()));
    let is_named = |subject: &str| is_question(subject) || (body.is_empty() && is_heading(subject));
    if asks || (is_named(subject) && !has_area(subject)) {
        return Intent::Explore;
    }
    let is_message = !body.is_empty() || has_area(subject) || subject.chars().count() <= MAX_SUBJECT_LEN;
    if is_message { Intent::Locate } else { Intent::Explore }
}

/// Returns whether a subject begins as a question. "Do not …" and "can't …" do not: they describe a change.
fn is_question(subject: &str) -> bool {
    let mut words = words(subject);
    let (first, second) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    QUESTION_WORDS.contains(&first.as_str()) && !matches!(second.as_str(), "not" | "t")
}

/// Returns whether a line has the form of a heading in documentation: its words are capitalized, or it begins with what
/// one does (*merging two carts*). Messages of commits begin with a verb in another form.
fn is_heading(line: &str) -> bool {
    let letters = |letter: char| letter.is_alphanumeric() || letter == '_';
    let words: Vec<&str> = line.split(|letter: char| !letters(letter)).filter(|word| !word.is_empty()).collect();
    let first = words.first().map(|word| word.to_lowercase()).unwrap_or_default();
    if CHANGE_WORDS.contains(&first.as_str()) {
        return false;
    }
    let mut content = words.iter().filter(|word| !SMALL_WORDS.contains(&word.to_lowercase().as_str()));
    let is_title = content.clone().count() > 1 && content.all(|word| word.starts_with(char::is_uppercase));
    is_title || (words.len() > 1 && first.chars().count() >= MIN_GERUND && first.ends_with("ing"))
}

fn words(subject: &str) -> impl Iterator<Item = String> {
    subject.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase)
}

/// Returns whether a subject begins with `area: …`, `area, other: …` or `type(area): …`.
fn has_area(subject: &str) -> bool {
    subject.split_once(": ").is_some_and(|(areas, rest)| {
        let is_area = |area: &str| !area.is_empty() && !area.contains(char::is_whitespace);
        !rest.trim().is_empty() && areas.split(',').all(|area| is_area(area.trim()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commit_messages_are_locate() {
        for task in [
            "sessions expire too early",
            "sessions expire too early?",
            "Cookie not set when the domain has a port?",
            "Do not count a line of a cart twice",
            "can't check out without a session",
            "trace: drop spans that never started",
            "walk: skip links that lead nowhere",
            "cart: keep the order of its lines when two of them are merged, and count what was merged only once",
            "cart, order: round the sums of their lines in one place, so that both say the same to the cent, always",
            "fix(cart)!: refuse a line without a product, whatever its price is, and say which of the lines that was",
            "Round the sums of carts in one place, so that carts and orders say the same to the cent for all currencies\nThey did not.",
        ] {
            assert_eq!(classify_intent(task), Intent::Locate, "{task}");
        }
    }

    #[test]
    fn reports_of_problems_are_locate() {
        for report in [
            "Why are lines of carts lost?\n### Version\n1.2",
            "How can a cart be empty?\nTraceback (most recent call last):\n  File \"a.py\", line 1, in pick\nKeyError: 1",
            "lines of carts are lost\nThe second one is. Any ideas?",
        ] {
            assert_eq!(classify_intent(report), Intent::Locate, "{report}");
        }
        assert_eq!(classify_intent("How are lines merged?\nI read this:\n```\nmerge(a, b)\n```"), Intent::Explore);
    }

    #[test]
    fn headings_are_explore() {
        for task in ["Merging two carts", "Sessions and Cookies", "The Life of a Cart", "Summing Lines in Orders"] {
            assert_eq!(classify_intent(task), Intent::Explore, "{task}");
        }
        for task in
            ["Add Cookies", "Missing argument to merge", "Carts", "merging: keep the order", "Merge Carts twice"]
        {
            assert_eq!(classify_intent(task), Intent::Locate, "{task}");
        }
        assert_eq!(
            classify_intent(
                "Merging Carts
Lines were lost."
            ),
            Intent::Locate
        );
    }

    #[test]
    fn questions_and_long_requests_are_explore() {
        for task in [
            "how are sessions stored",
            "Trace a sale from the cart to the ledger",
            "sessions expire too early, where?",
            "cart: where are its lines summed?",
            "Add a tax to every line of a cart that follows the country of the customer, across the cart, the order and the bill",
            "Where two carts are merged: what becomes of their lines, who counts them, and which of the sums is shown at the end",
        ] {
            assert_eq!(classify_intent(task), Intent::Explore, "{task}");
        }
    }
}
