//! GCF, graph profile: the default format.
//!
//! The `gcf` crate encodes and decodes the format. Its symbol lines have no fields for location and signature, so a
//! comment line after each symbol has them. Decoders of packs skip comments; `gcf::decode_delta` does not, so lines
//! that begin with `# ` must be removed first. Scores are rounded as shown before the pack root is computed, so that a
//! reader can verify the root from the text.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::delta::{Delta, ManifestEdge};
use super::{Renderer, escape, location, rounded, shown_name};
use crate::model::{ContextPack, PackEdge, PackedSymbol};

/// The GCF format.
pub struct Gcf;

const TOOL: &str = "knowing";

impl Renderer for Gcf {
    fn name(&self) -> &'static str {
        "gcf"
    }

    fn render(&self, pack: &ContextPack) -> String {
        pack_text(&payload(pack), &notes(pack))
    }

    fn symbol(&self, pack: &ContextPack, symbol: &PackedSymbol) -> String {
        let name = escaped_name(&shown_name(pack, &symbol.symbol));
        // The index is not known yet. Numbers of up to three digits are one token.
        let index = if pack.symbols.len() > 1_000 { 1_000 } else { 0 };
        let kind = gcf::kind_abbrev(symbol.symbol.kind.name());
        let mut text = format!("@{index} {kind} {name} {:.2} {}\n", rounded(symbol.score, 2), symbol.provenance);
        push_note(&mut text, &Note::from_symbol(pack, symbol), &symbol.symbol.signature);
        text
    }

    fn edge(&self, _: &ContextPack, edge: &PackEdge) -> String {
        format!("@{}<@{} {}\n", edge.target, edge.source, edge.edge_type.name())
    }

    fn delta(&self, delta: &Delta<'_>) -> String {
        delta_text(&delta_payload(delta), &added_notes(delta))
    }

    fn unchanged(&self, pack_root: &str) -> String {
        unchanged_text(pack_root)
    }
}

/// The properties of a symbol that neither the format's own lines nor `gcf::Symbol` have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note<'a> {
    /// Empty if the symbol has no file.
    pub file: Cow<'a, str>,
    pub line: u32,
    pub body: Option<Cow<'a, str>>,
}

impl Note<'_> {
    fn from_symbol<'a>(pack: &ContextPack, packed: &'a PackedSymbol) -> Note<'a> {
        Note {
            file: pack.repositories.file(&packed.symbol),
            line: packed.symbol.span.name_line,
            body: packed.body.as_deref().map(Cow::Borrowed),
        }
    }
}

/// Returns the notes of a pack's symbols.
pub fn notes(pack: &ContextPack) -> Vec<Note<'_>> {
    pack.symbols.iter().map(|symbol| Note::from_symbol(pack, symbol)).collect()
}

/// Returns the notes of the symbols that a delta adds.
pub fn added_notes<'a>(delta: &Delta<'a>) -> Vec<Note<'a>> {
    delta.added.iter().map(|index| Note::from_symbol(delta.pack, &delta.pack.symbols[*index])).collect()
}

/// Renders a pack, with a note per symbol.
pub fn pack_text(payload: &gcf::Payload, notes: &[Note<'_>]) -> String {
    let symbols = payload.symbols.iter().zip(notes);
    let notes: HashMap<&str, _> =
        symbols.map(|(symbol, note)| (symbol.qualified_name.as_str(), (symbol, note))).collect();
    let mut text = String::new();
    for line in gcf::encode(payload).lines() {
        text.push_str(line);
        text.push('\n');
        // Only the third field of a symbol line is a symbol's name.
        if let Some((symbol, note)) = line.strip_prefix('@').and_then(|line| notes.get(line.split(' ').nth(2)?)) {
            push_note(&mut text, note, &symbol.signature);
        }
    }
    text
}

/// Renders a delta, with a note per added symbol.
pub fn delta_text(payload: &gcf::DeltaPayload, notes: &[Note<'_>]) -> String {
    let mut text = String::new();
    let mut added = payload.added.iter().zip(notes);
    let mut is_added = false;
    for line in gcf::encode_delta(payload).lines() {
        text.push_str(line);
        text.push('\n');
        if line.starts_with("## ") {
            is_added = line == "## added";
        } else if is_added && let Some((symbol, note)) = added.next() {
            push_note(&mut text, note, &symbol.signature);
        }
    }
    text
}

/// Renders the answer to a client that has the pack with this root.
pub fn unchanged_text(pack_root: &str) -> String {
    format!("GCF profile=graph tool={TOOL} unchanged=true pack_root={pack_root}\n")
}

/// Converts a delta to the type of the `gcf` crate.
pub fn delta_payload(delta: &Delta<'_>) -> gcf::DeltaPayload {
    let pack = payload(delta.pack);
    let removed = delta.removed.iter().map(|index| &delta.base.symbols[*index]).map(|symbol| gcf::Symbol {
        qualified_name: symbol.name.clone(),
        kind: symbol.kind.clone(),
        score: 0.0,
        provenance: String::new(),
        distance: 0,
        signature: String::new(),
        components: gcf::Components::default(),
    });
    let name = |index: usize| delta.base.symbols.get(index).map_or("", |symbol| symbol.name.as_str()).to_owned();
    let edge = |edge: &ManifestEdge| gcf::Edge {
        source: name(edge.source),
        target: name(edge.target),
        edge_type: edge.edge_type.clone(),
        status: String::new(),
    };
    gcf::DeltaPayload {
        tool: TOOL.to_owned(),
        base_root: delta.base_root.clone(),
        new_root: delta.new_root.clone(),
        removed: removed.collect(),
        added: delta.added.iter().map(|index| pack.symbols[*index].clone()).collect(),
        removed_edges: delta.removed_edges.iter().map(|index| edge(&delta.base.edges[*index])).collect(),
        added_edges: delta.added_edges.iter().map(|index| pack.edges[*index].clone()).collect(),
        delta_tokens: i64::try_from(delta.tokens_used).unwrap_or(i64::MAX),
        full_tokens: pack.tokens_used,
    }
}

/// Converts a pack to the type of the `gcf` crate.
pub fn payload(pack: &ContextPack) -> gcf::Payload {
    let names = names(pack);
    let symbols: Vec<gcf::Symbol> = (pack.symbols.iter().zip(&names))
        .map(|(symbol, name)| gcf::Symbol {
            qualified_name: name.clone(),
            kind: symbol.symbol.kind.name().to_owned(),
            score: rounded(symbol.score, 2),
            provenance: symbol.provenance.to_owned(),
            distance: i32::try_from(symbol.distance).unwrap_or(i32::MAX),
            signature: symbol.symbol.signature.clone(),
            components: gcf::Components::default(),
        })
        .collect();
    let edges: Vec<gcf::Edge> = (pack.edges.iter())
        .map(|edge| gcf::Edge {
            source: names[edge.source].clone(),
            target: names[edge.target].clone(),
            edge_type: edge.edge_type.name().to_owned(),
            status: String::new(),
        })
        .collect();
    gcf::Payload {
        tool: TOOL.to_owned(),
        tokens_used: i64::try_from(pack.tokens_used).unwrap_or(i64::MAX),
        token_budget: i64::try_from(pack.budget_tokens).unwrap_or(i64::MAX),
        pack_root: hash_root(&symbols, &edges),
        symbols,
        edges,
    }
}

/// Returns the GCF v1 root of the pack, which is the same in every format.
pub fn pack_root(pack: &ContextPack) -> String {
    payload(pack).pack_root
}

/// Returns the root that a client names, with lower-case digits; `None` if it is not `sha256:` and 64 hexadecimal digits.
pub fn named_root(text: &str) -> Option<String> {
    let digits = text.strip_prefix("sha256:")?;
    let is_digest = digits.len() == 64 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    is_digest.then(|| format!("sha256:{}", digits.to_lowercase()))
}

/// Returns the same as `gcf::pack_root`, with a hash function that is several times as fast.
fn hash_root(symbols: &[gcf::Symbol], edges: &[gcf::Edge]) -> String {
    format!("sha256:{:x}", Sha256::digest(gcf::pack_root_canonical_bytes(symbols, edges)))
}

/// Returns a unique name per symbol. The format identifies symbols by name, and two `cfg` variants of a function share
/// one.
pub(super) fn names(pack: &ContextPack) -> Vec<String> {
    let mut names: Vec<String> =
        pack.symbols.iter().map(|symbol| escaped_name(&shown_name(pack, &symbol.symbol))).collect();
    let mut by_name: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, name) in names.iter().enumerate() {
        by_name.entry(name).or_default().push(index);
    }
    let duplicates: Vec<Vec<usize>> = by_name.into_values().filter(|indexes| indexes.len() > 1).collect();
    for mut indexes in duplicates {
        indexes.sort_by_key(|index| {
            let symbol = &pack.symbols[*index].symbol;
            (symbol.kind, symbol.ordinal, symbol.id)
        });
        for (number, index) in indexes.into_iter().enumerate().skip(1) {
            names[index] = format!("{}%23{}", names[index], number + 1);
        }
    }
    names
}

/// Percent-encodes the whitespace of a name, which separates fields, and characters that control a terminal.
fn escaped_name(name: &str) -> String {
    let plain = |letter: char| !letter.is_whitespace() && letter != '%' && !crate::text::display::is_unsafe(letter);
    if !name.is_empty() && name.chars().all(plain) {
        return name.to_owned();
    }
    let mut escaped = String::new();
    for letter in name.chars() {
        if plain(letter) {
            escaped.push(letter);
        } else {
            let mut bytes = [0; 4];
            escaped.extend(letter.encode_utf8(&mut bytes).bytes().map(|byte| format!("%{byte:02X}")));
        }
    }
    if escaped.is_empty() { "%00".to_owned() } else { escaped }
}

fn push_note(text: &mut String, note: &Note<'_>, signature: &str) {
    let location = location(&note.file, note.line);
    let line = format!("# {} {}", escape::one_line(&location), escape::one_line(signature));
    text.push_str(line.trim_end());
    text.push('\n');
    for line in note.body.iter().flat_map(|body| body.lines()) {
        text.push_str("# | ");
        text.push_str(&escape::code_line(line));
        text.push('\n');
    }
}
