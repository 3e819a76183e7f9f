//! The bytes of a file as text: the one way from the disk to text that is parsed, searched or shown.
//!
//! Positions (bytes, lines, columns) are those of the decoded text, so whatever shows a position reads the file with
//! this decoder too. Where the bytes are UTF-8 the text is the same bytes.

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

use super::skip::SkipReason;

/// Number of control characters that a text may have, whatever its length.
const MAX_CONTROLS: usize = 8;
/// One more control character is allowed for this many bytes. Compressed data has one in ten, machine code more.
const BYTES_PER_CONTROL: usize = 32;

/// Decodes a file: UTF-16 by its byte order mark, everything else as UTF-8. Each byte that is not UTF-8 is the character
/// that it is in Windows-1252, the superset of Latin-1, and each NUL is a space, so such bytes cost no more than
/// themselves.
///
/// # Errors
/// [`SkipReason::Binary`] when too many characters are control characters.
pub fn decode(bytes: Vec<u8>) -> Result<String, SkipReason> {
    let encoding = Encoding::for_bom(&bytes).map(|(encoding, _)| encoding).filter(|encoding| *encoding != UTF_8);
    let text = match (encoding, String::from_utf8(bytes)) {
        (None, Ok(text)) if !text.contains('\0') => return Ok(text),
        (None, Ok(text)) => text,
        (None, Err(error)) => with_windows_1252(error.as_bytes()),
        (Some(encoding), Ok(text)) => encoding.decode_with_bom_removal(text.as_bytes()).0.into_owned(),
        (Some(encoding), Err(error)) => encoding.decode_with_bom_removal(error.as_bytes()).0.into_owned(),
    };
    if is_binary(&text) { Err(SkipReason::Binary) } else { Ok(text.replace('\0', " ")) }
}

fn with_windows_1252(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() + bytes.len() / 8);
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.push_str(&WINDOWS_1252.decode_without_bom_handling(chunk.invalid()).0);
    }
    text
}

fn is_binary(text: &str) -> bool {
    let is_of_text = |byte: u8| matches!(byte, b'\t' | b'\n' | b'\r' | 0x08 | 0x0b | 0x0c | 0x1b);
    let controls = text.bytes().filter(|byte| byte.is_ascii_control() && !is_of_text(*byte)).count();
    controls > MAX_CONTROLS + text.len() / BYTES_PER_CONTROL
}

#[cfg(test)]
mod tests {
    use super::*;

    fn utf16(text: &str, to_bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
        "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(to_bytes).collect()
    }

    #[test]
    fn utf_8_is_unchanged() {
        for text in ["", "x = 'ä'\r\n", "\u{feff}package a\n", "a\u{1b}[0m\u{c}b"] {
            assert_eq!(decode(text.into()).as_deref(), Ok(text));
        }
    }

    #[test]
    fn bytes_that_are_not_utf_8_cost_only_themselves() {
        assert_eq!(decode(b"# caf\xe9\ndef brew; end\n".to_vec()).unwrap(), "# café\ndef brew; end\n");
        assert_eq!(decode("ä = '".bytes().chain(*b"\xe4\x80'\n").collect()).unwrap(), "ä = 'ä€'\n", "mixed");
        assert_eq!(decode(b"cut \xe2\x82".to_vec()).unwrap(), "cut \u{e2}\u{201a}");
        let japanese = b"// \x93\xfa\x96\x7b\nint one;\n".repeat(50);
        assert!(decode(japanese).unwrap().ends_with("\nint one;\n"), "Shift-JIS");
    }

    #[test]
    fn a_nul_is_a_space() {
        assert_eq!(decode(b"s = \"a\0b\";\n".to_vec()).unwrap(), "s = \"a b\";\n");
        assert_eq!(decode(b"# \xe9\0\n".to_vec()).unwrap(), "# é \n");
    }

    #[test]
    fn utf_16_is_decoded_by_its_mark() {
        let text = "fn größe() {}\r\n// 🙂\n";
        for to_bytes in [u16::to_le_bytes, u16::to_be_bytes] {
            assert_eq!(decode(utf16(text, to_bytes)).unwrap(), text);
        }
        let mut odd = utf16("a\n", u16::to_le_bytes);
        odd.extend([0x00, 0xd8, 0x41]);
        assert_eq!(decode(odd).unwrap(), "a\n\u{fffd}", "an unpaired surrogate and half a unit");
        assert_eq!(decode(b"\xff\xfe".to_vec()).unwrap(), "");
    }

    #[test]
    fn binary_content_is_recognized_by_its_share_of_control_characters() {
        let noise: Vec<u8> = (0..4_096_u32).map(|index| (index.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        assert_eq!(decode(noise), Err(SkipReason::Binary));
        let wide: Vec<u8> = "int main() { return 0; }".bytes().flat_map(|byte| [byte, 0]).collect();
        assert_eq!(decode(wide.clone()), Err(SkipReason::Binary), "UTF-16 without a mark");
        let utf32 = "int main() { return 0; }".bytes().flat_map(|byte| [byte, 0, 0, 0]);
        assert_eq!(decode([0xff, 0xfe, 0, 0].into_iter().chain(utf32).collect()), Err(SkipReason::Binary), "UTF-32");
        assert_eq!(decode(vec![0; 1_000]), Err(SkipReason::Binary));
    }
}
