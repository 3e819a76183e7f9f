//! `knowing` answers one question: given this task, which symbols of this repository matter, and why?
//!
//! The order of the `mod` lines below is the law of the house: a room may use only rooms above it.
//! `tests/it/tidy.rs` reads this list and fails on an upward use.

pub mod model;
pub mod text;
pub mod facts;
pub mod resolve;
pub mod lang;
pub mod graph;

/// The algorithms of ranking, pure and cited: walk, HITS, BM25F, the linear scoring model and its tunable numbers,
/// packing. Knows no store, query or preset.
pub mod rank;

/// Feedback as pure functions of the journal of events: state, votes, learned terms, expiry. Comes before `store`,
/// which stores its events; reads no store and no clock.
pub mod feedback;

pub mod render;
pub mod scan;

/// Concepts: `seeds/*.toml` and the files of users and repositories, matching in a task, diagnostics. Reads no index.
pub mod concepts;

pub mod store;
pub mod index;

/// Query analysis: from a task's text to keywords, intent and cluster. Knows no channels or scores.
pub mod query;

/// Candidate generation: the loaded graph, one channel a file, fusion, and the seeds of the walk. Knows no weights.
pub mod candidates;

/// Features of the candidates, one group a file. Knows no weights or presets.
pub mod features;

/// The engine, the only interface of the clients: open, index, rank, explain, record. Owns the pipeline, the presets and
/// the cache.
pub mod engine;

pub mod eval;
pub mod cli;
pub mod tui;
