//! Markdown: for people, and for models that get their context as prose.

use super::{Renderer, escape, gcf, place, scoped_name};
use crate::model::{ContextPack, PackEdge, PackedSymbol};

/// The Markdown format.
pub struct Markdown;

impl Renderer for Markdown {
    fn name(&self) -> &'static str {
        "markdown"
    }

    fn render(&self, pack: &ContextPack) -> String {
        let mut text = format!(
            "# Context: {} of {} tokens\n\npack root {}\n\n## Symbols\n\n",
            pack.tokens_used,
            pack.budget_tokens,
            gcf::pack_root(pack)
        );
        for (index, symbol) in pack.symbols.iter().enumerate() {
            push_symbol(&mut text, index + 1, symbol);
        }
        text.push_str("\n## Edges\n\n");
        for edge in &pack.edges {
            text.push_str(&self.edge(pack, edge));
        }
        if pack.edges.is_empty() {
            text.push_str("none\n");
        }
        text
    }

    fn symbol(&self, pack: &ContextPack, symbol: &PackedSymbol) -> String {
        // Numbers of up to three digits are one token, so this rank stands for all of them.
        let rank = if pack.symbols.len() > 999 { 1_000 } else { 1 };
        let mut text = String::new();
        push_symbol(&mut text, rank, symbol);
        text
    }

    fn edge(&self, pack: &ContextPack, edge: &PackEdge) -> String {
        let name = |place: usize| code(&scoped_name(&pack.symbols[place].symbol));
        format!(
            "- {} {} {} {} {} ({})\n",
            edge.source + 1,
            name(edge.source),
            edge.edge_type.name(),
            edge.target + 1,
            name(edge.target),
            edge.provenance.name()
        )
    }
}

fn push_symbol(text: &mut String, rank: usize, packed: &PackedSymbol) {
    let symbol = &packed.symbol;
    text.push_str(&format!(
        "{rank}. {} {} {} score {:.2} distance {} {}\n",
        code(&scoped_name(symbol)),
        symbol.kind.name(),
        code(&place(symbol)),
        packed.score,
        packed.distance,
        packed.provenance,
    ));
    if !symbol.signature.is_empty() {
        text.push_str(&format!("   {}\n", code(&symbol.signature)));
    }
    if let Some(body) = &packed.body {
        push_body(text, body);
    }
}

/// A code span whose fence is longer than any run of backticks inside it.
fn code(content: &str) -> String {
    let content = escape::one_line(content);
    match longest_run(&content) {
        0 => format!("`{content}`"),
        run => {
            let fence = "`".repeat(run + 1);
            format!("{fence} {content} {fence}")
        }
    }
}

/// A fenced block, indented so that it belongs to its list item.
fn push_body(text: &mut String, body: &str) {
    let fence = "`".repeat(longest_run(body).max(2) + 1);
    text.push_str(&format!("   {fence}\n"));
    for line in body.lines() {
        text.push_str(&format!("   {}\n", escape::code_line(line)));
    }
    text.push_str(&format!("   {fence}\n"));
}

fn longest_run(text: &str) -> usize {
    text.split(|letter| letter != '`').map(str::len).max().unwrap_or(0)
}
