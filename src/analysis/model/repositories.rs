//! The repositories that a pack or an answer spans, and the names by which output tells them apart.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::Symbol;

/// The repositories of a workspace by their ids; empty for a pack or an answer about a single repository.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Repositories(BTreeMap<String, RepositoryName>);

/// The names of a pack or an answer about a single repository: none.
pub static SINGLE_REPOSITORY: Repositories = Repositories(BTreeMap::new());

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
        Repositories(names.into_iter().collect())
    }

    /// Returns whether there is a single repository, whose name output omits.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the label of a repository by its id; `None` for a single repository.
    pub fn label_of(&self, id: &str) -> Option<&str> {
        self.0.get(id).map(|name| name.label.as_str())
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

    /// Returns the path of a symbol's file below the folder of its repository.
    pub fn path<'a>(&self, symbol: &'a Symbol) -> Cow<'a, str> {
        match self.name_of(symbol).filter(|_| !symbol.file.is_empty()) {
            Some(name) => Cow::Owned(format!("{}/{}", name.folder.trim_end_matches('/'), symbol.file)),
            None => Cow::Borrowed(&symbol.file),
        }
    }

    /// Returns the id of the repository and the rest of a path or qualified name that begins with a label: `api/src/a.rs`,
    /// `api://a`.
    pub fn split_label<'a>(&self, text: &'a str) -> Option<(&str, &'a str)> {
        self.0.iter().find_map(|(id, name)| {
            let rest = text.strip_prefix(name.label.as_str())?;
            Some((id.as_str(), rest.strip_prefix("://").or_else(|| rest.strip_prefix('/'))?))
        })
    }

    fn name_of(&self, symbol: &Symbol) -> Option<&RepositoryName> {
        self.0.get(symbol.repository())
    }
}
