//! `knowing` answers one question: given this task, which symbols of this repository matter, and why?
//!
//! The `mod` lines below are in dependency order: a module may use only modules above it. `tests/it/tidy/structure.rs`
//! checks this.

pub mod model;
pub mod text;
pub mod facts;
pub mod resolve;
pub mod lang;
pub mod graph;

/// The algorithms of ranking, pure and cited: walk, HITS, BM25F, the linear scoring model and its tunable numbers,
/// packing. Independent of store, queries and presets.
pub mod rank;

/// Feedback as pure functions of the journal of events: state, votes, learned terms, expiry. Comes before `store`,
/// which stores its events; reads no store and no clock.
pub mod feedback;

pub mod render;
pub mod scan;
pub mod rank;
pub mod feedback;
pub mod concepts;
pub mod store;
pub mod index;

/// Query analysis: from a task's text to keywords, intent and cluster. Independent of channels and scores.
pub mod query;

/// Candidate generation: the loaded graph, one channel per file, fusion, and the seeds of the walk. Independent of the
/// weights of features.
pub mod candidates;

/// Features of the candidates, one group per file. Independent of weights and presets.
pub mod features;

/// The engine, the only interface of the clients: open, index, rank, explain, record. Owns the pipeline, the presets
/// and the cache.
pub mod engine;
pub mod eval;
pub mod cli;
pub mod tui;
