//! The Merkle tree over the store: its root names the state of the graph.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::Path;

use crate::graph::merkle::{EdgeLeaf, Root, SymbolLeaf, package_root, repository_root, snapshot_root};
use crate::model::SymbolKind;
use crate::model::identity::definition_place;
use crate::store::{EdgeRow, Finding, NodeKey, Reader, SnapshotRow, StoreError, Writer, read_confidence};

/// Where something changed.
pub(super) struct Changed {
    pub(super) places: BTreeSet<String>,
    /// Nodes from which an edge was added or removed.
    pub(super) sources: HashSet<u32>,
}

/// Renews the roots of what changed (everything when `None`), and forgets those gone.
pub(super) fn write(writer: &mut Writer, edges: &[EdgeRow], changed: Option<&Changed>) -> Result<(), StoreError> {
    let (roots, places) = package_roots(writer.reader(), edges, changed)?;
    for (name, root) in &roots {
        writer.put_package(name, root)?;
    }
    for (name, _) in writer.reader().packages()? {
        if !places.contains(&name) {
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

/// The roots of the given packages, and the names of all.
fn package_roots(
    reader: &Reader,
    edges: &[EdgeRow],
    changed: Option<&Changed>,
) -> Result<(BTreeMap<String, Root>, BTreeSet<String>), StoreError> {
    let files = reader.files()?;
    let files: HashMap<u32, (&str, &[u8; 32])> = files
        .iter()
        .map(|file| (file.id, (definition_place(&file.language, &file.path), &file.content_hash)))
        .collect();
    let tail = reader.tail_nodes()?;
    let folders: HashMap<u32, &str> =
        tail.iter().filter(|row| row.kind == SymbolKind::Package).map(|row| (row.id, row.scope.as_str())).collect();
    let keys = reader.node_keys()?;
    let capacity = keys.last().map_or(0, |key| key.id as usize + 1);
    let mut names: BTreeSet<String> = BTreeSet::new();
    let place_of = |key: &NodeKey| match key.file.and_then(|file| files.get(&file)) {
        Some((place, _)) => *place,
        None => folders.get(&key.id).copied().unwrap_or(""),
    };
    // Symbols without a place come and go with the edges of others, so their package is always looked at.
    let wanted: Option<HashSet<&str>> = changed.map(|changed| {
        let sources = keys.iter().filter(|key| changed.sources.contains(&key.id)).map(place_of);
        changed.places.iter().map(String::as_str).chain(sources).chain([""]).collect()
    });
    let mut packages: BTreeMap<&str, (Vec<SymbolLeaf>, Vec<EdgeLeaf>)> = BTreeMap::new();
    let mut places: Vec<Option<&str>> = vec![None; capacity];
    let mut identities = vec![None; capacity];
    for key in &keys {
        let file = key.file.and_then(|file| files.get(&file));
        let place = place_of(key);
        if !names.contains(place) {
            names.insert(place.to_owned());
        }
        identities[key.id as usize] = Some(key.identity);
        if wanted.as_ref().is_some_and(|wanted| !wanted.contains(place)) {
            continue;
        }
        places[key.id as usize] = Some(place);
        // The file's own symbol stands for everything that its text says.
        let mut content = [0; 16];
        if let (SymbolKind::File, Some((_, hash))) = (key.kind, file) {
            content.copy_from_slice(&hash[..16]);
        }
        packages.entry(place).or_default().0.push(SymbolLeaf { id: key.identity, content });
    }
    for edge in edges {
        let Some(Some(place)) = places.get(edge.source as usize) else { continue };
        let identity = |node: u32| identities.get(node as usize).copied().flatten();
        let (Some(source), Some(target)) = (identity(edge.source), identity(edge.target)) else { continue };
        packages.entry(place).or_default().1.push(EdgeLeaf {
            source,
            target,
            edge_type: edge.edge_type,
            provenance: edge.provenance,
            confidence: read_confidence(edge.confidence),
        });
    }
    let root = |(name, (symbols, edges)): (&str, (Vec<SymbolLeaf>, Vec<EdgeLeaf>))| {
        (name.to_owned(), package_root(name, symbols, &edges))
    };
    Ok((packages.into_iter().map(root).collect(), names))
}

/// Computes the Merkle root of the store at `database` again and compares.
///
/// # Errors
/// When the store can't be opened or read.
pub fn check_snapshot(database: &Path) -> Result<Finding, StoreError> {
    let reader = Reader::open(database)?;
    let (roots, _) = package_roots(&reader, &reader.edge_rows()?, None)?;
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
