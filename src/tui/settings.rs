//! The effective settings: the user's file, the environment and the command line.

use std::path::Path;

use super::appearance::{self, Background};
use super::keymap::Keymap;
use super::model::Appearance;
use super::session::SessionFolder;
use super::theme::ThemeError;
use super::user_dirs::UserDirs;
use crate::config::{ConfigError, Explorer, FILE_NAME, UserConfig};

/// The effective settings.
#[derive(Debug, Clone)]
pub struct Settings {
    pub config: Explorer,
    pub keymap: Keymap,
    pub appearance: Appearance,
    /// Messages about invalid settings.
    pub config_errors: Vec<String>,
}

/// The sources of the settings.
pub struct SettingsLoader {
    /// `None` without a home folder.
    pub user_dirs: Option<UserDirs>,
    /// Whether to draw colors.
    pub color: bool,
    /// The theme given on the command line.
    pub theme: Option<String>,
    /// Whether to capture the mouse; false overrides the file.
    pub mouse: bool,
    /// The background that the terminal has reported.
    pub background: Option<Background>,
    /// Looks up an environment variable.
    pub lookup: fn(&str) -> Option<String>,
}

impl SettingsLoader {
    /// Loads the settings. Invalid ones keep their defaults and are listed in `config_errors`.
    ///
    /// # Errors
    /// When the default theme is invalid.
    pub fn load(&self) -> Result<Settings, ThemeError> {
        let user =
            self.user_dirs.as_ref().map_or_else(|| UserConfig::parse(""), |dirs| UserConfig::load_in(&dirs.config));
        let (mut config, config_errors) = (user.explorer, user.problems);
        config.mouse &= self.mouse;
        let (keymap, key_errors) = Keymap::new().with(&config.keys);
        let mut config_errors: Vec<String> = config_errors.iter().chain(&key_errors).map(ToString::to_string).collect();
        let given = self.theme.clone().or_else(|| (self.lookup)("KNOWING_THEME"));
        let of_file = config.theme.as_ref().filter(|_| given.is_none());
        let theme = given.as_deref().or(of_file.map(|(_, theme)| theme.as_str()));
        let (appearance, theme_error) = self.appearance(theme, &config)?;
        config_errors.extend(theme_error.map(|text| match of_file {
            Some((line, _)) => ConfigError::at(FILE_NAME, *line, &text).to_string(),
            None => text,
        }));
        Ok(Settings { config, keymap, appearance, config_errors })
    }

    /// Returns the folder with session, trails and history of a repository, or `None` without a home folder.
    pub fn session_folder(&self, root: &Path) -> Option<SessionFolder> {
        self.user_dirs.as_ref().map(|dirs| SessionFolder::new(dirs.repository(root)))
    }

    /// Returns the appearance with this theme. An invalid theme falls back to the default; the second value is its
    /// error.
    ///
    /// # Errors
    /// When the default theme is invalid.
    pub fn appearance(
        &self,
        theme: Option<&str>,
        config: &Explorer,
    ) -> Result<(Appearance, Option<String>), ThemeError> {
        let read_theme = |name: &str| self.user_dirs.as_ref()?.theme(name);
        let theme = theme.filter(|name| !name.is_empty());
        appearance::choose(theme, config.glyphs, self.color, &self.lookup, self.background, &read_theme)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn invalid_settings_keep_defaults() {
        let folder = tempfile::tempdir().unwrap();
        let dirs = UserDirs { config: folder.path().to_owned(), data: folder.path().to_owned() };
        let text = "theme = \"mine\"\ntheem = 1\n[keys.normal]\nX = \"app.nothing\"\nQ = \"app.quit\"\n";
        fs::write(folder.path().join("config.toml"), text).unwrap();
        let loader = SettingsLoader {
            user_dirs: Some(dirs),
            color: true,
            theme: None,
            mouse: true,
            background: None,
            lookup: |_| None,
        };
        let settings = loader.load().unwrap();
        assert_eq!(settings.appearance.theme.name, "ansi");
        let lines = settings.config_errors.join("\n");
        assert!(lines.contains("config.toml line 2: unknown setting `theem`"), "{lines}");
        assert!(lines.contains("config.toml line 4: unknown command `app.nothing`"), "{lines}");
        assert!(lines.contains("config.toml line 1: unknown theme \"mine\""), "{lines}");
    }

    #[test]
    fn themes_are_loaded_from_the_users_folder() {
        let folder = tempfile::tempdir().unwrap();
        let dirs = UserDirs { config: folder.path().to_owned(), data: folder.path().to_owned() };
        fs::create_dir_all(folder.path().join("themes")).unwrap();
        fs::write(folder.path().join("themes/mine.toml"), include_str!("../../themes/light.toml")).unwrap();
        let loader = SettingsLoader {
            user_dirs: Some(dirs),
            color: true,
            theme: Some("mine".into()),
            mouse: true,
            background: None,
            lookup: |_| None,
        };
        assert_eq!(loader.load().unwrap().appearance.theme.name, "mine");
        assert_eq!(loader.load().unwrap().config_errors, [""; 0]);
    }
}
