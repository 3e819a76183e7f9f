//! From what happens to what it means: events become actions through the keymap.

use std::time::Duration;

use ratatui::crossterm::event::{Event as TerminalEvent, KeyEventKind, MouseButton, MouseEventKind};
use ratatui::layout::{Position, Size};

use super::command::{Command, Context};
use super::key::Key;
use super::keymap::{self, Resolution};
use super::model::{Focus, Model};
use super::source::SourceLine;
use super::workspace::{Answer, Indexed, Progress, Status};
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
    Lexical { generation: u64, task: String, rows: Answer<Vec<PackedSymbol>>, took: Duration },
    Ranked { generation: u64, pack: Answer<Option<ContextPack>>, took: Duration },
    Source { generation: u64, file: String, lines: Answer<std::sync::Arc<Vec<SourceLine>>> },
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

/// The context in which keys are looked up now.
pub fn context(model: &Model) -> Context {
    match (&model.keys, model.focus) {
        (Some(_), _) => Context::Keys,
        (None, Focus::Task) => Context::Typing,
        (None, _) => Context::Normal,
    }
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
    let context = context(model);
    let mut keys = model.pending_keys.clone();
    keys.push(key);
    match keymap::resolve(context, &keys) {
        Resolution::Run(command) => Action::Command(command),
        Resolution::Prefix => Action::Wait(key),
        Resolution::Nothing => match key.typed() {
            Some(letter) if context != Context::Normal => Action::Type(letter),
            _ => Action::Forget,
        },
    }
}
