//! The user's consent: to the first index of a folder that is more than a project, and to the use of a SCIP index that comes
//! with a repository.

use std::fmt;
use std::path::{Path, PathBuf};

use super::{Engine, EngineError};
use crate::index::own_scip;
use crate::scan::discover::has_more_entries;
use crate::scan::repository::is_checkout;
use crate::store::{ScipAnswer, scip_answer, write_scip_answer};

/// Limit of the files and folders that are indexed without asking where there is no version control.
const MAX_ENTRIES: usize = 50_000;
/// System folders without source code: some have endless files, some secrets.
const SYSTEM_FOLDERS: [&str; 5] = ["/boot", "/dev", "/etc", "/proc", "/sys"];

/// The reason to ask before the first index of a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Concern {
    FileSystemRoot,
    /// The home folder, or a folder that contains it.
    Home,
    System,
    /// More than [`MAX_ENTRIES`] files without version control.
    Size,
}

impl fmt::Display for Concern {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Concern::FileSystemRoot => "is the root of the file system",
            Concern::Home => "is or contains your home folder",
            Concern::System => "is a system folder",
            Concern::Size => "has more than 50,000 files without version control",
        })
    }
}

impl Engine {
    /// Returns why the user should agree before this folder is indexed; `None` if it is an ordinary project or has an
    /// index. Writes nothing.
    pub fn concern(&self) -> Option<Concern> {
        if self.database().exists() {
            return None;
        }
        let home = std::env::home_dir().and_then(|home| home.canonicalize().ok());
        concern(self.root(), home.as_deref(), MAX_ENTRIES)
    }

    /// Returns the SCIP index that comes with the repository, if the user has not been asked whether to use it. Its edges
    /// would take precedence over what the analysis finds.
    pub fn unanswered_scip(&self) -> Option<PathBuf> {
        own_scip(self.root()).filter(|_| scip_answer(self.database()).is_none())
    }

    /// Records whether the SCIP index that comes with the repository is used; beside the database, as the consent to the
    /// first index is the database itself.
    ///
    /// # Errors
    /// When the database's folder can't be written.
    pub fn answer_scip(&self, answer: ScipAnswer) -> Result<(), EngineError> {
        Ok(write_scip_answer(&self.prepare()?, answer)?)
    }
}

fn concern(root: &Path, home: Option<&Path>, max_entries: usize) -> Option<Concern> {
    if root.parent().is_none() {
        Some(Concern::FileSystemRoot)
    } else if SYSTEM_FOLDERS.iter().any(|folder| root.starts_with(folder)) {
        Some(Concern::System)
    } else if home.is_some_and(|home| home.starts_with(root)) {
        Some(Concern::Home)
    } else {
        (!is_checkout(root) && has_more_entries(root, max_entries)).then_some(Concern::Size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_a_project_needs_consent() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        for number in 0..4 {
            std::fs::create_dir(root.join(format!("part{number}"))).unwrap();
            std::fs::write(root.join(format!("part{number}/a.py")), "").unwrap();
        }
        std::fs::create_dir(root.join("node_modules")).unwrap();
        std::fs::write(root.join("node_modules/a.js"), "").unwrap();
        assert_eq!(concern(root, None, 9), None, "vendored folders are not searched");
        assert_eq!(concern(root, None, 8), Some(Concern::Size));
        std::fs::create_dir(root.join(".hg")).unwrap();
        assert_eq!(concern(root, None, 8), None);

        assert_eq!(concern(root, Some(root), 9), Some(Concern::Home));
        assert_eq!(concern(root, Some(&root.join("part1")), 9), Some(Concern::Home));
        assert_eq!(concern(&root.join("part1"), Some(root), 9), None);
        assert_eq!(concern(Path::new("/"), None, 9), Some(Concern::FileSystemRoot));
        for folder in ["/proc/1", "/etc"] {
            assert_eq!(concern(Path::new(folder), None, 9), Some(Concern::System), "{folder}");
        }
        assert_eq!(concern(Path::new("/processes"), None, 9), None);
    }
}
