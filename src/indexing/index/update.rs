//! Applies the changes of a checkout to the store.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use parking_lot::Mutex;
use rayon::ThreadPool;

use super::affected::{Affected, Changes, Dependencies};
use super::body_edit;
use super::checkout::Checkout;
use super::error::IndexError;
use super::extract::ParsedFile;
use super::file_set::FileSet;
use super::full_derivation::FullDerivation;
use super::lazy_facts::LazyFacts;
use super::linking::FilelessNodes;
use super::manifests::ManifestChanges;
use super::memberships::Memberships;
use super::memory::Memory;
use super::node_ids::{self, NodeChanges, NodeIdAllocator};
use super::profile;
use super::report::{Clock, IndexReport, Listener, Phase, Progress, WriteProgress};
use super::resolved::{self, Nodes, Resolved};
use super::run::UNRESOLVED;
use super::scip::ScipIndexes;
use super::selection::{Selection, includes_texts};
use super::trivia_edit::{self, FastPath};
use super::write;
use crate::lang::language_named;
use crate::model::FileId;
use crate::resolve::input::Manifest;
use crate::resolve::output::Unresolved;
use crate::scan::Owners;
use crate::store::{Blob, FileRow, Reader, StoreError, Writer};

/// The context of an update.
pub(super) struct Update<'a> {
    pub(super) repository: &'a str,
    pub(super) pool: &'a ThreadPool,
    pub(super) memory: &'a Memory,
    pub(super) listener: &'a dyn Listener,
    pub(super) writing: &'a WriteProgress<'a>,
    /// Whether the store is empty.
    pub(super) is_new: bool,
    pub(super) manifests: &'a ManifestChanges,
    /// Whether a SCIP index changed, so that every file is resolved again.
    pub(super) scip_changed: bool,
    pub(super) owners_changed: bool,
    /// Code owners, if the repository declares them.
    pub(super) owners: Option<&'a Owners>,
    pub(super) scip: &'a ScipIndexes<'a>,
}

impl Update<'_> {
    /// Applies the changes of a checkout. Returns the ids of files that were parsed or whose node ids changed.
    pub(super) fn apply(
        &self,
        checkout: Checkout,
        writer: &mut Writer,
        report: &mut IndexReport,
        clock: &mut Clock,
    ) -> Result<HashSet<FileId>, IndexError> {
        let Checkout { mut unchanged, mut parsed, removed, manifests, .. } = checkout;
        let only_edits = self.has_only_edits(&parsed, &removed);
        // A comment can move names from the places at which a SCIP index has them.
        if only_edits && !self.scip.exist() {
            match trivia_edit::try_apply(self, parsed, unchanged, writer, clock)? {
                FastPath::Applied(files) => return Ok(files),
                FastPath::NotApplicable(same_parsed, same_unchanged) => {
                    (parsed, unchanged) = (same_parsed, same_unchanged)
                }
            }
        }
        self.begin(Phase::Load);
        let reader = writer.reader();
        let context = (self.pool, self.memory);
        let is_by_name =
            only_edits && !self.scip.exist() && parsed.iter().all(|parsed| includes_texts(parsed.language));
        let mut file_set = FileSet::unloaded(parsed, unchanged, self.memory);
        if !is_by_name {
            file_set.load(reader, context)?;
        }
        file_set.number_files(reader.next_file_id()?);
        let mut allocator = NodeIdAllocator::new(reader)?;
        let node_changes = node_ids::assign(&mut file_set, &removed, self.repository, &mut allocator, reader)?;
        let code_reader = if self.is_new { None } else { Some(Mutex::new(Reader::open(reader.path())?)) };
        let changed = (&node_changes, &removed[..]);
        let (affected, selection) = self.files_to_resolve(&mut file_set, changed, (reader, code_reader.as_ref()))?;
        let mut lazy = LazyFacts::new(&file_set, code_reader.as_ref());
        let memberships = if only_edits { Memberships::changed(&file_set, &node_changes, reader)? } else { None };
        let mut fileless = FilelessNodes::new(&reader.fileless_nodes()?);
        clock.end(Phase::Load);

        let (facts, notes) = ((&file_set, &mut lazy, &manifests[..]), &mut report.notes);
        let nodes = Nodes { fileless: &mut fileless, allocator: &mut allocator };
        let resolved = self.resolve_and_write(facts, (affected, selection), (&node_changes, nodes), notes, writer);
        lazy.into_error().map_or(Ok(()), Err)?;
        let mut resolved = resolved?;
        file_set.drop_code();
        let file_ids = node_changes.identities.keys().map(|&file| file_set.entries[file.index()].row.id).collect();
        drop(node_changes);
        report.resolved_files = resolved.files.len();
        report.scip = std::mem::take(&mut resolved.scip);
        report.resolution_steps = resolved.steps + self.scip.steps();
        clock.end(Phase::Resolve);

        self.begin(Phase::Derive);
        let linked = std::mem::take(&mut resolved.edges).concat();
        self.write_dependencies(&file_set, &mut resolved, &removed, writer)?;
        let memberships = memberships.filter(|_| !resolved.has_moved_targets);
        let edges = (&resolved.files[..], &linked[..]);
        let is_done = match &memberships {
            Some(memberships) => body_edit::try_write(self, &file_set, edges, memberships, &mut fileless, writer)?,
            None => false,
        };
        if !is_done {
            file_set.load(writer.reader(), context)?;
            let (removed, manifests) = (&removed[..], &manifests[..]);
            let derivation =
                FullDerivation { update: self, file_set: &mut file_set, resolved: &resolved, removed, manifests };
            derivation.write(linked, &mut fileless, &mut allocator, writer, clock)?;
        }
        profile::write(&file_set, &fileless, &manifests, writer)?;
        Ok(file_ids)
    }

    /// Returns whether the texts of files are all that changed.
    fn has_only_edits(&self, parsed: &[ParsedFile], removed: &[FileRow]) -> bool {
        !self.is_new
            && !self.scip_changed
            && !self.manifests.matter()
            && !self.owners_changed
            && removed.is_empty()
            && parsed
                .iter()
                .all(|parsed| parsed.stored_language.is_some_and(|before| before.name == parsed.language.name))
    }

    /// Reports the start of a phase without a total.
    pub(super) fn begin(&self, phase: Phase) {
        self.listener.progress(Progress { phase, done: 0, total: 0 });
    }

    /// Returns the files to resolve, and the selection of files that the tables need (`None` for all). Loads the facts of all files
    /// where they are needed.
    fn files_to_resolve<'c>(
        &self,
        file_set: &mut FileSet,
        (node_changes, removed): (&NodeChanges, &[FileRow]),
        (reader, code_reader): (&Reader, Option<&'c Mutex<Reader>>),
    ) -> Result<(Affected, Option<Selection<'c>>), StoreError> {
        let context = (self.pool, self.memory);
        if self.is_new || self.scip_changed {
            file_set.load(reader, context)?;
            let affected = Affected { files: file_set.numbers().collect(), ..Affected::default() };
            return Ok((affected, None));
        }
        let facts = LazyFacts::new(file_set, code_reader);
        let mut changes = Changes::between(file_set, &facts, node_changes, reader)?;
        changes.add_removed(removed, reader)?;
        changes.languages.extend(&self.manifests.languages);
        facts.into_error().map_or(Ok(()), Err)?;
        if changes.may_change_includes() {
            // What every file reaches is computed from all outlines.
            file_set.load(reader, context)?;
        }
        let facts = LazyFacts::new(file_set, code_reader);
        let affected = changes.affected((file_set, &facts), node_changes, reader, self.pool)?;
        let selection = match code_reader.filter(|_| !self.scip.exist()) {
            None => None,
            Some(reader) => Selection::new((file_set, &facts), &affected.files, reader, self.pool)?,
        };
        facts.into_error().map_or(Ok(()), Err)?;
        match &selection {
            Some(_) => file_set.load_files(&affected.files, reader, context)?,
            None => file_set.load(reader, context)?,
        }
        Ok((affected, selection))
    }

    /// Resolves on the pool's threads while this thread writes rows, which do not depend on the result.
    fn resolve_and_write(
        &self,
        (file_set, facts, manifests): (&FileSet, &mut LazyFacts<'_>, &[Manifest]),
        affected: (Affected, Option<Selection<'_>>),
        (node_changes, nodes): (&NodeChanges, Nodes<'_>),
        notes: &mut Vec<String>,
        writer: &mut Writer,
    ) -> Result<Resolved, IndexError> {
        self.begin(Phase::Resolve);
        std::thread::scope(|scope| {
            let (pool, scip) = (self.pool, self.scip);
            let resolving = scope.spawn(move || {
                pool.install(|| resolved::resolve((file_set, facts, manifests), affected, scip, nodes, notes))
            });
            let written = write::symbols(writer, file_set, node_changes, self);
            let resolved = resolving.join().map_err(|_| IndexError::Resolution)?;
            written?;
            Ok(resolved?)
        })
    }

    /// Returns the packages in which a file was parsed or removed.
    pub(super) fn changed_packages<'c>(&self, file_set: &'c FileSet, removed: &'c [FileRow]) -> BTreeSet<&'c str> {
        let removed_packages =
            removed.iter().map(|row| crate::lang::packages::definition_unit(&row.language, &row.path));
        file_set
            .entries
            .iter()
            .filter(|entry| entry.is_parsed())
            .map(|entry| entry.package())
            .chain(removed_packages)
            .collect()
    }

    /// Stores the dependencies of the resolved files, and updates the number of unresolved references.
    fn write_dependencies(
        &self,
        file_set: &FileSet,
        resolved: &mut Resolved,
        removed: &[FileRow],
        writer: &mut Writer,
    ) -> Result<(), IndexError> {
        let mut counts: BTreeMap<Unresolved, u64> = super::run::unresolved(writer.reader())?.into_iter().collect();
        let files = resolved.files.iter().map(|&file| file_set.entries[file.index()].row.id);
        let dependencies = std::mem::take(&mut resolved.dependencies).into_iter().map(Some);
        for row in removed {
            if let Some(language) = language_named(&row.language) {
                let before = write::stored_names(writer.reader(), row.id, language)?;
                writer.change_names(row.id, &before, &BTreeMap::new());
            }
        }
        let removed = removed.iter().map(|row| (row.id, None));
        for (id, dependencies) in files.zip(dependencies).chain(removed) {
            let before = writer.reader().resolution_blob(id)?.map(|blob| blob.unpack::<Dependencies>()).transpose()?;
            let before = before.unwrap_or_default();
            for &(reason, count) in &before.unresolved {
                let total = counts.entry(reason).or_insert(0);
                *total = total.saturating_sub(u64::from(count));
            }
            let mut after = Dependencies::default();
            if let Some((dependencies, targets)) = dependencies {
                writer.put_resolution(id, &dependencies)?;
                writer.put_targets(id, targets)?;
                after = Blob::new(id, dependencies, writer.reader().path()).unpack()?;
            }
            writer.change_unresolved_names(id, &before.unresolved_names(), &after.unresolved_names());
            writer.change_names(id, &before.looked_up_names(), &after.looked_up_names());
        }
        for (&reason, &count) in &resolved.unresolved {
            *counts.entry(reason).or_insert(0) += count;
        }
        let list: Vec<(Unresolved, u64)> = counts.into_iter().filter(|(_, count)| *count > 0).collect();
        let text = serde_json::to_string(&list).expect("names and numbers have a form in JSON");
        writer.set_meta(UNRESOLVED, &text)?;
        Ok(())
    }
}
