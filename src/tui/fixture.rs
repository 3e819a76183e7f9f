//! Fixed data for tests: a pack of eight symbols, four of them omitted.

use std::sync::Arc;

use ratatui::layout::Size;

use super::model::{Appearance, Model};
use super::panes::source::{LoadedSource, SourceLine};
use super::panes::why::Explained;
use super::theme::Slot;
use crate::engine::concepts::{ConceptSymbol, FrameworkUse, Layer, MatchStrength, MatchedConcept};
use crate::engine::{
    ChannelRank, ConceptContribution, Keywords, LastCommit, ListRank, MissingReason, NeighborNode, Neighborhood,
    PackStatus, ParentEdge, PathStep, RankedScore, TermMatch, WalkReach, Why, WordMatch,
};
use crate::exchange::{Client, Outcome, PackRecord, RequestRecord, RequestSource, RequestSubject};
use crate::model::{
    Component, ContextPack, EdgeType, Intent, NodeId, Omission, PackedSymbol, Reason, Span, Symbol, SymbolId,
    SymbolKind, SymbolName,
};

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

/// Returns the pack.
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
        left_tokens: 4,
        ..ContextPack::default()
    }
}

fn packed(row: usize, data: &(&str, &str, &str, u32, f64, usize)) -> PackedSymbol {
    let (name, scope, file, line, score, tokens) = *data;
    let qualified_name = format!("github.com/pallets/flask://{file}.{scope}.{name}");
    let part = |name, share: f64| Component { name, value: score * share / 0.5, contribution: score * share };
    PackedSymbol {
        symbol: Symbol {
            id: SymbolId::new(
                "github.com/pallets/flask",
                SymbolName { unit: "", scope: "", name: &qualified_name },
                SymbolKind::Method,
                0,
            ),
            node: NodeId::from_index(row),
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
        reason: None,
    }
}

/// Returns 400 highlighted lines of source.
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

/// Returns that source as the preview worker reports it, with the pack's symbols of `sessions.py` as its definitions.
pub fn shown() -> LoadedSource {
    let definitions = pack().symbols.into_iter().map(|packed| packed.symbol);
    let mut definitions: Vec<Symbol> = definitions.filter(|symbol| symbol.file.ends_with("sessions.py")).collect();
    definitions.sort_by_key(|symbol| symbol.span.name_line);
    LoadedSource { lines: source(), definitions: Arc::new(definitions), changed: false }
}

/// Returns a concept that matches the first two symbols of the pack.
pub fn concept_match() -> MatchedConcept {
    let symbols = pack().symbols.into_iter().take(2).enumerate();
    MatchedConcept {
        concept: "WEB_SESSION".into(),
        layer: Layer::Universal,
        framework_use: FrameworkUse::Any,
        strong: true,
        strength: MatchStrength::Word,
        muted: false,
        phrases: vec![("session".into(), Some(9..16))],
        targets: vec!["open_session".into(), "save_session".into()],
        reference: String::new(),
        symbols: symbols
            .map(|(row, packed)| ConceptSymbol {
                target: packed.symbol.name.clone(),
                symbol: packed.symbol,
                value: 0.8,
                rank: Some(row + 1),
                contribution: 0.17,
            })
            .collect(),
    }
}

/// Returns a request of an agent for this task, answered with the pack.
pub fn request(task: &str) -> RequestRecord {
    let client = Client { name: "claude-code".into(), version: "2.1".into() };
    let subject = RequestSubject::Task(task.into());
    let mut record = RequestRecord::begin(RequestSource::Mcp, client, "knowing_context", subject);
    record.outcome = Outcome::Answered;
    record.options.budget = 2_000;
    record.pack = Some(PackRecord::new(&pack(), "0011".into(), 1_874));
    record
}

/// Returns the initial model for this size of terminal.
pub fn model(width: u16, height: u16) -> Model {
    let appearance = Appearance::plain().expect("the default theme is valid");
    Model::new(String::new(), 1_400, appearance, Size { width, height })
}

/// Returns a neighborhood of the first symbols of the pack: three at one hop, one at two hops.
pub fn neighborhood() -> Neighborhood {
    let pack = pack();
    let all: Vec<PackedSymbol> = pack.symbols.into_iter().chain(pack.omitted).collect();
    let node = |row: usize, hops, parent: Option<(usize, EdgeType, bool)>, mass, hidden| NeighborNode {
        symbol: all[row].symbol.clone(),
        hops,
        parent: parent.map(|(index, edge_type, outgoing)| {
            let is_inferred = edge_type == EdgeType::AccessesField;
            ParentEdge { index, edge_type, outgoing, is_inferred }
        }),
        mass,
        hidden,
    };
    Neighborhood {
        nodes: vec![
            node(0, 0, None, 1.0, 7),
            node(1, 1, Some((0, EdgeType::Calls, true)), 0.6, 0),
            node(2, 1, Some((0, EdgeType::Extends, true)), 0.25, 0),
            node(4, 1, Some((0, EdgeType::Calls, false)), 0.1, 3),
            node(3, 2, Some((1, EdgeType::AccessesField, false)), 0.05, 0),
        ],
        links: vec![(0, 1), (0, 2), (3, 0), (4, 1), (1, 2)],
        of_task: true,
    }
}

/// Returns the commit that last changed any symbol.
pub fn last_commit() -> LastCommit {
    LastCommit {
        id: "4f1c2ab9".repeat(5),
        subject: "retry when the subscription fails (#412)".to_owned(),
        author: "Ada".to_owned(),
        time: 1_700_000_000,
        pull_request: Some(412),
    }
}

/// Returns the explanation of a row of the pack, with a path of two steps.
pub fn explained(row: usize) -> Explained {
    let pack = pack();
    let all: Vec<PackedSymbol> = pack.symbols.into_iter().chain(pack.omitted).collect();
    let packed = all[row].clone();
    let list_rank = |rank, of, value| Some(ListRank { rank, of, value });
    let why = Why {
        reason: Reason {
            sentence: "its name has \"session\" and its body \"cookies\"".to_owned(),
            short: "name: session".to_owned(),
        },
        answer: None,
        feedback: None,
        expired: 0,
        scored: 300,
        symbol: packed.symbol.short_name().to_owned(),
        kind: "method",
        file: packed.symbol.file.clone(),
        line: packed.symbol.span.name_line,
        keywords: Keywords::default(),
        intent: Some(Intent::Locate),
        words: [("session", Some("name")), ("cookie", Some("body")), ("auth", None)]
            .map(|(word, found_in)| WordMatch { word: word.into(), found_in, is_related: false })
            .into(),
        terms: vec![
            TermMatch { term: "session".into(), weight: 1.0, symbols: 41, found_in: vec!["symbol_name", "body"] },
            TermMatch { term: "auth".into(), weight: 0.8, symbols: 12, found_in: vec![] },
        ],
        channels: vec![
            ChannelRank { channel: "bm25", weight: 1.0, found: list_rank(3, 120, 0.61), fusion: 0.0159 },
            ChannelRank { channel: "exact_name", weight: 2.0, found: None, fusion: 0.0 },
        ],
        concepts: vec![ConceptContribution {
            concept: "WEB_SESSION".into(),
            layer: "program",
            phrase: "session".into(),
            target: "open_session".into(),
            value: 0.8,
            contribution: 0.17,
        }],
        fused: list_rank(2, 60, 0.031),
        seed: None,
        noise: None,
        walk: Some(walk_reach(packed.symbol.short_name())),
        hub: Some(0.2),
        authority: Some(0.4),
        rank: Some(RankedScore {
            rank: row + 1,
            of: 212,
            score: packed.score,
            components: packed.components.clone(),
            provenance: "bm25",
        }),
        pack: match row < PACKED {
            true => PackStatus::Packed { rank: row + 1, of: PACKED, tokens: packed.tokens, budget_tokens: 1_400 },
            false => PackStatus::Omitted {
                reason: Omission::Below,
                tokens: packed.tokens,
                left_tokens: 74,
                budget_tokens: 1_400,
            },
        },
        missing: if row < PACKED { vec![] } else { vec![MissingReason::NoChannel] },
    };
    Explained { symbol: packed.symbol, why: Some(Box::new(why)) }
}

/// Returns a walk of two steps to a symbol.
fn walk_reach(symbol: &str) -> WalkReach {
    let step = |from: &str, edge: EdgeType, forward, to: &str| PathStep {
        from: from.into(),
        edge_type: edge.name(),
        forward,
        to: to.into(),
        names: [from, to].map(|name| name.rsplit_once(".py.").map_or(name, |(_, name)| name).to_owned()),
        edge,
    };
    let path = vec![
        step("src/flask/app.py.Flask", EdgeType::Contains, true, "src/flask/app.py.Flask.wsgi_app"),
        step("src/flask/app.py.Flask.wsgi_app", EdgeType::Calls, false, symbol),
    ];
    WalkReach { score: 0.081, floor: 0.02, hops: 2, path }
}
