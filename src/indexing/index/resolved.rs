//! Resolves files in batches: references to edges between nodes, and dependencies.
//!
//! # Why
//!
//! Nothing of a file's resolution is needed after it but its edges, at sixteen bytes each, and its encoded dependencies.
//! The names of its edges' ends, and the code that it was resolved with, take many times as much.

use std::collections::BTreeMap;

use super::affected::{Affected, Dependencies, Untold};
use super::derived::ExtensionTargets;
use super::extension_targets;
use super::file_set::FileSet;
use super::lazy_code::LazyCode;
use super::linking::{self, FilelessNodes};
use super::node_ids::NodeIdAllocator;
use super::report::ScipCounts;
use super::scip::ScipIndexes;
use crate::lang;
use crate::model::FileIndex;
use crate::resolve::input::Manifest;
use crate::resolve::output::{FileResolution, Unresolved};
use crate::resolve::value::Value;
use crate::resolve::world::World;
use crate::store::{EdgeRow, encode};

/// Number of files that are resolved at once. What they unpack is dropped only after them.
const BATCH: usize = 256;

/// The result of resolution.
#[derive(Default)]
pub(super) struct Resolved {
    /// The resolved files, by the index in the set, in order.
    pub(super) files: Vec<FileIndex>,
    /// The edges of the resolved files.
    pub(super) edges: Vec<EdgeRow>,
    /// The encoded dependencies of each resolved file.
    pub(super) dependencies: Vec<Vec<u8>>,
    /// Numbers of references without an edge.
    pub(super) unresolved: BTreeMap<Unresolved, u64>,
    pub(super) targets: ExtensionTargets,
    pub(super) scip: ScipCounts,
    /// Number of steps of the evaluation.
    pub(super) steps: u64,
}

/// The nodes without a definition, which resolution finds.
pub(super) struct Nodes<'a> {
    pub(super) fileless: &'a mut FilelessNodes,
    pub(super) allocator: &'a mut NodeIdAllocator,
}

/// Resolves the affected files.
pub(super) fn resolve(
    (file_set, codes, manifests): (&FileSet, &mut LazyCode<'_>, &[Manifest]),
    mut affected: Affected,
    scip: &ScipIndexes<'_>,
    Nodes { fileless, allocator }: Nodes<'_>,
    notes: &mut Vec<String>,
) -> Resolved {
    let inputs = file_set.inputs();
    let code_of_targets = codes.again();
    let mut world = World::new(&inputs, manifests, &code_of_targets, &lang::rules_of);
    let target_hashes = extension_targets::hashes(&world, file_set);
    affected.add_moved_targets(file_set, &target_hashes);
    let hashes = (&target_hashes[..], &world.reached_texts()[..]);
    world.set_scip(scip.files(file_set, &affected.files, notes));
    let mut resolved = Resolved::default();
    for batch in affected.files.chunks(BATCH) {
        let resolutions = crate::resolve::resolve(&world.with_code(&*codes), batch);
        let untold = linking::link(file_set, batch, &resolutions, (fileless, allocator), &mut resolved.edges);
        resolved.add(batch, &resolutions, untold, hashes);
        codes.shrink();
    }
    let targets = world.extensions().targets.iter().filter_map(|(&block, target)| match target {
        Value::Instance { symbol, .. } => Some((block, (symbol.file, symbol.definition))),
        _ => None,
    });
    resolved.targets = targets.collect();
    resolved.files = affected.files;
    resolved
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
            let hashes = (targets[file.index()], reached[file.index()]);
            self.dependencies.push(encode(&Dependencies::new(resolution, untold, hashes)));
            for &(reason, count) in &resolution.unresolved {
                *self.unresolved.entry(reason).or_insert(0) += u64::from(count);
            }
            self.scip.add(resolution);
            self.steps += resolution.steps;
        }
    }
}
