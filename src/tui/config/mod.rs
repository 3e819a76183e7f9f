//! The user's settings: one TOML file in the folder for configuration, in which nothing is required.
//!
//! What can't be understood is reported with its line and left as it was, so the explorer starts with any file.

mod places;
mod read;

use std::time::Duration;

use super::key::Key;

pub use places::Places;
pub use read::{Complaint, read};

/// What the user may choose. The default is what the program does without a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// The name of a theme, or `auto`: dark or light where the environment tells, else the terminal's own colors.
    pub theme: Option<String>,
    pub glyphs: Option<GlyphSet>,
    pub mouse: bool,
    /// A command, or a template with `{file}` and `{line}`.
    pub editor: Option<String>,
    /// The longest a full rank waits for the typing to rest.
    pub debounce: Duration,
    /// False records nothing about how the explorer is used.
    pub learning: bool,
    /// False leaves the index alone when files change.
    pub watch: bool,
    pub keys: Vec<Rebinding>,
}

/// Which drawing characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GlyphSet {
    Unicode,
    Ascii,
}

/// A key of the user's own in one context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rebinding {
    /// The context's name, such as `normal`.
    pub context: String,
    pub keys: Vec<Key>,
    /// A command line such as `budget.set 8000`; none takes the key's meaning away.
    pub command: Option<String>,
    /// Where it stands, counted from 1.
    pub line: usize,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            theme: None,
            glyphs: None,
            mouse: true,
            editor: None,
            debounce: Duration::from_millis(120),
            learning: true,
            watch: true,
            keys: Vec::new(),
        }
    }
}
