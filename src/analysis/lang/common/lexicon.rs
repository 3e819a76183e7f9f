//! Comments, strings and keywords of a language, as far as docs, signatures and search words need them.

/// The lexical data of a language.
pub struct Lexicon {
    /// Beginnings of comments that end with their line.
    pub line_comments: &'static [&'static str],
    /// The delimiters of comments over several lines.
    pub block_comments: &'static [(&'static str, &'static str)],
    /// Quotes of strings with backslash escapes that end on their line at the latest; longer ones first.
    pub quotes: &'static [&'static str],
    /// Quotes of strings over several lines; longer ones first.
    pub long_quotes: &'static [&'static str],
    /// Quotes of strings over several lines without escapes.
    pub raw_quotes: &'static [&'static str],
    /// Words that are not search words. Sorted for binary search.
    pub keywords: &'static [&'static str],
    /// The text of doc comments.
    pub docs: DocStyle,
}

/// The text of doc comments.
#[derive(Clone, Copy)]
pub struct DocStyle {
    /// Whether tags (`<p>`, `{@link A}`) and the indentation of lines are removed.
    pub has_tags: bool,
    /// Returns whether the text of a line comment is a directive to a tool.
    pub is_directive: fn(comment: &str) -> bool,
}

impl DocStyle {
    /// Tags, and no directives.
    pub const TAGS: DocStyle = DocStyle { has_tags: true, is_directive: |_| false };
}

/// A piece of source text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Piece {
    Comment,
    String,
    Word,
    /// White space or punctuation.
    Other,
}

impl Lexicon {
    /// Returns the piece that begins at byte `at`, and its end.
    pub fn piece(&self, text: &str, at: usize) -> (Piece, usize) {
        let rest = &text.as_bytes()[at..];
        let begins = |start: &&&str| begins(rest, start);
        let end_of = |length: Option<usize>| length.map_or(text.len(), |length| at + length);
        if let Some((open, close)) = self.block_comments.iter().find(|(open, _)| begins(&open)) {
            let inner = text.get(at + open.len()..).and_then(|inner| inner.find(close));
            return (Piece::Comment, end_of(inner.map(|length| open.len() + length + close.len())));
        }
        if self.line_comments.iter().any(|start| begins(&start)) {
            return (Piece::Comment, end_of(rest.iter().position(|byte| *byte == b'\n')));
        }
        if let Some(quote) = self.long_quotes.iter().find(begins) {
            return (Piece::String, string_end(text, at, quote, true));
        }
        if let Some(quote) = self.raw_quotes.iter().find(begins) {
            let inner = text.get(at + quote.len()..).and_then(|inner| inner.find(quote));
            return (Piece::String, end_of(inner.map(|length| length + 2 * quote.len())));
        }
        if let Some(quote) = self.quotes.iter().find(begins) {
            return (Piece::String, string_end(text, at, quote, false));
        }
        if is_word_byte(rest[0]) {
            return (Piece::Word, end_of(rest.iter().position(|byte| !is_word_byte(*byte))));
        }
        (Piece::Other, at + 1)
    }

    /// Calls `emit` with the start and the text of each identifier and each word in a string.
    pub fn scan_words(&self, text: &str, emit: &mut dyn FnMut(usize, &str)) {
        self.scan_words_by(Lexicon::piece, self.keywords, text, emit);
    }

    /// [`Lexicon::scan_words`] of a text that `piece` divides. `in_strings` are the words of strings that are none.
    pub fn scan_words_by(
        &self,
        piece: fn(&Lexicon, &str, usize) -> (Piece, usize),
        in_strings: &[&str],
        text: &str,
        emit: &mut dyn FnMut(usize, &str),
    ) {
        let mut at = 0;
        while at < text.len() {
            let (piece, end) = piece(self, text, at);
            match piece {
                Piece::Word => emit_word(text, at, end, self.keywords, emit),
                Piece::String => {
                    let mut inner = at;
                    while inner < end {
                        let bytes = &text.as_bytes()[inner..end];
                        let length = bytes.iter().position(|byte| !is_word_byte(*byte)).unwrap_or(bytes.len());
                        if length > 0 {
                            emit_word(text, inner, inner + length, in_strings, emit);
                        }
                        // The letter after a backslash is part of an escape.
                        inner += if bytes[length.min(bytes.len() - 1)] == b'\\' { length + 2 } else { length + 1 };
                    }
                }
                Piece::Comment | Piece::Other => {}
            }
            at = end;
        }
    }
}

/// Returns whether a text begins with a delimiter. This is asked for every byte of a file, and the first one tells it mostly.
#[inline]
fn begins(text: &[u8], delimiter: &str) -> bool {
    text.first() == delimiter.as_bytes().first() && text.starts_with(delimiter.as_bytes())
}

fn emit_word(text: &str, start: usize, end: usize, excluded: &[&str], emit: &mut dyn FnMut(usize, &str)) {
    if let Some(word) = text.get(start..end)
        && !word.as_bytes()[0].is_ascii_digit()
        && excluded.binary_search(&word).is_err()
    {
        emit(start, word);
    }
}

/// Returns whether a byte is part of a word. Bytes from 128 on belong to letters of other scripts, or to rare symbols.
pub fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

fn string_end(text: &str, start: usize, quote: &str, may_span_lines: bool) -> usize {
    let bytes = text.as_bytes();
    let mut at = start + quote.len();
    while at < bytes.len() {
        if bytes[at] == b'\\' {
            at += 2;
        } else if bytes[at..].starts_with(quote.as_bytes()) {
            return at + quote.len();
        } else if bytes[at] == b'\n' && !may_span_lines {
            return at;
        } else {
            at += 1;
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEXICON: Lexicon = Lexicon {
        line_comments: &["//"],
        block_comments: &[("/*", "*/")],
        quotes: &["\"", "'"],
        long_quotes: &["\"\"\""],
        raw_quotes: &["`"],
        keywords: &["if", "new"],
        docs: DocStyle::TAGS,
    };

    fn words(text: &str) -> Vec<String> {
        let mut words = Vec::new();
        LEXICON.scan_words(text, &mut |_, word| words.push(word.to_owned()));
        words
    }

    #[test]
    fn comments_and_keywords_are_not_words() {
        assert_eq!(words("if (a) /* b */ c; // d\nnew E(1)"), ["a", "c", "E"]);
    }

    #[test]
    fn strings_hide_comments_and_have_words() {
        assert_eq!(words(r#"f("a // b\nc", 'd') "#), ["f", "a", "b", "c", "d"]);
        assert_eq!(words("f(`a\\`, b) // `c"), ["f", "a", "b"]);
        assert_eq!(words("\"\"\"one\ntwo\"\"\" three 'open\nfour"), ["one", "two", "three", "open", "four"]);
    }

    #[test]
    fn unfinished_text_ends() {
        for text in ["/*", "\"", "\"\\", "'ä", "\"\"\"x\\", "`ä", "//"] {
            words(text);
        }
    }
}
