//! The benchmark of several systems: what each answers to the same tasks, and what that costs.
//!
//! 1. [`system`] reads the systems, which are data; [`install`] installs them from package registries.
//! 2. [`sets`] has the tasks; [`runner`] runs the protocol: [`subject`] is a system at work in a copy of a repository,
//!    [`process`] runs and measures its commands, [`adapter`] reads what it prints.
//! 3. [`definitions`] turn printed locations into names, [`score`] finds the ranks of relevant symbols, [`failure`] the
//!    causes of misses.
//! 4. [`record`] is what a run leaves in its [`folder`], for a report.
//! 5. [`staleness`] changes a checkout and measures until the answer is right; [`learning`] has the curve of feedback,
//!    [`scale`] the costs by size.
//! 6. [`baseline`] has systems of our own: a scripted ripgrep policy, plain BM25F, lookup in a compiler's index.
//! 7. [`run`] reads what runs have left, and joins several; [`measure`] has the measures of an answer; [`statistics`]
//!    compares paired results: intervals, tests, effect sizes, claims.
//! 8. [`report`] writes HTML, Markdown and JSON with plots; [`kappa`] measures the agreement of two labelers on the
//!    relevant symbols.

pub mod adapter;
pub mod baseline;
pub mod definitions;
pub mod failure;
pub mod folder;
pub mod install;
pub mod kappa;
pub mod learning;
pub mod machine;
pub mod measure;
pub mod process;
pub mod record;
pub mod report;
pub mod repository;
pub mod run;
pub mod runner;
pub mod scale;
pub mod score;
pub mod sets;
pub mod statistics;
pub mod staleness;
pub mod subject;
pub mod system;
