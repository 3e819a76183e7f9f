//! Mutations of source code.

use proptest::prelude::*;

/// A mutation. Positions and lengths are reduced modulo the size of the text.
#[derive(Debug, Clone)]
pub struct Mutation {
    kind: u8,
    at: u32,
    to: u32,
    length: u16,
}

/// Tokens that are significant in some grammar.
const WORDS: &[&str] = &[
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<",
    ">",
    "\"",
    "'",
    "`",
    "\"\"\"",
    "/*",
    "*/",
    "//",
    "#",
    "\\",
    "\n",
    "\n\n",
    "\t",
    ";",
    ":",
    "::",
    ".",
    "..",
    "...",
    ",",
    "=",
    "=>",
    "->",
    "@",
    "&",
    "*",
    "|",
    "!",
    "?",
    "?.",
    "${",
    "self",
    "this",
    "super",
    "Self",
    "crate",
    "class ",
    "def ",
    "func ",
    "fn ",
    "function ",
    "impl ",
    "trait ",
    "interface ",
    "struct ",
    "enum ",
    "type ",
    "import ",
    "from ",
    "use ",
    "export ",
    "default ",
    "return ",
    "yield ",
    "await ",
    "async ",
    "lambda ",
    "match ",
    "case ",
    "for ",
    "in ",
    "if ",
    "else ",
    "where ",
    "as ",
    "extends ",
    "implements ",
    "package ",
    "mod ",
    "pub ",
    "let ",
    "const ",
    "var ",
    "static ",
    "get ",
    "set ",
    "new ",
    "macro_rules! ",
    "namespace ",
    "declare ",
    "dyn ",
    "\u{0}",
    "\u{feff}",
    "\u{202e}",
    "é",
    "漢",
    "\u{1b}[2J",
    "\r",
    "\r\n",
    "0x",
    "1e999",
    "r#\"",
    "f\"{",
    "<a>",
    "</a>",
    "\nmod sample;\n",
    "\nmod other;\n",
];

/// Returns a strategy for the mutations of a file.
pub fn mutations() -> impl Strategy<Value = Vec<Mutation>> {
    let one = (0..10_u8, any::<u32>(), any::<u32>(), 0..400_u16).prop_map(|(kind, at, to, length)| Mutation {
        kind,
        at,
        to,
        length,
    });
    prop::collection::vec(one, 0..12)
}

impl Mutation {
    /// Mutates `bytes`. Some mutations insert a piece of `other`.
    pub fn apply(&self, bytes: &mut Vec<u8>, other: &[u8]) {
        let position = |number: u32, size: usize| number as usize % (size + 1);
        let at = position(self.at, bytes.len());
        let end = bytes.len().min(at + usize::from(self.length));
        match self.kind {
            0 => drop(bytes.drain(at..end)),
            1 => bytes.truncate(at.max(1)),
            2 => insert(bytes, at, WORDS[self.to as usize % WORDS.len()].as_bytes()),
            3 => insert(bytes, at, &self.to.to_le_bytes()[..1 + self.at as usize % 4]),
            4 => {
                insert(bytes, at, &WORDS[self.to as usize % WORDS.len()].repeat(usize::from(self.length)).into_bytes())
            }
            5 => {
                let copy = bytes[at..end].to_vec();
                let to = position(self.to, bytes.len());
                insert(bytes, to, &copy);
            }
            6 => {
                let from = position(self.to, other.len());
                insert(bytes, at, &other[from..other.len().min(from + 4 * usize::from(self.length))]);
            }
            // Names that refer to each other are the likeliest cause of cycles in resolution.
            _ => rename(bytes, self.at, self.to, self.kind == 9),
        }
    }
}

fn insert(bytes: &mut Vec<u8>, at: usize, piece: &[u8]) {
    bytes.splice(at..at, piece.iter().copied());
}

/// Replaces a word of the text, or all occurrences of it, by another word of the text.
fn rename(bytes: &mut Vec<u8>, at: u32, to: u32, everywhere: bool) {
    let words = words(bytes);
    if words.is_empty() {
        return;
    }
    let pick = |number: u32| words[number as usize % words.len()];
    let ((start, end), (from, until)) = (pick(at), pick(to));
    let (old, new) = (bytes[start..end].to_vec(), bytes[from..until].to_vec());
    for (first, last) in words.into_iter().rev() {
        if first == start || (everywhere && bytes[first..last] == old) {
            bytes.splice(first..last, new.iter().copied());
        }
    }
}

fn words(bytes: &[u8]) -> Vec<(usize, usize)> {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let mut words = Vec::new();
    let mut start = None;
    for (index, &byte) in bytes.iter().chain(b" ").enumerate() {
        match (is_word(byte), start) {
            (true, None) => start = Some(index),
            (false, Some(first)) => {
                words.push((first, index));
                start = None;
            }
            _ => {}
        }
    }
    words
}
