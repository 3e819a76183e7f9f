//! The `.gitignore` files that hold for a folder.
//!
//! # Why not the `ignore` crate's own walker
//!
//! It opens every ignore file that it meets, so a link to `/dev/zero` or a pipe called `.gitignore` in a hostile
//! repository would hang it, and it also reads settings of the machine. Its matcher is used; the walk is ours.

use std::path::Path;
use std::sync::Arc;

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::read::read_small;
use super::skip::SkipReason;

/// Largest `.gitignore` that is honored. Real ones stay below 20 kB.
const MAX_BYTES: u64 = 256 * 1024;
/// Most lines of one `.gitignore` that are honored; each costs a pattern.
const MAX_LINES: usize = 4_000;

/// The rules of a folder and of the folders around it.
#[derive(Debug, Clone, Default)]
pub struct IgnoreRules(Option<Arc<Level>>);

#[derive(Debug)]
struct Level {
    matcher: Gitignore,
    outer: IgnoreRules,
}

impl IgnoreRules {
    /// These rules with those of the `.gitignore` in `folder`, which must be known to be a plain file.
    ///
    /// # Errors
    /// When the file can't be read or is too large; then the outer rules hold alone.
    pub fn within(&self, folder: &Path) -> Result<IgnoreRules, SkipReason> {
        let bytes = read_small(&folder.join(".gitignore"), MAX_BYTES)?;
        let mut builder = GitignoreBuilder::new(folder);
        for line in String::from_utf8_lossy(&bytes).lines().take(MAX_LINES) {
            // Git, too, passes over a pattern that it can't read.
            let _unreadable_pattern = builder.add_line(None, line);
        }
        match builder.build() {
            Ok(matcher) => Ok(IgnoreRules(Some(Arc::new(Level { matcher, outer: self.clone() })))),
            Err(_) => Err(SkipReason::Unreadable),
        }
    }

    /// True when the rules leave `path` out. The innermost folder with an opinion decides.
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
