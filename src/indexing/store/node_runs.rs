//! Runs of nodes of one file in a block of node ids, as rows of blocks begin with them.
//!
//! # Format
//!
//! The number of runs, and for each the number of node ids without a node before it, that of its nodes, and the difference of
//! their file from that of the run before.

use std::ops::Range;

use super::error::DecodeError;
use super::symbol_blocks::BLOCK;
use super::varint::{VarintReader, write_delta, write_varint};
use crate::model::{FileId, NodeId};

/// Consecutive node ids, and the file of their nodes; 0 for symbols without one.
pub(super) type Run = (Range<u32>, FileId);

/// Adds the runs of nodes of a block, which are sorted.
pub(super) fn encode(number: u32, nodes: impl Iterator<Item = (NodeId, FileId)>, bytes: &mut Vec<u8>) {
    let mut runs: Vec<Run> = Vec::new();
    for (node, file) in nodes {
        match runs.last_mut().filter(|(nodes, of)| (nodes.end, *of) == (node.get(), file)) {
            Some((nodes, _)) => nodes.end += 1,
            None => runs.push((node.get()..node.get() + 1, file)),
        }
    }
    write_varint(bytes, runs.len() as u32);
    let (mut last, mut last_file) = (number * BLOCK, 0);
    for (nodes, file) in runs {
        write_varint(bytes, nodes.start - last);
        write_varint(bytes, nodes.end - nodes.start);
        write_delta(bytes, last_file, file.get());
        (last, last_file) = (nodes.end, file.get());
    }
}

/// Decodes the runs of a block. They are in order, not empty, and have no node of another block.
pub(super) fn decode(number: u32, reader: &mut VarintReader<'_>) -> Result<Vec<Run>, DecodeError> {
    let (mut next, mut file) = (u64::from(number) * u64::from(BLOCK), 0);
    let end = next + u64::from(BLOCK);
    let mut runs = Vec::new();
    for _ in 0..reader.varint()? {
        let first = next + u64::from(reader.varint()?);
        next = first + u64::from(reader.varint()?);
        file = reader.delta(file)?;
        if first >= next || next > end {
            return Err(DecodeError::NodeId);
        }
        runs.push((first as u32..next as u32, FileId::new(file)));
    }
    Ok(runs)
}
