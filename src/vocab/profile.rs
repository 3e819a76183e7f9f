//! What a repository is made of: its languages, the packages it is, and those it uses. Decides which classes are for it.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::vocab::class::Scope;

/// The languages and packages of a repository. Made by the index, kept in the store.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Profile {
    /// Languages of its files, as the registry names them.
    pub languages: BTreeSet<String>,
    /// Packages that its manifests define.
    pub own: BTreeSet<String>,
    /// Packages that its manifests require or its source imports.
    pub used: BTreeSet<String>,
}

/// What a framework is to a repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Standing {
    /// The classes are for every repository, or for this one's language.
    General,
    /// The repository uses the framework.
    Used,
    /// The repository is the framework.
    Own,
}

impl Standing {
    /// The name used in output.
    pub fn name(self) -> &'static str {
        match self {
            Standing::General => "any",
            Standing::Used => "uses it",
            Standing::Own => "is it",
        }
    }
}

impl Profile {
    /// What the scope's framework is to this repository; `None` when its classes are not for it.
    pub fn standing(&self, scope: &Scope) -> Option<Standing> {
        if scope.language.as_ref().is_some_and(|language| !self.languages.contains(language)) {
            return None;
        }
        let any = |known: &BTreeSet<String>| {
            scope.packages.iter().any(|package| known.iter().any(|known| is_within(known, package)))
        };
        match () {
            () if scope.packages.is_empty() => Some(Standing::General),
            () if any(&self.own) => Some(Standing::Own),
            () if any(&self.used) => Some(Standing::Used),
            () => None,
        }
    }
}

/// True when `known` is the package, or a part of it: `net/http/httptest` of `net/http`, `tokio.sync` of `tokio`, and
/// `github.com/labstack/echo/v4`. Registries treat `-` and `_` alike, and letters without case.
fn is_within(known: &str, package: &str) -> bool {
    let mut letters = known.chars();
    let alike = |one: char, two: char| {
        let plain = |c: char| if c == '_' { '-' } else { c.to_ascii_lowercase() };
        plain(one) == plain(two)
    };
    package.chars().all(|wanted| letters.next().is_some_and(|letter| alike(letter, wanted)))
        && matches!(letters.next(), None | Some('/' | '.'))
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
    fn a_framework_is_used_or_is_the_repository() {
        let profile =
            Profile { languages: set(&["go", "python"]), own: set(&["Django"]), used: set(&["jinja2", "net/http"]) };
        assert_eq!(profile.standing(&scope(None, &[])), Some(Standing::General));
        assert_eq!(profile.standing(&scope(Some("python"), &["django"])), Some(Standing::Own));
        assert_eq!(profile.standing(&scope(Some("python"), &["jinja2"])), Some(Standing::Used));
        assert_eq!(profile.standing(&scope(Some("go"), &["net/http"])), Some(Standing::Used));
        assert_eq!(profile.standing(&scope(Some("python"), &["flask"])), None);
        assert_eq!(profile.standing(&scope(Some("rust"), &[])), None);
    }

    #[test]
    fn packages_match_whole_parts() {
        assert!(is_within("github.com/labstack/echo/v4", "github.com/labstack/echo"));
        assert!(is_within("tracing_subscriber", "tracing-subscriber") && is_within("django.db", "django"));
        assert!(!is_within("django-filter", "django") && !is_within("djang", "django"));
    }
}
