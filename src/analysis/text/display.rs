//! Sanitizes text from a repository for display: it can neither control a terminal nor reorder a line. Formats numbers.

use std::borrow::Cow;

use super::prefix;

/// Returns whether a character can control a terminal or mislead a reader: controls, bidirectional marks, invisible
/// tags.
pub fn is_unsafe(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}' | '\u{2029}' | '\u{feff}')
        || matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{e0000}'..='\u{e007f}')
}

/// Returns the text with unsafe characters replaced by visible ones. Line breaks and tabs are unsafe, too.
pub fn safe(text: &str) -> Cow<'_, str> {
    if text.chars().any(is_unsafe) { Cow::Owned(text.chars().map(picture).collect()) } else { Cow::Borrowed(text) }
}

/// Returns a message with unsafe characters replaced by visible ones, except the line breaks between its lines. Each line after
/// the first is further in: where a name of a repository has a line break, what follows it looks like no message of its own.
pub fn message(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for (number, line) in text.lines().enumerate() {
        if number > 0 {
            shown.push_str(if line.is_empty() || line.starts_with(' ') { "\n" } else { "\n  " });
        }
        shown.push_str(&safe(line));
    }
    shown
}

/// Returns the text without the escape sequences (ECMA-48) by which programs color their output and make links in it.
pub fn without_escapes(text: &str) -> Cow<'_, str> {
    const ESCAPE: char = '\u{1b}';
    if !text.contains(ESCAPE) {
        return Cow::Borrowed(text);
    }
    let mut parts = text.split(ESCAPE);
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let mut letters = part.chars();
        plain.push_str(match letters.next() {
            Some('[') => {
                let end = letters.as_str().trim_start_matches(|letter: char| matches!(letter, '\u{20}'..='\u{3f}'));
                end.strip_prefix(|letter: char| matches!(letter, '\u{40}'..='\u{7e}')).unwrap_or(end)
            }
            // The text of a link is between two of these; another escape or a bell ends each.
            Some(']') => part.split_once('\u{7}').map_or("", |(_, after)| after),
            Some('(' | ')') => letters.as_str().get(1..).unwrap_or_default(),
            _ => letters.as_str(),
        });
    }
    Cow::Owned(plain)
}

/// Limit of a quoted argument in bytes.
const MAX_EXCERPT_BYTES: usize = 200;

/// Returns the start of an argument for a message that quotes it: safe, and in at most 200 bytes.
pub fn excerpt(argument: &str) -> Cow<'_, str> {
    let shown = safe(argument);
    if shown.len() <= MAX_EXCERPT_BYTES {
        return shown;
    }
    Cow::Owned(format!("{}…", prefix(&shown, MAX_EXCERPT_BYTES - '…'.len_utf8())))
}

/// Returns JSON in which every character that could control a terminal or mislead a reader is escaped. JSON escapes only
/// those below the space itself.
pub fn escaped_json(json: String) -> String {
    if !json.chars().any(is_unsafe) {
        return json;
    }
    let mut escaped = String::with_capacity(json.len());
    for letter in json.chars() {
        match letter {
            _ if !is_unsafe(letter) => escaped.push(letter),
            _ => letter.encode_utf16(&mut [0; 2]).iter().for_each(|unit| escaped.push_str(&format!("\\u{unit:04x}"))),
        }
    }
    escaped
}

/// Formats `1234567` as `1,234,567`.
pub fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Formats a number with its sign and this many decimals. A value that rounds to zero has no sign.
pub fn signed(value: f64, decimals: usize) -> String {
    let text = format!("{value:+.decimals$}");
    if text[1..].bytes().all(|byte| matches!(byte, b'0' | b'.')) { text[1..].to_owned() } else { text }
}

/// Formats a number with this many decimals. A value that rounds to zero has no sign.
pub fn decimal(value: f64, decimals: usize) -> String {
    let text = signed(value, decimals);
    text.strip_prefix('+').map_or(text.clone(), str::to_owned)
}

/// Formats a score with this many decimals. A negative score that rounds to zero is `<0`: where the negative ones begin
/// matters, as they are not packed.
pub fn score(value: f64, decimals: usize) -> String {
    let text = decimal(value, decimals);
    let is_zero = text.bytes().all(|byte| matches!(byte, b'0' | b'.'));
    if value < 0.0 && is_zero { "<0".to_owned() } else { text }
}

fn picture(letter: char) -> char {
    match letter {
        // The Unicode control pictures have the order of the ASCII controls.
        '\0'..='\u{1f}' => char::from_u32(0x2400 + letter as u32).unwrap_or(char::REPLACEMENT_CHARACTER),
        '\u{7f}' => '\u{2421}',
        '\u{2028}' | '\u{2029}' | '\u{85}' => '\u{2424}',
        other if is_unsafe(other) => char::REPLACEMENT_CHARACTER,
        other => other,
    }
}

/// Formats a number of bytes in the largest unit in which it is at least one.
pub fn bytes(count: u64) -> String {
    const UNITS: [&str; 4] = ["kB", "MB", "GB", "TB"];
    if count < 1_000 {
        return format!("{count} B");
    }
    let mut value = count as f64 / 1_000.0;
    let mut unit = 0;
    while value >= 1_000.0 && unit + 1 < UNITS.len() {
        value /= 1_000.0;
        unit += 1;
    }
    format!("{value:.1} {}", UNITS[unit])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_message_are_further_in_than_the_first() {
        assert_eq!(message("a\nnote: b\r\n  c\n\nd\te\n"), "a\n  note: b\n  c\n\n  d\u{2409}e");
    }

    #[test]
    fn an_excerpt_has_at_most_200_bytes() {
        assert_eq!(excerpt("a\u{1b}b"), "a\u{241b}b");
        for letter in ["x", "\u{1b}", "é", "\u{202e}", "😀"] {
            let shown = excerpt(&letter.repeat(1_000)).into_owned();
            assert!((190..=200).contains(&shown.len()) && shown.ends_with('…'), "{shown}");
            assert_eq!(excerpt(&shown), shown);
        }
    }

    #[test]
    fn escape_sequences_are_left_out() {
        for (text, expected) in [
            ("a [31m b", "a [31m b"),
            ("\u{1b}[35msrc/a.py\u{1b}[0m\u{1b}[36m:\u{1b}[0m\u{1b}[1;32m12\u{1b}[K:x", "src/a.py:12:x"),
            ("\u{1b}]8;;file:///a\u{1b}\\a.py\u{1b}]8;;\u{1b}\\:12", "a.py:12"),
            ("\u{1b}]0;title\u{7}a\u{1b}(Bé", "aé"),
            ("a\u{1b}", "a"),
            ("\u{1b}(é\u{1b}[", ""),
        ] {
            assert_eq!(without_escapes(text), expected, "{text:?}");
        }
        assert_eq!(without_escapes(&"\u{1b}]".repeat(100_000)), "");
    }

    #[test]
    fn escaped_json_has_the_same_value_and_no_unsafe_character() {
        let text = "é \u{85}\u{9b}31m\u{7f}\u{200f}\u{202e}\u{2066}\u{feff}\u{e0041}\u{2028} \u{1b} \"\\";
        let json = escaped_json(serde_json::to_string(text).unwrap());
        assert!(!json.chars().any(is_unsafe) && json.contains("\\u009b31m") && json.contains('é'), "{json}");
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
    }

    #[test]
    fn thousands_are_separated_by_commas() {
        assert_eq!([0, 999, 1_000, 1_234_567].map(thousands), ["0", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn numbers_that_round_to_zero_have_no_sign() {
        assert_eq!([0.0, -0.0, 0.0004, -0.0004].map(|value| signed(value, 3)), ["0.000"; 4]);
        assert_eq!([0.25, -0.0006].map(|value| signed(value, 3)), ["+0.250", "-0.001"]);
        assert_eq!([-0.0004, 1.5, -2.0].map(|value| decimal(value, 3)), ["0.000", "1.500", "-2.000"]);
    }

    #[test]
    fn small_negative_scores_are_not_zero() {
        assert_eq!([0.0, -0.0, 0.0004, -0.0004].map(|value| score(value, 3)), ["0.000", "0.000", "0.000", "<0"]);
        assert_eq!([-0.0006, 1.5, -0.04].map(|value| score(value, 2)), ["<0", "1.50", "-0.04"]);
    }

    #[test]
    fn ordinary_text_is_borrowed() {
        assert!(matches!(safe("naïve 漢字 🙂 a b"), Cow::Borrowed(_)));
    }

    #[test]
    fn unsafe_characters_are_replaced() {
        assert_eq!(safe("a\u{1b}[31m\n\t\u{7f}"), "a␛[31m␊␉␡");
        assert_eq!(safe("x\u{9b}2J\u{202e}y\u{e0041}\u{2028}"), "x\u{fffd}2J\u{fffd}y\u{fffd}\u{2424}");
    }

    #[test]
    fn sanitized_text_has_no_unsafe_characters() {
        let all: String = (0..0xe0100).filter_map(char::from_u32).collect();
        assert!(!safe(&all).chars().any(is_unsafe));
    }

    #[test]
    fn bytes_have_units() {
        assert_eq!([bytes(12), bytes(1_500), bytes(17_000_000)], ["12 B", "1.5 kB", "17.0 MB"]);
    }
}
