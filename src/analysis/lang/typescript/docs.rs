//! Signatures and doc comments, extracted from the source text.

use crate::text::prefix;

/// Maximum length of a signature in bytes.
const MAX_SIGNATURE: usize = 400;
/// Maximum length of a doc comment in bytes.
const MAX_DOC: usize = 4_000;

/// Folds a header into one line, without the tokens that introduce a body.
pub fn signature(text: &str, start: usize, end: usize) -> String {
    let mut folded = String::new();
    for word in text.get(start..end).unwrap_or("").split_whitespace() {
        if folded.len() > MAX_SIGNATURE {
            folded.push('…');
            break;
        }
        if !folded.is_empty() {
            folded.push(' ');
        }
        folded.push_str(word);
    }
    if folded.len() > MAX_SIGNATURE + 3 {
        folded.truncate(prefix(&folded, MAX_SIGNATURE).len());
        folded.push('…');
    }
    loop {
        let trimmed = folded.trim_end_matches(['{', ';', ',', '=', ' ']);
        let trimmed = trimmed.strip_suffix("=>").unwrap_or(trimmed).len();
        if trimmed == folded.len() {
            return folded;
        }
        folded.truncate(trimmed);
    }
}

/// Returns the comment directly before `start`: one block comment or consecutive `//` lines. Empty if there is none.
pub fn doc_before(text: &str, start: usize) -> String {
    let Some(before) = text.get(..start) else { return String::new() };
    let trimmed = before.trim_end();
    if before[trimmed.len()..].matches('\n').count() > 1 {
        return String::new();
    }
    if let Some(inner) = trimmed.strip_suffix("*/") {
        return inner.rfind("/*").map_or(String::new(), |open| block_comment_text(&inner[open + 2..]));
    }
    let mut lines = Vec::new();
    for line in trimmed.lines().rev() {
        match line.trim().strip_prefix("//") {
            Some(comment) if !is_directive(comment) => lines.push(comment.trim_start_matches('/').trim()),
            _ => break,
        }
    }
    lines.reverse();
    truncated(lines.join("\n"))
}

/// Returns the block comment at the top of the file, unless it is a license or documents the first definition.
pub fn file_doc(text: &str) -> String {
    let start = if text.starts_with("#!") { text.find('\n').unwrap_or(0) } else { 0 };
    let rest = text[start..].trim_start();
    let Some(inner) = rest.strip_prefix("/*") else { return String::new() };
    let Some(end) = inner.find("*/") else { return String::new() };
    let (comment, after) = (&inner[..end], &inner[end + 2..]);
    let gap = &after[..after.len() - after.trim_start().len()];
    let is_about_file = ["@file", "@module", "@packageDocumentation"].iter().any(|tag| comment.contains(tag));
    let stands_alone = gap.matches('\n').count() > 1 || after.trim_start().starts_with("import");
    let lower = comment.to_lowercase();
    if lower.contains("copyright") || lower.contains("license") || !(is_about_file || stands_alone) {
        return String::new();
    }
    block_comment_text(comment)
}

/// Returns the text of a block comment without leading asterisks.
fn block_comment_text(inner: &str) -> String {
    let lines: Vec<&str> = inner.lines().map(|line| line.trim().trim_start_matches('*').trim()).collect();
    truncated(lines.join("\n").trim().to_owned())
}

/// Returns whether a comment is a directive to a tool, such as `eslint-disable`.
fn is_directive(comment: &str) -> bool {
    let comment = comment.trim_start();
    ["eslint-", "@ts-", "prettier-", "#region", "#endregion", "tslint:", "biome-"]
        .iter()
        .any(|prefix| comment.starts_with(prefix))
}

fn truncated(mut doc: String) -> String {
    doc.truncate(prefix(&doc, MAX_DOC).len());
    doc
}
