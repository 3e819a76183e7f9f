//! What a task costs in a process that has its index loaded, stage by stage (SPEC §14).
//!
//! `KNOWING_BENCH_REPOSITORY` names a checkout to measure; without it the program's own source is taken. `KNOWING_BENCH_DB`
//! names its index; without it one is made in a temporary folder. Each stage is measured over the same few tasks, made from
//! names of the repository itself.

use std::cell::RefCell;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use knowing::engine::{Engine, Ranker, STAGES};
use knowing::model::{ContextPack, Request, SymbolKind, Task};
use knowing::rank::keywords::keywords;
use knowing::rank::pack::{Candidate, Offer, pack};
use knowing::render::{Answer, RENDERERS, Renderer, TokenCache, TokenCounter, gcf::Gcf};
use knowing::text::split_identifier;
use knowing::vocab::Vocabulary;

/// Tasks that every stage is measured over.
const TASKS: usize = 8;

/// Tasks in the words of functions that lie evenly spread over the repository.
fn tasks(ranker: &Ranker) -> Vec<Task> {
    let symbols = ranker.reader().all_symbols().expect("the index can be read");
    let sentences: Vec<String> = symbols
        .iter()
        .filter(|symbol| matches!(symbol.kind, SymbolKind::Function | SymbolKind::Method) && !symbol.is_test)
        .filter(|symbol| split_identifier(&symbol.name).len() > 1)
        .map(|symbol| format!("fix {} in {}", split_identifier(&symbol.name).join(" "), symbol.scope))
        .collect();
    let step = (sentences.len() / TASKS).max(1);
    sentences.into_iter().step_by(step).take(TASKS).map(Task::words).collect()
}

/// How long each stage took for one task, as if it were the first one.
fn stages(ranker: &Ranker, task: &Task) -> [Duration; STAGES.len()] {
    ranker.forget();
    let moments = RefCell::new(vec![Instant::now()]);
    let look_at_the_clock = || {
        moments.borrow_mut().push(Instant::now());
        false
    };
    ranker.rank(task, &look_at_the_clock).expect("the index can be read");
    look_at_the_clock();
    let moments = moments.into_inner();
    let spans: Vec<Duration> = moments.windows(2).map(|pair| pair[1] - pair[0]).collect();
    spans.try_into().expect("every stage has a name above")
}

/// Everything that a task may be answered with, to choose a pack from.
fn offer(ranker: &Ranker, task: &Task) -> Offer {
    let unlimited = Task { budget_tokens: usize::MAX / 2, ..task.clone() };
    let all = ranker.pack(&unlimited, &Gcf, false, &|| false).expect("the index can be read").unwrap_or_default();
    let ContextPack { task, repository, symbols, edges, .. } = all;
    let candidates = symbols.into_iter().map(|symbol| Candidate { walk: symbol.score, symbol }).collect();
    Offer { task, repository, budget_tokens: Task::DEFAULT_BUDGET, candidates, edges, ..Offer::default() }
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
    let never = || false;
    let offers: Vec<Offer> = tasks.iter().map(|task| offer(&ranker, task)).collect();
    let whole = |task: &Task| {
        ranker.forget();
        ranker.pack(task, &Gcf, false, &never).expect("the index can be read").unwrap_or_default()
    };
    let packs: Vec<ContextPack> = tasks.iter().map(whole).collect();
    let words = |task: &Task| match &task.request {
        Request::Task(words) => words.clone(),
        Request::Files(_) | Request::PullRequest(_) => String::new(),
    };
    let words: Vec<String> = tasks.iter().map(words).collect();

    let vocabulary = Vocabulary::embedded();
    // The figures are for one round of all tasks: divide by their number.
    let mut group = criterion.benchmark_group(format!("query, {} tasks", tasks.len()));
    group.sample_size(20).measurement_time(Duration::from_secs(8));
    group.bench_function("load the graph", |bencher| bencher.iter(|| engine.ranker().map(drop)));
    group.bench_function("keywords", |bencher| {
        bencher.iter(|| words.iter().map(|words| keywords(words, vocabulary.words())).collect::<Vec<_>>());
    });
    for (stage, name) in STAGES.into_iter().enumerate() {
        group.bench_function(name, |bencher| {
            let round = || tasks.iter().map(|task| stages(&ranker, task)[stage]).sum::<Duration>();
            bencher.iter_custom(|rounds| (0..rounds).map(|_| round()).sum());
        });
    }
    group.bench_function("pack", |bencher| {
        let choose = |offers: Vec<Offer>| {
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
    group.bench_function("answer, all of it", |bencher| {
        bencher.iter(|| tasks.iter().map(|task| Gcf.render(&whole(task))).collect::<Vec<_>>());
    });
    group.finish();
}

criterion_group!(benches, benchmark);
criterion_main!(benches);
