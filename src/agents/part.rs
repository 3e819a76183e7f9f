//! The parts that an installation adds to files of users, and how each is added and taken back.

use std::path::Path;

use super::edits::{self, Edited, Removal};
use super::files::FileError;
use super::profile::Entry;
use super::record::Reversal;

/// A part of a file.
pub enum Part<'a> {
    Server(&'a Entry),
    Hook(&'a Entry),
    Instructions,
    File(&'static WholeFile),
}

/// A file that is this program's alone.
#[derive(Debug)]
pub struct WholeFile {
    /// The name of the part.
    name: &'static str,
    /// The path below the folder of skills or of the plugin.
    pub path: &'static str,
    text: &'static str,
}

/// The skill of agents.
pub const SKILL: WholeFile =
    WholeFile { name: "skill", path: "knowing/SKILL.md", text: include_str!("../../seeds/agents/skill.md") };

/// The plugin of Neovim.
pub const PLUGIN: [WholeFile; 3] = [
    WholeFile {
        name: "plugin",
        path: "plugin/knowing.lua",
        text: include_str!("../../assets/editors/nvim/plugin/knowing.lua"),
    },
    WholeFile {
        name: "plugin",
        path: "lua/knowing/init.lua",
        text: include_str!("../../assets/editors/nvim/lua/knowing/init.lua"),
    },
    WholeFile {
        name: "plugin",
        path: "doc/knowing.txt",
        text: include_str!("../../assets/editors/nvim/doc/knowing.txt"),
    },
];

impl Part<'_> {
    /// Returns the part's name for users.
    pub fn name(&self) -> &str {
        match self {
            Part::Server(entry) => entry.title.as_deref().unwrap_or("server"),
            Part::Hook(_) => "hooks",
            Part::Instructions => "instructions",
            Part::File(file) => file.name,
        }
    }

    /// Returns the file's text with this part; `text` is `None` if there is no file.
    ///
    /// # Errors
    /// When the file can't be parsed; so for all methods.
    pub fn add(&self, path: &Path, text: Option<&str>, command: &str) -> Result<Edited, FileError> {
        let old = text.unwrap_or("");
        let entry = |entry, append| {
            let edited = edits::with_entry(path, old, entry, command, append);
            edited.map_err(|problem| FileError::new(path, format!("can't be changed: {problem}")))
        };
        match self {
            Part::Server(server) => entry(server, false),
            Part::Hook(hook) => entry(hook, true),
            Part::Instructions => Ok(edits::with_block(old, &edits::markdown_block())),
            Part::File(file) if old == file.text => Ok(Edited::Unchanged),
            Part::File(file) if text.is_none() => Ok(Edited::Text(file.text.to_owned())),
            Part::File(_) => Ok(Edited::Conflict),
        }
    }

    /// Returns whether a text has this part as the user edited it, or of another version, in a place of its own.
    pub fn is_edited_in(&self, text: &str) -> bool {
        let is_other = || edits::with_block(text, &edits::markdown_block()) != Edited::Unchanged;
        matches!(self, Part::Instructions) && edits::without_block(text).is_some() && is_other()
    }

    /// Returns whether the user edited a file that is this program's alone, by the record of what was written.
    pub fn is_edited_file(&self, text: &str, record: Option<&Reversal>) -> bool {
        let is_as_written = || record.and_then(|record| record.apply(text)).is_some_and(|rest| rest.is_empty());
        matches!(self, Part::File(file) if text != file.text) && !is_as_written()
    }

    /// Returns the text without this part; `None` if it is not in it.
    pub fn remove(&self, path: &Path, text: &str) -> Result<Option<Removal>, FileError> {
        let entry = |entry, append| {
            let edited = edits::without_entry(path, text, entry, append);
            edited.map_err(|problem| FileError::new(path, format!("can't be changed: {problem}")))
        };
        match self {
            Part::Server(server) => entry(server, false),
            Part::Hook(hook) => entry(hook, true),
            Part::Instructions => Ok(edits::without_block(text)),
            Part::File(file) if text == file.text => Ok(Some(Removal { text: String::new(), keeps: false })),
            Part::File(_) => Ok(Some(Removal { text: text.to_owned(), keeps: true })),
        }
    }
}
