//! A checkout to an index: what is read from a repository, the database, concepts, and the journal of feedback.
//!
//! Knows no task, ranking or terminal. The modules are in dependency order: a module may use only those above it, and
//! `tests/it/tidy` checks that.
//!
//! **[`user_dirs`]** The user's folders for settings, data and caches.
//!
//! **[`atomic_file`]** Files that are replaced as a whole.
//!
//! **[`config`]** The user's settings, and how settings files are read.
//!
//! **[`scan`]** The checkout: files under ignore rules, hashes, manifests, owners, changed files and history from git.
//! The only module that reads the repository.
//!
//! **[`file_lock`]** Advisory locks on files.
//!
//! **[`temporary`]** Folders in the system's temporary folder, which outlast no process.
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

use knowing_analysis::{documents, facts, graph, lang, model, resolve, text};

pub mod user_dirs;
pub mod atomic_file;
pub mod config;
pub mod scan;
pub mod file_lock;
pub mod temporary;
pub mod feedback;
pub mod concepts;
pub mod store;
pub mod index;
