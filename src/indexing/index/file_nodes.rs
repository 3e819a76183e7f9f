//! The stored node ids of each file's symbols: its own, then its definitions' in outline order.

use std::collections::HashMap;
use std::path::Path;

use crate::model::{FileId, NodeId};
use crate::store::{Blob, Finding, MAX_NODES, Reader, StoreError};

/// Encodes node ids as deltas. Most are 1 and compress well.
pub(super) fn pack_node_ids(nodes: &[NodeId]) -> Vec<u8> {
    let mut last = 0_i64;
    let deltas: Vec<i64> = nodes
        .iter()
        .map(|&node| {
            let deltas = i64::from(node.get()) - last;
            last = i64::from(node.get());
            deltas
        })
        .collect();
    crate::store::encode(&deltas)
}

/// Decodes node ids. Rejects ids that no index reaches, since arrays are sized by the largest id.
pub(super) fn unpack_node_ids(blob: &Blob) -> Result<Vec<NodeId>, StoreError> {
    let deltas: Vec<i64> = blob.unpack()?;
    let mut last = 0_i64;
    let node_id = |deltas: i64| {
        last = last.checked_add(deltas)?;
        u32::try_from(last).ok().filter(|node| *node < MAX_NODES).map(NodeId::new)
    };
    let nodes: Option<Vec<NodeId>> = deltas.into_iter().map(node_id).collect();
    nodes.ok_or_else(|| blob.invalid("a node id is out of range"))
}

/// Compares the stored node ids of every file with its symbols.
///
/// # Errors
/// When the store can't be opened or read.
pub fn check_file_nodes(database: &Path) -> Result<Finding, StoreError> {
    let reader = Reader::open(database)?;
    let blobs: HashMap<FileId, Blob> = reader.file_nodes_blobs()?.into_iter().map(|blob| (blob.file, blob)).collect();
    let mut problems = Vec::new();
    for file in reader.files()? {
        let mut symbols: Vec<NodeId> = reader.identities_of_file(file.id)?.into_iter().map(|(node, _)| node).collect();
        symbols.sort_unstable();
        let packed = blobs.get(&file.id).map(unpack_node_ids).transpose();
        match packed {
            Err(error) => problems.push(error.to_string()),
            Ok(packed) => {
                let mut packed = packed.unwrap_or_default();
                packed.sort_unstable();
                if packed != symbols {
                    problems.push(format!("the node ids of {} differ from its symbols", file.path));
                }
            }
        }
    }
    problems.truncate(20);
    Ok(Finding { check: "node ids of files", problems })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn node_ids_round_trip_and_large_ones_are_rejected() {
        let blob = |nodes: &[NodeId]| Blob::new(FileId::new(1), pack_node_ids(nodes), Path::new("graph.db"));
        let nodes = [7, 3, 4, 900].map(NodeId::new);
        assert_eq!(unpack_node_ids(&blob(&nodes)).unwrap(), nodes);
        assert!(matches!(unpack_node_ids(&blob(&[NodeId::new(4_294_967_290)])), Err(StoreError::Facts { .. })));
    }
}
