//! The user's settings: `config.toml` in the configuration folder. Every setting is optional.
//!
//! An invalid setting is reported with its line and keeps its default, so the explorer starts with any file.

mod parse;
mod user_dirs;

use std::time::Duration;

use super::key::Key;

pub use parse::{ConfigError, parse};
pub use user_dirs::UserDirs;

/// The settings; the default applies without a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// The name of a theme, or `auto`: dark or light if the environment names the background, else the terminal's
    /// colors.
    pub theme: Option<String>,
    /// `None` takes the set from the environment.
    pub glyphs: Option<GlyphSet>,
    /// Whether to capture the mouse.
    pub mouse: bool,
    /// Whether locations are links that the terminal opens at a click.
    pub links: bool,
    /// A command, or a template with `{file}` and `{line}`.
    pub editor: Option<String>,
    /// The pause in typing before a full ranking.
    pub debounce: Duration,
    /// Whether use of the explorer is recorded as feedback.
    pub learning: bool,
    /// Whether the index is updated when files change.
    pub watch: bool,
    /// Key bindings, which override the built-in ones.
    pub keys: Vec<Rebinding>,
}

/// The set of drawing characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GlyphSet {
    Unicode,
    Ascii,
}

/// A key binding of the user in one context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rebinding {
    /// The name of the context, such as `normal`.
    pub context: String,
    pub keys: Vec<Key>,
    /// A command line such as `budget.set 8000`; `None` removes the binding.
    pub command: Option<String>,
    /// Its line in the file, from 1.
    pub line: usize,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            theme: None,
            glyphs: None,
            mouse: true,
            links: true,
            editor: None,
            debounce: Duration::from_millis(120),
            learning: true,
            watch: true,
            keys: Vec::new(),
        }
    }
}
