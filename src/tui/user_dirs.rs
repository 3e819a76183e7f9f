//! The user's folders and the files in them.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::text::prefix;
use crate::user_dirs;

/// The folders for configuration and data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserDirs {
    /// Holds `config.toml` and `themes/`.
    pub config: PathBuf,
    /// Contains the sessions, trails and histories of repositories.
    pub data: PathBuf,
}

/// Bytes of a repository's name in the name of its folder.
const MAX_NAME_BYTES: usize = 200;

impl UserDirs {
    /// Returns the user's folders, or `None` without a home folder.
    pub fn find() -> Option<UserDirs> {
        Some(UserDirs { config: user_dirs::config()?, data: user_dirs::data().ok()? })
    }

    /// Returns the folder with session, trails and history of the repository with this root.
    pub fn repository(&self, root: &Path) -> PathBuf {
        let hash = blake3::hash(root.as_os_str().as_encoded_bytes()).to_hex();
        let name = root.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        // The hash tells repositories apart: of a long name the start is enough, as file systems allow 255 bytes.
        let name = prefix(&name, MAX_NAME_BYTES);
        self.data.join("repositories").join(format!("{name}-{}", &hash[..16]))
    }

    /// Reads the user's theme of this name, if there is one. Names with path separators are not looked up.
    pub fn theme(&self, name: &str) -> Option<io::Result<String>> {
        let is_file_name =
            !name.is_empty() && name.chars().all(|letter| letter.is_alphanumeric() || "-_".contains(letter));
        let file = self.config.join("themes").join(format!("{name}.toml"));
        (is_file_name && file.is_file()).then(|| fs::read_to_string(file))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_name_of_a_repository_is_shortened() {
        let folder = tempfile::tempdir().unwrap();
        let dirs = UserDirs { config: folder.path().join("c"), data: folder.path().join("d") };
        let name = |root: &str| dirs.repository(Path::new(root)).file_name().unwrap().to_str().unwrap().to_owned();
        assert!(name("/r/flask").starts_with("flask-"));
        for long in ["x".repeat(255), "é".repeat(127)] {
            let [one, other] = ["/a/", "/b/"].map(|parent| name(&format!("{parent}{long}")));
            assert!(one.len() <= 217 && one.starts_with(&long[..200]), "{one}");
            assert_ne!(one, other);
            fs::create_dir_all(dirs.data.join(one)).unwrap();
        }
    }

    #[test]
    fn theme_name_cannot_leave_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let dirs = UserDirs { config: folder.path().to_owned(), data: folder.path().to_owned() };
        fs::create_dir_all(folder.path().join("themes")).unwrap();
        fs::write(folder.path().join("themes/mine.toml"), "x").unwrap();
        assert_eq!(dirs.theme("mine").unwrap().unwrap(), "x");
        assert!(dirs.theme("yours").is_none());
        assert!(dirs.theme("../themes/mine").is_none());
    }
}
