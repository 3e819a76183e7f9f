//! Reads the seed files of a user or a repository, with limits on their number and size.

use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use super::seed_file::Problem;

/// Limit of a file; a hundred concepts take about 50 kB.
const MAX_BYTES: u64 = 256 * 1024;
/// Limit of all files of a folder together; a few thousand concepts fit.
const MAX_ALL_BYTES: u64 = 8 * MAX_BYTES;
/// Limit of the files of a folder.
const MAX_FILES: usize = 200;
/// Subfolders that are read too, named as in `seeds/`.
const FOLDERS: [&str; 3] = ["domains", "frameworks", "languages"];

/// A seed file's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeedText {
    /// Path for messages.
    pub path: String,
    pub text: String,
}

/// The trust in a folder's files, by their owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trust {
    /// The user's own files. Symlinks are followed, because configuration is often kept elsewhere.
    User,
    /// A repository's files. Symlinks are not followed: its author could make them point to any file.
    Repository,
}

impl Trust {
    fn metadata(self, path: &Path) -> io::Result<Metadata> {
        match self {
            Trust::User => fs::metadata(path),
            Trust::Repository => fs::symlink_metadata(path),
        }
    }
}

/// Reads the `.toml` files in `folder` and its subfolders, ordered by name; returns their texts and a problem for each
/// skipped file. A missing folder has no files. `shown` is the folder's path in messages.
pub fn read_folder(folder: &Path, shown: &str, trust: Trust) -> (Vec<SeedText>, Vec<Problem>) {
    let mut texts: Vec<SeedText> = Vec::new();
    let mut problems = Vec::new();
    let mut paths = toml_files(folder, shown, trust);
    for inner in FOLDERS {
        paths.extend(toml_files(&folder.join(inner), &format!("{shown}/{inner}"), trust));
    }
    let mut bytes_left = MAX_ALL_BYTES;
    for (path, shown) in paths {
        match read(&path, trust, texts.len(), bytes_left) {
            Ok(text) => {
                bytes_left -= bytes_left.min(text.len() as u64);
                texts.push(SeedText { path: shown, text });
            }
            Err(message) => problems.push(Problem { path: shown, line: 0, message }),
        }
    }
    (texts, problems)
}

/// Returns the paths of a folder's seed files and their names in messages, sorted.
fn toml_files(folder: &Path, shown: &str, trust: Trust) -> Vec<(PathBuf, String)> {
    let is_folder = trust.metadata(folder).is_ok_and(|metadata| metadata.is_dir());
    let Some(entries) = is_folder.then(|| fs::read_dir(folder).ok()).flatten() else { return Vec::new() };
    let mut found: Vec<(PathBuf, String)> = Vec::new();
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.ends_with(".toml") {
            found.push((entry.path(), format!("{shown}/{name}")));
        }
    }
    found.sort();
    found
}

/// Reads a file within the limits on the number of files and on the remaining bytes.
fn read(path: &Path, trust: Trust, files: usize, bytes_left: u64) -> Result<String, String> {
    if files >= MAX_FILES {
        return Err(format!("left out: more than {MAX_FILES} files of seeds"));
    }
    let metadata = trust.metadata(path).map_err(|error| format!("can't be read: {error}"))?;
    if !metadata.is_file() {
        return Err("left out: not a plain file".to_owned());
    }
    if metadata.len() > MAX_BYTES {
        return Err(format!("left out: longer than {} kB", MAX_BYTES / 1024));
    }
    if metadata.len() > bytes_left {
        return Err(format!("left out: the folder's files of seeds are longer than {} kB", MAX_ALL_BYTES / 1024));
    }
    fs::read_to_string(path).map_err(|error| format!("can't be read: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_ordered_and_skipped_ones_reported() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("seeds");
        fs::create_dir_all(root.join("frameworks")).unwrap();
        fs::write(root.join("b.toml"), "b").unwrap();
        fs::write(root.join("a.toml"), "a").unwrap();
        fs::write(root.join("notes.txt"), "no seeds").unwrap();
        fs::write(root.join("frameworks/own.toml"), "own").unwrap();
        fs::write(root.join("long.toml"), " ".repeat(MAX_BYTES as usize + 1)).unwrap();
        fs::create_dir(root.join("folder.toml")).unwrap();
        let (texts, problems) = read_folder(&root, ".knowing/seeds", Trust::Repository);
        let paths: Vec<&str> = texts.iter().map(|text| text.path.as_str()).collect();
        assert_eq!(paths, [".knowing/seeds/a.toml", ".knowing/seeds/b.toml", ".knowing/seeds/frameworks/own.toml"]);
        assert_eq!(
            problems.iter().map(Problem::to_string).collect::<Vec<_>>(),
            [
                ".knowing/seeds/folder.toml: left out: not a plain file",
                ".knowing/seeds/long.toml: left out: longer than 256 kB",
            ]
        );
    }

    #[test]
    fn total_size_is_limited() {
        let folder = tempfile::tempdir().unwrap();
        for number in 0..10 {
            fs::write(folder.path().join(format!("{number}.toml")), " ".repeat(MAX_BYTES as usize)).unwrap();
        }
        let (texts, problems) = read_folder(folder.path(), "seeds", Trust::Repository);
        assert_eq!((texts.len(), problems.len()), (8, 2));
        assert_eq!(
            problems[0].to_string(),
            "seeds/8.toml: left out: the folder's files of seeds are longer than 2048 kB"
        );
    }

    #[test]
    fn missing_folder_has_no_files() {
        assert_eq!(read_folder(Path::new("no/such/folder"), "x", Trust::User), (Vec::new(), Vec::new()));
    }

    #[cfg(unix)]
    #[test]
    fn symlinks_are_followed_for_the_user_only() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("secret"), "x = 1").unwrap();
        let root = folder.path().join("seeds");
        fs::create_dir(&root).unwrap();
        std::os::unix::fs::symlink(folder.path().join("secret"), root.join("a.toml")).unwrap();
        let (texts, problems) = read_folder(&root, "seeds", Trust::Repository);
        assert!(texts.is_empty() && problems.len() == 1);
        let linked = folder.path().join("linked");
        std::os::unix::fs::symlink(&root, &linked).unwrap();
        assert_eq!(read_folder(&linked, "seeds", Trust::Repository), (Vec::new(), Vec::new()));
        let (texts, problems) = read_folder(&linked, "seeds", Trust::User);
        assert!(texts.len() == 1 && problems.is_empty(), "{problems:?}");
    }
}
