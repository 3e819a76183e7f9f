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

use rayon::prelude::*;

use output::FileResolution;
use world::World;

/// Resolves the given files (all of them, or those that a change affects) in parallel; one result for each, in order.
pub fn resolve(world: &World<'_>, files: &[u32]) -> Vec<FileResolution> {
    files.par_iter().map(|&file| edges::resolve_file(world, file)).collect()
}
