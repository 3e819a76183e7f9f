//! Resolves files in batches: references to edges between nodes, and dependencies.
//!
//! # Why
//!
//! Nothing of a file's resolution is needed after it but its edges, at sixteen bytes each, and its encoded dependencies.
//! The names of its edges' ends, and the code that it was resolved with, take many times as much.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::affected::{Affected, Dependencies, Untold};
use super::derived::ExtensionTargets;
use super::extension_targets;
use super::file_set::FileSet;
use super::lazy_facts::LazyFacts;
use super::linking::{self, FilelessNodes};
use super::node_ids::NodeIdAllocator;
use super::report::ScipCounts;
use super::scip::ScipIndexes;
use super::selection::{Growth, MAX_RESOLVED, Selection};
use crate::lang;
use crate::model::FileIndex;
use crate::resolve::input::{FactSource, Manifest};
use crate::resolve::output::{FileResolution, Unresolved};
use crate::resolve::value::Value;
use crate::resolve::world::{Tables, World};
use crate::store::{EdgeRow, StoreError, encode};

/// Number of files that are resolved at once. What they unpack is dropped only after them.
const BATCH: usize = 256;
const _: () = assert!(MAX_RESOLVED <= BATCH);

/// The result of resolution.
#[derive(Default)]
pub(super) struct Resolved {
    /// The resolved files, by the index in the set, in order.
    pub(super) files: Vec<FileIndex>,
    /// The edges of the resolved files, by batch: a list of all that grows would be copied in memory.
    pub(super) edges: Vec<Vec<EdgeRow>>,
    /// The encoded dependencies of each resolved file, and the hash of what its blocks and globs lead to.
    pub(super) dependencies: Vec<(Vec<u8>, u64)>,
    /// Numbers of references without an edge.
    pub(super) unresolved: BTreeMap<Unresolved, u64>,
    pub(super) targets: ExtensionTargets,
    /// Whether a block extends another type than before, so that its members have another container, or a glob leads elsewhere.
    pub(super) has_moved_targets: bool,
    pub(super) scip: ScipCounts,
    /// Number of steps of the evaluation.
    pub(super) steps: u64,
}

/// The nodes without a definition, which resolution finds.
pub(super) struct Nodes<'a> {
    pub(super) fileless: &'a mut FilelessNodes,
    pub(super) allocator: &'a mut NodeIdAllocator,
}

/// Adds to a selection what the resolution of the affected files asks for. Also returns the resolutions.
fn grow(
    selection: &mut Selection<'_>,
    world: &World<'_>,
    affected: &[FileIndex],
    facts: (&FileSet, &dyn FactSource),
) -> Result<(Growth, Vec<FileResolution>), StoreError> {
    let resolutions = crate::resolve::resolve(world, affected);
    let is_panic = |(reason, _): &(Unresolved, u32)| *reason == Unresolved::ResolverPanicked;
    if resolutions.iter().any(|resolution| resolution.unresolved.iter().any(is_panic)) {
        // What it had asked for is not known.
        return Ok((Growth::TooMany, resolutions));
    }
    let asked = resolutions.iter().flat_map(|resolution| &resolution.looked_up);
    let growth = selection.add(asked.chain(&world.extensions().looked_up).copied(), facts)?;
    Ok((growth, resolutions))
}

/// Resolves the affected files. `selection` are those that the tables need, if not all.
///
/// # Errors
/// When the names of files can't be read.
pub(super) fn resolve(
    (file_set, facts, manifests): (&FileSet, &mut LazyFacts<'_>, &[Manifest]),
    (mut affected, mut selection): (Affected, Option<Selection<'_>>),
    scip: &ScipIndexes<'_>,
    Nodes { fileless, allocator }: Nodes<'_>,
    notes: &mut Vec<String>,
) -> Result<Resolved, StoreError> {
    let inputs = file_set.inputs();
    let mut resolved = Resolved::default();
    let (mut tables, target_hashes, mut known) = loop {
        facts.select(selection.as_ref().map(Selection::files));
        let tables = Arc::new(Tables::build(&inputs, manifests, facts, &lang::rules_of));
        let world = World::over(&tables, &*facts);
        let target_hashes = extension_targets::hashes(&world, (file_set, &*facts));
        let grown = selection.as_mut().map(|selection| grow(selection, &world, &affected.files, (file_set, &*facts)));
        let (growth, known) = grown.transpose()?.unzip();
        if growth.is_none_or(|growth| growth == Growth::Complete) {
            let before = affected.files.len();
            resolved.has_moved_targets = affected.add_moved_targets((file_set, &*facts), &target_hashes);
            if selection.is_none() || affected.files.len() == before {
                drop(world);
                break (tables, target_hashes, known);
            }
        }
        if growth != Some(Growth::More) {
            selection = None;
        }
    };
    let reached = tables.reached_texts();
    let hashes = (&target_hashes[..], &reached[..]);
    let statements = scip.files((file_set, &*facts), &affected.files, notes);
    if let Some(tables) = Arc::get_mut(&mut tables) {
        tables.scip = statements;
    }
    facts.shrink();
    for batch in affected.files.chunks(BATCH) {
        // Files with a selection are fewer than a batch.
        let resolutions =
            known.take().unwrap_or_else(|| crate::resolve::resolve(&World::over(&tables, &*facts), batch));
        let mut edges = Vec::new();
        let untold = linking::link((file_set, &*facts), batch, &resolutions, (fileless, allocator), &mut edges);
        edges.shrink_to_fit();
        resolved.edges.push(edges);
        resolved.add(batch, &resolutions, untold, hashes);
        facts.shrink();
    }
    let targets = tables.extensions().targets.iter().filter_map(|(&block, target)| match target {
        Value::Instance { symbol, .. } => Some((block, (symbol.file, symbol.definition))),
        _ => None,
    });
    resolved.targets = targets.collect();
    resolved.files = affected.files;
    Ok(resolved)
}

impl Resolved {
    /// Adds what is kept of a batch of files besides its edges.
    fn add(
        &mut self,
        files: &[FileIndex],
        resolutions: &[FileResolution],
        untold: Vec<Vec<Untold>>,
        (targets, reached): (&[u64], &[u64]),
    ) {
        for ((file, resolution), untold) in files.iter().zip(resolutions).zip(untold) {
            let dependencies = Dependencies::new(resolution, untold, reached[file.index()]);
            self.dependencies.push((encode(&dependencies), targets[file.index()]));
            for &(reason, count) in &resolution.unresolved {
                *self.unresolved.entry(reason).or_insert(0) += u64::from(count);
            }
            self.scip.add(resolution);
            self.steps += resolution.steps;
        }
    }
}
