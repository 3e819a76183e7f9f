//! `.gitignore` rules of folders.
//!
//! # Why not the `ignore` crate's own walker
//!
//! It opens every ignore file that it finds, so a link to `/dev/zero` or a pipe called `.gitignore` in a hostile
//! repository would block it. It also reads the machine's git configuration. Only its matcher is used.

use std::path::Path;
use std::sync::Arc;

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::read::read_small;
use super::skip::SkipReason;

/// Maximum size of a `.gitignore`. Real ones stay below 20 kB.
const MAX_BYTES: u64 = 256 * 1024;
/// Maximum number of lines of one `.gitignore`; each costs a pattern.
const MAX_LINES: usize = 4_000;

/// The ignore rules of a folder and its ancestors.
#[derive(Debug, Clone, Default)]
pub struct IgnoreRules(Option<Arc<Level>>);

#[derive(Debug)]
struct Level {
    matcher: Gitignore,
    outer: IgnoreRules,
}

impl IgnoreRules {
    /// Adds the rules of the `.gitignore` in `folder`, which must be known to be a regular file.
    ///
    /// # Errors
    /// When the file cannot be read or is too large; then only the outer rules apply.
    pub fn within(&self, folder: &Path) -> Result<IgnoreRules, SkipReason> {
        let bytes = read_small(&folder.join(".gitignore"), MAX_BYTES)?;
        let mut builder = GitignoreBuilder::new(folder);
        for line in String::from_utf8_lossy(&bytes).lines().take(MAX_LINES) {
            // Git ignores invalid patterns, too.
            let _unreadable_pattern = builder.add_line(None, line);
        }
        match builder.build() {
            Ok(matcher) => Ok(IgnoreRules(Some(Arc::new(Level { matcher, outer: self.clone() })))),
            Err(_) => Err(SkipReason::Unreadable),
        }
    }

    /// Returns whether `path` is ignored. The innermost folder with a matching rule decides.
    pub fn ignore(&self, path: &Path, is_folder: bool) -> bool {
        let mut rules = self;
        while let Some(level) = &rules.0 {
            let verdict = level.matcher.matched(path, is_folder);
            if !verdict.is_none() {
                return verdict.is_ignore();
            }
            rules = &level.outer;
        }
        false
    }
}
