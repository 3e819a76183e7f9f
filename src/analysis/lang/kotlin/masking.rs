//! The text that the parser reads instead of a Kotlin file's: byte for byte, but without what the grammar can't read.
//!
//! One pass over the tokens, linear in the text:
//!
//! - A member before the `}` of a body, or before another member, on one line ends with `;`, which Kotlin doesn't need and
//!   the grammar does. So does a statement before a line that begins with a parenthesis.
//! - Modifiers of a declaration are blank, because the grammar takes `actual open class A {}` for calls where it can.
//!   [`modifiers_start`] finds them again.
//! - Modifiers and comments before `constructor` are blank: the grammar knows one modifier, and no `actual`.
//! - `context(…)` before a declaration or a function type is blank, and so is an annotation before a function type.
//! - Parentheses around a name that begins a lambda or a statement are blank: the grammar takes them for parameters.
//! - NUL is blank.
//! - Strings nested too deeply are blank. The grammar's scanner ends the process at some 500.

use super::modifiers::{MODIFIERS, is_annotation, modifiers_start};
use super::tokens::{Kind, Token, tokens};

const CONSTRUCTOR_MODIFIERS: &[&str] = &["actual", "expect", "internal", "private", "protected", "public"];

/// Words at which the header of a type ends that has no body.
const MEMBERS: &[&str] = &["constructor", "fun", "import", "init", "package", "typealias", "val", "var"];

/// Words with which a declaration begins after its modifiers.
const DECLARATIONS: &[&str] = &["class", "fun", "interface", "object", "typealias", "val", "var"];

/// Returns the text that the grammar can read; `None` if that is the text itself.
pub fn masked(text: &str) -> Option<String> {
    let (tokens, too_deep) = tokens(text);
    let mut masking = Masking {
        text,
        tokens,
        masked: text.as_bytes().to_vec(),
        open: Vec::new(),
        header: None,
        statement_continues: false,
    };
    for (start, end) in too_deep {
        masking.blank(start, end);
    }
    for at in 0..masking.tokens.len() {
        masking.visit(at);
    }
    masking.masked.iter_mut().filter(|byte| **byte == 0).for_each(|byte| *byte = b' ');
    let masked = String::from_utf8(masking.masked).ok()?;
    (masked != text).then_some(masked)
}

/// An opened bracket.
struct Open {
    /// The token that opened it.
    token: usize,
    body: Body,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Body {
    /// Braces around members.
    Members,
    /// Braces around the entries of an enum, which end with `;` if members follow.
    Entries,
    /// All other brackets.
    Other,
}

struct Masking<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    masked: Vec<u8>,
    open: Vec<Open>,
    /// The number of open brackets around the header of a type whose body has not begun, and whether it is an enum.
    header: Option<(usize, bool)>,
    /// Whether the statement that the last closed bracket belongs to has only begun.
    statement_continues: bool,
}

impl<'a> Masking<'a> {
    fn visit(&mut self, at: usize) {
        self.separate(at);
        match self.tokens[at].kind {
            Kind::Word => self.visit_word(at),
            Kind::Open => self.open(at),
            Kind::Close => self.close(at),
            Kind::Mark(b';') => {
                self.header = None;
                if let Some(open) = self.open.last_mut().filter(|open| open.body == Body::Entries) {
                    open.body = Body::Members;
                }
            }
            Kind::Mark(b'@') => self.mask_annotation(at),
            Kind::Mark(_) | Kind::Text => {}
        }
    }

    fn visit_word(&mut self, at: usize) {
        let is_name = self.before(at, 1).is_some_and(|token| matches!(token.kind, Kind::Mark(b'.' | b':')))
            && self.tokens[at - 1].end == self.tokens[at].start;
        match self.word(at) {
            "class" | "interface" | "object" if !is_name => {
                let is_enum = at > 0 && self.word(at - 1) == "enum";
                self.header = Some((self.open.len(), is_enum));
                self.mask_annotations(at);
                // After another type, the grammar takes `fun interface` for a function.
                if self.word(at) == "interface" && at > 0 && self.word(at - 1) == "fun" {
                    let (start, end) = (self.tokens[at - 1].start, self.tokens[at - 1].end);
                    self.blank(start, end);
                }
            }
            "constructor" => self.mask_modifiers(at),
            _ => {}
        }
        self.mask_declaration(at);
        if self.header.is_some_and(|(depth, _)| depth == self.open.len()) && MEMBERS.contains(&self.word(at)) {
            let is_in_header = self.word(at) == "constructor" && self.is_before_parenthesis(at);
            self.header = self.header.filter(|_| is_in_header);
        }
    }

    fn open(&mut self, at: usize) {
        let mut body = Body::Other;
        if self.byte(at) == b'{' {
            let outer = self.open.last().map(|open| open.body);
            match self.header {
                Some((depth, is_enum)) if depth == self.open.len() => {
                    body = if is_enum { Body::Entries } else { Body::Members };
                    self.header = None;
                }
                _ if outer == Some(Body::Entries) => body = Body::Members,
                _ => {}
            }
        }
        self.open.push(Open { token: at, body });
    }

    fn close(&mut self, at: usize) {
        if self.header.is_some_and(|(depth, _)| depth == self.open.len()) {
            self.header = None;
        }
        let Some(open) = self.open.pop() else { return };
        self.statement_continues = self.is_condition_or_annotation(open.token);
        if open.body == Body::Members && self.byte(at) == b'}' {
            self.end_member(at);
        }
        if self.byte(at) == b')' {
            self.mask_parentheses(open.token, at);
        }
        if self.byte(at) == b')' && open.token > 0 && self.word(open.token - 1) == "context" {
            self.mask_context(open.token - 1, at);
        }
    }

    /// Returns whether a bracket is around the condition of a statement, or around the arguments of an annotation.
    fn is_condition_or_annotation(&self, bracket: usize) -> bool {
        let Some(mut name) = bracket.checked_sub(1) else { return false };
        while name > 1 && matches!(self.tokens[name - 1].kind, Kind::Mark(b'.' | b':')) {
            name -= 2;
        }
        matches!(self.word(name), "if" | "while" | "for" | "when")
            || self.before(name, 1).is_some_and(|token| token.kind == Kind::Mark(b'@'))
    }

    /// Writes `;` between the last member of a body and the brace on its line, instead of a space.
    fn end_member(&mut self, brace: usize) {
        let Some(last) = self.before(brace, 1) else { return };
        let start = self.tokens[brace].start;
        let is_same_line = !self.text[last.end..start].contains('\n');
        if !is_same_line || matches!(self.byte(brace - 1), b'{' | b';' | b',') {
            return;
        }
        if last.end < start {
            if self.masked[start - 1] == b' ' {
                self.masked[start - 1] = b';';
            }
        } else if last.kind == Kind::Close && last.start > 0 {
            // `{ f() }}`: the first brace moves to the space. `{}}`: the braces of an empty body go.
            let end = match self.masked[last.start - 1] {
                b' ' => self.masked[last.start],
                b'{' => b' ',
                _ => return,
            };
            self.masked[last.start - 1] = end;
            self.masked[last.start] = b';';
        }
    }

    /// Ends the member before another one on its line, and the statement before a line that begins with a parenthesis.
    fn separate(&mut self, at: usize) {
        let Some(last) = self.before(at, 1) else { return };
        let token = self.tokens[at];
        let is_next_line = self.text[last.end..token.start].contains('\n');
        let (is_block, is_type) = match self.open.last() {
            Some(open) => (self.byte(open.token) == b'{', open.body == Body::Members),
            None => (true, true),
        };
        let is_after_block = last.kind == Kind::Close && self.byte(at - 1) == b'}';
        let is_member = !is_next_line && is_type && is_after_block && self.begins_declaration(at);
        let is_statement = is_next_line && is_block && self.byte(at) == b'(' && self.ends_statement(at - 1);
        if self.header.is_none() && (is_member || is_statement) {
            // The first space of the code, before any comment.
            let between = &self.masked[last.end..token.start];
            let mut code = between.iter().take_while(|byte| byte.is_ascii_whitespace());
            if let Some(space) = code.position(|byte| *byte == b' ') {
                self.masked[last.end + space] = b';';
            }
        }
    }

    /// Returns whether a token can end a statement, but no condition and no first half of an infix call.
    fn ends_statement(&self, at: usize) -> bool {
        match self.tokens[at].kind {
            Kind::Text => true,
            Kind::Word => {
                let word = self.word(at);
                word.starts_with(|first: char| first.is_ascii_digit())
                    || matches!(word, "false" | "null" | "super" | "this" | "true")
            }
            Kind::Close => self.byte(at) != b')' || !self.statement_continues,
            _ => false,
        }
    }

    /// Masks the parentheses around a single name at the beginning of a lambda or a statement.
    fn mask_parentheses(&mut self, open: usize, close: usize) {
        let is_name = open + 2 == close && !self.word(open + 1).is_empty();
        let is_mark = |at: usize, mark| self.tokens.get(at).is_some_and(|token| token.kind == Kind::Mark(mark));
        let is_parameter = is_mark(close + 1, b'-') && is_mark(close + 2, b'>');
        let is_first = self.before(open, 1).is_none_or(|last| {
            let between = &self.text[last.end..self.tokens[open].start];
            match last.kind {
                Kind::Open => self.byte(open - 1) == b'{',
                Kind::Close => !between.is_empty(),
                kind => kind == Kind::Mark(b';') || between.contains('\n'),
            }
        });
        if is_name && is_first && !is_parameter {
            self.blank(self.tokens[open].start, self.tokens[open].end);
            self.blank(self.tokens[close].start, self.tokens[close].end);
        }
    }

    /// Masks all lines of annotations but the last one before a type without a body that another annotation follows. The
    /// grammar takes both for one expression.
    fn mask_annotations(&mut self, at: usize) {
        let first = self.first_modifier(at);
        let begins_line =
            self.before(first, 1).is_some_and(|last| self.text[last.end..self.tokens[first].start].contains('\n'));
        if !begins_line || !self.tokens.get(at + 2).is_some_and(|next| next.kind == Kind::Mark(b'@')) {
            return;
        }
        let mut end = self.tokens[first].start;
        let mut is_last = true;
        loop {
            let before = self.text[..end].trim_end();
            let line = before.rfind('\n').map_or(0, |end| end + 1);
            let start = before.len() - before[line..].trim_start().len();
            if !is_annotation(&before[start..]) {
                return;
            }
            if !std::mem::take(&mut is_last) {
                self.blank(start, before.len());
            }
            end = start;
        }
    }

    /// Masks the modifiers of a declaration, unless it is a parameter. The grammar takes them for names where it can.
    fn mask_declaration(&mut self, at: usize) {
        let word = self.word(at);
        let is_declaration = matches!(word, "class" | "interface" | "object" | "fun" | "val" | "var")
            || (matches!(word, "enum" | "companion")
                && at + 1 < self.tokens.len()
                && DECLARATIONS.contains(&self.word(at + 1)));
        let is_parameter = self.open.last().is_some_and(|open| self.byte(open.token) == b'(');
        if is_declaration && !is_parameter {
            let start = modifiers_start(self.text, self.tokens[at].start);
            for modifier in self.first_modifier(at)..at {
                if self.tokens[modifier].start >= start {
                    self.blank(self.tokens[modifier].start, self.tokens[modifier].end);
                }
            }
        }
    }

    fn mask_modifiers(&mut self, constructor: usize) {
        if !self.is_before_parenthesis(constructor) {
            return;
        }
        let modifiers = (0..constructor).rev().take_while(|at| CONSTRUCTOR_MODIFIERS.contains(&self.word(*at))).count();
        let first = constructor - modifiers;
        let start = match self.before(first, 1).filter(|_| self.header.is_some()) {
            Some(before) => before.end,
            None => self.tokens[first].start,
        };
        self.blank(start, self.tokens[constructor].start);
    }

    /// Masks the `context(…)` from a token to its closing parenthesis if a declaration or a function type follows.
    fn mask_context(&mut self, context: usize, close: usize) {
        let Some(next) = self.tokens.get(close + 1) else { return };
        let is_type = self.before(context, 1).is_some_and(|token| matches!(token.kind, Kind::Mark(b':' | b'<')));
        let is_first = self.before(context, 1).is_none_or(|token| {
            self.text[token.end..self.tokens[context].start].contains('\n') || token.kind == Kind::Open
        });
        let is_declaration = next.kind == Kind::Mark(b'@') || self.begins_declaration(close + 1);
        if (is_type && next.kind == Kind::Open) || (is_first && is_declaration) {
            self.blank(self.tokens[context].start, self.tokens[close].end);
        }
    }

    /// Masks an annotation between a mark that a type follows and a parenthesis, which are not its arguments.
    fn mask_annotation(&mut self, at: usize) {
        let begins_type = |token: Token| match token.kind {
            Kind::Mark(mark) => matches!(mark, b':' | b'<' | b',' | b'=' | b'>'),
            kind => kind == Kind::Open,
        };
        if !self.before(at, 1).is_some_and(begins_type) {
            return;
        }
        let mut end = at + 1;
        while self.tokens.get(end).is_some_and(|token| matches!(token.kind, Kind::Word | Kind::Mark(b'.'))) {
            if self.tokens[end].start != self.tokens[end - 1].end {
                return;
            }
            end += 1;
        }
        let last = self.tokens[end - 1].end;
        let has_type = self.tokens.get(end).is_some_and(|token| token.start > last) && self.byte(end) == b'(';
        if end > at + 1 && has_type {
            self.blank(self.tokens[at].start, last);
        }
    }

    /// Returns the first of the modifiers before a token, or the token.
    fn first_modifier(&self, at: usize) -> usize {
        at - (0..at).rev().take_while(|before| MODIFIERS.contains(&self.word(*before))).count()
    }

    /// Returns whether a token is a word with which a declaration can begin.
    fn begins_declaration(&self, at: usize) -> bool {
        let word = self.word(at);
        DECLARATIONS.contains(&word) || MODIFIERS.contains(&word) || matches!(word, "companion" | "context" | "enum")
    }

    fn is_before_parenthesis(&self, at: usize) -> bool {
        at + 1 < self.tokens.len() && self.byte(at + 1) == b'('
    }

    fn before(&self, at: usize, steps: usize) -> Option<Token> {
        self.tokens.get(at.checked_sub(steps)?).copied()
    }

    /// Returns the text of a word, and nothing for other tokens.
    fn word(&self, at: usize) -> &'a str {
        let token = &self.tokens[at];
        if token.kind == Kind::Word { &self.text[token.start..token.end] } else { "" }
    }

    fn byte(&self, at: usize) -> u8 {
        self.text.as_bytes()[self.tokens[at].start]
    }

    fn blank(&mut self, start: usize, end: usize) {
        for byte in &mut self.masked[start..end] {
            if !matches!(byte, b'\n' | b'\r') {
                *byte = b' ';
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::masked;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let masked = masked(text).unwrap_or_else(|| text.to_owned());
        assert_eq!((masked.as_str(), masked.len()), (expected, text.len()));
    }

    #[test]
    fn members_end_with_a_semicolon() {
        check("class A { fun b() {} }", "class A { fun b() {};}");
        check("class A { fun b() {}}", "class A { fun b()  ;}");
        check("class A { fun b() { c() }}", "class A { fun b() { c()};}");
        check("class A { fun b() {} val c = 1 }", "class A { fun b() {};val c = 1;}");
        check("x { y { } }\nclass A\nz { }", "x { y { } }\nclass A\nz { }");
        check("enum class A { B, C }", "enum class A { B, C }");
    }

    #[test]
    fn what_kotlin_reads_alone_is_unchanged() {
        for text in ["class A {\n  fun b() {}\n}\n", "val a = \"${b { c } }\"", "f(a) { it }", "if (a)\n  (b as C).d()"]
        {
            assert_eq!(masked(text), None, "{text}");
        }
    }

    #[test]
    fn statements_end_before_a_parenthesis() {
        check("{\n  a()\n  (b as C).d()\n}", "{\n  a()\n; (b as C).d()\n}");
        check("{\n  a and\n  (b)\n}", "{\n  a and\n   b \n}");
        check("{\n  @A(\"b\")\n  (c as D).e()\n}", "{\n  @A(\"b\")\n  (c as D).e()\n}");
    }
}
