//! XML: one element per symbol or edge.

use super::delta::Delta;
use super::{Renderer, contributions, escape, gcf, reason, rounded, shown_name};
use crate::model::{ContextPack, PackEdge, PackedSymbol};

/// The XML format.
pub struct Xml {
    /// Whether each symbol has the components of its score.
    pub explained: bool,
}

impl Renderer for Xml {
    fn name(&self) -> &'static str {
        "xml"
    }

    fn explained(&self) -> Option<&'static dyn Renderer> {
        Some(&Xml { explained: true })
    }

    fn has_reasons(&self) -> bool {
        self.explained
    }

    fn render(&self, pack: &ContextPack) -> String {
        let mut text = format!(
            "<context tokens_used=\"{}\" token_budget=\"{}\" pack_root=\"{}\">\n<symbols>\n",
            pack.tokens_used,
            pack.budget_tokens,
            gcf::pack_root(pack)
        );
        text.extend(pack.symbols.iter().map(|symbol| self.symbol(pack, symbol)));
        text.push_str("</symbols>\n<edges>\n");
        text.extend(pack.edges.iter().map(|edge| self.edge(pack, edge)));
        text.push_str("</edges>\n</context>\n");
        text
    }

    fn symbol(&self, pack: &ContextPack, packed: &PackedSymbol) -> String {
        let symbol = &packed.symbol;
        let mut text = format!(
            "<symbol name=\"{}\" kind=\"{}\" file=\"{}\" line=\"{}\" score=\"{:.2}\" distance=\"{}\" provenance=\"{}\"",
            escaped(&shown_name(pack, symbol)),
            symbol.kind.name(),
            escaped(&pack.repositories.file(symbol)),
            symbol.span.name_line,
            rounded(packed.score, 2),
            packed.distance,
            packed.provenance,
        );
        let components = if self.explained { contributions(packed) } else { Vec::new() };
        let sentence = reason(packed).filter(|_| self.explained);
        if symbol.signature.is_empty() && components.is_empty() && packed.body.is_none() && sentence.is_none() {
            return text + "/>\n";
        }
        text.push_str(&format!("><signature>{}</signature>", escaped(&escape::one_line(&symbol.signature))));
        if let Some(sentence) = sentence {
            text.push_str(&format!("<why>{}</why>", escaped(&sentence)));
        }
        for (name, contribution) in components {
            text.push_str(&format!("<component name=\"{name}\" contribution=\"{contribution}\"/>"));
        }
        if let Some(body) = &packed.body {
            let lines: Vec<String> = body.lines().map(|line| escaped(&escape::code_line(line))).collect();
            text.push_str(&format!("<body>\n{}\n</body>", lines.join("\n")));
        }
        text + "</symbol>\n"
    }

    fn edge(&self, pack: &ContextPack, edge: &PackEdge) -> String {
        let name = |index: usize| escaped(&shown_name(pack, &pack.symbols[index].symbol));
        format!(
            "<edge source=\"{}\" target=\"{}\" type=\"{}\" provenance=\"{}\" confidence=\"{:.2}\"/>\n",
            name(edge.source),
            name(edge.target),
            edge.edge_type.name(),
            edge.provenance.name(),
            edge.confidence,
        )
    }

    fn delta(&self, delta: &Delta<'_>) -> String {
        let pack = delta.pack;
        let mut text = format!(
            "<context delta=\"true\" tokens_used=\"{}\" token_budget=\"{}\" base_root=\"{}\" pack_root=\"{}\">\n<removed>\n",
            delta.tokens_used, pack.budget_tokens, delta.base_root, delta.new_root
        );
        for symbol in delta.removed.iter().map(|index| &delta.base.symbols[*index]) {
            let (name, kind, file) = (escaped(&symbol.shown), &symbol.kind, escaped(&symbol.file));
            text.push_str(&format!(
                "<symbol name=\"{name}\" kind=\"{kind}\" file=\"{file}\" line=\"{}\"/>\n",
                symbol.line
            ));
        }
        let name =
            |index: usize| delta.base.symbols.get(index).map_or_else(String::new, |symbol| escaped(&symbol.shown));
        for edge in delta.removed_edges.iter().map(|index| &delta.base.edges[*index]) {
            let (source, target) = (name(edge.source), name(edge.target));
            text.push_str(&format!("<edge source=\"{source}\" target=\"{target}\" type=\"{}\"/>\n", edge.edge_type));
        }
        text.push_str("</removed>\n<added>\n");
        text.extend(delta.added.iter().map(|index| self.symbol(pack, &pack.symbols[*index])));
        text.extend(delta.added_edges.iter().map(|index| self.edge(pack, &pack.edges[*index])));
        text.push_str("</added>\n</context>\n");
        text
    }

    fn unchanged(&self, pack_root: &str) -> String {
        format!("<context unchanged=\"true\" pack_root=\"{pack_root}\"/>\n")
    }
}

/// Escapes text for XML. Control characters become control pictures, because XML 1.0 has no escape for most of them.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in crate::text::display::safe(text).chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            // XML forbids these two characters.
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            other => escaped.push(other),
        }
    }
    escaped
}
