//! Indexing as a whole: a checkout in, a store out.

pub mod dump;
pub mod history;
mod incremental;
pub mod source;
mod whole;
