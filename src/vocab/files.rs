//! Reads the seed files of a folder that belongs to a user or a repository.

use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use crate::vocab::seed_file::Problem;

/// Longer files are left out; a hundred classes take about 50 kB.
const MAX_BYTES: u64 = 256 * 1024;
/// What goes beyond this in one folder of seeds is left out: a few thousand classes fit.
const MAX_ALL_BYTES: u64 = 8 * MAX_BYTES;
/// More files than this are left out.
const MAX_FILES: usize = 200;
/// Folders in a folder of seeds that are read too, named as in `seeds/`.
const FOLDERS: [&str; 3] = ["domains", "frameworks", "languages"];

/// A seed file's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeedText {
    /// As messages name it.
    pub path: String,
    pub text: String,
}

/// Whose files they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trust {
    /// The user's own: links are followed, as those who keep their configuration elsewhere have them.
    User,
    /// A repository's: links are not followed, for whoever wrote the repository could have any file read.
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

/// The texts of the `.toml` files in `folder` and in its folders `domains`, `frameworks` and `languages`, in the order of
/// their names, and what could not be read. A folder that does not exist has none. `shown` is what messages call the
/// folder.
pub fn read_folder(folder: &Path, shown: &str, trust: Trust) -> (Vec<SeedText>, Vec<Problem>) {
    let mut texts: Vec<SeedText> = Vec::new();
    let mut problems = Vec::new();
    let mut paths = toml_files(folder, shown, trust);
    for inner in FOLDERS {
        paths.extend(toml_files(&folder.join(inner), &format!("{shown}/{inner}"), trust));
    }
    let mut room = MAX_ALL_BYTES;
    for (path, shown) in paths {
        match read(&path, trust, texts.len(), room) {
            Ok(text) => {
                room -= room.min(text.len() as u64);
                texts.push(SeedText { path: shown, text });
            }
            Err(message) => problems.push(Problem { path: shown, line: 0, message }),
        }
    }
    (texts, problems)
}

/// Paths and shown names of a folder's seed files, sorted.
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

/// A file's text, when there are not too many already and there is room for so many bytes.
fn read(path: &Path, trust: Trust, files: usize, room: u64) -> Result<String, String> {
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
    if metadata.len() > room {
        return Err(format!("left out: the folder's files of seeds are longer than {} kB", MAX_ALL_BYTES / 1024));
    }
    fs::read_to_string(path).map_err(|error| format!("can't be read: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_come_in_order_and_oddities_are_told_of() {
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
    fn all_files_together_are_limited_too() {
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
    fn no_folder_has_no_files() {
        assert_eq!(read_folder(Path::new("no/such/folder"), "x", Trust::User), (Vec::new(), Vec::new()));
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_for_the_user_only() {
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
