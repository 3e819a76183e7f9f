//! The benchmark of several systems: what each answers to the same tasks, and what that costs.
//!
//! - [`record`] is what a run leaves, for a report.
//! - [`run`] reads one, and joins several; [`measure`] has the measures of an answer.
//! - [`statistics`] compares paired results: intervals, tests, effect sizes, claims.
//! - [`kappa`] measures the agreement of two labelers on the relevant symbols.
//! - [`report`] writes HTML, Markdown and JSON with plots.

pub mod kappa;
pub mod measure;
pub mod record;
pub mod report;
pub mod run;
pub mod statistics;
