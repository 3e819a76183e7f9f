//! JSON: one object, with one symbol or edge to a line.

use std::collections::BTreeMap;

use serde::Serialize;

use super::delta::Delta;
use super::{Renderer, escape, gcf, rounded, shown_name};
use crate::model::{ContextPack, PackEdge, PackedSymbol};

/// The JSON format.
pub struct Json;

#[derive(Serialize)]
struct SymbolRecord<'a> {
    qualified_name: &'a str,
    kind: &'static str,
    file: &'a str,
    line: u32,
    score: f64,
    signature: &'a str,
    provenance: &'static str,
    distance: u32,
    components: BTreeMap<&'static str, f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    body: Option<&'a str>,
}

#[derive(Serialize)]
struct EdgeRecord<'a> {
    source: &'a str,
    target: &'a str,
    #[serde(rename = "type")]
    edge_type: &'static str,
    provenance: &'static str,
    confidence: f64,
}

/// Where the budget ended: what the best omitted symbol would cost, and how many were left out for which reason.
#[derive(Serialize)]
struct CutRecord {
    left_tokens: usize,
    next: NextRecord,
    /// They rank above symbols of the pack but were larger than what was left.
    too_large: usize,
    /// They rank below all symbols of the pack.
    below: usize,
}

#[derive(Serialize)]
struct NextRecord {
    qualified_name: String,
    tokens: usize,
    score: f64,
}

/// A symbol or edge that a client has and should forget.
#[derive(Serialize)]
struct RemovedSymbol<'a> {
    qualified_name: &'a str,
    kind: &'a str,
    file: &'a str,
    line: u32,
}

#[derive(Serialize)]
struct RemovedEdge<'a> {
    source: &'a str,
    target: &'a str,
    #[serde(rename = "type")]
    edge_type: &'a str,
}

/// Most letters of a name that the cut line shows: it has to stay short whatever names there are.
const MAX_NEXT_CHARS: usize = 120;

impl Renderer for Json {
    fn name(&self) -> &'static str {
        "json"
    }

    fn render(&self, pack: &ContextPack) -> String {
        let mut text = format!(
            "{{\"tokens_used\":{},\"token_budget\":{},\"pack_root\":\"{}\",\"symbols\":[\n",
            pack.tokens_used,
            pack.budget_tokens,
            gcf::pack_root(pack)
        );
        push_list(&mut text, pack.symbols.iter().map(|symbol| self.symbol(pack, symbol)));
        text.push_str("],\"edges\":[\n");
        push_list(&mut text, pack.edges.iter().map(|edge| self.edge(pack, edge)));
        text.push_str("],\"cut\":");
        text.push_str(line(&cut(pack)).trim_end());
        text.push_str("}\n");
        text
    }

    fn symbol(&self, pack: &ContextPack, symbol: &PackedSymbol) -> String {
        let mut components = BTreeMap::new();
        for component in &symbol.components {
            *components.entry(component.name).or_insert(0.0) += component.contribution;
        }
        components.values_mut().for_each(|value| *value = rounded(*value, 6));
        record(&SymbolRecord {
            qualified_name: shown_name(pack, &symbol.symbol),
            kind: symbol.symbol.kind.name(),
            file: &symbol.symbol.file,
            line: symbol.symbol.span.name_line,
            score: rounded(symbol.score, 6),
            signature: &symbol.symbol.signature,
            provenance: symbol.provenance,
            distance: symbol.distance,
            components,
            body: symbol.body.as_deref(),
        })
    }

    fn edge(&self, pack: &ContextPack, edge: &PackEdge) -> String {
        record(&EdgeRecord {
            source: shown_name(pack, &pack.symbols[edge.source].symbol),
            target: shown_name(pack, &pack.symbols[edge.target].symbol),
            edge_type: edge.edge_type.name(),
            provenance: edge.provenance.name(),
            confidence: rounded(f64::from(edge.confidence), 4),
        })
    }

    fn delta(&self, delta: &Delta<'_>) -> String {
        let pack = delta.pack;
        let removed = delta.removed.iter().map(|place| &delta.base.symbols[*place]).map(|known| {
            let (qualified_name, kind, file) = (&*known.shown, &*known.kind, &*known.file);
            record(&RemovedSymbol { qualified_name, kind, file, line: known.line })
        });
        let name = |place: usize| delta.base.symbols.get(place).map_or("", |known| known.shown.as_str());
        let removed_edges = delta.removed_edges.iter().map(|place| &delta.base.edges[*place]).map(|edge| {
            let (source, target, edge_type) = (name(edge.source), name(edge.target), &*edge.edge_type);
            record(&RemovedEdge { source, target, edge_type })
        });
        let mut text = format!(
            "{{\"delta\":true,\"tokens_used\":{},\"token_budget\":{},\"base_root\":\"{}\",\"pack_root\":\"{}\",\"removed\":[\n",
            delta.tokens_used, pack.budget_tokens, delta.base_root, delta.new_root
        );
        push_list(&mut text, removed);
        text.push_str("],\"added\":[\n");
        push_list(&mut text, delta.added.iter().map(|place| self.symbol(pack, &pack.symbols[*place])));
        text.push_str("],\"removed_edges\":[\n");
        push_list(&mut text, removed_edges);
        text.push_str("],\"added_edges\":[\n");
        push_list(&mut text, delta.added_edges.iter().map(|place| self.edge(pack, &pack.edges[*place])));
        text.push_str("]}\n");
        text
    }

    fn unchanged(&self, pack_root: &str) -> String {
        format!("{{\"unchanged\":true,\"pack_root\":\"{pack_root}\"}}\n")
    }
}

fn cut(pack: &ContextPack) -> Option<CutRecord> {
    let cut = pack.cut()?;
    let next = NextRecord {
        qualified_name: shown_name(pack, &cut.next.symbol).chars().take(MAX_NEXT_CHARS).collect(),
        tokens: cut.next.tokens,
        score: rounded(cut.next.score, 6),
    };
    Some(CutRecord { left_tokens: cut.left_tokens, next, too_large: cut.too_large, below: cut.below })
}

/// A value on one line, without a character that a terminal could obey.
pub fn line(value: &impl Serialize) -> String {
    let text = serde_json::to_string(value).expect("records hold only text and finite numbers");
    escape::json(&text) + "\n"
}

/// Values as a list, one to a line.
pub fn list<T: Serialize>(values: impl Iterator<Item = T>) -> String {
    let mut text = String::from("[\n");
    push_list(&mut text, values.map(|value| record(&value)));
    text + "]\n"
}

/// One line of a list, with the comma that most lines need.
fn record(value: &impl Serialize) -> String {
    let mut text = line(value);
    text.insert(text.len() - 1, ',');
    text
}

/// Writes the lines without the last one's comma.
fn push_list(text: &mut String, lines: impl Iterator<Item = String>) {
    let start = text.len();
    text.extend(lines);
    if text.len() > start {
        text.truncate(text.len() - 2);
        text.push('\n');
    }
}
