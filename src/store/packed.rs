//! Edges as bytes: about four for each.
//!
//! # Why
//!
//! Half a million edges as rows of a table, with the index that finds them from their targets, took a third of the
//! database and most of the time that it takes to load a graph. Nothing asks for a single edge: ranking reads all of
//! them, an update those of the files that changed.
//!
//! For each source: the step from the source before it, the number of its edges; for each edge: a byte for type and
//! provenance, the confidence where it is not the provenance's own, the step to the target from the target before it
//! or, for the first, from the source.

use super::rows::{EdgeRow, Layer, read_confidence, stored_confidence};
use super::varint::{Numbers, put, put_step};
use crate::model::{Edge, EdgeType, Provenance};

/// Bits of the type within the first byte of an edge.
const TYPE_BITS: u32 = 5;
const TYPE_MASK: u8 = (1 << TYPE_BITS) - 1;
/// Stands where provenance and confidence follow in full.
const IN_FULL: u8 = 7;

/// Packs edges of one layer, which are sorted by source, target and type.
pub fn pack_edges(edges: &[EdgeRow]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(edges.len() * 4);
    let mut last_source = 0;
    for row in edges.chunk_by(|one, two| one.source == two.source) {
        let source = row.first().map_or(0, |edge| edge.source);
        put_step(&mut bytes, last_source, source);
        put(&mut bytes, row.len() as u32);
        let mut before = source;
        for edge in row {
            if edge.confidence == stored_confidence(edge.provenance.confidence()) {
                bytes.push(edge.edge_type as u8 | (edge.provenance as u8) << TYPE_BITS);
            } else {
                bytes.push(edge.edge_type as u8 | IN_FULL << TYPE_BITS);
                bytes.push(edge.provenance as u8);
                put(&mut bytes, u32::from(edge.confidence));
            }
            put_step(&mut bytes, before, edge.target);
            before = edge.target;
        }
        last_source = source;
    }
    bytes
}

/// An edge as [`pack_edges`] keeps it: source, type, target, provenance, stored confidence.
type Unpacked = (u32, EdgeType, u32, Provenance, u16);

/// Gives each edge to `take`.
fn unpack(bytes: &[u8], mut take: impl FnMut(Unpacked)) -> Result<(), &'static str> {
    let mut numbers = Numbers::new(bytes);
    let usual = Provenance::ALL.map(|provenance| stored_confidence(provenance.confidence()));
    let mut source = 0;
    while !numbers.is_empty() {
        source = numbers.step(source)?;
        let count = numbers.number()?;
        let mut target = source;
        for _ in 0..count {
            let head = numbers.byte()?;
            let edge_type = EdgeType::from_number(head & TYPE_MASK).ok_or("an unknown type of edge")?;
            let in_full = head >> TYPE_BITS == IN_FULL;
            let number = if in_full { numbers.byte()? } else { head >> TYPE_BITS };
            let provenance = Provenance::from_number(number).ok_or("an unknown provenance")?;
            let confidence = match in_full {
                true => u16::try_from(numbers.number()?).map_err(|_| "a confidence above one")?,
                false => usual[provenance as usize],
            };
            target = numbers.step(target)?;
            take((source, edge_type, target, provenance, confidence));
        }
    }
    Ok(())
}

/// Appends the edges that [`pack_edges`] packed, as rows.
pub(super) fn unpack_rows(bytes: &[u8], layer: Layer, rows: &mut Vec<EdgeRow>) -> Result<(), &'static str> {
    unpack(bytes, |(source, edge_type, target, provenance, confidence)| {
        rows.push(EdgeRow { source, edge_type, target, provenance, confidence, layer });
    })
}

/// Appends the edges that [`pack_edges`] packed.
pub(super) fn unpack_edges(bytes: &[u8], edges: &mut Vec<Edge>) -> Result<(), &'static str> {
    unpack(bytes, |(source, edge_type, target, provenance, confidence)| {
        edges.push(Edge { source, target, edge_type, provenance, confidence: read_confidence(confidence) });
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge(source: u32, edge_type: EdgeType, target: u32, provenance: Provenance, confidence: u16) -> EdgeRow {
        EdgeRow { source, edge_type, target, provenance, confidence, layer: 2 }
    }

    #[test]
    fn edges_round_trip() {
        let edges = [
            edge(3, EdgeType::ImpliedHint, 3, Provenance::Structural, 9_000),
            edge(3, EdgeType::Calls, 4, Provenance::AstInferred, 3_500),
            edge(3, EdgeType::Calls, 70_000, Provenance::AstResolved, 9_000),
            edge(u32::MAX, EdgeType::SimilarTo, 0, Provenance::Structural, 0),
        ];
        let bytes = pack_edges(&edges);
        let mut rows = Vec::new();
        unpack_rows(&bytes, 2, &mut rows).unwrap();
        assert_eq!(rows, edges);
        assert!(unpack_rows(&bytes[..bytes.len() - 1], 2, &mut rows).is_err());
    }

    #[test]
    fn every_type_and_provenance_fits_its_byte() {
        assert!(EdgeType::ALL.len() <= usize::from(TYPE_MASK) + 1);
        assert!(Provenance::from_number(IN_FULL).is_none());
    }

    #[test]
    fn foreign_bytes_are_refused() {
        for bytes in [&[0][..], &[0, 1, 31, 0], &[0, 1, 0xe0, 9, 0, 0], &[2, 0xff, 0xff, 0xff, 0xff, 0xff]] {
            assert!(unpack_rows(bytes, 0, &mut Vec::new()).is_err(), "{bytes:?}");
        }
    }
}
