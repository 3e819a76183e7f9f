//! Every integration test, in one binary.

// `allow-unwrap-in-tests` of clippy.toml does not cover helper functions of tests.
#![allow(clippy::unwrap_used)]

// Registration with coding agents, and the hooks that they run.
mod agents;
// Number and seed of random cases.
mod cases;
// The built program: exit codes, streams, messages.
mod cli;
// Documents beside the ranked code.
mod documents;
// Indexers that are killed, out of disk or concurrent, and damaged databases.
mod crash;
// Databases damaged at random.
mod damage;
// Votes, undo, learned terms, export.
mod feedback;
// Formats and states of git repositories.
mod formats;
// Random bytes and mutated code.
mod fuzz;
// Hostile repositories.
mod hostile;
// README and guides.
mod guides;
// Indexing: complete, incremental, history.
mod index;
// Kinds of code that are easy to get wrong, as tiny repositories with whole answers.
mod kinds;
// Licenses of dependencies.
mod licenses;
// The server for coding agents, and `knowing index watch`.
mod mcp;
// The neighborhood of a symbol.
mod neighborhood;
// Packs: budget, determinism, pins, deltas, formats.
mod packs;
// The partial index, and relocation after changes.
mod partial_index;
// Long-lived rankers beside writers of the index.
mod refresh;
// Concepts of the program, of a user and of a repository.
mod seeds;
// Published and fetched indexes.
mod share;
// Spelling in code and documents.
mod spelling;
// State is the user's: planted, moved, imported and cleared.
mod state;
// Structure and wording of the sources.
mod tidy;
// The explorer on a pseudo-terminal, and screenshots.
mod tui;
// Explanations agree with the ranking.
mod why;
// Several repositories as one.
mod workspace;
