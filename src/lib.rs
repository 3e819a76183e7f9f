//! `knowing` answers one question: given this task, which symbols of this repository matter, and why?
//!
//! The `mod` lines below are in dependency order: a module may use only modules above it. `tests/it/tidy/structure.rs`
//! reads this list and fails on any other use.

pub mod model;
pub mod text;
pub mod facts;
pub mod resolve;
pub mod lang;
pub mod graph;

/// The algorithms of ranking, pure and cited: walk, HITS, BM25F, the linear scoring model and its tunable numbers,
/// packing. Independent of store, query and presets.
pub mod rank;

/// Feedback as pure functions of the journal of events: state, votes, learned terms, expiry. Comes before `store`,
/// which stores its events. Reads neither store nor clock.
pub mod feedback;

pub mod render;
pub mod scan;

/// Concepts: `seeds/*.toml` and the files of users and repositories, matching in a task, diagnostics. Independent of
/// the index.
pub mod concepts;
pub mod store;
pub mod index;

/// Query analysis: from a task's text to keywords, intent and cluster. Independent of channels and
/// scores.
pub mod query;

/// Candidate generation: the loaded graph, one channel a file, fusion, and the seeds of the walk. Independent of
/// weights.
pub mod candidates;

/// Features of the candidates, one group a file. Independent of weights and presets.
pub mod features;

/// The engine, the only interface of the clients: open, index, rank, explain, record. Contains the pipeline, the
/// presets and the cache.
pub mod engine;
pub mod eval;
pub mod cli;
pub mod tui;
