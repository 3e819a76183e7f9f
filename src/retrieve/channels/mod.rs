//! The channels: independent ways to find symbols for a task.

pub mod history;
pub mod lexical;
pub mod path;
pub mod tiered;
