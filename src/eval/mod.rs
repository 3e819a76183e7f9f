//! How well tasks are answered: task files in, metrics out.
//!
//! 1. [`TaskFile`]: tasks with their ground truth, from YAML.
//! 2. [`evaluate`]: every task is ranked by the engine that also answers users; [`matcher`] and [`metrics`] compare the
//!    results with the ground truth. A [`Run`] is what came out, and can be saved.
//! 3. [`summary`]: means over repositories, kinds and tiers.
//! 4. [`compare`]: two runs, task by task; [`bootstrap`] tells a change from noise.
//! 5. [`missing`]: ground truth that no symbol of the index bears.
//! 6. [`simulate`]: what marking right and wrong answers does to tasks that were never marked.
//! 7. [`check`]: what must hold of every answer; [`timing`]: what it costs.
//! 8. [`class_tallies`]: how much of what equivalence classes lead to is right.
//!
//! Nothing here learns: an evaluation leaves no trace in what users taught.

pub mod bootstrap;
pub mod check;
mod classes;
pub mod compare;
mod evaluate;
pub mod matcher;
pub mod metrics;
mod run;
mod simulate;
pub mod summary;
mod task_file;
pub mod timing;
mod verify;

pub use classes::{ClassCounts, ClassTally, class_tallies};
pub use evaluate::{Job, evaluate};
pub use matcher::Matcher;
pub use metrics::Metrics;
pub use run::{Outcome, Placed, Results, Run, RunError};
pub use simulate::{Round, Simulation, simulate, weighted};
pub use task_file::{EvalTask, TaskFile, TaskFileError};
pub use verify::missing;
