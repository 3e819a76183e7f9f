//! Text for coding agents: what was understood, then the places, one line a symbol with its location and the reason, the
//! further symbols of each file on a line, what likely changes with the first places, then source of the first few.
//!
//! The engine adds all of it but the symbols ([`Renderer::has_digest`]). Lines of source keep their tabs, so that an agent
//! can quote them in an edit. There are no scores and no hash: an agent has no use for them.

use super::delta::Delta;
use super::{ALSO, DOCUMENTS, Renderer, escape, scoped_name, shown_name};
use crate::model::{Also, ContextPack, Digest, PackEdge, PackedSymbol, SourceLines, Symbol, SymbolKind};
use crate::text::display;

/// The text format.
pub struct Text;

/// Limit of the symbols on one line.
const MAX_ON_LINE: usize = 8;

impl Renderer for Text {
    fn name(&self) -> &'static str {
        "text"
    }

    fn render(&self, pack: &ContextPack) -> String {
        let Some(digest) = &pack.digest else {
            let symbols = pack.symbols.iter().map(|symbol| self.symbol(pack, symbol));
            return symbols.chain(pack.edges.iter().map(|edge| self.edge(pack, edge))).collect();
        };
        let mut text = head(&digest.head);
        let documents = documents(pack);
        if pack.leads_with_documents() {
            text.push_str(&documents);
        }
        text.extend(digest.places.iter().map(|(index, reason)| place(pack, &pack.symbols[*index].symbol, reason)));
        text.extend(by_file(pack, digest));
        text.push_str(&also(pack));
        if !pack.leads_with_documents() {
            text.push_str(&documents);
        }
        text.extend(digest.sources.iter().map(|source| source_lines(pack, source)));
        text.push_str(&left_out(digest));
        text
    }

    fn symbol(&self, pack: &ContextPack, packed: &PackedSymbol) -> String {
        let mut text = heading(&pack.repositories.shown(&packed.symbol), &packed.symbol);
        if let Some(body) = &packed.body {
            push_numbered(&mut text, body, packed.symbol.span.start_line);
        }
        text
    }

    fn edge(&self, pack: &ContextPack, edge: &PackEdge) -> String {
        let name = |index: usize| escape::one_line(&scoped_name(&pack.symbols[index].symbol));
        format!("{} {} {}\n", name(edge.source), edge.edge_type.name(), name(edge.target))
    }

    fn delta(&self, delta: &Delta<'_>) -> String {
        let pack = delta.pack;
        let mut text = format!("# changes to pack_root {}, new pack_root {}\n", delta.base_root, delta.new_root);
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

    fn has_digest(&self) -> bool {
        true
    }
}

/// Returns the lines at the top.
pub fn head(lines: &[String]) -> String {
    lines.iter().map(|line| format!("# {}\n", escape::one_line(line))).collect()
}

/// Returns the line of a place, such as `src/app.py:12-30 method App.run — name has run`.
pub fn place(pack: &ContextPack, symbol: &Symbol, reason: &str) -> String {
    let line = heading(&pack.repositories.shown(symbol), symbol);
    match escape::one_line(reason) {
        reason if reason.is_empty() => line,
        reason => format!("{} — {reason}\n", line.trim_end()),
    }
}

/// Returns the lines of the packed symbols that have no line of their own: a file, then names with their lines.
pub fn by_file(pack: &ContextPack, digest: &Digest) -> Vec<String> {
    let mut files: Vec<(String, Vec<&Symbol>)> = Vec::new();
    for (index, packed) in pack.symbols.iter().enumerate() {
        if digest.seen.contains(&index) || digest.places.iter().any(|(place, _)| *place == index) {
            continue;
        }
        let file = pack.repositories.shown(&packed.symbol);
        match files.iter_mut().find(|(known, _)| *known == file) {
            Some((_, symbols)) => symbols.push(&packed.symbol),
            None => files.push((file.into_owned(), vec![&packed.symbol])),
        }
    }
    let lines = files.iter().flat_map(|(file, symbols)| symbols.chunks(MAX_ON_LINE).map(move |part| (file, part)));
    lines.map(|(file, symbols)| names_in_file(file, symbols)).collect()
}

/// Returns a line such as `src/app.py: App.run 12, App.stop 40`.
fn names_in_file(file: &str, symbols: &[&Symbol]) -> String {
    let named = |symbol: &&Symbol| match symbol.kind {
        SymbolKind::File | SymbolKind::Package => symbol.kind.name().to_owned(),
        _ if !symbol.span.is_known() => escape::one_line(&scoped_name(symbol)),
        _ => format!("{} {}", escape::one_line(&scoped_name(symbol)), symbol.span.name_line),
    };
    let names: Vec<String> = symbols.iter().map(named).collect();
    let file = if file.is_empty() { "outside" } else { file };
    format!("{}: {}\n", escape::one_line(file), names.join(", "))
}

/// Returns what likely changes with the first places.
pub fn also(pack: &ContextPack) -> String {
    beside(pack, ALSO, &pack.also)
}

/// Returns the sections of documents that answer the task.
pub fn documents(pack: &ContextPack) -> String {
    beside(pack, DOCUMENTS, &pack.documents)
}

fn beside(pack: &ContextPack, title: &str, symbols: &[Also]) -> String {
    let places: String = symbols.iter().map(|one| place(pack, &one.symbol, &one.reason)).collect();
    if places.is_empty() { places } else { format!("{title}:\n{places}") }
}

/// The line in the place of lines of source that are left out.
const GAP: &str = "…\n";

/// Returns the source of a symbol below its location.
pub fn source_lines(pack: &ContextPack, source: &SourceLines) -> String {
    let symbol = &pack.symbols[source.symbol].symbol;
    let mut text = format!("\n{}", heading(&pack.repositories.shown(symbol), symbol));
    let mut next = symbol.span.start_line;
    for (number, line) in &source.lines {
        if *number > next {
            text.push_str(GAP);
        }
        // An empty line is a line.
        push_numbered(&mut text, &format!("{line}\n"), *number);
        next = number + 1;
    }
    if next <= symbol.span.end_line {
        text.push_str(GAP);
    }
    text
}

fn left_out(digest: &Digest) -> String {
    match digest.left_out {
        0 => String::new(),
        more => format!("\n# {more} less likely symbols are left out; more detail lists them\n"),
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
        _ => span.place(&file),
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
