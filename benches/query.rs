//! Query time of a process with a loaded index, by stage.
//!
//! `KNOWING_BENCH_REPOSITORY` selects a checkout; the default is the program's own source. `KNOWING_BENCH_DB` selects
//! its index; by default one is built in a temporary folder. All stages are measured over the same tasks, which are
//! made from names of the repository.

use std::cell::RefCell;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use criterion::{BatchSize, Criterion, criterion_group};
use knowing_analysis::model::{ContextPack, Request, SymbolKind, Task};
use knowing_analysis::text::split_identifier;
use knowing_indexing::concepts::Vocabulary;
use knowing_retrieval::engine::{Engine, Ranker, STAGES};
use knowing_retrieval::query::keywords::extract;
use knowing_retrieval::rank::pack::{Candidate, PackInput, pack};
use knowing_retrieval::render::{Answer, RENDERERS, Renderer, TokenCache, TokenCounter, gcf::Gcf};

/// Number of tasks.
const TASKS: usize = 8;

/// Returns tasks with the names of functions spread evenly over the repository.
fn tasks(ranker: &Ranker) -> Vec<Task> {
    let symbols = ranker.reader().all_symbols().expect("the index can be read");
    let sentences: Vec<String> = symbols
        .iter()
        .filter(|symbol| matches!(symbol.kind, SymbolKind::Function | SymbolKind::Method) && !symbol.is_test)
        .filter(|symbol| split_identifier(&symbol.name).len() > 1)
        .map(|symbol| format!("fix {} in {}", split_identifier(&symbol.name).join(" "), symbol.scope))
        .collect();
    let step = (sentences.len() / TASKS).max(1);
    sentences.into_iter().step_by(step).take(TASKS).map(Task::from_text).collect()
}

/// Returns the duration of each stage for a task, without cached results.
fn stages(ranker: &Ranker, task: &Task) -> [Duration; STAGES.len()] {
    ranker.clear_cache();
    let instants = RefCell::new(vec![Instant::now()]);
    let record_instant = || {
        instants.borrow_mut().push(Instant::now());
        false
    };
    ranker.rank(task, &record_instant).expect("the index can be read");
    record_instant();
    let instants = instants.into_inner();
    let spans: Vec<Duration> = instants.windows(2).map(|pair| pair[1] - pair[0]).collect();
    spans.try_into().expect("every stage has a name above")
}

/// Returns every candidate of a task, as the input of packing.
fn offer(ranker: &Ranker, task: &Task) -> PackInput {
    let unlimited = Task { budget_tokens: usize::MAX / 2, ..task.clone() };
    let all = ranker.pack(&unlimited, &Gcf, false, &|| false).expect("the index can be read").unwrap_or_default();
    let ContextPack { task, repository, symbols, edges, .. } = all;
    let candidates = symbols.into_iter().map(|symbol| Candidate { walk: symbol.score, symbol }).collect();
    PackInput { task, repository, budget_tokens: Task::DEFAULT_BUDGET, candidates, edges, ..PackInput::default() }
}

fn benchmark(criterion: &mut Criterion) {
    let root = std::env::var_os("KNOWING_BENCH_REPOSITORY")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let database = std::env::var_os("KNOWING_BENCH_DB").map_or_else(|| folder.path().join("graph.db"), PathBuf::from);
    let mut engine = Engine::open(&root, Some(&database)).expect("the checkout is a folder");
    engine.index(false, None, &|_| {}).expect("the checkout can be indexed");
    let ranker = engine.ranker().expect("the index can be read");
    let tasks = tasks(&ranker);
    let not_canceled = || false;
    let offers: Vec<PackInput> = tasks.iter().map(|task| offer(&ranker, task)).collect();
    let pack_task = |task: &Task| {
        ranker.clear_cache();
        ranker.pack(task, &Gcf, false, &not_canceled).expect("the index can be read").unwrap_or_default()
    };
    let packs: Vec<ContextPack> = tasks.iter().map(pack_task).collect();
    let words = |task: &Task| match &task.request {
        Request::Task(words) => words.clone(),
        Request::Files(_) | Request::PullRequest(_) => String::new(),
    };
    let words: Vec<String> = tasks.iter().map(words).collect();

    let vocabulary = Vocabulary::embedded();
    // Times are for all tasks together; divide by their number.
    let mut group = criterion.benchmark_group(format!("query, {} tasks", tasks.len()));
    group.sample_size(20).measurement_time(Duration::from_secs(8));
    group.bench_function("load the graph", |bencher| bencher.iter(|| engine.ranker().map(drop)));
    group.bench_function("keywords", |bencher| {
        bencher.iter(|| words.iter().map(|words| extract(words, vocabulary.words())).collect::<Vec<_>>());
    });
    for (stage, name) in STAGES.into_iter().enumerate() {
        group.bench_function(name, |bencher| {
            let round = || tasks.iter().map(|task| stages(&ranker, task)[stage]).sum::<Duration>();
            bencher.iter_custom(|rounds| (0..rounds).map(|_| round()).sum());
        });
    }
    group.bench_function("pack", |bencher| {
        let choose = |offers: Vec<PackInput>| {
            offers
                .into_iter()
                .map(|offer| pack(offer, &TokenCounter::new(&Gcf, &TokenCache::default())))
                .collect::<Vec<_>>()
        };
        bencher.iter_batched(|| offers.clone(), choose, BatchSize::LargeInput);
    });
    for renderer in RENDERERS {
        let answer = |pack| renderer.bytes(&Answer::Pack(pack));
        group.bench_function(format!("render {}", renderer.name()), |bencher| {
            bencher.iter(|| packs.iter().map(answer).collect::<Vec<_>>());
        });
    }
    group.bench_function("rank, pack and render", |bencher| {
        bencher.iter(|| tasks.iter().map(|task| Gcf.render(&pack_task(task))).collect::<Vec<_>>());
    });
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
