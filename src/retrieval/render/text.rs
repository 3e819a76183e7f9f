//! Text for coding agents: one line with location, kind and name per symbol, then its source with line numbers or its
//! signature, then the edges.
//!
//! The engine adds the source of the best symbols to this format as far as it fits the budget
//! ([`Renderer::has_fitting_sources`]). Lines of source keep their tabs, so that an agent can quote them in an edit.

use super::delta::Delta;
use super::{Renderer, escape, gcf, scoped_name, shown_name};
use crate::model::{ContextPack, PackEdge, PackedSymbol, Symbol, SymbolKind};
use crate::text::display;

/// The text format.
pub struct Text;

impl Renderer for Text {
    fn name(&self) -> &'static str {
        "text"
    }

    fn render(&self, pack: &ContextPack) -> String {
        let mut text = format!(
            "# {} symbols, {} of {} tokens, pack_root {}\n",
            pack.symbols.len(),
            pack.tokens_used,
            pack.budget_tokens,
            gcf::pack_root(pack)
        );
        text.extend(pack.symbols.iter().map(|symbol| self.symbol(pack, symbol)));
        if !pack.edges.is_empty() {
            text.push_str("# edges\n");
            text.extend(pack.edges.iter().map(|edge| self.edge(pack, edge)));
        }
        text
    }

    fn symbol(&self, pack: &ContextPack, packed: &PackedSymbol) -> String {
        let mut text = heading(&pack.repositories.file(&packed.symbol), &packed.symbol);
        match &packed.body {
            Some(body) => push_numbered(&mut text, body, packed.symbol.span.start_line),
            None if packed.symbol.signature.is_empty() => {}
            None => text.push_str(&format!("    {}\n", escape::one_line(&packed.symbol.signature))),
        }
        text
    }

    fn edge(&self, pack: &ContextPack, edge: &PackEdge) -> String {
        let name = |index: usize| escape::one_line(&scoped_name(&pack.symbols[index].symbol));
        format!("{} {} {}\n", name(edge.source), edge.edge_type.name(), name(edge.target))
    }

    fn delta(&self, delta: &Delta<'_>) -> String {
        let pack = delta.pack;
        let mut text = format!(
            "# changes to pack_root {}, {} of {} tokens, new pack_root {}\n",
            delta.base_root, delta.tokens_used, pack.budget_tokens, delta.new_root
        );
        for symbol in delta.removed.iter().map(|index| &delta.base.symbols[*index]) {
            let (name, file) = (escape::one_line(&symbol.shown), escape::one_line(&symbol.file));
            text.push_str(&format!("- {file}:{} {} {name}\n", symbol.line, symbol.kind));
        }
        for index in &delta.added {
            text.push_str(&format!("+ {}", self.symbol(pack, &pack.symbols[*index])));
        }
        let old = |index: usize| delta.base.symbols.get(index).map_or("", |symbol| symbol.shown.as_str());
        let new = |index: usize| shown_name(pack, &pack.symbols[index].symbol);
        for edge in delta.removed_edges.iter().map(|index| &delta.base.edges[*index]) {
            push_edge(&mut text, '-', [old(edge.source), &edge.edge_type, old(edge.target)]);
        }
        for edge in delta.added_edges.iter().map(|index| &pack.edges[*index]) {
            push_edge(&mut text, '+', [&new(edge.source), edge.edge_type.name(), &new(edge.target)]);
        }
        text
    }

    fn unchanged(&self, pack_root: &str) -> String {
        format!("# unchanged, pack_root {pack_root}\n")
    }

    fn has_fitting_sources(&self) -> bool {
        true
    }
}

/// Returns a line such as `src/app.py:12-30 method App.run`. `file` is the shown path of the symbol's file.
pub fn heading(file: &str, symbol: &Symbol) -> String {
    let (file, name) = (escape::one_line(file), escape::one_line(&scoped_name(symbol)));
    let span = &symbol.span;
    let location = match symbol.kind {
        _ if file.is_empty() => "-".to_owned(),
        SymbolKind::File | SymbolKind::Package => file,
        _ if span.end_line > span.start_line => format!("{file}:{}-{}", span.start_line, span.end_line),
        _ => format!("{file}:{}", span.name_line),
    };
    format!("{location} {} {name}\n", symbol.kind.name())
}

/// Appends source, each line with its number.
pub fn push_numbered(text: &mut String, source: &str, first_line: u32) {
    for (number, line) in (first_line..).zip(source.lines()) {
        let parts: Vec<_> = line.trim_end().split('\t').map(display::safe).collect();
        text.push_str(&format!("{number}\t{}\n", parts.join("\t")));
    }
}

fn push_edge(text: &mut String, sign: char, words: [&str; 3]) {
    let [source, edge_type, target] = words.map(escape::one_line);
    text.push_str(&format!("{sign} {source} {edge_type} {target}\n"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn source_keeps_tabs_and_loses_control_characters() {
        let mut text = String::new();
        push_numbered(&mut text, "\tif x {\n\t\ty() // \u{1b}[31m\r\n\n}", 9);
        assert_eq!(text, "9\t\tif x {\n10\t\t\ty() // \u{241b}[31m\n11\t\n12\t}\n");
    }
}
