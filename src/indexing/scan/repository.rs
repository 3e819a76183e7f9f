//! The root and the identity of a repository.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

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
/// Maximum size of a git configuration; a repository with a larger one is identified by its folder.
const MAX_CONFIG_BYTES: u64 = 1 << 20;

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
    let pointer = String::from_utf8(read_small(&dot_git, MAX_POINTER_BYTES).ok()?).ok()?;
    let target = root.join(pointer.strip_prefix("gitdir:")?.trim());
    is_usable(&target).then_some(target)
}

/// Returns the branch that is checked out, or the abbreviated commit of a detached HEAD.
pub fn branch(root: &Path) -> Option<String> {
    let head = read_small(&git_folder(root)?.join("HEAD"), MAX_POINTER_BYTES).ok()?;
    let head = String::from_utf8(head).ok()?;
    let head = head.trim();
    Some(head.strip_prefix("ref: refs/heads/").unwrap_or(head.get(..12).unwrap_or(head)).to_owned())
}

/// Git's plain files that reading a history opens.
const FILES: [&str; 7] =
    ["HEAD", "config", "packed-refs", "shallow", "index", "info/attributes", "objects/info/alternates"];

/// Returns whether a folder has a `HEAD` and none of the files to open is a pipe or device, which could block.
fn is_usable(git_folder: &Path) -> bool {
    let is_file = |path: &Path| fs::metadata(path).map(|metadata| metadata.is_file());
    let common = common_folder(git_folder);
    let head = git_folder.join("HEAD");
    let reference = read_small(&head, MAX_POINTER_BYTES).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    let reference =
        reference.as_deref().and_then(|text| text.strip_prefix("ref:")).map(|name| common.join(name.trim()));
    let files = FILES.iter().flat_map(|name| [git_folder.join(name), common.join(name)]).chain(reference);
    is_file(&head).unwrap_or(false) && files.into_iter().all(|path| is_file(&path).unwrap_or(true) || path.is_dir())
}

/// Maximum number of entries of `.git` that are examined.
const MAX_EXAMINED: usize = 200_000;

/// Returns whether a reference, an object or a pack is a pipe, socket or device, which would block when it is opened;
/// also when there are too many to examine.
pub(super) fn has_special_files(git_folder: &Path) -> bool {
    let common = common_folder(git_folder);
    let mut folders = vec![common.join("refs"), common.join("objects"), git_folder.join("refs")];
    let mut examined = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            examined += 1;
            // A link is followed, as git does.
            let Ok(metadata) = fs::metadata(entry.path()) else { continue };
            if metadata.is_dir() && !entry.file_type().is_ok_and(|kind| kind.is_symlink()) {
                folders.push(entry.path());
            } else if examined > MAX_EXAMINED || !(metadata.is_file() || metadata.is_dir()) {
                return true;
            }
        }
    }
    false
}

/// Returns the folder that worktrees share, which has the configuration.
pub(super) fn common_folder(git_folder: &Path) -> PathBuf {
    let pointer = read_small(&git_folder.join("commondir"), MAX_POINTER_BYTES).ok();
    let text = pointer.and_then(|bytes| String::from_utf8(bytes).ok());
    text.map_or_else(|| git_folder.to_path_buf(), |text| git_folder.join(text.trim()))
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

/// Returns the normalized URL of `origin`, or of the first remote by name. Only the repository's own configuration is
/// read: user and system settings must not affect the identity.
fn remote_id(root: &Path) -> Option<String> {
    let path = common_folder(&git_folder(root)?).join("config");
    read_small(&path, MAX_CONFIG_BYTES).ok()?;
    let config = git2::Config::open(&path).ok()?;
    if let Some(id) = config.get_string("remote.origin.url").ok().and_then(|url| normalize_remote(&url)) {
        return Some(id);
    }
    let mut urls = Vec::new();
    let entries = config.entries(Some("remote\\..*\\.url")).ok()?;
    let collected = entries.for_each(|entry| {
        if let (Ok(name), Ok(value)) = (entry.name(), entry.value()) {
            urls.push((name.to_owned(), value.to_owned()));
        }
    });
    collected.ok()?;
    urls.sort();
    urls.iter().find_map(|(_, url)| normalize_remote(url))
}

/// Returns `host/owner/name` for any form of a remote's URL; `None` for local paths.
pub fn normalize_remote(url: &str) -> Option<String> {
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
    fn special_files_are_not_a_repository() {
        for name in ["HEAD", "config", "packed-refs", "refs/heads/main"] {
            let folder = tempfile::tempdir().unwrap();
            let root = fs::canonicalize(folder.path()).unwrap();
            git2::Repository::init(&root).unwrap();
            fs::write(root.join(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
            assert!(git_folder(&root).is_some());
            let path = root.join(".git").join(name);
            drop(fs::remove_file(&path));
            let _socket = std::os::unix::net::UnixListener::bind(&path).unwrap();
            assert_eq!(git_folder(&root), None, "{name}");
        }
    }

    #[test]
    fn missing_folder_is_an_error() {
        assert!(Repository::find(Path::new("/nowhere/at/all")).is_err());
    }
}
