//! Doc comments and one-line signatures from a declaration's source text.

/// Maximum size of a doc comment.
const MAX_DOC_BYTES: usize = 8_192;

/// Maximum size of a signature.
const MAX_SIGNATURE_BYTES: usize = 400;

/// Returns the comment directly above byte `start`, without comment markers and directives (`//go:embed`).
pub(super) fn comment_above(text: &str, start: usize) -> String {
    let mut lines: Vec<&str> = Vec::new();
    let mut end = text[..start].rfind('\n').unwrap_or(0);
    if text[end..start].bytes().any(|byte| !byte.is_ascii_whitespace()) {
        return String::new();
    }
    let mut size = 0;
    while end > 0 && size < MAX_DOC_BYTES {
        let begin = text[..end].rfind('\n').map_or(0, |offset| offset + 1);
        let line = text[begin..end].trim();
        if let Some(comment) = line.strip_prefix("//") {
            size += line.len();
            if !is_directive(comment) {
                lines.push(comment.strip_prefix(' ').unwrap_or(comment));
            }
            end = begin.saturating_sub(1);
        } else if lines.is_empty() && line.ends_with("*/") {
            return block_comment(text, end);
        } else {
            break;
        }
    }
    lines.reverse();
    lines.join("\n").trim().to_owned()
}

/// Returns the block comment that ends at byte `end`, unless code precedes it on its first line.
fn block_comment(text: &str, end: usize) -> String {
    let Some(open) = text[..end].rfind("/*") else { return String::new() };
    let line = text[..open].rfind('\n').map_or(0, |offset| offset + 1);
    if !text[line..open].trim().is_empty() {
        return String::new();
    }
    let inner = text[open + 2..end].trim_end();
    let inner = inner.strip_suffix("*/").unwrap_or(inner);
    let lines: Vec<&str> = inner.lines().map(|line| line.trim().trim_start_matches('*').trim()).collect();
    truncate(lines.join("\n").trim(), MAX_DOC_BYTES).to_owned()
}

/// Returns the line comment after byte `end` on the same line.
pub(super) fn trailing_comment(text: &str, end: usize) -> String {
    let rest = &text[end..];
    let line = rest.split('\n').next().unwrap_or(rest).trim_start_matches([' ', '\t', ',', ';']);
    line.strip_prefix("//").map(str::trim).unwrap_or_default().to_owned()
}

/// Returns whether a line comment is a directive: `go:generate`, `nolint:errcheck`.
fn is_directive(comment: &str) -> bool {
    comment.split_once(':').is_some_and(|(word, rest)| {
        !word.is_empty()
            && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
            && rest.starts_with(|first: char| first.is_ascii_lowercase())
    })
}

/// Returns source text on one line, without comments, truncated to [`MAX_SIGNATURE_BYTES`].
pub(super) fn single_line(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut folded = String::with_capacity(text.len().min(MAX_SIGNATURE_BYTES + 8));
    let mut offset = 0;
    let mut pending = false;
    while offset < bytes.len() {
        if folded.len() > MAX_SIGNATURE_BYTES {
            folded.truncate(truncate(&folded, MAX_SIGNATURE_BYTES).len());
            folded.push('…');
            break;
        }
        let start = offset;
        match bytes[offset] {
            b' ' | b'\t' | b'\n' | b'\r' => {
                offset += 1;
                pending = !folded.is_empty();
                continue;
            }
            b'/' if bytes.get(offset + 1) == Some(&b'/') => {
                offset += text[offset..].find('\n').unwrap_or(text.len() - offset);
                continue;
            }
            b'/' if bytes.get(offset + 1) == Some(&b'*') => {
                offset += text[offset..].find("*/").map_or(text.len() - offset, |length| length + 2);
                continue;
            }
            quote @ (b'"' | b'`') => offset = string_end(bytes, offset, quote),
            _ => {
                offset += 1;
                while offset < bytes.len()
                    && !matches!(bytes[offset], b' ' | b'\t' | b'\n' | b'\r' | b'/' | b'"' | b'`')
                {
                    offset += 1;
                }
            }
        }
        if std::mem::take(&mut pending) && !folded.ends_with('(') {
            folded.push(' ');
        }
        folded.push_str(&text[start..offset]);
    }
    remove_trailing_comma(folded)
}

/// Removes the trailing comma of a parameter list that had one line for each parameter.
fn remove_trailing_comma(folded: String) -> String {
    if folded.contains(", )") { folded.replace(", )", ")") } else { folded }
}

/// Returns the offset after the string literal that starts at `offset`.
pub(super) fn string_end(bytes: &[u8], offset: usize, quote: u8) -> usize {
    let mut offset = offset + 1;
    while offset < bytes.len() {
        match bytes[offset] {
            b'\\' if quote != b'`' => offset += 1,
            b'\n' if quote != b'`' => return offset,
            byte if byte == quote => return offset + 1,
            _ => {}
        }
        offset += 1;
    }
    bytes.len()
}

/// Returns the longest prefix of `text` with at most `limit` bytes that ends at a character boundary.
pub(super) fn truncate(text: &str, limit: usize) -> &str {
    let mut end = limit.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}
