//! Where a repository's database lives.

use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;

use super::error::StoreError;
use super::lock::beside;

/// Folder in the repository's root.
const FOLDER: &str = ".knowing";
/// The database's file name.
const FILE: &str = "graph.db";
/// A team may commit its seeds, but not the database.
const IGNORE: &str = "*\n!.gitignore\n!seeds/\n!seeds/**\n";

/// A database's place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    pub database: PathBuf,
    /// Set when `.knowing` in the repository can't be written: a line that tells the user so.
    pub notice: Option<String>,
}

/// The database of the repository at `root` for reading: wherever one is, else where one would be made.
pub fn find(root: &Path) -> PathBuf {
    let default = root.join(FOLDER).join(FILE);
    match fallback(root) {
        Some(other) if has_link(root) || (!default.exists() && other.exists()) => other,
        _ => default,
    }
}

/// The database of the repository at `root` for writing. Makes the folder and its `.gitignore`.
///
/// # Errors
/// When neither the repository nor the user's data directory can be written.
pub fn prepare(root: &Path) -> Result<Place, StoreError> {
    let default = root.join(FOLDER).join(FILE);
    let (refused, why) = if has_link(root) {
        let detail = "it is or holds a symbolic link".to_owned();
        (StoreError::ReadOnly { path: root.join(FOLDER), detail }, "is or holds a symbolic link, which is not followed")
    } else {
        match make_folder(&default, true) {
            Ok(()) => return Ok(Place { database: default, notice: None }),
            Err(refused) => (refused, "can't be written"),
        }
    };
    let Some(other) = fallback(root) else { return Err(refused) };
    make_folder(&other, false)?;
    let notice = format!("{} {why}; the index is kept in {}", root.join(FOLDER).display(), other.display());
    Ok(Place { database: other, notice: Some(notice) })
}

/// Makes the folder of a database that the user chose.
///
/// # Errors
/// When it can't be made or written.
pub fn prepare_file(database: &Path) -> Result<(), StoreError> {
    make_folder(database, false)
}

fn make_folder(database: &Path, with_ignore: bool) -> Result<(), StoreError> {
    let folder = database.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).map_err(|error| StoreError::from_io("make", folder, error))?;
    let ignore = folder.join(".gitignore");
    if with_ignore && !ignore.exists() {
        std::fs::write(&ignore, IGNORE).map_err(|error| StoreError::from_io("write", &ignore, error))?;
    }
    // A folder that exists may still refuse new files, which SQLite would only report much later.
    let probe = folder.join(format!(".probe-{}", std::process::id()));
    std::fs::write(&probe, b"").map_err(|error| StoreError::from_io("write into", folder, error))?;
    std::fs::remove_file(&probe).map_err(|error| StoreError::from_io("remove", &probe, error))
}

/// True when something that would be written in the repository's folder is a link: whoever wrote the repository could
/// have files elsewhere overwritten by it.
fn has_link(root: &Path) -> bool {
    let folder = root.join(FOLDER);
    let database = folder.join(FILE);
    let beside = ["wal", "shm", "journal", "lock", "new"].map(|suffix| beside(&database, suffix));
    let is_link = |path: &Path| std::fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink());
    is_link(&folder) || is_link(&folder.join(".gitignore")) || is_link(&database) || beside.iter().any(|p| is_link(p))
}

/// The place in the user's data directory: one folder for each root, named by a hash of its path.
fn fallback(root: &Path) -> Option<PathBuf> {
    let data = etcetera::choose_base_strategy().ok()?.data_dir();
    let root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
    let hash = blake3::hash(root.as_os_str().as_encoded_bytes()).to_hex();
    Some(data.join("knowing").join(&hash.as_str()[..16]).join(FILE))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ignore_file_hides_the_database_but_not_seeds() {
        let root = tempfile::tempdir().unwrap();
        let place = prepare(root.path()).unwrap();
        assert_eq!(place, Place { database: root.path().join(".knowing/graph.db"), notice: None });
        let (rules, problem) = ignore::gitignore::Gitignore::new(root.path().join(".knowing/.gitignore"));
        assert!(problem.is_none());
        let ignored = |path: &str| rules.matched(path.trim_start_matches(".knowing/"), false).is_ignore();
        assert!(ignored(".knowing/graph.db") && ignored(".knowing/graph.db-wal") && ignored(".knowing/graph.db-lock"));
        assert!(!ignored(".knowing/seeds/ours.toml"));
        assert!(!ignored(".knowing/.gitignore"));
    }

    #[cfg(unix)]
    #[test]
    fn links_are_not_written_through() {
        let (root, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let folder = root.path().join(FOLDER);
        std::os::unix::fs::symlink(outside.path(), &folder).unwrap();
        assert!(has_link(root.path()) && !find(root.path()).starts_with(root.path()));
        std::fs::remove_file(&folder).unwrap();
        std::fs::create_dir(&folder).unwrap();
        assert!(!has_link(root.path()));
        std::os::unix::fs::symlink(outside.path().join("new"), folder.join("graph.db-lock")).unwrap();
        assert!(has_link(root.path()));
    }

    #[test]
    fn reading_looks_in_the_repository_first() {
        let root = tempfile::tempdir().unwrap();
        assert_eq!(find(root.path()), root.path().join(".knowing/graph.db"));
    }
}
