//! Macros that no grammar can read, as they are not tokens of the language: a macro for specifiers, for the head of a
//! namespace or of a template, or for a function with its name.
//!
//! The grammars get the text without them, and [`Macros`] has what it lost. A macro is known by its definition in the
//! same file; others by custom, which is capital letters, and by their place: nothing but a macro can be there.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::tokens::{Kind, Token, Tokens, tokens};

/// The macros of a file that the grammars don't get.
#[derive(Debug, Default)]
pub struct Macros {
    blank: Vec<Range<usize>>,
    /// Functions that a macro makes of its arguments, by the first bytes of the macros.
    pub made: HashMap<usize, Made>,
    /// Macros that are lines of their own.
    pub lines: Vec<Line>,
    /// Heads of blocks of tests: `TEST_SUITE("prices") {`.
    suites: Vec<Range<usize>>,
    /// Headers as arguments in conditions: `#if HAS_INCLUDE(<bit>)`.
    headers: Vec<Range<usize>>,
    /// Ranges that become the type `int` for the grammar: `ENABLE_IF(…)` as the parameter of a template, `unsigned` in `unsigned(x)`.
    pub types: Vec<Range<usize>>,
    /// Macros that are the types of fields, `TAILQ_ENTRY(client) entry;`, by their first bytes. The grammar of C++ gets `int`.
    pub field_types: HashMap<usize, Range<usize>>,
}

/// A function whose head is a macro: `SLOT(age) { … }`.
#[derive(Debug, PartialEq, Eq)]
pub struct Made {
    pub name: String,
    pub is_test: bool,
    /// Whether the name is a text, `TEST_CASE("adds")`, which no code can mean.
    pub is_title: bool,
    head: Range<usize>,
}

/// A macro with arguments that is a line of its own: `DEFINE(age)`.
#[derive(Debug, PartialEq, Eq)]
pub struct Line {
    pub name: Range<usize>,
    pub whole: Range<usize>,
    /// The function that the macro defines, if that is known.
    pub defines: Option<String>,
}

/// The meaning of a macro that the file defines.
enum Known {
    /// Nothing but specifiers, attributes, or the head or the end of a block.
    Blank,
    /// The declaration that is its argument: `UNUSED(static int f(void)) { … }`.
    Wrapper,
    /// A function, with the pieces of its name, which are parameters or parts of the name.
    Function { pieces: Vec<String>, parameters: Vec<String>, has_body: bool },
}

/// The kind of an open block.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Block {
    Declarations,
    Code,
}

pub(super) struct Reader<'a> {
    text: &'a str,
    pub(super) tokens: Tokens,
    known: HashMap<&'a str, Known>,
    pub(super) is_cpp: bool,
    /// The first token of the current statement.
    pub(super) head: usize,
    /// The open blocks, and whether each is the body of a type that no `typedef` names.
    blocks: Vec<(Block, bool)>,
    /// The token after the bracket of such a type.
    pub(super) after_record: Option<usize>,
    /// Names of the types that are open.
    classes: HashSet<&'a str>,
    /// Names in capitals that the file declares as types; by custom such names are macros.
    declared: HashSet<&'a str>,
    found: Macros,
}

/// Reads the macros of a file.
pub fn read(text: &str, is_cpp: bool) -> Macros {
    let tokens = tokens(text);
    let known = tokens.definitions.iter().filter_map(|line| definition(&text[line.clone()])).collect();
    let declared = declared_types(text, &tokens.list);
    let mut reader = Reader {
        text,
        tokens,
        known,
        is_cpp,
        head: 0,
        blocks: Vec::new(),
        after_record: None,
        classes: HashSet::new(),
        declared,
        found: Macros::default(),
    };
    reader.found.blank.extend(reader.tokens.definitions.iter().flat_map(|line| comments_inside(text, line)));
    reader.found.headers = reader.tokens.conditions.iter().flat_map(|line| headers_in(text, line)).collect();
    reader.run();
    reader.found
}

impl Macros {
    /// Returns the text without the macros, or with the head of a function instead of those that make one. Bytes keep
    /// their positions. `None` if there are no macros.
    pub fn masked(&self, text: &str) -> Option<String> {
        let is_empty = self.blank.is_empty() && self.types().next().is_none() && self.made.is_empty();
        if is_empty && self.lines.is_empty() && self.suites.is_empty() && self.headers.is_empty() {
            return None;
        }
        let mut bytes = text.as_bytes().to_vec();
        let lines = self.lines.iter().map(|line| &line.whole);
        let heads =
            self.made.values().map(|made| &made.head).chain(&self.suites).chain(self.types()).chain(&self.headers);
        for range in self.blank.iter().chain(lines).chain(heads) {
            let inside = bytes.get_mut(range.clone()).into_iter().flatten();
            inside.filter(|byte| !matches!(byte, b'\n' | b'\r')).for_each(|byte| *byte = b' ');
        }
        let made = self.made.values().map(|made| (made.head.start, &b"int _()"[..]));
        let suites = self.suites.iter().map(|head| (head.start, &b"namespace"[..]));
        let types = self.types().map(|range| (range.start, &b"int"[..]));
        let headers = self.headers.iter().map(|range| (range.start, &b"0"[..]));
        for (start, head) in made.chain(suites).chain(types).chain(headers) {
            if let Some(place) = bytes.get_mut(start..start + head.len()) {
                place.copy_from_slice(head);
            }
        }
        String::from_utf8(bytes).ok()
    }

    fn types(&self) -> impl Iterator<Item = &Range<usize>> {
        self.types.iter().chain(self.field_types.values())
    }
}

/// Returns the names in capitals that a file declares as types: by `typedef`, `using`, as a tag, or as the parameter of a template.
fn declared_types<'a>(text: &'a str, tokens: &[Token]) -> HashSet<&'a str> {
    let word = |at: usize| tokens.get(at).map_or("", |token| &text[token.range()]);
    let (mut declared, mut in_typedef, mut depth) = (HashSet::new(), false, 0_usize);
    for at in 0..tokens.len() {
        let (name, before, next) = (word(at), word(at.wrapping_sub(1)), word(at + 1));
        match name {
            "typedef" => (in_typedef, depth) = (true, 0),
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            ";" if depth == 0 => in_typedef = false,
            _ if is_name_of_macro(name) => {
                // `typedef int length ALIGNED;`
                let is_word = |at: usize| tokens.get(at).is_some_and(|token| token.kind == Kind::Word);
                let is_attribute = at >= 2
                    && is_word(at - 1)
                    && is_word(at - 2)
                    && !super::LEXICON.keywords.contains(&before)
                    && !BEFORE_TYPE.contains(&word(at - 2));
                let is_declared = match before {
                    "class" | "typename" if matches!(next, "," | ">" | "=") => true,
                    "class" | "struct" | "union" | "enum" => matches!(next, "{" | ":" | ";"),
                    "using" => next == "=",
                    _ => in_typedef && depth == 0 && matches!(next, ";" | "," | "[" | ")") && !is_attribute,
                };
                if is_declared {
                    declared.insert(name);
                }
            }
            _ => {}
        }
    }
    declared
}

/// Returns the headers that are arguments in a condition: `<bit>` in `#if HAS_INCLUDE(<bit>)`.
fn headers_in(text: &str, condition: &Range<usize>) -> Vec<Range<usize>> {
    let line = &text[condition.clone()];
    let is_header = |inside: &str| inside.chars().all(|letter| is_part(letter) || matches!(letter, '/' | '.' | '-'));
    let opened = line.match_indices("(<").map(|(at, _)| at + 1);
    let headers = opened.filter_map(|at| Some(at..at + 1 + line[at..].find(">)")?));
    let headers = headers.filter(|header| is_header(&line[header.start + 1..header.end - 1]));
    headers.map(|header| condition.start + header.start..condition.start + header.end).collect()
}

/// Returns the comments in the text of a macro after which its line goes on, at which the grammars end the macro.
fn comments_inside(text: &str, definition: &Range<usize>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = definition.start;
    for line in text[definition.clone()].split_inclusive('\n') {
        let mut from = 0;
        while let Some(open) = line[from..].find("/*").map(|open| from + open) {
            let Some(end) = line[open..].find("*/").map(|end| open + end + 2) else { break };
            if line.trim_end().ends_with('\\') && line[..open].matches('"').count() % 2 == 0 {
                found.push(start + open..start + end);
            }
            from = end;
        }
        start += line.len();
    }
    found
}

/// Returns the name and the meaning of a macro that the grammars can't read where it is used.
fn definition(line: &str) -> Option<(&str, Known)> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("define")?.trim_start();
    let end = rest.find(|letter: char| !is_part(letter)).unwrap_or(rest.len());
    let (name, rest) = rest.split_at(end);
    if name.is_empty() || KEYWORDS.contains(&name) || super::LEXICON.keywords.contains(&name) {
        return None;
    }
    let (parameters, body) = match rest.strip_prefix('(').and_then(|rest| rest.split_once(')')) {
        Some((parameters, body)) => (parameters.split(',').map(|one| one.trim().to_owned()).collect(), body),
        None => (Vec::new(), rest),
    };
    let tokens = tokens(body);
    let words: Vec<&str> = tokens.list.iter().map(|token| &body[token.range()]).collect();
    let known = match is_wrapper(&words, &parameters) {
        true => Known::Wrapper,
        false if is_blank(&words) => Known::Blank,
        false => function(&words, parameters)?,
    };
    Some((name, known))
}

/// Returns whether the text of a macro is not part of what it precedes.
fn is_blank(words: &[&str]) -> bool {
    match words {
        ["namespace", .., "{"] | ["template", "<", .., ">"] | ["}"] | ["extern", _, "{"] => true,
        ["static" | "extern"] => false,
        _ => are_specifiers(words),
    }
}

/// Returns whether words are nothing but specifiers, and attributes with their arguments.
fn are_specifiers(words: &[&str]) -> bool {
    let mut depth = 0_usize;
    words.iter().enumerate().all(|(at, word)| {
        let is_inside = depth > 0;
        match *word {
            "(" | "[" => depth += 1,
            ")" | "]" => depth = depth.saturating_sub(1),
            _ => {}
        }
        let is_attribute = ATTRIBUTES.contains(word);
        let is_opened = *word == "[" || (*word == "(" && at > 0 && ATTRIBUTES.contains(&words[at - 1]));
        is_inside || is_opened || is_attribute || SPECIFIERS.contains(word)
    })
}

/// Words whose parenthesis belongs to a specifier.
const ATTRIBUTES: &[&str] = &["__attribute__", "__declspec", "_Alignas", "alignas", "explicit", "noexcept"];

/// Returns whether the text of a macro is its only parameter, before which there are specifiers.
fn is_wrapper(words: &[&str], parameters: &[String]) -> bool {
    match (words, parameters) {
        ([specifiers @ .., last], [parameter]) => last == parameter && are_specifiers(specifiers),
        _ => false,
    }
}

/// Returns the function whose head is the text of a macro.
fn function(words: &[&str], parameters: Vec<String>) -> Option<Known> {
    let body = words.iter().position(|word| *word == "{").unwrap_or(words.len());
    let head = &words[..body];
    let open = head.iter().position(|word| *word == "(").filter(|open| *open > 1)?;
    if head.last() != Some(&")") || parameters.is_empty() || head.contains(&"=") || head.contains(&";") {
        return None;
    }
    // The name is the words before the parenthesis that are pasted together.
    let mut start = open - 1;
    while start >= 2 && head[start - 1] == "##" {
        start -= 2;
    }
    let pieces: Vec<String> =
        head[start..open].iter().filter(|word| **word != "##").map(|word| (*word).to_owned()).collect();
    let is_named = start > 0 && pieces.iter().any(|piece| parameters.contains(piece));
    is_named.then_some(Known::Function { pieces, parameters, has_body: body < words.len() })
}

/// Specifiers and attributes in the text of a macro.
const SPECIFIERS: &[&str] = &[
    "__forceinline",
    "__inline",
    "__inline__",
    "consteval",
    "constexpr",
    "constinit",
    "explicit",
    "extern",
    "inline",
    "noexcept",
    "static",
    "virtual",
];

/// Words that begin what a specifier precedes, and are not types.
pub(super) const AFTER_SPECIFIER: &[&str] = &[
    "auto",
    "bool",
    "char",
    "class",
    "constexpr",
    "double",
    "enum",
    "explicit",
    "extern",
    "float",
    "friend",
    "inline",
    "int",
    "long",
    "short",
    "signed",
    "static",
    "struct",
    "template",
    "typedef",
    "typename",
    "union",
    "unsigned",
    "using",
    "virtual",
    "void",
    "~",
];

/// Words that begin a type of the language.
pub(super) const PRIMITIVES: &[&str] =
    &["bool", "char", "const", "double", "float", "int", "long", "short", "signed", "struct", "unsigned", "void"];

/// Words that begin a statement and can't follow a type.
const STATEMENTS: &[&str] = &[
    "auto", "break", "class", "continue", "do", "else", "enum", "for", "goto", "if", "return", "struct", "switch",
    "try", "typedef", "union", "using", "while",
];

/// Words that begin a value, before a name and a parenthesis.
const NO_TYPES: &[&str] = &["alignof", "defined", "new", "return", "sizeof"];

/// Words before a declaration that are not types.
pub(super) const BEFORE_TYPE: &[&str] = &[
    "class",
    "const",
    "constexpr",
    "enum",
    "explicit",
    "extern",
    "friend",
    "inline",
    "mutable",
    "register",
    "static",
    "struct",
    "template",
    "typedef",
    "typename",
    "union",
    "virtual",
    "volatile",
    "return",
    "using",
    "operator",
    "new",
    "goto",
];

/// Macros of GoogleTest, which the grammar of C++ reads.
pub const TEST_MACROS: &[&str] = &["TEST", "TEST_F", "TEST_P", "TYPED_TEST", "TYPED_TEST_P"];

/// Names in capitals that the grammars know.
const KEYWORDS: &[&str] = &["NULL", "TRUE", "FALSE", "EOF"];

/// Maximum number of tokens of an attribute in brackets.
const MAX_ATTRIBUTE: usize = 32;

fn is_part(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

/// Returns whether a name is that of a macro by custom.
pub fn is_name_of_macro(name: &str) -> bool {
    name.len() > 1
        && name.starts_with(|first: char| !first.is_ascii_digit())
        && name.bytes().all(|letter| letter.is_ascii_uppercase() || letter.is_ascii_digit() || letter == b'_')
}

impl<'a> Reader<'a> {
    fn run(&mut self) {
        let mut at = 0;
        while let Some(token) = self.token(at) {
            let is_declaration = !self.is_in_code();
            if token.kind == Kind::Word
                && let Some(after) = self.small_attribute(at)
            {
                at = after;
                continue;
            }
            at = match self.word(at) {
                "{" => {
                    let is_record = self.is_record(at);
                    let block = self.block(at);
                    self.blocks.push((block, is_record));
                    self.start(at + 1)
                }
                "}" => {
                    let is_record = self.blocks.last().is_some_and(|(_, is_record)| *is_record);
                    self.after_record = is_record.then_some(at + 1);
                    // In C nothing is open after a bracket in the first column.
                    if !self.is_cpp && (token.start == 0 || self.text.as_bytes()[token.start - 1] == b'\n') {
                        self.blocks.clear();
                    }
                    self.blocks.pop();
                    self.start(at + 1)
                }
                ";" => self.start(at + 1),
                // Macros of Qt before a call.
                "emit" | "Q_EMIT" if self.is_cpp && self.is_name(at + 1) => {
                    self.blank(at, at + 1);
                    at + 1
                }
                "if" | "enum" | "unsigned" | "signed" | "long" | "short" | "typename" if self.is_cpp => self.repair(at),
                ":" if is_declaration && at == self.head + 1 => self.start(at + 1),
                _ if is_declaration && token.kind == Kind::Word => self.name(at),
                _ if at == self.head && self.is_statement(at) => {
                    self.blank(at, at + 1);
                    self.start(at + 1)
                }
                _ => at + 1,
            };
        }
    }

    /// Removes what the grammar of C++ does not know after a keyword. Returns the index of what follows.
    fn repair(&mut self, at: usize) -> usize {
        let (before, next) = (self.word(at.wrapping_sub(1)), self.word(at + 1));
        match self.word(at) {
            // `if CONSTEXPR (x)`
            "if" if matches!(self.known.get(next), Some(Known::Blank)) || next.contains("CONSTEXPR") => {
                self.blank(at + 1, at + 2);
            }
            // `enum : char { … }`
            "enum" if next == ":" => {
                let end = (at + 2..self.tokens.list.len()).find(|index| matches!(self.word(*index), "{" | ";"));
                self.blank(at + 1, end.unwrap_or(at + 2));
            }
            // `enum class [[nodiscard]] Color`
            "enum" => {
                let start = if matches!(next, "class" | "struct") { at + 2 } else { at + 1 };
                self.blank(start, self.after_attribute(start));
            }
            // `f(typename T::value())`
            "typename" if before == "(" => self.blank(at, at + 1),
            "unsigned" | "signed" | "long" | "short" if next == "(" && before != "operator" => {
                self.found.types.extend(self.span(at, at + 1));
            }
            _ => {}
        }
        at + 1
    }

    /// Returns whether a macro is the last parameter of a template, or one between others: `template <class T, ENABLE_IF(…)>`.
    fn is_parameter(&self, at: usize, after: usize) -> bool {
        let (before, next) = (self.word(at - 1), self.word(after));
        after > at + 1 && self.word(self.head) == "template" && matches!(before, "," | "<") && matches!(next, "," | ">")
    }

    /// Returns whether a macro is a statement of its own in code, or the head of a block: `TRY { … } CATCH_ALL`.
    fn is_statement(&self, at: usize) -> bool {
        let (name, next) = (self.word(at), self.word(at + 1));
        let is_macro = matches!(self.known.get(name), Some(Known::Blank))
            || name.len() > 2 && is_name_of_macro(name) && !KEYWORDS.contains(&name);
        let is_line_end = |at: usize| match (self.token(at), self.token(at + 1)) {
            (Some(one), Some(next)) => one.line < next.line,
            _ => false,
        };
        is_macro && (next == "{" || is_line_end(at) && (next == "}" || STATEMENTS.contains(&next)))
    }

    /// Returns whether the innermost block has statements.
    pub(super) fn is_in_code(&self) -> bool {
        self.blocks.last().is_some_and(|(block, _)| *block == Block::Code)
    }

    /// Returns whether the file defines a macro that is more than specifiers.
    pub(super) fn is_defined(&self, name: &str) -> bool {
        matches!(self.known.get(name), Some(Known::Function { .. } | Known::Wrapper))
    }

    /// Returns whether a bracket opens the body of a type that no `typedef` names.
    fn is_record(&self, at: usize) -> bool {
        let has = |words: &[&str]| (self.head..at).any(|index| words.contains(&self.word(index)));
        let is_head = at > self.head && !matches!(self.word(at - 1), ")" | "=");
        is_head && has(&["class", "enum", "struct", "union"]) && !has(&["typedef"])
    }

    fn token(&self, at: usize) -> Option<Token> {
        self.tokens.list.get(at).copied()
    }

    pub(super) fn word(&self, at: usize) -> &'a str {
        self.token(at).map_or("", |token| &self.text[token.range()])
    }

    pub(super) fn is_name(&self, at: usize) -> bool {
        self.token(at).is_some_and(|token| token.kind == Kind::Word)
    }

    fn start(&mut self, at: usize) -> usize {
        self.head = at;
        at
    }

    /// Returns the index after the parenthesis that closes the one at an index; the index itself if there is none.
    fn after_arguments(&self, at: usize) -> usize {
        if self.word(at) != "(" {
            return at;
        }
        let mut depth = 0_usize;
        for index in at..self.tokens.list.len() {
            match self.word(index) {
                "(" => depth += 1,
                ")" if depth == 1 => return index + 1,
                ")" => depth -= 1,
                _ => {}
            }
        }
        self.tokens.list.len()
    }

    /// Returns the kind of the block that a bracket opens.
    fn block(&mut self, at: usize) -> Block {
        let is_word = |word: &'static str| (self.head..at).any(|index| self.word(index) == word);
        let is_string = |index: usize| self.token(index).is_some_and(|token| token.kind == Kind::Text);
        let last = if at > self.head { self.word(at - 1) } else { "" };
        if is_word("namespace") || (is_word("extern") && at > self.head && is_string(at - 1)) {
            return Block::Declarations;
        }
        let keyword = (self.head..at).rfind(|index| {
            let is_parameter = matches!(self.word(index.wrapping_sub(1)), "<" | ",");
            matches!(self.word(*index), "class" | "struct" | "union") && !is_parameter
        });
        match keyword {
            Some(keyword) if !matches!(last, ")" | "=" | "const" | "noexcept" | "override") && !is_word("enum") => {
                let end = (keyword + 1..at).find(|index| matches!(self.word(*index), ":" | "<" | "final"));
                let end = end.unwrap_or(at);
                let name = self.word(end - 1);
                self.classes.insert(name);
                Block::Declarations
            }
            _ => Block::Code,
        }
    }

    /// Reads a name at the level of declarations. Returns the index of what follows.
    fn name(&mut self, at: usize) -> usize {
        let name = self.word(at);
        let is_known = matches!(self.known.get(name), Some(Known::Blank));
        let is_other = matches!(self.known.get(name), Some(Known::Function { .. } | Known::Wrapper));
        let is_type = self.declared.contains(name) || KEYWORDS.contains(&name);
        if !is_known && !is_other && (name.len() < 3 || !is_name_of_macro(name) || is_type) {
            // By custom an attribute, such as `__cold static`.
            let is_attribute = name.starts_with("__") && AFTER_SPECIFIER.contains(&self.word(at + 1));
            if is_attribute && (at == self.head || BEFORE_TYPE.contains(&self.word(at - 1))) {
                self.blank(at, at + 1);
                self.head = if at == self.head { at + 1 } else { self.head };
            }
            return at + 1;
        }
        let after = self.after_arguments(at + 1);
        if at == self.head {
            if matches!(self.word(after), "{" | ";") && self.is_wrapped(at + 1, after) {
                self.blank(at, at + 2);
                self.blank(after - 1, after);
                self.head = at + 2;
                return at + 2;
            }
            if self.word(after) == "{" && name == "TEST_SUITE" && after > at + 1 {
                self.found.suites.extend(self.span(at, after));
                self.blocks.push((Block::Declarations, false));
                return self.start(after + 1);
            }
            if self.word(after) == "{" && after > at + 1 {
                self.make(at, after);
                return after;
            }
            if self.word(after) == ";" && self.has_types(at + 1) {
                self.line(at, after);
                return after;
            }
            if self.is_line(at, after, is_known) {
                self.line(at, after);
                return self.start(after);
            }
            if self.word(after) == ":" && !self.blocks.is_empty() && after == at + 1 {
                self.blank(at, after + 1);
                return self.start(after + 1);
            }
            if !is_known && self.is_field_type(at, after) {
                let span = self.span(at, after);
                self.found.field_types.extend(span.map(|span| (span.start, span)));
                return after;
            }
        }
        if at > self.head && self.is_parameter(at, after) {
            self.found.types.extend(self.span(at, after));
            return after;
        }
        let is_in_class_head = self.is_in_class_head(at, after);
        if is_known || is_in_class_head || self.is_specifier(at, after) || self.is_attribute(at, after) {
            self.blank(at, if is_in_class_head { self.after_attribute(after) } else { after });
            if at == self.head {
                self.head = after;
            }
            return after;
        }
        at + 1
    }

    pub(super) fn blank(&mut self, from: usize, to: usize) {
        self.found.blank.extend(self.span(from, to));
    }

    /// Returns the bytes from one token to before another one; `None` if there are none.
    fn span(&self, from: usize, to: usize) -> Option<Range<usize>> {
        Some(self.token(from)?.start..self.token(to.checked_sub(1)?)?.end).filter(|span| !span.is_empty())
    }

    /// Returns whether a macro with arguments is the type of a field: a name and nothing else follows it.
    fn is_field_type(&self, at: usize, after: usize) -> bool {
        let stars = (after..self.tokens.list.len()).take_while(|index| self.word(*index) == "*").count();
        let is_declared = self.is_name(after + stars) && matches!(self.word(after + stars + 1), ";" | "," | "[");
        self.is_cpp && after > at + 1 && !self.blocks.is_empty() && is_declared
    }

    /// Returns whether a macro at the start of a statement is a line of its own.
    fn is_line(&self, at: usize, after: usize, is_known: bool) -> bool {
        let Some(last) = self.token(after - 1) else { return false };
        let Some(next) = self.token(after) else { return true };
        let word = self.word(after);
        if next.line <= last.line || !(next.kind == Kind::Word || matches!(word, "}" | "~" | "[" | "::")) {
            return false;
        }
        // A type in a line before the name of a function, or an attribute.
        let is_function = self.word(after + 1) == "(" && {
            let end = self.after_arguments(after + 1);
            matches!(self.word(end), "{" | "const" | ":" | ";")
        };
        let is_head = after == at + 1 && !is_known && is_function;
        !is_head || is_name_of_macro(word)
    }

    /// Returns whether an argument is a type of the language, or empty, so that the grammars read the use of a macro neither
    /// as a call nor as a declaration: `DEFAULT(unsigned char, 0);`.
    fn has_types(&self, open: usize) -> bool {
        let arguments = self.arguments(open);
        let commas = (open..self.after_arguments(open)).filter(|at| self.word(*at) == ",").count();
        let is_type = |argument: &&str| {
            let first = argument.split(|letter: char| !is_part(letter)).next().unwrap_or_default();
            first.is_empty() && argument.starts_with("::") || PRIMITIVES.contains(&first)
        };
        arguments.iter().any(is_type) && commas > 0
    }

    fn line(&mut self, at: usize, after: usize) {
        if after == at + 1 {
            return self.blank(at, after);
        }
        let (Some(name), Some(last)) = (self.token(at), self.token(after - 1)) else { return };
        let defines = match self.known.get(self.word(at)) {
            Some(Known::Function { pieces, parameters, has_body: true }) => self.pasted(pieces, parameters, at),
            _ => None,
        };
        // The constructors of a class are found by its name.
        let defines = defines.filter(|name| !self.classes.contains(name.as_str()));
        self.found.lines.push(Line { name: name.range(), whole: name.start..last.end, defines });
    }

    /// Adds a function whose head is a macro.
    fn make(&mut self, at: usize, after: usize) {
        let macro_name = self.word(at);
        let (Some(first), Some(last)) = (self.token(at), self.token(after - 1)) else { return };
        let arguments = self.arguments(at + 1);
        let is_test = macro_name.to_ascii_uppercase().contains("TEST");
        let known = match self.known.get(macro_name) {
            Some(Known::Function { pieces, parameters, .. }) => self.pasted(pieces, parameters, at),
            _ => None,
        };
        let known = known.map(|name| (name, false));
        let is_gtest = self.is_cpp && TEST_MACROS.contains(&macro_name);
        let has_fixture = is_test && (macro_name.contains("FIXTURE") || macro_name.contains("METHOD"));
        // A plain name or a text: `TEST_CASE("adds")`. With a type and a name, it is a function of that name.
        let name = known.or_else(|| {
            let plain = |argument: &&str| argument.chars().all(is_part);
            // With a fixture before it, or with marks behind it.
            let quoted = |argument: &&str| Some((argument.strip_prefix('"')?.split('"').next()?.to_owned(), true));
            match arguments.as_slice() {
                [suite, name] if is_test && plain(suite) && plain(name) && !macro_name.starts_with("BOOST_") => {
                    Some((format!("{suite}_{name}"), false))
                }
                [first, second, ..] if has_fixture && plain(first) && second.starts_with('"') => quoted(second),
                [first, ..] if plain(first) => Some(((*first).to_owned(), false)),
                [first, ..] => quoted(first),
                [] => None,
            }
        });
        let head = first.start..last.end;
        if let Some((name, is_title)) = name.filter(|(name, _)| !name.is_empty() && !is_gtest && head.len() >= 7) {
            self.found.made.insert(first.start, Made { name, is_test, is_title, head });
        }
    }

    /// Returns whether the arguments of a macro are the head of a function: `(static int *f(int a, int b))`.
    fn is_wrapped(&self, open: usize, after: usize) -> bool {
        let Some(parameters) = (open + 2..after).find(|at| self.word(*at) == "(") else { return false };
        let is_part = |at: usize| self.is_name(at) || matches!(self.word(at), "*" | "&" | "::");
        parameters > open + 2
            && self.is_name(parameters - 1)
            && (open + 1..parameters).all(is_part)
            && !NO_TYPES.contains(&self.word(open + 1))
            && self.after_arguments(parameters) + 1 == after
    }

    /// Returns the texts of the arguments of a macro, whose parenthesis is at an index.
    fn arguments(&self, open: usize) -> Vec<&'a str> {
        let end = self.after_arguments(open);
        let (mut depth, mut from, mut arguments) = (0_usize, open + 1, Vec::new());
        for at in open..end {
            match self.word(at) {
                "(" => depth += 1,
                ")" => depth -= 1,
                _ => {}
            }
            let is_end = (self.word(at) == "," && depth == 1) || at + 1 == end;
            if let (true, Some(first), Some(last)) = (is_end && at > from, self.token(from), self.token(at - 1)) {
                arguments.push(&self.text[first.start..last.end]);
            }
            if is_end {
                from = at + 1;
            }
        }
        arguments
    }

    /// Returns the name that a macro makes of its arguments.
    fn pasted(&self, pieces: &[String], parameters: &[String], at: usize) -> Option<String> {
        let arguments = self.arguments(at + 1);
        let mut name = String::new();
        for piece in pieces {
            match parameters.iter().position(|parameter| parameter == piece) {
                Some(number) => name.push_str(arguments.get(number)?),
                None => name.push_str(piece),
            }
        }
        name.chars().all(is_part).then_some(name)
    }

    /// Returns whether a macro is a specifier: it precedes another one, a type and a name, or a constructor.
    fn is_specifier(&self, at: usize, after: usize) -> bool {
        let before = if at > self.head { self.word(at - 1) } else { "" };
        let is_place = at == self.head || BEFORE_TYPE.contains(&before) || before == ">" || before == "]";
        if !is_place || matches!(before, "class" | "struct" | "union" | "enum" | "typename" | "operator" | "return") {
            return false;
        }
        // `BYTE const* next;` has no other type.
        let after_const = if matches!(self.word(after), "const" | "volatile") { after + 1 } else { after };
        let next = self.word(after_const);
        if AFTER_SPECIFIER.contains(&next) || (next == "operator" && self.is_name(after + 1)) {
            return true;
        }
        if !self.is_name(after_const) {
            return false;
        }
        let is_constructor = self.classes.contains(next) && self.word(after + 1) == "(";
        let is_outside = self.is_constructor_outside(after);
        // A type and a name: `API ns::T<int>* f`. Of two names in capitals, the first one can be the type.
        let end = self.after_type(after_const);
        let is_typed = self.is_name(end) && !BEFORE_TYPE.contains(&self.word(end)) || self.word(end) == "operator";
        let is_type = after == at + 1 && !self.word(at).contains('_') && is_name_of_macro(next);
        is_constructor || is_outside || (is_typed && !is_type)
    }

    /// Returns the index after a type: a path with arguments, and signs of pointers.
    fn after_type(&self, from: usize) -> usize {
        let mut at = from + 1;
        loop {
            match self.word(at) {
                "::" if self.is_name(at + 1) => at += 2,
                "<" => {
                    let mut depth = 0_usize;
                    while at < self.tokens.list.len() {
                        match self.word(at) {
                            "<" => depth += 1,
                            ">" => depth -= 1,
                            ";" | "{" => return at,
                            _ => {}
                        }
                        at += 1;
                        if depth == 0 {
                            break;
                        }
                    }
                }
                "*" | "&" | "const" => at += 1,
                _ => return at,
            }
        }
    }

    /// Returns whether a macro is an attribute after a type or the head of a function, or before the name of one.
    fn is_attribute(&self, at: usize, after: usize) -> bool {
        if at <= self.head {
            return false;
        }
        let (before, next) = (self.word(at - 1), self.word(after));
        let ends = matches!(next, ";" | "{" | "=" | "->" | "const" | "noexcept" | "override" | "final")
            || is_name_of_macro(next) && next.len() > 2;
        if matches!(before, ")" | "const" | "noexcept" | "override" | "final") {
            return ends && (self.head..at).any(|index| self.word(index) == ")");
        }
        let is_type = |word: &str| matches!(word, "*" | "&" | ">") || !BEFORE_TYPE.contains(&word);
        // `static API T f(`: a word that was taken for a macro is not a type.
        let is_macro = self.found.blank.last().map(|blank| blank.end) == self.token(at - 1).map(|token| token.end);
        let is_typed = !is_macro && is_type(before) && (self.is_name(at - 1) || matches!(before, "*" | "&" | ">"));
        // `int x GUARDED;`, which is no `T GUARDED;`.
        let is_behind = is_typed && at >= self.head + 2 && self.is_name(at - 1) && ends && next != "{" && {
            let first = self.word(at - 2);
            is_type(first) && (self.is_name(at - 2) || matches!(first, "*" | "&" | ">"))
        };
        // `int API f(`, `int API T<U>::f(`
        let is_between = is_typed && after == at + 1 && self.is_name(after) && {
            let end = self.after_type(after);
            self.word(end) == "(" && self.is_name(end - 1)
        };
        is_behind || is_between
    }

    /// Returns whether the name of a constructor or destructor outside of its class begins at an index: `ns::T::T`.
    fn is_constructor_outside(&self, from: usize) -> bool {
        let mut at = from;
        while self.word(at + 1) == "::" {
            let is_destructor = self.word(at + 2) == "~";
            if is_destructor || self.word(at + 2) == self.word(at) {
                return true;
            }
            at += 2;
        }
        false
    }

    /// Returns whether a macro is between the word for a class and its name, where an attribute can be, too.
    fn is_in_class_head(&self, at: usize, after: usize) -> bool {
        let mut before = at;
        if before >= self.head + 2 && self.word(before - 1) == "]" && self.word(before - 2) == "]" {
            let start = self.head.max(before.saturating_sub(MAX_ATTRIBUTE))..before;
            before = start.rev().find(|start| self.after_attribute(*start) == at).unwrap_or(before);
        }
        let before = if before > self.head { self.word(before - 1) } else { "" };
        let name = self.after_attribute(after);
        matches!(before, "class" | "struct" | "union" | "enum")
            && self.is_name(name)
            && (matches!(self.word(name + 1), ":" | "{" | "<" | "final") || self.word(name + 1) == "::")
    }

    /// Returns the index after the attribute in brackets at an index: `[[nodiscard]]`.
    fn after_attribute(&self, at: usize) -> usize {
        if self.word(at) != "[" || self.word(at + 1) != "[" {
            return at;
        }
        let is_end = |index: &usize| self.word(*index) == "]" && self.word(*index + 1) == "]";
        (at + 2..at + MAX_ATTRIBUTE).find(is_end).map_or(at, |end| end + 2)
    }
}
