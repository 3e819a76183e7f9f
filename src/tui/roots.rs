//! The folders of the repositories, by which the paths on the screen are opened.

use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

/// The roots of the repositories that the explorer shows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Roots {
    /// The first folder of a repository's paths on the screen, if there are several, and its root.
    members: Vec<(Option<String>, PathBuf)>,
}

impl Roots {
    /// Creates the root of a single repository, whose paths begin at it.
    pub fn single(root: PathBuf) -> Roots {
        Roots { members: vec![(None, root)] }
    }

    /// Creates the roots of repositories whose paths begin with labels.
    pub fn labeled(members: impl IntoIterator<Item = (String, PathBuf)>) -> Roots {
        Roots { members: members.into_iter().map(|(label, root)| (Some(label), root)).collect() }
    }

    /// Returns the root of a file's repository, and the file's path below it; `None` for a path that leads out of the
    /// repositories.
    pub fn split<'a>(&self, file: &'a str) -> Option<(&Path, &'a str)> {
        let (root, own) = self.members.iter().find_map(|(label, root)| match label {
            Some(label) => Some((root, file.strip_prefix(label.as_str())?.strip_prefix('/')?)),
            None => Some((root, file)),
        })?;
        let is_inside = Path::new(own).components().all(|part| matches!(part, Component::Normal(_)));
        is_inside.then_some((root.as_path(), own))
    }

    /// Returns the path of a file, by which an editor opens it; `None` for one that leads out of the repositories.
    pub fn path(&self, file: &str) -> Option<PathBuf> {
        self.split(file).map(|(root, own)| root.join(own))
    }

    /// Returns the same roots as absolute paths.
    pub fn absolute(&self) -> Roots {
        let absolute = |root: &PathBuf| std::path::absolute(root).unwrap_or_else(|_| root.clone());
        Roots { members: self.members.iter().map(|(label, root)| (label.clone(), absolute(root))).collect() }
    }

    /// Returns a folder as a path below the root of a single repository; empty at the root, outside of it, and for
    /// several.
    pub fn below(&self, folder: &Path) -> String {
        let [(None, root)] = self.members.as_slice() else { return String::new() };
        let (Ok(root), Ok(folder)) = (root.canonicalize(), folder.canonicalize()) else { return String::new() };
        let rest = folder.strip_prefix(&root).map(Path::to_owned).unwrap_or_default();
        rest.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
    }

    /// Returns a path that identifies these repositories together: the root of a single one.
    pub fn identity(&self) -> PathBuf {
        let mut joined = OsString::new();
        for (_, root) in &self.members {
            if !joined.is_empty() {
                joined.push(" + ");
            }
            joined.push(root);
        }
        joined.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn path_is_below_the_root_of_its_repository() {
        let single = Roots::single("/r".into());
        assert_eq!(single.path("src/a.py"), Some("/r/src/a.py".into()));
        assert_eq!((single.path("../a.py"), single.path("/etc/passwd")), (None, None));
        assert_eq!(single.identity(), Path::new("/r"));
        let roots = ["shop", "till"].map(|name| (name.to_owned(), PathBuf::from(format!("/{name}-checkout"))));
        let labeled = Roots::labeled(roots);
        assert_eq!(labeled.split("till/src/a.py"), Some((Path::new("/till-checkout"), "src/a.py")));
        assert_eq!(
            (labeled.path("shop/../a.py"), labeled.path("src/a.py"), labeled.path("shopping/a.py")),
            (None, None, None)
        );
    }
}
