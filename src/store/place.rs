//! Where a repository's database lives.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;

use super::error::StoreError;

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

/// The database of the repository at `root` for reading: the one that [`prepare`] would choose for writing, unless only
/// the other one is there.
pub fn find(root: &Path) -> PathBuf {
    find_beside(root, fallback(root))
}

fn find_beside(root: &Path, other: Option<PathBuf>) -> PathBuf {
    let default = root.join(FOLDER).join(FILE);
    let Some(other) = other else { return default };
    let is_other = match (default.exists(), other.exists()) {
        (_, false) => is_set_up_by_another(root),
        (true, true) => refusal(root, &default).is_some(),
        (false, true) => true,
    };
    if is_other { other } else { default }
}

/// The database of the repository at `root` for writing. Makes the folder and its `.gitignore`.
///
/// # Errors
/// When neither the repository nor the user's data directory can be written.
pub fn prepare(root: &Path) -> Result<Place, StoreError> {
    prepare_beside(root, fallback(root))
}

fn prepare_beside(root: &Path, other: Option<PathBuf>) -> Result<Place, StoreError> {
    let default = root.join(FOLDER).join(FILE);
    let Some((refused, why)) = refusal(root, &default) else {
        return Ok(Place { database: default, notice: None });
    };
    let Some(other) = other else { return Err(refused) };
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

/// Makes the folder in the repository ready; when that is impossible, why, in full and in a few words.
fn refusal(root: &Path, database: &Path) -> Option<(StoreError, &'static str)> {
    if is_set_up_by_another(root) {
        let detail = "it is or holds a symbolic link or another special file".to_owned();
        let refused = StoreError::ReadOnly { path: root.join(FOLDER), detail };
        return Some((refused, "is or holds a link or special file, which is not used"));
    }
    make_folder(database, true).err().map(|refused| (refused, "can't be written"))
}

fn make_folder(database: &Path, with_ignore: bool) -> Result<(), StoreError> {
    let folder = database.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).map_err(|error| StoreError::from_io("make", folder, error))?;
    let ignore = folder.join(".gitignore");
    if with_ignore {
        write_new(&ignore, IGNORE).map_err(|error| StoreError::from_io("write", &ignore, error))?;
    }
    probe(folder)
}

/// A folder that exists may still refuse new files, which SQLite would only report much later.
fn probe(folder: &Path) -> Result<(), StoreError> {
    let probe = folder.join(format!(".probe-{}", std::process::id()));
    write_new(&probe, "").map_err(|error| StoreError::from_io("write into", folder, error))?;
    std::fs::remove_file(&probe).map_err(|error| StoreError::from_io("remove", &probe, error))
}

/// Writes a file unless one is there. What is there stays as it is: a link must not be followed, whoever made it.
fn write_new(path: &Path, text: &str) -> std::io::Result<()> {
    match OpenOptions::new().write(true).create_new(true).open(path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        file => file?.write_all(text.as_bytes()),
    }
}

/// True when the folder is no folder, or something in it that would be opened is no plain file: whoever wrote the
/// repository could have files elsewhere overwritten by a link, or the program wait forever at a pipe.
fn is_set_up_by_another(root: &Path) -> bool {
    let folder = root.join(FOLDER);
    let database = folder.join(FILE);
    let kind = |path: &Path| std::fs::symlink_metadata(path).ok().map(|metadata| metadata.file_type());
    let beside = ["wal", "shm", "journal", "lock", "new", "new-wal", "new-shm", "new-journal", "replaced"];
    let files = beside.map(|suffix| super::lock::beside(&database, suffix));
    kind(&folder).is_some_and(|kind| !kind.is_dir())
        || [folder.join(".gitignore"), database]
            .iter()
            .chain(&files)
            .any(|file| kind(file).is_some_and(|kind| !kind.is_file()))
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
        use std::os::unix::fs::symlink;
        let (root, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let folder = root.path().join(FOLDER);
        symlink(outside.path(), &folder).unwrap();
        assert!(is_set_up_by_another(root.path()) && !find(root.path()).starts_with(root.path()));
        std::fs::remove_file(&folder).unwrap();
        std::fs::create_dir(&folder).unwrap();
        assert!(!is_set_up_by_another(root.path()));
        for name in [".gitignore", "graph.db", "graph.db-lock", "graph.db-new", "graph.db-new-wal", "graph.db-replaced"]
        {
            symlink(outside.path().join("new"), folder.join(name)).unwrap();
            assert!(is_set_up_by_another(root.path()), "{name}");
            std::fs::remove_file(folder.join(name)).unwrap();
        }
        std::fs::create_dir(folder.join("graph.db")).unwrap();
        assert!(is_set_up_by_another(root.path()), "a folder is no database");
    }

    #[cfg(unix)]
    #[test]
    fn a_probe_that_the_repository_holds_overwrites_nothing() {
        let (root, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let victim = outside.path().join("victim");
        std::fs::write(&victim, "precious").unwrap();
        let folder = root.path().join(FOLDER);
        std::fs::create_dir(&folder).unwrap();
        let probe = folder.join(format!(".probe-{}", std::process::id()));
        std::os::unix::fs::symlink(&victim, &probe).unwrap();
        assert_eq!(prepare(root.path()).unwrap().database, folder.join(FILE));
        assert_eq!(std::fs::read_to_string(&victim).unwrap(), "precious");
    }

    #[test]
    fn reading_and_writing_agree_where_the_folder_can_not_be_written() {
        let (root, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let (root, other) = (root.path(), outside.path().join(FILE));
        let (find, prepare) =
            (|| find_beside(root, Some(other.clone())), || prepare_beside(root, Some(other.clone())).unwrap());
        let default = prepare().database;
        std::fs::write(&default, "").unwrap();
        // Refuses the probe to a superuser, too.
        let obstacle = root.join(FOLDER).join(format!(".probe-{}", std::process::id()));
        std::fs::create_dir(&obstacle).unwrap();
        assert_eq!(find(), default, "there is no other one yet");
        let place = prepare();
        assert!(place.database == other && place.notice.is_some_and(|notice| notice.contains("can't be written")));
        std::fs::write(&other, "").unwrap();
        assert_eq!(find(), other);
        std::fs::remove_dir(&obstacle).unwrap();
        assert_eq!((find(), prepare().database), (default.clone(), default));
    }

    #[test]
    fn reading_looks_in_the_repository_first() {
        let root = tempfile::tempdir().unwrap();
        assert_eq!(find(root.path()), root.path().join(".knowing/graph.db"));
    }
}
