//! From what happens to what it means: events become actions through the keymap.

use std::time::Duration;

use ratatui::crossterm::event::{Event as TerminalEvent, KeyEventKind, MouseButton, MouseEventKind};
use ratatui::layout::{Position, Size};

use super::command::{Command, Context};
use super::key::Key;
use super::keymap::{self, Resolution};
use super::model::source::SourceLine;
use super::model::{Focus, Model};
use super::workspace::{Answer, Finding, Indexed, Progress, Status};
use crate::model::{ContextPack, PackedSymbol};

/// Everything that can wake the explorer.
#[derive(Debug)]
pub enum Event {
    /// What the terminal sent since the last time, in order.
    Terminal(Vec<TerminalEvent>),
    /// The terminal is gone.
    TerminalLost(String),
    /// A signal, by its number.
    Signal(i32),
    Report(Report),
}

/// What a worker has to say.
#[derive(Debug)]
pub enum Report {
    Status(Answer<Status>),
    Progress(Progress),
    Indexed(Answer<Indexed>),
    Lexical {
        generation: u64,
        rows: Answer<Vec<PackedSymbol>>,
        took: Duration,
    },
    Ranked {
        generation: u64,
        pack: Answer<Option<ContextPack>>,
        took: Duration,
    },
    /// The answer to the question of this number.
    Found {
        number: u64,
        finding: Answer<Finding>,
    },
    Source {
        generation: u64,
        file: String,
        lines: Answer<std::sync::Arc<Vec<SourceLine>>>,
    },
}

/// What the model understands.
#[derive(Debug)]
pub enum Action {
    Command(Command),
    /// A letter for whatever text field has the keys.
    Type(char),
    Paste(String),
    /// The beginning of a key sequence.
    Wait(Key),
    /// Keys that mean nothing here.
    Forget,
    Resize(Size),
    Click(Position),
    Wheel {
        place: Position,
        by: isize,
    },
    Report(Report),
    /// Time has passed.
    Tick,
}

/// Lines one turn of the wheel scrolls.
const WHEEL_LINES: isize = 3;

/// Where keys are looked up now, nearest first.
pub fn contexts(model: &Model) -> Vec<Context> {
    let mut contexts = Vec::new();
    match (model.overlays.last(), model.focus) {
        (Some(overlay), _) => {
            contexts.extend_from_slice(overlay.layer().contexts());
            contexts.push(Context::Overlay);
            if overlay.layer().has_field() {
                contexts.push(Context::Field);
            }
        }
        (None, Focus::Task) => contexts.extend([Context::Task, Context::Field]),
        (None, Focus::Pack) => contexts.extend([Context::Pack, Context::Normal]),
        (None, Focus::Source | Focus::Why) => contexts.push(Context::Normal),
    }
    contexts.push(Context::Global);
    contexts
}

/// What this event of the terminal means now.
pub fn translate(model: &Model, event: TerminalEvent) -> Option<Action> {
    match event {
        TerminalEvent::Key(key) if key.kind != KeyEventKind::Release => Some(translate_key(model, key.into())),
        TerminalEvent::Paste(text) => Some(Action::Paste(text)),
        TerminalEvent::Resize(width, height) => Some(Action::Resize(Size { width, height })),
        TerminalEvent::Mouse(mouse) => {
            let place = Position { x: mouse.column, y: mouse.row };
            match mouse.kind {
                MouseEventKind::ScrollDown => Some(Action::Wheel { place, by: WHEEL_LINES }),
                MouseEventKind::ScrollUp => Some(Action::Wheel { place, by: -WHEEL_LINES }),
                MouseEventKind::Down(MouseButton::Left) => Some(Action::Click(place)),
                _ => None,
            }
        }
        _ => None,
    }
}

fn translate_key(model: &Model, key: Key) -> Action {
    let contexts = contexts(model);
    let mut keys = model.pending_keys.clone();
    keys.push(key);
    match keymap::resolve(&contexts, &keys) {
        Resolution::Run(command) => Action::Command(command),
        Resolution::Prefix => Action::Wait(key),
        Resolution::Nothing => match key.typed() {
            Some(letter) if contexts.contains(&Context::Field) => Action::Type(letter),
            _ => Action::Forget,
        },
    }
}
