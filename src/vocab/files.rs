//! Reads the seed files of a folder that belongs to a user or a repository.

use std::fs;
use std::path::{Path, PathBuf};

use crate::vocab::seed_file::Problem;

/// Longer files are left out; a hundred classes take about 50 kB.
const MAX_BYTES: u64 = 256 * 1024;
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

/// The texts of the `.toml` files in `folder` and in its folders `domains`, `frameworks` and `languages`, in the order of
/// their names, and what could not be read. A folder that does not exist has none. Links are not followed: whoever wrote
/// the repository could have any file read. `shown` is what messages call the folder.
pub fn read_folder(folder: &Path, shown: &str) -> (Vec<SeedText>, Vec<Problem>) {
    let mut texts = Vec::new();
    let mut problems = Vec::new();
    let mut paths = toml_files(folder, shown);
    for inner in FOLDERS {
        paths.extend(toml_files(&folder.join(inner), &format!("{shown}/{inner}")));
    }
    for (number, (path, shown)) in paths.into_iter().enumerate() {
        match read(&path, number) {
            Ok(text) => texts.push(SeedText { path: shown, text }),
            Err(message) => problems.push(Problem { path: shown, line: 0, message }),
        }
    }
    (texts, problems)
}

/// Paths and shown names of a folder's seed files, sorted.
fn toml_files(folder: &Path, shown: &str) -> Vec<(PathBuf, String)> {
    let is_folder = fs::symlink_metadata(folder).is_ok_and(|metadata| metadata.is_dir());
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

fn read(path: &Path, number: usize) -> Result<String, String> {
    if number >= MAX_FILES {
        return Err(format!("left out: more than {MAX_FILES} files of seeds"));
    }
    let metadata = fs::symlink_metadata(path).map_err(|error| format!("can't be read: {error}"))?;
    if !metadata.is_file() {
        return Err("left out: not a plain file".to_owned());
    }
    if metadata.len() > MAX_BYTES {
        return Err(format!("left out: longer than {} kB", MAX_BYTES / 1024));
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
        let (texts, problems) = read_folder(&root, ".knowing/seeds");
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
    fn no_folder_has_no_files() {
        assert_eq!(read_folder(Path::new("no/such/folder"), "x"), (Vec::new(), Vec::new()));
    }

    #[cfg(unix)]
    #[test]
    fn links_are_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("secret"), "x = 1").unwrap();
        let root = folder.path().join("seeds");
        fs::create_dir(&root).unwrap();
        std::os::unix::fs::symlink(folder.path().join("secret"), root.join("a.toml")).unwrap();
        let (texts, problems) = read_folder(&root, "seeds");
        assert!(texts.is_empty() && problems.len() == 1);
    }
}
