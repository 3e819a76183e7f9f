//! OSC 52: the escape sequence with which a program asks its terminal to fill the clipboard.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// The most bytes of text in one sequence: xterm and its kin take 100,000 bytes of sequence, which is this much text
/// before base64 makes it a third longer.
pub const LIMIT: usize = 74_994;

/// The sequence for the clipboard selection. The text is base64, so nothing in it can end the sequence early.
pub fn sequence(text: &str) -> String {
    format!("\u{1b}]52;c;{}\u{7}", STANDARD.encode(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_is_carried_whole_and_as_plain_letters() {
        let sequence = sequence("h\u{1b}i \u{7}漢");
        let inside = sequence.strip_prefix("\u{1b}]52;c;").unwrap().strip_suffix('\u{7}').unwrap();
        assert_eq!(STANDARD.decode(inside).unwrap(), "h\u{1b}i \u{7}漢".as_bytes());
        assert!(!inside.contains(char::is_control));
    }

    #[test]
    fn the_limit_is_that_of_the_terminals() {
        assert!(super::sequence(&"x".repeat(LIMIT)).len() <= 100_000);
    }
}
