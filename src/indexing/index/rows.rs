//! Builds the rows of a file's symbols and their search text.

use std::collections::HashMap;

use super::file_set::Entry;
use super::node_ids::{NodeIdentity, identify_file};
use super::texts::FileTexts;
use crate::facts::{Definition, Outline};
use crate::model::{NodeId, Span, Symbol, SymbolKind};
use crate::store::{FileRow, MAX_NODES, NodeRow, SEARCH_COLUMNS, SearchColumn, SearchRow, around_name};
use crate::text::file_name;
use crate::text::terms::term_text;

/// Returns the scope of a definition, joined by dots.
pub(super) fn scope_text(outline: &Outline, definition: &Definition) -> String {
    let names: Vec<&str> = definition.scope_names.iter().map(|&name| outline.names.get(name)).collect();
    names.join(".")
}

/// Returns the rows of a file's own symbol and its definitions.
pub(super) fn node_rows(
    (entry, outline): (&Entry, &Outline),
    identities: &[NodeIdentity],
    texts: &FileTexts,
) -> Vec<NodeRow> {
    let own = NodeRow {
        id: entry.nodes[0],
        file: Some(entry.row.id),
        kind: SymbolKind::File,
        name: file_name(&entry.row.path).to_owned(),
        scope: String::new(),
        signature: String::new(),
        doc: texts.file_doc.clone(),
        span: Span { start_byte: 0, end_byte: entry.row.size as u32, start_line: 1, end_line: 1, name_line: 1 },
        is_test: outline.is_test,
        ordinal: 0,
    };
    let definitions = outline.definitions.iter().enumerate().map(|(index, definition)| NodeRow {
        id: entry.nodes[index + 1],
        file: Some(entry.row.id),
        kind: definition.kind,
        name: outline.names.get(definition.name).to_owned(),
        scope: scope_text(outline, definition),
        signature: definition.signature.clone(),
        doc: texts.docs.get(index).cloned().unwrap_or_default(),
        span: definition.span,
        is_test: definition.flags.is_test,
        ordinal: identities[index + 1].ordinal,
    });
    std::iter::once(own).chain(definitions).collect()
}

/// Returns a file's definitions as symbols, before node ids and edges exist. Ordinals count within the file only, since
/// other files of its package may not be parsed yet.
pub(super) fn symbols(row: &FileRow, outline: &Outline, repository: &str) -> Vec<Symbol> {
    let identities = identify_file(row, outline, repository, &mut HashMap::new());
    let file = Some((row.language.as_str(), row.path.as_str()));
    let symbol = |(definition, identity): (&Definition, &NodeIdentity)| {
        let (scope, name) = (scope_text(outline, definition), outline.names.get(definition.name));
        Symbol {
            id: identity.identity,
            // Not a valid node id.
            node: NodeId::new(MAX_NODES),
            kind: definition.kind,
            qualified_name: crate::lang::packages::symbol_name(definition.kind, file, &scope, name)
                .qualified(repository),
            name: name.to_owned(),
            scope,
            file: row.path.clone(),
            signature: definition.signature.clone(),
            doc: String::new(),
            span: definition.span,
            is_test: definition.flags.is_test,
            ordinal: identity.ordinal,
        }
    };
    outline.definitions.iter().zip(&identities[1..]).map(symbol).collect()
}

/// Returns the search text of a file's own symbol. `history` are the subjects of its commits.
pub(super) fn file_search_row(path: &str, doc: &str, node: NodeId, history: &str) -> SearchRow {
    let mut columns = search_columns(file_name(path), "", "", doc, "");
    columns[SearchColumn::Concepts as usize] = path_terms(path);
    columns[SearchColumn::FilePath as usize] = path.to_lowercase();
    columns[SearchColumn::History as usize] = term_text(history);
    SearchRow { node, columns }
}

/// Returns the search text of a file's definitions. `nodes` starts with the file's own node.
pub(super) fn search_rows(outline: &Outline, texts: &FileTexts, nodes: &[NodeId]) -> Vec<SearchRow> {
    let definitions = outline.definitions.iter().enumerate().map(|(index, definition)| {
        let name = outline.names.get(definition.name);
        let doc = texts.docs.get(index).map_or("", String::as_str);
        let body = texts.bodies.get(index).map_or("", String::as_str);
        search_columns(name, &scope_text(outline, definition), &definition.signature, doc, body)
    });
    definitions.zip(nodes.iter().skip(1)).map(|(columns, &node)| SearchRow { node, columns }).collect()
}

/// Returns the search text of a node without a definition.
pub(super) fn fileless_search_row(row: &NodeRow) -> SearchRow {
    let mut columns = search_columns(&row.name, "", "", "", "");
    if row.file.is_none() {
        columns[SearchColumn::Concepts as usize] = path_terms(&row.scope);
    }
    SearchRow { node: row.id, columns }
}

/// Returns the terms of a path without its extension.
fn path_terms(path: &str) -> String {
    term_text(path.rsplit_once('.').map_or(path, |(stem, _)| stem))
}

/// Returns the columns of a symbol, without history and path, as they are stored: see [`SearchColumn`].
fn search_columns(name: &str, scope: &str, signature: &str, doc: &str, body: &str) -> [String; SEARCH_COLUMNS] {
    let mut columns: [String; SEARCH_COLUMNS] = Default::default();
    let mut set = |column: SearchColumn, text: String| columns[column as usize] = text;
    set(SearchColumn::SymbolName, term_text(name));
    set(SearchColumn::QualifiedName, term_text(scope));
    set(
        SearchColumn::Signature,
        match around_name(signature, name) {
            Some((before, after)) => term_text(&format!("{before} {after}")),
            None => term_text(signature),
        },
    );
    set(SearchColumn::Doc, term_text(doc));
    set(SearchColumn::Body, term_text(body));
    columns
}
