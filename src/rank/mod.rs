//! The formulas of retrieval, one to a file; pure.

pub mod pack;
