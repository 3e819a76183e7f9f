//! Binary encoding of edges, about four bytes each.
//!
//! # Why
//!
//! Half a million edges as rows of a table, with an index by target, took a third of the database and most of the time
//! to load a graph. No query needs a single edge: ranking reads all of them, an update those of the changed files.
//!
//! # Format
//!
//! For each source: the delta from the previous source, then the number of its edges. For each edge: a byte with type
//! and provenance; the confidence, unless it is the provenance's default; the delta from the previous target, or from
//! the source for the first edge.

use super::error::DecodeError;
use super::rows::{EdgeRow, Layer, read_confidence, stored_confidence};
use super::varint::{VarintReader, write_delta, write_varint};
use crate::model::{Edge, EdgeType, NodeId, Provenance};

/// Bits of the edge type in the first byte of an edge.
const TYPE_BITS: u32 = 5;
const TYPE_MASK: u8 = (1 << TYPE_BITS) - 1;
/// Provenance bits that mean that provenance and confidence follow explicitly.
const EXPLICIT: u8 = 7;

const _: () = assert!(EdgeType::ALL.len() <= 1 << TYPE_BITS, "a further type needs a byte of its own in the format");
const _: () = assert!(Provenance::ALL.len() <= EXPLICIT as usize, "a further provenance needs another mark");

/// Encodes edges of one layer, which are sorted by source, target and type.
pub fn pack_edges(edges: &[EdgeRow]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(edges.len() * 4);
    let mut last_source = 0;
    for row in edges.chunk_by(|one, two| one.source == two.source) {
        let source = row.first().map_or(0, |edge| edge.source.get());
        write_delta(&mut bytes, last_source, source);
        write_varint(&mut bytes, row.len() as u32);
        let mut last_target = source;
        for edge in row {
            if edge.confidence == stored_confidence(edge.provenance.confidence()) {
                bytes.push(edge.edge_type as u8 | (edge.provenance as u8) << TYPE_BITS);
            } else {
                bytes.push(edge.edge_type as u8 | EXPLICIT << TYPE_BITS);
                bytes.push(edge.provenance as u8);
                write_varint(&mut bytes, u32::from(edge.confidence));
            }
            write_delta(&mut bytes, last_target, edge.target.get());
            last_target = edge.target.get();
        }
        last_source = source;
    }
    bytes
}

/// A decoded edge: source, type, target, provenance, stored confidence.
type Unpacked = (NodeId, EdgeType, NodeId, Provenance, u16);

/// Calls `visit` with each edge.
fn unpack(bytes: &[u8], mut visit: impl FnMut(Unpacked)) -> Result<(), DecodeError> {
    let mut reader = VarintReader::new(bytes);
    let default_confidence = Provenance::ALL.map(|provenance| stored_confidence(provenance.confidence()));
    let mut source = 0;
    while !reader.is_empty() {
        source = reader.delta(source)?;
        let count = reader.varint()?;
        let mut target = source;
        for _ in 0..count {
            let first = reader.byte()?;
            let edge_type = EdgeType::from_number(first & TYPE_MASK).ok_or(DecodeError::EdgeType)?;
            let is_explicit = first >> TYPE_BITS == EXPLICIT;
            let number = if is_explicit { reader.byte()? } else { first >> TYPE_BITS };
            let provenance = Provenance::from_number(number).ok_or(DecodeError::Provenance)?;
            let confidence = match is_explicit {
                true => u16::try_from(reader.varint()?).map_err(|_| DecodeError::Confidence)?,
                false => default_confidence[provenance as usize],
            };
            target = reader.delta(target)?;
            visit((NodeId::new(source), edge_type, NodeId::new(target), provenance, confidence));
        }
    }
    Ok(())
}

/// Calls `visit` with each decoded edge, of layer 0.
pub(super) fn visit_rows(bytes: &[u8], visit: &mut impl FnMut(EdgeRow)) -> Result<(), DecodeError> {
    unpack(bytes, |(source, edge_type, target, provenance, confidence)| {
        visit(EdgeRow { source, edge_type, target, provenance, confidence, layer: 0 });
    })
}

/// Appends the decoded edges as rows.
pub(super) fn unpack_rows(bytes: &[u8], layer: Layer, rows: &mut Vec<EdgeRow>) -> Result<(), DecodeError> {
    unpack(bytes, |(source, edge_type, target, provenance, confidence)| {
        rows.push(EdgeRow { source, edge_type, target, provenance, confidence, layer });
    })
}

/// Appends the decoded edges.
pub(super) fn unpack_edges(bytes: &[u8], edges: &mut Vec<Edge>) -> Result<(), DecodeError> {
    unpack(bytes, |(source, edge_type, target, provenance, confidence)| {
        edges.push(Edge { source, target, edge_type, provenance, confidence: read_confidence(confidence) });
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge(source: u32, edge_type: EdgeType, target: u32, provenance: Provenance, confidence: u16) -> EdgeRow {
        let (source, target) = (NodeId::new(source), NodeId::new(target));
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
    fn types_and_provenances_fit_one_byte() {
        assert!(EdgeType::ALL.len() <= usize::from(TYPE_MASK) + 1);
        assert!(Provenance::from_number(EXPLICIT).is_none());
    }

    #[test]
    fn invalid_bytes_are_rejected() {
        for bytes in [&[0][..], &[0, 1, 0xe0, 9, 0, 0], &[2, 0xff, 0xff, 0xff, 0xff, 0xff]] {
            assert!(unpack_rows(bytes, 0, &mut Vec::new()).is_err(), "{bytes:?}");
        }
    }
}
