//! Checks of the files that a pack is written to: not the index, and nothing outside the repository by way of a link in
//! it, because the author of a repository chooses its links.

use std::io;
use std::path::{Component, Path, PathBuf};

use super::Engine;

/// The reason why a pack is not written to a file.
#[derive(Debug, thiserror::Error)]
pub enum OutputPathError {
    #[error("{} is part of the index; choose another file", .0.display())]
    Index(PathBuf),
    #[error("{link} is a link out of the repository, to {target}; to write there, give that path")]
    Link { link: String, target: String },
    #[error("{}: {cause}", .path.display())]
    Path { path: PathBuf, cause: io::Error },
}

impl Engine {
    /// Checks that a pack may be written to `path`, which need not exist.
    ///
    /// # Errors
    /// When it is a file of the index, or a link in the repository that leads out of it.
    pub fn check_output(&self, path: &Path) -> Result<(), OutputPathError> {
        let failed = |cause| OutputPathError::Path { path: path.to_owned(), cause };
        let target = resolve(path, self.root())?;
        let database = std::path::absolute(self.database()).map_err(failed)?;
        // The folder of a database that does not exist yet can't be resolved.
        let database =
            database.parent().and_then(|folder| folder.canonicalize().ok()).map(|folder| match database.file_name() {
                Some(name) => folder.join(name),
                None => folder,
            });
        // In the data folder, everything in the checkout's folder is.
        let is_of_index = |database: PathBuf| match self.data {
            Some(_) => database.parent().is_some_and(|folder| target.starts_with(folder)),
            None => is_file_of(&target, &database),
        };
        if database.is_some_and(is_of_index) {
            return Err(OutputPathError::Index(path.to_owned()));
        }
        Ok(())
    }
}

/// Returns whether `path` is a database or one of the files beside it, such as `graph.db-wal`.
fn is_file_of(path: &Path, database: &Path) -> bool {
    let names = [path, database].map(|path| path.file_name().unwrap_or_default().as_encoded_bytes());
    let [name, of_database] = names;
    let beside = name.strip_prefix(of_database).is_some_and(|rest| rest.is_empty() || rest.starts_with(b"-"));
    path.parent() == database.parent() && beside
}

/// Applies the `..` of a path without looking at the file system.
fn without_dots(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut folder, component| {
        match component {
            Component::ParentDir => drop(folder.pop()),
            other => folder.push(other),
        }
        folder
    })
}

/// Returns `path` as an absolute path without links.
fn resolve(path: &Path, root: &Path) -> Result<PathBuf, OutputPathError> {
    let failed = |cause| OutputPathError::Path { path: path.to_owned(), cause };
    let mut resolved = PathBuf::new();
    for component in std::path::absolute(path).map_err(failed)?.components() {
        if component == Component::ParentDir {
            resolved.pop();
            continue;
        }
        let next = resolved.join(component);
        resolved = match next.read_link() {
            Ok(target) => {
                // Writing to a link whose target does not exist creates the target.
                let target = next.canonicalize().unwrap_or_else(|_| without_dots(&resolved.join(target)));
                if resolved.starts_with(root) && !target.starts_with(root) {
                    let [link, target] = [&next, &target].map(|path| path.display().to_string());
                    return Err(OutputPathError::Link { link, target });
                }
                target
            }
            // Not a link, or it does not exist.
            Err(_) => next,
        };
    }
    Ok(resolved)
}
