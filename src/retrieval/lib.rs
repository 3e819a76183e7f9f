//! A task to an answer: query analysis, candidates, features, ranking, packs, questions; shares and workspaces.
//!
//! Clients use `engine`, `exchange` and `workspace`, with the data of `model`, `text` and `render`. The modules are in
//! dependency order: a module may use only those above it, and `tests/it/tidy` checks that.
//!
//! **[`rank`]** The algorithms of ranking, pure and cited: walk, HITS, BM25F, the additive scoring model and its tunable
//! numbers, packing. Knows no store or query.
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
//! **[`features`]** Features of the candidates, one group a file. Knows no weights.
//!
//! **[`render`]** Packs as text: one format a file, token counting on the rendered text, deltas to an earlier pack.
//!
//! **[`engine`]** The engine, the only interface of the clients: open, index, rank, explain, record. Owns the
//! pipeline and the cache.
//!
//! **[`exchange`]** The exchange with coding agents: the journal of their requests, a person's pins and drops, sent
//! packs; in files beside the database.
//!
//! **[`workspace`]** Workspaces: several repositories that are indexed, ranked and asked as one, each with an engine.

use knowing_analysis::{documents, facts, graph, lang, resolve};
pub use knowing_analysis::{model, text};
pub use knowing_indexing::{atomic_file, config, file_lock, user_dirs};
use knowing_indexing::{concepts, feedback, index, scan, store, temporary};

pub mod rank;
pub mod query;
pub mod catalog;
pub mod share;
pub mod candidates;
pub mod features;
pub mod render;
pub mod engine;
pub mod exchange;
pub mod workspace;
