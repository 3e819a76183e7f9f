//! Equivalence classes: what people say, and the symbols that they mean.

use crate::vocab::seed_file::{Entry, SeedFile};

/// Where a class comes from, and so how much it counts (SPEC §7).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Layer {
    /// `.knowing/seeds` of the indexed repository.
    Repository,
    /// One framework or library.
    Framework,
    /// Concepts of any software.
    Universal,
    /// An application domain: commerce, scheduling, billing, …
    Domain,
    /// Idioms of a language.
    Language,
    /// Made for one task, of the words around what its names found.
    Graph,
}

impl Layer {
    /// Every layer, the most particular first.
    pub const ALL: [Layer; 6] =
        [Layer::Repository, Layer::Framework, Layer::Universal, Layer::Domain, Layer::Language, Layer::Graph];

    /// The name used in output.
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

    /// How much the layer's evidence counts, from 0 to 1 (SPEC §7).
    pub fn weight(self) -> f64 {
        match self {
            Layer::Repository => 1.0,
            Layer::Framework => 0.9,
            Layer::Universal | Layer::Domain | Layer::Language => 0.8,
            Layer::Graph => 0.7,
        }
    }

    /// True when a target stands for its spellings in every convention: what people of any language say has no spelling
    /// of its own, while a framework's names are exact.
    pub fn any_spelling(self) -> bool {
        matches!(self, Layer::Universal | Layer::Domain)
    }
}

/// For which repositories a file's classes are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scope {
    /// The framework's name, empty when the file has none.
    pub name: String,
    pub language: Option<String>,
    /// A repository must use, or be, one of these; none means any repository of the language.
    pub packages: Vec<String>,
}

/// A class as it is matched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Class {
    pub layer: Layer,
    /// Place of its scope in [`Vocabulary::scopes`](super::Vocabulary::scopes).
    pub scope: usize,
    /// Its file, as messages name it.
    pub path: String,
    pub entry: Entry,
}

impl Class {
    /// What a user mutes it by: its concept, or its layer or file with all that is in it.
    pub fn names(&self) -> [&str; 3] {
        [&self.entry.concept, self.layer.name(), &self.path]
    }
}

/// The layer of a file's classes: what it says of itself decides, and for domains the folder.
pub(super) fn layer_of(file: &SeedFile) -> Layer {
    match () {
        () if !file.packages.is_empty() => Layer::Framework,
        () if file.language.is_some() => Layer::Language,
        () if file.path.split('/').rev().nth(1) == Some("domains") => Layer::Domain,
        () => Layer::Universal,
    }
}

/// Names that so many symbols bear that they mean none.
const GENERIC: [&str; 10] = ["get", "set", "do", "new", "run", "put", "post", "call", "add", "pop"];
/// Names shorter than this mean too much.
const SHORTEST: usize = 4;

/// True for a target that names nothing in particular. A member is told apart by its type.
pub fn is_generic(target: &str) -> bool {
    !target.contains('.') && (target.chars().count() < SHORTEST || GENERIC.contains(&target.to_lowercase().as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_says_what_its_layer_is() {
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
    fn short_and_generic_names_mean_nothing() {
        for target in ["run", "Add", "URL", "db"] {
            assert!(is_generic(target), "{target}");
        }
        for target in ["Flask.run", "Router", "fetch"] {
            assert!(!is_generic(target), "{target}");
        }
    }
}
