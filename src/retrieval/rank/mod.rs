//! The algorithms of ranking, one per file, as pure functions: the random walk with restart, HITS, BM25F, the
//! scoring models, packing, and views of the walk for explanation. Independent of store and queries. The
//! published ones cite their source.

pub mod additive;
pub mod best_path;
pub mod bm25f;
pub mod ego;
pub mod hits;
pub mod node_set;
pub mod pack;
pub mod scoring;
pub mod tuning;
pub mod walk;
