//! The benchmark of several systems: what each answers to the same tasks, and what that costs.
//!
//! [`record`] is what a run leaves, for a report.

pub mod record;
