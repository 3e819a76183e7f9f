//! Syntax highlighting: maps the scopes of a TextMate grammar to the slots of a theme.

use std::panic::{AssertUnwindSafe, catch_unwind};

use syntect::parsing::{ParseState, Scope, ScopeStack, SyntaxReference, SyntaxSet};

use super::panes::source::SourceLine;
use super::theme::Slot;

/// Slots by prefix of a scope, more specific prefixes first.
///
/// `Text` ends the search: code inside an interpolation is not part of the string.
const SLOTS: &[(&str, Slot)] = &[
    ("comment", Slot::Comment),
    ("meta.interpolation", Slot::Text),
    ("meta.template.expression", Slot::Text),
    ("string", Slot::String),
    ("constant.numeric", Slot::Number),
    ("constant", Slot::Constant),
    ("keyword.operator.word", Slot::Keyword),
    ("keyword.operator", Slot::Operator),
    ("keyword", Slot::Keyword),
    ("storage", Slot::Keyword),
    ("entity.name.function", Slot::Function),
    ("support.function", Slot::Function),
    ("variable.function", Slot::Function),
    ("entity.name.tag", Slot::Keyword),
    ("entity.other.attribute-name", Slot::Function),
    ("entity", Slot::Type),
    ("support", Slot::Type),
    ("variable.language", Slot::Keyword),
    ("variable", Slot::Variable),
];

/// Longer lines are not highlighted: they are generated, and regular expressions are slow on them.
const MAX_LINE_BYTES: usize = 2_000;

/// The loaded grammars. Loading takes milliseconds, so a highlighter should be reused.
pub struct Highlighter {
    syntaxes: SyntaxSet,
    slots: Vec<(Scope, Slot)>,
}

/// Highlights one file from some line on; lines must be passed in order.
pub struct FileHighlighter<'set> {
    highlighter: &'set Highlighter,
    state: ParseState,
    stack: ScopeStack,
    failed: bool,
}

impl Highlighter {
    /// Loads the grammars.
    pub fn new() -> Highlighter {
        let slots = SLOTS.iter().filter_map(|(prefix, slot)| Some((Scope::new(prefix).ok()?, *slot))).collect();
        Highlighter { syntaxes: two_face::syntax::extra_newlines(), slots }
    }

    /// Starts a file, or returns `None` if its language is unknown.
    pub fn start(&self, file: &str) -> Option<FileHighlighter<'_>> {
        let name = file.rsplit('/').next().unwrap_or(file);
        let extension = name.rsplit('.').next().unwrap_or(name);
        let syntax: &SyntaxReference = self
            .syntaxes
            .find_syntax_by_extension(name)
            .or_else(|| self.syntaxes.find_syntax_by_extension(extension))?;
        Some(FileHighlighter {
            highlighter: self,
            state: ParseState::new(syntax),
            stack: ScopeStack::new(),
            failed: false,
        })
    }

    fn slot(&self, stack: &ScopeStack) -> Slot {
        let from_top = stack.as_slice().iter().rev();
        let slot = |scope: &Scope| {
            let found = self.slots.iter().find(|(prefix, _)| prefix.is_prefix_of(*scope));
            found.map(|(_, slot)| *slot)
        };
        from_top.filter_map(slot).next().unwrap_or(Slot::Text)
    }
}

impl Default for Highlighter {
    fn default() -> Self {
        Self::new()
    }
}

impl FileHighlighter<'_> {
    /// Highlights the next line.
    pub fn line(&mut self, text: &str) -> SourceLine {
        if self.failed || text.len() > MAX_LINE_BYTES {
            return plain(text);
        }
        // A pattern of a third-party grammar may panic.
        match catch_unwind(AssertUnwindSafe(|| self.pieces(text))) {
            Ok(Some(pieces)) => pieces,
            Ok(None) | Err(_) => {
                self.failed = true;
                plain(text)
            }
        }
    }

    fn pieces(&mut self, text: &str) -> Option<SourceLine> {
        let operations = self.state.parse_line(&format!("{text}\n"), &self.highlighter.syntaxes).ok()?;
        let mut pieces = SourceLine::new();
        let mut from = 0;
        for (offset, operation) in operations {
            let offset = offset.min(text.len());
            if offset > from {
                push(&mut pieces, self.highlighter.slot(&self.stack), text.get(from..offset)?);
                from = offset;
            }
            self.stack.apply(&operation).ok()?;
        }
        if from < text.len() {
            push(&mut pieces, self.highlighter.slot(&self.stack), &text[from..]);
        }
        Some(pieces)
    }
}

fn push(pieces: &mut SourceLine, slot: Slot, text: &str) {
    match pieces.last_mut() {
        Some((last, piece)) if *last == slot => *piece = format!("{piece}{text}").into(),
        _ => pieces.push((slot, text.into())),
    }
}

/// Returns the line without highlighting.
pub fn plain(text: &str) -> SourceLine {
    vec![(Slot::Text, text.into())]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slots(file: &str, line: &str) -> Vec<(Slot, String)> {
        let highlighter = Highlighter::new();
        let pieces = highlighter.start(file).unwrap().line(line);
        pieces.into_iter().map(|(slot, piece)| (slot, piece.into_string())).collect()
    }

    #[test]
    fn supported_languages_are_highlighted() {
        for file in ["a/b.rs", "b.py", "c.go", "d.ts", "e.tsx"] {
            assert!(Highlighter::new().start(file).is_some(), "{file}");
        }
        let pieces = slots("a.py", "def open(self): # why");
        assert!(pieces.contains(&(Slot::Function, "open".into())), "{pieces:?}");
        assert!(pieces.iter().any(|(slot, piece)| *slot == Slot::Comment && piece.contains("why")), "{pieces:?}");
        let pieces = slots("a.rs", "let x = \"text\";");
        assert!(pieces.iter().any(|(slot, piece)| *slot == Slot::String && piece.contains("text")), "{pieces:?}");
    }

    #[test]
    fn highlighting_preserves_the_text() {
        for line in ["fn f<'a>(x: &'a str) -> u8 { 1 /* c */ }", "", "漢字 = \"é\"", "\"never closed"] {
            let joined: String = slots("a.rs", line).into_iter().map(|(_, piece)| piece).collect();
            assert_eq!(joined, line);
        }
    }
}
