//! Captures of the explorer on a real repository: keys in, the real workers behind, pictures out.
//!
//! With `KNOWING_CAPTURES=REPOSITORY:TASK` the test writes `assets/*.svg` from that repository; without, it walks through
//! the same scenes on a small fixture, so that no scene goes stale, and compares nothing with the clock.

mod svg;

use std::collections::BTreeSet;
use std::mem::{Discriminant, discriminant};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{Event as TerminalEvent, KeyEvent, KeyModifiers};
use ratatui::layout::Size;

use super::action::{self, Action, Report};
use super::effect::{Effect, Topic};
use super::glyphs;
use super::key::Key;
use super::live::Live;
use super::model::{Model, Appearance};
use super::overlay::Overlay;
use super::theme::{Slot, Theme};
use super::update::update;
use super::view::view;
use super::worker::Workers;
use crate::engine::Engine;

/// Name of a scene, the keys that lead to it, and words that must then be on the screen.
type Scene = (&'static str, &'static str, &'static str);

/// What a user sees who has not said anything yet.
const FIRST_SCENES: &[Scene] = &[("start", "", "Say what you want to do"), ("history", "C-r", "tasks of before")];

/// From the ranked list.
const SCENES: &[Scene] = &[
    ("pack", "", ""),
    ("source", "3", ""),
    ("why", "K", ""),
    ("compare", "K c", "compare with which"),
    ("why-not", "K w", "why is it not"),
    ("graph", "5", ""),
    ("canvas", "5 t", ""),
    ("runs", "> < 6 d", ""),
    ("cost", "7", ""),
    ("classes", "*", "class"),
    ("users", "g r", "what uses"),
    ("symbols", "g o s e s", "go to a symbol"),
    ("files", "g p s e s", "changed files"),
    ("filter", "/ s e s", ""),
    ("keys", "?", "keys"),
    ("commands", ":", ""),
    ("which-key", "y", ""),
    ("export", "y e", ""),
];

/// What teaches, from the ranked list, and the scenes after it.
const LESSON: &str = "+ j j + j -";
const TAUGHT_SCENES: &[Scene] = &[("votes", "g v", "votes and use"), ("words", "g v Tab", "learned words")];

/// Tasks of before, oldest first.
const TASKS: [&str; 3] =
    ["where are signed cookies read", "log in fails after a new password", "two requests write one session"];

const SIZES: [(u16, u16); 3] = [(80, 24), (120, 40), (200, 60)];

/// How long the workers may take for one answer; the first index of a large repository is the longest.
const PATIENCE: Duration = Duration::from_secs(120);

/// The explorer without a terminal.
struct Stage {
    model: Model,
    workers: Workers,
    reports: Receiver<Report>,
    /// Numbers of questions without an answer yet.
    waiting: Vec<(Discriminant<Topic>, u64)>,
    /// Records that are not yet written or read.
    recording: usize,
}

impl Stage {
    fn new(root: &Path, database: Option<&Path>, appearance: Appearance, size: Size) -> Stage {
        let engine = Engine::open(root, database).unwrap();
        let (sender, reports) = channel();
        let workers = Workers::start(Arc::new(Live::new(engine)), move |report| {
            // The stage may be gone before its workers.
            let _gone = sender.send(report);
        });
        let model = Model::new(String::new(), 3_400, appearance, size);
        let mut stage = Stage { model, workers: workers.unwrap(), reports, waiting: Vec::new(), recording: 0 };
        while stage.model.index != super::model::IndexState::Ready {
            stage.report();
        }
        stage
    }

    fn report(&mut self) {
        let report = self.reports.recv_timeout(PATIENCE).unwrap();
        self.hear(report);
    }

    fn hear(&mut self, report: Report) {
        match &report {
            Report::Found { number, .. } => self.waiting.retain(|(_, waiting)| waiting != number),
            Report::Recorded { .. } => self.recording -= 1,
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
                    // Of one topic only the newest question is answered.
                    let topic = discriminant(&question.topic);
                    self.waiting.retain(|(waiting, _)| *waiting != topic);
                    self.waiting.push((topic, question.number));
                    self.workers.ask(question);
                }
                Effect::Record(record) => {
                    self.recording += 1;
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

    /// Waits until everything that was asked is answered.
    fn settle(&mut self) {
        let is_open = |stage: &Stage| {
            let source = &stage.model.source;
            // A slow build shows plain text before the colors.
            let is_plain = source.lines.iter().flatten().all(|(slot, _)| *slot == Slot::Text);
            let unread = source.wanted.is_some() && (source.wanted != source.shown || is_plain);
            let unread = unread && source.trouble.is_none();
            stage.model.search.ranking || unread || !stage.waiting.is_empty() || stage.recording > 0
        };
        while is_open(self) || self.model.search.due.is_some() {
            if self.model.search.due.is_some() {
                self.act(Action::Tick);
            }
            if is_open(self) {
                self.report();
            }
        }
        while let Ok(report) = self.reports.try_recv() {
            self.hear(report);
        }
    }

    fn draw(&self) -> Terminal<TestBackend> {
        let mut terminal = Terminal::new(TestBackend::new(self.model.size.width, self.model.size.height)).unwrap();
        terminal.draw(|frame| view(&self.model, frame)).unwrap();
        terminal
    }
}

fn appearance(theme: &str) -> Appearance {
    Appearance { theme: Theme::built_in(theme).unwrap(), glyphs: glyphs::UNICODE }
}

/// Names of the windows; with a new one comes a scene that shows it.
const WINDOWS: [&str; 10] =
    ["keys", "palette", "history", "export", "classes", "relations", "finder", "filter", "picker", "votes"];

fn window(overlay: &Overlay) -> &'static str {
    let place = match overlay {
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
    };
    WINDOWS[place]
}

/// A walk through all scenes.
struct Walk<'walk> {
    root: &'walk Path,
    task: &'walk str,
    sizes: &'walk [(u16, u16)],
    /// Gets each scene's name and picture.
    take: &'walk mut dyn FnMut(String, String),
    windows: BTreeSet<&'static str>,
}

impl Walk<'_> {
    /// In one theme, on a database that the lesson may write to.
    fn go(&mut self, database: &Path, theme: &str, ground: svg::Ground) {
        let mut stage = Stage::new(self.root, Some(database), appearance(theme), Size { width: 120, height: 40 });
        for task in TASKS {
            stage.model.history.add(task);
        }
        stage.settle();
        self.scenes(&mut stage, FIRST_SCENES, (theme, ground));
        stage.act(Action::Paste(self.task.to_owned()));
        stage.settle();
        stage.press("Esc");
        assert!(stage.model.pack.packed > 0, "nothing was found for {:?}", self.task);
        self.scenes(&mut stage, SCENES, (theme, ground));
        stage.press(LESSON);
        self.scenes(&mut stage, TAUGHT_SCENES, (theme, ground));
    }

    /// Each scene at each size, from where the stage stands and stands again in the end.
    fn scenes(&mut self, stage: &mut Stage, scenes: &[Scene], (theme, ground): (&str, svg::Ground)) {
        let start = stage.model.clone();
        for &(width, height) in self.sizes {
            for (name, keys, word) in scenes {
                stage.model = start.clone();
                stage.act(Action::Resize(Size { width, height }));
                if !keys.is_empty() {
                    stage.press(keys);
                }
                stage.settle();
                // What appears only after a while has appeared by then.
                stage.act_at(Action::Tick, Instant::now() + Duration::from_secs(2));
                self.windows.extend(stage.model.overlays.iter().map(window));
                let terminal = stage.draw();
                let screen = terminal.backend().to_string();
                assert!(screen.contains(word), "{name} at {width}x{height}:\n{screen}");
                (self.take)(format!("{name}-{width}x{height}-{theme}"), svg::svg(terminal.backend().buffer(), ground));
            }
        }
        stage.model = start;
    }
}

/// Walks through all scenes in both themes; without a database to begin with, one is made anew for each.
fn walk(root: &Path, kept: Option<&Path>, task: &str, sizes: &[(u16, u16)], take: &mut dyn FnMut(String, String)) {
    let folder = tempfile::tempdir().unwrap();
    let mut walk = Walk { root, task, sizes, take, windows: BTreeSet::new() };
    for (theme, ground) in [("dark", svg::DARK), ("light", svg::LIGHT)] {
        let database = folder.path().join(format!("{theme}.db"));
        if let Some(kept) = kept {
            std::fs::copy(kept, &database).unwrap();
        }
        walk.go(&database, theme, ground);
    }
    assert_eq!(walk.windows, BTreeSet::from(WINDOWS), "each window has its scene");
}

fn project() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn every_scene_can_be_walked_to_and_captured() {
    let asked = std::env::var("KNOWING_CAPTURES").ok();
    match asked.as_deref().map(|asked| asked.split_once(':').expect("REPOSITORY:TASK")) {
        Some((root, task)) => {
            let assets = project().join("assets");
            std::fs::create_dir_all(&assets).unwrap();
            // It stays, so that the next captures need no first index.
            let kept = std::env::temp_dir().join("knowing-captures.db");
            drop(Stage::new(Path::new(root), Some(&kept), appearance("dark"), Size { width: 120, height: 40 }));
            walk(Path::new(root), Some(&kept), task, &SIZES, &mut |name, picture| {
                std::fs::write(assets.join(format!("{name}.svg")), picture).unwrap();
            });
        }
        None => {
            let folder = tempfile::tempdir().unwrap();
            let root = folder.path().join("shop");
            copy(&project().join("tests/fixtures/shop"), &root);
            let task = "sessions expire too early for signed in visitors";
            let mut captured = Vec::new();
            walk(&root, None, task, &SIZES[..1], &mut |name, picture| {
                assert!(picture.ends_with("</svg>\n"), "{name}");
                captured.push(name);
            });
            assert_eq!(captured.len(), 2 * scenes().count());
        }
    }
}

fn scenes() -> impl Iterator<Item = &'static str> {
    [FIRST_SCENES, SCENES, TAUGHT_SCENES].concat().into_iter().map(|(name, ..)| name)
}

/// No picture among the assets is that of a scene which is no more.
#[test]
fn the_assets_are_those_of_scenes() {
    let names: Vec<&str> = scenes().collect();
    let Ok(entries) = std::fs::read_dir(project().join("assets")) else { return };
    for entry in entries {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let known = |scene: &&str| name.strip_prefix(*scene).is_some_and(|rest| rest.starts_with('-'));
        assert!(names.iter().any(known), "{name}");
    }
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}
