//! Which share is used: the environment, else the user's settings.

use super::experience::SyncOptions;
use crate::config::{ConfigError, Feedback, UserConfig};

/// The environment variable that names a share; empty for none.
pub const SHARE_VARIABLE: &str = "KNOWING_SHARE";

/// Returns the URL or folder of the share that the user has chosen: `KNOWING_SHARE`, else `[share] url` in `config.toml`.
/// A repository can't choose one.
///
/// # Errors
/// When the variable is not set, and the settings can't be read.
pub fn configured_share() -> Result<Option<String>, ConfigError> {
    match std::env::var(SHARE_VARIABLE) {
        Ok(url) => Ok(filled(url)),
        Err(_) => share_of(UserConfig::load()),
    }
}

/// Returns the share and the options for exchanging votes; `None` unless `[feedback] sync` in `config.toml` is true.
///
/// # Errors
/// When the settings can't be read.
pub fn configured_sync() -> Result<Option<(String, SyncOptions)>, ConfigError> {
    let feedback = UserConfig::load().feedback?;
    let share = if feedback.sync { configured_share()? } else { None };
    Ok(share.map(|url| (url, feedback.into())))
}

impl SyncOptions {
    /// Returns the options of `[feedback]` in `config.toml`.
    ///
    /// # Errors
    /// When the settings can't be read.
    pub fn configured() -> Result<SyncOptions, ConfigError> {
        Ok(UserConfig::load().feedback?.into())
    }
}

impl From<Feedback> for SyncOptions {
    fn from(settings: Feedback) -> SyncOptions {
        SyncOptions { name: settings.name, shares_texts: settings.texts }
    }
}

fn share_of(config: UserConfig) -> Result<Option<String>, ConfigError> {
    Ok(config.share?.url.and_then(filled))
}

fn filled(url: String) -> Option<String> {
    Some(url.trim().to_owned()).filter(|url| !url.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_hides_the_share_is_an_error() {
        let share = |text: &str| share_of(UserConfig::parse(text)).map_err(|error| error.to_string());
        let team = Ok(Some("s3://indexes/team".to_owned()));
        assert_eq!(share("[feedback]\nsync = 3\n[share]\nurl = \" s3://indexes/team\"\ntheme = 1\n"), {
            Err("config.toml line 5: share: unknown field `theme`, expected `url`".to_owned())
        });
        assert_eq!(share("theme = 1\n[feedback]\nsync = 3\n[share]\nurl = \" s3://indexes/team\"\n"), team);
        assert_eq!(share("[share]\nurl = \" \"\n"), Ok(None));
        for (text, line) in [("[share]\nurl = 3\n", 2), ("\n[share\n", 2), ("mouse =\n[share]\nurl = \"x\"\n", 1)] {
            let error = share(text).unwrap_err();
            assert!(error.starts_with(&format!("config.toml line {line}: ")), "{text}: {error}");
        }
    }
}
