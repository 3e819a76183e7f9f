//! Entry point of extraction: walks a Rust syntax tree and returns its facts.

use super::attributes::{is_test_attribute, push_doc_comment};
use super::grammar::{Kind, kind};
use super::walker::Walker;
use crate::facts::FileFacts;
use crate::lang::SourceFile;

/// Returns the facts of one Rust file.
pub fn extract(file: &SourceFile<'_>) -> FileFacts {
    let mut walker = Walker::new(file.text);
    let root = file.tree.root_node();
    let mut doc = String::new();
    let mut is_test = is_test_path(file.path);
    let mut cursor = root.walk();
    for node in root.named_children(&mut cursor) {
        match kind(node) {
            Kind::LineComment | Kind::BlockComment => push_doc_comment(walker.text_of(node), ["//!", "/*!"], &mut doc),
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

/// Returns whether a file is built for tests and benchmarks only, by Cargo's conventions, or has a module's tests.
fn is_test_path(path: &str) -> bool {
    let mut parts = path.rsplit('/');
    let name = parts.next().unwrap_or(path);
    matches!(name, "tests.rs" | "test.rs") || parts.any(|folder| matches!(folder, "tests" | "benches"))
}
