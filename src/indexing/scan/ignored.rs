//! `.gitignore` rules of folders.
//!
//! # Why not the `ignore` crate's own walker
//!
//! It opens every ignore file that it finds, so a link to `/dev/zero` or a pipe called `.gitignore` in a hostile
//! repository would block it. It also reads the machine's git configuration. Only its matcher is used.

use std::path::Path;
use std::sync::Arc;

use super::patterns::Patterns;
use super::read::read_small;
use super::skip::{Rule, SkipReason};

/// Maximum size of a `.gitignore`. Real ones stay below 20 kB.
const MAX_BYTES: u64 = 256 * 1024;
/// Maximum number of lines of one `.gitignore`; each costs a pattern.
const MAX_LINES: usize = 4_000;

/// The ignore rules of a folder and its ancestors.
#[derive(Debug, Clone, Default)]
pub struct IgnoreRules(Option<Arc<Level>>);

#[derive(Debug)]
struct Level {
    patterns: Patterns,
    outer: IgnoreRules,
}

impl IgnoreRules {
    /// Adds the rules of the `.gitignore` in `folder`, which must be known to be a regular file. `relative` is the
    /// folder's path for messages: empty, or with a slash at its end.
    ///
    /// # Errors
    /// When the file cannot be read or is too large; then only the outer rules apply.
    pub fn within(&self, folder: &Path, relative: &str) -> Result<IgnoreRules, SkipReason> {
        let bytes = read_small(&folder.join(".gitignore"), MAX_BYTES)?;
        let text = String::from_utf8_lossy(&bytes);
        let lines = (1..).zip(text.lines().take(MAX_LINES));
        match Patterns::new(folder, format!("{relative}.gitignore"), lines) {
            Ok((patterns, _)) => Ok(IgnoreRules(Some(Arc::new(Level { patterns, outer: self.clone() })))),
            Err(_) => Err(SkipReason::Unreadable),
        }
    }

    /// Returns the rule that ignores `path`; `None` if it is not ignored. The innermost folder with a matching rule
    /// decides.
    pub fn ignored_by(&self, path: &Path, is_folder: bool) -> Option<Rule> {
        let mut rules = self;
        while let Some(level) = &rules.0 {
            match level.patterns.selects(path, is_folder) {
                Some(true) => return level.patterns.rule(path, is_folder),
                Some(false) => return None,
                None => rules = &level.outer,
            }
        }
        None
    }
}
