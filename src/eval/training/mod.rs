//! Training data: tasks with labels, and the features of their candidates.
//!
//! 1. [`TrainingTasks`] reads task files of four sets: commits, issues, development tasks and questions from documentation.
//! 2. [`collect()`] ranks the tasks of a repository. A [`Sample`] has every candidate of one task: the raw values of its
//!    features, its score in the ranking, and the entries of the ground truth that it matches.
//! 3. [`FeatureWriter`] and [`FeatureFile`] write and read samples.

mod collect;
mod feature_file;
mod relevance;
mod task_lines;

pub use collect::{CollectError, collect};
pub use feature_file::{FeatureFile, FeatureFileError, FeatureWriter, Sample};
pub use task_lines::{DataSet, GoldSymbol, TrainingTask, TrainingTasks};

#[cfg(test)]
pub use feature_file::tests;

use crate::features::{EXACT_FEATURE, FEEDBACK_FEATURES, LOCATION_FEATURE, OWN_CONCEPT, PRINTED_FEATURE};
use crate::rank::scoring::BASE;

/// Returns whether a component is not part of the fitted model: those of feedback and of a repository's own concepts, which
/// training tasks lack, that of a named location, which outranks everything else, that of a message, which leads, and the base.
pub fn is_fixed(component: &str) -> bool {
    FEEDBACK_FEATURES.contains(&component)
        || [EXACT_FEATURE, LOCATION_FEATURE, OWN_CONCEPT, PRINTED_FEATURE, BASE].contains(&component)
}
