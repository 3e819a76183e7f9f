//! JSON: one object, with one symbol or edge per line.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Serialize;

use super::delta::Delta;
use super::{Renderer, contributions, escape, gcf, rounded, scoped_name, shown_name};
use crate::model::{Also, ContextPack, PackEdge, PackedSymbol, Reason, Span};

/// The JSON format.
pub struct Json {
    /// Whether each symbol has the components of its score.
    pub explained: bool,
}

#[derive(Serialize)]
struct SymbolRecord<'a> {
    qualified_name: Cow<'a, str>,
    /// The label of its repository, in a pack of several.
    #[serde(skip_serializing_if = "Option::is_none")]
    repository: Option<&'a str>,
    kind: &'static str,
    file: Cow<'a, str>,
    line: u32,
    score: f64,
    signature: &'a str,
    provenance: &'static str,
    distance: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'a Reason>,
    #[serde(skip_serializing_if = "Option::is_none")]
    components: Option<BTreeMap<&'static str, f64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    body: Option<&'a str>,
}

#[derive(Serialize)]
struct EdgeRecord<'a> {
    source: Cow<'a, str>,
    target: Cow<'a, str>,
    #[serde(rename = "type")]
    edge_type: &'static str,
    provenance: &'static str,
    confidence: f64,
}

/// A symbol that likely changes with one of the first.
#[derive(Serialize)]
struct AlsoRecord<'a> {
    qualified_name: Cow<'a, str>,
    kind: &'static str,
    file: Cow<'a, str>,
    line: u32,
    why: &'a str,
}

impl AlsoRecord<'_> {
    fn new<'a>(pack: &ContextPack, Also { symbol, reason }: &'a Also) -> AlsoRecord<'a> {
        let (file, line) = (pack.repositories.file(symbol), symbol.span.name_line);
        AlsoRecord { qualified_name: shown_name(pack, symbol), kind: symbol.kind.name(), file, line, why: reason }
    }
}

/// A section of a document.
#[derive(Serialize)]
struct SectionRecord<'a> {
    file: Cow<'a, str>,
    line: u32,
    end_line: u32,
    heading: String,
    says: &'a str,
}

impl SectionRecord<'_> {
    fn new<'a>(pack: &ContextPack, Also { symbol, reason }: &'a Also) -> SectionRecord<'a> {
        let (file, Span { start_line, end_line, .. }) = (pack.repositories.file(symbol), symbol.span);
        SectionRecord { file, line: start_line, end_line, heading: scoped_name(symbol), says: reason }
    }
}

/// The cut line: the best omitted symbol and its cost, and the number of omitted symbols by reason.
#[derive(Serialize)]
struct CutRecord {
    left_tokens: usize,
    next: NextRecord,
    /// Symbols that rank above packed ones, but did not fit.
    too_large: usize,
    /// Symbols that rank below all packed ones.
    below: usize,
}

#[derive(Serialize)]
struct NextRecord {
    qualified_name: String,
    tokens: usize,
    score: f64,
}

/// A symbol that a delta removes.
#[derive(Serialize)]
struct RemovedSymbol<'a> {
    qualified_name: &'a str,
    kind: &'a str,
    file: &'a str,
    line: u32,
}

/// An edge that a delta removes.
#[derive(Serialize)]
struct RemovedEdge<'a> {
    source: &'a str,
    target: &'a str,
    #[serde(rename = "type")]
    edge_type: &'a str,
}

/// Limit of a name in the cut line, so that its length is bounded.
const MAX_NEXT_CHARS: usize = 120;

impl Renderer for Json {
    fn name(&self) -> &'static str {
        "json"
    }

    fn explained(&self) -> Option<&'static dyn Renderer> {
        Some(&Json { explained: true })
    }

    fn has_reasons(&self) -> bool {
        self.explained
    }

    fn has_also(&self) -> bool {
        true
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
        text.push_str("],\"also\":[\n");
        push_list(&mut text, pack.also.iter().map(|one| record(&AlsoRecord::new(pack, one))));
        text.push_str("],\"documents\":[\n");
        push_list(&mut text, pack.documents.iter().map(|one| record(&SectionRecord::new(pack, one))));
        text.push_str("],\"cut\":");
        text.push_str(line(&cut(pack)).trim_end());
        text.push_str("}\n");
        text
    }

    fn symbol(&self, pack: &ContextPack, symbol: &PackedSymbol) -> String {
        record(&SymbolRecord {
            qualified_name: shown_name(pack, &symbol.symbol),
            repository: pack.repositories.label(&symbol.symbol),
            kind: symbol.symbol.kind.name(),
            file: pack.repositories.file(&symbol.symbol),
            line: symbol.symbol.span.name_line,
            score: rounded(symbol.score, 6),
            signature: &symbol.symbol.signature,
            provenance: symbol.provenance,
            distance: symbol.distance,
            why: symbol.reason.as_ref().filter(|_| self.explained),
            components: self.explained.then(|| contributions(symbol).into_iter().collect()),
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
        let removed = delta.removed.iter().map(|index| &delta.base.symbols[*index]).map(|symbol| {
            let (qualified_name, kind, file) = (&*symbol.shown, &*symbol.kind, &*symbol.file);
            record(&RemovedSymbol { qualified_name, kind, file, line: symbol.line })
        });
        let name = |index: usize| delta.base.symbols.get(index).map_or("", |symbol| symbol.shown.as_str());
        let removed_edges = delta.removed_edges.iter().map(|index| &delta.base.edges[*index]).map(|edge| {
            let (source, target, edge_type) = (name(edge.source), name(edge.target), &*edge.edge_type);
            record(&RemovedEdge { source, target, edge_type })
        });
        let mut text = format!(
            "{{\"delta\":true,\"tokens_used\":{},\"token_budget\":{},\"base_root\":\"{}\",\"pack_root\":\"{}\",\"removed\":[\n",
            delta.tokens_used, pack.budget_tokens, delta.base_root, delta.new_root
        );
        push_list(&mut text, removed);
        text.push_str("],\"added\":[\n");
        push_list(&mut text, delta.added.iter().map(|index| self.symbol(pack, &pack.symbols[*index])));
        text.push_str("],\"removed_edges\":[\n");
        push_list(&mut text, removed_edges);
        text.push_str("],\"added_edges\":[\n");
        push_list(&mut text, delta.added_edges.iter().map(|index| self.edge(pack, &pack.edges[*index])));
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

/// Serializes a value on one line, with characters that control a terminal escaped.
pub fn line(value: &impl Serialize) -> String {
    let text = serde_json::to_string(value).expect("records hold only text and finite numbers");
    escape::json(&text) + "\n"
}

/// Serializes values as a list, one per line.
pub fn list<T: Serialize>(values: impl Iterator<Item = T>) -> String {
    let mut text = String::from("[\n");
    push_list(&mut text, values.map(|value| record(&value)));
    text + "]\n"
}

/// Serializes an element of a list, with a trailing comma.
fn record(value: &impl Serialize) -> String {
    let mut text = line(value);
    text.insert(text.len() - 1, ',');
    text
}

/// Appends lines, without the comma of the last one.
fn push_list(text: &mut String, lines: impl Iterator<Item = String>) {
    let start = text.len();
    text.extend(lines);
    if text.len() > start {
        text.truncate(text.len() - 2);
        text.push('\n');
    }
}
