//! The ignore rules of folders: those of git (`.gitignore`, `.git/info/exclude`, `core.excludesFile`), which are for files
//! that it does not track, and those of `.ignore`, which searching tools share and which are for every file.
//!
//! # Why not the `ignore` crate's own walker
//!
//! It opens every ignore file that it finds, so a link to `/dev/zero` or a pipe called `.gitignore` in a hostile
//! repository would block it. Only its matcher is used.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ignore::gitignore::{Gitignore, GitignoreBuilder, gitconfig_excludes_path};

use super::git::{common_folder, configuration};
use super::read::read_small;
use super::repository::git_folder;
use super::skip::SkipReason;

/// Maximum size of an ignore file. Real ones stay below 20 kB.
const MAX_BYTES: u64 = 256 * 1024;
/// Maximum number of lines of one ignore file; each costs a pattern.
const MAX_LINES: usize = 4_000;
/// The files in a folder that have rules.
pub const IGNORE_FILES: [&str; 2] = [".gitignore", ".ignore"];

/// The ignore rules of a folder and its ancestors.
#[derive(Debug, Clone, Default)]
pub struct IgnoreRules {
    /// Those of git, the innermost first.
    git: Rules,
    /// Those of `.ignore`, which come before them.
    own: Rules,
}

/// The verdict of the rules on a file or folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Kept,
    /// Ignored unless git tracks it.
    Untracked,
    Ignored,
}

#[derive(Debug, Clone, Default)]
struct Rules(Option<Arc<Level>>);

#[derive(Debug)]
struct Level {
    matcher: Gitignore,
    outer: Rules,
}

impl IgnoreRules {
    /// Returns the rules that git has for the whole checkout at `root`: `core.excludesFile`, then `info/exclude`, which
    /// worktrees share. One that can't be read has no rules.
    pub fn of_checkout(root: &Path) -> IgnoreRules {
        let Some(folder) = git_folder(root) else { return IgnoreRules::default() };
        let mut git = Rules::default();
        for file in [excludes_file(&folder), Some(common_folder(&folder).join("info/exclude"))].into_iter().flatten() {
            // It can be a link to a file in the user's home.
            let file = file.canonicalize().unwrap_or(file);
            git = git.within(root, &file).unwrap_or(git);
        }
        IgnoreRules { git, own: Rules::default() }
    }

    /// Adds the rules of one of [`IGNORE_FILES`] in `folder`.
    ///
    /// # Errors
    /// When the file cannot be read or is too large; then only the other rules apply.
    pub fn within(&self, folder: &Path, name: &str) -> Result<IgnoreRules, SkipReason> {
        let mut rules = self.clone();
        let part = if name == ".ignore" { &mut rules.own } else { &mut rules.git };
        *part = part.within(folder, &folder.join(name))?;
        Ok(rules)
    }

    /// Returns what the rules say about `path`. The innermost folder with a matching rule decides.
    pub fn verdict(&self, path: &Path, is_folder: bool) -> Verdict {
        match self.own.is_ignored(path, is_folder) {
            Some(true) => Verdict::Ignored,
            Some(false) => Verdict::Kept,
            None if self.git.is_ignored(path, is_folder) == Some(true) => Verdict::Untracked,
            None => Verdict::Kept,
        }
    }
}

impl Rules {
    fn within(&self, folder: &Path, file: &Path) -> Result<Rules, SkipReason> {
        let bytes = read_small(file, MAX_BYTES)?;
        let mut builder = GitignoreBuilder::new(folder);
        for line in String::from_utf8_lossy(&bytes).lines().take(MAX_LINES) {
            // Git ignores invalid patterns, too.
            let _unreadable_pattern = builder.add_line(None, line);
        }
        match builder.build() {
            Ok(matcher) => Ok(Rules(Some(Arc::new(Level { matcher, outer: self.clone() })))),
            Err(_) => Err(SkipReason::Unreadable),
        }
    }

    fn is_ignored(&self, path: &Path, is_folder: bool) -> Option<bool> {
        let mut rules = self;
        while let Some(level) = &rules.0 {
            let verdict = level.matcher.matched(path, is_folder);
            if !verdict.is_none() {
                return Some(verdict.is_ignore());
            }
            rules = &level.outer;
        }
        None
    }
}

/// Returns the file that `core.excludesFile` names in the repository's configuration, otherwise in the user's.
fn excludes_file(git_folder: &Path) -> Option<PathBuf> {
    let settings = configuration(git_folder).ok();
    match settings.and_then(|settings| settings.string("core.excludesfile")) {
        Some(path) => match path.to_string().strip_prefix("~/") {
            Some(path) => Some(std::env::home_dir()?.join(path)),
            None => Some(PathBuf::from(path.to_string())),
        },
        None => gitconfig_excludes_path(),
    }
}
