//! The snapshot: a Merkle tree over everything the graph says (SPEC §4).
//!
//! Edge-type root -> package root -> repository root -> snapshot. Every hash names what it covers: a domain tag for its
//! level, then each part with its length, so no part can pose as another. Leaves are sorted before they are hashed,
//! and symbols enter by identity, so neither node numbers nor the order of insertion matter.

use std::collections::BTreeMap;

use crate::model::{EdgeType, Provenance, SymbolId};

/// A BLAKE3 hash.
pub type Root = [u8; 32];

/// A symbol as the snapshot covers it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SymbolLeaf {
    pub id: SymbolId,
    /// For a file's own symbol the beginning of its content's hash, so that whatever changes in it changes the root; zero
    /// for every other symbol.
    pub content: [u8; 16],
}

/// An edge as the snapshot covers it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EdgeLeaf {
    pub source: SymbolId,
    pub target: SymbolId,
    pub edge_type: EdgeType,
    pub provenance: Provenance,
    pub confidence: f32,
}

/// What commits to one package: its symbols and the edges that start in it. Equal leaves count once.
pub fn package_root(package: &str, mut symbols: Vec<SymbolLeaf>, edges: &[EdgeLeaf]) -> Root {
    symbols.sort_unstable_by_key(|symbol| (symbol.id, symbol.content));
    symbols.dedup();
    let mut covered = Hash::new("symbols");
    for symbol in &symbols {
        covered.part(&symbol.id.0).part(&symbol.content);
    }
    let mut hash = Hash::new("package");
    hash.part(package.as_bytes()).part(&covered.root());
    for (edge_type, root) in edge_type_roots(package, edges) {
        hash.part(edge_type.name().as_bytes()).part(&root);
    }
    hash.root()
}

/// The root of the edges of each type that occurs.
pub fn edge_type_roots(package: &str, edges: &[EdgeLeaf]) -> BTreeMap<EdgeType, Root> {
    let mut groups: BTreeMap<EdgeType, Vec<[u8; 37]>> = BTreeMap::new();
    for edge in edges {
        let mut leaf = [0; 37];
        leaf[..16].copy_from_slice(&edge.source.0);
        leaf[16..32].copy_from_slice(&edge.target.0);
        leaf[32] = edge.provenance as u8;
        leaf[33..].copy_from_slice(&edge.confidence.to_bits().to_le_bytes());
        groups.entry(edge.edge_type).or_default().push(leaf);
    }
    let root = |(edge_type, mut leaves): (EdgeType, Vec<[u8; 37]>)| {
        leaves.sort_unstable();
        leaves.dedup();
        let mut hash = Hash::new("edges");
        hash.part(package.as_bytes()).part(edge_type.name().as_bytes());
        leaves.iter().for_each(|leaf| {
            hash.part(leaf);
        });
        (edge_type, hash.root())
    };
    groups.into_iter().map(root).collect()
}

/// What commits to a repository: its name and the roots of its packages, by name.
pub fn repository_root(repository: &str, packages: &BTreeMap<String, Root>) -> Root {
    let mut hash = Hash::new("repository");
    hash.part(repository.as_bytes());
    for (name, root) in packages {
        hash.part(name.as_bytes()).part(root);
    }
    hash.root()
}

/// The state of the graph: the roots of its repositories, by name. Where it comes from (commit, parent snapshot) is
/// recorded beside it and not hashed, so that equal graphs have equal snapshots however they came about.
pub fn snapshot_root(repositories: &BTreeMap<String, Root>) -> Root {
    let mut hash = Hash::new("snapshot");
    for (name, root) in repositories {
        hash.part(name.as_bytes()).part(root);
    }
    hash.root()
}

/// A hash with its domain tag, fed part by part.
struct Hash(blake3::Hasher);

impl Hash {
    fn new(level: &str) -> Hash {
        let mut hash = Hash(blake3::Hasher::new());
        hash.part(b"knowing merkle v1").part(level.as_bytes());
        hash
    }

    fn part(&mut self, bytes: &[u8]) -> &mut Hash {
        self.0.update(&(bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
        self
    }

    fn root(&self) -> Root {
        *self.0.finalize().as_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(number: u8) -> SymbolId {
        SymbolId([number; 16])
    }

    fn edge(source: u8, target: u8, edge_type: EdgeType) -> EdgeLeaf {
        let provenance = Provenance::AstResolved;
        EdgeLeaf { source: id(source), target: id(target), edge_type, provenance, confidence: 0.9 }
    }

    fn symbol(number: u8, content: u8) -> SymbolLeaf {
        SymbolLeaf { id: id(number), content: [content; 16] }
    }

    #[test]
    fn order_does_not_matter() {
        let (symbols, edges) =
            (vec![symbol(1, 0), symbol(2, 0)], [edge(1, 2, EdgeType::Calls), edge(2, 1, EdgeType::Calls)]);
        let reversed: Vec<EdgeLeaf> = edges.iter().rev().copied().collect();
        let one = package_root("a.py", symbols.clone(), &edges);
        assert_eq!(one, package_root("a.py", symbols.into_iter().rev().collect(), &reversed));
    }

    #[test]
    fn everything_named_changes_the_root() {
        let base = package_root("a.py", vec![symbol(1, 0)], &[edge(1, 2, EdgeType::Calls)]);
        let sure = EdgeLeaf { confidence: 1.0, ..edge(1, 2, EdgeType::Calls) };
        for other in [
            package_root("b.py", vec![symbol(1, 0)], &[edge(1, 2, EdgeType::Calls)]),
            package_root("a.py", vec![symbol(1, 1)], &[edge(1, 2, EdgeType::Calls)]),
            package_root("a.py", vec![symbol(1, 0)], &[edge(2, 1, EdgeType::Calls)]),
            package_root("a.py", vec![symbol(1, 0)], &[edge(1, 2, EdgeType::References)]),
            package_root("a.py", vec![symbol(1, 0)], &[sure]),
            package_root("a.py", vec![symbol(1, 0)], &[]),
        ] {
            assert_ne!(base, other);
        }
    }

    #[test]
    fn levels_can_not_pose_as_each_other() {
        let root = package_root("x", Vec::new(), &[]);
        let one = BTreeMap::from([("x".to_owned(), root)]);
        assert_ne!(repository_root("", &one), snapshot_root(&one));
        let joined = BTreeMap::from([("ab".to_owned(), root), ("c".to_owned(), root)]);
        let split = BTreeMap::from([("a".to_owned(), root), ("bc".to_owned(), root)]);
        assert_ne!(snapshot_root(&joined), snapshot_root(&split));
    }
}
