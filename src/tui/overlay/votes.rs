//! What was taught so far: votes and use, and the learned words; each can be taken back here.

use std::time::Instant;

use ratatui::layout::{Position, Rect};
use ratatui::text::Line;
use tui_input::Input;

use super::{Flow, Layer, Overlay, Selection, Sieve};
use crate::engine::{Act, LearnedWord, Vote};
use crate::text::display::safe;
use crate::tui::command::{Command, Context};
use crate::tui::effect::{Effect, Record};
use crate::tui::model::Model;
use crate::tui::theme::Slot;
use crate::tui::view::{Canvas, text, window};
use crate::tui::workspace::{Answer, Journal, Recorded};

/// The window of what was taught.
#[derive(Debug, Clone, Default)]
pub struct Votes {
    /// None until it has been read.
    journal: Option<Answer<Journal>>,
    /// True while the learned words are listed instead of the acts.
    words: bool,
    sieve: Sieve,
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
        if self.sieve.is_typed() { &[] } else { &[Context::Votes] }
    }

    fn field(&self) -> Option<&Input> {
        self.sieve.field()
    }

    fn field_mut(&mut self) -> Option<&mut Input> {
        self.sieve.field_mut()
    }

    fn changed(&mut self, _model: &mut Model, _now: Instant, _effects: &mut Vec<Effect>) {
        self.selected.reset();
    }

    fn run(&mut self, command: Command, _model: &mut Model, _now: Instant, effects: &mut Vec<Effect>) -> Flow {
        if self.selected.moves(command, self.shown().len()) {
            return Flow::Stay;
        }
        if self.sieve.run(command) {
            self.selected.keep_within(self.shown().len());
            return Flow::Stay;
        }
        match command {
            Command::OverlayClose => return Flow::Close,
            Command::VotesTurn => {
                self.words = !self.words;
                self.selected.reset();
            }
            Command::OverlayRun | Command::VotesUndo => effects.extend(self.take_back().map(Effect::Record)),
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
        self.selected.keep_within(self.shown().len());
    }

    fn area(&self, model: &Model) -> Rect {
        window::middle(model.size, COLUMNS, ROWS)
    }

    fn click(&mut self, place: Position, model: &mut Model, _now: Instant, _effects: &mut Vec<Effect>) {
        let room = self.sieve.room(window::inside(self.area(model)));
        self.selected.click(room, self.shown().len(), place);
    }

    fn draw(&self, canvas: &mut Canvas<'_>) {
        let model = canvas.model;
        let dot = model.skin.glyphs.dot;
        let (title, other) = match self.words {
            true => ("learned words", "votes"),
            false => ("votes and use", "words"),
        };
        let title = format!("{title} {dot} {}", text::count(self.len(), "entry").replace("entrys", "entries"));
        let hint = format!("x takes back {dot} / filters {dot} Tab {other}");
        let mut inner = window::open(canvas, self.area(canvas.model), &title, &hint);
        self.sieve.draw(canvas, &mut inner);
        let shown = self.shown();
        let words = match &self.journal {
            None => Some("reading".to_owned()),
            Some(Err(error)) => Some(safe(error).into_owned()),
            Some(Ok(_)) if !shown.is_empty() => None,
            Some(Ok(_)) if self.len() > 0 => Some("Nothing has these letters in this order.".to_owned()),
            Some(Ok(_)) if self.words => Some("No word has been learned yet.".to_owned()),
            Some(Ok(_)) => Some("Nothing has been taught yet: + and - vote on the selected symbol.".to_owned()),
        };
        if let Some(words) = words {
            let line = Line::from(canvas.span(Slot::Dim, format!(" {words}")));
            canvas.line(inner, &line);
            return;
        }
        let width = inner.width as usize;
        let acts = self.acts();
        window::list(canvas, inner, self.selected.row(), shown.len(), |canvas, row| match self.words {
            true => word_line(canvas, &self.learned()[shown[row]], width),
            false => act_line(canvas, acts[shown[row]], width),
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

    /// Places of what the filter lets through.
    fn shown(&self) -> Vec<usize> {
        let texts: Vec<String> = match self.words {
            true => self.learned().iter().map(|word| format!("{} {}", word.keyword, word.symbol)).collect(),
            false => self.acts().into_iter().map(act_text).collect(),
        };
        self.sieve.sift(&texts)
    }

    fn take_back(&self) -> Option<Record> {
        let place = *self.selected.of(&self.shown())?;
        if self.words {
            let word = self.learned().get(place)?;
            return Some(Record::Forget { keyword: word.keyword.clone(), symbol: word.symbol.clone() });
        }
        let act = *self.acts().get(place)?;
        Some(Record::SetUndone { entry: act.id, undone: !act.undone })
    }
}

/// What the filter reads of an act.
fn act_text(act: &Act) -> String {
    let names = act.judgements.iter().map(|judgement| short(&judgement.subject.qualified_name));
    names.chain([act.task.as_str()]).collect::<Vec<_>>().join(" ")
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
