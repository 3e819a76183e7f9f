//! Checks that a store is whole: what SQLite can check, and what the index promises.

use std::path::Path;

use super::error::StoreError;
use super::read::Reader;

/// The result of one check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What was checked.
    pub check: &'static str,
    /// What is wrong; empty when all is well.
    pub problems: Vec<String>,
}

/// Problems listed of each check.
const SHOWN: usize = 20;

/// Checks the store at `path`. The Merkle root is recomputed by the index, which knows how.
///
/// # Errors
/// When the store can't be opened at all.
pub fn fsck(path: &Path) -> Result<Vec<Finding>, StoreError> {
    let reader = Reader::open(path)?;
    let text = |row: &rusqlite::Row<'_>| row.get::<_, String>(0);
    let mut findings = Vec::new();
    let mut add = |check, problems: Result<Vec<String>, StoreError>| {
        let mut problems = problems.unwrap_or_else(|error| vec![error.to_string()]);
        problems.truncate(SHOWN);
        findings.push(Finding { check, problems });
    };
    let integrity = reader.rows(sql!("check_integrity"), [], text);
    add("database pages", integrity.map(|lines| lines.into_iter().filter(|line| line != "ok").collect()));
    add("foreign keys", reader.rows(sql!("check_foreign_keys"), [], text));
    add("ends of edges", reader.check_edges());
    add("packed heads", reader.check_heads());
    add("identities are unique", reader.rows(sql!("check_identities"), [], text));
    add("search rows match symbols", reader.rows(sql!("check_search_rows"), [], text));
    add("facts of every file", reader.rows(sql!("check_facts"), [], text));
    add("numbers are dense", reader.rows(sql!("check_density"), [], text));
    Ok(findings)
}
