//! Changed files and lines between a base commit and the working tree.

use std::collections::BTreeMap;
use std::path::Path;

/// The reason why the changes are unknown.
#[derive(Debug, thiserror::Error)]
pub enum ChangesError {
    #[error("{path} is not in a git repository")]
    NoGit { path: String },
    #[error("`{base}` is not a branch, tag or commit; `git branch -a` lists branches")]
    UnknownBase { base: String },
    #[error("cannot read the git repository: {0}")]
    Git(#[from] git2::Error),
}

/// A changed file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedFile {
    /// Relative to the repository's root, with forward slashes.
    pub path: String,
    /// First and last line of each changed range in the file's present state, in order. For a pure deletion it is the
    /// line before. Empty for binary files.
    pub lines: Vec<(u32, u32)>,
}

/// Returns the files, sorted by path, that were added or changed since the working tree branched off `base`, whether
/// committed, staged or not. Untracked files are included, deleted ones are not. Nothing is executed.
///
/// # Errors
/// When there is no git repository, no such base, or git's files cannot be read.
pub fn changed_files(root: &Path, base: &str) -> Result<Vec<ChangedFile>, ChangesError> {
    let repository = open(root)?;
    let unknown = || ChangesError::UnknownBase { base: base.to_owned() };
    let object = repository.revparse_single(base).map_err(|_| unknown())?;
    let base_commit = object.peel_to_commit().map_err(|_| unknown())?.id();
    let head = repository.head().and_then(|head| head.peel_to_commit()).map(|commit| commit.id());
    // Without a common ancestor the comparison is with the base itself.
    let from = match head {
        Ok(head) => repository.merge_base(base_commit, head).unwrap_or(base_commit),
        Err(_) => base_commit,
    };
    let tree = repository.find_commit(from)?.tree()?;
    let mut options = git2::DiffOptions::new();
    options.include_untracked(true).recurse_untracked_dirs(true).show_untracked_content(true);
    options.ignore_submodules(true).context_lines(0);
    let diff = repository.diff_tree_to_workdir_with_index(Some(&tree), Some(&mut options))?;
    let mut lines: BTreeMap<String, Vec<(u32, u32)>> = BTreeMap::new();
    for delta in diff.deltas().filter(|delta| delta.status() != git2::Delta::Deleted) {
        if let Some(path) = path_of(&delta) {
            lines.entry(path.to_owned()).or_default();
        }
    }
    let mut hunk = |delta: git2::DiffDelta<'_>, hunk: git2::DiffHunk<'_>| {
        if let Some(lines) = path_of(&delta).and_then(|path| lines.get_mut(path)) {
            let first = hunk.new_start();
            lines.push((first, first + hunk.new_lines().saturating_sub(1)));
        }
        true
    };
    diff.foreach(&mut |_, _| true, None, Some(&mut hunk), None)?;
    Ok(lines.into_iter().map(|(path, lines)| ChangedFile { path, lines }).collect())
}

/// Returns the possible bases of a comparison: `HEAD`, then local and remote branches, latest commit first.
///
/// # Errors
/// When there is no git repository, or git's files cannot be read.
pub fn bases(root: &Path) -> Result<Vec<String>, ChangesError> {
    let repository = open(root)?;
    let mut branches = Vec::new();
    for branch in repository.branches(None)? {
        let (branch, _) = branch?;
        // Branches with an unreadable name or commit are skipped.
        if let (Ok(Some(name)), Ok(commit)) = (branch.name(), branch.get().peel_to_commit()) {
            branches.push((std::cmp::Reverse(commit.time().seconds()), name.to_owned()));
        }
    }
    branches.sort();
    let names = branches.into_iter().map(|(_, name)| name).filter(|name| !name.ends_with("/HEAD"));
    Ok(std::iter::once("HEAD".to_owned()).chain(names).collect())
}

fn open(root: &Path) -> Result<git2::Repository, ChangesError> {
    git2::Repository::open(root).map_err(|error| match error.code() {
        git2::ErrorCode::NotFound => ChangesError::NoGit { path: root.display().to_string() },
        _ => ChangesError::Git(error),
    })
}

fn path_of<'a>(delta: &git2::DiffDelta<'a>) -> Option<&'a str> {
    delta.new_file().path()?.to_str()
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
    fn lists_committed_and_working_changes_not_deletions() {
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
        let changed = changed_files(folder.path(), "base").unwrap();
        let paths: Vec<&str> = changed.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(paths, ["edited.py", "later.py", "new.py"]);
        assert!(changed.iter().all(|file| file.lines == [(1, 1)]), "{changed:?}");
    }

    #[test]
    fn changed_lines_refer_to_the_new_file() {
        let folder = tempfile::tempdir().unwrap();
        let repository = git2::Repository::init(folder.path()).unwrap();
        let path = folder.path().join("a.py");
        let lines = |range: std::ops::Range<u32>| range.map(|line| format!("line {line}\n")).collect::<String>();
        fs::write(&path, lines(1..21)).unwrap();
        commit(&repository, "base");
        // Inserts two lines after the third, removes the tenth, changes the fifteenth.
        let text = lines(1..4) + "x\ny\n" + &lines(4..10) + &lines(11..15) + "z\n" + &lines(16..21);
        fs::write(&path, text).unwrap();
        let changed = changed_files(folder.path(), "HEAD").unwrap();
        assert_eq!(changed[0].lines, [(4, 5), (11, 11), (16, 16)]);
    }

    #[test]
    fn errors_name_the_missing_item() {
        let folder = tempfile::tempdir().unwrap();
        let error = changed_files(folder.path(), "main").unwrap_err().to_string();
        assert!(error.contains("not in a git repository"), "{error}");
        let repository = git2::Repository::init(folder.path()).unwrap();
        let config = fs::read(folder.path().join(".git/config")).unwrap();
        fs::write(folder.path().join(".git/config"), "[core\n").unwrap();
        let error = changed_files(folder.path(), "main").unwrap_err().to_string();
        assert!(error.contains("cannot read"), "{error}");
        fs::write(folder.path().join(".git/config"), config).unwrap();
        fs::write(folder.path().join("a.py"), "").unwrap();
        commit(&repository, "one");
        let error = changed_files(folder.path(), "nowhere").unwrap_err().to_string();
        assert!(error.contains("`nowhere`"), "{error}");
    }
}
