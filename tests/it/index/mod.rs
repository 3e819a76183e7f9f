//! Indexing as a whole: a checkout in, a store out.

mod dump;
mod incremental;
mod source;
mod whole;
