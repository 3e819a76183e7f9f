//! The explorer: the terminal UI, in the Elm architecture.
//!
//! An `Event` becomes an [`action`]; [`update`] applies it to the [`model`] and returns [`effect`]s; [`view`] draws the
//! model. A pane is a module of [`panes`], a window on top of them one of [`overlay`]. The UI thread touches neither
//! store nor disk: workers do, and their answers carry the number of the request, so that late answers are dropped.

pub mod action;
pub mod clipboard;
pub mod color;
pub mod command;
pub mod demo;
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
pub mod links;
mod engine_backend;
pub mod model;
pub mod overlay;
pub mod panes;
pub mod plain;
pub mod roots;
pub mod run;
pub mod screen;
pub mod session;
pub mod settings;
pub mod appearance;
pub mod terminal;
pub mod textmate;
pub mod theme;
pub mod update;
pub mod user_dirs;
pub mod view;
pub mod worker;
pub mod backend;

pub use command::key_table;
pub use engine_backend::EngineBackend;
pub use plain::run_plain;
pub use run::{Options, run};
