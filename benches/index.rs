//! Indexing time, and its lower bound: parsing the same files with tree-sitter on as many threads.
//!
//! `KNOWING_BENCH_REPOSITORY` selects a checkout; the default is the program's own source.

use std::path::{Path, PathBuf};

use criterion::{Criterion, criterion_group};
use knowing_indexing::index::{IndexOptions, index};
use knowing_indexing::scan::discover;
use rayon::prelude::*;

fn root() -> PathBuf {
    std::env::var_os("KNOWING_BENCH_REPOSITORY")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from)
}

/// Parses every source file and drops the trees. Returns the number of files.
fn parse_only(root: &Path) -> usize {
    let paths: Vec<String> = discover(root).files.into_iter().map(|file| file.path).collect();
    let parse = |path: &String| {
        let language = knowing_analysis::lang::language_of(path)?;
        let text = std::fs::read_to_string(root.join(path)).ok()?;
        knowing_analysis::lang::parser::syntax_tree(language, path, &text)
    };
    paths.par_iter().filter_map(parse).count()
}

fn benchmark(criterion: &mut Criterion) {
    let root = root();
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let options = |force: bool| IndexOptions {
        database: Some(folder.path().join("graph.db")),
        force,
        jobs: None,
        memory: None,
        copy: None,
        scip: Vec::new(),
    };
    let run = |force: bool| index(&root, &options(force), &|_| {}).expect("the checkout can be indexed");
    let mut group = criterion.benchmark_group("index");
    group.sample_size(10);
    group.bench_function("parse only", |bencher| bencher.iter(|| parse_only(&root)));
    group.bench_function("rebuild", |bencher| bencher.iter(|| run(true)));
    group.bench_function("no change", |bencher| bencher.iter(|| run(false)));
    group.finish();
}

criterion_group!(benches, benchmark);

fn main() {
    // Listing would build the index to learn the names.
    if std::env::args().all(|argument| argument != "--list") {
        benches();
        Criterion::default().configure_from_args().final_summary();
    }
}
