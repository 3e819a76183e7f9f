//! The snapshot: a Merkle tree of the whole graph.
//!
//! Edge-type root -> package root -> repository root -> snapshot. Every hash starts with a domain tag of its level, and
//! each part is prefixed by its length, so different inputs have different encodings. Leaves are sorted before they are
//! hashed, and symbols enter by identity, so neither node numbers nor insertion order matter.

use std::collections::BTreeMap;

use crate::model::{EdgeType, Provenance, SymbolId};

/// A BLAKE3 hash.
pub type Root = [u8; 32];

/// A symbol in the snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SymbolLeaf {
    pub id: SymbolId,
    /// The first bytes of the content hash for a file's own symbol, so that any change in the file changes the root;
    /// zero for all other symbols.
    pub content: [u8; 16],
}

/// An edge in the snapshot.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EdgeLeaf {
    pub source: SymbolId,
    pub target: SymbolId,
    pub edge_type: EdgeType,
    pub provenance: Provenance,
    pub confidence: f32,
}

/// Returns the root of a package: its symbols and the edges that start in it. Duplicate leaves count once.
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

/// Returns the root of the edges of each type.
fn edge_type_roots(package: &str, edges: &[EdgeLeaf]) -> BTreeMap<EdgeType, Root> {
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

/// Returns the root of a repository: its name and the roots of its packages, by name.
pub fn repository_root(repository: &str, packages: &BTreeMap<String, Root>) -> Root {
    let mut hash = Hash::new("repository");
    hash.part(repository.as_bytes());
    for (name, root) in packages {
        hash.part(name.as_bytes()).part(root);
    }
    hash.root()
}

/// Returns the root of the graph: the roots of its repositories, by name. The origin of the graph (commit, parent
/// snapshot) is not hashed, so equal graphs have equal snapshots.
pub fn snapshot_root(repositories: &BTreeMap<String, Root>) -> Root {
    let mut hash = Hash::new("snapshot");
    for (name, root) in repositories {
        hash.part(name.as_bytes()).part(root);
    }
    hash.root()
}

/// A hasher with the domain tag of a level.
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
    fn every_part_changes_the_root() {
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
    fn levels_have_separate_domains() {
        let root = package_root("x", Vec::new(), &[]);
        let one = BTreeMap::from([("x".to_owned(), root)]);
        assert_ne!(repository_root("", &one), snapshot_root(&one));
        let joined = BTreeMap::from([("ab".to_owned(), root), ("c".to_owned(), root)]);
        let split = BTreeMap::from([("a".to_owned(), root), ("bc".to_owned(), root)]);
        assert_ne!(snapshot_root(&joined), snapshot_root(&split));
    }
}
