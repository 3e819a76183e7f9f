//! Colors of source: maps the tokens of a file to the slots of a theme. Texts in other formats: [`super::textmate`].

use super::panes::source::SourceLine;
use super::theme::Slot;
use crate::engine::{Token, TokenClass, highlight};

/// Returns the lines of a file, or of a part of it, as colored pieces.
pub fn highlighted(file: &str, lines: &[String]) -> Vec<SourceLine> {
    let text = lines.join("\n");
    let tokens = highlight(file, &text);
    let mut tokens = tokens.iter().peekable();
    let mut start = 0;
    let mut colored = Vec::with_capacity(lines.len());
    for line in lines {
        let end = start + line.len();
        let mut pieces = SourceLine::new();
        let mut at = start;
        while let Some(Token { range, class }) = tokens.peek() {
            let (from, to) = (range.start.max(start), range.end.min(end));
            if from < to {
                push(&mut pieces, Slot::Text, &text, at..from);
                push(&mut pieces, slot(*class), &text, from..to);
                at = to;
            }
            // A token of several lines continues in the next one.
            if range.end > end {
                break;
            }
            tokens.next();
        }
        push(&mut pieces, Slot::Text, &text, at..end);
        colored.push(pieces);
        start = end + 1;
    }
    colored
}

fn push(pieces: &mut SourceLine, slot: Slot, text: &str, range: std::ops::Range<usize>) {
    let text = text.get(range).unwrap_or_default();
    if !text.is_empty() {
        pieces.push((slot, text.into()));
    }
}

fn slot(class: TokenClass) -> Slot {
    match class {
        TokenClass::Comment => Slot::Comment,
        TokenClass::String => Slot::String,
        TokenClass::Number => Slot::Number,
        TokenClass::Constant => Slot::Constant,
        TokenClass::Keyword => Slot::Keyword,
        TokenClass::Operator => Slot::Operator,
        TokenClass::Function => Slot::Function,
        TokenClass::Type => Slot::Type,
        TokenClass::Variable => Slot::Variable,
    }
}

/// Returns the line without highlighting.
pub fn plain(text: &str) -> SourceLine {
    vec![(Slot::Text, text.into())]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(file: &str, text: &str) -> Vec<SourceLine> {
        highlighted(file, &text.lines().map(str::to_owned).collect::<Vec<_>>())
    }

    /// Asserts the slot of the first piece that is exactly `part`.
    fn assert_slot(file: &str, text: &str, part: &str, slot: Slot) {
        let pieces = pieces(file, text).concat();
        let found = pieces.iter().find(|(_, piece)| &**piece == part);
        assert_eq!(found.map(|(slot, _)| *slot), Some(slot), "{part} of {pieces:?}");
    }

    #[test]
    fn supported_languages_are_highlighted() {
        let python = "class Till(Box):\n    \"\"\"Holds cash.\"\"\"\n    def open(self, key=1): # why\n        return f\"a{key}b\"\n";
        for (part, slot) in [
            ("class", Slot::Keyword),
            ("Till", Slot::Type),
            ("\"\"\"Holds cash.\"\"\"", Slot::Comment),
            ("open", Slot::Function),
            ("self", Slot::Keyword),
            ("1", Slot::Number),
            ("# why", Slot::Comment),
            ("f\"a", Slot::String),
        ] {
            assert_slot("a.py", python, part, slot);
        }
        let rust = "/// Opens.\nfn open<'a>(x: &'a str) -> Till { vec![x.find(\"text\")]; MAX_LEN; Some(true) }";
        for (part, slot) in [
            ("/// Opens.", Slot::Comment),
            ("fn", Slot::Keyword),
            ("open", Slot::Function),
            ("str", Slot::Type),
            ("Till", Slot::Type),
            ("\"text\"", Slot::String),
            ("MAX_LEN", Slot::Constant),
            ("true", Slot::Constant),
        ] {
            assert_slot("a/b.rs", rust, part, slot);
        }
        let script = "export class A { run(a: string) { return `x${a.trim()}` } }";
        for file in ["d.ts", "e.tsx", "f.js", "g.mjs"] {
            assert_slot(file, script, "class", Slot::Keyword);
            assert_slot(file, script, "run", Slot::Function);
            assert_slot(file, script, "trim", Slot::Function);
            assert_slot(file, script, "`x", Slot::String);
        }
    }

    #[test]
    fn a_template_in_a_string_does_not_end_highlighting() {
        let go = "package main\n\nimport \"fmt\"\n\nfunc first() {\n\tpanic(\"{{ if eq .X \\\"svg\\\" }}…\")\n}\n\n\
                  // Second follows.\nfunc second(name string) error {\n\tfmt.Println(name, 1)\n\tExported()\n\treturn nil\n}\n";
        for (part, slot) in [
            ("\"{{ if eq .X \\\"svg\\\" }}…\"", Slot::String),
            ("// Second follows.", Slot::Comment),
            ("second", Slot::Function),
            ("string", Slot::Type),
            ("Println", Slot::Function),
            ("Exported", Slot::Function),
            ("return", Slot::Keyword),
            ("nil", Slot::Constant),
        ] {
            assert_slot("a.go", go, part, slot);
        }
    }

    #[test]
    fn highlighting_preserves_the_text() {
        for text in ["fn f<'a>(x: &'a str) -> u8 { 1 /* c\n\n */ }", "漢字 = \"é\"", "\"never closed", "}}}", ""] {
            for file in ["a.rs", "a.py", "a.go", "a.ts", "a.unknown"] {
                let lines = pieces(file, text).into_iter();
                let lines = lines.map(|line| line.into_iter().map(|(_, piece)| piece).collect::<String>());
                assert_eq!(lines.collect::<Vec<_>>(), text.lines().collect::<Vec<_>>(), "{file}");
            }
        }
    }
}
