//! The definitions of an indexed repository that external names of other repositories denote.

use std::collections::BTreeMap;
use std::path::Path;

use parking_lot::Mutex;

use super::checkout::UnchangedFile;
use super::error::IndexError;
use super::file_set::FileSet;
use super::lazy_facts::LazyFacts;
use super::memory::{Budget, Memory};
use super::{STACK_BYTES, start_threads};
use crate::lang::{self, language_named};
use crate::model::{FileIndex, NodeId};
use crate::resolve::exports::{ExportTarget, export_targets};
use crate::resolve::input::Manifest;
use crate::resolve::world::World;
use crate::scan::discover::DiscoveredManifest;
use crate::scan::read_manifests;
use crate::store::{Reader, StoreError};

/// A name by which a repository uses another one, in a language.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExternalName {
    pub language: &'static str,
    /// The dotted name.
    pub name: String,
}

/// The target of an external name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Exported {
    Node {
        node: NodeId,
        /// Whether builds for this system exclude its file.
        is_build_excluded: bool,
    },
    /// A name that the repository re-exports from elsewhere.
    External(ExternalName),
}

/// Reads the manifests of an indexed repository.
///
/// # Errors
/// When the store can't be read.
pub fn manifests(reader: &Reader, root: &Path) -> Result<Vec<Manifest>, IndexError> {
    let known = reader.manifests()?.into_iter().map(|(path, _)| DiscoveredManifest { path });
    // One that can't be read any more has no packages.
    Ok(read_manifests(root, &known.collect::<Vec<_>>()).0)
}

/// Returns the target of each name; `None` for what the repository does not define. Loads the outlines of all files, and
/// the code of few.
///
/// # Errors
/// When the store can't be read.
pub fn exports(reader: &Reader, root: &Path, names: &[ExternalName]) -> Result<Vec<Option<Exported>>, IndexError> {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let pool = start_threads(cores, &|threads| {
        rayon::ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK_BYTES).build()
    })?;
    let manifests = manifests(reader, root)?;
    let files = reader.files()?.into_iter();
    let unchanged = files.filter_map(|row| Some(UnchangedFile { language: language_named(&row.language)?, row }));
    let memory = Memory::new(Budget::new(None, 0));
    let file_set = FileSet::assemble(Vec::new(), unchanged.collect(), reader, (&pool, &memory))?;
    let code_reader = Mutex::new(Reader::open(reader.path())?);
    let mut facts = LazyFacts::new(&file_set, Some(&code_reader));
    let mut by_language: BTreeMap<&'static str, Vec<usize>> = BTreeMap::new();
    for (position, name) in names.iter().enumerate() {
        by_language.entry(name.language).or_default().push(position);
    }
    let targets = pool.install(|| {
        let inputs = file_set.inputs();
        let world = World::new(&inputs, &manifests, &mut facts, &lang::rules_of);
        let mut targets = vec![None; names.len()];
        for (language, positions) in by_language {
            let own: Vec<&str> = positions.iter().map(|position| names[*position].name.as_str()).collect();
            for (position, target) in positions.into_iter().zip(export_targets(&world, language, &own)) {
                targets[position] = target;
            }
        }
        targets
    });
    if let Some(problem) = facts.into_error() {
        return Err(problem.into());
    }
    let node = |file: FileIndex, position: usize| -> Result<Option<Exported>, StoreError> {
        let entry = &file_set.entries[file.index()];
        let is_build_excluded = entry.outline()?.is_build_excluded;
        Ok(entry.nodes.get(position).map(|node| Exported::Node { node: *node, is_build_excluded }))
    };
    let exported = |(target, name): (Option<ExportTarget>, &ExternalName)| match target {
        None => Ok(None),
        Some(ExportTarget::Symbol(symbol)) => node(symbol.file, symbol.definition.index() + 1),
        Some(ExportTarget::File(file)) => node(file, 0),
        Some(ExportTarget::External(other)) => {
            Ok(Some(Exported::External(ExternalName { language: name.language, name: other })))
        }
    };
    Ok(targets.into_iter().zip(names).map(exported).collect::<Result<_, StoreError>>()?)
}
