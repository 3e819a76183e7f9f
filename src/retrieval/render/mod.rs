//! Renders packs as text, one format per file.
//!
//! Every format but the line and text formats lists the name, kind, location, signature, score, distance and provenance
//! of each symbol, then the edges between them. Text from a repository is always escaped: by the rules of the format, or
//! with control characters replaced by Unicode control pictures.
//!
//! Answers to structural questions ([`question`]) and the facts about one symbol ([`symbol`]) have formats of their own.
//!
//! Owns formats, deltas between packs ([`Answer`]) and the token counts of rendered text ([`TokenCounter`]). Uses
//! `model`, `text` and the trait of `rank::pack`; independent of store and engine.

pub mod answer;
pub mod by_file;
pub mod delta;
pub mod diagram;
mod escape;
pub mod gcb;
pub mod gcf;
pub mod json;
pub mod lines;
pub mod markdown;
pub mod question;
pub mod symbol;
pub mod text;
mod token_counter;
pub mod xml;

use std::borrow::Cow;
use std::collections::BTreeMap;

pub use answer::Answer;
use delta::Delta;
pub use token_counter::{TokenCache, TokenCounter};

use crate::model::{ContextPack, PackEdge, PackedSymbol, Reason, Symbol, SymbolKind};

/// One output format.
pub trait Renderer: Sync {
    /// Returns the value of `--format`.
    fn name(&self) -> &'static str;
    /// Renders a pack as the text whose tokens are counted.
    fn render(&self, pack: &ContextPack) -> String;
    /// Renders the lines of one symbol, as in [`Renderer::render`].
    fn symbol(&self, pack: &ContextPack, symbol: &PackedSymbol) -> String;
    /// Renders the line of one edge, as in [`Renderer::render`]; empty in a list of symbols.
    fn edge(&self, _pack: &ContextPack, _edge: &PackEdge) -> String {
        String::new()
    }
    /// Renders the changes to an earlier pack: in a list of symbols those that were added.
    fn delta(&self, delta: &Delta<'_>) -> String {
        delta.added.iter().map(|index| self.symbol(delta.pack, &delta.pack.symbols[*index])).collect()
    }
    /// Renders the answer to a client that has the pack with this root; empty in a list of symbols.
    fn unchanged(&self, _pack_root: &str) -> String {
        String::new()
    }

    /// Returns this format with why each symbol is ranked and the components of its score; `None` if it can't express
    /// them.
    fn explained(&self) -> Option<&'static dyn Renderer> {
        None
    }

    /// Returns whether the format can express changes to an earlier pack; otherwise every answer is a whole pack.
    fn has_deltas(&self) -> bool {
        true
    }

    /// Returns whether the format has the columns of names, which are read from the files.
    fn has_columns(&self) -> bool {
        false
    }

    /// Returns whether the format has the reason of each symbol.
    fn has_reasons(&self) -> bool {
        false
    }

    /// Returns whether the format lists what likely changes with the first symbols, and sections of documents.
    fn has_also(&self) -> bool {
        false
    }

    /// Returns whether the engine adds a digest, and chooses the symbols by it.
    fn has_digest(&self) -> bool {
        false
    }

    /// Returns whether the format lists sections of documents.
    fn has_documents(&self) -> bool {
        self.has_also() || self.has_digest()
    }

    /// Returns whether the output is binary.
    fn is_binary(&self) -> bool {
        false
    }

    /// Returns the output for an answer.
    fn bytes(&self, answer: &Answer<'_>) -> Vec<u8> {
        match answer {
            Answer::Pack(pack) => self.render(pack),
            Answer::Delta(delta) => self.delta(delta),
            Answer::Unchanged(pack_root) => self.unchanged(pack_root),
        }
        .into_bytes()
    }
}

/// The title of what likely changes with the first symbols.
pub const ALSO: &str = "also to change";
/// The title of the sections of documents.
pub const DOCUMENTS: &str = "documents";

/// Every format; the first is the default.
pub const RENDERERS: &[&dyn Renderer] = &[
    &gcf::Gcf,
    &gcb::Gcb,
    &json::Json { explained: false },
    &markdown::Markdown { explained: false },
    &xml::Xml { explained: false },
    &lines::Lines,
    &text::Text,
];

/// Returns the format with this name.
pub fn renderer_named(name: &str) -> Option<&'static dyn Renderer> {
    RENDERERS.iter().copied().find(|renderer| renderer.name() == name)
}

/// Returns a symbol's name for output. The repository is omitted if it is the pack's.
pub fn shown_name<'a>(pack: &ContextPack, symbol: &'a Symbol) -> Cow<'a, str> {
    if !pack.repositories.is_empty() {
        return pack.repositories.qualified_name(symbol);
    }
    Cow::Borrowed(match symbol.qualified_name.split_once("://") {
        Some((repository, rest)) if repository == pack.repository || pack.repository.is_empty() => rest,
        _ => &symbol.qualified_name,
    })
}

/// Returns a symbol's name qualified within its file, such as `Flask.route`.
pub fn scoped_name(symbol: &Symbol) -> String {
    match symbol.scope.as_str() {
        // The scope of a package that is a folder is its path.
        path if symbol.kind == SymbolKind::Package && symbol.file.is_empty() && !path.is_empty() => path.to_owned(),
        "" => symbol.name.clone(),
        scope if symbol.is_section() => format!("{scope} > {}", symbol.name),
        scope => format!("{scope}.{}", symbol.name),
    }
}

/// Returns the sentence of a symbol's reason on one line.
fn reason(packed: &PackedSymbol) -> Option<String> {
    packed.reason.as_ref().map(|Reason { sentence, .. }| escape::one_line(sentence))
}

/// Formats a location as `src/flask/app.py:120`; a dash if there is no file.
fn location(file: &str, line: u32) -> String {
    if file.is_empty() { "-".to_owned() } else { format!("{file}:{line}") }
}

/// Returns what each component contributes to a score, largest first, without those that round to 0.
fn contributions(packed: &PackedSymbol) -> Vec<(&'static str, f64)> {
    let mut sums = BTreeMap::new();
    for component in &packed.components {
        *sums.entry(component.name).or_insert(0.0) += component.contribution;
    }
    let mut sums: Vec<(&str, f64)> = sums.into_iter().map(|(name, sum)| (name, rounded(sum, 6))).collect();
    sums.retain(|(_, sum)| *sum != 0.0);
    sums.sort_by(|(_, one), (_, two)| two.abs().total_cmp(&one.abs()));
    sums
}

/// Rounds a score for output. NaN and infinities become 0.
fn rounded(value: f64, digits: i32) -> f64 {
    let scale = 10_f64.powi(digits);
    let rounded = (value * scale).round() / scale;
    // Adding zero turns negative zero into zero.
    if rounded.is_finite() { rounded + 0.0 } else { 0.0 }
}

#[cfg(test)]
mod tests;
