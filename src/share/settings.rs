//! Which share is used: the environment, else the user's `config.toml`.

use std::path::Path;

use etcetera::BaseStrategy;
use serde::Deserialize;

/// The environment variable that names a share; empty for none.
pub const SHARE_VARIABLE: &str = "KNOWING_SHARE";
/// Limit of the settings file in bytes; a larger one is not the user's.
const MAX_CONFIG_BYTES: u64 = 1 << 20;

#[derive(Deserialize, Default)]
struct Config {
    #[serde(default)]
    share: ShareSettings,
}

#[derive(Deserialize, Default)]
struct ShareSettings {
    url: Option<String>,
}

/// Returns the URL or folder of the share that the user has chosen: `KNOWING_SHARE`, else `[share] url` in `config.toml`.
/// A repository can't choose one.
pub fn configured_share() -> Option<String> {
    let chosen = match std::env::var(SHARE_VARIABLE) {
        Ok(url) => Some(url),
        Err(_) => {
            let base = etcetera::choose_base_strategy().ok()?;
            configured_in(&base.config_dir().join("knowing/config.toml"))
        }
    };
    chosen.map(|url| url.trim().to_owned()).filter(|url| !url.is_empty())
}

/// Returns the share in a settings file. The explorer reports settings that can't be parsed.
fn configured_in(file: &Path) -> Option<String> {
    if std::fs::metadata(file).ok()?.len() > MAX_CONFIG_BYTES {
        return None;
    }
    toml::from_str::<Config>(&std::fs::read_to_string(file).ok()?).ok()?.share.url
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_settings_file_names_a_share() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("config.toml");
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
