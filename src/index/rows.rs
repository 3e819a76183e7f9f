//! Rows of a file's symbols: what the store keeps, and what search reads.

use std::collections::HashMap;

use super::catalog::Entry;
use super::extract::FileTexts;
use super::numbering::{Named, name_file};
use super::search_text;
use crate::facts::{Definition, Outline};
use crate::model::{Span, Symbol, SymbolKind};
use crate::store::{FileRow, MOST_NODES, NodeRow, SearchColumn, SearchRow};
use crate::text::terms::term_text;

/// The scope of a definition as text.
pub(super) fn scope_text(outline: &Outline, definition: &Definition) -> String {
    let names: Vec<&str> = definition.scope_names.iter().map(|&name| outline.names.get(name)).collect();
    names.join(".")
}

/// The file's name without its folders.
pub(super) fn file_name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// The rows of a file's own symbol and its definitions.
pub(super) fn node_rows(entry: &Entry, names: &[Named], texts: &FileTexts) -> Vec<NodeRow> {
    let own = NodeRow {
        id: entry.nodes[0],
        identity: names[0].identity,
        file: Some(entry.row.id),
        kind: SymbolKind::File,
        name: file_name(&entry.row.path).to_owned(),
        scope: String::new(),
        signature: String::new(),
        doc: texts.file_doc.clone(),
        span: Span { start_byte: 0, end_byte: entry.row.size as u32, start_line: 1, end_line: 1, name_line: 1 },
        is_test: entry.outline.is_test,
        ordinal: 0,
    };
    let definitions = entry.outline.definitions.iter().enumerate().map(|(index, definition)| NodeRow {
        id: entry.nodes[index + 1],
        identity: names[index + 1].identity,
        file: Some(entry.row.id),
        kind: definition.kind,
        name: entry.outline.names.get(definition.name).to_owned(),
        scope: scope_text(&entry.outline, definition),
        signature: definition.signature.clone(),
        doc: texts.docs.get(index).cloned().unwrap_or_default(),
        span: definition.span,
        is_test: definition.flags.is_test,
        ordinal: names[index + 1].ordinal,
    });
    std::iter::once(own).chain(definitions).collect()
}

/// A file's definitions as symbols, before there are numbers and edges. Of a name that several files of a place define, each
/// file's first counts as the first, for nothing is known of the others.
pub(super) fn symbols(row: &FileRow, outline: &Outline, repository: &str) -> Vec<Symbol> {
    let names = name_file(row, outline, repository, &mut HashMap::new());
    let place = Some((row.language.as_str(), row.path.as_str()));
    let symbol = |(definition, named): (&Definition, &Named)| {
        let (scope, name) = (scope_text(outline, definition), outline.names.get(definition.name));
        Symbol {
            id: named.identity,
            // No store has this number.
            node: MOST_NODES,
            kind: definition.kind,
            qualified_name: crate::lang::packages::symbol_name(definition.kind, place, &scope, name)
                .qualified(repository),
            name: name.to_owned(),
            scope,
            file: row.path.clone(),
            signature: definition.signature.clone(),
            doc: String::new(),
            span: definition.span,
            is_test: definition.flags.is_test,
            ordinal: named.ordinal,
        }
    };
    outline.definitions.iter().zip(&names[1..]).map(symbol).collect()
}

/// The search text of a file's own symbol. `history` is what its commits say.
pub(super) fn file_search_row(path: &str, doc: &str, node: u32, history: &str) -> SearchRow {
    let mut columns = search_text::columns(&search_text::PathText::new(path), file_name(path), "", "", doc, "");
    columns[SearchColumn::FilePath as usize] = path.to_lowercase();
    columns[SearchColumn::History as usize] = term_text(history);
    SearchRow { node, columns }
}

/// The search text of a file's definitions, whose nodes follow the file's own in `nodes`.
pub(super) fn search_rows(path: &str, outline: &Outline, texts: &FileTexts, nodes: &[u32]) -> Vec<SearchRow> {
    let shared = search_text::PathText::new(path);
    let definitions = outline.definitions.iter().enumerate().map(|(index, definition)| {
        let name = outline.names.get(definition.name);
        let doc = texts.docs.get(index).map_or("", String::as_str);
        let body = texts.bodies.get(index).map_or("", String::as_str);
        search_text::columns(&shared, name, &scope_text(outline, definition), &definition.signature, doc, body)
    });
    definitions.zip(nodes.iter().skip(1)).map(|(columns, &node)| SearchRow { node, columns }).collect()
}
