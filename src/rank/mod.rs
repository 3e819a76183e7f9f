//! The formulas of retrieval, one to a file: values in, values out, no IO.

pub mod best_path;
pub mod bm25f;
pub mod ego;
pub mod fuse;
pub mod hits;
pub mod intent;
pub mod keywords;
pub mod pack;
pub mod score;
pub mod walk;
