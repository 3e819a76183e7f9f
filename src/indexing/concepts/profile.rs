//! The profile of a repository: its languages and packages, which determine the concepts that apply to it.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::concept::Scope;

/// The languages and packages of a repository. Written by the indexer into the store.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Profile {
    /// Languages of its files, as the registry names them.
    pub languages: BTreeSet<String>,
    /// Packages that its manifests define.
    pub own: BTreeSet<String>,
    /// Packages that its manifests require or its source imports.
    pub used: BTreeSet<String>,
}

/// The relation of a repository to a concept's framework.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FrameworkUse {
    /// The concept has no framework.
    Any,
    /// The repository uses the framework.
    Dependency,
    /// The repository is the framework.
    Itself,
}

impl FrameworkUse {
    /// Returns the name used in output.
    pub fn name(self) -> &'static str {
        match self {
            FrameworkUse::Any => "any",
            FrameworkUse::Dependency => "uses it",
            FrameworkUse::Itself => "is it",
        }
    }
}

impl Profile {
    /// Returns the repository's use of the scope's framework; `None` if its concepts don't apply here.
    pub fn framework_use(&self, scope: &Scope) -> Option<FrameworkUse> {
        if scope.language.as_ref().is_some_and(|language| !self.languages.contains(language)) {
            return None;
        }
        let any = |known: &BTreeSet<String>| {
            scope.packages.iter().any(|package| known.iter().any(|known| is_within(known, package)))
        };
        match () {
            () if scope.packages.is_empty() => Some(FrameworkUse::Any),
            () if any(&self.own) => Some(FrameworkUse::Itself),
            () if any(&self.used) => Some(FrameworkUse::Dependency),
            () => None,
        }
    }
}

/// Returns whether `known` is `package` or a part of it: `net/http/httptest` of `net/http`, `tokio.sync` of `tokio`,
/// `github.com/labstack/echo/v4` of `github.com/labstack/echo`, `org.slf4j:slf4j-api` of `org.slf4j`. As in registries, case is ignored, and `-` equals `_`.
fn is_within(known: &str, package: &str) -> bool {
    let mut letters = known.chars();
    let alike = |one: char, two: char| {
        let plain = |c: char| if c == '_' { '-' } else { c.to_ascii_lowercase() };
        plain(one) == plain(two)
    };
    package.chars().all(|wanted| letters.next().is_some_and(|letter| alike(letter, wanted)))
        && matches!(letters.next(), None | Some('/' | '.' | ':' | '\\'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scope(language: Option<&str>, packages: &[&str]) -> Scope {
        let packages = packages.iter().map(|package| (*package).to_owned()).collect();
        Scope { name: String::new(), language: language.map(str::to_owned), packages }
    }

    fn set(items: &[&str]) -> BTreeSet<String> {
        items.iter().map(|item| (*item).to_owned()).collect()
    }

    #[test]
    fn framework_use_follows_from_packages() {
        let profile =
            Profile { languages: set(&["go", "python"]), own: set(&["Django"]), used: set(&["jinja2", "net/http"]) };
        assert_eq!(profile.framework_use(&scope(None, &[])), Some(FrameworkUse::Any));
        assert_eq!(profile.framework_use(&scope(Some("python"), &["django"])), Some(FrameworkUse::Itself));
        assert_eq!(profile.framework_use(&scope(Some("python"), &["jinja2"])), Some(FrameworkUse::Dependency));
        assert_eq!(profile.framework_use(&scope(Some("go"), &["net/http"])), Some(FrameworkUse::Dependency));
        assert_eq!(profile.framework_use(&scope(Some("python"), &["flask"])), None);
        assert_eq!(profile.framework_use(&scope(Some("rust"), &[])), None);
    }

    #[test]
    fn packages_match_whole_segments() {
        assert!(is_within("github.com/labstack/echo/v4", "github.com/labstack/echo"));
        assert!(is_within("tracing_subscriber", "tracing-subscriber") && is_within("django.db", "django"));
        assert!(!is_within("django-filter", "django") && !is_within("djang", "django"));
    }
}
