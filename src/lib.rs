//! The clients of `knowing`, which answers one question: given this task, which symbols of this repository matter, and why?
//!
//! The program is four crates, and each uses only those above it: `knowing-analysis` (languages and the graph),
//! `knowing-indexing` (checkout and database), `knowing-retrieval` (the engine), and this one. The modules here are in
//! dependency order, too: a module may use only those above it, and `tests/it/tidy` checks that. `ARCHITECTURE.md` has
//! the data flow, the invariants and the glossary.
//!
//! **[`agents`]** Coding agents: their configuration files, one seed file an agent, and the hooks that they run.
//!
//! **[`mcp`]** The server of the Model Context Protocol: tools and resources for coding agents. The only module that
//! listens on the network, when asked.
//!
//! **[`cli`]** The command line: one command a file.
//!
//! **[`tui`]** The terminal UI: model, update and view, one pane a file, workers for everything that takes time.

use knowing_retrieval::{atomic_file, config, engine, exchange, file_lock, model, render, text, user_dirs, workspace};

pub mod agents;
pub mod mcp;
pub mod cli;
pub mod tui;
