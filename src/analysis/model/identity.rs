//! Qualified names and symbol identities. They are computed here only.
//!
//! Identities depend on the repository alone: no absolute path, user or time enters. Two checkouts of one repository in
//! different folders have the same identities.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::SymbolKind;

/// The parts of a symbol's identity, except for kind and ordinal.
///
/// # Why
///
/// The parts are hashed separately, because the joined names of different symbols can be equal: a class in `a.py` and
/// one in `a.py.b.py`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SymbolName<'a> {
    /// The path of the file, or of the folder in languages whose packages are folders.
    pub unit: &'a str,
    /// Names of the enclosing definitions, joined by dots.
    pub scope: &'a str,
    /// Empty for files and packages.
    pub name: &'a str,
}

impl SymbolName<'_> {
    /// Returns the qualified name shown in output.
    pub fn qualified(&self, repository: &str) -> String {
        qualified_name(repository, self.unit, &[self.scope], self.name)
    }
}

/// BLAKE3 hash of repository, unit, scope, name, kind and ordinal, truncated to 128 bits.
///
/// With 128 bits a collision among 2^32 symbols has a probability below 10^-18, at half the storage of the full hash.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SymbolId(pub [u8; 16]);

const DOMAIN: &[u8] = b"knowing symbol v2";

impl SymbolId {
    /// Computes the identity of the `ordinal`-th definition of this name and kind.
    pub fn new(repository: &str, name: SymbolName<'_>, kind: SymbolKind, ordinal: u32) -> SymbolId {
        let mut hasher = blake3::Hasher::new();
        let SymbolName { unit, scope, name } = name;
        let (kind, ordinal) = ([kind as u8], ordinal.to_le_bytes());
        let names = [repository, unit, scope, name].map(str::as_bytes);
        for part in [DOMAIN].into_iter().chain(names).chain([&kind[..], &ordinal[..]]) {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        let mut id = [0; 16];
        id.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
        SymbolId(id)
    }

    /// Returns the first 8 bytes of the identity. They break ties independently of node numbers.
    pub fn id_prefix(&self) -> u64 {
        self.0[..8].iter().fold(0, |prefix, byte| prefix << 8 | u64::from(*byte))
    }

    /// Returns the identity as 32 hexadecimal digits.
    pub fn hex(&self) -> String {
        hex::encode(self.0)
    }

    /// Returns the identity of 32 hexadecimal digits; `None` for another text.
    pub fn from_hex(digits: &str) -> Option<SymbolId> {
        let mut id = [0; 16];
        hex::decode_to_slice(digits, &mut id).ok().map(|()| SymbolId(id))
    }
}

impl fmt::Debug for SymbolId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.hex())
    }
}

/// Returns `<repository>://<unit>.<Scope>.<name>`.
pub fn qualified_name(repository: &str, unit: &str, scope: &[&str], name: &str) -> String {
    let mut text = format!("{repository}://{unit}");
    for part in scope.iter().copied().chain([name]).filter(|part| !part.is_empty()) {
        if !text.ends_with('/') {
            text.push('.');
        }
        text.push_str(part);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(repository: &str, [unit, scope, name]: [&str; 3]) -> SymbolId {
        SymbolId::new(repository, SymbolName { unit, scope, name }, SymbolKind::Type, 0)
    }

    #[test]
    fn identity_separates_its_parts() {
        assert_ne!(id("ab", ["c", "", "d"]), id("a", ["bc", "", "d"]));
        assert_ne!(id("r", ["a.py", "b.py", "T"]), id("r", ["a.py.b.py", "", "T"]));
        assert_ne!(id("r", ["p", "q.a", "b"]), id("r", ["p.q", "a", "b"]));
    }

    #[test]
    fn identity_includes_kind_and_ordinal() {
        let name = SymbolName { unit: "a", scope: "", name: "f" };
        let base = SymbolId::new("r", name, SymbolKind::Function, 0);
        assert_ne!(base, SymbolId::new("r", name, SymbolKind::Function, 1));
        assert_ne!(base, SymbolId::new("r", name, SymbolKind::Method, 0));
    }

    #[test]
    fn qualified_name_has_repository_unit_and_scope() {
        let name =
            qualified_name("github.com/pallets/flask", "src/flask/sansio/scaffold.py", &["Scaffold"], "before_request");
        assert_eq!(name, "github.com/pallets/flask://src/flask/sansio/scaffold.py.Scaffold.before_request");
    }
}
