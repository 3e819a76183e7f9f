//! The Merkle tree over the store. Its root identifies the state of the graph.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

use crate::graph::merkle::{EdgeLeaf, Root, SymbolLeaf, package_root, repository_root, snapshot_root};
use crate::lang::packages::definition_unit;
use crate::model::{FileId, NodeId, SymbolId, SymbolKind};
use crate::store::{FileRow, Finding, NodeKey, PackedEdges, Reader, SnapshotRow, StoreError, Writer, read_confidence};

/// Updates the roots of the changed packages (of all when `None`), and deletes those of changed ones that no longer exist. `files`
/// are all files.
pub(super) fn write<'a>(
    writer: &mut Writer,
    files: impl Iterator<Item = &'a FileRow>,
    changed: Option<&BTreeSet<String>>,
) -> Result<(), StoreError> {
    writer.write_symbols()?;
    let is_selected = |name: &str| changed.is_none_or(|changed| changed.contains(name));
    let packages = Packages::new(writer.reader(), files.filter(|file| is_selected(package_of_file(file))).collect())?;
    let roots = packages.roots(writer.reader(), changed)?;
    for name in changed.into_iter().flatten().filter(|name| !roots.contains_key(*name)) {
        writer.delete_package(name)?;
    }
    writer.put_packages(&roots)
}

/// Appends a snapshot if the graph or the commit differs from the last one.
pub(super) fn append(writer: &mut Writer, commit: &str) -> Result<(), StoreError> {
    let root = graph_root(writer.reader().repository(), &writer.reader().packages()?);
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

/// The package of files and of each symbol without a file.
struct Packages<'a> {
    files: Vec<&'a FileRow>,
    /// Folder of each symbol without a file; empty for all but packages.
    fileless: BTreeMap<NodeId, String>,
}

impl<'a> Packages<'a> {
    /// `files` are at least those of the packages that are asked for.
    fn new(reader: &Reader, files: Vec<&'a FileRow>) -> Result<Packages<'a>, StoreError> {
        let fileless = reader.fileless_nodes()?.into_iter().filter(|row| row.file.is_none());
        let folder = |kind, scope| if kind == SymbolKind::Package { scope } else { String::new() };
        let fileless = fileless.map(|row| (row.id, folder(row.kind, row.scope))).collect();
        Ok(Packages { files, fileless })
    }

    /// Returns the roots of the selected packages, or of all. Has the leaves of one package at a time in memory.
    fn roots(
        &self,
        reader: &Reader,
        selected: Option<&BTreeSet<String>>,
    ) -> Result<BTreeMap<String, Root>, StoreError> {
        let is_selected = |name: &str| selected.is_none_or(|selected| selected.contains(name));
        let mut rows = if selected.is_some() { Rows::of_few(reader) } else { Rows::of_all(reader)? };
        let mut files: BTreeMap<&str, Vec<&FileRow>> = BTreeMap::new();
        for file in self.files.iter().copied().filter(|file| is_selected(package_of_file(file))) {
            files.entry(package_of_file(file)).or_default().push(file);
        }
        let mut outside = self.outside(&mut rows, is_selected)?;
        let names: BTreeSet<&str> = files.keys().chain(outside.keys()).copied().collect();
        let mut roots = BTreeMap::new();
        for name in names {
            let Leaves { mut symbols, mut edges } = outside.remove(name).unwrap_or_default();
            for file in files.get(name).into_iter().flatten() {
                for key in rows.keys(Some(file.id))?.iter() {
                    symbols.push(symbol_leaf(key, Some(file)));
                }
                rows.for_each_edge(file.id, |_, edge| edges.push(edge))?;
            }
            if !symbols.is_empty() {
                roots.insert(name.to_owned(), package_root(name, symbols, &edges));
            }
        }
        Ok(roots)
    }

    /// Returns the leaves of the symbols without a file that belong to the selected packages.
    fn outside(
        &self,
        rows: &mut Rows<'_>,
        is_selected: impl Fn(&str) -> bool,
    ) -> Result<BTreeMap<&str, Leaves>, StoreError> {
        let mut outside: BTreeMap<&str, Leaves> = BTreeMap::new();
        if !self.fileless.values().any(|folder| is_selected(folder)) {
            return Ok(outside);
        }
        let package_of = |node: NodeId| self.fileless.get(&node).map_or("", String::as_str);
        for key in rows.keys(None)?.iter().filter(|key| is_selected(package_of(key.id))) {
            outside.entry(package_of(key.id)).or_default().symbols.push(symbol_leaf(key, None));
        }
        rows.for_each_edge(FileId::NONE, |source, edge| {
            if let Some(leaves) = outside.get_mut(package_of(source)) {
                leaves.edges.push(edge);
            }
        })?;
        Ok(outside)
    }
}

/// The leaves of a package.
#[derive(Default)]
struct Leaves {
    symbols: Vec<SymbolLeaf>,
    edges: Vec<EdgeLeaf>,
}

/// Returns the leaf of a symbol. That of a file's own symbol covers the content of the whole file.
fn symbol_leaf(key: &NodeKey, file: Option<&FileRow>) -> SymbolLeaf {
    let mut content = [0; 16];
    if let (SymbolKind::File, Some(file)) = (key.kind, file) {
        content.copy_from_slice(&file.content_hash[..16]);
    }
    SymbolLeaf { id: key.identity, content }
}

/// The rows of symbols and edges: all loaded at once, or those of few files one by one.
struct Rows<'a> {
    reader: &'a Reader,
    /// All symbols by file, and the edges of all slots by file; `None` if few are read.
    all: Option<(Vec<NodeKey>, Vec<PackedEdges>)>,
    /// Identities by node, if all symbols are loaded.
    identities: Vec<Option<SymbolId>>,
    /// Identities that were read one by one.
    few: HashMap<NodeId, SymbolId>,
}

impl<'a> Rows<'a> {
    fn of_few(reader: &'a Reader) -> Rows<'a> {
        Rows { reader, all: None, identities: Vec::new(), few: HashMap::new() }
    }

    fn of_all(reader: &'a Reader) -> Result<Rows<'a>, StoreError> {
        let (mut keys, edges) = (reader.node_keys()?, reader.packed_edges()?);
        let mut identities = vec![None; reader.node_capacity()? as usize];
        for key in &keys {
            if let Some(identity) = identities.get_mut(key.id.index()) {
                *identity = Some(key.identity);
            }
        }
        keys.sort_unstable_by_key(|key| (key.file, key.id));
        Ok(Rows { reader, all: Some((keys, edges)), identities, few: HashMap::new() })
    }

    /// Returns the symbols of a file, or those without one.
    fn keys(&mut self, file: Option<FileId>) -> Result<Cow<'_, [NodeKey]>, StoreError> {
        if let Some((keys, _)) = &self.all {
            return Ok(Cow::Borrowed(range_of(keys, |key| key.file.cmp(&file))));
        }
        let keys = self.reader.node_keys_of_file(file.unwrap_or(FileId::NONE))?;
        self.few.extend(keys.iter().map(|key| (key.id, key.identity)));
        Ok(Cow::Owned(keys))
    }

    /// Calls `visit` with each edge whose source belongs to a file, and its source.
    fn for_each_edge(&mut self, file: FileId, mut visit: impl FnMut(NodeId, EdgeLeaf)) -> Result<(), StoreError> {
        let reader = self.reader;
        let of_file;
        let packed = match &self.all {
            Some((_, edges)) => range_of(edges, |packed| packed.slot.file.cmp(&file)),
            None => {
                of_file = reader.packed_edges_of_file(file)?;
                &of_file[..]
            }
        };
        for packed in packed {
            for edge in reader.unpack(packed)? {
                let identities = (&self.identities[..], &mut self.few);
                let Some(source) = identity(reader, identities, edge.source)? else { continue };
                let identities = (&self.identities[..], &mut self.few);
                let Some(target) = identity(reader, identities, edge.target)? else { continue };
                let (edge_type, provenance) = (edge.edge_type, edge.provenance);
                let confidence = read_confidence(edge.confidence);
                visit(edge.source, EdgeLeaf { source, target, edge_type, provenance, confidence });
            }
        }
        Ok(())
    }
}

/// Returns the part of a sorted list that compares as equal.
fn range_of<T>(sorted: &[T], compare: impl Fn(&T) -> Ordering) -> &[T] {
    let start = sorted.partition_point(|one| compare(one) == Ordering::Less);
    let length = sorted[start..].partition_point(|one| compare(one) == Ordering::Equal);
    &sorted[start..start + length]
}

/// Returns the package of a file: its folder for Go, else the file.
fn package_of_file(file: &FileRow) -> &str {
    definition_unit(&file.language, &file.path)
}

/// Returns the identity of a node, from those that were read or from the store.
fn identity(
    reader: &Reader,
    (all, few): (&[Option<SymbolId>], &mut HashMap<NodeId, SymbolId>),
    node: NodeId,
) -> Result<Option<SymbolId>, StoreError> {
    if !all.is_empty() {
        return Ok(all.get(node.index()).copied().flatten());
    }
    if let Some(identity) = few.get(&node) {
        return Ok(Some(*identity));
    }
    let identity = reader.symbol_id(node)?;
    few.extend(identity.map(|identity| (node, identity)));
    Ok(identity)
}

/// Recomputes the Merkle roots of the store at `database` and compares them.
///
/// # Errors
/// When the store can't be opened or read.
pub fn check_snapshot(database: &Path) -> Result<Finding, StoreError> {
    let reader = Reader::open(database)?;
    let (files, stored) = (reader.files()?, reader.packages()?);
    let roots = Packages::new(&reader, files.iter().collect())?.roots(&reader, None)?;
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
