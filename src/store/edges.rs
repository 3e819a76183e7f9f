//! Edges: all of them as arrays, or those of one symbol.

use rusqlite::Row;

use super::error::StoreError;
use super::read::{Reader, bad_column};
use super::rows::{EdgeRow, read_confidence};
use crate::model::{Edge, EdgeType, Provenance};

/// How many edges end and begin at a symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Degree {
    pub incoming: u32,
    pub outgoing: u32,
}

impl Reader {
    /// Every edge, in no order that means anything.
    ///
    /// # Errors
    /// When the database can't be read; likewise for every function here.
    pub fn all_edges(&self) -> Result<Vec<Edge>, StoreError> {
        self.rows(sql!("all_edges"), [], |row| read_edge(row).map(Edge::from))
    }

    /// Every edge as it is stored, sorted by source, type and target.
    pub fn edge_rows(&self) -> Result<Vec<EdgeRow>, StoreError> {
        self.rows(sql!("edge_rows"), [], read_edge)
    }

    /// Edges that begin at `node`.
    pub fn edges_from(&self, node: u32) -> Result<Vec<Edge>, StoreError> {
        self.rows(sql!("edges_from"), [node], |row| read_edge(row).map(Edge::from))
    }

    /// Edges that end at `node`.
    pub fn edges_to(&self, node: u32) -> Result<Vec<Edge>, StoreError> {
        self.rows(sql!("edges_to"), [node], |row| read_edge(row).map(Edge::from))
    }

    /// Edges that begin at `node`, as they are stored.
    pub fn edge_rows_from(&self, node: u32) -> Result<Vec<EdgeRow>, StoreError> {
        self.rows(sql!("edges_from"), [node], read_edge)
    }

    /// Edges that end at `node`, as they are stored.
    pub fn edge_rows_to(&self, node: u32) -> Result<Vec<EdgeRow>, StoreError> {
        self.rows(sql!("edges_to"), [node], read_edge)
    }

    /// How connected `node` is.
    pub fn degree(&self, node: u32) -> Result<Degree, StoreError> {
        self.one(sql!("degree"), [node], |row| Ok(Degree { incoming: row.get(0)?, outgoing: row.get(1)? }))
    }
}

impl From<EdgeRow> for Edge {
    fn from(row: EdgeRow) -> Edge {
        Edge {
            source: row.source,
            target: row.target,
            edge_type: row.edge_type,
            provenance: row.provenance,
            confidence: read_confidence(row.confidence),
        }
    }
}

fn read_edge(row: &Row<'_>) -> rusqlite::Result<EdgeRow> {
    Ok(EdgeRow {
        source: row.get(0)?,
        edge_type: EdgeType::from_number(row.get(1)?).ok_or_else(|| bad_column(1, "an unknown type of edge"))?,
        target: row.get(2)?,
        provenance: Provenance::from_number(row.get(3)?).ok_or_else(|| bad_column(3, "an unknown provenance"))?,
        confidence: row.get(4)?,
        layer: row.get(5)?,
    })
}
