//! Brings the store from what it holds to what the checkout says.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use rayon::ThreadPool;
use rayon::prelude::*;

use super::affected::{Changes, Dependencies};
use super::catalog::Catalog;
use super::checkout::Checkout;
use super::codes::Codes;
use super::derived::{self, ExtensionTargets, Positions, SIMILAR};
use super::error::IndexError;
use super::linking::{self, RESOLVED, Tail};
use super::numbering::{self, Numbers, Renumbered};
use super::report::{Clock, IndexReport, Phase, Progress};
use super::run::UNRESOLVED;
use super::snapshot::{self, Changed};
use super::write;
use crate::graph::derive::owned_by;
use crate::lang;
use crate::model::{Edge, EdgeType, SymbolKind};
use crate::resolve::input::{CodeSource, Manifest};
use crate::resolve::output::{FileResolution, Unresolved};
use crate::resolve::value::Value;
use crate::resolve::world::World;
use crate::scan::Owners;
use crate::store::{EdgeRow, FileRow, Layer, Reader, StoreError, Writer, stored_confidence};

/// Edges from CODEOWNERS, made anew in every run.
const OWNED: Layer = 3;

/// What stays the same during an update.
pub(super) struct Update<'a> {
    pub(super) repository: &'a str,
    pub(super) pool: &'a ThreadPool,
    pub(super) progress: &'a (dyn Fn(Progress) + Sync),
    /// The store is empty.
    pub(super) is_new: bool,
    pub(super) manifests_changed: bool,
    /// Who owns files, if the repository says so.
    pub(super) owners: Option<&'a Owners>,
}

/// The outcome of resolution, by places in the catalog.
struct Resolved {
    files: Vec<u32>,
    resolutions: Vec<FileResolution>,
    targets: ExtensionTargets,
}

impl Update<'_> {
    /// Does everything between the checkout and the history. Gives the ids of the parsed files.
    pub(super) fn apply(
        &self,
        checkout: Checkout,
        writer: &mut Writer,
        report: &mut IndexReport,
        clock: &mut Clock,
    ) -> Result<HashSet<u32>, IndexError> {
        let Checkout { kept, parsed, removed, manifests, .. } = checkout;
        let reader = writer.reader();
        let tail_rows = reader.tail_nodes()?;
        let (mut catalog, given) = Catalog::assemble(parsed, kept, reader, self.pool)?;
        catalog.number_files(reader.next_file_id()?);
        let mut numbers = Numbers::new(reader.node_ids()?.into_iter(), reader.node_capacity()?);
        let renumbered = numbering::number(&mut catalog, &removed, self.repository, &mut numbers, reader)?;
        let ids = catalog.entries.iter().map(|entry| entry.row.id).collect();
        let second = if self.is_new { None } else { Some(Reader::open(reader.path())?) };
        let codes = Codes::new(given, ids, second);
        let files = self.files_to_resolve(&catalog, &codes, &renumbered, &removed, reader)?;
        let old_edges = reader.edge_rows()?;
        clock.end(Phase::Load);

        report.resolved_files = files.len();
        let resolved = self.resolve_and_write(&catalog, &codes, &manifests, files, &renumbered, writer)?;
        if let Some(problem) = codes.into_problem() {
            return Err(problem.into());
        }
        clock.end(Phase::Resolve);

        let mut tail = Tail::new(&tail_rows);
        let edges = self.edges(&catalog, &resolved, &mut tail, &mut numbers, &removed, &old_edges, writer)?;
        clock.end(Phase::Derive);

        self.write_dependencies(&catalog, &resolved, &removed, writer)?;
        write_counts(&catalog, &tail, &edges, writer)?;
        let sources = write::edges(writer, &old_edges, &edges)?;
        removed.iter().try_for_each(|row| writer.delete_file(row.id))?;
        let places = self.changed_places(&catalog, &removed).into_iter().map(str::to_owned).collect();
        let changed = Changed { places, sources };
        snapshot::write(writer, &edges, (!self.is_new).then_some(&changed))?;
        let parsed = catalog.entries.iter().filter(|entry| entry.is_parsed());
        Ok(parsed.map(|entry| entry.row.id).collect())
    }

    fn files_to_resolve(
        &self,
        catalog: &Catalog,
        codes: &Codes,
        renumbered: &Renumbered,
        removed: &[FileRow],
        reader: &Reader,
    ) -> Result<Vec<u32>, StoreError> {
        if self.is_new || self.manifests_changed {
            return Ok((0..catalog.entries.len() as u32).collect());
        }
        let mut changes = Changes::find(catalog, codes, renumbered, reader)?;
        changes.languages.extend(removed.iter().filter_map(|row| lang::language_named(&row.language)).map(|l| l.name));
        changes.affected(catalog, renumbered, reader, self.pool)
    }

    /// Resolves on the pool's threads while this one writes rows, which need nothing of the outcome.
    fn resolve_and_write(
        &self,
        catalog: &Catalog,
        codes: &Codes,
        manifests: &[Manifest],
        files: Vec<u32>,
        renumbered: &Renumbered,
        writer: &mut Writer,
    ) -> Result<Resolved, IndexError> {
        (self.progress)(Progress { phase: Phase::Resolve, done: 0, total: files.len() });
        std::thread::scope(|scope| {
            let (pool, list) = (self.pool, &files);
            let resolving = scope.spawn(move || pool.install(|| resolve(catalog, codes, manifests, list)));
            let written = write::symbols(writer, catalog, codes, renumbered, self.pool);
            let (resolutions, targets) = resolving.join().map_err(|_| IndexError::Resolution)?;
            written?;
            Ok((resolutions, targets))
        })
        .map(|(resolutions, targets)| Resolved { files, resolutions, targets })
    }

    /// Every edge of the graph, sorted. Writes the tail's symbols on the way.
    #[expect(clippy::too_many_arguments)]
    fn edges(
        &self,
        catalog: &Catalog,
        resolved: &Resolved,
        tail: &mut Tail,
        numbers: &mut Numbers,
        removed: &[FileRow],
        old: &[EdgeRow],
        writer: &mut Writer,
    ) -> Result<Vec<EdgeRow>, IndexError> {
        let (folders, package_names) = derived::packages(catalog, self.repository);
        let packages: Vec<Option<u32>> = folders
            .iter()
            .map(|folder| folder.as_ref().map(|folder| tail.node(SymbolKind::Package, None, folder, numbers)))
            .collect();
        let mut edges = linking::link(catalog, &resolved.files, &resolved.resolutions, tail, numbers);
        edges.extend(self.owned_by(catalog, tail, numbers));
        let again: BTreeSet<u32> = resolved.files.iter().copied().collect();
        let positions = Positions::new(catalog, &tail.sorted());
        let file_ids: HashMap<u32, u32> =
            (0_u32..).zip(&catalog.entries).map(|(file, entry)| (entry.row.id, file)).collect();
        let routes: HashMap<u32, u32> = tail.routes(&file_ids);
        let file_of = |node: u32| positions.file_of(catalog, node).or_else(|| routes.get(&node).copied());
        let is_alive = |edge: &EdgeRow| positions.of(edge.source).is_some() && positions.of(edge.target).is_some();
        edges.extend(
            old.iter()
                .filter(|edge| edge.layer == RESOLVED && is_alive(edge))
                .filter(|edge| file_of(edge.source).is_some_and(|file| !again.contains(&file))),
        );
        let needed: BTreeSet<u32> = edges
            .iter()
            .flat_map(|edge| [edge.source, edge.target])
            .chain(packages.iter().flatten().copied())
            .collect();
        let gone = tail.retain(|_, node| needed.contains(&node));
        let sorted = tail.sorted();
        write::tail(writer, catalog, tail, &gone, &package_names, self.repository)?;
        let positions = Positions::new(catalog, &sorted);
        let derived = derived::derive_all(catalog, &sorted, &positions, &packages, &resolved.targets, &edges);
        edges.extend(derived);

        let places: BTreeSet<&str> = self.changed_places(catalog, removed);
        edges.extend(derived::similar(catalog, &positions, &places, writer.reader(), self.pool)?);
        edges.extend(old.iter().filter(|edge| edge.layer == SIMILAR && is_alive(edge)).filter(|edge| {
            file_of(edge.source).is_some_and(|file| !places.contains(catalog.entries[file as usize].place()))
        }));
        self.pool.install(|| {
            edges.par_sort_unstable_by_key(|edge| (edge.source, edge.edge_type as u8, edge.target, edge.layer));
        });
        edges.dedup_by_key(|edge| (edge.source, edge.edge_type, edge.target));
        Ok(edges)
    }

    fn owned_by(&self, catalog: &Catalog, tail: &mut Tail, numbers: &mut Numbers) -> Vec<EdgeRow> {
        let Some(owners) = self.owners else { return Vec::new() };
        let mut pairs = Vec::new();
        for entry in &catalog.entries {
            for owner in owners.of(&entry.row.path) {
                pairs.push((entry.nodes[0], tail.node(SymbolKind::External, None, owner, numbers)));
            }
        }
        let row = |edge: Edge| EdgeRow {
            source: edge.source,
            edge_type: edge.edge_type,
            target: edge.target,
            provenance: edge.provenance,
            confidence: stored_confidence(edge.confidence),
            layer: OWNED,
        };
        owned_by::edges(&pairs).into_iter().map(row).collect()
    }

    /// Places in which a file was parsed or removed.
    fn changed_places<'c>(&self, catalog: &'c Catalog, removed: &'c [FileRow]) -> BTreeSet<&'c str> {
        let gone = removed.iter().map(|row| crate::model::identity::definition_place(&row.language, &row.path));
        catalog.entries.iter().filter(|entry| entry.is_parsed()).map(|entry| entry.place()).chain(gone).collect()
    }

    /// Records on what the resolved files depended, and keeps the count of references without an edge.
    fn write_dependencies(
        &self,
        catalog: &Catalog,
        resolved: &Resolved,
        removed: &[FileRow],
        writer: &mut Writer,
    ) -> Result<(), IndexError> {
        let mut counts: BTreeMap<Unresolved, u64> = super::run::unresolved(writer.reader())?.into_iter().collect();
        let again = resolved.files.iter().map(|&file| catalog.entries[file as usize].row.id);
        for id in again.chain(removed.iter().map(|row| row.id)) {
            let Some(blob) = writer.reader().resolution_blob(id)? else { continue };
            for (reason, count) in blob.unpack::<Dependencies>()?.unresolved {
                let known = counts.entry(reason).or_insert(0);
                *known = known.saturating_sub(u64::from(count));
            }
        }
        for (&file, resolution) in resolved.files.iter().zip(&resolved.resolutions) {
            let node = |&(file, definition): &(u32, u32)| catalog.entries[file as usize].nodes[definition as usize + 1];
            let known = Dependencies {
                consulted: resolution.consulted.iter().map(node).collect(),
                visited: resolution.visited.iter().map(|&file| catalog.entries[file as usize].row.id).collect(),
                unresolved: resolution.unresolved.clone(),
            };
            for &(reason, count) in &resolution.unresolved {
                *counts.entry(reason).or_insert(0) += u64::from(count);
            }
            writer.put_resolution(catalog.entries[file as usize].row.id, &crate::store::encode(&known))?;
        }
        let list: Vec<(Unresolved, u64)> = counts.into_iter().filter(|(_, count)| *count > 0).collect();
        let text = serde_json::to_string(&list).unwrap_or_default();
        writer.set_meta(UNRESOLVED, &text)?;
        Ok(())
    }
}

/// Keeps the numbers of symbols and edges, which are at hand now and costly to count later.
fn write_counts(catalog: &Catalog, tail: &Tail, edges: &[EdgeRow], writer: &mut Writer) -> Result<(), StoreError> {
    let mut symbols: BTreeMap<SymbolKind, u64> = BTreeMap::new();
    let definitions = catalog.entries.iter().flat_map(|entry| &entry.outline.definitions);
    let tail = tail.sorted();
    let kinds = definitions.map(|definition| definition.kind).chain(tail.iter().map(|(key, _)| key.kind));
    for kind in kinds.chain(catalog.entries.iter().map(|_| SymbolKind::File)) {
        *symbols.entry(kind).or_insert(0) += 1;
    }
    let mut types: BTreeMap<EdgeType, u64> = BTreeMap::new();
    for edge in edges {
        *types.entry(edge.edge_type).or_insert(0) += 1;
    }
    writer.put_counts(&symbols, &types)
}

fn resolve(
    catalog: &Catalog,
    codes: &dyn CodeSource,
    manifests: &[Manifest],
    files: &[u32],
) -> (Vec<FileResolution>, ExtensionTargets) {
    let inputs = catalog.inputs();
    let world = World::new(&inputs, manifests, codes, &lang::rules_of);
    let resolutions = crate::resolve::resolve(&world, files);
    let targets = world.extensions().targets.iter().filter_map(|(&block, target)| match target {
        Value::Instance { symbol, .. } => Some((block, (symbol.file, symbol.definition))),
        _ => None,
    });
    (resolutions, targets.collect())
}
