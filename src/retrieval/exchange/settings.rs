//! Settings of the exchange: whether agents' requests are journaled.

use std::path::Path;

use serde::Deserialize;

use crate::user_dirs;

/// The environment variable that switches the journal off with `off`, `0`, `false` or `no`.
pub const JOURNAL_VARIABLE: &str = "KNOWING_JOURNAL";

/// Limit of the settings file in bytes; a larger one is not the user's.
const MAX_CONFIG_BYTES: u64 = 1 << 20;

#[derive(Deserialize, Default)]
struct Config {
    #[serde(default)]
    agents: Agents,
}

#[derive(Deserialize)]
struct Agents {
    #[serde(default = "enabled")]
    journal: bool,
}

impl Default for Agents {
    fn default() -> Agents {
        Agents { journal: enabled() }
    }
}

fn enabled() -> bool {
    true
}

/// Returns whether requests of agents are journaled: unless `KNOWING_JOURNAL` or `[agents] journal` in the user's
/// `config.toml` switches it off. Settings that can't be parsed switch it off, because they might.
pub fn is_journal_enabled() -> bool {
    match std::env::var(JOURNAL_VARIABLE) {
        Ok(value) => is_on(&value),
        Err(_) => user_dirs::config().is_none_or(|folder| is_enabled_in(&folder.join("config.toml"))),
    }
}

fn is_on(value: &str) -> bool {
    !["off", "0", "false", "no"].contains(&value.trim().to_lowercase().as_str())
}

fn is_enabled_in(file: &Path) -> bool {
    let Ok(metadata) = std::fs::metadata(file) else { return true };
    let text = (metadata.len() <= MAX_CONFIG_BYTES).then(|| std::fs::read_to_string(file));
    match text {
        Some(Ok(text)) => toml::from_str::<Config>(&text).is_ok_and(|config| config.agents.journal),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_variable_switches_off() {
        assert!(["on", "1", "", "yes"].into_iter().all(is_on));
        assert!(["off", "OFF", "0", " false ", "no"].into_iter().all(|value| !is_on(value)));
    }

    #[test]
    fn the_settings_file_switches_off() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("config.toml");
        assert!(is_enabled_in(&file), "no file");
        for (text, expected) in [
            ("", true),
            ("theme = \"dark\"\n", true),
            ("[agents]\njournal = true\n", true),
            ("[agents]\njournal = false\n", false),
            ("[agents]\njournal = \"maybe\"\n", false),
            ("[agents\n", false),
        ] {
            std::fs::write(&file, text).unwrap();
            assert_eq!(is_enabled_in(&file), expected, "{text}");
        }
    }
}
