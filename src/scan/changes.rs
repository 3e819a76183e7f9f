//! Which files differ between a base of the git history and the working tree.

use std::path::Path;

/// Why the changes can't be told.
#[derive(Debug, thiserror::Error)]
pub enum ChangesError {
    #[error("{path} is not in a git repository, so there is nothing to compare with")]
    NoGit { path: String },
    #[error("`{base}` names no branch, tag or commit of this repository; `git branch -a` lists what there is")]
    UnknownBase { base: String },
    #[error("the git repository can't be read: {0}")]
    Git(#[from] git2::Error),
}

/// Paths, relative to the repository's root and sorted, of the files that the working tree adds or changes since it
/// branched off `base`: committed, staged or not. Untracked files count, deleted ones don't, nothing is executed.
///
/// # Errors
/// When there is no git repository, no such base, or git's files can't be read.
pub fn changed_files(root: &Path, base: &str) -> Result<Vec<String>, ChangesError> {
    let repository =
        git2::Repository::open(root).map_err(|_| ChangesError::NoGit { path: root.display().to_string() })?;
    let unknown = || ChangesError::UnknownBase { base: base.to_owned() };
    let object = repository.revparse_single(base).map_err(|_| unknown())?;
    let base_commit = object.peel_to_commit().map_err(|_| unknown())?.id();
    let head = repository.head().and_then(|head| head.peel_to_commit()).map(|commit| commit.id());
    // Without a common ancestor the base itself is what there is to compare with.
    let from = match head {
        Ok(head) => repository.merge_base(base_commit, head).unwrap_or(base_commit),
        Err(_) => base_commit,
    };
    let tree = repository.find_commit(from)?.tree()?;
    let mut options = git2::DiffOptions::new();
    options.include_untracked(true).recurse_untracked_dirs(true).ignore_submodules(true);
    let diff = repository.diff_tree_to_workdir_with_index(Some(&tree), Some(&mut options))?;
    let mut paths: Vec<String> = diff
        .deltas()
        .filter(|delta| delta.status() != git2::Delta::Deleted)
        .filter_map(|delta| delta.new_file().path()?.to_str().map(str::to_owned))
        .collect();
    paths.sort_unstable();
    paths.dedup();
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn commit(repository: &git2::Repository, message: &str) {
        let mut index = repository.index().unwrap();
        index.add_all(["*"], git2::IndexAddOption::DEFAULT, None).unwrap();
        index.write().unwrap();
        let tree = repository.find_tree(index.write_tree().unwrap()).unwrap();
        let who = git2::Signature::now("a", "a@example.invalid").unwrap();
        let parent = repository.head().ok().and_then(|head| head.peel_to_commit().ok());
        repository
            .commit(Some("HEAD"), &who, &who, message, &tree, parent.iter().collect::<Vec<_>>().as_slice())
            .unwrap();
    }

    #[test]
    fn committed_and_working_changes_count_and_deletions_do_not() {
        let folder = tempfile::tempdir().unwrap();
        let repository = git2::Repository::init(folder.path()).unwrap();
        for name in ["kept.py", "edited.py", "gone.py"] {
            fs::write(folder.path().join(name), "x = 1\n").unwrap();
        }
        commit(&repository, "base");
        repository
            .tag_lightweight("base", &repository.head().unwrap().peel(git2::ObjectType::Commit).unwrap(), false)
            .unwrap();
        fs::write(folder.path().join("later.py"), "y = 1\n").unwrap();
        commit(&repository, "later");
        fs::write(folder.path().join("edited.py"), "x = 2\n").unwrap();
        fs::write(folder.path().join("new.py"), "z = 2\n").unwrap();
        fs::remove_file(folder.path().join("gone.py")).unwrap();
        assert_eq!(changed_files(folder.path(), "base").unwrap(), ["edited.py", "later.py", "new.py"]);
    }

    #[test]
    fn what_is_missing_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let error = changed_files(folder.path(), "main").unwrap_err().to_string();
        assert!(error.contains("not in a git repository"), "{error}");
        let repository = git2::Repository::init(folder.path()).unwrap();
        fs::write(folder.path().join("a.py"), "").unwrap();
        commit(&repository, "one");
        let error = changed_files(folder.path(), "nowhere").unwrap_err().to_string();
        assert!(error.contains("`nowhere`"), "{error}");
    }
}
