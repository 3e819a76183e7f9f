//! Concepts, and the layers that they belong to.

use crate::concepts::seed_file::{SeedConcept, SeedFile};

/// The origin of a concept, which determines its weight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Layer {
    /// The seed files in `.knowing/seeds` of the indexed repository.
    Repository,
    /// One framework or library.
    Framework,
    /// Concepts of any software.
    Universal,
    /// An application domain: commerce, scheduling, billing, …
    Domain,
    /// Idioms of a language.
    Language,
    /// Generated for one task from the names of callers and callees.
    Graph,
}

impl Layer {
    /// Every layer, the most specific first.
    pub const ALL: [Layer; 6] =
        [Layer::Repository, Layer::Framework, Layer::Universal, Layer::Domain, Layer::Language, Layer::Graph];

    /// Returns the name used in output.
    pub fn name(self) -> &'static str {
        match self {
            Layer::Repository => "repository",
            Layer::Framework => "framework",
            Layer::Universal => "universal",
            Layer::Domain => "domain",
            Layer::Language => "language",
            Layer::Graph => "graph",
        }
    }

    /// Returns the weight of the layer's concepts, from 0 to 1.
    pub fn weight(self) -> f64 {
        match self {
            Layer::Repository => 1.0,
            Layer::Framework => 0.9,
            Layer::Universal | Layer::Domain | Layer::Language => 0.8,
            Layer::Graph => 0.7,
        }
    }

    /// Returns whether a target matches symbols in any naming convention. The names of a framework are exact; those of
    /// a domain depend on the language of the repository.
    pub fn any_spelling(self) -> bool {
        matches!(self, Layer::Universal | Layer::Domain)
    }
}

/// The repositories that a file's concepts apply to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scope {
    /// The framework's name; empty if the file has none.
    pub name: String,
    pub language: Option<String>,
    /// Packages of which the repository must use or be one; empty for any repository of the language.
    pub packages: Vec<String>,
}

/// A concept with its origin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Concept {
    pub layer: Layer,
    /// Index of its scope in the vocabulary.
    pub scope: usize,
    /// The path of its file in messages.
    pub path: String,
    pub entry: SeedConcept,
}

impl Concept {
    /// Returns the names by which it can be muted: its own, that of its layer and that of its file.
    pub fn names(&self) -> [&str; 3] {
        [&self.entry.concept, self.layer.name(), &self.path]
    }
}

/// Returns the layer of a file's concepts, which follows from its fields and, for domains, from its folder.
pub(super) fn layer_of(file: &SeedFile) -> Layer {
    match () {
        () if !file.packages.is_empty() => Layer::Framework,
        () if file.language.is_some() => Layer::Language,
        () if file.path.split('/').rev().nth(1) == Some("domains") => Layer::Domain,
        () => Layer::Universal,
    }
}

/// Names that too many symbols have to be targets.
const GENERIC: [&str; 10] = ["get", "set", "do", "new", "run", "put", "post", "call", "add", "pop"];
/// Minimum length of a name that is not generic.
const MIN_LEN: usize = 4;

/// Returns whether a target is too common to identify a symbol. A member never is, because its type distinguishes it.
pub fn is_generic(target: &str) -> bool {
    !target.contains('.') && (target.chars().count() < MIN_LEN || GENERIC.contains(&target.to_lowercase().as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layer_follows_from_fields_and_folder() {
        let file = |path: &str, language: Option<&str>, packages: &[&str]| SeedFile {
            path: path.to_owned(),
            language: language.map(str::to_owned),
            packages: packages.iter().map(|package| (*package).to_owned()).collect(),
            ..SeedFile::default()
        };
        assert_eq!(layer_of(&file("frameworks/gin.toml", Some("go"), &["github.com/gin-gonic/gin"])), Layer::Framework);
        assert_eq!(layer_of(&file("languages/go.toml", Some("go"), &[])), Layer::Language);
        assert_eq!(layer_of(&file("seeds/domains/billing.toml", None, &[])), Layer::Domain);
        assert_eq!(layer_of(&file("mine.toml", None, &[])), Layer::Universal);
    }

    #[test]
    fn short_and_common_names_are_generic() {
        for target in ["run", "Add", "URL", "db"] {
            assert!(is_generic(target), "{target}");
        }
        for target in ["Flask.run", "Router", "fetch"] {
            assert!(!is_generic(target), "{target}");
        }
    }
}
