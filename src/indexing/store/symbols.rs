//! Symbols by node id, name, path and file.

use rusqlite::Row;

use super::checksum::RowHasher;
use super::digest::Tally;
use super::error::{SqlContext, StoreError};
use super::read::{Reader, bad_column};
use super::rows::{FilelessNodeRow, NODES, NodeKey, full_signature};
use crate::model::{FileId, NodeId, Span, Symbol, SymbolId, SymbolKind};

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

impl Reader {
    /// Returns the symbol of a node.
    ///
    /// # Errors
    /// When the database can't be read, as for every function of this file.
    pub fn symbol(&self, node: NodeId) -> Result<Option<Symbol>, StoreError> {
        self.query_optional(sql!("symbol"), [node], |row| self.read_symbol(row))
    }

    /// Returns the symbols of these nodes, in this order. Unknown nodes are skipped.
    pub fn symbols(&self, nodes: &[NodeId]) -> Result<Vec<Symbol>, StoreError> {
        nodes.iter().filter_map(|&node| self.symbol(node).transpose()).collect()
    }

    /// Returns every symbol, sorted by file and position; symbols without a file come first. Unlike node ids, this
    /// order depends only on the repository's content.
    pub fn all_symbols(&self) -> Result<Vec<Symbol>, StoreError> {
        let (mut tally, mut hasher) = (Tally::default(), RowHasher::new(NODES));
        let symbols = self.query_all(sql!("all_symbols"), [], |row| {
            [0, CHECKSUM].into_iter().try_for_each(|column| row.get_ref(column).map(|value| hasher.add(value)))?;
            tally.add(hasher.finish());
            self.read_symbol(row)
        })?;
        self.check_loaded(NODES, tally)?;
        if self.is_snapshot {
            // A symbol's path is in another table.
            self.check_tables(&["files"])?;
        }
        Ok(symbols)
    }

    /// Returns the symbols of the file at `path`, in source order.
    pub fn symbols_of_file(&self, path: &str) -> Result<Vec<Symbol>, StoreError> {
        self.query_all(sql!("symbols_of_file"), [path], |row| self.read_symbol(row))
    }

    /// Returns the symbols named `name`, ignoring case and without externals.
    pub fn symbols_named(&self, name: &str, limit: usize) -> Result<Vec<Symbol>, StoreError> {
        self.symbols(&self.nodes_named(name, limit)?)
    }

    /// Returns the nodes named `name`, ignoring case and without externals.
    pub fn nodes_named(&self, name: &str, limit: usize) -> Result<Vec<NodeId>, StoreError> {
        self.query_all(sql!("nodes_named"), (name, limit as i64), |row| row.get(0))
    }

    /// Returns the symbols of a kind without a file, such as a flag, that are named `name`, ignoring case; the same case first.
    pub fn symbols_outside(&self, kind: SymbolKind, name: &str) -> Result<Vec<Symbol>, StoreError> {
        self.symbols(&self.query_all(sql!("nodes_outside"), (kind as u8, name), |row| row.get(0))?)
    }

    /// Returns the nodes named `name`, case-sensitively and without externals.
    pub fn nodes_named_exactly(&self, name: &str, limit: usize) -> Result<Vec<NodeId>, StoreError> {
        self.query_all(sql!("nodes_named_exactly"), (name, limit as i64), |row| row.get(0))
    }

    /// Returns the members `name` of types named `container`, case-sensitively.
    pub fn members_named(&self, container: &str, name: &str, limit: usize) -> Result<Vec<NodeId>, StoreError> {
        self.query_all(sql!("members_named"), (container, name, limit as i64), |row| row.get(0))
    }

    /// Returns the nodes whose name starts with `prefix`, ignoring case, shortest names first.
    pub fn nodes_with_prefix(&self, prefix: &str, limit: usize) -> Result<Vec<NodeId>, StoreError> {
        let upper_bound = format!("{prefix}\u{10ffff}");
        self.query_all(sql!("nodes_with_prefix"), (prefix, limit as i64, upper_bound), |row| row.get(0))
    }

    /// Returns the names that start with `prefix`, ignoring case, each with its number of symbols.
    pub fn names_with_prefix(&self, prefix: &str) -> Result<Vec<(String, u32)>, StoreError> {
        let upper_bound = format!("{prefix}\u{10ffff}");
        self.query_all(sql!("names_with_prefix"), (prefix, upper_bound), |row| Ok((row.get(0)?, row.get(1)?)))
    }

    /// Returns the nodes whose name contains `part`, ignoring case, shortest names first. Reads every name.
    pub fn nodes_containing(&self, part: &str, limit: usize) -> Result<Vec<NodeId>, StoreError> {
        let mut pattern = String::from("%");
        for letter in part.chars() {
            pattern.extend(['%', '_', '\\'].contains(&letter).then_some('\\'));
            pattern.push(letter);
        }
        pattern.push('%');
        self.query_all(sql!("nodes_containing"), (pattern, limit as i64), |row| row.get(0))
    }

    /// Returns the summary of every node, sorted by node id.
    pub fn node_summaries(&self) -> Result<Vec<NodeSummary>, StoreError> {
        self.query_all(sql!("node_summaries"), [], read_summary)
    }

    /// Returns the summary of a node.
    pub fn node_summary(&self, node: NodeId) -> Result<Option<NodeSummary>, StoreError> {
        self.query_optional(sql!("node_summary"), [node], read_summary)
    }

    /// Returns the summaries of the nodes named `name`, case-sensitively.
    pub fn node_summaries_named(&self, name: &str) -> Result<Vec<NodeSummary>, StoreError> {
        self.query_all(sql!("node_summaries_named"), [name], read_summary)
    }

    /// Calls `visit` with every name, those that differ in case alone in any order.
    pub fn for_each_name(&self, mut visit: impl FnMut(&str)) -> Result<(), StoreError> {
        let mut statement = self.connection.prepare_cached(sql!("node_names")).at(&self.path)?;
        let mut rows = statement.query([]).at(&self.path)?;
        let mut last = String::new();
        while let Some(row) = rows.next().at(&self.path)? {
            let name = row.get_ref(0).at(&self.path)?.as_str().unwrap_or_default();
            if name != last {
                visit(name);
                name.clone_into(&mut last);
            }
        }
        Ok(())
    }

    /// Returns the key of every node, sorted by node id.
    pub fn node_keys(&self) -> Result<Vec<NodeKey>, StoreError> {
        self.query_all(sql!("node_keys"), [], read_key)
    }

    /// Returns the keys of a file's symbols, sorted by node id.
    pub fn node_keys_of_file(&self, file: FileId) -> Result<Vec<NodeKey>, StoreError> {
        self.query_all(sql!("node_keys_of_file"), [file], read_key)
    }

    /// Returns the keys of symbols without a file, sorted by node id.
    pub fn node_keys_fileless(&self) -> Result<Vec<NodeKey>, StoreError> {
        self.query_all(sql!("node_keys_fileless"), [], read_key)
    }

    /// Returns the identity of a node.
    pub fn symbol_id(&self, node: NodeId) -> Result<Option<SymbolId>, StoreError> {
        self.query_optional(sql!("symbol_id"), [node], |row| row.get(0).map(SymbolId))
    }

    /// Returns node and identity of a file's own symbol and its definitions, without routes.
    pub fn identities_of_file(&self, file: FileId) -> Result<Vec<(NodeId, SymbolId)>, StoreError> {
        self.query_all(sql!("identities_of_file"), [file], |row| Ok((row.get(0)?, SymbolId(row.get(1)?))))
    }

    /// Returns the nodes without a definition: externals, routes, packages and the like.
    pub fn fileless_nodes(&self) -> Result<Vec<FilelessNodeRow>, StoreError> {
        self.query_all(sql!("fileless_nodes"), [], |row| {
            Ok(FilelessNodeRow {
                id: row.get(0)?,
                kind: read_kind(row, 1)?,
                file: row.get(2)?,
                scope: row.get(3)?,
                name: row.get(4)?,
            })
        })
    }

    /// Returns the ids of all nodes, in unspecified order; all are below [`Reader::node_capacity`].
    pub fn node_ids(&self) -> Result<Vec<NodeId>, StoreError> {
        let (capacity, ids) = (self.node_capacity()?, self.query_all(sql!("node_ids"), [], |row| row.get(0))?);
        // The largest id is read from the end of the table, whose rows can be in disorder.
        if ids.iter().any(|id: &NodeId| id.get() >= capacity) {
            let detail = "node ids are in disorder".to_owned();
            return Err(StoreError::Damaged { path: self.path().to_owned(), detail });
        }
        Ok(ids)
    }

    /// Returns the largest node id plus one: the length of an array indexed by node.
    pub fn node_capacity(&self) -> Result<u32, StoreError> {
        let capacity: i64 = self.query_one(sql!("node_capacity"), [], |row| row.get(0))?;
        u32::try_from(capacity).ok().filter(|capacity| *capacity <= MAX_NODES).ok_or_else(|| {
            let detail = "a node id is out of range".to_owned();
            StoreError::Damaged { path: self.path().to_owned(), detail }
        })
    }

    /// Returns a description of the node ids if they are sparse: arrays that are indexed by node would have more gaps
    /// than values.
    pub fn sparse_node_ids(&self) -> Result<Option<String>, StoreError> {
        self.query_optional(sql!("check_density"), [], |row| row.get(0))
    }

    /// Returns whether the node ids of the committed state are sparse. Does not count them.
    pub fn has_sparse_node_ids(&self) -> Result<bool, StoreError> {
        self.query_one(sql!("is_sparse"), [], |row| row.get(0))
    }

    /// Returns the file of a symbol; `None` if it has none, or there is no such symbol.
    pub fn file_of_node(&self, node: NodeId) -> Result<Option<FileId>, StoreError> {
        let file = self.query_optional(sql!("file_of_node"), [node], |row| row.get::<_, FileId>(0))?;
        Ok(file.filter(|file| file.get() != 0))
    }

    /// Returns the names of a symbol that has a file.
    pub fn scoped_name(&self, node: NodeId) -> Result<Option<ScopedName>, StoreError> {
        self.query_optional(sql!("scoped_name"), [node], |row| {
            Ok(ScopedName { scope: row.get(0)?, name: row.get(1)?, lines: row.get(2)?, modifiers: row.get(3)? })
        })
    }

    fn read_symbol(&self, row: &Row<'_>) -> rusqlite::Result<Symbol> {
        check_node(row)?;
        let (scope, name): (String, String) = (row.get(4)?, row.get(3)?);
        let file: Option<String> = row.get(5)?;
        let language: Option<String> = row.get(6)?;
        let kind = read_kind(row, 2)?;
        let start_byte: u32 = row.get(9)?;
        let start_line: u32 = row.get(11)?;
        let signature = full_signature(row.get(7)?, &name);
        let location = language.as_deref().zip(file.as_deref());
        let qualified_name =
            crate::lang::packages::symbol_name(kind, location, &scope, &name).qualified(self.repository());
        Ok(Symbol {
            id: SymbolId(row.get(1)?),
            node: row.get(0)?,
            kind,
            name,
            scope,
            qualified_name,
            signature,
            file: file.unwrap_or_default(),
            doc: row.get(8)?,
            span: Span {
                start_byte,
                end_byte: start_byte.saturating_add(row.get(10)?),
                start_line,
                end_line: start_line.saturating_add(row.get(12)?),
                name_line: row.get(13)?,
            },
            is_test: row.get(14)?,
            ordinal: row.get(15)?,
        })
    }
}

/// The checksum's column in `symbol.sql`.
const CHECKSUM: usize = 17;

/// Verifies the checksum of a row of `nodes`. Its columns are those of `symbol.sql`.
fn check_node(row: &Row<'_>) -> rusqlite::Result<()> {
    /// Columns of `nodes` in the order of [`NodeRow::checksum`](super::rows::NodeRow::checksum).
    const COLUMNS: [usize; 15] = [0, 1, 16, 2, 3, 4, 7, 8, 9, 10, 11, 12, 13, 14, 15];
    let mut hasher = RowHasher::new(NODES);
    COLUMNS.into_iter().try_for_each(|column| row.get_ref(column).map(|value| hasher.add(value)))?;
    match row.get::<_, i64>(CHECKSUM)? == hasher.finish_short() {
        true => Ok(()),
        false => Err(bad_column(CHECKSUM, "a checksum in table nodes does not match")),
    }
}

fn read_summary(row: &Row<'_>) -> rusqlite::Result<NodeSummary> {
    Ok(NodeSummary {
        node: row.get(0)?,
        identity: SymbolId(row.get(1)?),
        kind: read_kind(row, 2)?,
        file: row.get(3)?,
        is_test: row.get(4)?,
        name: row.get(5)?,
    })
}

fn read_key(row: &Row<'_>) -> rusqlite::Result<NodeKey> {
    Ok(NodeKey {
        id: row.get(0)?,
        identity: SymbolId(row.get(1)?),
        file: row.get(2)?,
        kind: read_kind(row, 3)?,
        is_test: row.get(4)?,
    })
}

pub(super) fn read_kind(row: &Row<'_>, column: usize) -> rusqlite::Result<SymbolKind> {
    SymbolKind::from_number(row.get(column)?).ok_or_else(|| bad_column(column, "unknown symbol kind"))
}
