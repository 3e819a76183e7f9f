//! Checks a fuzz case: extracts and resolves it twice and compares the results.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use knowing_analysis::facts::{Code, FileFacts, Outline};
use knowing_analysis::lang::parser::parse;
use knowing_analysis::lang::{language_of, rules_of};
use knowing_analysis::resolve::input::{FactSource, FileIndex, FileInput, Manifest};
use knowing_analysis::resolve::output::{EdgeEndpoint, FileResolution};
use knowing_analysis::resolve::{resolve, world::World};

/// A file of a case.
#[derive(Debug)]
pub struct File {
    pub path: String,
    pub bytes: Vec<u8>,
}

/// A case takes milliseconds, but the machine may be busy.
const MAX_DURATION: Duration = Duration::from_secs(60);
/// Stack size of the indexer's threads, in bytes.
const STACK_BYTES: usize = 16 << 20;

/// Panics when extraction or resolution of the files panics, hangs or is inconsistent.
pub fn assert_robust(topic: &str, files: Vec<File>) {
    // Cases run concurrently, in several processes.
    static CASES: AtomicUsize = AtomicUsize::new(0);
    let name = format!("{topic}-{}-{}", std::process::id(), CASES.fetch_add(1, Ordering::Relaxed));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fuzz").join(name);
    write_case(&folder, &files);
    let (sender, receiver) = channel();
    pool().spawn(move || {
        let problem = catch_unwind(AssertUnwindSafe(|| check(&files)));
        let sent = sender.send(problem.unwrap_or_else(|_| Some("it panics".to_owned())));
        drop(sent);
    });
    let problem = match receiver.recv_timeout(MAX_DURATION) {
        Ok(problem) => problem,
        Err(RecvTimeoutError::Timeout) => Some("it hangs".to_owned()),
        Err(RecvTimeoutError::Disconnected) => Some("its thread ended".to_owned()),
    };
    if let Some(problem) = problem {
        panic!("{problem}; the case is kept in {}", folder.display());
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Returns a pool with the indexer's stack size, since deep trees are walked recursively.
fn pool() -> &'static rayon::ThreadPool {
    static POOL: OnceLock<rayon::ThreadPool> = OnceLock::new();
    POOL.get_or_init(|| rayon::ThreadPoolBuilder::new().stack_size(STACK_BYTES).build().unwrap())
}

fn write_case(folder: &Path, files: &[File]) {
    if folder.exists() {
        std::fs::remove_dir_all(folder).unwrap();
    }
    for file in files {
        let path: PathBuf = folder.join(&file.path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, &file.bytes).unwrap();
    }
}

struct Loaded<'a>(&'a [(usize, FileFacts)]);

impl FactSource for Loaded<'_> {
    fn outline(&self, file: FileIndex) -> &Outline {
        &self.0[file.index()].1.outline
    }

    fn code(&self, file: FileIndex) -> &Code {
        &self.0[file.index()].1.code
    }
}

fn check(files: &[File]) -> Option<String> {
    let once = extract(files);
    if once != extract(files) {
        return Some("extraction is not deterministic".to_owned());
    }
    let spans = once.iter().find_map(|(index, facts)| wrong_span(&files[*index].bytes, facts));
    if spans.is_some() {
        return spans;
    }
    let resolutions = resolved(files, &once);
    if resolutions != resolved(files, &once) {
        return Some("resolution is not deterministic".to_owned());
    }
    let sizes: Vec<usize> = once.iter().map(|(_, facts)| facts.outline.definitions.len()).collect();
    resolutions.iter().flat_map(|resolution| &resolution.edges).find_map(|edge| {
        let is_wrong = |end: &EdgeEndpoint| match end {
            EdgeEndpoint::Definition { file, definition } => {
                sizes.get(file.index()).is_none_or(|count| definition.index() >= *count)
            }
            EdgeEndpoint::File(file) => file.index() >= sizes.len(),
            _ => false,
        };
        (is_wrong(&edge.source) || is_wrong(&edge.target)).then(|| format!("an edge has an invalid endpoint: {edge:?}"))
    })
}

fn extract(files: &[File]) -> Vec<(usize, FileFacts)> {
    let parsed = files.iter().enumerate().map(|(index, file)| {
        let language = language_of(&file.path).unwrap();
        (index, parse(language, &file.path, &file.bytes))
    });
    parsed.filter_map(|(index, facts)| Some((index, facts.ok()?))).collect()
}

/// Reports a definition whose span is outside its file.
fn wrong_span(bytes: &[u8], facts: &FileFacts) -> Option<String> {
    let text = String::from_utf8_lossy(bytes);
    let lines = text.split('\n').count() as u32;
    if facts.texts.bodies.len() != facts.outline.definitions.len() {
        return Some("there must be one body text for each definition".to_owned());
    }
    facts.outline.definitions.iter().find_map(|definition| {
        let span = definition.span;
        let is_inside = text.get(span.start_byte as usize..span.end_byte as usize).is_some();
        let are_lines = 1 <= span.start_line && span.start_line <= span.end_line && span.end_line <= lines;
        (!is_inside || !are_lines).then(|| format!("a span lies outside its file of {lines} lines: {definition:?}"))
    })
}

fn resolved(files: &[File], facts: &[(usize, FileFacts)]) -> Vec<FileResolution> {
    let inputs: Vec<FileInput<'_>> = facts
        .iter()
        .map(|(index, _)| {
            let path = files[*index].path.as_str();
            FileInput { path, language: language_of(path).unwrap().name }
        })
        .collect();
    let manifest = |path: &str, text: &str| Manifest { path: path.to_owned(), text: text.to_owned() };
    let manifests = [
        manifest("Cargo.toml", "[package]\nname = \"shop\"\n[lib]\npath = \"shop/sample.rs\"\n"),
        manifest("go.mod", "module example.org\n"),
        manifest("package.json", "{\"name\": \"shop\", \"main\": \"shop/sample.ts\"}"),
    ];
    let mut loaded = Loaded(facts);
    let world = World::new(&inputs, &manifests, &mut loaded, &rules_of);
    resolve(&world, &FileIndex::sequence().take(inputs.len()).collect::<Vec<FileIndex>>())
}
