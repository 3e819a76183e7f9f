//! Pinned data for tests: a pack of eight symbols, four of them omitted.

use std::sync::Arc;

use ratatui::layout::Size;

use super::model::source::SourceLine;
use super::model::{Model, Skin};
use super::theme::Slot;
use crate::model::{Component, ContextPack, PackedSymbol, Span, Symbol, SymbolId, SymbolKind, SymbolName};

const SYMBOLS: &[(&str, &str, &str, u32, f64, usize)] = &[
    ("open_session", "SecureCookieSessionInterface", "src/flask/sessions.py", 324, 0.91, 412),
    ("save_session", "SecureCookieSessionInterface", "src/flask/sessions.py", 339, 0.88, 588),
    ("SessionMixin", "", "src/flask/sessions.py", 26, 0.79, 210),
    ("session_interface", "Flask", "src/flask/app.py", 281, 0.74, 96),
    ("push", "RequestContext", "src/flask/ctx.py", 367, 0.69, 344),
    ("full_dispatch_request", "Flask", "src/flask/app.py", 881, 0.46, 410),
    ("to_python", "TagDict", "src/flask/json/tag.py", 97, 0.41, 122),
    ("evil\u{1b}[31m\u{202e}name", "Wide漢字Class", "src/flask/a\tb.py", 7, 0.02, 9),
];

/// Symbols in the pack; the others are omitted.
pub const PACKED: usize = 4;

/// The pack.
pub fn pack() -> ContextPack {
    let mut symbols: Vec<PackedSymbol> = SYMBOLS.iter().enumerate().map(|(row, data)| packed(row, data)).collect();
    let omitted = symbols.split_off(PACKED);
    ContextPack {
        task: "refactor session cookie auth".into(),
        repository: "github.com/pallets/flask".into(),
        tokens_used: symbols.iter().map(|packed| packed.tokens).sum::<usize>() + 20,
        symbols,
        omitted,
        budget_tokens: 1_400,
        ..ContextPack::default()
    }
}

fn packed(row: usize, data: &(&str, &str, &str, u32, f64, usize)) -> PackedSymbol {
    let (name, scope, file, line, score, tokens) = *data;
    let qualified_name = format!("github.com/pallets/flask://{file}.{scope}.{name}");
    let part =
        |name, share: f64| Component { name, value: score * share / 0.5, weight: 0.5, contribution: score * share };
    PackedSymbol {
        symbol: Symbol {
            id: SymbolId::new(
                "github.com/pallets/flask",
                SymbolName { place: "", scope: "", name: &qualified_name },
                SymbolKind::Method,
                0,
            ),
            node: row as u32,
            kind: SymbolKind::Method,
            name: name.into(),
            scope: scope.into(),
            qualified_name,
            file: file.into(),
            signature: format!("def {name}(self, app, request)"),
            doc: String::new(),
            span: Span { start_byte: 0, end_byte: 0, start_line: line, end_line: line + 5, name_line: line },
            is_test: false,
            ordinal: 0,
        },
        score,
        components: vec![part("walk", 0.5), part("lexical", 0.4), part("authority", 0.2), part("distance", -0.1)],
        distance: row as u32 % 3,
        provenance: "lexical",
        tokens,
        body: None,
    }
}

/// Source to preview: forty numbered lines, the last of which is very long.
pub fn source() -> Arc<Vec<SourceLine>> {
    let line = |number: usize| -> SourceLine {
        vec![
            (Slot::Keyword, "def ".into()),
            (Slot::Function, format!("line_{number}").into()),
            (Slot::Text, "():".into()),
        ]
    };
    Arc::new((1..=400).map(line).collect())
}

/// A model of this size that has just started.
pub fn model(width: u16, height: u16) -> Model {
    let skin = Skin::plain().expect("the default theme is whole");
    Model::new(String::new(), 1_400, skin, Size { width, height })
}
