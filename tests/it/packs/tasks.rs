//! Random tasks: none fails, symbols named in a task are found, and the number of terms is bounded.

use std::collections::BTreeSet;

use knowing_analysis::model::{NodeId, SymbolKind, Task};
use knowing_retrieval::engine::Ranker;
use knowing_retrieval::engine::Ranking;
use knowing_retrieval::render::renderer_named;
use proptest::test_runner::RngSeed;

use crate::cli::Shop;
use crate::index::source::Dice;

/// Limit of the terms of a task of any length.
const MAX_TERMS: usize = 4_000;

/// Text that broke a query once, or would break one without escaping.
const PIECES: &[&str] = &[
    "AND",
    "OR",
    "NOT",
    "NEAR(",
    "NEAR(a b, 2)",
    "*",
    "^",
    "body:",
    "{name doc}:",
    "symbol_name:x*",
    "\"",
    "'",
    "\"\"",
    "`",
    "``",
    "-",
    "--",
    "---",
    "+",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "\\",
    "/",
    "//",
    "a/b/c.py",
    "../..",
    "C:\\x",
    "%",
    "%s",
    "_",
    "__",
    "__init__",
    ".",
    "..",
    "...",
    "e.g.",
    "1.2.3",
    "it's",
    "don't",
    "re-index",
    "x::y::z",
    "A.b.c()",
    "\0",
    "\u{1b}[31m",
    "\u{202e}",
    "\u{200f}",
    "\u{feff}",
    "\u{2028}",
    "🙂",
    "👩‍👩‍👧",
    "漢字",
    "İstanbul",
    "ſs",
    "ß",
    "ﬁ",
    "é",
    "e\u{301}",
    "\u{1d49c}",
    "\n",
    "\t",
    "\r\n",
    ";",
    "; DROP TABLE nodes",
    "<x>",
    "&amp;",
    "$HOME",
    "#",
    "@",
    "!",
    "?",
    "the",
    "fix",
    "refactor",
    "test",
    "session",
    "Session",
    "cart_total",
    "HTTPServer",
    "0",
    "42",
    "-1",
    "1e309",
    "NaN",
    "inf",
    "<|endoftext|>",
    "null",
];

/// Returns random text.
fn junk(dice: &mut Dice, pieces: u64) -> String {
    let mut text = String::new();
    for _ in 0..pieces {
        match dice.roll(8) {
            0 => text.push((b' ' + dice.roll(95) as u8) as char),
            1 => text.extend(char::from_u32(dice.roll(0x1_1000) as u32)),
            2 => (0..dice.roll(12)).for_each(|_| text.push((b'a' + dice.roll(26) as u8) as char)),
            _ => text.push_str(PIECES[dice.roll(PIECES.len() as u64) as usize]),
        }
        if dice.roll(3) > 0 {
            text.push(' ');
        }
    }
    text
}

/// Returns a hundred kilobytes of words, of one word, of quotes, or of identifiers separated by commas.
fn huge(dice: &mut Dice) -> String {
    const BYTES: usize = 100 << 10;
    match dice.roll(4) {
        0 => junk(dice, BYTES as u64 / 5),
        1 => "x".repeat(BYTES),
        2 => "`\"'".repeat(BYTES / 3),
        _ => (0..BYTES / 8).map(|number| format!("w{number:x}_{},", dice.roll(9))).collect(),
    }
}

/// Formats a task for a failure message.
fn shown(task: &str) -> String {
    format!("{} bytes, {:?}", task.len(), task.chars().take(300).collect::<String>())
}

fn ranked(ranker: &Ranker, task: &str) -> Ranking {
    let ranking = ranker.rank(&Task::from_text(task), &|| false);
    let ranking = ranking.unwrap_or_else(|error| panic!("{error} for {}", shown(task))).unwrap();
    for symbol in &ranking.symbols {
        let sum: f64 = symbol.components.iter().map(|component| component.contribution).sum();
        assert!(symbol.score.is_finite() && (sum - symbol.score).abs() < 1e-9, "{}: {symbol:?}", shown(task));
        assert!(symbol.walk.is_finite(), "{}: {symbol:?}", shown(task));
    }
    let keywords = &ranking.keywords;
    let terms = keywords.keywords.len();
    assert!(terms <= MAX_TERMS && keywords.path_terms.len() <= MAX_TERMS, "{terms} terms for {} bytes", task.len());
    ranking
}

/// Returns whether a symbol of this name has a lexical component above zero.
fn finds(ranker: &Ranker, ranking: &Ranking, name: &str) -> bool {
    let named: BTreeSet<NodeId> =
        ranker.reader().symbols_named(name, 100).unwrap().iter().map(|found| found.node).collect();
    ranking.symbols.iter().filter(|symbol| named.contains(&symbol.node)).any(|symbol| {
        symbol.components.iter().any(|component| component.name == "lexical" && component.contribution > 0.0)
    })
}

/// Number of threads, each with its own random numbers.
const THREADS: u64 = 4;

#[test]
fn tasks_at_random() {
    // 10,000 cases take more than a minute in a dev build.
    let config = crate::cases::config(2_000, 0);
    let RngSeed::Fixed(seed) = config.rng_seed else { panic!("the seed is not fixed") };
    let shop = Shop::new();
    let mut engine = crate::cli::open(&shop.root());
    engine.index(false, None, &|_| {}).unwrap();
    let kinds = [SymbolKind::Function, SymbolKind::Method, SymbolKind::Type];
    let symbols = engine.reader().unwrap().all_symbols().unwrap().into_iter();
    let names = symbols.filter(|symbol| kinds.contains(&symbol.kind)).map(|symbol| symbol.name);
    let names: BTreeSet<String> = names.filter(|name| name.len() > 3 && !name.starts_with("__")).collect();
    let names: Vec<String> = names.into_iter().collect();
    assert!(names.len() > 10);
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            let (engine, names) = (&engine, &names);
            let count = u64::from(config.cases) / THREADS;
            scope.spawn(move || try_tasks(&engine.ranker().unwrap(), names, seed * THREADS + thread, count));
        }
    });
}

fn try_tasks(ranker: &Ranker, names: &[String], seed: u64, count: u64) {
    let dice = &mut Dice::new(seed);
    for number in 0..count {
        let (before, after) = (dice.roll(6), dice.roll(6));
        let (mut before, mut after) = (junk(dice, before), junk(dice, after));
        match number % 500 {
            0 => before = huge(dice),
            1 => after = huge(dice),
            2 => (before, after) = (String::new(), String::new()),
            _ => (),
        }
        // Every other task has a symbol's name, which must be found.
        let name = number.is_multiple_of(2).then(|| &names[dice.roll(names.len() as u64) as usize]);
        let task = format!("{before} {} {after}", name.map_or("", String::as_str));
        let ranking = ranked(ranker, &task);
        assert!(name.is_none_or(|name| finds(ranker, &ranking, name)), "{name:?} is lost in {}", shown(&task));
        if number % 100 == 0 {
            let task = Task { budget_tokens: 1_000, ..Task::from_text(task) };
            let pack = ranker.pack(&task, renderer_named("json").unwrap(), false, &|| false).unwrap().unwrap();
            assert!(pack.tokens_used <= 1_000);
        }
    }
}
