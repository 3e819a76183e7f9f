//! The recipe from a task to a pack.
