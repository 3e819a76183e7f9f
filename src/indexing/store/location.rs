//! The location of a repository's database.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;

use super::error::StoreError;

/// Folder in the repository's root.
pub const FOLDER: &str = ".knowing";
/// File name of the database.
const FILE: &str = "graph.db";
/// Seeds may be committed, the database not.
const IGNORE: &str = "*\n!.gitignore\n!seeds/\n!seeds/**\n";

/// The path of a database, and why it is not the default one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DatabaseLocation {
    pub database: PathBuf,
    /// A message for the user when `.knowing` in the repository can't be used.
    pub notice: Option<String>,
}

/// Returns the database of the repository at `root` for reading: the one that [`prepare`] selects, unless only the
/// other one exists.
pub fn find(root: &Path) -> PathBuf {
    find_with_fallback(root, fallback(root))
}

fn find_with_fallback(root: &Path, fallback: Option<PathBuf>) -> PathBuf {
    let default = root.join(FOLDER).join(FILE);
    let Some(fallback) = fallback else { return default };
    let use_fallback = match (default.exists(), fallback.exists()) {
        (_, false) => has_untrusted_entries(root),
        (true, true) => check_repository_folder(root, &default).is_some(),
        (false, true) => true,
    };
    if use_fallback { fallback } else { default }
}

/// Returns the database of the repository at `root` for writing. Creates its folder and `.gitignore`.
///
/// # Errors
/// When neither the repository nor the user's data directory can be written.
pub fn prepare(root: &Path) -> Result<DatabaseLocation, StoreError> {
    prepare_with_fallback(root, fallback(root))
}

fn prepare_with_fallback(root: &Path, fallback: Option<PathBuf>) -> Result<DatabaseLocation, StoreError> {
    let default = root.join(FOLDER).join(FILE);
    let Some((error, reason)) = check_repository_folder(root, &default) else {
        return Ok(DatabaseLocation { database: default, notice: None });
    };
    let Some(fallback) = fallback else { return Err(error) };
    make_folder(&fallback, false)?;
    let notice = format!("{} {reason}; using {}", root.join(FOLDER).display(), fallback.display());
    Ok(DatabaseLocation { database: fallback, notice: Some(notice) })
}

/// Creates the folder of a database that the user selected.
///
/// # Errors
/// When it can't be created or written.
pub fn prepare_file(database: &Path) -> Result<(), StoreError> {
    make_folder(database, false)
}

/// Prepares the folder in the repository. Returns the error and a short reason when it can't be used.
fn check_repository_folder(root: &Path, database: &Path) -> Option<(StoreError, &'static str)> {
    if has_untrusted_entries(root) {
        let detail = "it is or contains a symbolic link or special file".to_owned();
        let error = StoreError::ReadOnly { path: root.join(FOLDER), detail };
        return Some((error, "is or contains a symbolic link or special file"));
    }
    make_folder(database, true).err().map(|error| (error, "can't be written"))
}

fn make_folder(database: &Path, with_ignore: bool) -> Result<(), StoreError> {
    let folder = database.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).map_err(|error| StoreError::from_io("make", folder, error))?;
    let ignore = folder.join(".gitignore");
    if with_ignore {
        write_ignore(&ignore, folder).map_err(|error| StoreError::from_io("write", &ignore, error))?;
    }
    probe(folder)
}

/// Writes `.gitignore` whole or not at all, unless there is one: of a process killed in between an empty one would stay,
/// and the next commit would contain the database. Earlier versions left such files. A link is not followed.
fn write_ignore(path: &Path, folder: &Path) -> std::io::Result<()> {
    if path.symlink_metadata().is_ok_and(|metadata| !metadata.is_file() || metadata.len() > 0) {
        return Ok(());
    }
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o644));
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(IGNORE.as_bytes())?;
    file.persist(path).map(drop).map_err(|error| error.error)
}

/// Creates and removes a file, since SQLite would report an unwritable folder only much later. An existing one may be a
/// link, which must not be followed.
fn probe(folder: &Path) -> Result<(), StoreError> {
    let probe = folder.join(format!(".probe-{}", std::process::id()));
    match OpenOptions::new().write(true).create_new(true).open(&probe) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => {
            return Err(StoreError::from_io("write into", folder, error));
        }
        _ => {}
    }
    std::fs::remove_file(&probe).map_err(|error| StoreError::from_io("remove", &probe, error))
}

/// Returns whether the folder is not a directory, or an entry that would be opened is not a regular file. A
/// repository's author could otherwise have files elsewhere overwritten through a link, or block the program on a pipe.
fn has_untrusted_entries(root: &Path) -> bool {
    let folder = root.join(FOLDER);
    let database = folder.join(FILE);
    let kind = |path: &Path| std::fs::symlink_metadata(path).ok().map(|metadata| metadata.file_type());
    let suffixes = [
        "wal",
        "shm",
        "journal",
        "lock",
        "new",
        "new-wal",
        "new-shm",
        "new-journal",
        "replaced",
        "fetch",
        super::origin::SUFFIX,
        "fetched",
        "fetched-wal",
        "fetched-shm",
        "fetched-journal",
    ];
    let files = suffixes.map(|suffix| super::lock::sibling_path(&database, suffix));
    kind(&folder).is_some_and(|kind| !kind.is_dir())
        || [folder.join(".gitignore"), database]
            .iter()
            .chain(&files)
            .any(|file| kind(file).is_some_and(|kind| !kind.is_file()))
}

/// Returns the database in the user's data directory, in a folder named by a hash of the root's path.
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
    fn gitignore_covers_the_database_but_not_seeds() {
        let root = tempfile::tempdir().unwrap();
        let location = prepare(root.path()).unwrap();
        assert_eq!(location, DatabaseLocation { database: root.path().join(".knowing/graph.db"), notice: None });
        let (rules, problem) = ignore::gitignore::Gitignore::new(root.path().join(".knowing/.gitignore"));
        assert!(problem.is_none());
        let ignored = |path: &str| rules.matched(path.trim_start_matches(".knowing/"), false).is_ignore();
        assert!(ignored(".knowing/graph.db") && ignored(".knowing/graph.db-wal") && ignored(".knowing/graph.db-lock"));
        assert!(!ignored(".knowing/seeds/ours.toml"));
        assert!(!ignored(".knowing/.gitignore"));
    }

    #[test]
    fn an_empty_gitignore_is_written_anew_and_another_is_kept() {
        let root = tempfile::tempdir().unwrap();
        let ignore = root.path().join(FOLDER).join(".gitignore");
        std::fs::create_dir(root.path().join(FOLDER)).unwrap();
        for (before, after) in [("", IGNORE), ("# ours\n", "# ours\n")] {
            std::fs::write(&ignore, before).unwrap();
            prepare(root.path()).unwrap();
            assert_eq!(std::fs::read_to_string(&ignore).unwrap(), after);
        }
    }

    #[cfg(unix)]
    #[test]
    fn symlinked_entries_are_untrusted() {
        use std::os::unix::fs::symlink;
        let (root, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let folder = root.path().join(FOLDER);
        symlink(outside.path(), &folder).unwrap();
        assert!(has_untrusted_entries(root.path()) && !find(root.path()).starts_with(root.path()));
        std::fs::remove_file(&folder).unwrap();
        std::fs::create_dir(&folder).unwrap();
        assert!(!has_untrusted_entries(root.path()));
        for name in [".gitignore", "graph.db", "graph.db-lock", "graph.db-new", "graph.db-new-wal", "graph.db-replaced"]
        {
            symlink(outside.path().join("new"), folder.join(name)).unwrap();
            assert!(has_untrusted_entries(root.path()), "{name}");
            std::fs::remove_file(folder.join(name)).unwrap();
        }
        std::fs::create_dir(folder.join("graph.db")).unwrap();
        assert!(has_untrusted_entries(root.path()), "a folder is not a database");
    }

    #[cfg(unix)]
    #[test]
    fn a_planted_probe_file_is_not_overwritten() {
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
    fn find_and_prepare_agree_on_the_fallback() {
        let (root, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let (root, fallback) = (root.path(), outside.path().join(FILE));
        let (find, prepare) = (
            || find_with_fallback(root, Some(fallback.clone())),
            || prepare_with_fallback(root, Some(fallback.clone())).unwrap(),
        );
        let default = prepare().database;
        std::fs::write(&default, "").unwrap();
        // A directory of the probe's name makes the probe fail for root too.
        let obstacle = root.join(FOLDER).join(format!(".probe-{}", std::process::id()));
        std::fs::create_dir(&obstacle).unwrap();
        assert_eq!(find(), default, "there is no fallback yet");
        let location = prepare();
        assert!(
            location.database == fallback && location.notice.is_some_and(|notice| notice.contains("can't be written"))
        );
        std::fs::write(&fallback, "").unwrap();
        assert_eq!(find(), fallback);
        std::fs::remove_dir(&obstacle).unwrap();
        assert_eq!((find(), prepare().database), (default.clone(), default));
    }

    #[test]
    fn find_prefers_the_repository() {
        let root = tempfile::tempdir().unwrap();
        assert_eq!(find(root.path()), root.path().join(".knowing/graph.db"));
    }
}
