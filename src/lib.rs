//! `knowing` answers one question: given this task, which symbols of this repository matter, and why?
//!
//! The modules below are in dependency order: a module may use only those above it, and `tests/it/tidy` checks that.
//! `ARCHITECTURE.md` has the data flow, the invariants and the glossary.

/// Plain data that every other module talks about: ids, symbols, edges, spans, tasks, packs. No logic beyond invariants.
pub mod model;

/// Text primitives: splitting identifiers, stemming, tokens of cl100k_base, control characters removed for display.
pub mod text;

/// Facts: language-neutral statements of one file (definitions, references, scopes, bindings, imports). The intermediate
/// representation that `lang` writes and `resolve` reads.
pub mod facts;

/// Resolution: the facts of all files in, edges between definitions out. One evaluator for every language; what a language
/// adds is behind the trait `Rules`.
pub mod resolve;

/// Languages: one folder each (grammar, extraction, module layout, standard library), and the registry.
pub mod lang;

/// The graph: derived edges (one pass a file), adjacency in compressed sparse rows, Merkle roots. Pure.
pub mod graph;

/// The checkout: files under ignore rules, hashes, manifests, owners, changed files and history from git. The only module
/// that reads the repository.
pub mod scan;

/// The algorithms of ranking, pure and cited: walk, HITS, BM25F, the linear scoring model and its tunable numbers,
/// packing. Knows no store, query or preset.
pub mod rank;

/// Feedback as pure functions of the journal of events: state, votes, learned terms, expiry. Comes before `store`,
/// which stores its events; reads no store and no clock.
pub mod feedback;

/// Concepts: `seeds/*.toml` and the files of users and repositories, matching in a task, diagnostics. Reads no index.
pub mod concepts;

/// All SQL: migrations, reading, writing, search postings, the journal, locks, integrity checks, salvage of feedback.
pub mod store;

/// Indexing: scan, extract, resolve, derive, store; complete and incremental, in one transaction.
pub mod index;

/// Query analysis: from a task's text to keywords, intent and cluster. Knows no channels or scores.
pub mod query;

/// Candidate generation: the loaded graph, one channel a file, fusion, and the seeds of the walk. Knows no weights.
pub mod candidates;

/// Features of the candidates, one group a file. Knows no weights or presets.
pub mod features;

/// Packs as text: one format a file, token counting on the rendered text, deltas to an earlier pack.
pub mod render;

/// The engine, the only interface of the clients: open, index, rank, explain, record. Owns the pipeline, the presets and
/// the cache.
pub mod engine;

/// Evaluation: tasks with ground truth, metrics, comparison of runs, simulated feedback.
pub mod eval;

/// The command line: one command a file.
pub mod cli;

/// The terminal UI: model, update and view, one pane a file, workers for everything that takes time.
pub mod tui;
