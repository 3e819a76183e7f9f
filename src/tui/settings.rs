//! The settings in force: the user's file, the environment and the command line, put together.

use super::config::{Config, Places};
use super::history::HistoryFile;
use super::keymap::Keymap;
use super::model::Skin;
use super::skin;

/// What the settings come to.
#[derive(Debug, Clone)]
pub struct Settings {
    pub config: Config,
    pub keymap: Keymap,
    pub skin: Skin,
    /// What could not be understood, in words.
    pub complaints: Vec<String>,
}

/// Where settings come from.
pub struct Sources {
    /// None without a home folder.
    pub places: Option<Places>,
    /// False draws without any color.
    pub color: bool,
    /// The theme of the command line.
    pub theme: Option<String>,
    /// False leaves the mouse to the terminal, whatever the file says.
    pub mouse: bool,
    /// The environment.
    pub lookup: fn(&str) -> Option<String>,
}

impl Sources {
    /// Reads everything; what is wrong is left out and said.
    pub fn load(&self) -> Result<Settings, String> {
        let (mut config, complaints) = self.places.as_ref().map(Places::load).unwrap_or_default();
        config.mouse &= self.mouse;
        let (keymap, of_keys) = Keymap::new().with(&config.keys);
        let mut complaints: Vec<String> = complaints.iter().chain(&of_keys).map(ToString::to_string).collect();
        let wanted = self.theme.clone().or_else(|| (self.lookup)("KNOWING_THEME")).or_else(|| config.theme.clone());
        let (skin, complaint) = self.skin(wanted.as_deref(), &config)?;
        complaints.extend(complaint);
        Ok(Settings { config, keymap, skin, complaints })
    }

    /// The file of tasks; none without a home folder.
    pub fn history(&self) -> Option<HistoryFile> {
        self.places.as_ref().map(|places| HistoryFile::new(places.history_file()))
    }

    /// The look with this theme; an unknown one falls back to the default, and the second value says so.
    pub fn skin(&self, theme: Option<&str>, config: &Config) -> Result<(Skin, Option<String>), String> {
        let of_user = |name: &str| self.places.as_ref()?.theme(name);
        skin::choose(theme.filter(|name| !name.is_empty()), config.glyphs, self.color, &self.lookup, &of_user)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_file_with_mistakes_still_starts_the_explorer() {
        let folder = tempfile::tempdir().unwrap();
        let places = Places { config: folder.path().to_owned(), data: folder.path().to_owned() };
        let text = "theme = \"mine\"\ntheem = 1\n[keys.normal]\nX = \"app.nothing\"\nQ = \"app.quit\"\n";
        fs::write(places.config_file(), text).unwrap();
        let sources = Sources { places: Some(places), color: true, theme: None, mouse: true, lookup: |_| None };
        let settings = sources.load().unwrap();
        assert_eq!(settings.skin.theme.name, "ansi");
        let lines = settings.complaints.join("\n");
        assert!(lines.contains("config.toml line 2: unknown setting `theem`"), "{lines}");
        assert!(lines.contains("config.toml line 4: unknown command `app.nothing`"), "{lines}");
        assert!(lines.contains("there is no theme \"mine\""), "{lines}");
    }

    #[test]
    fn themes_come_from_the_users_folder_too() {
        let folder = tempfile::tempdir().unwrap();
        let places = Places { config: folder.path().to_owned(), data: folder.path().to_owned() };
        fs::create_dir_all(folder.path().join("themes")).unwrap();
        fs::write(folder.path().join("themes/mine.toml"), include_str!("../../themes/light.toml")).unwrap();
        let sources =
            Sources { places: Some(places), color: true, theme: Some("mine".into()), mouse: true, lookup: |_| None };
        assert_eq!(sources.load().unwrap().skin.theme.name, "mine");
        assert_eq!(sources.load().unwrap().complaints, [""; 0]);
    }
}
