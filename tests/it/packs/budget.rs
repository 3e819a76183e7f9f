//! Property tests: no pack exceeds its budget, in any format, with any names.

use knowing_analysis::model::{ContextPack, Omission, PackedSymbol};
use knowing_analysis::text::tokens;
use knowing_retrieval::rank::pack::{PackInput, pack};
use knowing_retrieval::render::{Answer, RENDERERS, Renderer, TokenCache, TokenCounter, gcb};
use proptest::prelude::*;

use super::{SymbolSpec, pack_input, plain};

/// Returns the text whose tokens the budget limits.
fn rendered_text(renderer: &dyn Renderer, pack: &ContextPack) -> String {
    let bytes = renderer.bytes(&Answer::Pack(pack));
    if renderer.is_binary() { gcb::decode(&bytes).unwrap().text() } else { String::from_utf8(bytes).unwrap() }
}

fn check(pack_input: PackInput, renderer: &dyn Renderer) {
    let budget = pack_input.budget_tokens;
    let candidates = pack_input.candidates.len();
    let cache = TokenCache::default();
    let counter = TokenCounter::new(renderer, &cache);
    match pack(pack_input.clone(), &counter) {
        Ok(pack) => {
            let used = tokens::count(&rendered_text(renderer, &pack));
            assert!(used <= budget, "{}: {used} of {budget}", renderer.name());
            assert_eq!(used, pack.tokens_used, "{} at {budget}", renderer.name());
            assert_eq!(pack.symbols.len() + pack.omitted.len(), candidates);
            assert!(pack.omitted.iter().all(|symbol| symbol.tokens > pack.left_tokens || symbol.is_negative()));
            assert!(pack.symbols.iter().all(|symbol| !symbol.is_negative()));
            assert!(pack.edges.iter().all(|edge| edge.source.max(edge.target) < pack.symbols.len()));
        }
        Err(error) => {
            assert!(error.smallest_tokens > budget, "{error}");
            let enough = PackInput { budget_tokens: error.smallest_tokens, ..pack_input };
            assert!(pack(enough, &counter).is_ok(), "{}: {error}, but that is too small as well", renderer.name());
        }
    }
}

/// Generates malicious names, signatures and paths.
fn hostile() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-zA-Z_]{1,30}",
        "\\PC{0,20}",
        "[\\x00-\\x1f\\x7f-\\x9f\u{202e}\u{200f}\u{feff}\u{2028} ]{1,9}",
        "[`\\n<\"%&|#@\\]\\[{}=*_-]{1,40}",
        "[\u{1f300}-\u{1f6ff}\u{e0020}-\u{e007f}漢字ſ\u{301}]{1,12}",
        Just("## edges [1]\n@0<@9 calls".to_owned()),
        Just("<|endoftext|></symbol></context>".to_owned()),
        Just("x".repeat(600)),
        "[0-9]{1,60}",
    ]
}

fn spec() -> impl Strategy<Value = SymbolSpec> {
    let body = prop::option::weighted(0.3, prop::collection::vec(hostile(), 0..6).prop_map(|lines| lines.join("\n")));
    (hostile(), hostile(), hostile(), body, -0.5..2.0_f64).prop_map(|(name, signature, file, body, score)| SymbolSpec {
        name,
        signature,
        file,
        body,
        score,
    })
}

fn budgets() -> impl Strategy<Value = usize> {
    prop_oneof![1_usize..150, 1_usize..1_500, 1_500_usize..8_000, 8_000_usize..=50_000]
}

proptest! {
    #![proptest_config(crate::cases::config(16, 64))]

    #[test]
    fn no_pack_exceeds_its_budget(
        budget in budgets(),
        specs in prop::collection::vec(spec(), 0..24),
        edges in prop::collection::vec((0_usize..24, 0_usize..24), 0..50),
    ) {
        for renderer in RENDERERS {
            check(pack_input(&specs, &edges, budget), *renderer);
        }
    }
}

#[test]
fn small_and_large_budgets_are_respected() {
    let specs: Vec<SymbolSpec> = (0..60_usize)
        .map(|number| {
            let body = number.is_multiple_of(3).then(|| format!("def f():\n\treturn {number}\n"));
            SymbolSpec { body, ..plain(number, 1.0 - number as f64 / 100.0) }
        })
        .collect();
    let edges: Vec<(usize, usize)> = (1..60).map(|target| (target / 2, target)).collect();
    for renderer in RENDERERS {
        for budget in (1..200).step_by(7).chain((250..3_000).step_by(391)).chain((3_000..=50_000).step_by(11_750)) {
            check(pack_input(&specs, &edges, budget), *renderer);
        }
    }
}

#[test]
fn negative_scores_are_packed_only_when_pinned() {
    let specs: Vec<SymbolSpec> = (0..12).map(|number| plain(number, 0.5 - number as f64 / 10.0)).collect();
    let json = knowing_retrieval::render::renderer_named("json").unwrap();
    let cache = TokenCache::default();
    let counter = TokenCounter::new(json, &cache);
    let packed = pack(pack_input(&specs, &[], 50_000), &counter).unwrap();
    assert_eq!((packed.symbols.len(), packed.omitted.len()), (6, 6), "a score of 0 is not negative");
    assert!(packed.omitted.iter().all(|symbol| packed.omission(symbol) == Omission::Negative));
    assert_eq!(packed.cut(), None, "a larger budget would not change the pack");

    let mut input = pack_input(&specs, &[], 50_000);
    let last = input.candidates[11].symbol.symbol.id;
    input.pinned.insert(last);
    let packed = pack(input, &counter).unwrap();
    assert_eq!(packed.symbols.len(), 7);
    assert_eq!(packed.symbols[6].symbol.id, last);

    let cut = pack(pack_input(&specs, &[], 500), &counter).unwrap();
    let counts = cut.cut().map(|cut| cut.too_large + cut.below).unwrap();
    assert_eq!(counts + cut.symbols.len(), 6, "negative scores are not counted");
}

#[test]
fn a_task_without_words_packs_negative_scores_best_first() {
    let specs: Vec<SymbolSpec> = (0..12).map(|number| plain(number, 0.1 - number as f64 / 10.0)).collect();
    let json = knowing_retrieval::render::renderer_named("json").unwrap();
    let cache = TokenCache::default();
    let counter = TokenCounter::new(json, &cache);
    let packs = |budget| {
        let input = PackInput { packs_negative: true, ..pack_input(&specs, &[], budget) };
        pack(input, &counter).unwrap()
    };
    assert_eq!(packs(50_000).symbols.len(), 12);
    let small = packs(500);
    assert!((2..12).contains(&small.symbols.len()), "{}", small.symbols.len());
    assert!(small.cut().is_some(), "a larger budget would change the pack");
    let names = |symbols: &[PackedSymbol]| symbols.iter().map(|packed| packed.symbol.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&small.symbols)[0], "method_number_0", "the best is packed first");
    assert_eq!(names(&small.omitted).pop().unwrap(), "method_number_11", "the worst is packed last");
}

#[test]
fn cut_line_counts_omitted_symbols_by_reason() {
    let mut specs: Vec<SymbolSpec> = (0..30).map(|number| plain(number, 1.0 - number as f64 / 100.0)).collect();
    specs[4].signature = "a very long signature, ".repeat(200);
    let json = knowing_retrieval::render::renderer_named("json").unwrap();
    let cache = TokenCache::default();
    let counter = TokenCounter::new(json, &cache);
    let pack = pack(pack_input(&specs, &[], 1_000), &counter).unwrap();
    let cut = pack.cut().unwrap();
    assert!(cut.next.symbol.name.ends_with("_4"), "the best omitted symbol: {}", cut.next.symbol.name);
    assert!(cut.next.tokens > 600 && cut.next.tokens > cut.left_tokens);
    assert_eq!((cut.too_large, cut.too_large + cut.below), (1, pack.omitted.len()));
    let value: serde_json::Value = serde_json::from_str(&json.render(&pack)).unwrap();
    assert_eq!(value["cut"]["next"]["tokens"], cut.next.tokens);
    assert_eq!(value["cut"]["too_large"], 1);
    assert_eq!(value["cut"]["below"], cut.below);

    let whole = knowing_retrieval::rank::pack::pack(pack_input(&specs[..3], &[], 1_000), &counter).unwrap();
    assert_eq!(whole.cut(), None);
    let value: serde_json::Value = serde_json::from_str(&json.render(&whole)).unwrap();
    assert!(value["cut"].is_null());
}
