//! Identifiers and words of strings in source text.

/// Keywords, which are in every body and do not help to find it. Sorted for binary search.
const KEYWORDS: &[&str] = &[
    "Self", "as", "async", "await", "break", "const", "continue", "crate", "dyn", "else", "enum", "extern", "false",
    "fn", "for", "if", "impl", "in", "let", "loop", "match", "mod", "move", "mut", "pub", "ref", "return", "self",
    "static", "struct", "super", "trait", "true", "type", "unsafe", "use", "where", "while",
];

/// Calls `emit` for each identifier and each word of a string literal, with its first byte. Skips comments and
/// keywords.
pub fn scan_words(text: &str, emit: &mut dyn FnMut(usize, &str)) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        at = match bytes[at] {
            b'/' if bytes.get(at + 1) == Some(&b'/') => line_end(bytes, at),
            b'/' if bytes.get(at + 1) == Some(&b'*') => comment_end(bytes, at),
            b'"' => scan_string(text, at, emit),
            b'\'' => skip_quote(bytes, at),
            byte if is_word_byte(byte) => scan_word(text, at, emit),
            _ => at + 1,
        };
    }
}

fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

fn line_end(bytes: &[u8], at: usize) -> usize {
    bytes[at..].iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |length| at + length)
}

fn comment_end(bytes: &[u8], at: usize) -> usize {
    let (mut depth, mut at) = (0_u32, at);
    while at < bytes.len() {
        match (bytes[at], bytes.get(at + 1)) {
            (b'/', Some(b'*')) => (depth, at) = (depth + 1, at + 2),
            (b'*', Some(b'/')) => (depth, at) = (depth.saturating_sub(1), at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            return at;
        }
    }
    at
}

/// Returns the end of the character literal at `at`, or the byte after the quote of a lifetime.
fn skip_quote(bytes: &[u8], at: usize) -> usize {
    if bytes.get(at + 1) == Some(&b'\\') {
        let rest = &bytes[(at + 3).min(bytes.len())..];
        return rest.iter().take(12).position(|byte| *byte == b'\'').map_or(at + 1, |length| at + 4 + length);
    }
    if bytes.get(at + 2) == Some(&b'\'') { at + 3 } else { at + 1 }
}

fn scan_word(text: &str, at: usize, emit: &mut dyn FnMut(usize, &str)) -> usize {
    let bytes = text.as_bytes();
    let end = bytes[at..].iter().position(|byte| !is_word_byte(*byte)).map_or(bytes.len(), |length| at + length);
    // A malformed escape may have ended inside a multi-byte character.
    let word = text.get(at..end).unwrap_or("");
    let hashes = bytes[end..].iter().take_while(|byte| **byte == b'#').count();
    if matches!(word, "r" | "br" | "cr") && bytes.get(end + hashes) == Some(&b'"') {
        return scan_raw_string(text, end + hashes + 1, hashes, emit);
    }
    if !bytes[at].is_ascii_digit() && KEYWORDS.binary_search(&word).is_err() {
        emit(at, word);
    }
    end
}

fn scan_string(text: &str, at: usize, emit: &mut dyn FnMut(usize, &str)) -> usize {
    let bytes = text.as_bytes();
    let mut end = at + 1;
    while end < bytes.len() && bytes[end] != b'"' {
        end += if bytes[end] == b'\\' { 2 } else { 1 };
    }
    let end = end.min(bytes.len());
    scan_string_words(text, at + 1, end, emit);
    end + 1
}

fn scan_raw_string(text: &str, at: usize, hashes: usize, emit: &mut dyn FnMut(usize, &str)) -> usize {
    let bytes = text.as_bytes();
    let mut end = at;
    while end < bytes.len() {
        let closing = &bytes[(end + 1).min(bytes.len())..];
        if bytes[end] == b'"' && closing.iter().take(hashes).take_while(|byte| **byte == b'#').count() == hashes {
            break;
        }
        end += 1;
    }
    scan_string_words(text, at, end, emit);
    end + 1 + hashes
}

fn scan_string_words(text: &str, start: usize, end: usize, emit: &mut dyn FnMut(usize, &str)) {
    let bytes = text.as_bytes();
    let mut at = start;
    while at < end {
        if bytes[at] == b'\\' {
            at += 2;
            continue;
        }
        if !is_word_byte(bytes[at]) {
            at += 1;
            continue;
        }
        let stop = bytes[at..end].iter().position(|byte| !is_word_byte(*byte)).map_or(end, |length| at + length);
        if let Some(word) = text.get(at..stop).filter(|word| !word.as_bytes()[0].is_ascii_digit()) {
            emit(at, word);
        }
        at = stop;
    }
}
