//! What kind of task a text is, told from its form alone. Search engines tell questions that look for knowledge from those that
//! look for one place in the same way (Broder, "A taxonomy of web search", SIGIR Forum, 2002).

use crate::model::Intent;

/// Letters of a commit subject at most, by convention: `git log` indents by four on a screen of eighty columns.
const SUBJECT_LETTERS: usize = 72;

/// Words that open a question, or ask to be shown something.
const ASKING: [&str; 22] = [
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

/// Localization for what is written like the message of a change: a subject that fits in a line of a log, one that names its area
/// (`parser: …`, `fix(parser)!: …`), or one with a body. Orientation for a question, and for a request at length.
pub fn kind(task: &str) -> Intent {
    let task = task.trim();
    let (subject, body) = task.split_once('\n').unwrap_or((task, ""));
    if task.ends_with('?') || (asks(subject) && !names_area(subject)) {
        return Intent::Explore;
    }
    let is_message = !body.is_empty() || names_area(subject) || subject.chars().count() <= SUBJECT_LETTERS;
    if is_message { Intent::Locate } else { Intent::Explore }
}

/// True for what begins with a word of asking, but for "do not …" and "can't …", which say what changes.
fn asks(subject: &str) -> bool {
    let words = subject.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    let mut words = words.map(str::to_lowercase);
    let (first, second) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    ASKING.contains(&first.as_str()) && !matches!(second.as_str(), "not" | "t")
}

/// True for `area: …`, `area, other: …` and `type(area): …`.
fn names_area(subject: &str) -> bool {
    subject.split_once(": ").is_some_and(|(areas, rest)| {
        let is_area = |area: &str| !area.is_empty() && !area.contains(char::is_whitespace);
        !rest.trim().is_empty() && areas.split(',').all(|area| is_area(area.trim()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_changes_look_for_the_place() {
        for task in [
            "sessions expire too early",
            "Do not count a line of a cart twice",
            "can't check out without a session",
            "trace: drop spans that never started",
            "walk: skip links that lead nowhere",
            "cart: keep the order of its lines when two of them are merged, and count what was merged only once",
            "cart, order: round the sums of their lines in one place, so that both say the same to the cent, always",
            "fix(cart)!: refuse a line without a product, whatever its price is, and say which of the lines that was",
            "Round the sums of carts in one place, so that carts and orders say the same to the cent for all currencies\nThey did not.",
        ] {
            assert_eq!(kind(task), Intent::Locate, "{task}");
        }
    }

    #[test]
    fn questions_and_long_requests_look_for_the_parts() {
        for task in [
            "how are sessions stored",
            "Trace a sale from the cart to the ledger",
            "sessions expire too early, where?",
            "cart: where are its lines summed?",
            "Add a tax to every line of a cart that follows the country of the customer, across the cart, the order and the bill",
            "Where two carts are merged: what becomes of their lines, who counts them, and which of the sums is shown at the end",
        ] {
            assert_eq!(kind(task), Intent::Explore, "{task}");
        }
    }
}
