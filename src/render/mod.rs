//! Packs as text, one format to a file.
//!
//! Every format lists each symbol's name, kind, file and line, signature, score, distance and provenance, then the edges
//! among them. Nothing from a repository reaches the output raw: each format escapes by its own rules, and what has no
//! rule for control characters shows them as pictures.

mod escape;
pub mod gcf;
pub mod json;
pub mod markdown;
pub mod xml;

use crate::model::{ContextPack, PackEdge, PackedSymbol, Symbol, SymbolKind};
use crate::rank::pack::Measure;
use crate::text::tokens;

/// One output format.
pub trait Renderer: Sync {
    /// What `--format` calls it.
    fn name(&self) -> &'static str;
    /// The whole pack.
    fn render(&self, pack: &ContextPack) -> String;
    /// The lines that one symbol adds.
    fn symbol(&self, pack: &ContextPack, symbol: &PackedSymbol) -> String;
    /// The line that one edge adds.
    fn edge(&self, pack: &ContextPack, edge: &PackEdge) -> String;
}

/// Every format; the first is the default.
pub const RENDERERS: &[&dyn Renderer] = &[&gcf::Gcf, &json::Json, &markdown::Markdown, &xml::Xml];

/// The format with this name.
pub fn renderer_named(name: &str) -> Option<&'static dyn Renderer> {
    RENDERERS.iter().copied().find(|renderer| renderer.name() == name)
}

/// Pack roots tokenize differently; this much more than an empty pack's may one take.
const ROOT_SLACK: usize = 24;

/// Measures a format in cl100k_base tokens. Every fragment ends with a line break, so that counts add up.
pub struct Tokens<'a>(pub &'a dyn Renderer);

impl Measure for Tokens<'_> {
    fn frame(&self, pack: &ContextPack) -> usize {
        let empty = ContextPack {
            task: pack.task.clone(),
            repository: pack.repository.clone(),
            budget_tokens: pack.budget_tokens,
            tokens_used: pack.budget_tokens,
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

/// `src/flask/app.py:120`, or nothing for what lies in no file.
fn place(symbol: &Symbol) -> String {
    match symbol.file.as_str() {
        "" => "-".to_owned(),
        file => format!("{file}:{}", symbol.span.name_line),
    }
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
