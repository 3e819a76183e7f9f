//! Which share is used: the environment, else the user's `config.toml`.

use std::path::Path;

use serde::Deserialize;

use super::experience::SyncOptions;
use crate::user_dirs;

/// The environment variable that names a share; empty for none.
pub const SHARE_VARIABLE: &str = "KNOWING_SHARE";
/// Limit of the settings file in bytes; a larger one is not the user's.
const MAX_CONFIG_BYTES: u64 = 1 << 20;

#[derive(Deserialize, Default)]
struct Config {
    #[serde(default)]
    share: ShareSettings,
    #[serde(default)]
    feedback: FeedbackSettings,
}

#[derive(Deserialize, Default)]
struct ShareSettings {
    url: Option<String>,
}

#[derive(Deserialize, Default)]
struct FeedbackSettings {
    #[serde(default)]
    sync: bool,
    #[serde(default)]
    name: String,
    #[serde(default)]
    texts: bool,
}

/// Returns the share and the options for exchanging votes; `None` unless `[feedback] sync` in `config.toml` is true.
pub fn configured_sync() -> Option<(String, SyncOptions)> {
    let settings = user_config()?.feedback;
    settings.sync.then(configured_share).flatten().map(|url| (url, SyncOptions::configured()))
}

impl SyncOptions {
    /// Returns the options of `[feedback]` in `config.toml`.
    pub fn configured() -> SyncOptions {
        let settings = user_config().unwrap_or_default().feedback;
        SyncOptions { name: settings.name, shares_texts: settings.texts }
    }
}

/// Returns the URL or folder of the share that the user has chosen: `KNOWING_SHARE`, else `[share] url` in `config.toml`.
/// A repository can't choose one.
pub fn configured_share() -> Option<String> {
    let chosen = match std::env::var(SHARE_VARIABLE) {
        Ok(url) => Some(url),
        Err(_) => user_config()?.share.url,
    };
    chosen.map(|url| url.trim().to_owned()).filter(|url| !url.is_empty())
}

fn user_config() -> Option<Config> {
    config_in(&user_dirs::config()?.join("config.toml"))
}

/// Reads a settings file. The explorer reports settings that can't be parsed.
fn config_in(file: &Path) -> Option<Config> {
    if std::fs::metadata(file).ok()?.len() > MAX_CONFIG_BYTES {
        return None;
    }
    toml::from_str(&std::fs::read_to_string(file).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_settings_file_names_a_share() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("config.toml");
        let configured_in = |file: &Path| config_in(file).and_then(|config| config.share.url);
        assert_eq!(configured_in(&file), None);
        for (text, expected) in [
            ("theme = \"dark\"\n[share]\nurl = \"s3://indexes/team\"\n", Some("s3://indexes/team")),
            ("[share]\n", None),
            ("[share]\nurl = 3\n", None),
            ("[share\n", None),
        ] {
            std::fs::write(&file, text).unwrap();
            assert_eq!(configured_in(&file).as_deref(), expected, "{text}");
        }
    }
}
