//! The ignore rules of folders: those of git (`.gitignore`, `.git/info/exclude`, `core.excludesFile`), which are for files
//! that it does not track, and those of `.ignore`, which searching tools share and which are for every file.
//!
//! # Why not the `ignore` crate's own walker
//!
//! It opens every ignore file that it finds, so a link to `/dev/zero` or a pipe called `.gitignore` in a hostile
//! repository would block it. Only its matcher is used.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ignore::gitignore::gitconfig_excludes_path;

use super::git::{common_folder, configuration};
use super::patterns::Patterns;
use super::read::{read_small, read_text};
use super::repository::git_folder;
use super::skip::{Rule, SkipReason};

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
    has_git: bool,
}

/// The rule that ignores a file or folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ignored {
    pub rule: Rule,
    /// Whether it also applies to files that git tracks.
    pub is_for_tracked: bool,
}

#[derive(Debug, Clone, Default)]
struct Rules(Option<Arc<Level>>);

#[derive(Debug)]
struct Level {
    patterns: Patterns,
    outer: Rules,
}

impl IgnoreRules {
    /// Returns the rules that git has for the whole checkout at `root`: `core.excludesFile`, then `info/exclude`, which
    /// worktrees share. One that can't be read has no rules.
    pub fn of_checkout(root: &Path) -> IgnoreRules {
        let Some(folder) = git_folder(root) else { return IgnoreRules::default() };
        let mut git = Rules::default();
        for (name, file) in checkout_files(&folder) {
            git = git.within(root, name.to_owned(), &file, |_| true).unwrap_or(git);
        }
        IgnoreRules { git, own: Rules::default(), has_git: true }
    }

    /// Adds the rules of one of [`IGNORE_FILES`] in `folder`. `relative` is the folder's path for messages: empty, or with
    /// a slash at its end.
    ///
    /// Without git nothing tells which files are tracked although a rule matches them. So a rule of the root's `.gitignore`
    /// that matches everything, as that of Debian's packages of sources (`/*`, `!/debian/`), does not apply there.
    ///
    /// # Errors
    /// When the file cannot be read or is too large; then only the other rules apply.
    pub fn within(&self, folder: &Path, relative: &str, name: &str) -> Result<IgnoreRules, SkipReason> {
        let mut rules = self.clone();
        let is_own = name == ".ignore";
        let part = if is_own { &mut rules.own } else { &mut rules.git };
        let applies = |line: &str| self.has_git || is_own || !relative.is_empty() || !matches_everything(line);
        *part = part.within(folder, format!("{relative}{name}"), &folder.join(name), applies)?;
        Ok(rules)
    }

    /// Returns the rule that ignores `path`; `None` if it is not ignored. The innermost folder with a matching rule
    /// decides.
    pub fn ignored_by(&self, path: &Path, is_folder: bool) -> Option<Ignored> {
        let ignored = |rule, is_for_tracked| Ignored { rule, is_for_tracked };
        match self.own.decide(path, is_folder) {
            Some(rule) => rule.map(|rule| ignored(rule, true)),
            None => self.git.decide(path, is_folder).flatten().map(|rule| ignored(rule, false)),
        }
    }
}

impl Rules {
    /// Adds the rules of a file, those for whose lines `applies` returns true.
    fn within(
        &self,
        folder: &Path,
        name: String,
        file: &Path,
        applies: impl Fn(&str) -> bool,
    ) -> Result<Rules, SkipReason> {
        let bytes = read_text(file, MAX_BYTES)?;
        let text = String::from_utf8_lossy(&bytes);
        // Git ignores invalid patterns, too.
        let lines = (1..).zip(text.lines().take(MAX_LINES)).filter(|(_, line)| applies(line));
        match Patterns::new(folder, name, lines) {
            Ok((patterns, _)) => Ok(Rules(Some(Arc::new(Level { patterns, outer: self.clone() })))),
            Err(_) => Err(SkipReason::Unreadable),
        }
    }

    /// Returns the rule that ignores `path`, `Some(None)` if a rule keeps it, `None` if no rule matches.
    fn decide(&self, path: &Path, is_folder: bool) -> Option<Option<Rule>> {
        let mut rules = self;
        while let Some(level) = &rules.0 {
            match level.patterns.selects(path, is_folder) {
                Some(true) => return Some(level.patterns.rule(path, is_folder)),
                Some(false) => return Some(None),
                None => rules = &level.outer,
            }
        }
        None
    }
}

/// Returns the files with git's rules for a whole checkout, by what they are called in messages. They are outside of its
/// folders.
fn checkout_files(git_folder: &Path) -> impl Iterator<Item = (&'static str, PathBuf)> {
    let own = Some(common_folder(git_folder).join("info/exclude"));
    let files = [("core.excludesFile", excludes_file(git_folder)), (".git/info/exclude", own)];
    // They can be links to files in the user's home.
    files.into_iter().filter_map(|(name, file)| file.map(|file| (name, file.canonicalize().unwrap_or(file))))
}

/// Returns the texts of git's rules for the whole checkout with this git folder; the reason of one that can't be read.
pub(super) fn checkout_texts(git_folder: &Path) -> Vec<Result<Vec<u8>, SkipReason>> {
    checkout_files(git_folder).map(|(_, file)| read_small(&file, MAX_BYTES)).collect()
}

/// Returns whether a line is a pattern of stars: `*`, `/*`, `**`.
fn matches_everything(line: &str) -> bool {
    line.contains('*') && line.trim().chars().all(|char| matches!(char, '*' | '/'))
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
