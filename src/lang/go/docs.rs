//! Doc comments and one-line signatures, read from the text around a declaration.

/// Longest doc comment that is kept, in bytes.
const LONGEST_DOC: usize = 8_192;

/// Longest signature, in bytes.
const LONGEST_SIGNATURE: usize = 400;

/// The comment that stands right above byte `start`, without its markers. Directives (`//go:embed`) are no prose.
pub(super) fn above(text: &str, start: usize) -> String {
    let mut lines: Vec<&str> = Vec::new();
    let mut end = text[..start].rfind('\n').unwrap_or(0);
    if text[end..start].bytes().any(|byte| !byte.is_ascii_whitespace()) {
        return String::new();
    }
    let mut size = 0;
    while end > 0 && size < LONGEST_DOC {
        let begin = text[..end].rfind('\n').map_or(0, |at| at + 1);
        let line = text[begin..end].trim();
        if let Some(comment) = line.strip_prefix("//") {
            size += line.len();
            if !is_directive(comment) {
                lines.push(comment.strip_prefix(' ').unwrap_or(comment));
            }
            end = begin.saturating_sub(1);
        } else if lines.is_empty() && line.ends_with("*/") {
            return block(text, end);
        } else {
            break;
        }
    }
    lines.reverse();
    lines.join("\n").trim().to_owned()
}

/// The block comment that ends at byte `end`, if it stands on lines of its own.
fn block(text: &str, end: usize) -> String {
    let Some(open) = text[..end].rfind("/*") else { return String::new() };
    let line = text[..open].rfind('\n').map_or(0, |at| at + 1);
    if !text[line..open].trim().is_empty() {
        return String::new();
    }
    let inner = text[open + 2..end].trim_end();
    let inner = inner.strip_suffix("*/").unwrap_or(inner);
    let lines: Vec<&str> = inner.lines().map(|line| line.trim().trim_start_matches('*').trim()).collect();
    shorten(lines.join("\n").trim(), LONGEST_DOC).to_owned()
}

/// The line comment that follows byte `end` on the same line.
pub(super) fn behind(text: &str, end: usize) -> String {
    let rest = &text[end..];
    let line = rest.split('\n').next().unwrap_or(rest).trim_start_matches([' ', '\t', ',', ';']);
    line.strip_prefix("//").map(str::trim).unwrap_or_default().to_owned()
}

/// `go:generate`, `nolint:errcheck`, `line file.go:1`.
fn is_directive(comment: &str) -> bool {
    comment.split_once(':').is_some_and(|(word, rest)| {
        !word.is_empty()
            && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
            && rest.starts_with(|first: char| first.is_ascii_lowercase())
    })
}

/// Source text on one line: white space folded, comments left out, cut when it is very long.
pub(super) fn fold(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut folded = String::with_capacity(text.len().min(LONGEST_SIGNATURE + 8));
    let mut at = 0;
    let mut pending = false;
    while at < bytes.len() {
        if folded.len() > LONGEST_SIGNATURE {
            folded.truncate(shorten(&folded, LONGEST_SIGNATURE).len());
            folded.push('…');
            break;
        }
        let start = at;
        match bytes[at] {
            b' ' | b'\t' | b'\n' | b'\r' => {
                at += 1;
                pending = !folded.is_empty();
                continue;
            }
            b'/' if bytes.get(at + 1) == Some(&b'/') => {
                at += text[at..].find('\n').unwrap_or(text.len() - at);
                continue;
            }
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                at += text[at..].find("*/").map_or(text.len() - at, |length| length + 2);
                continue;
            }
            quote @ (b'"' | b'`') => at = string_end(bytes, at, quote),
            _ => {
                at += 1;
                while at < bytes.len() && !matches!(bytes[at], b' ' | b'\t' | b'\n' | b'\r' | b'/' | b'"' | b'`') {
                    at += 1;
                }
            }
        }
        if std::mem::take(&mut pending) && !folded.ends_with('(') {
            folded.push(' ');
        }
        folded.push_str(&text[start..at]);
    }
    tidy_list(folded)
}

/// A parameter list written over several lines ends in `, )`.
fn tidy_list(folded: String) -> String {
    if folded.contains(", )") { folded.replace(", )", ")") } else { folded }
}

/// One past the end of the string literal that starts at `at`.
pub(super) fn string_end(bytes: &[u8], at: usize, quote: u8) -> usize {
    let mut at = at + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' if quote != b'`' => at += 1,
            b'\n' if quote != b'`' => return at,
            byte if byte == quote => return at + 1,
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

/// The longest start of `text` that has at most `limit` bytes and ends between characters.
pub(super) fn shorten(text: &str, limit: usize) -> &str {
    let mut end = limit.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}
