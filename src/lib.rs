//! `knowing` answers one question: given this task, which symbols of this repository matter, and why?
//!
//! The modules are in dependency order: a module may use only those above it, and `tests/it/tidy` checks that.
//! `ARCHITECTURE.md` has the data flow, the invariants and the glossary.
//!
//! **[`user_dirs`]** The user's folders for settings, data and caches.
//!
//! **[`model`]** Plain data that every other module talks about: ids, symbols, edges, spans, tasks, packs. No logic
//! beyond invariants.
//!
//! **[`text`]** Text primitives: splitting identifiers, stemming, tokens of cl100k_base, control characters removed
//! for display.
//!
//! **[`facts`]** Facts: language-neutral statements of one file (definitions, references, scopes, bindings, imports).
//! The intermediate representation that `lang` writes and `resolve` reads.
//!
//! **[`resolve`]** Resolution: the facts of all files in, edges between definitions out. One evaluator for every
//! language; what a language adds is behind the trait `Rules`.
//!
//! **[`lang`]** Languages: one folder each (grammar, extraction, module layout, standard library), and the registry.
//!
//! **[`graph`]** The graph: derived edges (one pass a file), adjacency in compressed sparse rows, Merkle roots. Pure.
//!
//! **[`scan`]** The checkout: files under ignore rules, hashes, manifests, owners, changed files and history from git.
//! The only module that reads the repository.
//!
//! **[`rank`]** The algorithms of ranking, pure and cited: walk, HITS, BM25F, the linear scoring model and its tunable
//! numbers, packing. Knows no store, query or preset.
//!
//! **[`feedback`]** Feedback as pure functions of the journal of events: state, votes, learned terms, expiry. Comes
//! before `store`, which stores its events; reads no store and no clock.
//!
//! **[`concepts`]** Concepts: `seeds/*.toml` and the files of users and repositories, matching in a task, diagnostics.
//! Reads no index.
//!
//! **[`store`]** All SQL: migrations, reading, writing, search postings, the journal, locks, integrity checks, salvage
//! of feedback.
//!
//! **[`index`]** Indexing: scan, extract, resolve, derive, store; complete and incremental, in one transaction.
//!
//! **[`query`]** Query analysis: from a task's text to keywords, intent and cluster. Knows no channels or scores.
//!
//! **[`catalog`]** Catalogs: the words of a repository in at most 200 kB, and the choice of the repositories that a task is
//! about. Reads an index; routes without one.
//!
//! **[`share`]** Shares: publishes finished indexes to a folder or an object store, and fetches them. The only module
//! that connects to other machines, when asked.
//!
//! **[`candidates`]** Candidate generation: the loaded graph, one channel a file, fusion, and the seeds of the walk.
//! Knows no weights.
//!
//! **[`features`]** Features of the candidates, one group a file. Knows no weights or presets.
//!
//! **[`render`]** Packs as text: one format a file, token counting on the rendered text, deltas to an earlier pack.
//!
//! **[`engine`]** The engine, the only interface of the clients: open, index, rank, explain, record. Owns the
//! pipeline, the presets and the cache.
//!
//! **[`exchange`]** The exchange with coding agents: the journal of their requests, a person's pins and drops, sent
//! packs; in files beside the database.
//!
//! **[`workspace`]** Workspaces: several repositories that are indexed, ranked and asked as one, each with an engine.
//!
//! **[`eval`]** Evaluation: tasks with ground truth, metrics, comparison of runs, simulated feedback.
//!
//! **[`agents`]** Coding agents: their configuration files, one seed file an agent, and the hooks that they run.
//!
//! **[`mcp`]** The server of the Model Context Protocol: tools and resources for coding agents. The only module that
//! listens on the network, when asked.
//!
//! **[`cli`]** The command line: one command a file.
//!
//! **[`tui`]** The terminal UI: model, update and view, one pane a file, workers for everything that takes time.

pub mod user_dirs;
pub mod model;
pub mod text;
pub mod facts;
pub mod resolve;
pub mod lang;
pub mod graph;
pub mod scan;
pub mod rank;
pub mod feedback;
pub mod concepts;
pub mod store;
pub mod index;
pub mod query;
pub mod catalog;
pub mod share;
pub mod candidates;
pub mod features;
pub mod render;
pub mod engine;
pub mod exchange;
pub mod workspace;
pub mod eval;
pub mod agents;
pub mod mcp;
pub mod cli;
pub mod tui;
