//! Counts over the whole index.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;

use super::error::StoreError;
use super::read::Reader;
use super::rows::SnapshotRow;
use super::write::Writer;
use crate::model::{EdgeType, SymbolKind};

/// Keys of the counts in `meta`; see [`Writer::put_counts`].
const SYMBOL_COUNTS: &str = "symbol_counts";
const EDGE_COUNTS: &str = "edge_counts";

impl Writer {
    /// Stores the numbers of symbols and edges for [`Reader::stats`].
    ///
    /// # Errors
    /// When the database can't be written.
    pub fn put_counts(
        &mut self,
        symbols: &BTreeMap<SymbolKind, u64>,
        edges: &BTreeMap<EdgeType, u64>,
    ) -> Result<(), StoreError> {
        let symbols: Vec<(&SymbolKind, &u64)> = symbols.iter().collect();
        let edges: Vec<(&EdgeType, &u64)> = edges.iter().collect();
        self.set_meta(SYMBOL_COUNTS, &serde_json::to_string(&symbols).unwrap_or_default())?;
        self.set_meta(EDGE_COUNTS, &serde_json::to_string(&edges).unwrap_or_default())
    }
}

impl Writer {
    /// Adds to the stored counts; see [`Writer::put_counts`].
    ///
    /// # Errors
    /// When the database can't be read or written.
    pub fn change_counts(
        &mut self,
        symbols: &BTreeMap<SymbolKind, i64>,
        edges: &BTreeMap<EdgeType, i64>,
    ) -> Result<(), StoreError> {
        let symbols = apply_changes(self.reader().symbol_counts()?, symbols);
        let edges = apply_changes(self.reader().edge_counts()?, edges);
        self.put_counts(&symbols, &edges)
    }
}

/// Returns the counts after changes, without zeros.
fn apply_changes<K: Ord + Copy>(counts: Vec<(K, u64)>, changes: &BTreeMap<K, i64>) -> BTreeMap<K, u64> {
    let mut counts: BTreeMap<K, u64> = counts.into_iter().collect();
    for (&key, &change) in changes {
        let count = counts.entry(key).or_insert(0);
        *count = count.saturating_add_signed(change);
    }
    counts.retain(|_, count| *count > 0);
    counts
}

/// Counts of an index.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Stats {
    /// Language, number of files and bytes of source, sorted by language.
    pub languages: Vec<(String, u64, u64)>,
    /// Number of symbols by kind.
    pub symbols: Vec<(SymbolKind, u64)>,
    /// Number of edges by type.
    pub edges: Vec<(EdgeType, u64)>,
    /// Number of skipped files by reason.
    pub skips: Vec<(String, u64)>,
    /// Size of the database file in bytes.
    pub database_bytes: u64,
}

impl Stats {
    /// Returns the number of symbols.
    pub fn symbol_count(&self) -> u64 {
        self.symbols.iter().map(|(_, count)| count).sum()
    }

    /// Returns the number of edges.
    pub fn edge_count(&self) -> u64 {
        self.edges.iter().map(|(_, count)| count).sum()
    }

    /// Returns the number of indexed files.
    pub fn file_count(&self) -> u64 {
        self.languages.iter().map(|(_, count, _)| count).sum()
    }

    /// Returns the size of all indexed files in bytes.
    pub fn source_bytes(&self) -> u64 {
        self.languages.iter().map(|(_, _, bytes)| bytes).sum()
    }
}

impl Reader {
    /// Returns all counts.
    ///
    /// # Errors
    /// When the database can't be read, as for every function of this file.
    pub fn stats(&self) -> Result<Stats, StoreError> {
        Ok(Stats {
            languages: self.query_all(sql!("count_by_language"), [], |row| {
                Ok((row.get(0)?, row.get::<_, i64>(1)? as u64, row.get::<_, i64>(2)? as u64))
            })?,
            symbols: self.symbol_counts()?,
            edges: self.edge_counts()?,
            skips: self
                .query_all(sql!("skips_by_reason"), [], |row| Ok((row.get(0)?, row.get::<_, i64>(1)? as u64)))?,
            database_bytes: self.bytes()?,
        })
    }

    /// Returns the number of symbols, as stored by the last run.
    pub fn symbol_count(&self) -> Result<u64, StoreError> {
        Ok(self.symbol_counts()?.iter().map(|(_, count)| count).sum())
    }

    fn symbol_counts(&self) -> Result<Vec<(SymbolKind, u64)>, StoreError> {
        if let Some(counts) = self.cached_counts(SYMBOL_COUNTS)? {
            return Ok(counts);
        }
        let mut counts: BTreeMap<SymbolKind, u64> = BTreeMap::new();
        self.for_each_head(|head| *counts.entry(head.kind).or_default() += 1)?;
        Ok(counts.into_iter().collect())
    }

    /// Returns the number of edges of each type that the graph has.
    ///
    /// # Errors
    /// When the database can't be read.
    pub fn edge_counts(&self) -> Result<Vec<(EdgeType, u64)>, StoreError> {
        if let Some(counts) = self.cached_counts(EDGE_COUNTS)? {
            return Ok(counts);
        }
        let mut counts: BTreeMap<EdgeType, u64> = BTreeMap::new();
        for edge in self.all_edges()? {
            *counts.entry(edge.edge_type).or_insert(0) += 1;
        }
        Ok(counts.into_iter().collect())
    }

    /// Returns counts stored by the last run. Counting half a million edges takes longer than an update of the index.
    fn cached_counts<T: DeserializeOwned>(&self, key: &str) -> Result<Option<Vec<(T, u64)>>, StoreError> {
        Ok(self.meta(key)?.and_then(|text| serde_json::from_str(&text).ok()))
    }

    /// Returns the most recent snapshot.
    pub fn latest_snapshot(&self) -> Result<Option<SnapshotRow>, StoreError> {
        self.query_optional(sql!("latest_snapshot"), [], |row| {
            Ok(SnapshotRow { root: row.get(0)?, commit: row.get(1)?, parent: row.get(2)?, created_at: row.get(3)? })
        })
    }

    /// Returns the Merkle roots of all packages, by name.
    pub fn packages(&self) -> Result<BTreeMap<String, [u8; 32]>, StoreError> {
        Ok(self.query_all(sql!("packages"), [], |row| Ok((row.get(0)?, row.get(1)?)))?.into_iter().collect())
    }

    /// Returns the size of the database file in bytes.
    pub(super) fn bytes(&self) -> Result<u64, StoreError> {
        Ok((self.pragma("page_count")? * self.pragma("page_size")?) as u64)
    }

    fn pragma(&self, name: &str) -> Result<i64, StoreError> {
        use super::error::SqlContext;
        self.connection.pragma_query_value(None, name, |row| row.get(0)).at(&self.path)
    }
}
