//! Effects of changed manifests: none, other packages of the repository, or also other modules of a language.
//!
//! # Why
//!
//! A kernel has a makefile in each of its folders. An edit of one of them does not change what a name means.

use std::collections::{BTreeSet, HashSet};

use crate::lang::manifest::{has_packages, language_of_modules};
use crate::text::file_name;

/// The effects of manifests that are new, changed or gone.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct ManifestChanges {
    /// Whether there is any.
    pub(super) is_any: bool,
    /// Whether the packages that they define and require may be others.
    packages: bool,
    /// Languages whose files may mean other modules.
    pub(super) languages: BTreeSet<&'static str>,
}

impl ManifestChanges {
    /// Compares the paths and hashes of manifests.
    pub(super) fn between(before: &[(String, [u8; 32])], now: &[(String, [u8; 32])]) -> ManifestChanges {
        let (before, now): (HashSet<_>, HashSet<_>) = (before.iter().collect(), now.iter().collect());
        let mut changes = ManifestChanges::default();
        for (path, _) in before.symmetric_difference(&now) {
            let name = file_name(path);
            changes.is_any = true;
            changes.packages |= has_packages(name);
            changes.languages.extend(language_of_modules(name).map(|language| language.name));
        }
        changes
    }

    /// Returns whether edges may differ.
    pub(super) fn matter(&self) -> bool {
        self.packages || !self.languages.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn effects_are_those_of_the_manifests_that_differ() {
        let manifest = |path: &str, hash: u8| (path.to_owned(), [hash; 32]);
        let before =
            [manifest("Makefile", 1), manifest("go.mod", 1), manifest("a/pom.xml", 1), manifest("b/Makefile", 1)];
        let after = |changed: &[(String, [u8; 32])]| {
            let is_kept = |one: &&(String, [u8; 32])| !changed.iter().any(|(path, _)| *path == one.0);
            let now: Vec<_> = before.iter().filter(is_kept).chain(changed).cloned().collect();
            ManifestChanges::between(&before, &now)
        };
        assert_eq!(after(&[]), ManifestChanges::default());
        let makefile = after(&[manifest("b/Makefile", 2)]);
        assert!(makefile.is_any && !makefile.matter());
        let pom = after(&[manifest("a/pom.xml", 2)]);
        assert!(pom.matter() && pom.languages.is_empty());
        assert_eq!(after(&[manifest("go.mod", 2)]).languages, BTreeSet::from(["go"]));
        assert_eq!(after(&[manifest("tsconfig.json", 1)]).languages, BTreeSet::from(["typescript"]));
        assert_eq!(ManifestChanges::between(&before, &before[..1]).languages, BTreeSet::from(["go"]));
    }
}
