//! The texts of string literals in the source of any language: the words that a program prints.
//!
//! Quotes alone tell where a literal begins and ends. What is lost by that, such as a literal behind an apostrophe, is
//! lost for one line.

use crate::query::is_word_part;
use crate::text::prefix;

/// Limit of a literal over several lines, in bytes.
const MAX_LITERAL: usize = 4_000;
/// Limits of the indentation of a line of comment and of a placeholder, in bytes, and the shortest sentence, in words.
const MAX_INDENT: usize = 120;
const MAX_PLACEHOLDER: usize = 80;
const MIN_WORDS: usize = 3;
/// Beginnings of lines that are comments.
const COMMENTS: [&str; 4] = ["//", "# ", "/*", "* "];

/// A sentence of a literal: its words in lower case, and `None` for a placeholder.
pub type Sentence = Vec<Option<String>>;

/// Returns the sentences of the literals in a source. Literals that are put together are one. Linear in the source.
pub fn literals(source: &str) -> Vec<Sentence> {
    let (mut found, mut text) = (Vec::new(), String::new());
    // The current line, the byte to go on at, and the end of the last literal.
    let (mut line, mut at, mut end) = (0, 0, 0);
    while let Some(start) = source[at..].find(['"', '\'', '`']).map(|next| at + next) {
        line = source[at..start].rfind('\n').map_or(line, |last| at + last + 1);
        let indented = prefix(&source[line..], MAX_INDENT).trim_start();
        if COMMENTS.iter().any(|mark| indented.starts_with(mark)) {
            at = source[start..].find('\n').map_or(source.len(), |next| start + next);
            continue;
        }
        let Some((inner, after)) = literal(source, start) else {
            at = start + 1;
            continue;
        };
        if !is_joint(&source[end..start]) {
            add_sentences(&text, &mut found);
            text.clear();
        }
        text.push_str(inner);
        line = source[start..after].rfind('\n').map_or(line, |last| start + last + 1);
        (at, end) = (after, after);
    }
    add_sentences(&text, &mut found);
    found
}

/// Returns the text of the literal that a quote opens, and the byte behind it.
fn literal(source: &str, start: usize) -> Option<(&str, usize)> {
    let quote = &source[start..=start];
    let before = &source[..start];
    let letters = before.len() - before.trim_end_matches(is_word_part).len();
    // An apostrophe, a lifetime.
    if quote == "'" && (letters > 1 || before.ends_with(['&', '<'])) {
        return None;
    }
    let triple = quote.repeat(3);
    let quote = if quote != "`" && source[start..].starts_with(&triple) { triple.as_str() } else { quote };
    let spans_lines = quote.len() > 1 || quote == "`";
    let inner = prefix(&source[start + quote.len()..], MAX_LITERAL);
    let mut at = 0;
    while at < inner.len() {
        let rest = &inner[at..];
        if rest.starts_with(quote) {
            return Some((&inner[..at], start + quote.len() + at + quote.len()));
        }
        let mut letters = rest.chars();
        at += match letters.next()? {
            '\\' => 1 + letters.next().map_or(0, char::len_utf8),
            '\n' if !spans_lines => return None,
            letter => letter.len_utf8(),
        };
    }
    None
}

/// Returns whether the literals before and behind a text are put together.
fn is_joint(text: &str) -> bool {
    let operators = text.trim_end_matches(char::is_alphabetic);
    text.len() - operators.len() <= 2
        && operators.chars().all(|letter| letter.is_whitespace() || matches!(letter, '+' | '\\' | '.'))
}

/// Adds the sentences of a literal.
fn add_sentences(text: &str, found: &mut Vec<Sentence>) {
    let mut add =
        |sentence: Sentence| found.extend(Some(sentence).filter(|one| one.iter().flatten().count() >= MIN_WORDS));
    let mut sentence = Sentence::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let after = &rest[first.len_utf8()..];
        let (length, is_end) = match first {
            '\\' => (1 + after.chars().next().map_or(0, char::len_utf8), after.starts_with('n')),
            '\n' => (1, true),
            '.' => (1, after.starts_with(' ')),
            '%' | '{' => {
                let length = placeholder(rest);
                sentence.extend((length > 1).then_some(None));
                (length, false)
            }
            _ if is_word_part(first) => {
                let length = rest.find(|letter| !is_word_part(letter)).unwrap_or(rest.len());
                sentence.push(Some(rest[..length].to_lowercase()));
                (length, false)
            }
            _ => (first.len_utf8(), false),
        };
        if is_end {
            add(std::mem::take(&mut sentence));
        }
        rest = &rest[length..];
    }
    add(sentence);
}

/// Returns the length of the placeholder that a text begins with, `%s`, `%(name)-5d`, `{name}`; 1 for another sign.
fn placeholder(text: &str) -> usize {
    if text.starts_with('{') {
        return prefix(text, MAX_PLACEHOLDER).find('}').map_or(1, |end| end + 1);
    }
    let rest = &text[1..];
    let name = rest.strip_prefix('(').and_then(|rest| prefix(rest, MAX_PLACEHOLDER).find(')')).map_or(0, |end| end + 2);
    let form = &rest[name..];
    let flags =
        form.len() - form.trim_start_matches(|sign: char| sign.is_ascii_digit() || "-+#.*'".contains(sign)).len();
    let sizes = form[flags..].len() - form[flags..].trim_start_matches(['h', 'l', 'z', 'j', 't']).len();
    match form[flags + sizes..].chars().next() {
        Some(letter) if letter.is_ascii_alphabetic() => 1 + name + flags + sizes + 1,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(source: &str) -> Vec<String> {
        let shown = |sentence: Sentence| {
            let words = sentence.into_iter().map(|word| word.unwrap_or_else(|| "_".to_owned()));
            words.collect::<Vec<String>>().join(" ")
        };
        literals(source).into_iter().map(shown).collect()
    }

    #[test]
    fn literals_of_any_language_are_sentences_with_placeholders() {
        for (source, expected) in [
            (r#"raise E("Cannot open till %(name)s of %d." % x, "a b")"#, &["cannot open till _ of _"][..]),
            ("f'No line {key!r} ' f\"in this cart\"", &["no line _ in this cart"]),
            (r#"fmt.Errorf("no such line: %w\ntry another one", err)"#, &["no such line _", "try another one"]),
            (
                r#"bail!("`{}` has no till \
                here")"#,
                &["_ has no till here"],
            ),
            (r#"failf(data, "Till %zu is shut" " since %-5s", a)"#, &["till _ is shut since _"]),
            ("new Error(`cart ${cart.name} is not open`)", &["cart _ is not open"]),
            ("new Error('till isn\\'t open ' + 'for this')", &["till isn t open for this"]),
            ("fn pick<'a>(x: &'a str) -> T { panic(\"no till is open\") }", &["no till is open"]),
            ("// a comment \"is no text here\"\n# it's \"not a text\"\nx = \"this is a text\"", &["this is a text"]),
            (
                "x = \"\"\"All of it. The second one\nand the third\"\"\"",
                &["all of it", "the second one", "and the third"],
            ),
            ("\"an open one is none\n\"", &[]),
            ("'a' + \"b\"", &[]),
        ] {
            assert_eq!(found(source), expected, "{source}");
        }
    }
}
