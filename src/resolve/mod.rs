//! Facts of every file in, edges out: names resolved across the whole repository.
//!
//! [`world::World`] holds what all files say and the tables over it; [`eval`] evaluates expressions against it;
//! [`edges`] turns references into edges; [`rules::Rules`] is what a language adds. Resolution of one file reads the
//! world and nothing else, so files can be resolved in parallel and in any order with the same outcome.

mod edges;
pub mod eval;
mod guess;
pub mod input;
pub mod modules;
pub mod output;
mod roles;
pub mod rules;
#[cfg(test)]
pub(crate) mod tests;
pub mod value;
pub mod world;

use std::panic::{AssertUnwindSafe, catch_unwind};

use rayon::prelude::*;

use output::{FileResolution, Unresolved};
use world::World;

/// Resolves the given files (all of them, or those that a change affects) in parallel; one result for each, in order.
/// Resolution must not panic; should it do so over some hostile file, only that file's references are lost.
pub fn resolve(world: &World<'_>, files: &[u32]) -> Vec<FileResolution> {
    let resolve_file = |&file: &u32| {
        catch_unwind(AssertUnwindSafe(|| edges::resolve_file(world, file))).unwrap_or_else(|_| broken(world, file))
    };
    files.par_iter().map(resolve_file).collect()
}

/// The outcome for a file over which resolution broke down.
fn broken(world: &World<'_>, file: u32) -> FileResolution {
    let lost = world.code(file).references.len().max(1) as u32;
    FileResolution { unresolved: vec![(Unresolved::Breakdown, lost)], ..FileResolution::default() }
}
