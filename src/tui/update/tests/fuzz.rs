//! Random events and early or late answers: the invariants of the model hold, and drawing does not panic.
//!
//! `KNOWING_FUZZ` sets the number of events. Runs are deterministic.

mod answers;
mod random;
mod invariants;

use std::collections::VecDeque;

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{KeyEventKind, KeyEventState, MouseButton, MouseEvent, MouseEventKind};

use super::*;
use crate::engine::FileChanges;
use crate::tui::command::Context;
use crate::tui::view;
use answers::World;
use random::Random;

/// Default number of events.
const EVENTS: usize = 5_000;
/// Events that a failure prints.
const MAX_LOG: usize = 40;
/// Requests without an answer; older ones are never answered.
const MAX_WAITING: usize = 40;

#[test]
fn random_events_keep_the_model_consistent() {
    let events = std::env::var("KNOWING_FUZZ").ok().map_or(EVENTS, |number| number.parse().unwrap());
    let mut fuzz = Fuzz::new(0x5eed);
    for _ in 0..events {
        fuzz.event();
    }
    assert!(fuzz.drawn > 0 && fuzz.answered > events / 100, "{} drawn, {} answered", fuzz.drawn, fuzz.answered);
    println!("{events} events, {} answers, {} screens", fuzz.answered, fuzz.drawn);
}

/// The explorer under random events.
struct Fuzz {
    harness: Harness,
    random: Random,
    world: World,
    /// Requests to the workers.
    waiting: VecDeque<Effect>,
    log: VecDeque<String>,
    drawn: usize,
    answered: usize,
}

impl Drop for Fuzz {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("the last events, the failing one last:");
            for event in &self.log {
                eprintln!("  {event}");
            }
        }
    }
}

impl Fuzz {
    fn new(seed: u64) -> Fuzz {
        let mut harness = Harness::new();
        harness.model.index = IndexState::Opening;
        Fuzz {
            harness,
            random: Random::new(seed),
            world: World::new(),
            waiting: VecDeque::new(),
            log: VecDeque::new(),
            drawn: 0,
            answered: 0,
        }
    }

    fn event(&mut self) {
        match self.random.below(100) {
            0..42 => self.known_keys(),
            42..55 => self.any_key(),
            55..58 => self.paste(),
            58..61 => self.resize(),
            61..66 => self.mouse(),
            66..73 => self.wait(),
            73..97 => self.answer(),
            _ => self.unsolicited(),
        }
        if self.random.chance(25) {
            self.draw();
        }
    }

    /// Presses keys that are bound here, or in some context.
    fn known_keys(&mut self) {
        let here = action::contexts(&self.harness.model);
        let context = if self.random.chance(4) { *self.random.pick(&Context::all()) } else { *self.random.pick(&here) };
        let bindings = self.harness.model.keymap.bindings(context);
        if bindings.is_empty() {
            return;
        }
        for key in self.random.pick(&bindings).keys.clone() {
            self.press(key);
        }
    }

    fn any_key(&mut self) {
        const CODES: &[KeyCode] = &[
            KeyCode::Char('s'),
            KeyCode::Char('e'),
            KeyCode::Char('漢'),
            KeyCode::Char('\u{301}'),
            KeyCode::Char('\u{202e}'),
            KeyCode::Char(' '),
            KeyCode::Enter,
            KeyCode::Esc,
            KeyCode::Tab,
            KeyCode::Backspace,
            KeyCode::Null,
            KeyCode::Insert,
            KeyCode::F(13),
            KeyCode::CapsLock,
        ];
        let code = match self.random.chance(2) {
            true => KeyCode::Char(char::from(b'!' + self.random.below(94) as u8)),
            false => *self.random.pick(CODES),
        };
        let (control, alt) = (self.random.chance(8), self.random.chance(8));
        self.press(Key { code, control, alt });
    }

    fn press(&mut self, key: Key) {
        let mut modifiers = KeyModifiers::NONE;
        modifiers.set(KeyModifiers::CONTROL, key.control);
        modifiers.set(KeyModifiers::ALT, key.alt);
        let kind = if self.random.chance(50) { KeyEventKind::Repeat } else { KeyEventKind::Press };
        self.terminal(TerminalEvent::Key(KeyEvent { code: key.code, modifiers, kind, state: KeyEventState::NONE }));
    }

    fn paste(&mut self) {
        const PIECES: &[&str] =
            &["session", " ", "\r\n", "漢字", "e\u{301}", "\u{1b}[31m", "\0", "🙂", "\u{202e}", "\t"];
        let pieces = if self.random.chance(60) { 10_000 } else { self.random.below(12) };
        let text: String = (0..pieces).map(|_| *self.random.pick(PIECES)).collect();
        self.terminal(TerminalEvent::Paste(text));
    }

    fn resize(&mut self) {
        const SIZES: &[(u16, u16)] = &[(0, 0), (1, 1), (3, 2), (40, 10), (80, 24), (120, 40), (200, 60), (300, 100)];
        let (width, height) = match self.random.chance(2) {
            true => *self.random.pick(SIZES),
            false => (self.random.below(301) as u16, self.random.below(101) as u16),
        };
        self.terminal(TerminalEvent::Resize(width, height));
    }

    fn mouse(&mut self) {
        const KINDS: &[MouseEventKind] = &[
            MouseEventKind::Down(MouseButton::Left),
            MouseEventKind::Down(MouseButton::Left),
            MouseEventKind::Down(MouseButton::Right),
            MouseEventKind::Up(MouseButton::Left),
            MouseEventKind::ScrollDown,
            MouseEventKind::ScrollUp,
            MouseEventKind::Moved,
        ];
        let size = self.harness.model.size;
        // Some clicks are outside, as after a resize.
        let (column, row) = (self.random.below(size.width as usize + 3), self.random.below(size.height as usize + 3));
        let kind = *self.random.pick(KINDS);
        let mouse = MouseEvent { kind, column: column as u16, row: row as u16, modifiers: KeyModifiers::NONE };
        self.terminal(TerminalEvent::Mouse(mouse));
    }

    fn wait(&mut self) {
        self.harness.now += Duration::from_millis(self.random.below(600) as u64);
        self.act(Action::Tick);
    }

    /// Answers the newest or an older request, with a result or an error, sometimes twice.
    fn answer(&mut self) {
        if self.waiting.is_empty() {
            return;
        }
        let newest = self.waiting.len() - 1;
        let index = if self.random.chance(2) { newest } else { self.random.below(self.waiting.len()) };
        let asked = self.waiting[index].clone();
        if !self.random.chance(10) {
            self.waiting.remove(index);
        }
        let Some(action) = self.world.answer(&asked, &mut self.random) else { return };
        self.answered += 1;
        let model = &self.harness.model;
        let late = match &asked {
            Effect::Search(request) => request.generation != model.search.generation,
            _ => false,
        };
        let before = late.then(|| invariants::list(model));
        self.act(action);
        if let Some(before) = before {
            assert_eq!(before, invariants::list(&self.harness.model), "a late answer changed the list");
        }
    }

    /// Sends a report that is not an answer.
    fn unsolicited(&mut self) {
        let action = match self.random.below(9) {
            0 => Report::Status(self.world.status(&mut self.random)),
            1 => Report::Progress(Progress { phase: "parse", done: self.random.below(9), total: self.random.below(9) }),
            2 => Report::Indexed(self.world.indexed(&mut self.random)),
            3 => Report::Changed(FileChanges { files: vec!["src/evil\u{1b}[31m.py".into()], branch: None }),
            4 => Report::Changed(FileChanges { files: Vec::new(), branch: Some("main\u{7}".into()) }),
            5 => Report::Unwatched("too many folders\n".into()),
            6 => Report::OutputDone(Ok("copied".into())),
            7 => Report::OutputDone(Err("no clipboard\u{1b}[2J".into())),
            _ => {
                // Most often there is an index: without one nothing is ranked.
                let status = Status { usable: true, ..Status::default() };
                Report::Indexed(Ok(Indexed { status, changed: false, ..Indexed::default() }))
            }
        };
        self.act(Action::Report(action));
    }

    fn terminal(&mut self, event: TerminalEvent) {
        if let Some(action) = action::translate(&self.harness.model, event) {
            self.act(action);
        }
    }

    fn act(&mut self, action: Action) {
        let line: String = format!("{action:?}").chars().take(300).collect();
        self.log.push_back(line);
        self.log.drain(..self.log.len().saturating_sub(MAX_LOG));
        let effects = self.harness.act(action);
        invariants::check(&self.harness.model);
        invariants::check_effects(&self.harness.model, &effects);
        self.waiting.extend(effects);
        self.waiting.drain(..self.waiting.len().saturating_sub(MAX_WAITING));
    }

    fn draw(&mut self) {
        let model = &self.harness.model;
        let mut terminal = Terminal::new(TestBackend::new(model.size.width, model.size.height)).unwrap();
        terminal.draw(|frame| view::view(model, frame)).unwrap();
        invariants::check_screen(terminal.backend().buffer());
        self.drawn += 1;
    }
}
