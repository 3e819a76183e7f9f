//! Resolves names across the repository: facts of all files in, edges out.
//!
//! [`world::World`] has the facts of all files and the tables over them; [`eval`] evaluates expressions against it;
//! `edges` turns references into edges; [`rules::Rules`] is implemented by each language. This module is independent of
//! any language, the store and the file system. The resolution of a file depends on the world only, so files can be
//! resolved in parallel and in any order with the same result.

mod called;
mod declarations;
mod documents;
mod edges;
pub mod eval;
mod expansions;
pub mod exports;
mod globs;
mod guess;
mod implied;
pub mod input;
mod meant;
pub mod modules;
mod name_table;
pub mod named;
mod open_types;
pub mod output;
mod procedures;
mod receivers;
mod roles;
pub mod rules;
pub mod scip;
pub mod services;
mod signals;
mod suggested;
#[cfg(test)]
pub(crate) mod tests;
mod duplicates;
pub mod value;
pub mod world;

use std::panic::{AssertUnwindSafe, catch_unwind};

use rayon::prelude::*;

use input::FileIndex;
use output::{FileResolution, Unresolved};
use world::World;

/// Resolves the given files (all of them, or those that a change affects) in parallel; returns one result for each, in
/// order. If resolution panics over a hostile file, only that file's references are lost.
pub fn resolve(world: &World<'_>, files: &[FileIndex]) -> Vec<FileResolution> {
    let resolve_file = |&file: &FileIndex| {
        catch_unwind(AssertUnwindSafe(|| edges::resolve_file(world, file)))
            .unwrap_or_else(|_| resolution_after_panic(world, file))
    };
    files.par_iter().map(resolve_file).collect()
}

/// Returns the result for a file whose resolution panicked.
fn resolution_after_panic(world: &World<'_>, file: FileIndex) -> FileResolution {
    let lost = world.code(file).references.len().max(1) as u32;
    FileResolution { unresolved: vec![(Unresolved::ResolverPanicked, lost)], ..FileResolution::default() }
}
