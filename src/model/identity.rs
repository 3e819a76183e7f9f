//! The only place where qualified names and symbol identities are built (SPEC §2).
//!
//! Nothing of the machine may enter: no absolute path, no user, no time. Two checkouts of one repository
//! in different folders therefore give the same identities.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::SymbolKind;

/// What tells a symbol from all others of its repository, but for kind and ordinal.
///
/// # Why
///
/// The parts stay apart until they are hashed: joined by dots, a class in `a.py` and one in `a.py.b.py` can have one name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SymbolName<'a> {
    /// The file's path, or the folder's for what is shared by the files of a package.
    pub place: &'a str,
    /// Names of the enclosing definitions, joined by dots.
    pub scope: &'a str,
    /// Empty for what is its place: a file, a package.
    pub name: &'a str,
}

impl<'a> SymbolName<'a> {
    /// The name of a symbol as the store describes it; `file` is its language and path, if it stands in one.
    ///
    /// A file and a package are their path; a route belongs to its file even where definitions belong to the folder.
    pub fn of(kind: SymbolKind, file: Option<(&str, &'a str)>, scope: &'a str, name: &'a str) -> SymbolName<'a> {
        match (kind, file) {
            (SymbolKind::File, Some((_, path))) => SymbolName { place: path, scope: "", name: "" },
            (SymbolKind::Package, None) => SymbolName { place: scope, scope: "", name: "" },
            (SymbolKind::RouteHandler, Some((_, path))) => SymbolName { place: path, scope, name },
            (_, Some((language, path))) => SymbolName { place: definition_place(language, path), scope, name },
            (_, None) => SymbolName { place: "", scope, name },
        }
    }

    /// The name in words, as people and packs see it.
    pub fn qualified(&self, repository: &str) -> String {
        qualified_name(repository, self.place, &[self.scope], self.name)
    }
}

/// BLAKE3 over repository, place, scope, name, kind and ordinal, cut to 128 bits.
///
/// 128 bits keep a collision among 2^32 symbols below one in 10^18 at half the storage.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SymbolId(pub [u8; 16]);

const DOMAIN: &[u8] = b"knowing symbol v2";

impl SymbolId {
    /// Identity of the `ordinal`-th definition of this name and kind.
    pub fn new(repository: &str, name: SymbolName<'_>, kind: SymbolKind, ordinal: u32) -> SymbolId {
        let mut hasher = blake3::Hasher::new();
        let SymbolName { place, scope, name } = name;
        let (kind, ordinal) = ([kind as u8], ordinal.to_le_bytes());
        let names = [repository, place, scope, name].map(str::as_bytes);
        for part in [DOMAIN].into_iter().chain(names).chain([&kind[..], &ordinal[..]]) {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        let mut id = [0; 16];
        id.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
        SymbolId(id)
    }

    /// First bytes of the identity: what puts equals in an order that does not depend on how they are numbered.
    pub fn tie(&self) -> u64 {
        self.0[..8].iter().fold(0, |tie, byte| tie << 8 | u64::from(*byte))
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

/// The place of a file's definitions: a Go package is its directory, all others name the file.
pub fn definition_place<'a>(language: &str, path: &'a str) -> &'a str {
    if language == "go" { path.rsplit_once('/').map_or("", |(folder, _)| folder) } else { path }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(repository: &str, [place, scope, name]: [&str; 3]) -> SymbolId {
        SymbolId::new(repository, SymbolName { place, scope, name }, SymbolKind::Type, 0)
    }

    #[test]
    fn neighboring_parts_stay_apart() {
        assert_ne!(id("ab", ["c", "", "d"]), id("a", ["bc", "", "d"]));
        assert_ne!(id("r", ["a.py", "b.py", "T"]), id("r", ["a.py.b.py", "", "T"]));
        assert_ne!(id("r", ["p", "q.a", "b"]), id("r", ["p.q", "a", "b"]));
    }

    #[test]
    fn kind_and_ordinal_are_part_of_the_identity() {
        let name = SymbolName { place: "a", scope: "", name: "f" };
        let base = SymbolId::new("r", name, SymbolKind::Function, 0);
        assert_ne!(base, SymbolId::new("r", name, SymbolKind::Function, 1));
        assert_ne!(base, SymbolId::new("r", name, SymbolKind::Method, 0));
    }

    #[test]
    fn qualified_names_follow_the_spec() {
        let name =
            qualified_name("github.com/pallets/flask", "src/flask/sansio/scaffold.py", &["Scaffold"], "before_request");
        assert_eq!(name, "github.com/pallets/flask://src/flask/sansio/scaffold.py.Scaffold.before_request");
    }
}
