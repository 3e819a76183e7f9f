//! The only place where qualified names and symbol identities are built (SPEC §2).
//!
//! Nothing of the machine may enter: no absolute path, no user, no time. Two checkouts of one repository
//! in different folders therefore give the same identities.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::SymbolKind;

/// BLAKE3 over repository, qualified name, kind and ordinal, cut to 128 bits.
///
/// 128 bits keep a collision among 2^32 symbols below one in 10^18 at half the storage.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SymbolId(pub [u8; 16]);

const DOMAIN: &[u8] = b"knowing symbol v1";

impl SymbolId {
    /// Identity of the `ordinal`-th definition called `qualified_name`.
    pub fn new(repository: &str, qualified_name: &str, kind: SymbolKind, ordinal: u32) -> SymbolId {
        let mut hasher = blake3::Hasher::new();
        for part in [DOMAIN, repository.as_bytes(), qualified_name.as_bytes(), &[kind as u8], &ordinal.to_le_bytes()] {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        let mut id = [0; 16];
        id.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
        SymbolId(id)
    }

    /// The identity as 32 hexadecimal digits.
    pub fn hex(&self) -> String {
        self.0.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

impl fmt::Debug for SymbolId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.hex())
    }
}

/// `<repo>://<place>.<Scope>.<name>`; `place` is the file's path, or for Go the package's directory.
pub fn qualified_name(repository: &str, place: &str, scope: &[&str], name: &str) -> String {
    let mut text = format!("{repository}://{place}");
    for part in scope.iter().copied().chain([name]).filter(|part| !part.is_empty()) {
        if !text.ends_with('/') {
            text.push('.');
        }
        text.push_str(part);
    }
    text
}

/// The qualified name of a symbol as the store describes it; `file` is its language and path, if it stands in one.
///
/// A file and a package are their path; a route belongs to its file even where definitions belong to the folder.
pub fn symbol_name(repository: &str, kind: SymbolKind, file: Option<(&str, &str)>, scope: &str, name: &str) -> String {
    match (kind, file) {
        (SymbolKind::File, Some((_, path))) => qualified_name(repository, path, &[], ""),
        (SymbolKind::Package, None) => qualified_name(repository, scope, &[], ""),
        (SymbolKind::RouteHandler, Some((_, path))) => qualified_name(repository, path, &[scope], name),
        (_, Some((language, path))) => qualified_name(repository, definition_place(language, path), &[scope], name),
        (_, None) => qualified_name(repository, "", &[scope], name),
    }
}

/// The place of a file's definitions: a Go package is its directory, all others name the file.
pub fn definition_place<'a>(language: &str, path: &'a str) -> &'a str {
    if language == "go" { path.rsplit_once('/').map_or("", |(folder, _)| folder) } else { path }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn length_prefixes_keep_neighbouring_parts_apart() {
        let one = SymbolId::new("ab", "c", SymbolKind::Function, 0);
        let two = SymbolId::new("a", "bc", SymbolKind::Function, 0);
        assert_ne!(one, two);
    }

    #[test]
    fn kind_and_ordinal_are_part_of_the_identity() {
        let base = SymbolId::new("r", "r://a.f", SymbolKind::Function, 0);
        assert_ne!(base, SymbolId::new("r", "r://a.f", SymbolKind::Function, 1));
        assert_ne!(base, SymbolId::new("r", "r://a.f", SymbolKind::Method, 0));
    }

    #[test]
    fn qualified_names_follow_the_spec() {
        let name =
            qualified_name("github.com/pallets/flask", "src/flask/sansio/scaffold.py", &["Scaffold"], "before_request");
        assert_eq!(name, "github.com/pallets/flask://src/flask/sansio/scaffold.py.Scaffold.before_request");
    }
}
