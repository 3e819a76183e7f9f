//! Colors source by what its pieces are, so that the theme alone decides how that looks.

use std::panic::{AssertUnwindSafe, catch_unwind};

use syntect::parsing::{ParseState, Scope, ScopeStack, SyntaxReference, SyntaxSet};

use super::panes::source::SourceLine;
use super::theme::Slot;

/// Prefixes of scopes and what they mean, more specific ones first.
///
/// `Text` ends the search on purpose: code inside a string's interpolation is not a string.
const MEANINGS: &[(&str, Slot)] = &[
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

/// Longer lines stay plain: they are generated, and regular expressions are slow on them.
const LONGEST_COLORED_LINE: usize = 2_000;

/// The syntaxes and what their scopes mean. Loading takes milliseconds: make one and keep it.
pub struct Highlighter {
    syntaxes: SyntaxSet,
    meanings: Vec<(Scope, Slot)>,
}

/// Colors one file from some line on; lines must be given in order.
pub struct Run<'set> {
    highlighter: &'set Highlighter,
    state: ParseState,
    stack: ScopeStack,
    broken: bool,
}

impl Highlighter {
    /// Loads the syntaxes.
    pub fn new() -> Highlighter {
        let meanings = MEANINGS.iter().filter_map(|(prefix, slot)| Some((Scope::new(prefix).ok()?, *slot))).collect();
        Highlighter { syntaxes: two_face::syntax::extra_newlines(), meanings }
    }

    /// Starts on a file, if its language is known.
    pub fn start(&self, file: &str) -> Option<Run<'_>> {
        let name = file.rsplit('/').next().unwrap_or(file);
        let extension = name.rsplit('.').next().unwrap_or(name);
        let syntax: &SyntaxReference = self
            .syntaxes
            .find_syntax_by_extension(name)
            .or_else(|| self.syntaxes.find_syntax_by_extension(extension))?;
        Some(Run { highlighter: self, state: ParseState::new(syntax), stack: ScopeStack::new(), broken: false })
    }

    fn meaning(&self, stack: &ScopeStack) -> Slot {
        let from_top = stack.as_slice().iter().rev();
        let known = |scope: &Scope| {
            let found = self.meanings.iter().find(|(prefix, _)| prefix.is_prefix_of(*scope));
            found.map(|(_, slot)| *slot)
        };
        from_top.filter_map(known).next().unwrap_or(Slot::Text)
    }
}

impl Default for Highlighter {
    fn default() -> Self {
        Self::new()
    }
}

impl Run<'_> {
    /// Colors the next line.
    pub fn line(&mut self, text: &str) -> SourceLine {
        if self.broken || text.len() > LONGEST_COLORED_LINE {
            return plain(text);
        }
        // The syntaxes come from many hands, and a pattern may be wrong in a way that panics.
        match catch_unwind(AssertUnwindSafe(|| self.pieces(text))) {
            Ok(Some(pieces)) => pieces,
            Ok(None) | Err(_) => {
                self.broken = true;
                plain(text)
            }
        }
    }

    fn pieces(&mut self, text: &str) -> Option<SourceLine> {
        let operations = self.state.parse_line(&format!("{text}\n"), &self.highlighter.syntaxes).ok()?;
        let mut pieces = SourceLine::new();
        let mut from = 0;
        for (place, operation) in operations {
            let place = place.min(text.len());
            if place > from {
                push(&mut pieces, self.highlighter.meaning(&self.stack), text.get(from..place)?);
                from = place;
            }
            self.stack.apply(&operation).ok()?;
        }
        if from < text.len() {
            push(&mut pieces, self.highlighter.meaning(&self.stack), &text[from..]);
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

/// The line without colors.
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
    fn the_four_languages_have_colors() {
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
    fn no_letter_is_lost() {
        for line in ["fn f<'a>(x: &'a str) -> u8 { 1 /* c */ }", "", "漢字 = \"é\"", "\"never closed"] {
            let joined: String = slots("a.rs", line).into_iter().map(|(_, piece)| piece).collect();
            assert_eq!(joined, line);
        }
    }
}
