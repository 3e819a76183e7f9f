//! What was taught so far: votes and use, and the learned words; each can be taken back here.

use std::time::Instant;

use ratatui::text::Line;

use super::super::command::{Command, Context};
use super::super::effect::{Effect, Record};
use super::super::model::Model;
use super::super::theme::Slot;
use super::super::view::{Canvas, text, window};
use super::super::workspace::{Answer, Journal, Recorded};
use super::{Flow, Layer, Overlay, Selection};
use crate::engine::{Act, LearnedWord, Vote};
use crate::text::display::safe;

/// The window of what was taught.
#[derive(Debug, Clone, Default)]
pub struct Votes {
    /// None until it has been read.
    journal: Option<Answer<Journal>>,
    /// True while the learned words are listed instead of the acts.
    words: bool,
    selected: Selection,
}

const COLUMNS: u16 = 100;
const ROWS: u16 = 30;

/// Opens the window and asks for what it shows.
pub fn open(model: &mut Model, effects: &mut Vec<Effect>) {
    effects.push(Effect::Record(Record::Journal));
    model.overlays.push(Overlay::Votes(Votes::default()));
}

impl Layer for Votes {
    fn contexts(&self) -> &'static [Context] {
        &[Context::Votes]
    }

    fn run(&mut self, command: Command, _model: &mut Model, _now: Instant, effects: &mut Vec<Effect>) -> Flow {
        if self.selected.moves(command, self.len()) {
            return Flow::Stay;
        }
        match command {
            Command::OverlayClose => return Flow::Close,
            Command::VotesTurn => {
                self.words = !self.words;
                self.selected.reset();
            }
            Command::OverlayRun | Command::VotesTakeBack => effects.extend(self.take_back().map(Effect::Record)),
            _ => return Flow::Pass,
        }
        Flow::Stay
    }

    fn recorded(&mut self, answer: &Answer<Recorded>) {
        match answer {
            Ok(Recorded::Journal(journal)) => self.journal = Some(Ok(journal.clone())),
            Ok(_) => {}
            // What is shown stays in sight; the footer tells what went wrong.
            Err(error) if self.journal.is_none() => self.journal = Some(Err(error.clone())),
            Err(_) => {}
        }
        self.selected.keep_within(self.len());
    }

    fn draw(&self, canvas: &mut Canvas<'_>) {
        let model = canvas.model;
        let dot = model.skin.glyphs.dot;
        let (title, other) = match self.words {
            true => ("learned words", "votes"),
            false => ("votes and use", "words"),
        };
        let title = format!("{title} {dot} {}", text::count(self.len(), "entry").replace("entrys", "entries"));
        let hint = format!("x takes back {dot} Tab {other}");
        let inner = window::open(canvas, COLUMNS, ROWS, &title, &hint);
        let words = match &self.journal {
            None => Some("reading".to_owned()),
            Some(Err(error)) => Some(safe(error).into_owned()),
            Some(Ok(_)) if self.len() > 0 => None,
            Some(Ok(_)) if self.words => Some("No word has been learned yet.".to_owned()),
            Some(Ok(_)) => Some("Nothing has been taught yet: + and - vote on the selected symbol.".to_owned()),
        };
        if let Some(words) = words {
            let line = Line::from(canvas.span(Slot::Dim, format!(" {words}")));
            canvas.line(inner, &line);
            return;
        }
        let width = inner.width as usize;
        window::list(canvas, inner, self.selected.row(), self.len(), |canvas, row| match self.words {
            true => word_line(canvas, &self.learned()[row], width),
            false => act_line(canvas, self.acts()[row], width),
        });
    }
}

impl Votes {
    /// The acts that teach something of symbols, newest first.
    fn acts(&self) -> Vec<&Act> {
        let Some(Ok(journal)) = &self.journal else { return Vec::new() };
        journal.acts.iter().rev().filter(|act| !act.judgements.is_empty()).collect()
    }

    fn learned(&self) -> &[LearnedWord] {
        match &self.journal {
            Some(Ok(journal)) => &journal.words,
            _ => &[],
        }
    }

    fn len(&self) -> usize {
        if self.words { self.learned().len() } else { self.acts().len() }
    }

    fn take_back(&self) -> Option<Record> {
        if self.words {
            let word = self.learned().get(self.selected.row())?;
            return Some(Record::Forget { keyword: word.keyword.clone(), symbol: word.symbol.clone() });
        }
        let act = *self.acts().get(self.selected.row())?;
        Some(Record::TakeBack { entry: act.id, undone: !act.undone })
    }
}

fn act_line(canvas: &Canvas<'_>, act: &Act, width: usize) -> Line<'static> {
    let ellipsis = canvas.model.skin.glyphs.ellipsis;
    let said = match act.judgements.first().map(|judgement| judgement.vote) {
        Some(Vote::Clear) => "cleared",
        Some(Vote::NotUseful) if act.kind.is_implicit() => "passed over",
        Some(Vote::NotUseful) => "- not useful",
        _ if act.kind.is_implicit() => act.kind.name(),
        _ => "+ useful",
    };
    let state = if act.undone { "taken back" } else { "" };
    let room = width.saturating_sub(14 + 11 + 1);
    let name = act.judgements.first().map_or("", |judgement| short(&judgement.subject.qualified_name));
    let more = match act.judgements.len() {
        0 | 1 => String::new(),
        count => format!(" +{}", count - 1),
    };
    let name = text::fit_end(&format!("{}{more}", safe(name)), room / 2, ellipsis).into_owned();
    let task = format!(" for {}", safe(&act.task.replace('\n', " ")));
    let task = text::fit(&task, room.saturating_sub(text::width(&name)), ellipsis).into_owned();
    let used = text::width(&name) + text::width(&task);
    let slot = match (act.undone, act.kind.is_implicit()) {
        (true, _) => Slot::Dim,
        (false, true) => Slot::Text,
        (false, false) => Slot::Name,
    };
    Line::from(vec![
        canvas.span(slot, text::pad(&format!(" {said}"), 14)),
        canvas.span(slot, name),
        canvas.span(Slot::Dim, format!("{task}{}", " ".repeat(room.saturating_sub(used)))),
        canvas.span(Slot::Dim, format!(" {state}")),
    ])
}

fn word_line(canvas: &Canvas<'_>, word: &LearnedWord, width: usize) -> Line<'static> {
    let ellipsis = canvas.model.skin.glyphs.ellipsis;
    let room = width.saturating_sub(20 + 24);
    let symbol = text::fit_end(&safe(&word.symbol), room, ellipsis).into_owned();
    let seen = match word.expired {
        0 => format!("{} seen, weight {:.2}", word.observations, word.weight),
        expired => format!("{} seen, {expired} too old", word.observations),
    };
    Line::from(vec![
        canvas.span(Slot::Name, text::pad(&format!(" {}", text::fit(&safe(&word.keyword), 18, ellipsis)), 20)),
        canvas.span(Slot::Text, text::pad(&symbol, room)),
        canvas.span(Slot::Dim, format!(" {seen}")),
    ])
}

/// A name without the repository.
fn short(qualified_name: &str) -> &str {
    qualified_name.split_once("://").map_or(qualified_name, |(_, rest)| rest)
}
