//! The explorer on several repositories: one list, questions and votes to the repository of the symbol.

use std::path::Path;

use knowing::tui::WorkspaceBackend;
use knowing::tui::backend::{Backend, Reader, Recorded, RepositoryStatus, Response};
use knowing::tui::effect::{Node, Record, TextRequest, Topic};
use knowing_analysis::model::{PackedSymbol, Request, Task};
use knowing_retrieval::engine::Vote;
use knowing_retrieval::workspace::{MemberSource, Workspace};

use crate::cli::copy;

const TASK: &str = "retry sending a message to the broker when the session expires";

/// Copies two fixtures and opens them as one, indexed.
fn open(folder: &Path) -> WorkspaceBackend {
    let sources = ["shop", "relay"].map(|name| {
        let root = folder.join(name);
        copy(&Path::new("tests/fixtures").join(name), &root);
        MemberSource { database: Some(crate::cli::database(&root)), folder: root, ..MemberSource::default() }
    });
    let backend = WorkspaceBackend::new(&Workspace::open(&sources, &|engine| engine).unwrap()).unwrap();
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
        assert!(users.iter().all(|user| user.symbol.file.starts_with(label)), "{users:?}");
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
fn a_refused_question_keeps_the_ranking() {
    let folder = tempfile::tempdir().unwrap();
    let backend = open(folder.path());
    let mut reader = backend.reader().unwrap();
    let symbols = ranked(&mut *reader);
    for topic in [Topic::Bases, Topic::MuteEffect { task: Task::from_text(TASK), concept: "X".into() }] {
        assert!(matches!(reader.ask(&topic).unwrap(), Response::Refused(_)));
    }
    let first = &symbols[0].symbol;
    let Response::Why(explained) = reader.ask(&Topic::Why(Node::from(first))).unwrap() else { panic!() };
    assert_eq!(explained.why.unwrap().rank.unwrap().rank, 1);
    let files = Task { request: Request::Files(vec![first.file.clone()]), ..Task::from_text(TASK) };
    assert!(matches!(reader.ask(&Topic::Concepts { task: files }).unwrap(), Response::Concepts(_)));
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
    let backend = WorkspaceBackend::new(&Workspace::open(&sources, &|engine| engine).unwrap()).unwrap();
    backend.index(&|_| {}).unwrap();
    let mut reader = backend.reader().unwrap();
    let mut find = |name: &str| {
        let Response::Symbols(found) = reader.ask(&Topic::Symbols(name.to_owned())).unwrap() else { panic!() };
        found.into_iter().find(|symbol| symbol.name == name).unwrap()
    };
    let (parse, charge) = (find("parse_amount"), find("charge"));
    let Response::Users(users) = reader.ask(&Topic::Users(Node::from(&parse))).unwrap() else { panic!() };
    assert!(users.iter().any(|user| user.symbol.id == charge.id && user.symbol.file == "till/till.py"), "{users:?}");
    let Response::Uses(uses) = reader.ask(&Topic::Uses(Node::from(&charge))).unwrap() else { panic!() };
    assert_eq!((uses[0].symbol.id, uses[0].symbol.file.as_str()), (parse.id, "money/money/__init__.py"));
}
