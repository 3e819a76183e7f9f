//! Symbols by node id, name, path and file.

use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use super::error::StoreError;
use super::files::unpack_node_ids;
use super::names::folded;
use super::read::Reader;
use super::rows::{FilelessNodeRow, NodeKey, full_signature};
use super::symbol_blocks::{Head, SymbolRow, block_of};
use crate::lang::packages::{definition_unit, symbol_name_in};
use crate::model::{FileId, NodeId, Symbol, SymbolId, SymbolKind};

/// Upper bound of node ids: fifty times the symbols of the largest open repositories. Arrays are sized by the largest
/// id, which a damaged or forged database must not control.
pub const MAX_NODES: u32 = 1 << 26;

/// The name of a symbol and what symbol search needs beside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeSummary {
    pub node: NodeId,
    pub identity: SymbolId,
    pub kind: SymbolKind,
    /// `None` for symbols without a file, such as externals.
    pub file: Option<FileId>,
    pub is_test: bool,
    pub name: String,
}

/// The name, length and modifiers of a symbol in a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ScopedName {
    /// Names of the enclosing types and functions.
    pub scope: String,
    pub name: String,
    /// Lines of the definition.
    pub lines: u32,
    /// The part of its signature before the name: keywords such as `pub` and `private static`.
    pub modifiers: String,
}

/// The part of a symbol's identity and names that its file has.
#[derive(Debug)]
pub(super) struct FileUnit {
    unit: String,
    path: String,
}

impl FileUnit {
    fn new(path: String, language: &str) -> FileUnit {
        FileUnit { unit: definition_unit(language, &path).to_owned(), path }
    }
}

/// A file by its path.
struct FilePath(Arc<FileUnit>);

impl PartialEq for FilePath {
    fn eq(&self, other: &FilePath) -> bool {
        self.0.path == other.0.path
    }
}

impl Eq for FilePath {}

impl PartialOrd for FilePath {
    fn partial_cmp(&self, other: &FilePath) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for FilePath {
    fn cmp(&self, other: &FilePath) -> Ordering {
        self.0.path.cmp(&other.0.path)
    }
}

/// Number of files whose units a reader keeps.
const KEPT_FILES: usize = 4_096;

/// Units of files that were read last.
pub(super) type KeptFiles = HashMap<FileId, Arc<FileUnit>>;

/// The units of files: of all, or of those that are asked for.
pub(super) struct Locations<'a> {
    reader: &'a Reader,
    by_file: KeptFiles,
}

impl<'a> Locations<'a> {
    pub(super) fn new(reader: &'a Reader) -> Locations<'a> {
        Locations { reader, by_file: HashMap::new() }
    }

    /// Reads those of all files.
    pub(super) fn of_all(reader: &'a Reader) -> Result<Locations<'a>, StoreError> {
        let rows = reader.query_all(sql!("file_locations"), [], |row| {
            let language: String = row.get(2)?;
            Ok((row.get(0)?, Arc::new(FileUnit::new(row.get(1)?, &language))))
        })?;
        Ok(Locations { reader, by_file: rows.into_iter().collect() })
    }

    /// Returns the unit of a symbol's file, if it has one.
    fn of(&mut self, head: &Head) -> Result<Option<Arc<FileUnit>>, StoreError> {
        let Some(file) = head.file() else { return Ok(None) };
        match self.by_file.get(&file) {
            Some(found) => Ok(Some(found.clone())),
            None => self.reader.unit_of(file).map(Some),
        }
    }

    pub(super) fn identity(&mut self, row: &SymbolRow<'_>) -> Result<SymbolId, StoreError> {
        let repository = self.reader.repository();
        let file = self.of(&row.head)?;
        let location = file.as_ref().map(|file| (file.unit.as_str(), file.path.as_str()));
        let name = symbol_name_in(row.head.kind, location, row.scope, row.name);
        Ok(SymbolId::new(repository, name, row.head.kind, row.ordinal))
    }

    fn key(&mut self, row: &SymbolRow<'_>) -> Result<NodeKey, StoreError> {
        let SymbolRow { head, .. } = row;
        let identity = self.identity(row)?;
        Ok(NodeKey { id: head.node, identity, file: head.file(), kind: head.kind, is_test: head.is_test })
    }

    fn summary(&mut self, row: &SymbolRow<'_>) -> Result<NodeSummary, StoreError> {
        let NodeKey { id, identity, file, kind, is_test } = self.key(row)?;
        Ok(NodeSummary { node: id, identity, kind, file, is_test, name: row.name.to_owned() })
    }

    fn symbol(&mut self, row: &SymbolRow<'_>, (signature, doc): (&str, &str)) -> Result<Symbol, StoreError> {
        let SymbolRow { head, name, scope, span, ordinal } = *row;
        let repository = self.reader.repository();
        let file = self.of(&head)?;
        let location = file.as_ref().map(|file| (file.unit.as_str(), file.path.as_str()));
        let full_name = symbol_name_in(head.kind, location, scope, name);
        let span = match (head.kind, head.file()) {
            (SymbolKind::RouteHandler, Some(file)) => self.reader.span_of_route(file, name)?,
            _ => span,
        };
        Ok(Symbol {
            id: SymbolId::new(repository, full_name, head.kind, ordinal),
            node: head.node,
            kind: head.kind,
            name: name.to_owned(),
            scope: scope.to_owned(),
            qualified_name: full_name.qualified(repository),
            signature: full_signature(signature.to_owned(), name),
            file: location.map_or_else(String::new, |(_, path)| path.to_owned()),
            doc: doc.to_owned(),
            span,
            is_test: head.is_test,
            ordinal,
        })
    }
}

impl Reader {
    /// Returns the unit of a file.
    fn unit_of(&self, file: FileId) -> Result<Arc<FileUnit>, StoreError> {
        if let Some(found) = self.kept_files.borrow().get(&file) {
            return Ok(found.clone());
        }
        let found = self.query_optional(sql!("file_location"), [file], |row| {
            let language: String = row.get(1)?;
            Ok(Arc::new(FileUnit::new(row.get(0)?, &language)))
        })?;
        let unit = found.ok_or_else(|| self.damaged(format!("table files has no row {file}")))?;
        let mut kept = self.kept_files.borrow_mut();
        if kept.len() >= KEPT_FILES {
            kept.clear();
        }
        kept.insert(file, unit.clone());
        Ok(unit)
    }

    /// Returns the symbol of a node.
    ///
    /// # Errors
    /// When the database can't be read, as for every function of this file.
    pub fn symbol(&self, node: NodeId) -> Result<Option<Symbol>, StoreError> {
        let Some(block) = self.symbol_block(block_of(node))? else { return Ok(None) };
        let Some(row) = block.row(node) else { return Ok(None) };
        Locations::new(self).symbol(&row, self.details_of(&block, node)?).map(Some)
    }

    /// Returns the symbols of these nodes, in this order. Unknown nodes are skipped.
    pub fn symbols(&self, nodes: &[NodeId]) -> Result<Vec<Symbol>, StoreError> {
        let mut locations = Locations::new(self);
        let mut symbols: HashMap<NodeId, Symbol> = HashMap::with_capacity(nodes.len());
        self.for_each_row_of(nodes, |block, row| {
            let node = row.head.node;
            symbols.insert(node, locations.symbol(&row, self.details_of(block, node)?)?);
            Ok(())
        })?;
        Ok(nodes.iter().filter_map(|node| symbols.get(node).cloned()).collect())
    }

    /// Returns every symbol, sorted by file and position; symbols without a file come first. Unlike node ids, this
    /// order depends only on the repository's content.
    pub fn all_symbols(&self) -> Result<Vec<Symbol>, StoreError> {
        let mut locations = Locations::of_all(self)?;
        let mut symbols = Vec::new();
        self.for_each_symbol_block(|block| {
            for row in block.rows() {
                symbols.push(locations.symbol(&row, self.details_of(block, row.head.node)?)?);
            }
            Ok(())
        })?;
        symbols.sort_by(|one, two| {
            let places = one.file.cmp(&two.file).then_with(|| place(one).cmp(&place(two)));
            let names = || (&one.scope, &one.name, one.ordinal).cmp(&(&two.scope, &two.name, two.ordinal));
            places.then_with(names)
        });
        if self.is_snapshot {
            // A symbol's path is in another table.
            self.check_tables(&["files"])?;
        }
        Ok(symbols)
    }

    /// Returns the symbols of the file at `path`, in source order.
    pub fn symbols_of_file(&self, path: &str) -> Result<Vec<Symbol>, StoreError> {
        let Some(file) = self.file_id(path)? else { return Ok(Vec::new()) };
        let mut symbols = self.symbols(&self.nodes_of_file(file)?)?;
        symbols.sort_by(|one, two| {
            place(one).cmp(&place(two)).then_with(|| (&one.name, one.ordinal).cmp(&(&two.name, two.ordinal)))
        });
        Ok(symbols)
    }

    /// Returns the nodes of a file's symbols, routes included, sorted. File 0: symbols without a file.
    pub(super) fn nodes_of_file(&self, file: FileId) -> Result<Vec<NodeId>, StoreError> {
        let mut nodes: Vec<NodeId> = match self.is_snapshot {
            true => self.node_meta_of_file(file)?.rows.into_iter().map(|row| row.node).collect(),
            // Metadata is packed when the transaction ends.
            false => {
                let defined = self.file_nodes_blob(file)?.map(|blob| unpack_node_ids(&blob)).transpose()?;
                defined.into_iter().flatten().chain(self.fileless_of(file)?).collect()
            }
        };
        nodes.sort_unstable();
        Ok(nodes)
    }

    /// Returns the symbols named `name`, ignoring case and without externals.
    pub fn symbols_named(&self, name: &str, limit: usize) -> Result<Vec<Symbol>, StoreError> {
        self.symbols(&self.nodes_named(name, limit)?)
    }

    /// Returns the nodes named `name`, ignoring case and without externals.
    pub fn nodes_named(&self, name: &str, limit: usize) -> Result<Vec<NodeId>, StoreError> {
        let nodes: Vec<NodeId> = self.names_equal(name)?.into_iter().flat_map(|(_, nodes)| nodes).collect();
        self.first_of(&nodes, limit, |head| (head.is_test, head.kind as u8))
    }

    /// Returns the symbols of a kind without a file, such as a flag, that are named `name`, ignoring case; the same case first.
    pub fn symbols_outside(&self, kind: SymbolKind, name: &str) -> Result<Vec<Symbol>, StoreError> {
        let mut names = self.names_equal(name)?;
        names.sort_by(|(one, _), (two, _)| (one != name, one).cmp(&(two != name, two)));
        let mut nodes = Vec::new();
        for (_, of_name) in names {
            let heads = self.heads_of(&of_name)?.into_iter();
            nodes.extend(heads.filter(|head| head.kind == kind && head.file().is_none()).map(|head| head.node));
        }
        self.symbols(&nodes)
    }

    /// Returns the nodes named `name`, case-sensitively and without externals.
    pub fn nodes_named_exactly(&self, name: &str, limit: usize) -> Result<Vec<NodeId>, StoreError> {
        self.first_of(&self.nodes_of_name(name)?, limit, |head| (head.is_test, head.kind as u8))
    }

    /// Returns the members `name` of types named `container`, case-sensitively.
    pub fn members_named(&self, container: &str, name: &str, limit: usize) -> Result<Vec<NodeId>, StoreError> {
        let is_in = |scope: &str| {
            scope.strip_suffix(container).is_some_and(|before| before.is_empty() || before.ends_with('.'))
        };
        let mut nodes = Vec::new();
        self.for_each_row_of(&self.nodes_of_name(name)?, |_, row| {
            nodes.extend(is_in(row.scope).then_some(row.head.node));
            Ok(())
        })?;
        self.first_of(&nodes, limit, |head| (head.is_test, head.kind as u8))
    }

    /// Returns the first of these nodes that have a file, by `key`, path and position.
    fn first_of<K: Ord>(
        &self,
        nodes: &[NodeId],
        limit: usize,
        key: impl Fn(&Head) -> K,
    ) -> Result<Vec<NodeId>, StoreError> {
        let mut locations = Locations::new(self);
        let mut found: BTreeMap<(K, FilePath), Vec<NodeId>> = BTreeMap::new();
        for head in self.heads_of(nodes)? {
            if let Some(file) = locations.of(&head)? {
                found.entry((key(&head), FilePath(file))).or_default().push(head.node);
            }
        }
        let mut first = Vec::new();
        for nodes in found.into_values() {
            if first.len() >= limit {
                break;
            }
            let mut of_file = Vec::with_capacity(nodes.len());
            if nodes.len() > 1 {
                self.for_each_row_of(&nodes, |_, row| {
                    of_file.push((row.span.start_byte, row.ordinal, row.head.node));
                    Ok(())
                })?;
                of_file.sort_by_key(|(start_byte, ordinal, _)| (*start_byte, *ordinal));
                first.extend(of_file.into_iter().map(|(.., node)| node));
            } else {
                first.extend(nodes);
            }
        }
        first.truncate(limit);
        Ok(first)
    }

    /// Returns the nodes whose name starts with `prefix`, ignoring case, shortest names first.
    pub fn nodes_with_prefix(&self, prefix: &str, limit: usize) -> Result<Vec<NodeId>, StoreError> {
        self.shortest_of(self.names_beginning(prefix)?, limit)
    }

    /// Returns the first nodes that have a file: those of the shortest names, and then by `is_test`, name and place.
    fn shortest_of(&self, names: Vec<(String, Vec<NodeId>)>, limit: usize) -> Result<Vec<NodeId>, StoreError> {
        let mut by_length: BTreeMap<usize, Vec<(String, Vec<NodeId>)>> = BTreeMap::new();
        for (name, nodes) in names {
            by_length.entry(name.chars().count()).or_default().push((name, nodes));
        }
        let mut first = Vec::new();
        for names in by_length.into_values() {
            if first.len() >= limit {
                break;
            }
            let mut folded_names: HashMap<NodeId, String> = HashMap::new();
            for (name, nodes) in &names {
                folded_names.extend(nodes.iter().map(|node| (*node, folded(name))));
            }
            let nodes: Vec<NodeId> = folded_names.keys().copied().collect();
            let key = |head: &Head| (head.is_test, folded_names.get(&head.node).cloned(), head.kind as u8);
            first.extend(self.first_of(&nodes, limit - first.len(), key)?);
        }
        Ok(first)
    }

    /// Returns the names that start with `prefix`, ignoring case, each with its number of symbols.
    pub fn names_with_prefix(&self, prefix: &str) -> Result<Vec<(String, u32)>, StoreError> {
        let names = self.names_beginning(prefix)?;
        let nodes: Vec<NodeId> = names.iter().flat_map(|(_, nodes)| nodes).copied().collect();
        let with_file: HashSet<NodeId> =
            self.heads_of(&nodes)?.into_iter().filter(|head| head.file().is_some()).map(|head| head.node).collect();
        let count = |nodes: &[NodeId]| nodes.iter().filter(|node| with_file.contains(node)).count() as u32;
        let counted = names.into_iter().map(|(name, nodes)| (name, count(&nodes)));
        Ok(counted.filter(|(_, count)| *count > 0).collect())
    }

    /// Returns the nodes whose name contains `part`, ignoring case, shortest names first. Reads every name.
    pub fn nodes_containing(&self, part: &str, limit: usize) -> Result<Vec<NodeId>, StoreError> {
        let part = folded(part);
        let (mut names, mut fold) = (Vec::new(), String::new());
        self.for_each_named(|name, nodes| {
            fold.clear();
            fold.push_str(name);
            fold.make_ascii_lowercase();
            if fold.contains(&part) {
                names.push((name.to_owned(), nodes.to_vec()));
            }
        })?;
        self.shortest_of(names, limit)
    }

    /// Returns the summary of every node, sorted by node id.
    pub fn node_summaries(&self) -> Result<Vec<NodeSummary>, StoreError> {
        let (mut locations, mut summaries) = (Locations::of_all(self)?, Vec::new());
        self.for_each_symbol_block(|block| {
            block.rows().try_for_each(|row| locations.summary(&row).map(|summary| summaries.push(summary)))
        })?;
        Ok(summaries)
    }

    /// Returns the summary of a node.
    pub fn node_summary(&self, node: NodeId) -> Result<Option<NodeSummary>, StoreError> {
        let Some(block) = self.symbol_block(block_of(node))? else { return Ok(None) };
        block.row(node).map(|row| Locations::new(self).summary(&row)).transpose()
    }

    /// Returns the summaries of the nodes named `name`, case-sensitively.
    pub fn node_summaries_named(&self, name: &str) -> Result<Vec<NodeSummary>, StoreError> {
        self.summaries_of(&self.nodes_of_name(name)?)
    }

    fn summaries_of(&self, nodes: &[NodeId]) -> Result<Vec<NodeSummary>, StoreError> {
        let (mut locations, mut summaries) = (Locations::new(self), Vec::new());
        self.for_each_row_of(nodes, |_, row| locations.summary(&row).map(|summary| summaries.push(summary)))?;
        Ok(summaries)
    }

    /// Calls `visit` with every name, those that differ in case alone in any order.
    pub fn for_each_name(&self, mut visit: impl FnMut(&str)) -> Result<(), StoreError> {
        self.for_each_named(|name, _| visit(name))
    }

    /// Returns the key of every node, sorted by node id.
    pub fn node_keys(&self) -> Result<Vec<NodeKey>, StoreError> {
        let (mut locations, mut keys) = (Locations::of_all(self)?, Vec::new());
        self.for_each_symbol_block(|block| {
            block.rows().try_for_each(|row| locations.key(&row).map(|key| keys.push(key)))
        })?;
        Ok(keys)
    }

    /// Returns the keys of a file's symbols, sorted by node id. File 0: symbols without a file.
    pub fn node_keys_of_file(&self, file: FileId) -> Result<Vec<NodeKey>, StoreError> {
        let (mut locations, mut keys) = (Locations::new(self), Vec::new());
        let nodes = self.nodes_of_file(file)?;
        self.for_each_row_of(&nodes, |_, row| locations.key(&row).map(|key| keys.push(key)))?;
        Ok(keys)
    }

    /// Returns the identity of a node.
    pub fn symbol_id(&self, node: NodeId) -> Result<Option<SymbolId>, StoreError> {
        let Some(block) = self.symbol_block(block_of(node))? else { return Ok(None) };
        block.row(node).map(|row| Locations::new(self).identity(&row)).transpose()
    }

    /// Returns node and identity of a file's own symbol and its definitions, without routes.
    pub fn identities_of_file(&self, file: FileId) -> Result<Vec<(NodeId, SymbolId)>, StoreError> {
        let keys = self.node_keys_of_file(file)?.into_iter();
        Ok(keys.filter(|key| key.kind != SymbolKind::RouteHandler).map(|key| (key.id, key.identity)).collect())
    }

    /// Returns node, first line and last line of each definition of a file, without routes, in source order.
    pub fn lines_of_file(&self, file: FileId) -> Result<Vec<(NodeId, u32, u32)>, StoreError> {
        let mut rows = Vec::new();
        self.for_each_row_of(&self.nodes_of_file(file)?, |_, row| {
            if ![SymbolKind::File, SymbolKind::RouteHandler].contains(&row.head.kind) {
                rows.push((row.head.node, row.span, row.ordinal));
            }
            Ok(())
        })?;
        rows.sort_by_key(|(_, span, ordinal)| (span.start_byte, Reverse(span.end_byte), *ordinal));
        Ok(rows.into_iter().map(|(node, span, _)| (node, span.start_line, span.end_line)).collect())
    }

    /// Returns the nodes without a definition: externals, routes, packages and the like.
    pub fn fileless_nodes(&self) -> Result<Vec<FilelessNodeRow>, StoreError> {
        let mut rows = Vec::new();
        self.for_each_row_of(&self.all_fileless()?, |_, row| {
            let SymbolRow { head, name, scope, .. } = row;
            rows.push(FilelessNodeRow {
                id: head.node,
                kind: head.kind,
                file: head.file(),
                scope: scope.to_owned(),
                name: name.to_owned(),
            });
            Ok(())
        })?;
        Ok(rows)
    }

    /// Returns the ids of all nodes, sorted; all are below [`Reader::node_capacity`].
    pub fn node_ids(&self) -> Result<Vec<NodeId>, StoreError> {
        let mut ids = Vec::new();
        self.for_each_head(|head| ids.push(head.node))?;
        Ok(ids)
    }

    /// Returns a description of the node ids if they are sparse: arrays that are indexed by node would have more gaps
    /// than values.
    pub fn sparse_node_ids(&self) -> Result<Option<String>, StoreError> {
        let mut count = 0;
        self.for_each_head(|_| count += 1)?;
        let last = self.node_capacity()?.saturating_sub(1);
        let is_sparse = are_sparse(last, count);
        Ok(is_sparse.then(|| format!("node numbers go up to {last} for {count} symbols")))
    }

    /// Returns whether the node ids are sparse, by the number of symbols that the last run stored. Does not count them.
    pub fn has_sparse_node_ids(&self) -> Result<bool, StoreError> {
        Ok(are_sparse(self.node_capacity()?.saturating_sub(1), self.symbol_count()?))
    }

    /// Returns the file of a symbol; `None` if it has none, or there is no such symbol.
    pub fn file_of_node(&self, node: NodeId) -> Result<Option<FileId>, StoreError> {
        Ok(self.head(node)?.and_then(|head| head.file()))
    }

    /// Returns the names of a symbol that has a file.
    pub fn scoped_name(&self, node: NodeId) -> Result<Option<ScopedName>, StoreError> {
        let Some(block) = self.symbol_block(block_of(node))? else { return Ok(None) };
        let Some(row) = block.row(node).filter(|row| row.head.file().is_some()) else { return Ok(None) };
        let (signature, _) = self.details_of(&block, node)?;
        let modifiers = signature.split_once(super::rows::NAME).map_or("", |(before, _)| before);
        Ok(Some(ScopedName {
            scope: row.scope.to_owned(),
            name: row.name.to_owned(),
            lines: row.span.end_line - row.span.start_line,
            modifiers: modifiers.to_owned(),
        }))
    }

    /// Reports identities that several symbols have.
    pub(super) fn check_identities(&self) -> Result<Vec<String>, StoreError> {
        let (mut locations, mut identities) = (Locations::of_all(self)?, Vec::new());
        self.for_each_symbol_block(|block| {
            block.rows().try_for_each(|row| locations.identity(&row).map(|identity| identities.push(identity)))
        })?;
        identities.sort_unstable();
        let groups = identities.chunk_by(|one, two| one == two).filter(|group| group.len() > 1);
        Ok(groups.map(|group| format!("identity {} belongs to {} symbols", group[0].hex(), group.len())).collect())
    }

    /// Reports symbols without search text and search text without a symbol.
    pub(super) fn check_search_rows(&self) -> Result<Vec<String>, StoreError> {
        let searched: Vec<NodeId> = self.query_all(sql!("search_nodes"), [], |row| row.get(0))?;
        let (mut known, mut problems) = (HashSet::new(), Vec::new());
        self.for_each_symbol_block(|block| {
            for SymbolRow { head, name, .. } in block.rows() {
                known.insert(head.node);
                if head.kind != SymbolKind::External && searched.binary_search(&head.node).is_err() {
                    problems.push(format!("symbol {} ({name}) has no search text", head.node));
                }
            }
            Ok(())
        })?;
        let without = searched.iter().filter(|node| !known.contains(node));
        problems.extend(without.map(|node| format!("search row {node} belongs to no symbol")));
        Ok(problems)
    }
}

/// Returns the place of a symbol in its file: the outer ones come first.
fn place(symbol: &Symbol) -> (u32, Reverse<u32>, u8) {
    (symbol.span.start_byte, Reverse(symbol.span.end_byte), symbol.kind as u8)
}

fn are_sparse(last: u32, count: u64) -> bool {
    u64::from(last) > 2 * count + 1_000
}
