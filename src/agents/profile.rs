//! The agents, from `seeds/agents/*.toml`: where each reads servers, instructions, skills and hooks.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use serde::Deserialize;

use crate::user_dirs;

const SEEDS: [(&str, &str); 9] = [
    ("claude", include_str!("../../seeds/agents/claude.toml")),
    ("codex", include_str!("../../seeds/agents/codex.toml")),
    ("cursor", include_str!("../../seeds/agents/cursor.toml")),
    ("gemini", include_str!("../../seeds/agents/gemini.toml")),
    ("helix", include_str!("../../seeds/agents/helix.toml")),
    ("nvim", include_str!("../../seeds/agents/nvim.toml")),
    ("opencode", include_str!("../../seeds/agents/opencode.toml")),
    ("vscode", include_str!("../../seeds/agents/vscode.toml")),
    ("zed", include_str!("../../seeds/agents/zed.toml")),
];

/// The files that are changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// Those in the repository.
    Project,
    /// Those in the user's home folder, for every repository.
    User,
}

/// An agent or an editor: the formats and locations of its configuration.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// The value of `--agent` or `--editor`.
    #[serde(skip)]
    pub name: &'static str,
    pub title: String,
    /// Files and folders, one of which exists where the agent is in use.
    signs: Vec<String>,
    /// Environment variables in paths, with their defaults.
    #[serde(default)]
    variables: BTreeMap<String, Default>,
    /// Whether it is a value of `--editor`.
    #[serde(default)]
    editor: bool,
    #[serde(default)]
    project: Locations,
    user: Locations,
    /// The entry that registers the server; `--agent` does not accept an editor without one.
    pub(super) server: Option<Entry>,
    #[serde(default)]
    pub(super) hooks: Vec<Entry>,
}

/// The value of an environment variable that is not set.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
enum Default {
    Everywhere(String),
    /// By the name of the operating system; that of `linux` for others.
    PerSystem(BTreeMap<String, String>),
}

/// The files of one scope. Those that the agent does not have are `None`.
#[derive(Debug, Clone, Deserialize, std::default::Default)]
#[serde(deny_unknown_fields)]
pub(super) struct Locations {
    pub server: Option<String>,
    pub instructions: Option<String>,
    /// The folder of skills.
    pub skills: Option<String>,
    pub hooks: Option<String>,
    /// The folder of an editor's plugin.
    pub plugin: Option<String>,
}

/// A value in a configuration file.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Entry {
    /// The keys that lead to it.
    pub at: Vec<String>,
    /// The kind of entry, if not a server.
    pub title: Option<String>,
    pub value: toml::Value,
}

/// Returns the agents and editors, by name.
pub fn profiles() -> &'static [Profile] {
    static PROFILES: LazyLock<Vec<Profile>> = LazyLock::new(|| {
        let parse = |(name, text): (&'static str, &str)| match toml::from_str::<Profile>(text) {
            Ok(profile) => Profile { name, ..profile },
            Err(error) => unreachable!("seeds/agents/{name}.toml: {error}"),
        };
        SEEDS.into_iter().map(parse).collect()
    });
    &PROFILES
}

impl Profile {
    /// Returns whether it can be registered with, as agents can.
    pub fn is_agent(&self) -> bool {
        self.server.is_some()
    }

    /// Returns whether it is an editor.
    pub fn is_editor(&self) -> bool {
        self.editor
    }

    /// Returns whether a file or folder of the agent exists in the repository at `root` or in the user's home folder.
    pub fn is_in_use(&self, root: &Path) -> bool {
        self.signs.iter().any(|sign| self.path(sign, root).is_some_and(|path| path.exists()))
    }

    pub(super) fn locations(&self, scope: Scope) -> &Locations {
        match scope {
            Scope::Project => &self.project,
            Scope::User => &self.user,
        }
    }

    /// Resolves a path of the profile: `~/` is the home folder, `$NAME` at its start a variable, `$CONFIG` the folder of
    /// configurations; others are relative to `root`. `None` without a home folder.
    pub(super) fn path(&self, text: &str, root: &Path) -> Option<PathBuf> {
        if let Some(rest) = text.strip_prefix("~/") {
            return Some(user_dirs::home()?.join(rest));
        }
        let Some(rest) = text.strip_prefix('$') else { return Some(root.join(text)) };
        let (name, rest) = rest.split_once('/').unwrap_or((rest, ""));
        if name == "CONFIG" {
            return Some(user_dirs::config_home()?.join(rest));
        }
        if let Some(value) = std::env::var_os(name).filter(|value| !value.is_empty()) {
            return Some(PathBuf::from(value).join(rest));
        }
        let default = match self.variables.get(name)? {
            Default::Everywhere(default) => default,
            Default::PerSystem(defaults) => defaults.get(std::env::consts::OS).or_else(|| defaults.get("linux"))?,
        };
        Some(self.path(default, root)?.join(rest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_seed_is_valid_and_resolves_its_paths() {
        for profile in profiles() {
            for scope in [Scope::Project, Scope::User] {
                let Locations { server, instructions, skills, hooks, plugin } = profile.locations(scope);
                for path in [server, instructions, skills, hooks, plugin].into_iter().flatten() {
                    let resolved = profile.path(path, Path::new("/repository"));
                    let resolved = resolved.unwrap_or_else(|| panic!("{}: {path}", profile.name));
                    assert_eq!(
                        resolved.starts_with("/repository"),
                        scope == Scope::Project,
                        "{}: {path}",
                        profile.name
                    );
                }
                assert_eq!(hooks.is_some(), !profile.hooks.is_empty(), "{}", profile.name);
                assert_eq!(server.is_some(), profile.is_agent(), "{}", profile.name);
                assert_eq!(plugin.is_some(), scope == Scope::User && !profile.is_agent(), "{}", profile.name);
            }
        }
    }

    #[test]
    fn instructions_have_at_most_six_lines_with_their_markers() {
        let block = super::super::edits::markdown_block();
        assert!(block.trim().lines().count() <= 6, "{block}");
    }
}
