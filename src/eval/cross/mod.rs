//! The benchmark of several systems: what each answers to the same tasks, and what that costs.
//!
//! - [`record`] is what a run leaves, for a report.
//! - [`statistics`] compares paired results: intervals, tests, effect sizes, claims.
//! - [`kappa`] measures the agreement of two labelers on the relevant symbols.

pub mod kappa;
pub mod record;
pub mod statistics;
