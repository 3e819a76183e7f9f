//! Consistency checks: SQLite's own, and invariants of the index.

use std::path::Path;

use super::error::{SqlContext, StoreError};
use super::journal::Journal;
use super::limit;
use super::read::Reader;

/// The result of one check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Name of the check.
    pub check: &'static str,
    /// Empty when the check passed.
    pub problems: Vec<String>,
}

/// Maximum number of problems listed per check.
const MAX_PROBLEMS: usize = 20;

/// Checks the store at `path`. The index checks the Merkle root and the node ids of files.
///
/// # Errors
/// When the store can't be opened.
pub fn fsck(path: &Path) -> Result<Vec<Finding>, StoreError> {
    let (mut reader, mut journal) = (Reader::open(path)?, Journal::open(path)?);
    // A forged tree of pages can have more paths than can ever be read.
    limit::start(&mut reader.connection, limit::of_whole(path)).at(path)?;
    limit::start(&mut journal.connection, limit::of_whole(path)).at(path)?;
    let text = |row: &rusqlite::Row<'_>| row.get::<_, String>(0);
    let mut findings = Vec::new();
    let mut add = |check, problems: Result<Vec<String>, StoreError>| {
        let mut problems = problems.unwrap_or_else(|error| vec![error.to_string()]);
        problems.truncate(MAX_PROBLEMS);
        findings.push(Finding { check, problems });
    };
    let integrity = reader.query_all(sql!("check_integrity"), [], text);
    add("database pages", integrity.map(|lines| lines.into_iter().filter(|line| line != "ok").collect()));
    add("foreign keys", reader.query_all(sql!("check_foreign_keys"), [], text));
    add("edge endpoints", reader.check_edges());
    add("packed node metadata", reader.check_node_meta());
    add("edges by block", reader.check_node_blocks());
    add("sums over edges", reader.check_node_sums());
    add("symbols without a definition", reader.check_fileless());
    add("names of symbols", reader.check_names());
    add("unique identities", reader.check_identities());
    add("search rows", reader.check_search_rows());
    add("checksums of the search index", reader.check_search_blocks());
    add("checksums of tables", Ok(reader.check_digests()));
    add("blocks of symbols", reader.all_symbols().map(|_| Vec::new()));
    add("facts", reader.check_blobs());
    add("feedback", journal.events().map(|_| Vec::new()));
    add("file facts", reader.query_all(sql!("check_facts"), [], text));
    add("dense node ids", reader.sparse_node_ids().map(|sparse| sparse.into_iter().collect()));
    Ok(findings)
}
