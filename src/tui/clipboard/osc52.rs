//! OSC 52, the escape sequence that sets the clipboard of the terminal.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// Maximum number of text bytes in one sequence: xterm accepts 100,000 bytes, and base64 makes the text a third longer.
pub const MAX_BYTES: usize = 74_994;

/// Returns the sequence that sets the clipboard selection. The text is base64, so it cannot end the sequence early.
pub fn sequence(text: &str) -> String {
    format!("\u{1b}]52;c;{}\u{7}", STANDARD.encode(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_encoded_without_control_characters() {
        let sequence = sequence("h\u{1b}i \u{7}漢");
        let inside = sequence.strip_prefix("\u{1b}]52;c;").unwrap().strip_suffix('\u{7}').unwrap();
        assert_eq!(STANDARD.decode(inside).unwrap(), "h\u{1b}i \u{7}漢".as_bytes());
        assert!(!inside.contains(char::is_control));
    }

    #[test]
    fn longest_sequence_fits_xterm() {
        assert!(super::sequence(&"x".repeat(MAX_BYTES)).len() <= 100_000);
    }
}
