//! Which node numbers a file's symbols have, packed: the file's own, then its definitions' in the order of its outline.

use std::collections::HashMap;
use std::path::Path;

use crate::store::{Blob, Finding, MOST_NODES, Reader, StoreError};

/// Node numbers as differences, most of which are 1 and compress to nearly nothing.
pub(super) fn pack_placement(nodes: &[u32]) -> Vec<u8> {
    let mut before = 0_i64;
    let differences: Vec<i64> = nodes
        .iter()
        .map(|&node| {
            let difference = i64::from(node) - before;
            before = i64::from(node);
            difference
        })
        .collect();
    crate::store::encode(&differences)
}

/// The node numbers again. One that no index reaches is refused: arrays are made as long as the greatest.
pub(super) fn unpack_placement(blob: &Blob) -> Result<Vec<u32>, StoreError> {
    let differences: Vec<i64> = blob.unpack()?;
    let mut before = 0_i64;
    let number = |difference: i64| {
        before = before.checked_add(difference)?;
        u32::try_from(before).ok().filter(|node| *node < MOST_NODES)
    };
    let nodes: Option<Vec<u32>> = differences.into_iter().map(number).collect();
    nodes.ok_or_else(|| blob.refused("a node number is out of range"))
}

/// Compares the placement of every file with the symbols that the store has of it.
///
/// # Errors
/// When the store can't be opened or read.
pub fn check_placements(database: &Path) -> Result<Finding, StoreError> {
    let reader = Reader::open(database)?;
    let blobs: HashMap<u32, Blob> = reader.placement_blobs()?.into_iter().map(|blob| (blob.file, blob)).collect();
    let mut problems = Vec::new();
    for file in reader.files()? {
        let mut symbols: Vec<u32> = reader.identities_of_file(file.id)?.into_iter().map(|(node, _)| node).collect();
        symbols.sort_unstable();
        let placed = blobs.get(&file.id).map(unpack_placement).transpose();
        match placed {
            Err(error) => problems.push(error.to_string()),
            Ok(placed) => {
                let mut placed = placed.unwrap_or_default();
                placed.sort_unstable();
                if placed != symbols {
                    problems.push(format!("the placement of {} names other symbols than it has", file.path));
                }
            }
        }
    }
    problems.truncate(20);
    Ok(Finding { check: "placements", problems })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_and_absurd_ones_are_refused() {
        let blob = |nodes: &[u32]| Blob::new(1, pack_placement(nodes), Path::new("graph.db"));
        assert_eq!(unpack_placement(&blob(&[7, 3, 4, 900])).unwrap(), [7, 3, 4, 900]);
        assert!(matches!(unpack_placement(&blob(&[4_294_967_290])), Err(StoreError::Facts { .. })));
    }
}
