//! The workshop of `knowing`: measures rankings against tasks with known relevant symbols.
//!
//! 1. [`TaskFile`] reads tasks and their ground truth from YAML.
//! 2. [`fn@evaluate`] ranks every task with the engine; [`matcher`] and [`metrics`] compare the results with the ground
//!    truth. A [`Run`] is one evaluation and can be saved.
//! 3. [`summary`] averages over repositories, intents and tiers.
//! 4. [`compare`] compares two runs task by task; [`bootstrap`] computes confidence intervals.
//! 5. [`missing_ground_truth`] finds entries of the ground truth that match no symbol of the index.
//! 6. [`fn@simulate`] measures the effect of relevance feedback on held-out tasks.
//! 7. [`check`] tests invariants of rankings; [`timing`] measures latency by stage.
//! 8. [`concept_tallies`] measures the precision of concepts.
//! 9. [`training`] collects the features of training tasks' candidates; [`mod@fit`] fits a ranking model to them.
//! 10. [`routing`] measures the choice of repositories for tasks.
//! 11. [`cross`] measures several systems on the same tasks; [`agents`] what an agent has read after so many tokens.
//!
//! [`trial`] prepares and scores live trials of coding agents.
//!
//! 12. [`commands`] are the command line of `knowing-eval`.
//!
//! An evaluation never writes to the feedback journal.

use knowing_analysis::lang;
use knowing_retrieval::{catalog, engine, features, model, rank, render, text, user_dirs};

pub mod agents;
pub mod bootstrap;
pub mod check;
pub mod commands;
pub mod compare;
mod concepts;
pub mod cross;
mod evaluate;
pub mod fit;
pub mod matcher;
pub mod metrics;
mod random;
pub mod routing;
mod run;
mod simulate;
pub mod summary;
mod task_file;
pub mod timing;
pub mod training;
pub mod trial;
mod verify;

pub use concepts::{ConceptCounts, ConceptTally, concept_tallies};
pub use evaluate::{EvalError, Job, NoIndex, evaluate};
pub use matcher::Matcher;
pub use metrics::Metrics;
pub use run::{Results, Run, SavedRunError, TaskResult, Trace};
pub use simulate::{Round, Simulation, simulate, weighted_mean};
pub use task_file::{EvalTask, TaskFile, TaskFileError};
pub use verify::missing_ground_truth;
