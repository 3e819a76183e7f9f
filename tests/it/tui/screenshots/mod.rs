//! Screenshots: keys in, the real workers behind, SVG out.
//!
//! A test presses the keys of every scene on a small fixture; another one draws the pictures of the README (`readme`).

mod readme;
mod svg;

use std::collections::BTreeSet;
use std::mem::{Discriminant, discriminant};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use knowing::tui::EngineBackend;
use knowing::tui::action::{self, Action, Report};
use knowing::tui::effect::{Effect, Topic};
use knowing::tui::glyphs;
use knowing::tui::key::Key;
use knowing::tui::model::{Appearance, IndexState, Model};
use knowing::tui::overlay::Overlay;
use knowing::tui::theme::{Slot, Theme};
use knowing::tui::update::update;
use knowing::tui::view::view;
use knowing::tui::worker::{Workers, timer_runtime};
use knowing_retrieval::engine::Engine;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{Event as TerminalEvent, KeyEvent, KeyModifiers};
use ratatui::layout::Size;
use tokio::runtime::Runtime;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::timeout;

use crate::cli::copy;

/// The name of a scene, its keys, and a text that must then be on the screen.
type Scene = (&'static str, &'static str, &'static str);

/// Scenes before a task is typed.
const FIRST_SCENES: &[Scene] = &[("start", "", ""), ("history", "C-r", "history")];

/// Scenes from the ranked list.
const SCENES: &[Scene] = &[
    ("ranked", "", ""),
    ("source", "3", ""),
    ("why", "K", ""),
    ("why-not", "K w", "which symbol is not listed"),
    ("graph", "5", ""),
    ("canvas", "5 t", ""),
    ("comparison", "> < d", "ranking"),
    ("by-file", "z g", ""),
    ("concepts", "*", "concept"),
    ("users", "g r", "used by"),
    ("symbols", "g o s e s", "go to a symbol"),
    ("files", "g p s e s", "pick files"),
    ("filter", "/ s e s", ""),
    ("keys", "?", "keys"),
    ("commands", ":", ""),
    ("which-key", "y", ""),
    ("repositories", "g R", "built from the files"),
    ("export", "y e", ""),
];

/// Keys that vote, from the ranked list, and the scenes after them.
const VOTE_KEYS: &str = "+ j j + j -";
const FEEDBACK_SCENES: &[Scene] = &[
    ("votes", "g v", "votes and use"),
    ("messages", "g m", "messages"),
    ("learned-terms", "g v Tab", "learned terms"),
    ("trail", "Space t", "trail of this task"),
    ("note", "a", "note on"),
];

/// The history, oldest task first.
const TASKS: [&str; 3] =
    ["where are signed cookies read", "log in fails after a new password", "two requests write one session"];

/// The timeout for one report of the workers; the first index of a large repository takes longest.
const TIMEOUT: Duration = Duration::from_secs(120);

/// The explorer without a terminal.
struct Stage {
    model: Model,
    workers: Workers,
    reports: UnboundedReceiver<Report>,
    runtime: Runtime,
    /// Topics and numbers of unanswered questions.
    pending: Vec<(Discriminant<Topic>, u64)>,
    /// The number of records without a report.
    pending_records: usize,
}

impl Stage {
    fn new(root: &Path, database: Option<&Path>, appearance: Appearance, size: Size) -> Stage {
        let engine = Engine::open(root, database).unwrap();
        let (sender, reports) = unbounded_channel();
        let workers = Workers::start(Arc::new(EngineBackend::new(crate::cli::single(engine))), move |report| {
            // The stage may be dropped before its workers.
            let _disconnected = sender.send(report);
        });
        let model = Model::new(String::new(), 3_400, appearance, size);
        let (workers, runtime) = (workers.unwrap(), timer_runtime().unwrap());
        let mut stage = Stage { model, workers, reports, runtime, pending: Vec::new(), pending_records: 0 };
        while stage.model.index != IndexState::Ready {
            stage.receive();
        }
        stage
    }

    fn receive(&mut self) {
        let report = self.runtime.block_on(async { timeout(TIMEOUT, self.reports.recv()).await });
        let report = report.unwrap().unwrap();
        self.handle(report);
    }

    fn handle(&mut self, report: Report) {
        match &report {
            Report::Answered { number, .. } => self.pending.retain(|(_, waiting)| waiting != number),
            Report::Recorded { .. } => self.pending_records -= 1,
            _ => (),
        }
        self.act(Action::Report(report));
    }

    fn act(&mut self, action: Action) {
        self.act_at(action, Instant::now());
    }

    fn act_at(&mut self, action: Action, now: Instant) {
        for effect in update(&mut self.model, action, now) {
            match effect {
                Effect::Search(request) => self.workers.search(request),
                Effect::StopSearch { generation } => self.workers.stop(generation),
                Effect::Preview(request) => self.workers.preview(request),
                Effect::Ask(question) => {
                    // Only the newest question on a topic is answered.
                    let topic = discriminant(&question.topic);
                    self.pending.retain(|(waiting, _)| *waiting != topic);
                    self.pending.push((topic, question.number));
                    self.workers.ask(question);
                }
                Effect::Record(record) => {
                    self.pending_records += 1;
                    self.workers.record(record);
                }
                _ => (),
            }
        }
    }

    fn press(&mut self, keys: &str) {
        for key in Key::sequence(keys).unwrap() {
            let mut modifiers = KeyModifiers::NONE;
            modifiers.set(KeyModifiers::CONTROL, key.control);
            let event = TerminalEvent::Key(KeyEvent::new(key.code, modifiers));
            let action = action::translate(&self.model, event).unwrap();
            self.act(action);
            self.settle();
        }
    }

    /// Waits until every request has its response.
    fn settle(&mut self) {
        let is_open = |stage: &Stage| {
            let source = &stage.model.panes.source;
            // A slow build shows plain text before highlighting it.
            let is_plain = source.lines.iter().flatten().all(|(slot, _)| *slot == Slot::Text);
            let unread = source.wanted.is_some() && (source.wanted != source.shown || is_plain);
            let unread = unread && source.error.is_none();
            stage.model.search.ranking || unread || !stage.pending.is_empty() || stage.pending_records > 0
        };
        while is_open(self) || self.model.search.due.is_some() {
            if self.model.search.due.is_some() {
                self.act(Action::Tick);
            }
            if is_open(self) {
                self.receive();
            }
        }
        while let Ok(report) = self.reports.try_recv() {
            self.handle(report);
        }
    }

    fn draw(&self) -> Terminal<TestBackend> {
        let mut terminal = Terminal::new(TestBackend::new(self.model.size.width, self.model.size.height)).unwrap();
        terminal.draw(|frame| view(&self.model, frame)).unwrap();
        terminal
    }
}

fn appearance(theme: &str) -> Appearance {
    Appearance { theme: Theme::built_in(theme).unwrap(), glyphs: glyphs::UNICODE, follows_background: false }
}

/// The kinds of windows; each needs a scene.
const WINDOWS: [&str; 14] = [
    "keys",
    "palette",
    "history",
    "export",
    "concepts",
    "relations",
    "finder",
    "filter",
    "picker",
    "votes",
    "messages",
    "note",
    "repositories",
    "trail",
];

fn window(overlay: &Overlay) -> &'static str {
    let index = match overlay {
        Overlay::Keys(_) => 0,
        Overlay::Palette(_) => 1,
        Overlay::History(_) => 2,
        Overlay::Export(_) => 3,
        Overlay::Concepts(_) => 4,
        Overlay::Relations(_) => 5,
        Overlay::Finder(_) => 6,
        Overlay::Filter(_) => 7,
        Overlay::Picker(_) => 8,
        Overlay::Votes(_) => 9,
        Overlay::Messages(_) => 10,
        Overlay::Note(_) => 11,
        Overlay::Repositories(_) => 12,
        Overlay::Trail(_) => 13,
    };
    WINDOWS[index]
}

/// A theme and the sizes in which to show the scenes of a repository.
struct Tour<'tour> {
    root: &'tour Path,
    task: &'tour str,
    theme: &'tour str,
    /// Returns whether a scene is wanted at a size.
    wanted: &'tour dyn Fn(&str, u16, u16) -> bool,
    /// Receives each scene's name, size and picture.
    save: &'tour mut dyn FnMut(&str, Size, String),
    windows: BTreeSet<&'static str>,
}

impl Tour<'_> {
    /// Shows all scenes on a database, to which it writes votes.
    fn run(&mut self, database: &Path) {
        let mut stage = Stage::new(self.root, Some(database), appearance(self.theme), Size { width: 120, height: 40 });
        for task in TASKS {
            stage.model.history.add(task);
        }
        stage.settle();
        self.scenes(&mut stage, FIRST_SCENES);
        stage.act(Action::Paste(self.task.to_owned()));
        stage.settle();
        stage.press("Esc");
        assert!(stage.model.panes.pack.packed > 0, "nothing was found for {:?}", self.task);
        self.scenes(&mut stage, SCENES);
        stage.press(VOTE_KEYS);
        self.scenes(&mut stage, FEEDBACK_SCENES);
    }

    /// Shows the wanted scenes; each starts from the state of the stage, which is restored in the end.
    fn scenes(&mut self, stage: &mut Stage, scenes: &[Scene]) {
        let colors = if self.theme == "light" { svg::LIGHT } else { svg::DARK };
        let start = stage.model.clone();
        for (width, height) in [(80, 24), (120, 40), (200, 60)] {
            for (name, keys, text) in scenes.iter().filter(|(name, ..)| (self.wanted)(name, width, height)) {
                stage.model = start.clone();
                stage.act(Action::Resize(Size { width, height }));
                if !keys.is_empty() {
                    stage.press(keys);
                }
                stage.settle();
                // Some elements are drawn after a delay.
                stage.act_at(Action::Tick, Instant::now() + Duration::from_secs(2));
                self.windows.extend(stage.model.overlays.iter().map(window));
                let terminal = stage.draw();
                let screen = terminal.backend().to_string();
                assert!(screen.contains(text), "{name} at {width}x{height}:\n{screen}");
                (self.save)(name, Size { width, height }, svg::svg(terminal.backend().buffer(), colors));
            }
        }
        stage.model = start;
    }
}

pub fn project() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn every_window_has_a_scene() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("shop");
    copy(&project().join("tests/fixtures/shop"), &root);
    let mut tour = Tour {
        root: &root,
        task: "sessions expire too early for signed in visitors",
        theme: "dark",
        wanted: &|_, width, _| width == 80,
        save: &mut |name, _, picture| assert!(picture.ends_with("</svg>\n"), "{name}"),
        windows: BTreeSet::new(),
    };
    tour.run(&folder.path().join("graph.db"));
    assert_eq!(tour.windows, BTreeSet::from(WINDOWS));
}
