//! Texts in a task that a program may have printed: messages of errors, lines of logs, what is in quotes, sentences.
//! Whether the repository has such a message is decided elsewhere.

use std::cmp::Reverse;

use super::parts::{Part, blocks};
use crate::concepts::WordLists;
use crate::text::prefix;
use crate::text::terms::terms;

/// Limits of the texts of a task, and of the words of a text.
const MAX_TEXTS: usize = 32;
const MAX_WORDS: usize = 60;
/// Limit of a text in quotes, in bytes.
const MAX_QUOTED: usize = 600;
/// The shortest message, in words.
const MIN_WORDS: usize = 3;
/// Quotes around a message in prose; an apostrophe follows a letter, so it opens none.
const QUOTES: [(char, char); 5] = [('`', '`'), ('"', '"'), ('\'', '\''), ('“', '”'), ('‘', '’')];

/// A text that a program may have printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// 0 for what is likely one, such as the message of an error; more for lines of logs, and for sentences.
    pub order: u8,
    /// Its words in lower case, each with the term that is searched for it; `None` for a word that is everywhere.
    pub words: Vec<(String, Option<String>)>,
}

impl Message {
    fn new(order: u8, text: &str, lists: &WordLists) -> Message {
        let word = |word: &str| {
            let word = word.to_lowercase();
            let term = terms(&word).into_iter().next().filter(|_| !lists.stop_words.contains(&word));
            (word, term)
        };
        Message { order, words: words(text).take(MAX_WORDS).map(word).collect() }
    }
}

/// Returns the texts that a program may have printed, the likeliest first. Sentences of a question are none: they are the
/// reader's words. Linear in the text.
pub fn printed(task: &str, lists: &WordLists, is_question: bool) -> Vec<Message> {
    let mut texts: Vec<(u8, &str)> = Vec::new();
    for block in blocks(task) {
        match block.part {
            Part::Error => texts.push((0, block.text)),
            Part::Log | Part::Code => texts.push((1, block.text)),
            Part::Subject | Part::Prose => {
                texts.extend(in_quotes(block.text).into_iter().map(|text| (0, text)));
                texts.extend(sentences(block.text).filter(|_| !is_question).map(|text| (2, text)));
            }
            Part::Url | Part::Trace | Part::Heading | Part::Checklist => {}
        }
    }
    texts.sort_by_key(|(order, _)| *order);
    let mut found: Vec<Message> = Vec::new();
    for (order, text) in texts {
        let message = Message::new(order, text, lists);
        if message.words.len() >= MIN_WORDS && found.iter().all(|known| known.words != message.words) {
            found.push(message);
        }
        if found.len() == MAX_TEXTS {
            break;
        }
    }
    found
}

/// Returns the words of a text, in which an underscore is a letter.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !is_word_part(letter)).filter(|word| !word.is_empty())
}

/// Returns whether a letter is part of a word of a message.
pub fn is_word_part(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// Returns the texts in quotes.
fn in_quotes(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for (open, close) in QUOTES {
        let mut rest = text;
        let mut before = ' ';
        while let Some((head, tail)) = rest.split_once(open) {
            before = head.chars().next_back().unwrap_or(before);
            let end = prefix(tail, MAX_QUOTED).find(close).filter(|_| !before.is_alphanumeric());
            found.extend(end.map(|end| &tail[..end]));
            rest = end.map_or(tail, |end| &tail[end + close.len_utf8()..]);
            before = close;
        }
    }
    found.sort_by_key(|text| Reverse(text.len()));
    found
}

/// Returns the sentences of a text.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.split(". ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(task: &str, is_question: bool) -> Vec<String> {
        let lists = WordLists { stop_words: ["it", "the"].map(str::to_owned).into(), ..WordLists::default() };
        let joined = |message: Message| {
            assert!(message.words.iter().all(|(word, term)| term.is_none() == lists.stop_words.contains(word)));
            message.words.into_iter().map(|(word, _)| word).collect::<Vec<String>>().join(" ")
        };
        printed(task, &lists, is_question).into_iter().map(joined).collect()
    }

    #[test]
    fn messages_are_output_texts_in_quotes_and_sentences() {
        let task = "The cart fails\nIt says \"No such line: 3\" and doesn't go on. I can't `pick` it then\n```\n\
                    2026-11-23 ERROR the till is shut\ncart.add(line)\n```\nshop.CartError: it's `out of lines`";
        let expected = [
            "no such line 3",
            "shop carterror it s out of lines",
            "2026 11 23 error the till is shut",
            "cart add line",
            "the cart fails",
            "it says no such line 3 and doesn t go on",
            "i can t pick it then",
        ];
        assert_eq!(found(task, false), expected);
        let question = "Where is \"no such line\" printed when the cart fails?";
        assert_eq!(found(question, true), ["no such line"]);
    }

    #[test]
    fn quotes_without_an_end_are_no_messages() {
        assert_eq!(found("It's `open, it isn't closed", true), [""; 0]);
        assert_eq!(found(&"“one two three ".repeat(9_000), true), [""; 0]);
        assert_eq!(found(&format!("a “{}”", "one two three ".repeat(90)), true), [""; 0]);
    }
}
