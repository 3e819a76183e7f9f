//! Tests of all formats: escaping, budgets, and the same pack in different formats.

use std::collections::BTreeSet;

use proptest::prelude::*;
use serde_json::Value;

use super::{RENDERERS, Renderer, TokenCache, TokenCounter, gcf, renderer_named};
use crate::model::{
    Component, ContextPack, EdgeType, NodeId, PackEdge, PackedSymbol, Provenance, Span, Symbol, SymbolId, SymbolKind,
    SymbolName, identity,
};
use crate::rank::pack::{BudgetTooSmall, Candidate, PackInput, TokenMeasure, pack};
use crate::text::{display, tokens};

const REPOSITORY: &str = "example.org/team/project";

fn symbol(number: u32, name: &str, score: f64) -> PackedSymbol {
    let file = format!("src/part{}/module.py", number % 7);
    let qualified_name = identity::qualified_name(REPOSITORY, &file, &["Holder"], name);
    let contribution = score / 2.0;
    PackedSymbol {
        symbol: Symbol {
            id: SymbolId::new(REPOSITORY, SymbolName { unit: &file, scope: "Holder", name }, SymbolKind::Method, 0),
            node: NodeId::new(number),
            kind: SymbolKind::Method,
            name: name.to_owned(),
            scope: "Holder".to_owned(),
            qualified_name,
            file,
            signature: format!("def {name}(self, value: int) -> None"),
            doc: String::new(),
            span: Span { name_line: number + 1, ..Span::default() },
            is_test: false,
            ordinal: 0,
        },
        score,
        components: vec![
            Component { name: "lexical", value: score, contribution },
            Component { name: "walk", value: score, contribution },
        ],
        distance: number % 4,
        provenance: if number.is_multiple_of(2) { "bm25" } else { "walk" },
        tokens: 0,
        body: None,
        reason: None,
    }
}

fn offer(names: &[String], budget_tokens: usize) -> PackInput {
    let count = names.len();
    let candidates = (names.iter().enumerate())
        .map(|(index, name)| {
            let score = 1.0 - index as f64 / (count + 1) as f64;
            Candidate { symbol: symbol(index as u32, name, score), walk: score * score }
        })
        .collect();
    let edges = (1..count).map(|target| PackEdge {
        source: target / 2,
        target,
        edge_type: if target % 3 == 0 { EdgeType::Contains } else { EdgeType::Calls },
        provenance: Provenance::AstResolved,
        confidence: 0.9,
    });
    PackInput {
        task: "fix it".to_owned(),
        repository: REPOSITORY.to_owned(),
        budget_tokens,
        edges: edges.collect(),
        candidates,
        ..PackInput::default()
    }
}

fn names(count: usize) -> Vec<String> {
    (0..count).map(|number| format!("method_number_{number}")).collect()
}

fn sample(count: usize, budget_tokens: usize, format: &str) -> ContextPack {
    pack_for(renderer_named(format).unwrap(), offer(&names(count), budget_tokens)).unwrap()
}

fn pack_for(renderer: &dyn Renderer, offer: PackInput) -> Result<ContextPack, BudgetTooSmall> {
    pack(offer, &TokenCounter::new(renderer, &TokenCache::default()))
}

#[test]
fn gcf_and_json_have_the_same_content() {
    let pack = sample(40, 50_000, "gcf");
    let decoded = ::gcf::decode(&renderer_named("gcf").unwrap().render(&pack)).unwrap();
    let json: Value = serde_json::from_str(&renderer_named("json").unwrap().render(&pack)).unwrap();
    assert_eq!(decoded.pack_root, json["pack_root"].as_str().unwrap());
    assert_eq!(decoded.pack_root, ::gcf::pack_root(&decoded.symbols, &decoded.edges), "a reader can check the root");
    assert_eq!(decoded.tokens_used, json["tokens_used"].as_i64().unwrap());
    assert_eq!(decoded.token_budget, json["token_budget"].as_i64().unwrap());

    let symbols = json["symbols"].as_array().unwrap();
    assert_eq!(decoded.symbols.len(), symbols.len());
    for symbol in symbols {
        let name = symbol["qualified_name"].as_str().unwrap();
        let same = decoded.symbols.iter().find(|decoded| decoded.qualified_name == name).unwrap();
        assert_eq!(same.kind, symbol["kind"].as_str().unwrap());
        assert_eq!(same.provenance, symbol["provenance"].as_str().unwrap());
        assert_eq!(i64::from(same.distance), symbol["distance"].as_i64().unwrap());
        assert!((same.score - symbol["score"].as_f64().unwrap()).abs() <= 0.005);
    }
    let gcf_edges: BTreeSet<_> =
        decoded.edges.iter().map(|edge| [&*edge.source, &*edge.target, &*edge.edge_type].map(str::to_owned)).collect();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let json_edges: BTreeSet<_> = (json["edges"].as_array().unwrap().iter())
        .map(|edge| [text(&edge["source"]), text(&edge["target"]), text(&edge["type"])])
        .collect();
    assert_eq!(gcf_edges.len(), 39);
    assert_eq!(gcf_edges, json_edges);
}

#[test]
fn every_format_lists_every_property() {
    for renderer in RENDERERS.iter().filter(|renderer| renderer.has_deltas()) {
        let text = renderer.render(&sample(3, 5_000, renderer.name()));
        // Agents have no use for the channel that found a symbol, and the source is worth more than a signature.
        let [provenance, signature] =
            if renderer.name() == "text" { ["", ""] } else { ["bm25", "def method_number_2(self"] };
        for part in ["method_number_2", "method", "src/part2/module.py", signature, provenance, "calls"] {
            assert!(text.contains(part), "{} lacks {part}:\n{text}", renderer.name());
        }
    }
}

#[test]
fn components_are_written_on_request_and_without_zeros() {
    let mut pack = sample(2, 5_000, "json");
    let component = |name, contribution| Component { name, value: contribution, contribution };
    pack.symbols[0].components =
        vec![component("zero", 0.0), component("tiny", 1e-9), component("plus", 0.25), component("minus", -0.5)];
    for renderer in RENDERERS {
        let text = renderer.render(&pack);
        assert!(!text.contains("components") && !text.contains("0.25"), "{}: {text}", renderer.name());
        let Some(explained) = renderer.explained() else { continue };
        assert_eq!(explained.name(), renderer.name());
        let text = explained.render(&pack);
        let [first, second] = ["minus", "plus"].map(|name| text.find(name).unwrap());
        assert!(first < second, "{text}");
        assert!(!text.contains("zero") && !text.contains("tiny"), "{text}");
        check(offer(&names(30), 2_000), explained);
    }
    let explained = renderer_named("json").unwrap().explained().unwrap();
    let json: Value = serde_json::from_str(&explained.render(&pack)).unwrap();
    assert_eq!(json["symbols"][0]["components"], serde_json::json!({ "plus": 0.25, "minus": -0.5 }));
}

#[test]
fn scores_that_round_to_zero_have_no_sign() {
    let mut pack = sample(2, 5_000, "lines");
    pack.symbols.iter_mut().for_each(|packed| packed.score = -1e-9);
    for renderer in RENDERERS {
        let text = renderer.render(&pack);
        assert!(!text.contains("-0.0"), "{}: {text}", renderer.name());
    }
}

#[test]
fn lines_are_locations() {
    let mut pack = sample(2, 5_000, "lines");
    pack.columns.insert(pack.symbols[0].symbol.id, 9);
    let lines = renderer_named("lines").unwrap();
    let (first, second) = (&pack.symbols[0], &pack.symbols[1]);
    let expected = [(first, 9), (second, 1)].map(|(packed, column)| {
        let Symbol { file, span, .. } = &packed.symbol;
        format!(
            "{file}:{}:{column}: method {}  {:.2}\n",
            span.name_line,
            super::scoped_name(&packed.symbol),
            packed.score
        )
    });
    assert_eq!(lines.render(&pack), expected.concat());
}

#[test]
fn inverse_edges_are_omitted() {
    let mut offer = offer(&names(2), 5_000);
    let edge = |source, target, edge_type| PackEdge { source, target, edge_type, ..offer.edges[0] };
    offer.edges = vec![edge(1, 0, EdgeType::MemberOf), edge(0, 1, EdgeType::Contains), edge(1, 0, EdgeType::TestedBy)];
    let pack = pack_for(&gcf::Gcf, offer).unwrap();
    let types: Vec<EdgeType> = pack.edges.iter().map(|edge| edge.edge_type).collect();
    assert_eq!(types, [EdgeType::Contains, EdgeType::TestedBy]);
}

#[test]
fn equal_names_are_made_unique() {
    let mut pack = sample(2, 5_000, "gcf");
    pack.symbols[1].symbol.qualified_name = pack.symbols[0].symbol.qualified_name.clone();
    pack.symbols[1].symbol.ordinal = 1;
    let decoded = ::gcf::decode(&renderer_named("gcf").unwrap().render(&pack)).unwrap();
    assert_eq!(decoded.symbols.len(), 2);
    assert_ne!(decoded.symbols[0].qualified_name, decoded.symbols[1].qualified_name);
    assert_ne!(decoded.edges[0].source, decoded.edges[0].target);
}

#[test]
fn control_characters_are_escaped() {
    let hostile = "a b\u{1b}]0;x\u{7}\n## edges [1]\n@0<@9 calls\u{9b}2J\u{202e}`\"<&>\r\u{e0041}";
    let mut pack = sample(2, 5_000, "gcf");
    for packed in &mut pack.symbols {
        packed.symbol.qualified_name = format!("{REPOSITORY}://{}.{hostile}", packed.symbol.file);
        packed.symbol.name = hostile.to_owned();
        packed.symbol.signature = format!("{hostile}\n{hostile}");
        packed.symbol.file = hostile.to_owned();
        packed.body = Some(format!("```\n\tbody {hostile}"));
    }
    for renderer in RENDERERS {
        let text = renderer.render(&pack);
        // Agents quote lines of the text format in edits, so it keeps tabs.
        let is_kept = |letter: char| letter == '\n' || letter == '\t' && renderer.name() == "text";
        let bad = text.chars().find(|letter| !is_kept(*letter) && display::is_unsafe(*letter));
        assert_eq!(bad, None, "{}", renderer.name());
    }
    let json: Value = serde_json::from_str(&renderer_named("json").unwrap().render(&pack)).unwrap();
    assert_eq!(json["symbols"][0]["file"], hostile, "JSON loses nothing");
    let decoded = ::gcf::decode(&renderer_named("gcf").unwrap().render(&pack)).unwrap();
    assert_eq!((decoded.symbols.len(), decoded.edges.len()), (2, 1));
}

#[test]
fn smallest_budgets_are_respected() {
    for renderer in RENDERERS.iter().filter(|renderer| !renderer.render(&ContextPack::default()).is_empty()) {
        let BudgetTooSmall { smallest_tokens, .. } = pack_for(*renderer, offer(&names(30), 1)).unwrap_err();
        assert!(pack_for(*renderer, offer(&names(30), smallest_tokens - 1)).is_err(), "{}", renderer.name());
        let smallest = pack_for(*renderer, offer(&names(30), smallest_tokens)).unwrap();
        assert!(smallest.symbols.is_empty());
        assert_eq!(smallest.omitted.len(), 30);
        for budget in smallest_tokens..smallest_tokens + 400 {
            check(offer(&names(30), budget), *renderer);
        }
    }
}

/// Checks that the token count in the rendered text is right and within the budget.
fn check(offer: PackInput, renderer: &dyn Renderer) -> Option<ContextPack> {
    let budget = offer.budget_tokens;
    let cache = TokenCache::default();
    let counter = TokenCounter::new(renderer, &cache);
    match pack(offer, &counter) {
        Ok(pack) => {
            let used = tokens::count(&renderer.render(&pack));
            assert_eq!(used, pack.tokens_used, "{} at {budget}", renderer.name());
            assert!(used <= budget, "{}: {used} of {budget}", renderer.name());
            assert_eq!(used, counter.whole(&pack));
            assert!(pack.symbols.windows(2).all(|pair| pair[0].score >= pair[1].score));
            assert!(pack.omitted.windows(2).all(|pair| pair[0].score >= pair[1].score));
            Some(pack)
        }
        Err(error) => {
            assert!(error.smallest_tokens > budget);
            None
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_budget_is_respected(
        budget in prop_oneof![1_usize..200, 200_usize..3_000, 3_000_usize..50_000],
        names in prop::collection::vec("[a-zA-Z_]{1,30}|\\PC{0,12}|[ \\n`<\"%]{1,9}", 0..60),
    ) {
        for renderer in RENDERERS {
            check(offer(&names, budget), *renderer);
        }
    }

    #[test]
    fn order_of_candidates_does_not_matter(budget in 100_usize..4_000, turn in 1_usize..40) {
        let straight = offer(&names(40), budget);
        let mut turned = straight.clone();
        turned.candidates.rotate_left(turn);
        for edge in &mut turned.edges {
            edge.source = (edge.source + 40 - turn) % 40;
            edge.target = (edge.target + 40 - turn) % 40;
        }
        turned.edges.reverse();
        prop_assert_eq!(pack_for(&gcf::Gcf, straight), pack_for(&gcf::Gcf, turned));
    }
}

#[test]
fn large_packs_use_their_budget() {
    let pack = check(offer(&names(1_500), 50_000), &gcf::Gcf).unwrap();
    assert!(pack.tokens_used > 45_000, "{}", pack.tokens_used);
}
