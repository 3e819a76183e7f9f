//! Tests of deltas: applied to the earlier pack they give the new pack.

use knowing_analysis::model::ContextPack;
use knowing_analysis::text::tokens;
use knowing_retrieval::rank::pack::pack;
use knowing_retrieval::render::answer::{EarlierPack, answer};
use knowing_retrieval::render::delta::PackManifest;
use knowing_retrieval::render::{Answer, RENDERERS, Renderer, TokenCache, TokenCounter, gcb, gcf, renderer_named};

use super::{SymbolSpec, pack_input, plain};

fn named(name: &str) -> &'static dyn Renderer {
    renderer_named(name).unwrap()
}

fn specs(count: usize) -> Vec<SymbolSpec> {
    (0..count).map(|number| plain(number, 1.0 - number as f64 / 100.0)).collect()
}

fn packed(specs: &[SymbolSpec]) -> ContextPack {
    let edges: Vec<(usize, usize)> = (1..specs.len()).map(|target| (target / 2, target)).collect();
    pack(pack_input(specs, &edges, 20_000), &TokenCounter::new(named("gcf"), &TokenCache::default())).unwrap()
}

/// Returns the answer to a client that has `earlier`, as text.
fn text(earlier: &ContextPack, now: &ContextPack, renderer: &dyn Renderer) -> String {
    let (root, manifest) = (gcf::pack_root(earlier), PackManifest::from_pack(earlier));
    let answer = answer(now, Some(EarlierPack { root: &root, manifest: Some(&manifest) }), renderer);
    let bytes = renderer.bytes(&answer);
    if renderer.is_binary() { gcb::decode(&bytes).unwrap().text() } else { String::from_utf8(bytes).unwrap() }
}

#[test]
fn applied_delta_has_the_new_root() {
    let before = packed(&specs(40));
    let mut changed = specs(40);
    changed[7].name = "newcomer".to_owned();
    changed[3].score += 0.004;
    changed[5].signature.push_str(" # new");
    let now = packed(&changed);
    let delta = text(&before, &now, named("gcf"));
    assert!(delta.contains("delta=true") && delta.contains("# src/part5/module.py:6 def method_number_5"), "{delta}");
    assert!(tokens::count(&delta) * 10 < now.tokens_used * 6);

    // The `gcf` crate's decoder of deltas does not accept comments.
    let lines: Vec<&str> = delta.lines().filter(|line| !line.starts_with("# ")).collect();
    let decoded = ::gcf::decode_delta(&lines.join("\n")).unwrap();
    let base = gcf::payload(&before);
    let applied = ::gcf::verify_delta(
        &base.symbols,
        &base.edges,
        &decoded.removed,
        &decoded.added,
        &decoded.removed_edges,
        &decoded.added_edges,
        &gcf::pack_root(&now),
    );
    assert_eq!(applied.unwrap().0.len(), now.symbols.len());
}

#[test]
fn every_format_has_every_answer() {
    let before = packed(&specs(40));
    let mut changed = specs(40);
    changed[39].name = "newcomer".to_owned();
    let now = packed(&changed);
    for renderer in RENDERERS.iter().filter(|renderer| renderer.has_deltas()) {
        let same = text(&now, &now, *renderer);
        assert!(same.contains("unchanged") && same.contains(&gcf::pack_root(&now)), "{same}");
        assert!(tokens::count(&same) < 80, "{same}");
        let delta = text(&before, &now, *renderer);
        for part in ["newcomer", "method_number_39", &gcf::pack_root(&before), &gcf::pack_root(&now)] {
            assert!(delta.contains(part), "{} lacks {part}: {delta}", renderer.name());
        }
        assert!(!delta.contains("method_number_12"), "{delta}");
        assert!(tokens::count(&delta) < now.tokens_used / 2, "{}: {delta}", renderer.name());
    }
    let value: serde_json::Value = serde_json::from_str(&text(&before, &now, named("json"))).unwrap();
    assert_eq!(value["removed"][0]["line"], 40);
    assert_eq!(value["added"].as_array().unwrap().len(), 1);
}

#[test]
fn large_delta_is_replaced_by_the_pack() {
    let before = packed(&specs(40));
    let mut changed = specs(40);
    changed.iter_mut().take(30).for_each(|spec| spec.signature.push('!'));
    let now = packed(&changed);
    for renderer in RENDERERS.iter().filter(|renderer| renderer.has_deltas()) {
        assert!(!text(&before, &now, *renderer).contains("delta"), "{}", renderer.name());
    }
}

#[test]
fn changes_outside_the_root_are_sent() {
    let before = packed(&specs(40));
    let mut changed = specs(40);
    changed[2].body = Some("return 1".to_owned());
    let now = packed(&changed);
    assert_eq!(gcf::pack_root(&before), gcf::pack_root(&now), "bodies are not in the root");
    assert!(text(&before, &now, named("gcf")).contains("# | return 1"));

    // Without the earlier pack's manifest an equal root means unchanged, unless there are bodies.
    let root = gcf::pack_root(&now);
    let without_manifest = |pack| answer(pack, Some(EarlierPack { root: &root, manifest: None }), named("gcf"));
    assert!(matches!(without_manifest(&before), Answer::Unchanged(_)));
    assert!(matches!(without_manifest(&now), Answer::Pack(_)));

    // A client may have either pack, so the symbols that differ are sent.
    let both = PackManifest::from_pack(&now).merged(&PackManifest::from_pack(&before));
    for pack in [&before, &now] {
        let earlier = EarlierPack { root: &root, manifest: Some(&both) };
        let Answer::Delta(delta) = answer(pack, Some(earlier), named("gcf")) else { panic!("not a delta") };
        assert_eq!((delta.removed.as_slice(), delta.added.as_slice()), (&[2][..], &[2][..]));
    }
}

#[test]
fn gcb_decodes_to_gcf() {
    let mut specs = specs(60);
    specs[1].body = Some("def f():\n\treturn '\u{1b}[31m'".to_owned());
    specs[2].name = "a name\nwith breaks".to_owned();
    let pack = packed(&specs);
    let bytes = named("gcb").bytes(&Answer::Pack(&pack));
    let text = named("gcf").render(&pack);
    assert_eq!(gcb::decode(&bytes).unwrap().text(), text);
    assert!(bytes.len() * 3 < text.len(), "{} of {} bytes", bytes.len(), text.len());
    for broken in [&b""[..], b"GCF profile=graph", b"GCB\x02", b"GCB\x01junk", &bytes[..bytes.len() / 2]] {
        assert!(gcb::decode(broken).is_err());
    }
}
