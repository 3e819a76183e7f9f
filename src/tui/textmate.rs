//! Colors of texts in other formats than the indexed languages, such as Markdown and JSON: maps the scopes of TextMate
//! grammars to the slots of a theme.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::LazyLock;

use syntect::parsing::{ParseState, Scope, ScopeStack, SyntaxSet};

use super::panes::source::SourceLine;
use super::theme::Slot;

/// Slots by prefix of a scope, more specific prefixes first.
const SLOTS: &[(&str, Slot)] = &[
    ("comment", Slot::Comment),
    ("string", Slot::String),
    ("constant.numeric", Slot::Number),
    ("constant", Slot::Constant),
    ("keyword.operator", Slot::Operator),
    ("keyword", Slot::Keyword),
    ("storage", Slot::Keyword),
    ("markup.heading", Slot::Keyword),
    ("markup.raw", Slot::String),
    ("entity.name.function", Slot::Function),
    ("entity.name.section", Slot::Keyword),
    ("entity.name.tag", Slot::Keyword),
    ("entity.other.attribute-name", Slot::Function),
    ("entity", Slot::Type),
    ("variable", Slot::Variable),
];

/// Longer lines are not colored: regular expressions are slow on them.
const MAX_LINE_BYTES: usize = 2_000;

static GRAMMARS: LazyLock<Grammars> = LazyLock::new(|| Grammars {
    syntaxes: SyntaxSet::load_defaults_newlines(),
    slots: SLOTS.iter().filter_map(|(prefix, slot)| Some((Scope::new(prefix).ok()?, *slot))).collect(),
});

struct Grammars {
    syntaxes: SyntaxSet,
    slots: Vec<(Scope, Slot)>,
}

/// Returns the lines as colored pieces. The grammar is that of the file's extension; without one all text is plain.
pub fn highlighted(file: &str, lines: &[String]) -> Vec<SourceLine> {
    let plain = |line: &String| vec![(Slot::Text, line.as_str().into())];
    let extension = file.rsplit(['/', '.']).next().unwrap_or(file);
    let Some(syntax) = GRAMMARS.syntaxes.find_syntax_by_extension(extension) else {
        return lines.iter().map(plain).collect();
    };
    let (mut state, mut stack) = (ParseState::new(syntax), ScopeStack::new());
    let mut has_failed = false;
    let mut colored = Vec::with_capacity(lines.len());
    for line in lines {
        // A pattern of a third-party grammar may panic; the rest of the text is plain then.
        let pieces = match has_failed || line.len() > MAX_LINE_BYTES {
            true => None,
            false => catch_unwind(AssertUnwindSafe(|| pieces(line, &mut state, &mut stack))).ok().flatten(),
        };
        has_failed |= pieces.is_none() && line.len() <= MAX_LINE_BYTES;
        colored.push(pieces.unwrap_or_else(|| plain(line)));
    }
    colored
}

/// Returns the pieces of the next line; `None` if the grammar is invalid.
fn pieces(line: &str, state: &mut ParseState, stack: &mut ScopeStack) -> Option<SourceLine> {
    let operations = state.parse_line(&format!("{line}\n"), &GRAMMARS.syntaxes).ok()?;
    let mut pieces = SourceLine::new();
    let mut start = 0;
    for (end, operation) in operations {
        let end = end.min(line.len());
        if end > start {
            pieces.push((slot(stack), line.get(start..end)?.into()));
            start = end;
        }
        stack.apply(&operation).ok()?;
    }
    if start < line.len() {
        pieces.push((slot(stack), line.get(start..)?.into()));
    }
    Some(pieces)
}

/// Returns the slot of the innermost scope that has one.
fn slot(stack: &ScopeStack) -> Slot {
    let slot =
        |scope: &Scope| GRAMMARS.slots.iter().find(|(prefix, _)| prefix.is_prefix_of(*scope)).map(|(_, slot)| *slot);
    stack.as_slice().iter().rev().find_map(slot).unwrap_or(Slot::Text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_of_packs_are_colored() {
        let slot = |file: &str, text: &str, part: &str| {
            let pieces = highlighted(file, &[text.to_owned()]).concat();
            pieces.iter().find(|(_, piece)| piece.contains(part)).map(|(slot, _)| *slot)
        };
        assert_eq!(slot("pack.json", r#"{"rank": 12, "open": true}"#, "12"), Some(Slot::Number));
        assert_eq!(slot("pack.json", r#"{"rank": 12, "open": true}"#, "true"), Some(Slot::Constant));
        assert_eq!(slot("pack.xml", r#"<pack rank="1">"#, "rank"), Some(Slot::Function));
        assert_eq!(slot("docs/a.md", "# Session cookies", "Session"), Some(Slot::Keyword));
        assert_eq!(slot("pack.gcf", "@1 fn open", "open"), Some(Slot::Text));
    }

    #[test]
    fn the_text_is_preserved() {
        for text in ["{\"é\": [1, 漢字", "<a b='", "", &"[".repeat(MAX_LINE_BYTES + 1)] {
            for file in ["a.json", "b.xml", "c.md", "d.unknown", "Makefile"] {
                let joined: String =
                    highlighted(file, &[text.to_owned()]).concat().iter().map(|(_, piece)| &**piece).collect();
                assert_eq!(joined, text, "{file}");
            }
        }
    }
}
