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
pub mod rank;
pub mod learn;
pub mod render;
pub mod scan;
pub mod vocab;
pub mod store;
pub mod index;
pub mod retrieve;
pub mod engine;
pub mod eval;
pub mod cli;
pub mod tui;
