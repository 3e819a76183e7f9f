//! The tokens of Kotlin's text, as far as brackets, words and strings go.

/// Maximum depth of strings in the templates of strings.
const MAX_STRINGS: usize = 32;

/// The kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A name, a keyword or a number.
    Word,
    /// `(`, `[` or `{`; the last one also of a template.
    Open,
    /// `)`, `]` or `}`.
    Close,
    /// Any other character of code.
    Mark(u8),
    /// A part of a string, a character, or a name in backticks.
    Text,
}

/// A token: its kind and its bytes.
#[derive(Debug, Clone, Copy)]
pub struct Token {
    pub kind: Kind,
    pub start: usize,
    pub end: usize,
}

/// A string that is open: its quotes, and the number of `$` before a template.
#[derive(Clone, Copy)]
struct Quotes {
    is_raw: bool,
    dollars: usize,
    start: usize,
}

struct Scanner<'a> {
    bytes: &'a [u8],
    at: usize,
    tokens: Vec<Token>,
    /// Open strings, each with the number of braces that are open in its template.
    strings: Vec<(Quotes, usize)>,
    /// Strings nested too deeply.
    too_deep: Vec<(usize, usize)>,
}

/// Returns the tokens of a text without its comments, and the strings in it that are nested too deeply.
pub fn tokens(text: &str) -> (Vec<Token>, Vec<(usize, usize)>) {
    let mut scanner =
        Scanner { bytes: text.as_bytes(), at: 0, tokens: Vec::new(), strings: Vec::new(), too_deep: Vec::new() };
    while scanner.at < scanner.bytes.len() {
        scanner.step();
    }
    if let Some((quotes, _)) = scanner.strings.get(MAX_STRINGS) {
        scanner.too_deep.push((quotes.start, text.len()));
    }
    (scanner.tokens, scanner.too_deep)
}

impl Scanner<'_> {
    fn step(&mut self) {
        let start = self.at;
        match self.bytes[start] {
            b'/' if self.starts_with(b"//") => self.at = self.find(start, b'\n'),
            b'/' if self.starts_with(b"/*") => self.comment(),
            b'"' => self.string(0),
            b'$' => {
                let dollars = self.bytes[start..].iter().take_while(|byte| **byte == b'$').count();
                self.at += dollars;
                if self.bytes.get(self.at) == Some(&b'"') {
                    self.string(dollars)
                } else {
                    self.push(Kind::Mark(b'$'), start)
                }
            }
            b'\'' => {
                let is_escaped = self.bytes.get(start + 1) == Some(&b'\\');
                let end = self.find(start + if is_escaped { 3 } else { 1 }, b'\'');
                // The longest is '\u0041'; anything else is not a character.
                let is_character = end - start <= 8;
                self.at = if is_character { (end + 1).min(self.bytes.len()) } else { start + 1 };
                self.push(Kind::Text, start);
            }
            b'`' => {
                let end = self.find(start + 1, b'`').min(self.find(start, b'\n'));
                self.at = (end + 1).min(self.bytes.len());
                self.push(Kind::Text, start);
            }
            b'(' | b'[' | b'{' => self.bracket(Kind::Open),
            b')' | b']' | b'}' => self.bracket(Kind::Close),
            byte if is_word(byte) => {
                self.at += self.bytes[start..].iter().take_while(|byte| is_word(**byte)).count();
                self.push(Kind::Word, start);
            }
            byte => {
                self.at += 1;
                if !byte.is_ascii_whitespace() {
                    self.push(Kind::Mark(byte), start);
                }
            }
        }
    }

    fn bracket(&mut self, kind: Kind) {
        let start = self.at;
        self.at += 1;
        self.push(kind, start);
        let Some((_, braces)) = self.strings.last_mut() else { return };
        match self.bytes[start] {
            b'{' => *braces += 1,
            b'}' => {
                *braces -= 1;
                if *braces == 0 {
                    self.string_content();
                }
            }
            _ => {}
        }
    }

    /// Reads the quotes at which a string begins, and its content.
    fn string(&mut self, dollars: usize) {
        let start = self.at - dollars;
        let is_raw = self.starts_with(b"\"\"\"");
        self.at += if is_raw { 3 } else { 1 };
        self.strings.push((Quotes { is_raw, dollars: dollars.max(1), start }, 0));
        self.push(Kind::Text, start);
        self.string_content();
    }

    /// Reads the content of the innermost string up to its end, or to a template.
    fn string_content(&mut self) {
        let Some(&(quotes, _)) = self.strings.last() else { return };
        let start = self.at;
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b'\\' if !quotes.is_raw => self.at += 1,
                b'$' => {
                    let dollars = self.bytes[self.at..].iter().take_while(|byte| **byte == b'$').count();
                    self.at += dollars;
                    if dollars >= quotes.dollars && self.bytes.get(self.at) == Some(&b'{') {
                        self.push(Kind::Text, start);
                        return self.bracket(Kind::Open);
                    }
                    continue;
                }
                b'"' if !quotes.is_raw => break,
                b'"' if self.starts_with(b"\"\"\"") => break,
                _ => {}
            }
            self.at += 1;
        }
        let quotes_end = if quotes.is_raw {
            self.bytes[self.at.min(self.bytes.len())..].iter().take_while(|byte| **byte == b'"').count()
        } else {
            1
        };
        self.at = (self.at + quotes_end).min(self.bytes.len());
        self.push(Kind::Text, start);
        self.strings.pop();
        if self.strings.len() == MAX_STRINGS {
            self.too_deep.push((quotes.start, self.at));
        }
    }

    /// Reads a comment with those in it.
    fn comment(&mut self) {
        let mut depth = 0;
        while self.at < self.bytes.len() {
            let step = if self.starts_with(b"/*") {
                depth += 1;
                2
            } else if self.starts_with(b"*/") {
                depth -= 1;
                2
            } else {
                1
            };
            self.at += step;
            if depth == 0 {
                return;
            }
        }
    }

    fn starts_with(&self, text: &[u8]) -> bool {
        self.bytes[self.at..].starts_with(text)
    }

    /// Returns the position of a byte from a place on, or the end of the text.
    fn find(&self, from: usize, byte: u8) -> usize {
        let rest = self.bytes.get(from..).unwrap_or_default();
        rest.iter().position(|known| *known == byte).map_or(self.bytes.len(), |position| from + position)
    }

    fn push(&mut self, kind: Kind, start: usize) {
        self.tokens.push(Token { kind, start, end: self.at });
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}
