//! Brings the store from what it holds to what the checkout says.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use rayon::ThreadPool;

use super::affected::{Changes, Dependencies};
use super::catalog::Catalog;
use super::checkout::Checkout;
use super::codes::Codes;
use super::derived::ExtensionTargets;
use super::error::IndexError;
use super::linking::{self, Tail};
use super::numbering::{self, Numbers, Renumbered};
use super::profile;
use super::quiet::{self, Attempt};
use super::report::{Clock, IndexReport, Listener, Phase, Progress};
use super::run::UNRESOLVED;
use super::steady;
use super::whole::Whole;
use super::write;
use crate::lang;
use crate::resolve::input::{CodeSource, Manifest};
use crate::resolve::output::{FileResolution, Unresolved};
use crate::resolve::value::Value;
use crate::resolve::world::World;
use crate::scan::Owners;
use crate::store::{FileRow, Reader, StoreError, Writer};

/// What stays the same during an update.
pub(super) struct Update<'a> {
    pub(super) repository: &'a str,
    pub(super) pool: &'a ThreadPool,
    pub(super) listener: &'a dyn Listener,
    /// The store is empty.
    pub(super) is_new: bool,
    pub(super) manifests_changed: bool,
    pub(super) owners_changed: bool,
    /// Who owns files, if the repository says so.
    pub(super) owners: Option<&'a Owners>,
}

/// The outcome of resolution, by places in the catalog.
pub(super) struct Resolved {
    pub(super) files: Vec<u32>,
    pub(super) resolutions: Vec<FileResolution>,
    pub(super) targets: ExtensionTargets,
}

impl Update<'_> {
    /// Does everything between the checkout and the history. Gives the ids of the files that were parsed, or whose
    /// symbols have other numbers now.
    pub(super) fn apply(
        &self,
        checkout: Checkout,
        writer: &mut Writer,
        report: &mut IndexReport,
        clock: &mut Clock,
    ) -> Result<HashSet<u32>, IndexError> {
        let Checkout { mut kept, mut parsed, removed, manifests, .. } = checkout;
        let is_edit = !self.is_new
            && !self.manifests_changed
            && !self.owners_changed
            && removed.is_empty()
            && parsed.iter().all(|parsed| !parsed.is_new);
        if is_edit {
            match quiet::attempt(self, parsed, kept, writer, clock)? {
                Attempt::Done(files) => return Ok(files),
                Attempt::Meaningful(same_parsed, same_kept) => (parsed, kept) = (same_parsed, same_kept),
            }
        }
        self.begin(Phase::Load);
        let reader = writer.reader();
        let (mut catalog, given) = Catalog::assemble(parsed, kept, reader, self.pool)?;
        catalog.number_files(reader.next_file_id()?);
        let mut numbers = Numbers::of(reader)?;
        let renumbered = numbering::number(&mut catalog, &removed, self.repository, &mut numbers, reader)?;
        let ids = catalog.entries.iter().map(|entry| entry.row.id).collect();
        let second = if self.is_new { None } else { Some(Reader::open(reader.path())?) };
        let codes = Codes::new(given, ids, second);
        let (files, is_local) = self.files_to_resolve(&catalog, &codes, &renumbered, &removed, reader)?;
        let is_steady = is_edit && steady::is_steady(&catalog, &renumbered, is_local, reader)?;
        let mut tail = Tail::new(&reader.tail_nodes()?);
        clock.end(Phase::Load);

        report.resolved_files = files.len();
        let resolved = self.resolve_and_write(&catalog, &codes, &manifests, files, &renumbered, writer)?;
        if let Some(problem) = codes.into_problem() {
            return Err(problem.into());
        }
        clock.end(Phase::Resolve);

        self.begin(Phase::Derive);
        let linked = linking::link(&catalog, &resolved.files, &resolved.resolutions, &mut tail, &mut numbers);
        self.write_dependencies(&catalog, &resolved, &removed, writer)?;
        let is_done = is_steady && steady::write(self, &catalog, &resolved.files, &linked, &mut tail, writer)?;
        if !is_done {
            let whole = Whole { update: self, catalog: &catalog, resolved: &resolved, removed: &removed };
            whole.write(linked, &mut tail, &mut numbers, writer, clock)?;
        }
        profile::write(&catalog, &tail, &manifests, writer)?;
        Ok(renumbered.named.keys().map(|&file| catalog.entries[file as usize].row.id).collect())
    }

    /// Tells that a phase begins. What it consists of is not counted.
    pub(super) fn begin(&self, phase: Phase) {
        self.listener.progress(Progress { phase, done: 0, total: 0 });
    }

    /// The files by their places in the catalog, and whether they are only those that were parsed.
    fn files_to_resolve(
        &self,
        catalog: &Catalog,
        codes: &Codes,
        renumbered: &Renumbered,
        removed: &[FileRow],
        reader: &Reader,
    ) -> Result<(Vec<u32>, bool), StoreError> {
        if self.is_new || self.manifests_changed {
            return Ok(((0..catalog.entries.len() as u32).collect(), false));
        }
        let mut changes = Changes::find(catalog, codes, renumbered, reader)?;
        changes.languages.extend(removed.iter().filter_map(|row| lang::language_named(&row.language)).map(|l| l.name));
        Ok((changes.affected(catalog, renumbered, reader, self.pool)?, changes.is_local()))
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
        self.begin(Phase::Resolve);
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

    /// Places in which a file was parsed or removed.
    pub(super) fn changed_places<'c>(&self, catalog: &'c Catalog, removed: &'c [FileRow]) -> BTreeSet<&'c str> {
        let gone = removed.iter().map(|row| crate::lang::packages::definition_unit(&row.language, &row.path));
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
