//! The repositories that a pack or an answer spans, and the names by which output tells them apart.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::Symbol;

/// The repositories of a workspace by their ids; empty for a pack or an answer about a single repository.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Repositories {
    names: BTreeMap<String, RepositoryName>,
    /// The folder below the root of a single repository to which the paths that people read are relative; empty at the
    /// root.
    folder: String,
}

/// The names of a pack or an answer about a single repository: none.
pub static SINGLE_REPOSITORY: Repositories = Repositories { names: BTreeMap::new(), folder: String::new() };

/// The names of one repository in output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepositoryName {
    /// A short name, unique in the workspace, such as `flask`.
    pub label: String,
    /// Its folder, as an editor can open it.
    pub folder: String,
}

impl Repositories {
    /// Creates the names of repositories by their ids.
    pub fn new(names: impl IntoIterator<Item = (String, RepositoryName)>) -> Repositories {
        Repositories { names: names.into_iter().collect(), folder: String::new() }
    }

    /// Creates the names for a single repository whose paths are read from a folder below its root.
    pub fn seen_from(folder: &str) -> Repositories {
        Repositories { folder: folder.to_owned(), ..Repositories::default() }
    }

    /// Returns whether there is a single repository, whose name output omits.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Returns the label of a repository by its id; `None` for a single repository.
    pub fn label_of(&self, id: &str) -> Option<&str> {
        self.names.get(id).map(|name| name.label.as_str())
    }

    /// Returns the label of a symbol's repository; `None` for a single repository.
    pub fn label(&self, symbol: &Symbol) -> Option<&str> {
        self.name_of(symbol).map(|name| name.label.as_str())
    }

    /// Returns a symbol's qualified name with the label instead of the repository's id.
    pub fn qualified_name<'a>(&self, symbol: &'a Symbol) -> Cow<'a, str> {
        match self.label(symbol) {
            Some(label) => Cow::Owned(format!("{label}://{}", symbol.short_name())),
            None => Cow::Borrowed(symbol.short_name()),
        }
    }

    /// Returns the path of a symbol's file below the label of its repository; empty for a symbol without a file.
    pub fn file<'a>(&self, symbol: &'a Symbol) -> Cow<'a, str> {
        match self.label(symbol).filter(|_| !symbol.file.is_empty()) {
            Some(label) => Cow::Owned(format!("{label}/{}", symbol.file)),
            None => Cow::Borrowed(&symbol.file),
        }
    }

    /// Returns the path of a symbol's file as people read it: like [`Repositories::file`], and relative to the current
    /// folder in a single repository.
    pub fn shown<'a>(&self, symbol: &'a Symbol) -> Cow<'a, str> {
        match self.names.is_empty() {
            true => self.shown_file(&symbol.file),
            false => self.file(symbol),
        }
    }

    /// Returns a path in output as people read it: relative to the current folder in a single repository.
    pub fn shown_file<'a>(&self, file: &'a str) -> Cow<'a, str> {
        match file.is_empty() {
            true => Cow::Borrowed(file),
            false => relative(&self.folder, file),
        }
    }

    /// Returns the path from the current folder to the root of a single repository; `None` at the root.
    pub fn way_to_root(&self) -> Option<String> {
        let folders = self.folder.split('/').filter(|folder| !folder.is_empty());
        let up = vec![".."; folders.count()];
        (!up.is_empty()).then(|| up.join("/"))
    }

    /// Returns the path by which a symbol's file is opened: below the folder of its repository, or relative to the current
    /// folder.
    pub fn path<'a>(&self, symbol: &'a Symbol) -> Cow<'a, str> {
        match self.name_of(symbol).filter(|_| !symbol.file.is_empty()) {
            Some(name) => Cow::Owned(format!("{}/{}", name.folder.trim_end_matches('/'), symbol.file)),
            None => self.shown(symbol),
        }
    }

    /// Returns the id of the repository and the rest of a path or qualified name that begins with a label: `api/src/a.rs`,
    /// `api://a`.
    pub fn split_label<'a>(&self, text: &'a str) -> Option<(&str, &'a str)> {
        self.names.iter().find_map(|(id, name)| {
            let rest = text.strip_prefix(name.label.as_str())?;
            Some((id.as_str(), rest.strip_prefix("://").or_else(|| rest.strip_prefix('/'))?))
        })
    }

    fn name_of(&self, symbol: &Symbol) -> Option<&RepositoryName> {
        self.names.get(symbol.repository())
    }
}

/// Returns a path below the root of a repository relative to a folder below it, as `git` prints it.
pub fn relative<'a>(folder: &str, path: &'a str) -> Cow<'a, str> {
    if folder.is_empty() {
        return Cow::Borrowed(path);
    }
    let (mut folders, mut rest) = (folder.split('/').peekable(), path);
    while let (Some(folder), Some((first, below))) = (folders.peek(), rest.split_once('/')) {
        if *folder != first {
            break;
        }
        folders.next();
        rest = below;
    }
    Cow::Owned(format!("{}{rest}", "../".repeat(folders.count())))
}

/// Returns the path below the root of what a person names in a folder below it: `src` and `../a.py` are `a.py`. `None` for
/// a path that leads out of the repository, or is absolute.
pub fn below_root(folder: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    if path.starts_with('/') {
        return None;
    }
    for part in path.split('/').filter(|part| !matches!(*part, "" | ".")) {
        match part {
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_relative_to_the_current_folder() {
        for (folder, path, expected) in [
            ("", "src/a.py", "src/a.py"),
            ("src", "src/a.py", "a.py"),
            ("src/web", "src/a.py", "../a.py"),
            ("src/web", "src/web/api/a.py", "api/a.py"),
            ("src/web", "tests/a.py", "../../tests/a.py"),
            ("src", "srcs/a.py", "../srcs/a.py"),
            ("a.py", "a.py", "../a.py"),
        ] {
            assert_eq!(relative(folder, path), expected, "{folder} {path}");
            assert_eq!(below_root(folder, expected).as_deref(), Some(path), "{folder} {expected}");
        }
        assert_eq!((below_root("src", "../../a.py"), below_root("src", "/a.py")), (None, None));
        assert_eq!(below_root("src", "./web//a.py").as_deref(), Some("src/web/a.py"));
    }
}
