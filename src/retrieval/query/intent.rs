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

/// Returns [`Intent::Locate`] for a text in the form of a commit message: a short subject, one with an area
/// (`parser: …`, `fix(parser)!: …`) or one with a body. A report of a problem, which has errors, traces, logs or the
/// headings of a form, asks for a change, too, and so does a doubt (`cookie not set?`). Returns [`Intent::Explore`]
/// for a question and for a long request.
pub fn classify_intent(task: &str) -> Intent {
    if blocks(task).iter().any(|block| block.part.is_of_report()) {
        return Intent::Locate;
    }
    let task = task.trim();
    let (subject, body) = task.split_once('\n').unwrap_or((task, ""));
    let asks = subject.trim_end().ends_with('?') && words(subject).any(|word| ASKING_WORDS.contains(&word.as_str()));
    if asks || (is_question(subject) && !has_area(subject)) {
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
