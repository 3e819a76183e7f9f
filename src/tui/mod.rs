//! The explorer.
//!
//! `Event` → [`action`] → [`update`] changes the [`model`] and returns [`effect`]s; `view` draws the model and
//! changes nothing. The thread that does this never touches the store or the disk: workers do, and each of their
//! answers carries the generation of its request, so that a late answer to an old question is dropped.

pub mod action;
pub mod clipboard;
pub mod color;
pub mod columns;
pub mod command;
pub mod config;
pub mod editor;
pub mod effect;
#[cfg(test)]
mod fixture;
pub mod fuzzy;
pub mod glyphs;
pub mod highlight;
pub mod history;
pub mod key;
pub mod keymap;
pub mod layout;
mod engine_workspace;
pub mod model;
pub mod overlay;
pub mod plain;
pub mod run;
pub mod screen;
pub mod settings;
pub mod appearance;
pub mod terminal;
pub mod theme;
pub mod update;
pub mod view;
pub mod worker;
pub mod workspace;

pub use engine_workspace::EngineWorkspace;
pub use run::{Options, run, run_plain};
