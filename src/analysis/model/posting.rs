//! Entries of the search index's posting lists.

use super::NodeId;

/// Number of fields of a symbol's text, which are the columns of the search index.
pub const FIELDS: usize = 8;

/// The frequencies of a term in the fields of a symbol.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Posting {
    pub document: NodeId,
    pub frequencies: [u16; FIELDS],
}
