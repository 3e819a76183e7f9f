//! Doc comments and one-line signatures from source text.

use tree_sitter::Node;

use super::lexicon::{Lexicon, Piece};
use super::walker::Walker;
use crate::text::prefix;

/// Maximum size of a doc comment.
const MAX_DOC_BYTES: usize = 8_192;

/// Maximum size of a signature.
const MAX_SIGNATURE_BYTES: usize = 400;

impl<'a> Walker<'a> {
    /// Sets the doc of the file: the comment before its first node, unless it is the doc of a definition.
    pub fn set_file_doc(&mut self, root: Node<'a>) {
        if let Some(doc) = file_doc(root, self.text, &self.dialect.lexicon) {
            self.facts.set_file_doc(doc);
        }
    }
}

/// Returns the comment before the first node of a file, unless the next node follows it directly. A line that names an
/// interpreter is not a comment.
pub fn file_doc(root: Node<'_>, text: &str, lexicon: &Lexicon) -> Option<String> {
    let number = u32::from(text.starts_with("#!"));
    let first = root.named_child(number).filter(|first| first.is_extra())?;
    root.named_child(number + 1).filter(|next| next.start_position().row > first.end_position().row + 1)?;
    let comment = text.get(first.byte_range()).unwrap_or_default();
    Some(comment_text(comment.trim_start_matches(['#', '-']), lexicon))
}

/// Returns the comment directly above byte `start`, without comment markers.
pub fn comment_above(text: &str, start: usize, lexicon: &Lexicon) -> String {
    let mut end = text[..start].rfind('\n').unwrap_or(0);
    if text[end..start].bytes().any(|byte| !byte.is_ascii_whitespace()) {
        return String::new();
    }
    let mut lines: Vec<&str> = Vec::new();
    let mut size = 0;
    while end > 0 && size < MAX_DOC_BYTES {
        let begin = text[..end].rfind('\n').map_or(0, |offset| offset + 1);
        let line = text[begin..end].trim();
        let opening = lexicon.line_comments.iter().filter(|start| line.starts_with(**start)).max_by_key(|s| s.len());
        if let Some(opening) = opening {
            size += line.len();
            if !(lexicon.docs.is_directive)(&line[opening.len()..]) {
                lines.push(without_markers(line, opening, lexicon));
            }
        } else if lines.is_empty()
            && let Some((open, _)) = lexicon.block_comments.iter().find(|(_, close)| line.ends_with(close))
        {
            return block_comment(text, text[..end].trim_end().len(), open, lexicon);
        } else {
            break;
        }
        end = begin.saturating_sub(1);
    }
    lines.reverse();
    plain(&lines.join("\n"), lexicon)
}

/// Returns the line comment after byte `end` on the same line, without its marker.
pub fn trailing_comment(text: &str, end: usize, lexicon: &Lexicon) -> String {
    let line = text[end..].split('\n').next().unwrap_or_default().trim_start_matches([' ', '\t', ',', ';']);
    let comment = lexicon.line_comments.iter().find_map(|start| line.strip_prefix(start));
    comment.map(str::trim).unwrap_or_default().to_owned()
}

/// Returns a line comment's text: `/// text` is `text`.
fn without_markers<'t>(line: &'t str, opening: &str, lexicon: &Lexicon) -> &'t str {
    if !lexicon.docs.has_tags {
        let text = &line[opening.len()..];
        return text.strip_prefix(' ').unwrap_or(text);
    }
    let last = &opening[opening.len() - 1..];
    line[opening.len()..].trim_start_matches(last).trim_start_matches('!').trim()
}

/// Returns the text of the block comment that ends at byte `end`, unless code precedes it on its first line.
fn block_comment(text: &str, end: usize, open: &str, lexicon: &Lexicon) -> String {
    let Some(start) = text[..end].rfind(open) else { return String::new() };
    let line = text[..start].rfind('\n').map_or(0, |offset| offset + 1);
    if !text[line..start].trim().is_empty() {
        return String::new();
    }
    comment_text(&text[start..end], lexicon)
}

/// Returns the text of a block comment, without its markers and the asterisks in front of its lines.
pub fn comment_text(comment: &str, lexicon: &Lexicon) -> String {
    let known = |(open, close): &(&str, &str)| comment.strip_prefix(open)?.strip_suffix(close);
    let inner = lexicon.block_comments.iter().find_map(known).unwrap_or(comment);
    let inner = inner.trim_matches(|c: char| c == '/' || c == '*' || c == '!' || c.is_whitespace());
    let lines: Vec<&str> = inner.lines().map(|line| line.trim().trim_start_matches('*').trim()).collect();
    plain(&lines.join("\n"), lexicon)
}

/// Removes the markup of documentation comments: XML and HTML tags, and Javadoc's `{@link …}`.
fn plain(doc: &str, lexicon: &Lexicon) -> String {
    if !lexicon.docs.has_tags {
        return prefix(doc.trim(), MAX_DOC_BYTES).to_owned();
    }
    let mut out = String::with_capacity(doc.len().min(MAX_DOC_BYTES));
    let mut rest = prefix(doc, MAX_DOC_BYTES);
    while let Some(at) = rest.find(['<', '{']) {
        out.push_str(&rest[..at]);
        let tail = &rest[at..];
        let is_tag = tail[1..].starts_with(|c: char| c.is_ascii_alphabetic() || c == '/');
        let tag_end = tail.find('>').filter(|end| is_tag && !tail[..*end].contains('\n'));
        if let Some(end) = tag_end {
            // `<see cref="T:Shop.Cart"/>` stands for its name.
            if let Some((_, name)) = tail[..end].split_once("cref=\"") {
                out.push_str(name.split('"').next().unwrap_or_default());
            }
            rest = &tail[end + 1..];
        } else if let Some((tag, after)) = tail.strip_prefix("{@").and_then(|tag| tag.split_once('}')) {
            out.push_str(tag.split_once(char::is_whitespace).map_or(tag, |(_, content)| content));
            rest = after;
        } else {
            out.push_str(&tail[..1]);
            rest = &tail[1..];
        }
    }
    out.push_str(rest);
    let lines: Vec<&str> = out.lines().map(str::trim).collect();
    lines.join("\n").trim().to_owned()
}

/// Returns a signature from source text: [`folded`] without what opens a body at its end.
pub fn single_line(text: &str, lexicon: &Lexicon) -> String {
    let mut folded = folded(text, lexicon);
    folded.truncate(folded.trim_end_matches(['{', ';', ' ']).len());
    if folded.contains(",)") { folded.replace(",)", ")") } else { folded }
}

/// Returns source text on one line, without comments, shortened to [`MAX_SIGNATURE_BYTES`].
pub fn folded(text: &str, lexicon: &Lexicon) -> String {
    let mut folded = String::with_capacity(text.len().min(MAX_SIGNATURE_BYTES + 8));
    let (mut at, mut is_pending) = (0, false);
    while at < text.len() {
        if folded.len() > MAX_SIGNATURE_BYTES {
            folded.truncate(prefix(&folded, MAX_SIGNATURE_BYTES).len());
            folded.push('…');
            return folded;
        }
        let (piece, end) = lexicon.piece(text, at);
        let part = text.get(at..end).unwrap_or_default();
        if piece == Piece::Comment || part.trim().is_empty() {
            is_pending |= !folded.is_empty();
        } else {
            if std::mem::take(&mut is_pending) && !folded.ends_with('(') && part != ")" {
                folded.push(' ');
            }
            folded.push_str(part);
        }
        at = end;
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::super::lexicon::DocStyle;
    use super::*;

    const LEXICON: Lexicon = Lexicon {
        line_comments: &["//"],
        block_comments: &[("/*", "*/")],
        quotes: &["\""],
        long_quotes: &[],
        raw_quotes: &[],
        keywords: &[],
        docs: DocStyle::TAGS,
    };

    fn above(text: &str) -> String {
        comment_above(text, text.find("class").expect("a class"), &LEXICON)
    }

    #[test]
    fn comments_above_a_definition_are_its_doc() {
        assert_eq!(
            above("/**\n * Adds {@link Cart#add items}.\n * <p>Twice.\n */\nclass A {}"),
            "Adds Cart#add items.\nTwice."
        );
        assert_eq!(above("/// <summary>\n/// One <see cref=\"T\"/>.\n/// </summary>\nclass A"), "One T.");
        assert_eq!(above("// far\n\nclass A {}"), "");
        assert_eq!(above("int x; /* of x */\nclass A {}"), "");
        assert_eq!(above("class A {}"), "");
        assert_eq!(above("// a < b and {c}\nclass A {}"), "a < b and {c}");
    }

    #[test]
    fn docs_without_tags_keep_their_text() {
        let is_directive = |comment: &str| comment.starts_with("tool:");
        let lexicon = Lexicon { docs: DocStyle { has_tags: false, is_directive }, ..LEXICON };
        let text = "// Adds <key>:\n//\n//\ta = {@link}\n//tool:x\nclass A {} // An A.";
        assert_eq!(comment_above(text, text.find("class").unwrap(), &lexicon), "Adds <key>:\n\n\ta = {@link}");
        assert_eq!(trailing_comment(text, text.rfind(" //").unwrap(), &lexicon), "An A.");
        assert_eq!(trailing_comment(text, text.find("class").unwrap(), &lexicon), "");
    }

    #[test]
    fn signatures_are_one_line_without_comments() {
        assert_eq!(single_line("int f(\n    int a, // one\n    int b,\n) {", &LEXICON), "int f(int a, int b)");
        assert_eq!(single_line("void g(String s = \"a  // b\")", &LEXICON), "void g(String s = \"a  // b\")");
        assert!(single_line(&"word ".repeat(200), &LEXICON).ends_with('…'));
    }
}
