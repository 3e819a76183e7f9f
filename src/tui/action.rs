//! From what happens to what it means: events become actions through the keymap.

use std::time::Duration;

use ratatui::crossterm::event::{Event as TerminalEvent, KeyCode, KeyEventKind, MouseButton, MouseEventKind};
use ratatui::layout::{Position, Size};

use super::command::{Command, Context};
use super::effect::Record;
use super::key::Key;
use super::keymap::{Bound, Resolution};
use super::model::source::Shown;
use super::model::{Focus, Model};
use super::settings::Settings;
use super::workspace::{Answer, Indexed, Progress, Recorded, Response, Status};
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
    /// What became of a record.
    Recorded {
        record: Record,
        answer: Answer<Recorded>,
    },
    /// The answer to the question of this number.
    /// Files of the repository have changed on disk.
    Changed(Change),
    /// Files can't be watched, for this reason.
    Unwatched(String),
    /// An errand is done, or is not: what is true now, in words.
    OutputDone(Answer<String>),
    Found {
        number: u64,
        finding: Answer<Response>,
    },
    Source {
        generation: u64,
        file: String,
        shown: Answer<Shown>,
    },
}

/// What happened to the files beneath the index.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Change {
    /// Relative to the root; folders may be among them.
    pub files: Vec<String>,
    /// The branch or commit now checked out, when it is another one.
    pub branch: Option<String>,
}

/// What the model understands.
#[derive(Debug)]
pub enum Action {
    Command(Command),
    /// A command with its argument.
    Invoke(Bound),
    /// A letter for whatever text field has the keys.
    Type(char),
    Paste(String),
    /// The key after one that asks for a letter; none for a key that is no letter.
    Letter(Option<char>),
    /// The beginning of a key sequence.
    Wait(Key),
    /// Keys that mean nothing here.
    Forget,
    /// The last key of a begun sequence is taken back.
    Unwait,
    Resize(Size),
    Click(Position),
    Wheel {
        place: Position,
        by: isize,
    },
    Report(Report),
    /// The task as the user left it in their editor, or why there is none.
    Composed(Answer<String>),
    /// The settings as they are now.
    Configured(Box<Settings>),
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
            contexts.extend_from_slice(overlay.window().contexts());
            contexts.push(Context::Overlay);
            if overlay.window().input().is_some() {
                contexts.push(Context::Field);
            }
        }
        (None, Focus::Task) => contexts.extend([Context::Task, Context::Field]),
        (None, Focus::Pack) => contexts.extend([Context::Pack, Context::Normal]),
        (None, Focus::Source) => contexts.push(Context::Normal),
        (None, Focus::Why) => contexts.extend([Context::Why, Context::Normal]),
        (None, Focus::Graph) => contexts.extend([Context::Graph, Context::Normal]),
        (None, Focus::Runs) => contexts.extend([Context::Runs, Context::Normal]),
        (None, Focus::Cost) => contexts.extend([Context::Cost, Context::Normal]),
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
    if model.runs.letter.is_some() {
        return Action::Letter(key.typed().filter(char::is_ascii_lowercase));
    }
    let contexts = contexts(model);
    let mut keys = model.pending.keys.clone();
    keys.push(key);
    match model.keymap.resolve(&contexts, &keys) {
        Resolution::Run(bound) if bound.argument.is_empty() => Action::Command(bound.command),
        Resolution::Run(bound) => Action::Invoke(bound.clone()),
        Resolution::Prefix => Action::Wait(key),
        // What is shown of a begun sequence has keys of its own, unless the sequence goes on with them.
        Resolution::Nothing if !model.pending.keys.is_empty() => match key.code {
            KeyCode::Backspace => Action::Unwait,
            KeyCode::Char('?') => Action::Command(Command::Help),
            _ => Action::Forget,
        },
        Resolution::Nothing => match key.typed() {
            Some(letter) if contexts.contains(&Context::Field) => Action::Type(letter),
            _ => Action::Forget,
        },
    }
}
