//! GCF, graph profile: the default format.
//!
//! The crate writes and reads the format. Its symbol lines have no place for file, line and signature, so those stand in a
//! comment line after each symbol, which decoders of packs skip; before `gcf::decode_delta` reads a delta, lines that begin
//! with `# ` have to go. Scores are rounded to what the lines show before the pack
//! root is taken, so that a reader can check the root against the text.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::delta::{Delta, KnownEdge};
use super::{Renderer, escape, place, rounded, shown_name};
use crate::model::{ContextPack, PackEdge, PackedSymbol};

/// The GCF format.
pub struct Gcf;

const TOOL: &str = "knowing";

impl Renderer for Gcf {
    fn name(&self) -> &'static str {
        "gcf"
    }

    fn render(&self, pack: &ContextPack) -> String {
        pack_text(&payload(pack), &notes(&pack.symbols))
    }

    fn symbol(&self, pack: &ContextPack, symbol: &PackedSymbol) -> String {
        let name = escaped_name(shown_name(pack, &symbol.symbol));
        // Numbers of up to three digits are one token, so this place stands for all of them.
        let place = if pack.symbols.len() > 1_000 { 1_000 } else { 0 };
        let kind = gcf::kind_abbrev(symbol.symbol.kind.name());
        let mut text = format!("@{place} {kind} {name} {:.2} {}\n", rounded(symbol.score, 2), symbol.provenance);
        push_note(&mut text, &Note::of(symbol), &symbol.symbol.signature);
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

/// What the format's own lines have no place for, beside the signature, which the crate's symbols have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note<'a> {
    /// Empty for what lies in no file.
    pub file: Cow<'a, str>,
    pub line: u32,
    pub body: Option<Cow<'a, str>>,
}

impl Note<'_> {
    fn of(packed: &PackedSymbol) -> Note<'_> {
        Note {
            file: Cow::Borrowed(&packed.symbol.file),
            line: packed.symbol.span.name_line,
            body: packed.body.as_deref().map(Cow::Borrowed),
        }
    }
}

/// The notes of these symbols.
pub fn notes(symbols: &[PackedSymbol]) -> Vec<Note<'_>> {
    symbols.iter().map(Note::of).collect()
}

/// The notes of the symbols that a delta adds.
pub fn added_notes<'a>(delta: &Delta<'a>) -> Vec<Note<'a>> {
    delta.added.iter().map(|place| Note::of(&delta.pack.symbols[*place])).collect()
}

/// A pack's text; a note for each symbol.
pub fn pack_text(payload: &gcf::Payload, notes: &[Note<'_>]) -> String {
    let symbols = payload.symbols.iter().zip(notes);
    let notes: HashMap<&str, _> =
        symbols.map(|(symbol, note)| (symbol.qualified_name.as_str(), (symbol, note))).collect();
    let mut text = String::new();
    for line in gcf::encode(payload).lines() {
        text.push_str(line);
        text.push('\n');
        // Only symbol lines have a second field that is followed by a known name.
        if let Some((symbol, note)) = line.strip_prefix('@').and_then(|line| notes.get(line.split(' ').nth(2)?)) {
            push_note(&mut text, note, &symbol.signature);
        }
    }
    text
}

/// A delta's text; a note for each symbol that it adds.
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

/// The text that tells a client that it has the pack with this root.
pub fn unchanged_text(pack_root: &str) -> String {
    format!("GCF profile=graph tool={TOOL} unchanged=true pack_root={pack_root}\n")
}

/// The delta in the crate's terms.
pub fn delta_payload(delta: &Delta<'_>) -> gcf::DeltaPayload {
    let pack = payload(delta.pack);
    let removed = delta.removed.iter().map(|place| &delta.base.symbols[*place]).map(|known| gcf::Symbol {
        qualified_name: known.name.clone(),
        kind: known.kind.clone(),
        score: 0.0,
        provenance: String::new(),
        distance: 0,
        signature: String::new(),
        components: gcf::Components::default(),
    });
    let name = |place: usize| delta.base.symbols.get(place).map_or("", |known| known.name.as_str()).to_owned();
    let edge = |edge: &KnownEdge| gcf::Edge {
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
        added: delta.added.iter().map(|place| pack.symbols[*place].clone()).collect(),
        removed_edges: delta.removed_edges.iter().map(|place| edge(&delta.base.edges[*place])).collect(),
        added_edges: delta.added_edges.iter().map(|place| pack.edges[*place].clone()).collect(),
        delta_tokens: i64::try_from(delta.tokens_used).unwrap_or(i64::MAX),
        full_tokens: pack.tokens_used,
    }
}

/// The pack in the crate's terms.
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
        pack_root: root_of(&symbols, &edges),
        symbols,
        edges,
    }
}

/// The GCF v1 root of the pack; the same for every format.
pub fn pack_root(pack: &ContextPack) -> String {
    payload(pack).pack_root
}

/// What `gcf::pack_root` gives, which hashes several times as slowly.
fn root_of(symbols: &[gcf::Symbol], edges: &[gcf::Edge]) -> String {
    format!("sha256:{:x}", Sha256::digest(gcf::pack_root_canonical_bytes(symbols, edges)))
}

/// A name for each symbol that no other symbol of the pack has: the format knows symbols by name only, and two `cfg`
/// variants of a function share theirs.
pub(super) fn names(pack: &ContextPack) -> Vec<String> {
    let mut names: Vec<String> =
        pack.symbols.iter().map(|symbol| escaped_name(shown_name(pack, &symbol.symbol))).collect();
    let mut namesakes: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (place, name) in names.iter().enumerate() {
        namesakes.entry(name).or_default().push(place);
    }
    let shared: Vec<Vec<usize>> = namesakes.into_values().filter(|places| places.len() > 1).collect();
    for mut places in shared {
        places.sort_by_key(|place| {
            let symbol = &pack.symbols[*place].symbol;
            (symbol.kind, symbol.ordinal, symbol.id)
        });
        for (number, place) in places.into_iter().enumerate().skip(1) {
            names[place] = format!("{}%23{}", names[place], number + 1);
        }
    }
    names
}

/// Fields are separated by white space: a name's own, and whatever could disturb a terminal, is percent-encoded.
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
    let place = place(&note.file, note.line);
    let line = format!("# {} {}", escape::one_line(&place), escape::one_line(signature));
    text.push_str(line.trim_end());
    text.push('\n');
    for line in note.body.iter().flat_map(|body| body.lines()) {
        text.push_str("# | ");
        text.push_str(&escape::code_line(line));
        text.push('\n');
    }
}
