//! Every integration test, in one binary.

// A helper of a test may fail as loudly as the test itself; the setting in clippy.toml knows only the latter.
#![allow(clippy::unwrap_used)]

// How many random cases, and which.
mod cases;
// Indexers that are killed, starved or meet each other, and databases that are damaged.
mod crash;
// Our own tasks with known answers, and the command that measures them.
mod eval;
// Arbitrary bytes and mutilated code.
mod fuzz;
// What an enemy might put into a repository.
mod hostile;
// A checkout in, a store out.
mod index;
// Feedback: votes, undo, learned terms, export.
mod feedback;
// The neighborhood of a symbol.
mod neighborhood;
// What is given out for a task: its size, its sameness, its shorter forms.
mod packs;
// Long-lived rankers beside writers of the index.
mod refresh;
// Concepts of the program, of a user and of a repository.
mod seeds;
// The partial index, and relocation after changes.
mod partial_index;
// The rules of the house, read from its own source.
mod tidy;
// The explorer on a pseudo-terminal.
mod tui;
// Explanations agree with the ranking.
mod why;
// The built program: exit codes, streams, messages.
mod cli;
