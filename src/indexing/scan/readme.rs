//! Reads README files: those of the checked-out commit, or of the folder where there is none.

use std::fs;
use std::path::Path;

use gix::ObjectId;
use gix::objs::tree::EntryKind;

use super::git::{Git, GitError, open};
use super::history::HistoryError;
use super::read::read_text_inside;

/// Limit of the README files that are read.
const MAX_READMES: usize = 50;
/// Limit of a README file, in bytes.
const MAX_README_BYTES: u64 = 256 << 10;
/// Limit of the entries of a folder that are compared.
const MAX_ENTRIES: usize = 10_000;

/// Returns the text of the first README file of each folder, the shallowest folders first. `folders` are paths relative to
/// `root`, empty for `root` itself. What is not committed is not read if there is a commit.
///
/// # Errors
/// When there is a `.git` that cannot be read.
pub fn readmes(root: &Path, folders: &[&str]) -> Result<Vec<String>, HistoryError> {
    let mut folders = folders.to_vec();
    folders.sort_by_key(|folder| (folder.split('/').filter(|part| !part.is_empty()).count(), *folder));
    folders.dedup();
    let repository = open(root)?;
    let head = repository.as_ref().map(Git::head).transpose()?.flatten();
    let committed = repository.as_ref().zip(head);
    let mut found = Vec::new();
    for folder in folders {
        let bytes = match committed {
            Some((repository, commit)) => in_commit(repository, commit, folder)?,
            None => in_folder(root, folder),
        };
        found.extend(bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()));
        if found.len() == MAX_READMES {
            break;
        }
    }
    Ok(found)
}

fn is_readme(name: &str) -> bool {
    name.get(..6).is_some_and(|start| start.eq_ignore_ascii_case("readme"))
        && matches!(name.as_bytes().get(6), None | Some(b'.'))
}

fn in_folder(root: &Path, folder: &str) -> Option<Vec<u8>> {
    let entries = fs::read_dir(root.join(folder)).ok()?.take(MAX_ENTRIES).flatten();
    let mut names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.retain(|name| is_readme(name));
    names.sort();
    let path = |name: &String| if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
    names.iter().find_map(|name| read_text_inside(root, &path(name), MAX_README_BYTES).ok())
}

fn in_commit(git: &Git, commit: ObjectId, folder: &str) -> Result<Option<Vec<u8>>, GitError> {
    let mut tree = git.commit(commit)?.tree()?;
    if !folder.is_empty() {
        match tree.lookup_entry(folder.split('/').map(str::as_bytes))? {
            Some(entry) if entry.mode().is_tree() => tree = git.repository.find_tree(entry.object_id())?,
            _ => return Ok(None),
        }
    }
    // A link is of another kind. Entries are sorted by name.
    let is_file = |kind: EntryKind| matches!(kind, EntryKind::Blob | EntryKind::BlobExecutable);
    for entry in tree.iter().take(MAX_ENTRIES) {
        let entry = entry?;
        let is_named = std::str::from_utf8(entry.filename()).is_ok_and(is_readme);
        if is_named && is_file(entry.kind()) {
            // A partial clone may not have it.
            if let Ok(Some(bytes)) = git.blob(entry.object_id(), MAX_README_BYTES) {
                return Ok(Some(bytes));
            }
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_readme_of_each_folder_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write("a/b/README", "deep");
        write("README.md", "root");
        write("README.zh.md", "other");
        write("a/readme.rst", "inner");
        write("a/README-old", "no");
        let read = |folders: &[&str]| readmes(folder.path(), folders).unwrap();
        assert_eq!(read(&["a/b", "a", "", "a", "none"]), ["root", "inner", "deep"]);

        let repository = git2::Repository::init(folder.path()).unwrap();
        let mut index = repository.index().unwrap();
        index.add_path(Path::new("a/readme.rst")).unwrap();
        let tree = repository.find_tree(index.write_tree().unwrap()).unwrap();
        let author = git2::Signature::new("a", "a@example.org", &git2::Time::new(0, 0)).unwrap();
        repository.commit(Some("HEAD"), &author, &author, "x", &tree, &[]).unwrap();
        write("a/readme.rst", "draft");
        assert_eq!(read(&["", "a"]), ["inner"], "what is committed");
    }

    #[cfg(unix)]
    #[test]
    fn links_are_not_followed() {
        let (folder, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        fs::write(outside.path().join("secret"), "secret").unwrap();
        std::os::unix::fs::symlink(outside.path().join("secret"), folder.path().join("README")).unwrap();
        std::os::unix::fs::symlink(outside.path(), folder.path().join("linked")).unwrap();
        fs::write(outside.path().join("README"), "secret").unwrap();
        assert!(readmes(folder.path(), &["", "linked", ".."]).unwrap().is_empty());
    }
}
