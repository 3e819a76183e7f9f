//! The Merkle tree over the store: its root names the state of the graph.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

use crate::graph::merkle::{EdgeLeaf, Root, SymbolLeaf, package_root, repository_root, snapshot_root};
use crate::lang::packages::definition_unit;
use crate::model::{SymbolId, SymbolKind};
use crate::store::{FileRow, Finding, NodeKey, PackedEdges, Reader, SnapshotRow, StoreError, Writer, read_confidence};

/// Renews the roots of these packages (of all when `None`), and forgets those gone.
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

/// Appends a snapshot when the graph or the commit is another than at the last one.
pub(super) fn append(writer: &mut Writer, commit: &str) -> Result<(), StoreError> {
    let packages: BTreeMap<String, Root> = writer.reader().packages()?.into_iter().collect();
    let root = whole(writer.reader().repository(), &packages);
    let last = writer.reader().latest_snapshot()?;
    if last.as_ref().is_some_and(|last| last.root == root && last.commit == commit) {
        return Ok(());
    }
    writer.put_snapshot(&SnapshotRow {
        root,
        commit: commit.to_owned(),
        parent: last.map(|last| last.root),
        created_at: super::run::since_1970().as_secs() as i64,
    })
}

fn whole(repository: &str, packages: &BTreeMap<String, Root>) -> Root {
    snapshot_root(&BTreeMap::from([(repository.to_owned(), repository_root(repository, packages))]))
}

/// To which package everything belongs.
struct Packages {
    files: Vec<FileRow>,
    /// Folder of each symbol without a file; empty but for packages.
    outside: BTreeMap<u32, String>,
}

impl Packages {
    fn new(reader: &Reader) -> Result<Packages, StoreError> {
        let outside = reader.tail_nodes()?.into_iter().filter(|row| row.file.is_none());
        let folder = |kind, scope| if kind == SymbolKind::Package { scope } else { String::new() };
        let outside = outside.map(|row| (row.id, folder(row.kind, row.scope))).collect();
        Ok(Packages { files: reader.files()?, outside })
    }

    fn names(&self) -> BTreeSet<&str> {
        self.files.iter().map(place).chain(self.outside.values().map(String::as_str)).collect()
    }

    /// The roots of the given packages, or of all.
    fn roots(&self, reader: &Reader, wanted: Option<&BTreeSet<String>>) -> Result<BTreeMap<String, Root>, StoreError> {
        let files: HashMap<u32, &FileRow> = self.files.iter().map(|file| (file.id, file)).collect();
        let (keys, edges) = self.rows(reader, wanted)?;
        let mut leaves: BTreeMap<&str, (Vec<SymbolLeaf>, Vec<EdgeLeaf>)> = BTreeMap::new();
        let mut places: HashMap<u32, &str> = HashMap::with_capacity(keys.len());
        let mut identities: HashMap<u32, SymbolId> = HashMap::with_capacity(keys.len());
        for key in &keys {
            let file = key.file.and_then(|file| files.get(&file));
            let place = match file {
                Some(file) => place(file),
                None => self.outside.get(&key.id).map_or("", String::as_str),
            };
            identities.insert(key.id, key.identity);
            if wanted.is_some_and(|wanted| !wanted.contains(place)) {
                continue;
            }
            places.insert(key.id, place);
            // The file's own symbol stands for everything that its text says.
            let mut content = [0; 16];
            if let (SymbolKind::File, Some(file)) = (key.kind, file) {
                content.copy_from_slice(&file.content_hash[..16]);
            }
            leaves.entry(place).or_default().0.push(SymbolLeaf { id: key.identity, content });
        }
        for packed in edges {
            for edge in reader.unpack(&packed)? {
                let Some(place) = places.get(&edge.source) else { continue };
                let Some(source) = identity(reader, &mut identities, edge.source)? else { continue };
                let Some(target) = identity(reader, &mut identities, edge.target)? else { continue };
                leaves.entry(place).or_default().1.push(EdgeLeaf {
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

    /// The symbols and edges that the wanted packages have, and perhaps some more.
    fn rows(
        &self,
        reader: &Reader,
        wanted: Option<&BTreeSet<String>>,
    ) -> Result<(Vec<NodeKey>, Vec<PackedEdges>), StoreError> {
        let Some(wanted) = wanted else { return Ok((reader.node_keys()?, reader.packed_edges()?)) };
        let (mut keys, mut edges) = (Vec::new(), Vec::new());
        for file in self.files.iter().filter(|file| wanted.contains(place(file))) {
            keys.extend(reader.node_keys_of(file.id)?);
            edges.extend(reader.packed_edges_of_file(file.id)?);
        }
        if self.outside.values().any(|folder| wanted.contains(folder)) {
            keys.extend(reader.node_keys_outside()?);
            edges.extend(reader.packed_edges_of_file(0)?);
        }
        Ok((keys, edges))
    }
}

/// The folder of a Go file, else the file itself.
fn place(file: &FileRow) -> &str {
    definition_unit(&file.language, &file.path)
}

/// The identity of a node, from those known or from the store.
fn identity(reader: &Reader, known: &mut HashMap<u32, SymbolId>, node: u32) -> Result<Option<SymbolId>, StoreError> {
    if let Some(identity) = known.get(&node) {
        return Ok(Some(*identity));
    }
    let identity = reader.identity_of(node)?;
    known.extend(identity.map(|identity| (node, identity)));
    Ok(identity)
}

/// Computes the Merkle root of the store at `database` again and compares.
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
        .map(|(name, _)| format!("the root of `{name}` is not what its rows give"))
        .collect();
    problems
        .extend(stored.keys().filter(|name| !roots.contains_key(*name)).map(|name| format!("`{name}` has no rows")));
    if reader.latest_snapshot()?.is_none_or(|last| last.root != whole(reader.repository(), &roots)) {
        problems.push("the snapshot's root is not what the rows give".to_owned());
    }
    problems.truncate(20);
    Ok(Finding { check: "Merkle root", problems })
}
