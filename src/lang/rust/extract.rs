//! Walks a Rust syntax tree and writes down its facts.

use super::grammar::{Kind, kind};
use super::preamble::{doc_lines, is_test_attribute};
use super::walker::Walker;
use crate::facts::FileFacts;
use crate::lang::SourceFile;

/// Facts of one Rust file.
pub fn extract(file: &SourceFile<'_>) -> FileFacts {
    let mut walker = Walker::new(file.text);
    let root = file.tree.root_node();
    let mut doc = String::new();
    let mut is_test = is_test_path(file.path);
    let mut cursor = root.walk();
    for node in root.named_children(&mut cursor) {
        match kind(node) {
            Kind::LineComment | Kind::BlockComment => doc_lines(walker.text_of(node), ["//!", "/*!"], &mut doc),
            Kind::InnerAttribute => is_test |= is_test_attribute(walker.text_of(node)),
            _ => {}
        }
    }
    walker.builder.set_file_doc(doc);
    if is_test {
        walker.builder.mark_test_file();
        walker.context.is_test = true;
    }
    walker.items(root);
    walker.finish(file.text)
}

/// True for files that Cargo only builds for tests and benchmarks, and for a module's tests in a file of their own.
fn is_test_path(path: &str) -> bool {
    let mut parts = path.rsplit('/');
    let name = parts.next().unwrap_or(path);
    matches!(name, "tests.rs" | "test.rs") || parts.any(|folder| matches!(folder, "tests" | "benches"))
}
