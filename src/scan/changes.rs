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

/// A revision that the working tree can be compared with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Base {
    pub name: String,
    /// The subject of its commit.
    pub subject: String,
}

/// Number of the commits before `HEAD` among the bases.
const RECENT_COMMITS: usize = 20;

/// Returns the possible bases of a comparison: `HEAD`, then local and remote branches, latest commit first, then the
/// commits before `HEAD`.
///
/// # Errors
/// When there is no git repository, or git's files cannot be read.
pub fn bases(root: &Path) -> Result<Vec<Base>, ChangesError> {
    let repository = open(root)?;
    let mut branches = Vec::new();
    for branch in repository.branches(None)? {
        let (branch, _) = branch?;
        // Branches with an unreadable name or commit are skipped.
        if let (Ok(Some(name)), Ok(commit)) = (branch.name(), branch.get().peel_to_commit()) {
            branches.push((std::cmp::Reverse(commit.time().seconds()), name.to_owned(), subject(&commit)));
        }
    }
    branches.sort();
    let mut bases = vec![Base { name: "HEAD".to_owned(), subject: String::new() }];
    let named = branches.into_iter().filter(|(_, name, _)| !name.ends_with("/HEAD"));
    bases.extend(named.map(|(_, name, subject)| Base { name, subject }));
    let mut commit = repository.head().and_then(|head| head.peel_to_commit()).ok();
    if let (Some(head), Some(base)) = (&commit, bases.first_mut()) {
        base.subject = subject(head);
    }
    for number in 1..=RECENT_COMMITS {
        let Some(parent) = commit.and_then(|commit| commit.parent(0).ok()) else { break };
        bases.push(Base { name: format!("HEAD~{number}"), subject: subject(&parent) });
        commit = Some(parent);
    }
    Ok(bases)
}

fn subject(commit: &git2::Commit<'_>) -> String {
    let message = String::from_utf8_lossy(commit.message_bytes()).into_owned();
    message.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim().to_owned()
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
    fn bases_are_branches_and_recent_commits() {
        let folder = tempfile::tempdir().unwrap();
        let repository = git2::Repository::init(folder.path()).unwrap();
        for message in ["one", "two", "three"] {
            fs::write(folder.path().join("a.py"), message).unwrap();
            commit(&repository, message);
        }
        let head = repository.head().unwrap().peel_to_commit().unwrap();
        repository.branch("topic", &head.parent(0).unwrap(), true).unwrap();
        let bases = bases(folder.path()).unwrap();
        let named = |name: &str| bases.iter().find(|base| base.name == name).map(|base| base.subject.as_str());
        assert_eq!((bases[0].name.as_str(), bases[0].subject.as_str()), ("HEAD", "three"));
        assert_eq!([named("topic"), named("HEAD~1"), named("HEAD~2")], [Some("two"), Some("two"), Some("one")]);
        assert_eq!(named("HEAD~3"), None);
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
