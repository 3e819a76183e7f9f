//! Diagrams of the symbols around one, in the languages of Mermaid and Graphviz.

use super::escape;

/// A language of diagrams.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DiagramFormat {
    /// A flowchart, which code forges draw in Markdown.
    Mermaid,
    /// The language of Graphviz.
    Dot,
}

/// The symbols around one, and the edges among them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Diagram {
    /// The one in the middle is the first.
    pub symbols: Vec<DiagramSymbol>,
    pub edges: Vec<DiagramEdge>,
    /// Neighbors that are left out; a comment in the text says so.
    pub left_out: usize,
}

/// A symbol of a diagram.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiagramSymbol {
    /// Its name with its container.
    pub name: String,
    /// `path:line`; empty for a symbol outside the repository.
    pub location: String,
}

/// An edge of a diagram.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiagramEdge {
    /// Indexes of the symbols.
    pub source: usize,
    pub target: usize,
    /// The verb of the source, such as `calls`.
    pub phrase: &'static str,
    /// Whether the edge is inferred, and drawn as a broken line.
    pub is_inferred: bool,
}

impl Diagram {
    /// Returns the text of the diagram.
    pub fn render(&self, format: DiagramFormat) -> String {
        let (text, comment) = match format {
            DiagramFormat::Mermaid => (self.mermaid(), "%%"),
            DiagramFormat::Dot => (self.dot(), "//"),
        };
        match self.left_out {
            0 => text,
            1 => format!("{text}{comment} 1 more neighbor is left out\n"),
            more => format!("{text}{comment} {more} more neighbors are left out\n"),
        }
    }

    fn mermaid(&self) -> String {
        let mut text = String::from("flowchart LR\n");
        for (index, symbol) in self.symbols.iter().enumerate() {
            let [name, location] = [&symbol.name, &symbol.location].map(|text| for_mermaid(text));
            let place = if location.is_empty() { String::new() } else { format!("<br/>{location}") };
            let ends = if index == 0 { ["([", "])"] } else { ["[", "]"] };
            text.push_str(&format!("  n{index}{}\"{name}{place}\"{}\n", ends[0], ends[1]));
        }
        for DiagramEdge { source, target, phrase, is_inferred } in &self.edges {
            let arrow = if *is_inferred { "-.->" } else { "-->" };
            text.push_str(&format!("  n{source} {arrow}|{phrase}| n{target}\n"));
        }
        text
    }

    fn dot(&self) -> String {
        let mut text = String::from("digraph {\n  rankdir=LR;\n  node [shape=box];\n");
        for (index, symbol) in self.symbols.iter().enumerate() {
            let [name, location] = [&symbol.name, &symbol.location].map(|text| for_dot(text));
            let place = if location.is_empty() { String::new() } else { format!("\\n{location}") };
            let style = if index == 0 { ", style=bold" } else { "" };
            text.push_str(&format!("  n{index} [label=\"{name}{place}\"{style}];\n"));
        }
        for DiagramEdge { source, target, phrase, is_inferred } in &self.edges {
            let style = if *is_inferred { ", style=dashed" } else { "" };
            text.push_str(&format!("  n{source} -> n{target} [label=\"{phrase}\"{style}];\n"));
        }
        text + "}\n"
    }
}

/// Returns a text for a label in quotes, where Mermaid reads entities and HTML.
fn for_mermaid(text: &str) -> String {
    let mut label = String::new();
    for letter in escape::one_line(text).chars() {
        match letter {
            '#' => label.push_str("#35;"),
            '"' => label.push_str("#quot;"),
            '<' => label.push_str("#lt;"),
            '>' => label.push_str("#gt;"),
            '&' => label.push_str("#amp;"),
            // It begins Markdown in a label.
            '`' => label.push_str("#96;"),
            other => label.push(other),
        }
    }
    label
}

fn for_dot(text: &str) -> String {
    escape::one_line(text).replace('\\', "\\\\").replace('"', "\\\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diagram() -> Diagram {
        let symbol = |name: &str, location: &str| DiagramSymbol { name: name.into(), location: location.into() };
        let edge = |source, target, phrase, is_inferred| DiagramEdge { source, target, phrase, is_inferred };
        Diagram {
            symbols: vec![symbol("Cart.sum", "cart.rs:3"), symbol("Vec<\"a\">", ""), symbol("main", "a\\b.rs:1")],
            edges: vec![edge(2, 0, "calls", false), edge(0, 1, "has the type", true)],
            left_out: 0,
        }
    }

    #[test]
    fn neighbors_that_are_left_out_are_counted_in_a_comment() {
        let text = |left_out, format| Diagram { left_out, ..diagram() }.render(format);
        assert!(text(7, DiagramFormat::Mermaid).ends_with("\n%% 7 more neighbors are left out\n"));
        assert!(text(1, DiagramFormat::Dot).ends_with("}\n// 1 more neighbor is left out\n"));
    }

    #[test]
    fn mermaid_escapes_labels() {
        assert_eq!(
            diagram().render(DiagramFormat::Mermaid),
            "flowchart LR\n  n0([\"Cart.sum<br/>cart.rs:3\"])\n  n1[\"Vec#lt;#quot;a#quot;#gt;\"]\n  \
             n2[\"main<br/>a\\b.rs:1\"]\n  n2 -->|calls| n0\n  n0 -.->|has the type| n1\n"
        );
    }

    #[test]
    fn dot_escapes_labels() {
        assert_eq!(
            diagram().render(DiagramFormat::Dot),
            "digraph {\n  rankdir=LR;\n  node [shape=box];\n  n0 [label=\"Cart.sum\\ncart.rs:3\", style=bold];\n  \
             n1 [label=\"Vec<\\\"a\\\">\"];\n  n2 [label=\"main\\na\\\\b.rs:1\"];\n  n2 -> n0 [label=\"calls\"];\n  \
             n0 -> n1 [label=\"has the type\", style=dashed];\n}\n"
        );
    }

    #[test]
    fn control_characters_do_not_leave_a_label() {
        let symbols = vec![DiagramSymbol { name: "a\nb\u{1b}".into(), location: String::new() }];
        let diagram = Diagram { symbols, edges: Vec::new(), left_out: 0 };
        for format in [DiagramFormat::Mermaid, DiagramFormat::Dot] {
            assert!(!diagram.render(format).contains(['\u{1b}', '\r']) && diagram.render(format).contains("\"a b"));
        }
    }
}
