//! Queries against a repository while its first index is built.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use knowing::tui::EngineBackend;
use knowing::tui::backend::{Backend, Response, WAITING};
use knowing::tui::effect::{Node, Topic};
use knowing_analysis::model::{NodeId, Request, Symbol, SymbolId, Task};
use knowing_retrieval::engine::{Engine, Live, LiveState, PartialIndex, PartialIndexListener, Phase, Progress, Ranker};
use knowing_retrieval::render::gcf::Gcf;
use tempfile::TempDir;

use crate::cli::copy;

fn shop() -> (TempDir, Engine) {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("shop");
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/shop"), &root);
    let engine = crate::cli::open(&root);
    (folder, engine)
}

#[test]
fn partial_index_has_every_definition_before_resolve() {
    let (_folder, mut engine) = shop();
    let partial = PartialIndex::default();
    let seen = Mutex::new(None);
    let progress = |step: Progress| {
        if step.phase == Phase::Resolve {
            let definitions = partial.files("", 99).iter().map(|file| partial.definitions(file)).collect::<Vec<_>>();
            *seen.lock().unwrap() = Some((
                partial.files("", 99),
                definitions,
                [partial.symbols("session.is_exp", 1), partial.symbols("Session.is_expired", 9)].concat(),
            ));
        }
    };
    engine.index(false, None, &PartialIndexListener { index: &partial, progress: &progress }).unwrap();
    let (files, definitions, found) = seen.into_inner().unwrap().unwrap();
    assert!(found[..2].iter().all(|symbol| symbol.name == "is_expired"), "{found:?}");
    let ranker = engine.ranker().unwrap();
    let indexed = ranker.finder().unwrap().files("", 99);
    assert_eq!(files.len(), indexed.len());
    let definitions: Vec<_> = definitions.into_iter().flatten().collect();
    assert!(definitions.len() > 20, "{}", definitions.len());
    for found in definitions {
        let symbol = ranker.relocate(&found).unwrap().unwrap();
        assert_eq!((symbol.id, symbol.span, &symbol.signature), (found.id, found.span, &found.signature));
        assert_eq!(ranker.relocate(&symbol).unwrap().as_ref(), Some(&symbol));
        // Another symbol has its node now.
        let renumbered = Symbol { node: NodeId::new(symbol.node.get() + 1), ..symbol.clone() };
        assert_eq!(ranker.relocate(&renumbered).unwrap().as_ref(), Some(&symbol));
        // The repository has got another name.
        let renamed = Symbol { id: SymbolId([7; 16]), node: NodeId::MAX, ..symbol.clone() };
        assert_eq!(ranker.relocate(&renamed).unwrap(), Some(symbol));
    }
}

#[test]
fn terminal_ui_finds_symbols_before_the_first_index() {
    let (_folder, engine) = shop();
    let live = EngineBackend::new(crate::cli::single(engine));
    assert!(live.reader().is_err() && !live.status().unwrap().usable);
    let seen = Mutex::new(Vec::new());
    live.index(&|step| {
        if step.phase == "resolve" && seen.lock().unwrap().is_empty() {
            let mut reader = live.reader().unwrap();
            for topic in [Topic::Symbols("charge".into()), Topic::Files { needle: "payment".into() }, Topic::Examples] {
                seen.lock().unwrap().push(reader.ask(&topic));
            }
            let source = live.source("shop/payment.py").unwrap();
            assert!(source.definitions.iter().any(|symbol| symbol.name == "charge"));
        }
    })
    .unwrap();
    let seen = seen.into_inner().unwrap();
    let [Ok(Response::Symbols(symbols)), Ok(Response::Files(files)), Err(reason)] = &seen[..] else {
        panic!("{seen:?}")
    };
    assert_eq!((symbols[0].name.as_str(), files[0].as_str()), ("charge", "shop/payment.py"));
    assert!(reason.contains("first index"), "{reason}");
    assert!(matches!(live.reader().unwrap().ask(&Topic::Examples), Ok(Response::Examples(_))));
}

#[test]
fn relocate_finds_moved_symbols() {
    let (folder, mut engine) = shop();
    engine.index(false, None, &|_| ()).unwrap();
    let symbols = |engine: &Engine, name: &str| {
        let ranker = engine.ranker().unwrap();
        let nodes = ranker.finder().unwrap().symbols(name, 1);
        ranker.symbols(&nodes).unwrap().remove(0)
    };
    let (charge, receipt) = (symbols(&engine, "charge"), symbols(&engine, "format_receipt"));
    assert_eq!(charge.file, receipt.file);
    let path = folder.path().join("shop").join(&charge.file);
    let text = std::fs::read_to_string(&path).unwrap().replace("def format_receipt", "def write_receipt");
    std::fs::write(&path, format!("# One\n# two\n{text}")).unwrap();
    engine.index(false, None, &|_| ()).unwrap();
    let ranker = engine.ranker().unwrap();
    let moved = ranker.relocate(&charge).unwrap().unwrap();
    assert_eq!((moved.id, moved.span.name_line), (charge.id, charge.span.name_line + 2));
    assert_eq!(ranker.relocate(&receipt).unwrap(), None);
}

#[test]
fn stale_node_is_rejected() {
    let (_folder, mut engine) = shop();
    engine.index(false, None, &|_| ()).unwrap();
    let live = EngineBackend::new(crate::cli::single(engine));
    let mut reader = live.reader().unwrap();
    let Ok(Response::Symbols(found)) = reader.ask(&Topic::Symbols("charge".into())) else { panic!("no symbol") };
    let node = Node::from(&found[0]);
    assert!(matches!(reader.ask(&Topic::Users(node)), Ok(Response::Users(users)) if !users.relations.is_empty()));
    for number in [NodeId::new(node.number.get() + 1), NodeId::MAX] {
        let stale = Node { number, ..node };
        for topic in [Topic::Users(stale), Topic::Uses(stale), Topic::Why(stale)] {
            assert!(reader.ask(&topic).unwrap_err().contains("has changed"), "{topic:?}");
        }
    }
}

#[test]
fn live_index_is_missing_then_partial_then_ready() {
    let (folder, engine) = shop();
    let live = Live::new(engine.clone());
    assert!(matches!(live.state(), LiveState::Missing));
    let seen = Mutex::new(Vec::new());
    let state = live.update(&|step: Progress| {
        if step.phase == Phase::Resolve && seen.lock().unwrap().is_empty() {
            // Another process that wants to index it meanwhile.
            seen.lock().unwrap().extend([live.state(), Live::new(engine.clone()).update(&|_| {})]);
        }
    });
    let seen = seen.into_inner().unwrap();
    let [LiveState::Partial(partial), LiveState::Busy] = &seen[..] else { panic!("{} states", seen.len()) };
    assert!(!partial.files("", 9).is_empty());
    let (LiveState::Ready(first), LiveState::Ready(same)) = (&state, live.state()) else { panic!() };
    assert!(first.is_changed && first.changed_files > 0 && *first == same);
    let LiveState::Ready(second) = live.update(&|_| {}) else { panic!() };
    assert!(!second.is_changed);

    std::fs::remove_dir_all(folder.path().join("shop")).unwrap();
    let LiveState::Failed(reason) = live.update(&|_| {}) else { panic!() };
    assert!(reason.ends_with("does not exist any more"), "{reason}");
    assert!(!folder.path().join("shop").exists());
}

#[test]
fn an_update_meanwhile_ends_with_the_first_index() {
    let (_folder, engine) = shop();
    let live = Live::new(engine);
    let (has_begun, followed) = (AtomicBool::new(false), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        let state = live.update(&|step: Progress| {
            if step.phase == Phase::Resolve && !has_begun.swap(true, Ordering::SeqCst) {
                scope.spawn(|| followed.lock().unwrap().push(live.update(&|_| {})));
                std::thread::sleep(Duration::from_millis(300));
            }
        });
        let LiveState::Ready(first) = state else { panic!() };
        assert!(first.is_changed);
    });
    let [LiveState::Ready(followed)] = &followed.into_inner().unwrap()[..] else { panic!() };
    assert!(followed.is_changed, "it is the same run");
}

#[test]
fn all_who_wait_for_a_first_index_learn_why_it_failed() {
    let (folder, engine) = shop();
    // A folder cannot be a database.
    std::fs::create_dir_all(engine.database()).unwrap();
    let live = Arc::new(Live::new(engine));
    let runs = [live.first_run().unwrap(), live.first_run().unwrap()];
    let reasons = runs.map(|run| {
        loop {
            match run.wait(Duration::from_secs(60)) {
                (_, Some(LiveState::Failed(reason))) => break reason,
                (_, Some(_)) => panic!("it was indexed"),
                (_, None) => {}
            }
        }
    });
    assert_eq!(reasons[0], reasons[1]);
    assert!(matches!(live.state(), LiveState::Failed(reason) if reason == reasons[0]));
    drop(folder);
}

/// Returns a repository that is large enough for a first look.
fn large() -> (TempDir, Engine) {
    let (folder, engine) = shop();
    let comment = "# words that no task has\n".repeat(40_000);
    (0..35).for_each(|number| fs::write(engine.root().join(format!("filler{number}.py")), &comment).unwrap());
    (folder, engine)
}

#[test]
fn a_first_look_ranks_the_files_that_a_request_points_to() {
    let (_folder, engine) = shop();
    let survey = engine.survey();
    assert!(!survey.is_large());
    let text = Request::Task("sessions expire too early".to_owned());
    let look = survey.first_look(&text).unwrap();
    assert!(look.files > 0 && look.files < look.of, "{} of {}", look.files, look.of);
    let rank = |ranker: &Ranker, request: Request| {
        let pack = ranker.pack(&Task { request, ..Task::from_text("") }, &Gcf, false, &|| false).unwrap().unwrap();
        pack.symbols.into_iter().map(|packed| packed.symbol.qualified_name).collect::<Vec<_>>()
    };
    let names = rank(&look.ranker, text);
    assert!(names[0].ends_with("is_expired"), "{names:?}");
    let database = look.ranker.reader().path().to_owned();
    drop(look);
    assert!(!database.exists(), "it is temporary");
    assert!(engine.reader().is_err(), "nothing else is written");

    let files = Request::Files(vec!["shop/payment.py".to_owned()]);
    let names = rank(&survey.first_look(&files).unwrap().ranker, files);
    assert!(names.iter().any(|name| name.contains("payment")), "{names:?}");
    let nothing = survey.first_look(&Request::Task("frobnicate".to_owned())).unwrap();
    assert!(nothing.files > 0, "without a match the last changed files are read");
}

#[test]
fn a_large_repository_is_ranked_before_its_first_index() {
    let (_folder, engine) = large();
    let workspace = crate::cli::single(engine.clone());
    let request = Request::Task("sessions expire too early".to_owned());
    let (looking, notice) = workspace.first_look(&request).unwrap().unwrap();
    assert!(notice.starts_with("from ") && notice.contains("while the first index is built"), "{notice}");
    assert!(looking.members()[0].ranker().is_some());

    let live = EngineBackend::new(workspace);
    let seen = Mutex::new(None);
    live.index(&|step| {
        let mut seen = seen.lock().unwrap();
        if step.phase == "resolve" && seen.is_none() {
            let mut reader = live.reader().unwrap();
            let pack = reader.rank(&Task::from_text("sessions expire too early"), &|| false).unwrap().unwrap();
            let why = reader.ask(&Topic::Why(Node::from(&pack.symbols[0].symbol)));
            *seen = Some((pack.symbols[0].symbol.name.clone(), why.is_ok()));
        }
    })
    .unwrap();
    assert_eq!(seen.into_inner().unwrap(), Some(("is_expired".to_owned(), true)));
    let indexed = crate::cli::single(engine);
    assert!(indexed.first_look(&request).unwrap().is_none());
}

#[test]
fn votes_are_not_available_before_the_first_index() {
    let (_folder, engine) = shop();
    let backend = EngineBackend::new(crate::cli::single(engine));
    assert_eq!(backend.feedback_writer().err().as_deref(), Some("not available until the first index is built"));
    backend.index(&|_| {}).unwrap();
    assert!(backend.feedback_writer().is_ok());
}

#[test]
fn the_first_index_that_another_process_builds_is_opened_when_it_is_there() {
    let (_folder, mut engine) = shop();
    engine.index(false, None, &|_| ()).unwrap();
    let database = engine.database().to_owned();
    let built = database.with_extension("built");
    fs::rename(&database, &built).unwrap();
    let lock = fs::File::create(knowing_indexing::store::sibling_path(&database, "lock")).unwrap();
    lock.lock().unwrap();
    let backend = EngineBackend::new(crate::cli::single(engine));
    let waited = Mutex::new(0);
    let progress = |step: knowing::tui::backend::Progress| {
        assert_eq!(step.phase, WAITING);
        assert!(!backend.status().unwrap().usable);
        let mut waited = waited.lock().unwrap();
        *waited += 1;
        if *waited == 2 {
            fs::rename(&built, &database).unwrap();
        }
    };
    let indexed = backend.index(&progress).unwrap();
    assert!(indexed.status.usable && indexed.changed && indexed.problems.is_empty(), "{indexed:?}");
    assert_eq!(*waited.lock().unwrap(), 2);
}
