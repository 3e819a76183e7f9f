//! Index runs, from a checkout to a store.

mod aimed;
mod batches;
mod dependencies;
pub mod dump;
pub mod history;
mod incremental;
mod memory;
mod named;
mod rpc;
pub mod source;
mod runs;
mod scaling;
mod scip;
mod settings;
mod sparse;
