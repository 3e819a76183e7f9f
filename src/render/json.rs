//! JSON: one object, with one symbol or edge to a line.

use std::collections::BTreeMap;

use serde::Serialize;

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
        text.push_str("]}\n");
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
