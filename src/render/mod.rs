//! Packs as text, one format to a file.
//!
//! Every format lists each symbol's name, kind, file and line, signature, score, distance and provenance, then the edges
//! among them. Nothing from a repository reaches the output raw: each format escapes by its own rules, and what has no
//! rule for control characters shows them as pictures.
//!
//! A client that names the root of a pack it already has gets an [`Answer`] that is shorter than the pack.

pub mod answer;
mod counted;
pub mod delta;
mod escape;
pub mod gcb;
pub mod gcf;
pub mod json;
pub mod markdown;
pub mod xml;

pub use answer::Answer;
pub use counted::{Counted, Counts};
use delta::Delta;

use crate::model::{ContextPack, PackEdge, PackedSymbol, Symbol, SymbolKind};
use crate::rank::pack::TokenMeasure;
use crate::text::tokens;

/// One output format.
pub trait Renderer: Sync {
    /// What `--format` calls it.
    fn name(&self) -> &'static str;
    /// The whole pack, as the text whose tokens count.
    fn render(&self, pack: &ContextPack) -> String;
    /// The lines that one symbol adds.
    fn symbol(&self, pack: &ContextPack, symbol: &PackedSymbol) -> String;
    /// The line that one edge adds.
    fn edge(&self, pack: &ContextPack, edge: &PackEdge) -> String;
    /// What to change in an earlier pack.
    fn delta(&self, delta: &Delta<'_>) -> String;
    /// What a client is told that has the pack with this root.
    fn unchanged(&self, pack_root: &str) -> String;

    /// True when [`Renderer::bytes`] are no text.
    fn is_binary(&self) -> bool {
        false
    }

    /// What is given out.
    fn bytes(&self, answer: &Answer<'_>) -> Vec<u8> {
        match answer {
            Answer::Pack(pack) => self.render(pack),
            Answer::Delta(delta) => self.delta(delta),
            Answer::Unchanged(pack_root) => self.unchanged(pack_root),
        }
        .into_bytes()
    }
}

/// Every format; the first is the default.
pub const RENDERERS: &[&dyn Renderer] = &[&gcf::Gcf, &gcb::Gcb, &json::Json, &markdown::Markdown, &xml::Xml];

/// The format with this name.
pub fn renderer_named(name: &str) -> Option<&'static dyn Renderer> {
    RENDERERS.iter().copied().find(|renderer| renderer.name() == name)
}

/// Pack roots tokenize differently; this much more than an empty pack's may one take.
const ROOT_SLACK: usize = 24;

/// Measures a format in cl100k_base tokens. Every fragment ends with a line break, so that counts add up.
pub struct Tokens<'a>(pub &'a dyn Renderer);

impl TokenMeasure for Tokens<'_> {
    fn frame(&self, pack: &ContextPack) -> usize {
        let empty = ContextPack {
            task: pack.task.clone(),
            repository: pack.repository.clone(),
            budget_tokens: pack.budget_tokens,
            tokens_used: pack.budget_tokens,
            left_tokens: pack.budget_tokens,
            // A cut line names one omitted symbol; the best stands for all.
            omitted: pack.symbols.first().cloned().into_iter().collect(),
            ..ContextPack::default()
        };
        tokens::count(&self.0.render(&empty)) + ROOT_SLACK
    }

    fn symbol(&self, pack: &ContextPack, symbol: &PackedSymbol) -> usize {
        tokens::count(&self.0.symbol(pack, symbol))
    }

    fn edge(&self, pack: &ContextPack, edge: &PackEdge) -> usize {
        tokens::count(&self.0.edge(pack, edge))
    }

    fn whole(&self, pack: &ContextPack) -> usize {
        tokens::count(&self.0.render(pack))
    }
}

/// The name that output shows: without the repository, unless the symbol comes from another one than the pack.
pub fn shown_name<'a>(pack: &ContextPack, symbol: &'a Symbol) -> &'a str {
    match symbol.qualified_name.split_once("://") {
        Some((repository, rest)) if repository == pack.repository || pack.repository.is_empty() => rest,
        _ => &symbol.qualified_name,
    }
}

/// The name inside its file, such as `Flask.route`.
pub fn scoped_name(symbol: &Symbol) -> String {
    match symbol.scope.as_str() {
        // A package that is a folder has its path as scope, which names it well enough.
        path if symbol.kind == SymbolKind::Package && symbol.file.is_empty() && !path.is_empty() => path.to_owned(),
        "" => symbol.name.clone(),
        scope => format!("{scope}.{}", symbol.name),
    }
}

/// `src/flask/app.py:120`, or a dash for what lies in no file.
fn place(file: &str, line: u32) -> String {
    if file.is_empty() { "-".to_owned() } else { format!("{file}:{line}") }
}

/// Scores as they are shown: finer differences only reorder, they tell nobody anything.
fn rounded(value: f64, digits: i32) -> f64 {
    let scale = 10_f64.powi(digits);
    let rounded = (value * scale).round() / scale;
    // Negative zero would show its sign.
    if rounded.is_finite() { rounded + 0.0 } else { 0.0 }
}

#[cfg(test)]
mod tests;
