//! A backend with a repository of five symbols in one file.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::Duration;

use knowing::tui::backend::{
    Answer, Backend, Examples, FeedbackWriter, Indexed, Journal, Progress, Reader, Recorded, Response, Status,
};
use knowing::tui::effect::{Record, Topic};
use knowing::tui::model::export::Written;
use knowing::tui::roots::Roots;
use knowing_analysis::model::{
    Component, ContextPack, NodeId, PackedSymbol, Request, Span, Symbol, SymbolId, SymbolKind, SymbolName, Task,
};
use knowing_retrieval::engine::{Neighborhood, SourceFile, WatchTargets};

const NAMES: [&str; 5] = ["open_session", "close_session", "Session", "SessionStore", "session_key"];
/// Symbols that fit the budget.
const PACKED: usize = 3;

pub struct Fake {
    usable: AtomicBool,
}

impl Fake {
    pub fn new(first_index: bool) -> Fake {
        Fake { usable: AtomicBool::new(!first_index) }
    }
}

impl Backend for Fake {
    fn feedback_writer(&self) -> Answer<Box<dyn FeedbackWriter>> {
        Ok(Box::new(FakeFeedbackWriter))
    }

    fn roots(&self) -> Roots {
        Roots::single(std::env::current_dir().unwrap())
    }

    fn status(&self) -> Answer<Status> {
        let usable = self.usable.load(Ordering::SeqCst);
        Ok(Status {
            repository: "example.com/fake".into(),
            files: 1,
            symbols: NAMES.len(),
            usable,
            ..Status::default()
        })
    }

    fn index(&self, progress: &(dyn Fn(Progress) + Sync)) -> Answer<Indexed> {
        let changed = !self.usable.load(Ordering::SeqCst);
        if changed {
            for phase in ["scan", "parse", "store"] {
                for done in 0..=5 {
                    progress(Progress { phase, done, total: 5 });
                    sleep(Duration::from_millis(60));
                }
            }
            self.usable.store(true, Ordering::SeqCst);
        }
        Ok(Indexed { status: self.status()?, changed, ..Indexed::default() })
    }

    fn reader(&self) -> Answer<Box<dyn Reader>> {
        Ok(Box::new(FakeReader))
    }

    fn watch_targets(&self) -> Answer<WatchTargets> {
        Ok(WatchTargets::default())
    }

    fn source(&self, _file: &str) -> Answer<SourceFile> {
        let functions = NAMES.iter().map(|name| format!("fn {name}() {{\n    // body\n}}\n"));
        Ok(SourceFile { text: functions.collect(), ..SourceFile::default() })
    }
}

struct FakeReader;

struct FakeFeedbackWriter;

impl FeedbackWriter for FakeFeedbackWriter {
    fn record(&mut self, record: &Record) -> Answer<Recorded> {
        Ok(match record {
            Record::Votes { .. } => Recorded::Votes(Vec::new()),
            Record::Journal | Record::SetUndone { .. } | Record::Forget { .. } => Recorded::Journal(Journal::default()),
            Record::Vote { .. } | Record::Used { .. } | Record::Agent(_) => Recorded::Done,
        })
    }
}

impl Reader for FakeReader {
    fn ask(&mut self, topic: &Topic) -> Answer<Response> {
        match topic {
            Topic::Concepts { .. } => Ok(Response::Concepts(Vec::new())),
            Topic::Examples => {
                let tasks = vec!["where are sessions opened".into()];
                Ok(Response::Examples(Examples { tasks, is_complete: true }))
            }
            Topic::Text(_) => {
                let text = format!("GCF {}\n", NAMES.join(" "));
                Ok(Response::Text(Written { tokens: NAMES.len(), text, symbols: NAMES.len(), ..Written::default() }))
            }
            Topic::Neighborhood(_) => Ok(Response::Neighborhood(Neighborhood::default())),
            Topic::Symbols(needle) => {
                Ok(Response::Symbols(matches(needle).into_iter().map(|packed| packed.symbol).collect()))
            }
            Topic::Files { .. } => Ok(Response::Files(vec!["src/session.py".to_owned()])),
            Topic::Bases => Err("not a git repository".to_owned()),
            _ => Ok(Response::Concepts(Vec::new())),
        }
    }

    fn lexical(&mut self, task: &str, limit: usize) -> Answer<Vec<PackedSymbol>> {
        assert!(!task.contains("panic"), "the task contains `panic`");
        Ok(matches(task).into_iter().take(limit).collect())
    }

    fn rank(&mut self, task: &Task, _cancelled: &(dyn Fn() -> bool + Sync)) -> Answer<Option<ContextPack>> {
        let Request::Task(words) = &task.request else { return Err("only tasks are ranked".into()) };
        let (task, budget_tokens) = (words.as_str(), task.budget_tokens);
        assert!(!task.contains("panic"), "the task contains `panic`");
        let mut symbols = matches(task);
        let omitted = symbols.split_off(PACKED.min(symbols.len()));
        let tokens_used = symbols.iter().map(|packed| packed.tokens).sum();
        let pack =
            ContextPack { task: task.into(), symbols, omitted, budget_tokens, tokens_used, ..ContextPack::default() };
        Ok(Some(pack))
    }
}

fn matches(task: &str) -> Vec<PackedSymbol> {
    if !task.contains("session") {
        return Vec::new();
    }
    NAMES.iter().enumerate().map(|(index, name)| packed(index, name)).collect()
}

fn packed(index: usize, name: &str) -> PackedSymbol {
    let line = 1 + 3 * index as u32;
    let score = 1.0 / (1.0 + index as f64);
    PackedSymbol {
        symbol: Symbol {
            id: SymbolId::new("example.com/fake", SymbolName { unit: "", scope: "", name }, SymbolKind::Function, 0),
            node: NodeId::from_index(index),
            kind: SymbolKind::Function,
            name: name.into(),
            scope: String::new(),
            qualified_name: format!("example.com/fake://src/session.rs.{name}"),
            file: "src/session.rs".into(),
            signature: format!("fn {name}()"),
            doc: String::new(),
            span: Span { start_byte: 0, end_byte: 0, start_line: line, end_line: line + 2, name_line: line },
            is_test: false,
            ordinal: 0,
        },
        score,
        components: vec![Component { name: "lexical", value: score, contribution: score }],
        distance: 0,
        provenance: "lexical",
        tokens: 150,
        body: None,
        reason: None,
    }
}
