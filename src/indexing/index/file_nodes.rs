//! Compares the stored node ids of each file's symbols, its own and then its definitions' in outline order, with its symbols.

use std::collections::HashMap;
use std::path::Path;

use crate::model::{FileId, NodeId};
use crate::store::{Blob, Finding, Reader, StoreError, unpack_node_ids};

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
