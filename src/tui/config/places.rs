//! Where the user's own files lie, and reading them.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;

use super::{Complaint, Config, read};

/// The folders for configuration and for what the program remembers; XDG's on every system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Places {
    /// Holds `config.toml` and `themes/`.
    pub config: PathBuf,
    /// Holds the history of tasks.
    pub data: PathBuf,
}

impl Places {
    /// The user's folders; none without a home.
    pub fn of_user() -> Option<Places> {
        let base = etcetera::choose_base_strategy().ok()?;
        Some(Places { config: base.config_dir().join("knowing"), data: base.data_dir().join("knowing") })
    }

    /// The settings file.
    pub fn config_file(&self) -> PathBuf {
        self.config.join("config.toml")
    }

    /// The tasks typed so far.
    pub fn history_file(&self) -> PathBuf {
        self.data.join("history.jsonl")
    }

    /// The text of the user's theme of this name, where there is one; the name can't lead out of the folder.
    pub fn theme(&self, name: &str) -> Option<io::Result<String>> {
        let is_plain = !name.is_empty() && name.chars().all(|letter| letter.is_alphanumeric() || "-_".contains(letter));
        let file = self.config.join("themes").join(format!("{name}.toml"));
        (is_plain && file.is_file()).then(|| fs::read_to_string(file))
    }

    /// The settings and what is wrong with them; no file is no fault.
    pub fn load(&self) -> (Config, Vec<Complaint>) {
        let file = self.config_file();
        match fs::read_to_string(&file) {
            Ok(text) => read(&text),
            Err(error) if error.kind() == io::ErrorKind::NotFound => (Config::default(), Vec::new()),
            Err(error) => (Config::default(), vec![unreadable(&file, &error)]),
        }
    }
}

fn unreadable(file: &Path, error: &io::Error) -> Complaint {
    Complaint { line: 1, text: format!("{} can't be read: {error}", file.display()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_file_is_fine_and_an_unreadable_one_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let places = Places { config: folder.path().join("c"), data: folder.path().join("d") };
        assert_eq!(places.load(), (Config::default(), Vec::new()));
        fs::create_dir_all(places.config_file()).unwrap();
        let (config, complaints) = places.load();
        assert_eq!(config, Config::default());
        assert!(complaints[0].text.contains("config.toml can't be read"), "{complaints:?}");
    }

    #[test]
    fn a_theme_is_found_by_its_plain_name_only() {
        let folder = tempfile::tempdir().unwrap();
        let places = Places { config: folder.path().to_owned(), data: folder.path().to_owned() };
        fs::create_dir_all(folder.path().join("themes")).unwrap();
        fs::write(folder.path().join("themes/mine.toml"), "x").unwrap();
        assert_eq!(places.theme("mine").unwrap().unwrap(), "x");
        assert!(places.theme("yours").is_none());
        assert!(places.theme("../themes/mine").is_none());
    }
}
