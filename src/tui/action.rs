//! Events, and the actions that they mean: keys become commands through the keymap.

use std::time::Duration;

use ratatui::crossterm::event::{Event as TerminalEvent, KeyCode, KeyEventKind, MouseButton, MouseEventKind};
use ratatui::layout::{Position, Size};

use super::appearance::Background;
use super::backend::{AgentNews, Answer, Indexed, Progress, Recorded, Response, Status};
use super::command::{Command, Context};
use super::effect::Record;
use super::key::Key;
use super::keymap::{Bound, Resolution};
use super::model::{Focus, Model};
use super::panes::source::LoadedSource;
use super::settings::Settings;
use crate::engine::FileChanges;
use crate::model::{ContextPack, PackedSymbol};

/// An event of the main loop.
#[derive(Debug)]
pub enum Event {
    /// A batch of terminal events, in order.
    Terminal(Vec<TerminalEvent>),
    /// The terminal reported its background.
    Background(Background),
    /// The terminal can no longer be read, for this reason.
    TerminalLost(String),
    /// A signal, by its number.
    Signal(i32),
    Report(Box<Report>),
}

/// A message of a worker.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "one exists at a time; a report with a pack is the largest")]
pub enum Report {
    Status(Answer<Status>),
    Progress(Progress),
    Indexed(Answer<Indexed>),
    /// Lexical matches.
    Lexical {
        generation: u64,
        rows: Answer<Vec<PackedSymbol>>,
        took: Duration,
    },
    /// A full ranking; no pack when it was canceled.
    Ranked {
        generation: u64,
        pack: Answer<Option<ContextPack>>,
        took: Duration,
    },
    /// The result of a record.
    Recorded {
        record: Record,
        answer: Answer<Recorded>,
    },
    /// Files of the repository changed on disk.
    Changed(FileChanges),
    /// Coding agents sent requests or took a pack.
    Agents(AgentNews),
    /// Files can't be watched, for this reason.
    Unwatched(String),
    /// The message of a job that copied or wrote something.
    OutputDone(Answer<String>),
    /// The answer to the question with this number.
    Answered {
        number: u64,
        response: Answer<Response>,
    },
    /// A file for the source pane.
    Source {
        generation: u64,
        file: String,
        shown: Answer<LoadedSource>,
    },
}

/// A change of the model.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "one exists at a time; a report with a pack is the largest")]
pub enum Action {
    Command(Command),
    /// A command with its argument.
    Invoke(Bound),
    /// A letter for the text field in focus.
    Type(char),
    Paste(String),
    /// A key of an incomplete sequence.
    PushKey(Key),
    /// Removes the last key of an incomplete sequence.
    PopKey,
    /// Keys that are not bound.
    Ignore,
    Resize(Size),
    Click(Position),
    RightClick(Position),
    Wheel {
        position: Position,
        by: isize,
    },
    Report(Report),
    /// These files, which the user's editor opened, have other contents than before.
    Edited {
        changed: Vec<String>,
        /// Whether the editor may still be open.
        is_open: bool,
    },
    /// The task as edited in the user's editor, or its error.
    Composed(Answer<String>),
    /// New settings.
    Configured(Box<Settings>),
    /// A deadline of the model has passed.
    Tick,
}

/// Lines that one notch of the wheel scrolls.
const WHEEL_LINES: isize = 3;

/// Returns the contexts in which keys are looked up, nearest first.
pub fn contexts(model: &Model) -> Vec<Context> {
    let mut contexts = Vec::new();
    match (model.overlays.last(), model.focus) {
        (Some(overlay), _) => {
            contexts.extend_from_slice(overlay.window().contexts());
            contexts.push(Context::Overlay);
            if overlay.window().input().is_some() {
                contexts.push(Context::Field);
            }
        }
        (None, Focus::Task) => {
            let is_new = model.task.input.value().is_empty() || model.task.is_selected;
            contexts.extend(is_new.then_some(Context::Empty));
            contexts.extend([Context::Task, Context::Field]);
        }
        (None, Focus::Pane(id)) => contexts.extend([Context::Pane(id), Context::Normal]),
    }
    contexts.push(Context::Global);
    contexts
}

/// Returns whether a person did something: pressed a key or a button, or pasted.
pub fn is_by_user(event: &TerminalEvent) -> bool {
    match event {
        TerminalEvent::Key(key) => key.kind != KeyEventKind::Release,
        TerminalEvent::Mouse(mouse) => matches!(mouse.kind, MouseEventKind::Down(_)),
        other => matches!(other, TerminalEvent::Paste(_)),
    }
}

/// Returns the action of a terminal event.
pub fn translate(model: &Model, event: TerminalEvent) -> Option<Action> {
    match event {
        TerminalEvent::Key(key) if key.kind != KeyEventKind::Release => Some(press(model, key.into())),
        TerminalEvent::Paste(text) => Some(Action::Paste(text)),
        TerminalEvent::Resize(width, height) => Some(Action::Resize(Size { width, height })),
        TerminalEvent::Mouse(mouse) => {
            let position = Position { x: mouse.column, y: mouse.row };
            match mouse.kind {
                MouseEventKind::ScrollDown => Some(Action::Wheel { position, by: WHEEL_LINES }),
                MouseEventKind::ScrollUp => Some(Action::Wheel { position, by: -WHEEL_LINES }),
                MouseEventKind::Down(MouseButton::Left) => Some(Action::Click(position)),
                MouseEventKind::Down(MouseButton::Right) => Some(Action::RightClick(position)),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Returns the action of a key.
pub fn press(model: &Model, key: Key) -> Action {
    let contexts = contexts(model);
    let mut keys = model.pending.keys.clone();
    keys.push(key);
    match model.keymap.resolve(&contexts, &keys) {
        Resolution::Run(bound) if bound.argument.is_empty() => Action::Command(bound.command),
        Resolution::Run(bound) => Action::Invoke(bound.clone()),
        Resolution::Prefix => Action::PushKey(key),
        // The list of continuations has keys of its own, unless the sequence continues with them.
        Resolution::Nothing if !model.pending.keys.is_empty() => match key.code {
            KeyCode::Backspace => Action::PopKey,
            KeyCode::Char('?') => Action::Command(Command::Help),
            _ => Action::Ignore,
        },
        Resolution::Nothing => match key.typed() {
            Some(letter) if contexts.contains(&Context::Field) => Action::Type(letter),
            _ => Action::Ignore,
        },
    }
}
