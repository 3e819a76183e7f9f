//! Markdown: for people, and for models that get their context as prose.

use super::delta::Delta;
use super::{Renderer, escape, gcf, place, scoped_name, shown_name};
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

    fn delta(&self, delta: &Delta<'_>) -> String {
        let pack = delta.pack;
        let mut text = format!(
            "# Context: changes, {} of {} tokens\n\nbase root {}\n\npack root {}\n",
            delta.tokens_used, pack.budget_tokens, delta.base_root, delta.new_root
        );
        let known = |place: usize| delta.base.symbols.get(place).map_or("", |known| known.shown.as_str());
        let new = |place: usize| shown_name(pack, &pack.symbols[place].symbol);
        let removed = delta.removed.iter().map(|place| &delta.base.symbols[*place]).map(|symbol| {
            format!("- {} {} {}\n", code(&symbol.shown), symbol.kind, code(&place(&symbol.file, symbol.line)))
        });
        push_section(&mut text, "Removed symbols", removed);
        let added = delta.added.iter().map(|&place| {
            let mut lines = String::new();
            push_symbol(&mut lines, place + 1, &pack.symbols[place]);
            lines
        });
        push_section(&mut text, "Added symbols", added);
        let removed_edges = delta.removed_edges.iter().map(|place| &delta.base.edges[*place]);
        let removed_edges =
            removed_edges.map(|edge| edge_by_name(known(edge.source), &edge.edge_type, known(edge.target)));
        push_section(&mut text, "Removed edges", removed_edges);
        let added_edges = delta.added_edges.iter().map(|place| &pack.edges[*place]);
        let added_edges =
            added_edges.map(|edge| edge_by_name(new(edge.source), edge.edge_type.name(), new(edge.target)));
        push_section(&mut text, "Added edges", added_edges);
        text
    }

    fn unchanged(&self, pack_root: &str) -> String {
        format!("# Context: unchanged\n\npack root {pack_root}\n")
    }
}

/// A section of a delta; nothing where there is nothing to say.
fn push_section(text: &mut String, heading: &str, lines: impl Iterator<Item = String>) {
    let mut lines = lines.peekable();
    if lines.peek().is_some() {
        text.push_str(&format!("\n## {heading}\n\n"));
        text.extend(lines);
    }
}

/// Places in the list mean nothing to a reader of a delta, who sees only a part of it.
fn edge_by_name(source: &str, edge_type: &str, target: &str) -> String {
    format!("- {} {edge_type} {}\n", code(source), code(target))
}

fn push_symbol(text: &mut String, rank: usize, packed: &PackedSymbol) {
    let symbol = &packed.symbol;
    text.push_str(&format!(
        "{rank}. {} {} {} score {:.2} distance {} {}\n",
        code(&scoped_name(symbol)),
        symbol.kind.name(),
        code(&place(&symbol.file, symbol.span.name_line)),
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
