//! Markdown: for people, and for language models that expect prose.

use super::delta::Delta;
use super::{Renderer, contributions, escape, gcf, location, reason, rounded, scoped_name, shown_name};
use crate::model::{Also, ContextPack, PackEdge, PackedSymbol};
use crate::text::display::excerpt;

/// The Markdown format.
pub struct Markdown {
    /// Whether each symbol has the components of its score.
    pub explained: bool,
}

impl Renderer for Markdown {
    fn name(&self) -> &'static str {
        "markdown"
    }

    fn explained(&self) -> Option<&'static dyn Renderer> {
        Some(&Markdown { explained: true })
    }

    fn has_reasons(&self) -> bool {
        self.explained
    }

    fn has_also(&self) -> bool {
        true
    }

    fn render(&self, pack: &ContextPack) -> String {
        let mut text = format!(
            "# {}\n\npack root {}\n\n## Symbols\n\n",
            title("Context", pack, pack.tokens_used),
            gcf::pack_root(pack)
        );
        for (index, symbol) in pack.symbols.iter().enumerate() {
            self.push_symbol(&mut text, pack, index + 1, symbol);
        }
        text.push_str("\n## Edges\n\n");
        for edge in &pack.edges {
            text.push_str(&self.edge(pack, edge));
        }
        if pack.edges.is_empty() {
            text.push_str("none\n");
        }
        let beside = |Also { symbol, reason }: &Also| {
            let place = code(&location(&pack.repositories.file(symbol), symbol.span.name_line));
            format!("- {} {} {place}: {}\n", code(&scoped_name(symbol)), symbol.kind.name(), escape::one_line(reason))
        };
        push_section(&mut text, "Also to change", pack.also.iter().map(beside));
        push_section(&mut text, "Documents", pack.documents.iter().map(beside));
        text
    }

    fn symbol(&self, pack: &ContextPack, symbol: &PackedSymbol) -> String {
        // The rank is not known yet. Numbers of up to three digits are one token.
        let rank = if pack.symbols.len() > 999 { 1_000 } else { 1 };
        let mut text = String::new();
        self.push_symbol(&mut text, pack, rank, symbol);
        text
    }

    fn edge(&self, pack: &ContextPack, edge: &PackEdge) -> String {
        let name = |index: usize| code(&scoped_name(&pack.symbols[index].symbol));
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
            "# {}\n\nbase root {}\n\npack root {}\n",
            title("Changes", pack, delta.tokens_used),
            delta.base_root,
            delta.new_root
        );
        let old = |index: usize| delta.base.symbols.get(index).map_or("", |symbol| symbol.shown.as_str());
        let new = |index: usize| shown_name(pack, &pack.symbols[index].symbol);
        let removed = delta.removed.iter().map(|index| &delta.base.symbols[*index]).map(|symbol| {
            format!("- {} {} {}\n", code(&symbol.shown), symbol.kind, code(&location(&symbol.file, symbol.line)))
        });
        push_section(&mut text, "Removed symbols", removed);
        let added = delta.added.iter().map(|&index| {
            let mut lines = String::new();
            self.push_symbol(&mut lines, pack, index + 1, &pack.symbols[index]);
            lines
        });
        push_section(&mut text, "Added symbols", added);
        let removed_edges = delta.removed_edges.iter().map(|index| &delta.base.edges[*index]);
        let removed_edges = removed_edges.map(|edge| edge_by_name(old(edge.source), &edge.edge_type, old(edge.target)));
        push_section(&mut text, "Removed edges", removed_edges);
        let added_edges = delta.added_edges.iter().map(|index| &pack.edges[*index]);
        let added_edges =
            added_edges.map(|edge| edge_by_name(&new(edge.source), edge.edge_type.name(), &new(edge.target)));
        push_section(&mut text, "Added edges", added_edges);
        text
    }

    fn unchanged(&self, pack_root: &str) -> String {
        format!("# Context: unchanged\n\npack root {pack_root}\n")
    }
}

impl Markdown {
    fn push_symbol(&self, text: &mut String, pack: &ContextPack, rank: usize, packed: &PackedSymbol) {
        let symbol = &packed.symbol;
        text.push_str(&format!(
            "{rank}. {} {} {} score {:.2} distance {} {}\n",
            code(&scoped_name(symbol)),
            symbol.kind.name(),
            code(&location(&pack.repositories.file(symbol), symbol.span.name_line)),
            rounded(packed.score, 2),
            packed.distance,
            packed.provenance,
        ));
        if !symbol.signature.is_empty() {
            text.push_str(&format!("   {}\n", code(&symbol.signature)));
        }
        if let Some(sentence) = reason(packed).filter(|_| self.explained) {
            text.push_str(&format!("   {}\n", sentence));
        }
        let components = if self.explained { contributions(packed) } else { Vec::new() };
        if !components.is_empty() {
            let listed: Vec<String> = components.iter().map(|(name, sum)| format!("{name} {sum:+.3}")).collect();
            text.push_str(&format!("   {}\n", listed.join(" · ")));
        }
        if let Some(body) = &packed.body {
            push_body(text, body);
        }
    }
}

/// Limit of the task in a title, in characters.
const MAX_TASK_CHARS: usize = 72;

/// Returns a title with the task, the repository's last path segment and the token count.
fn title(label: &str, pack: &ContextPack, tokens_used: usize) -> String {
    let task = escape::one_line(&pack.task);
    let mut short: String = task.chars().take(MAX_TASK_CHARS).collect();
    if short.len() < task.len() {
        short.push('…');
    }
    let task = if short.is_empty() { String::new() } else { format!(": {}", code(&excerpt(&short))) };
    let repository = escape::one_line(pack.repository.rsplit('/').next().unwrap_or_default());
    let repository = if repository.is_empty() { String::new() } else { format!("{}, ", code(&repository)) };
    format!("{label}{task} ({repository}{tokens_used} of {} tokens)", pack.budget_tokens)
}

/// Appends a section of a delta, unless it is empty.
fn push_section(text: &mut String, heading: &str, lines: impl Iterator<Item = String>) {
    let mut lines = lines.peekable();
    if lines.peek().is_some() {
        text.push_str(&format!("\n## {heading}\n\n"));
        text.extend(lines);
    }
}

/// Renders an edge of a delta. It has names only, because the indexes refer to the whole pack.
fn edge_by_name(source: &str, edge_type: &str, target: &str) -> String {
    format!("- {} {edge_type} {}\n", code(source), code(target))
}

/// Returns a code span with a fence longer than any run of backticks inside.
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

/// Appends a fenced block, indented as part of its list item.
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
