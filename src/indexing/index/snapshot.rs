//! The Merkle tree over the store. Its root identifies the state of the graph.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

use crate::graph::merkle::{EdgeLeaf, Root, SymbolLeaf, package_root, repository_root, snapshot_root};
use crate::lang::packages::definition_unit;
use crate::model::{FileId, NodeId, SymbolId, SymbolKind};
use crate::store::{FileRow, Finding, NodeKey, PackedEdges, Reader, SnapshotRow, StoreError, Writer, read_confidence};

/// Updates the roots of the changed packages (of all when `None`), and deletes roots of packages that no longer exist.
pub(super) fn write(writer: &mut Writer, changed: Option<&BTreeSet<String>>) -> Result<(), StoreError> {
    let packages = Packages::new(writer.reader())?;
    for (name, root) in &packages.roots(writer.reader(), changed)? {
        writer.put_package(name, root)?;
    }
    let names = packages.names();
    for (name, _) in writer.reader().packages()? {
        if !names.contains(name.as_str()) {
            writer.delete_package(&name)?;
        }
    }
    Ok(())
}

/// Appends a snapshot if the graph or the commit differs from the last one.
pub(super) fn append(writer: &mut Writer, commit: &str) -> Result<(), StoreError> {
    let packages: BTreeMap<String, Root> = writer.reader().packages()?.into_iter().collect();
    let root = graph_root(writer.reader().repository(), &packages);
    let last = writer.reader().latest_snapshot()?;
    if last.as_ref().is_some_and(|last| last.root == root && last.commit == commit) {
        return Ok(());
    }
    writer.put_snapshot(&SnapshotRow {
        root,
        commit: commit.to_owned(),
        parent: last.map(|last| last.root),
        created_at: super::run::unix_time().as_secs() as i64,
    })
}

fn graph_root(repository: &str, packages: &BTreeMap<String, Root>) -> Root {
    snapshot_root(&BTreeMap::from([(repository.to_owned(), repository_root(repository, packages))]))
}

/// The package of each file and of each symbol without a file.
struct Packages {
    files: Vec<FileRow>,
    /// Folder of each symbol without a file; empty for all but packages.
    fileless: BTreeMap<NodeId, String>,
}

impl Packages {
    fn new(reader: &Reader) -> Result<Packages, StoreError> {
        let fileless = reader.fileless_nodes()?.into_iter().filter(|row| row.file.is_none());
        let folder = |kind, scope| if kind == SymbolKind::Package { scope } else { String::new() };
        let fileless = fileless.map(|row| (row.id, folder(row.kind, row.scope))).collect();
        Ok(Packages { files: reader.files()?, fileless })
    }

    fn names(&self) -> BTreeSet<&str> {
        self.files.iter().map(package_of_file).chain(self.fileless.values().map(String::as_str)).collect()
    }

    /// Returns the roots of the selected packages, or of all.
    fn roots(
        &self,
        reader: &Reader,
        selected: Option<&BTreeSet<String>>,
    ) -> Result<BTreeMap<String, Root>, StoreError> {
        let files: HashMap<FileId, &FileRow> = self.files.iter().map(|file| (file.id, file)).collect();
        let (keys, edges) = self.rows(reader, selected)?;
        let mut leaves: BTreeMap<&str, (Vec<SymbolLeaf>, Vec<EdgeLeaf>)> = BTreeMap::new();
        let mut packages: HashMap<NodeId, &str> = HashMap::with_capacity(keys.len());
        let mut identities: HashMap<NodeId, SymbolId> = HashMap::with_capacity(keys.len());
        for key in &keys {
            let file = key.file.and_then(|file| files.get(&file));
            let package = match file {
                Some(file) => package_of_file(file),
                None => self.fileless.get(&key.id).map_or("", String::as_str),
            };
            identities.insert(key.id, key.identity);
            if selected.is_some_and(|selected| !selected.contains(package)) {
                continue;
            }
            packages.insert(key.id, package);
            // The leaf of the file's own symbol covers the content of the whole file.
            let mut content = [0; 16];
            if let (SymbolKind::File, Some(file)) = (key.kind, file) {
                content.copy_from_slice(&file.content_hash[..16]);
            }
            leaves.entry(package).or_default().0.push(SymbolLeaf { id: key.identity, content });
        }
        for packed in edges {
            for edge in reader.unpack(&packed)? {
                let Some(package) = packages.get(&edge.source) else { continue };
                let Some(source) = identity(reader, &mut identities, edge.source)? else { continue };
                let Some(target) = identity(reader, &mut identities, edge.target)? else { continue };
                leaves.entry(package).or_default().1.push(EdgeLeaf {
                    source,
                    target,
                    edge_type: edge.edge_type,
                    provenance: edge.provenance,
                    confidence: read_confidence(edge.confidence),
                });
            }
        }
        let root = |(name, (symbols, edges)): (&str, (Vec<SymbolLeaf>, Vec<EdgeLeaf>))| {
            (name.to_owned(), package_root(name, symbols, &edges))
        };
        Ok(leaves.into_iter().map(root).collect())
    }

    /// Returns symbols and edges, at least those of the selected packages.
    fn rows(
        &self,
        reader: &Reader,
        selected: Option<&BTreeSet<String>>,
    ) -> Result<(Vec<NodeKey>, Vec<PackedEdges>), StoreError> {
        let Some(selected) = selected else { return Ok((reader.node_keys()?, reader.packed_edges()?)) };
        let (mut keys, mut edges) = (Vec::new(), Vec::new());
        for file in self.files.iter().filter(|file| selected.contains(package_of_file(file))) {
            keys.extend(reader.node_keys_of_file(file.id)?);
            edges.extend(reader.packed_edges_of_file(file.id)?);
        }
        if self.fileless.values().any(|folder| selected.contains(folder)) {
            keys.extend(reader.node_keys_fileless()?);
            edges.extend(reader.packed_edges_of_file(FileId::NONE)?);
        }
        Ok((keys, edges))
    }
}

/// Returns the package of a file: its folder for Go, else the file.
fn package_of_file(file: &FileRow) -> &str {
    definition_unit(&file.language, &file.path)
}

/// Returns the identity of a node, from `cache` or from the store.
fn identity(
    reader: &Reader,
    cache: &mut HashMap<NodeId, SymbolId>,
    node: NodeId,
) -> Result<Option<SymbolId>, StoreError> {
    if let Some(identity) = cache.get(&node) {
        return Ok(Some(*identity));
    }
    let identity = reader.symbol_id(node)?;
    cache.extend(identity.map(|identity| (node, identity)));
    Ok(identity)
}

/// Recomputes the Merkle roots of the store at `database` and compares them.
///
/// # Errors
/// When the store can't be opened or read.
pub fn check_snapshot(database: &Path) -> Result<Finding, StoreError> {
    let reader = Reader::open(database)?;
    let roots = Packages::new(&reader)?.roots(&reader, None)?;
    let stored: BTreeMap<String, Root> = reader.packages()?.into_iter().collect();
    let mut problems: Vec<String> = roots
        .iter()
        .filter(|(name, root)| stored.get(*name) != Some(root))
        .map(|(name, _)| format!("the root of `{name}` differs from its rows"))
        .collect();
    problems
        .extend(stored.keys().filter(|name| !roots.contains_key(*name)).map(|name| format!("`{name}` has no rows")));
    if reader.latest_snapshot()?.is_none_or(|last| last.root != graph_root(reader.repository(), &roots)) {
        problems.push("the snapshot's root differs from the rows".to_owned());
    }
    problems.truncate(20);
    Ok(Finding { check: "Merkle root", problems })
}
