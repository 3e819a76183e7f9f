//! The root and the identity of a repository.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use super::git;
use super::git::{common_folder, configuration};
use super::read::read_small;

/// A repository on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repository {
    /// The folder to which paths are relative, canonical.
    pub root: PathBuf,
    /// `host/owner/name` of its remote, otherwise the folder's name. Equal in all checkouts with the same remote, and
    /// independent of the machine.
    pub id: String,
}

/// The identity of a repository whose folder has no name (`/`).
const NAMELESS: &str = "repository";

/// Maximum size of a pointer file (`.git` of a worktree).
const MAX_POINTER_BYTES: u64 = 4_096;

impl Repository {
    /// Finds the repository that contains `start`: the nearest ancestor with a `.git`, or `start` itself without one.
    ///
    /// # Errors
    /// When `start` is not a folder that can be entered.
    pub fn find(start: &Path) -> io::Result<Repository> {
        let start = fs::canonicalize(start)?;
        if !start.is_dir() {
            return Err(io::Error::new(io::ErrorKind::NotADirectory, format!("{} is not a folder", start.display())));
        }
        let root = start.ancestors().find(|folder| git_folder(folder).is_some()).unwrap_or(&start).to_path_buf();
        let id = remote_id(&root).unwrap_or_else(|| folder_name(&root));
        Ok(Repository { root, id })
    }
}

impl Repository {
    /// Returns whether the repository is identified by a remote, and not by the name of its folder.
    pub fn has_remote(&self) -> bool {
        self.id.contains('/')
    }
}

/// The facts that a repository and its clones have in common, whatever they are called and wherever they are.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// `host/owner/name` of the remote.
    remote: Option<String>,
    /// A commit, in hexadecimal.
    commit: Option<String>,
}

impl Origin {
    /// Returns the remote and the newest commit of the repository at `root`. Without git both are missing.
    pub fn read(root: &Path) -> Origin {
        let repository = git::open(root).ok().flatten();
        let commit = repository.and_then(|repository| repository.head().ok().flatten());
        Origin { remote: remote_id(root), commit: commit.map(|id| id.to_string()) }
    }

    /// Returns whether there is nothing by which another repository is told apart.
    pub fn is_unknown(&self) -> bool {
        self.remote.is_none() && self.commit.is_none()
    }

    /// Returns whether another repository than this is at `root`: one with neither its remote nor its commit. A repository
    /// that can't be opened is not told apart.
    pub fn excludes(&self, root: &Path) -> bool {
        let has_its_remote = self.remote.is_some() && remote_id(root) == self.remote;
        let has_its_commit = || self.commit.as_ref().is_some_and(|commit| has_commit(root, commit));
        !self.is_unknown() && !has_its_remote && git::open(root).is_ok() && !has_its_commit()
    }
}

/// Returns whether a commit, in hexadecimal, is in the repository at `root`.
pub fn has_commit(root: &Path, commit: &str) -> bool {
    let repository = git::open(root).ok().flatten();
    repository.is_some_and(|repository| repository.resolve(commit).is_some_and(|id| repository.commit(id).is_ok()))
}

/// The folders by which version control systems mark a checkout. Histories are read from git only.
const CHECKOUT_MARKERS: [&str; 5] = [".git", ".hg", ".jj", ".sl", ".svn"];

/// Returns whether a folder is the root of a checkout of any version control system.
pub fn is_checkout(root: &Path) -> bool {
    CHECKOUT_MARKERS.iter().any(|marker| root.join(marker).exists())
}

/// Returns the name of a folder; of an added worktree, that of the main one, because both are the same repository.
fn folder_name(root: &Path) -> String {
    let common = git_folder(root).and_then(|folder| common_folder(&folder).canonicalize().ok());
    let main = common.as_deref().filter(|common| common.ends_with(".git")).and_then(Path::parent);
    main.unwrap_or(root).file_name().map_or_else(|| NAMELESS.to_owned(), |name| name.to_string_lossy().into_owned())
}

/// Returns the folder with a checkout's own git state: `.git`, or the target of a worktree's or submodule's `.git`
/// file.
pub fn git_folder(root: &Path) -> Option<PathBuf> {
    let dot_git = root.join(".git");
    let kind = fs::symlink_metadata(&dot_git).ok()?;
    if kind.is_dir() {
        // An empty folder called `.git` is not a repository.
        return is_usable(&dot_git).then_some(dot_git);
    }
    let target = root.join(pointer(&dot_git)?);
    is_usable(&target).then_some(target)
}

/// Returns the folder that the `.git` file of a worktree or submodule names, as it is written.
fn pointer(dot_git: &Path) -> Option<String> {
    let text = String::from_utf8(read_small(dot_git, MAX_POINTER_BYTES).ok()?).ok()?;
    Some(text.strip_prefix("gitdir:")?.trim().to_owned())
}

/// Returns the `.git` file of a folder, or of one around it, that names a git folder which is not there, and the name.
pub(super) fn broken_pointer(root: &Path) -> Option<(PathBuf, String)> {
    root.ancestors().find_map(|folder| {
        let dot_git = folder.join(".git");
        let target = pointer(&dot_git)?;
        (!is_usable(&folder.join(&target))).then_some((dot_git, target))
    })
}

/// Returns the branch that is checked out, or the abbreviated commit of a detached HEAD.
pub fn branch(root: &Path) -> Option<String> {
    let head = read_small(&git_folder(root)?.join("HEAD"), MAX_POINTER_BYTES).ok()?;
    let head = String::from_utf8(head).ok()?;
    let head = match head.trim() {
        ELSEWHERE => git::open(root).ok()??.checked_out()?,
        head => head.to_owned(),
    };
    Some(head.strip_prefix("ref: refs/heads/").unwrap_or(head.get(..12).unwrap_or(&head)).to_owned())
}

/// The text that git writes to `HEAD` where references are in tables.
const ELSEWHERE: &str = "ref: refs/heads/.invalid";

/// Returns whether a folder has a `HEAD` that is a file.
fn is_usable(git_folder: &Path) -> bool {
    fs::metadata(git_folder.join("HEAD")).is_ok_and(|metadata| metadata.is_file())
}

/// Returns whether a folder is itself what `.git` is in others.
pub(super) fn is_bare(root: &Path) -> bool {
    is_usable(root) && root.join("objects").is_dir() && root.join("refs").is_dir()
}

/// Returns the roots of the repository's other worktrees that exist: the main one, and those that `git worktree` added.
pub fn worktrees(root: &Path) -> Vec<PathBuf> {
    let Some(common) = git_folder(root).and_then(|folder| common_folder(&folder).canonicalize().ok()) else {
        return Vec::new();
    };
    let main = common.parent().filter(|_| common.ends_with(".git")).map(Path::to_owned);
    let added = fs::read_dir(common.join("worktrees")).into_iter().flatten().flatten().filter_map(|entry| {
        let pointer = String::from_utf8(read_small(&entry.path().join("gitdir"), MAX_POINTER_BYTES).ok()?).ok()?;
        Some(entry.path().join(pointer.trim()).parent()?.to_path_buf())
    });
    // A worktree that was moved away may have been replaced by another repository.
    let is_other = |other: &PathBuf| {
        let others = git_folder(other).and_then(|folder| common_folder(&folder).canonicalize().ok());
        *other != root && others.as_ref() == Some(&common)
    };
    let existing = main.into_iter().chain(added).filter_map(|other| other.canonicalize().ok());
    let mut roots: Vec<PathBuf> = existing.filter(is_other).collect();
    roots.sort();
    roots.dedup();
    roots
}

/// The linked worktrees in a checkout that are copies of what is indexed: those of its own repository, and of one that
/// has its main worktree in the checkout.
pub(super) struct Copies<'a> {
    root: &'a Path,
    /// The folder of the checkout's own repository, unless that is bare and the worktrees are all there is.
    common: OnceLock<Option<PathBuf>>,
}

impl<'a> Copies<'a> {
    /// Returns the copies in the checkout at `root`.
    pub fn new(root: &'a Path) -> Copies<'a> {
        Copies { root, common: OnceLock::new() }
    }

    /// Returns whether a folder is such a worktree.
    pub fn contain(&self, folder: &Path) -> bool {
        // Only the `.git` of a linked worktree names a folder that refers to another one.
        let linked = git_folder(folder).filter(|git| folder != self.root && git.join("commondir").is_file());
        let Some(common) = linked.and_then(|git| common_folder(&git).canonicalize().ok()) else { return false };
        let own = self.common.get_or_init(|| {
            let git = git_folder(self.root)?;
            let common = common_folder(&git).canonicalize().ok()?;
            let is_work_tree = git.join("commondir").is_file() || !has_no_files(&common);
            is_work_tree.then_some(common)
        });
        let main = common.parent().filter(|_| common.ends_with(".git"));
        let is_inside = |main: &Path| self.root.canonicalize().is_ok_and(|root| main.starts_with(root));
        own.as_ref() == Some(&common) || main.is_some_and(|main| is_inside(main) && !has_no_files(&common))
    }
}

/// Returns whether a repository is bare by its configuration.
fn has_no_files(common: &Path) -> bool {
    configuration(common).is_ok_and(|settings| settings.boolean("core.bare").ok().flatten() == Some(true))
}

/// Returns the normalized URL of `origin`, or of the first remote by name. Only the repository's own configuration is
/// read: user and system settings must not affect the identity.
fn remote_id(root: &Path) -> Option<String> {
    let settings = configuration(&git_folder(root)?).ok()?;
    let mut urls = Vec::new();
    for remote in settings.sections_by_name("remote").into_iter().flatten() {
        if let (Some(name), Some(url)) = (remote.header().subsection_name(), remote.value("url")) {
            urls.push((name != "origin", name.to_string(), url.to_string()));
        }
    }
    urls.sort();
    urls.iter().find_map(|(_, _, url)| normalize_remote(url))
}

/// Returns `host/owner/name` for any form of a remote's URL; `None` for local paths.
fn normalize_remote(url: &str) -> Option<String> {
    let url = url.trim();
    let (host, path) = match url.split_once("://") {
        Some((scheme, rest)) if scheme != "file" => rest.split_once('/')?,
        Some(_) => return None,
        None => scp_form(url)?,
    };
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    let host = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    let path = path.split(['?', '#']).next().unwrap_or_default().trim_matches('/');
    let path = path.strip_suffix(".git").unwrap_or(path);
    let segments: Vec<&str> = path.split('/').filter(|segment| !segment.is_empty()).collect();
    let is_plain = |text: &str| !text.chars().any(|c| c.is_control() || c.is_whitespace() || c == '\\');
    let is_sound =
        !host.is_empty() && !segments.is_empty() && !segments.contains(&"..") && is_plain(host) && is_plain(path);
    is_sound.then(|| format!("{}/{}", host.to_ascii_lowercase(), segments.join("/")))
}

/// Splits `user@host:path`, the scp-like form of ssh. A colon after a slash or a single letter is part of a local path.
fn scp_form(url: &str) -> Option<(&str, &str)> {
    let (host, path) = url.split_once(':')?;
    (host.len() > 1 && !host.contains(['/', '\\'])).then_some((host, path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_url_forms_have_equal_ids() {
        for url in [
            "https://github.com/pallets/flask",
            "https://github.com/pallets/flask.git",
            "https://user:secret@GitHub.com:443/pallets/flask.git/",
            "http://github.com/pallets/flask?x=1#y",
            "ssh://git@github.com:22/pallets/flask.git",
            "git@github.com:pallets/flask.git",
            "git@github.com:/pallets/flask",
            "git://github.com//pallets/flask",
            "git+ssh://git@github.com/pallets/flask",
            "  https://github.com/pallets/flask\n",
        ] {
            assert_eq!(normalize_remote(url).as_deref(), Some("github.com/pallets/flask"), "{url}");
        }
        assert_eq!(normalize_remote("https://gitlab.com/a/b/c.git").as_deref(), Some("gitlab.com/a/b/c"));
    }

    #[test]
    fn local_paths_have_no_remote_id() {
        for url in [
            "/srv/git/x.git",
            "../x",
            "file:///srv/x.git",
            "C:\\git\\x",
            "c:/git/x",
            "https://github.com",
            "https://h/../../x",
            "https://h/a\u{1b}[0m/b",
            "",
        ] {
            assert_eq!(normalize_remote(url), None, "{url}");
        }
    }

    #[test]
    fn finds_root_from_subfolder() {
        let folder = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(folder.path()).unwrap();
        let below = root.join("a/b");
        fs::create_dir_all(&below).unwrap();
        assert_eq!(Repository::find(&below).unwrap(), Repository { root: below.clone(), id: "b".to_owned() });

        let git = git2::Repository::init(&root).unwrap();
        let name = root.file_name().unwrap().to_str().unwrap().to_owned();
        assert_eq!(Repository::find(&below).unwrap(), Repository { root: root.clone(), id: name });

        git.remote("fork", "https://example.org/me/x.git").unwrap();
        assert_eq!(Repository::find(&below).unwrap().id, "example.org/me/x");
        git.remote("origin", "git@example.org:us/x.git").unwrap();
        assert_eq!(Repository::find(&below).unwrap().id, "example.org/us/x");
    }

    #[test]
    fn worktrees_have_equal_ids() {
        let folder = tempfile::tempdir().unwrap();
        let main = folder.path().join("main");
        let git = git2::Repository::init(&main).unwrap();
        git.remote("origin", "https://example.org/us/x.git").unwrap();
        let who = git2::Signature::now("a", "a@example.org").unwrap();
        let tree = git.find_tree(git.index().unwrap().write_tree().unwrap()).unwrap();
        git.commit(Some("HEAD"), &who, &who, "first", &tree, &[]).unwrap();
        let second = folder.path().join("second");
        git.worktree("second", &second, None).unwrap();
        assert_eq!(Repository::find(&second).unwrap().id, "example.org/us/x");
        assert_eq!(Repository::find(&second).unwrap().root, fs::canonicalize(&second).unwrap());
    }

    /// A socket is used instead of a pipe, because opening a pipe would block.
    #[cfg(unix)]
    #[test]
    fn repositories_with_special_files_are_found_and_not_opened() {
        for name in ["HEAD", "config", "packed-refs", "refs/heads/main"] {
            let folder = tempfile::tempdir().unwrap();
            let root = fs::canonicalize(folder.path()).unwrap();
            git2::Repository::init(&root).unwrap();
            fs::write(root.join(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
            assert!(git_folder(&root).is_some() && git::open(&root).is_ok());
            let path = root.join(".git").join(name);
            drop(fs::remove_file(&path));
            let _socket = std::os::unix::net::UnixListener::bind(&path).unwrap();
            let opened = git::open(&root).map(|git| git.is_some());
            let special = git::GitError::Special { path: path.display().to_string() };
            assert_eq!(opened, if name == "HEAD" { Ok(false) } else { Err(special) }, "{name}");
        }
    }

    #[test]
    fn missing_folder_is_an_error() {
        assert!(Repository::find(Path::new("/nowhere/at/all")).is_err());
    }
}
