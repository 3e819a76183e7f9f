//! Code between `<%` and `%>` in pages: Embedded Ruby, Embedded Elixir.

/// Returns the text of a page with blanks instead of everything but its code, byte for byte. One without code is a comment:
/// it is rendered, too.
pub fn code(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let blank = |byte: &u8| if matches!(byte, b'\n' | b'\r') { *byte } else { b' ' };
    let mut masked: Vec<u8> = bytes.iter().map(blank).collect();
    let mut at = 0;
    while let Some(open) = text[at..].find("<%").map(|open| at + open) {
        let start = open + "<%".len();
        let end = text[start..].find("%>").map_or(text.len(), |end| start + end);
        at = (end + "%>".len()).min(text.len());
        // A comment, or a tag that is written.
        if matches!(bytes.get(start), Some(b'#' | b'%')) {
            continue;
        }
        let start = start + text[start..end].len() - text[start..end].trim_start_matches(['=', '-']).len();
        let code = text[start..end].trim_end_matches('-');
        masked[start..start + code.len()].copy_from_slice(code.as_bytes());
        // A comment would go on behind the tag.
        let last_line = start + code.rfind('\n').map_or(0, |line| line + 1);
        if let Some(comment) = comment_start(&text[last_line..start + code.len()]) {
            masked[last_line + comment..start + code.len()].fill(b' ');
        }
        if let Some(after) = masked.get_mut(end) {
            *after = b';';
        }
    }
    if !text.trim().is_empty() && masked.iter().all(u8::is_ascii_whitespace) {
        masked[0] = b'#';
    }
    String::from_utf8(masked).ok()
}

/// Returns where the comment of a line begins.
fn comment_start(line: &str) -> Option<usize> {
    let is_open = |before: &str, quote: char| before.matches(quote).count() % 2 == 1;
    line.match_indices('#').map(|(at, _)| at).find(|at| {
        let before = &line[..*at];
        let is_apart = before.is_empty() || before.ends_with(char::is_whitespace);
        is_apart && !is_open(before, '"') && !is_open(before, '\'')
    })
}
