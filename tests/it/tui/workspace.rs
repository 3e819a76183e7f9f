//! The explorer on several repositories: one list, questions and votes to the repository of the symbol.

use std::path::Path;

use knowing::tui::EngineBackend;
use knowing::tui::backend::{Backend, Reader, Recorded, RepositoryStatus, Response};
use knowing::tui::effect::{Node, Record, TextRequest, Topic};
use knowing_analysis::model::{PackedSymbol, Question, Request, Task};
use knowing_retrieval::engine::Vote;
use knowing_retrieval::render::question;
use knowing_retrieval::workspace::{MemberSource, Workspace};

use crate::cli::copy;

const TASK: &str = "retry sending a message to the broker when the session expires";

/// Copies two fixtures and opens them as one, indexed.
fn open(folder: &Path) -> EngineBackend {
    let sources = ["shop", "relay"].map(|name| {
        let root = folder.join(name);
        copy(&Path::new("tests/fixtures").join(name), &root);
        MemberSource { database: Some(crate::cli::database(&root)), folder: root, ..MemberSource::default() }
    });
    let backend = EngineBackend::new(Workspace::open(&sources, &|engine| engine).unwrap());
    assert!(!backend.status().unwrap().usable);
    let indexed = backend.index(&|_| {}).unwrap();
    assert!(indexed.changed && indexed.status.usable && backend.status().unwrap().usable);
    assert_eq!(indexed.status.repository, "shop + relay");
    backend
}

fn ranked(reader: &mut dyn Reader) -> Vec<PackedSymbol> {
    reader.rank(&Task::from_text(TASK), &|| false).unwrap().unwrap().symbols
}

fn first_of<'a>(symbols: &'a [PackedSymbol], label: &str) -> &'a PackedSymbol {
    symbols.iter().find(|packed| packed.symbol.file.starts_with(&format!("{label}/"))).unwrap()
}

#[test]
fn list_has_symbols_of_all_repositories_and_questions_reach_the_right_one() {
    let folder = tempfile::tempdir().unwrap();
    let backend = open(folder.path());
    let mut reader = backend.reader().unwrap();
    let symbols = ranked(&mut *reader);
    for label in ["shop", "relay"] {
        let packed = first_of(&symbols, label);
        let symbol = &packed.symbol;
        let node = Node::from(symbol);
        let Response::Why(explained) = reader.ask(&Topic::Why(node)).unwrap() else { panic!() };
        assert_eq!((explained.symbol.id, &explained.symbol.file), (symbol.id, &symbol.file));
        let score = explained.why.unwrap().rank.unwrap();
        let position = symbols.iter().position(|other| other.symbol.id == symbol.id).unwrap() + 1;
        assert_eq!((score.rank, score.score.to_bits()), (position, packed.score.to_bits()));
        let sum: f64 = score.components.iter().map(|component| component.contribution).sum();
        assert!((sum - score.score).abs() < 1e-9);
        let Response::Users(users) = reader.ask(&Topic::Users(node)).unwrap() else { panic!() };
        assert!(users.relations.iter().all(|user| user.symbol.file.starts_with(label)), "{users:?}");
        let body = Topic::Text(TextRequest::Body { symbol: symbol.clone() });
        let Response::Text(body) = reader.ask(&body).unwrap() else { panic!() };
        assert!(body.text.contains(&symbol.name), "{body:?}");
        let Response::Relocated(found) = reader.ask(&Topic::Relocate(vec![symbol.clone()])).unwrap() else { panic!() };
        assert_eq!(found, [Some(symbol.clone())]);
        let source = backend.source(&symbol.file).unwrap();
        assert!(
            source.definitions.iter().any(|definition| definition.id == symbol.id && definition.file == symbol.file)
        );
        assert!(backend.roots().path(&symbol.file).unwrap().is_file());
    }
    let error = backend.source("cart.py").unwrap_err();
    assert_eq!(error, "cart.py is in no repository");
}

#[test]
fn an_index_that_another_process_has_updated_is_another_one() {
    let folder = tempfile::tempdir().unwrap();
    let backend = open(folder.path());
    let is_changed = || backend.index(&|_| {}).unwrap().changed;
    ranked(&mut *backend.reader().unwrap());
    assert!(!is_changed());
    let file = folder.path().join("shop/shop/cart.py");
    std::fs::write(&file, format!("# moved\n{}", std::fs::read_to_string(&file).unwrap())).unwrap();
    crate::cli::open(&folder.path().join("shop"))
        .index(false, None, &|_: knowing_retrieval::engine::Progress| {})
        .unwrap();
    assert!(is_changed(), "the list is of the index before");
    ranked(&mut *backend.reader().unwrap());
    assert!(!is_changed());
}

#[test]
fn vote_is_in_the_journal_of_its_repository_and_can_be_undone() {
    let folder = tempfile::tempdir().unwrap();
    let backend = open(folder.path());
    let mut reader = backend.reader().unwrap();
    let symbols = ranked(&mut *reader);
    let symbol = first_of(&symbols, "relay").symbol.clone();
    let mut writer = backend.feedback_writer().unwrap();
    let vote = Record::Vote {
        task: TASK.to_owned(),
        symbol: Box::new(symbol.clone()),
        before: Vote::Clear,
        after: Vote::Useful,
    };
    writer.record(&vote).unwrap();
    let events = |name: &str| {
        let engine = crate::cli::open(&folder.path().join(name));
        engine.feedback_recorder(None).unwrap().events().unwrap().len()
    };
    assert_eq!((events("shop"), events("relay")), (0, 1));
    let votes = writer.record(&Record::Votes { task: TASK.to_owned() }).unwrap();
    assert!(matches!(votes, Recorded::Votes(votes) if votes == [(symbol.id, Vote::Useful)]));
    let Recorded::Journal(journal) = writer.record(&Record::Journal).unwrap() else { panic!() };
    let entry = journal.events[0].id;
    let Recorded::Journal(journal) = writer.record(&Record::SetUndone { entry, undone: true }).unwrap() else {
        panic!()
    };
    assert!(journal.events[0].undone);
}

#[test]
fn repositories_have_their_shares_of_the_answer() {
    let folder = tempfile::tempdir().unwrap();
    let backend = open(folder.path());
    let mut reader = backend.reader().unwrap();
    let symbols = ranked(&mut *reader);
    let Response::Repositories(rows) = reader.ask(&Topic::Repositories).unwrap() else { panic!() };
    assert_eq!(rows.iter().map(|row| row.label.as_str()).collect::<Vec<_>>(), ["shop", "relay"]);
    let sum = |value: fn(&RepositoryStatus) -> usize| rows.iter().map(value).sum::<usize>();
    assert_eq!(sum(|row| row.packed), symbols.len());
    assert_eq!(sum(|row| row.tokens), symbols.iter().map(|packed| packed.tokens).sum::<usize>());
    assert!((99..=101).contains(&sum(|row| usize::from(row.probability))));
    assert!(rows.iter().all(|row| row.changed.is_some() && row.began_from.is_none()));
}

#[test]
fn what_also_changes_is_of_all_repositories_and_has_their_labels() {
    let folder = tempfile::tempdir().unwrap();
    let backend = open(folder.path());
    let mut reader = backend.reader().unwrap();
    let symbols = ranked(&mut *reader);
    let task = Task::from_text(TASK);
    let small = Task { budget_tokens: 400, ..task.clone() };
    let packed = reader.rank(&small, &|| false).unwrap().unwrap().symbols;
    let Response::Beside(beside) = reader.ask(&Topic::Beside { task: small }).unwrap() else { panic!() };
    let also = beside.also;
    assert!((1..=8).contains(&also.len()), "{also:?}");
    for one in &also {
        assert!(!one.reason.is_empty() && packed.iter().all(|packed| packed.symbol.id != one.symbol.id), "{one:?}");
        assert!(one.symbol.file.starts_with("shop/") || one.symbol.file.starts_with("relay/"), "{one:?}");
    }
    let files = Task { request: Request::Files(vec![symbols[0].symbol.file.clone()]), ..task };
    assert!(matches!(reader.ask(&Topic::Concepts { task: files }).unwrap(), Response::Concepts(_)));
}

#[test]
fn sections_of_documents_are_of_all_repositories_and_their_lines_are_copied() {
    let folder = tempfile::tempdir().unwrap();
    let sources = ["shop", "relay"].map(|name| {
        let root = folder.path().join(name);
        copy(&Path::new("tests/fixtures").join(name), &root);
        let text = format!(
            "# About {name}\n\nIntroduction.\n\n## Refund vouchers\n\nA voucher of {name} is refunded at night.\n"
        );
        std::fs::write(root.join("README.md"), text).unwrap();
        MemberSource { database: Some(crate::cli::database(&root)), folder: root, ..MemberSource::default() }
    });
    let backend = EngineBackend::new(Workspace::open(&sources, &|engine| engine).unwrap());
    backend.index(&|_| {}).unwrap();
    let mut reader = backend.reader().unwrap();
    let task = Task::from_text("when is a voucher refunded?");
    reader.rank(&task, &|| false).unwrap().unwrap();
    let Response::Beside(beside) = reader.ask(&Topic::Beside { task }).unwrap() else { panic!() };
    let mut places: Vec<(&str, u32)> =
        beside.documents.iter().map(|one| (&*one.symbol.file, one.symbol.span.name_line)).collect();
    places.sort_unstable();
    assert_eq!(places, [("relay/README.md", 5), ("shop/README.md", 5)]);
    let section = beside.documents[0].symbol.clone();
    assert_eq!(backend.source(&section.file).unwrap().definitions, []);
    let body = Topic::Text(TextRequest::Body { symbol: section });
    let Response::Text(body) = reader.ask(&body).unwrap() else { panic!() };
    assert!(body.text.starts_with("## Refund vouchers\n\nA voucher of "), "{body:?}");
}

#[test]
fn revisions_are_those_of_all_repositories_and_changes_have_labels() {
    let folder = tempfile::tempdir().unwrap();
    let names = ["shop", "relay"];
    for name in names {
        let root = folder.path().join(name);
        copy(&Path::new("tests/fixtures").join(name), &root);
        crate::state::git(&root, &["init", "-q", "-b", "main"]);
        crate::state::git(&root, &["add", "."]);
        crate::state::git(&root, &["commit", "-q", "-m", &format!("add {name}")]);
        crate::state::git(&root, &["branch", name]);
    }
    let sources = names.map(|name| {
        let root = folder.path().join(name);
        MemberSource { database: Some(crate::cli::database(&root)), folder: root, ..MemberSource::default() }
    });
    let backend = EngineBackend::new(Workspace::open(&sources, &|engine| engine).unwrap());
    backend.index(&|_| {}).unwrap();
    let mut reader = backend.reader().unwrap();
    let Response::Bases(bases) = reader.ask(&Topic::Bases).unwrap() else { panic!() };
    let base = |name: &str| bases.iter().find(|base| base.name == name).map(|base| base.subject.as_str());
    assert_eq!(base("main"), Some("shop: add shop; relay: add relay"));
    assert_eq!((base("shop"), base("relay")), (Some("shop: add shop"), Some("relay: add relay")));

    let mut changed: Vec<String> = Vec::new();
    for name in names {
        let Response::Files(files) = reader.ask(&Topic::Files { needle: String::new() }).unwrap() else { panic!() };
        let file = files.iter().find(|file| file.starts_with(&format!("{name}/")));
        let path = backend.roots().path(file.unwrap()).unwrap();
        std::fs::write(&path, format!("# changed\n{}", std::fs::read_to_string(&path).unwrap())).unwrap();
        changed.extend(file.cloned());
    }
    changed.sort();
    let Response::Changes(changes) = reader.ask(&Topic::Changes { base: "main".into() }).unwrap() else { panic!() };
    assert_eq!(changes.files.keys().cloned().collect::<Vec<_>>(), changed);
    let Response::Changes(changes) = reader.ask(&Topic::Changes { base: "relay".into() }).unwrap() else { panic!() };
    assert!(!changes.files.is_empty() && changes.files.keys().all(|file| file.starts_with("relay/")));
    assert!(reader.ask(&Topic::Changes { base: "no-such-branch".into() }).is_err());
}

#[test]
fn names_of_all_repositories_are_found_before_the_first_index() {
    let folder = tempfile::tempdir().unwrap();
    let backend = open(folder.path());
    std::fs::remove_file(crate::cli::database(&folder.path().join("relay"))).unwrap();
    let seen = std::sync::Mutex::new(None);
    backend
        .index(&|step| {
            if step.phase == "resolve" && seen.lock().unwrap().is_none() {
                let mut reader = backend.reader().unwrap();
                let files = reader.ask(&Topic::Files { needle: String::new() });
                *seen.lock().unwrap() = Some((files, reader.ask(&Topic::Examples)));
            }
        })
        .unwrap();
    let Some((Ok(Response::Files(files)), Err(reason))) = seen.into_inner().unwrap() else { panic!() };
    assert!(["shop/", "relay/"].iter().all(|label| files.iter().any(|file| file.starts_with(label))), "{files:?}");
    assert!(reason.contains("first index"), "{reason}");
}

#[test]
fn requests_of_agents_in_all_repositories_are_followed() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(open(folder.path()).exchanges().len(), 2);
}

#[test]
fn a_deleted_repository_is_reported_and_not_made_anew() {
    let folder = tempfile::tempdir().unwrap();
    let backend = open(folder.path());
    let gone = folder.path().join("shop");
    std::fs::remove_dir_all(&gone).unwrap();
    let indexed = backend.index(&|_| {}).unwrap();
    let [problem] = &indexed.problems[..] else { panic!("{:?}", indexed.problems) };
    assert!(problem.starts_with("shop is left out: ") && problem.ends_with("does not exist any more"), "{problem}");
    assert_eq!(indexed.status.gone.as_deref(), Some("gone: shop"));
    assert!(!gone.exists());
}

#[test]
fn repository_without_an_index_is_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let backend = open(folder.path());
    std::fs::write(crate::cli::database(&folder.path().join("shop")), "no database").unwrap();
    let mut reader = backend.reader().unwrap();
    assert!(ranked(&mut *reader).iter().all(|packed| packed.symbol.file.starts_with("relay/")));
    std::fs::write(crate::cli::database(&folder.path().join("relay")), "no database").unwrap();
    let error = backend.reader().err().unwrap();
    assert!(error.starts_with("shop: ") && error.contains("relay: "), "{error}");
}

#[test]
fn users_in_other_repositories_are_listed() {
    let folder = tempfile::tempdir().unwrap();
    let files = [
        ("money/pyproject.toml", "[project]\nname = \"money\"\nversion = \"1\"\n"),
        ("money/money/__init__.py", "def parse_amount(text):\n    return int(text)\n"),
        ("till/pyproject.toml", "[project]\nname = \"till\"\nversion = \"1\"\ndependencies = [\"money\"]\n"),
        ("till/till.py", "from money import parse_amount\n\n\ndef charge(text):\n    return parse_amount(text)\n"),
    ];
    for (path, text) in files {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let sources = ["money", "till"].map(|name| {
        let root = folder.path().join(name);
        MemberSource { database: Some(crate::cli::database(&root)), folder: root, ..MemberSource::default() }
    });
    let backend = EngineBackend::new(Workspace::open(&sources, &|engine| engine).unwrap());
    backend.index(&|_| {}).unwrap();
    let mut reader = backend.reader().unwrap();
    let mut find = |name: &str| {
        let Response::Symbols(found) = reader.ask(&Topic::Symbols(name.to_owned())).unwrap() else { panic!() };
        found.into_iter().find(|symbol| symbol.name == name).unwrap()
    };
    let (parse, charge) = (find("parse_amount"), find("charge"));
    let Response::Users(users) = reader.ask(&Topic::Users(Node::from(&parse))).unwrap() else { panic!() };
    assert!(
        users.relations.iter().any(|user| user.symbol.id == charge.id && user.symbol.file == "till/till.py"),
        "{users:?}"
    );
    let Response::Uses(uses) = reader.ask(&Topic::Uses(Node::from(&charge))).unwrap() else { panic!() };
    assert_eq!((uses[0].symbol.id, uses[0].symbol.file.as_str()), (parse.id, "money/money/__init__.py"));
}

#[test]
fn users_are_those_of_the_question_about_callers_with_its_caveats() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("stores");
    let store = "class Store:\n    def save(self):\n        raise NotImplementedError\n\n\nclass FileStore(Store):\n    \
                 def save(self):\n        pass\n\n\ndef run(store: Store):\n    store.save()\n\n\ndef lonely():\n    pass\n";
    std::fs::create_dir_all(&root).unwrap();
    std::fs::write(root.join("stores.py"), store).unwrap();
    std::fs::write(root.join("tasks.unknown"), "run lonely\n").unwrap();
    let database = Some(crate::cli::database(&root));
    let sources = [MemberSource { database, folder: root, ..MemberSource::default() }];
    let backend = EngineBackend::new(Workspace::open(&sources, &|engine| engine).unwrap());
    backend.index(&|_| {}).unwrap();
    let mut reader = backend.reader().unwrap();
    let mut workspace = Workspace::open(&sources, &|engine| engine).unwrap();
    workspace.load();
    for (name, expected) in [("FileStore.save", vec![("run", true)]), ("lonely", Vec::new())] {
        let question = Question::Callers { of: name.to_owned(), depth: 1 };
        let answer = workspace.questions().unwrap().ask(&question, 9).unwrap();
        let node = Node::from(&answer.subjects[0]);
        let Response::Users(users) = reader.ask(&Topic::Users(node)).unwrap() else { panic!() };
        let rows: Vec<_> = users.relations.iter().map(|user| (user.symbol.name.as_str(), user.may_run)).collect();
        assert_eq!(rows, expected, "{name}");
        assert_eq!(rows.len(), answer.rows.len(), "{name}");
        let caveats = question::mentions(&answer).into_iter().chain(answer.notes);
        assert_eq!(users.caveats, caveats.collect::<Vec<_>>(), "{name}");
        assert!(!users.caveats.is_empty(), "{name}");
    }
}
