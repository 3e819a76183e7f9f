//! Development aid: ranks tasks read as JSON lines from stdin against an index; prints names as JSON lines.
use knowing::engine::Engine;
use knowing::model::Request;
use std::io::BufRead;
fn main() {
    let mut args = std::env::args().skip(1);
    let (root, db) = (args.next().expect("root"), args.next().expect("db"));
    let mut engine = Engine::open(root.as_ref(), Some(db.as_ref())).expect("open");
    let started = std::time::Instant::now();
    let report = engine.index(args.next().is_some(), None, &|_| ()).expect("index");
    eprintln!("index {:?} parsed {} timings {:?}", started.elapsed(), report.parsed_files, report.timings);
    let started = std::time::Instant::now();
    let ranker = engine.ranker().expect("ranker");
    eprintln!("load {:?}", started.elapsed());
    let mut times = Vec::new();
    for line in std::io::stdin().lock().lines() {
        let task: String = serde_json::from_str(&line.expect("line")).expect("json");
        let started = std::time::Instant::now();
        let ranking = ranker.rank(&Request::Task(task), &|| false).expect("rank").expect("not cancelled");
        times.push(started.elapsed());
        let names: Vec<serde_json::Value> = ranking.symbols.iter().take(60).filter_map(|ranked| {
            let symbol = ranker.reader().symbol(ranked.node).ok()??;
            Some(serde_json::json!({"n": symbol.short_name(), "s": ranked.score, "k": symbol.kind.name(), "c": ranked.components.iter().map(|c| (c.name, (c.contribution*1000.0).round()/1000.0)).collect::<std::collections::BTreeMap<_, _>>()}))
        }).collect();
        println!("{}", serde_json::Value::from(names));
    }
    times.sort();
    if !times.is_empty() {
        eprintln!("rank p50 {:?} max {:?}", times[times.len() / 2], times[times.len() - 1]);
    }
}
