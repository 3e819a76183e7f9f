//! Symbols by number, name, path and file.

use rusqlite::Row;

use super::error::StoreError;
use super::read::{Reader, bad_column};
use super::rows::{NodeKey, TailRow};
use crate::model::{Span, Symbol, SymbolId, SymbolKind};

/// No index has a node of this number: fifty times as many symbols as the largest open repositories have. Arrays are as
/// long as the greatest number says, so that one in a damaged or forged file must not decide about the memory.
pub const MOST_NODES: u32 = 1 << 26;

/// The part of a node that ranking holds in memory for all of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeHead {
    pub node: u32,
    pub identity: SymbolId,
    pub kind: SymbolKind,
    /// Id of its file; `None` for externals and the like.
    pub file: Option<u32>,
    pub is_test: bool,
    pub name: String,
}

impl Reader {
    /// The symbol with this number.
    ///
    /// # Errors
    /// When the database can't be read; likewise for every function here.
    pub fn symbol(&self, node: u32) -> Result<Option<Symbol>, StoreError> {
        self.maybe(sql!("symbol"), [node], |row| self.read_symbol(row))
    }

    /// The symbols with these numbers, in this order; numbers without a symbol are left out.
    pub fn symbols(&self, nodes: &[u32]) -> Result<Vec<Symbol>, StoreError> {
        nodes.iter().filter_map(|&node| self.symbol(node).transpose()).collect()
    }

    /// Every symbol, by file and place in it; what belongs to no file comes first. The order depends only on the
    /// repository's content, unlike the numbers.
    pub fn all_symbols(&self) -> Result<Vec<Symbol>, StoreError> {
        self.rows(sql!("all_symbols"), [], |row| self.read_symbol(row))
    }

    /// The symbols of the file at `path`, in the order of the source.
    pub fn symbols_of_file(&self, path: &str) -> Result<Vec<Symbol>, StoreError> {
        self.rows(sql!("symbols_of_file"), [path], |row| self.read_symbol(row))
    }

    /// Symbols called exactly `name`, in any case; not those outside the repository.
    pub fn symbols_named(&self, name: &str, limit: usize) -> Result<Vec<Symbol>, StoreError> {
        self.symbols(&self.nodes_named(name, limit)?)
    }

    /// Numbers of the symbols called exactly `name`, in any case; not those outside the repository.
    pub fn nodes_named(&self, name: &str, limit: usize) -> Result<Vec<u32>, StoreError> {
        self.rows(sql!("nodes_named"), (name, limit as i64), |row| row.get(0))
    }

    /// Numbers of the symbols called exactly `name`, in this very case; not those outside the repository.
    pub fn nodes_named_exactly(&self, name: &str, limit: usize) -> Result<Vec<u32>, StoreError> {
        self.rows(sql!("nodes_named_exactly"), (name, limit as i64), |row| row.get(0))
    }

    /// Numbers of the members `name` that types called `container` define. The case counts.
    pub fn members_named(&self, container: &str, name: &str, limit: usize) -> Result<Vec<u32>, StoreError> {
        self.rows(sql!("members_named"), (container, name, limit as i64), |row| row.get(0))
    }

    /// Numbers of the symbols whose name begins with `prefix`, in any case, shortest names first.
    pub fn nodes_with_prefix(&self, prefix: &str, limit: usize) -> Result<Vec<u32>, StoreError> {
        let beyond = format!("{prefix}\u{10ffff}");
        self.rows(sql!("nodes_with_prefix"), (prefix, limit as i64, beyond), |row| row.get(0))
    }

    /// Numbers of the symbols whose name contains `part`, in any case, shortest names first. Reads every name.
    pub fn nodes_containing(&self, part: &str, limit: usize) -> Result<Vec<u32>, StoreError> {
        self.rows(sql!("nodes_containing"), (part, limit as i64), |row| row.get(0))
    }

    /// The head of every node, by number.
    pub fn node_heads(&self) -> Result<Vec<NodeHead>, StoreError> {
        self.rows(sql!("node_heads"), [], |row| {
            Ok(NodeHead {
                node: row.get(0)?,
                identity: SymbolId(row.get(1)?),
                kind: read_kind(row, 2)?,
                file: row.get(3)?,
                is_test: row.get(4)?,
                name: row.get(5)?,
            })
        })
    }

    /// What the index links by, of every node, by number.
    pub fn node_keys(&self) -> Result<Vec<NodeKey>, StoreError> {
        self.rows(sql!("node_keys"), [], read_key)
    }

    /// What the index links by, of every symbol of a file, by number.
    pub fn node_keys_of(&self, file: u32) -> Result<Vec<NodeKey>, StoreError> {
        self.rows(sql!("node_keys_of"), [file], read_key)
    }

    /// What the index links by, of every symbol without a file, by number.
    pub fn node_keys_outside(&self) -> Result<Vec<NodeKey>, StoreError> {
        self.rows(sql!("node_keys_outside"), [], read_key)
    }

    /// The identity of a node.
    pub fn identity_of(&self, node: u32) -> Result<Option<SymbolId>, StoreError> {
        self.maybe(sql!("identity_of"), [node], |row| row.get(0).map(SymbolId))
    }

    /// Number and identity of a file's symbol and its definitions, routes left out.
    pub fn identities_of_file(&self, file: u32) -> Result<Vec<(u32, SymbolId)>, StoreError> {
        self.rows(sql!("identities_of_file"), [file], |row| Ok((row.get(0)?, SymbolId(row.get(1)?))))
    }

    /// The symbols that exist because an edge or a folder needs them: externals, routes, packages and the like.
    pub fn tail_nodes(&self) -> Result<Vec<TailRow>, StoreError> {
        self.rows(sql!("tail_nodes"), [], |row| {
            Ok(TailRow {
                id: row.get(0)?,
                kind: read_kind(row, 1)?,
                file: row.get(2)?,
                scope: row.get(3)?,
                name: row.get(4)?,
            })
        })
    }

    /// The numbers of all nodes, in no order that means anything.
    pub fn node_ids(&self) -> Result<Vec<u32>, StoreError> {
        self.rows(sql!("node_ids"), [], |row| row.get(0))
    }

    /// One more than the greatest node number: the length of an array over nodes.
    pub fn node_capacity(&self) -> Result<u32, StoreError> {
        let capacity: i64 = self.one(sql!("node_capacity"), [], |row| row.get(0))?;
        u32::try_from(capacity).ok().filter(|capacity| *capacity <= MOST_NODES).ok_or_else(|| {
            let detail = "the number of a symbol is out of range".to_owned();
            StoreError::Damaged { path: self.path().to_owned(), detail }
        })
    }

    fn read_symbol(&self, row: &Row<'_>) -> rusqlite::Result<Symbol> {
        let (scope, name): (String, String) = (row.get(4)?, row.get(3)?);
        let file: Option<String> = row.get(5)?;
        let language: Option<String> = row.get(6)?;
        let kind = read_kind(row, 2)?;
        let start_byte: u32 = row.get(9)?;
        let start_line: u32 = row.get(11)?;
        let place = language.as_deref().zip(file.as_deref());
        let qualified_name =
            crate::lang::packages::symbol_name(kind, place, &scope, &name).qualified(self.repository());
        Ok(Symbol {
            id: SymbolId(row.get(1)?),
            node: row.get(0)?,
            kind,
            name,
            scope,
            qualified_name,
            file: file.unwrap_or_default(),
            signature: row.get(7)?,
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
    SymbolKind::from_number(row.get(column)?).ok_or_else(|| bad_column(column, "an unknown kind of symbol"))
}
