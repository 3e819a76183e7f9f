//! The feedback journal: votes, use and learned terms; each entry can be undone here.

use std::collections::{HashMap, HashSet};
use std::time::Instant;

use ratatui::layout::{Position, Rect};
use ratatui::text::Line;
use tui_input::Input;

use super::{EventResult, FilterInput, Overlay, Selection, Window};
use crate::engine::{FeedbackEvent, LearnedTerm, Vote};
use crate::text::display::safe;
use crate::text::{identifier_parts, stem};
use crate::tui::backend::{Answer, Journal, Recorded};
use crate::tui::command::{Command, Context};
use crate::tui::effect::{Effect, Record};
use crate::tui::model::Model;
use crate::tui::theme::Slot;
use crate::tui::view::{Canvas, text, window};

/// The window of the feedback journal.
#[derive(Debug, Clone, Default)]
pub struct Votes {
    /// `None` until it has been read.
    journal: Option<Answer<Journal>>,
    /// Whether the learned terms are listed instead of the events.
    lists_terms: bool,
    filter: FilterInput,
    selected: Selection,
}

/// The smallest weight of a learned term that is listed.
const MIN_WEIGHT: f64 = 0.005;

const COLUMNS: u16 = 100;
const ROWS: u16 = 30;

/// Opens the window and requests the journal.
pub fn open(model: &mut Model, effects: &mut Vec<Effect>) {
    effects.push(Effect::Record(Record::Journal));
    model.overlays.push(Overlay::Votes(Votes::default()));
}

impl Window for Votes {
    fn contexts(&self) -> &'static [Context] {
        if self.filter.is_editing() { &[] } else { &[Context::Votes] }
    }

    fn input(&self) -> Option<&Input> {
        self.filter.input()
    }

    fn input_mut(&mut self) -> Option<&mut Input> {
        self.filter.input_mut()
    }

    fn input_changed(&mut self, _model: &mut Model, _now: Instant, _effects: &mut Vec<Effect>) {
        self.selected.select_first();
    }

    fn refresh(&mut self, model: &mut Model, effects: &mut Vec<Effect>) {
        // They were not available before the first index was built.
        if model.usable() && matches!(self.journal, Some(Err(_))) {
            effects.push(Effect::Record(Record::Journal));
        }
    }

    fn run(&mut self, command: Command, _model: &mut Model, _now: Instant, effects: &mut Vec<Effect>) -> EventResult {
        if self.selected.apply(command, self.shown().len()) {
            return EventResult::Consumed;
        }
        if self.filter.run(command) {
            self.selected.clamp(self.shown().len());
            return EventResult::Consumed;
        }
        match command {
            Command::OverlayClose => return EventResult::Close,
            Command::VotesTurn => {
                self.lists_terms = !self.lists_terms;
                self.selected.select_first();
            }
            Command::OverlayRun | Command::VotesUndo => effects.extend(self.undo_selected().map(Effect::Record)),
            _ => return EventResult::Ignored,
        }
        EventResult::Consumed
    }

    fn on_recorded(&mut self, answer: &Answer<Recorded>) {
        match answer {
            Ok(Recorded::Journal(journal)) => {
                let mut journal = journal.clone();
                show_words(&mut journal);
                // What rounds to nothing has no effect.
                journal.learned_terms.retain(|term| term.weight >= MIN_WEIGHT || term.expired > 0);
                self.journal = Some(Ok(journal));
            }
            Ok(_) => {}
            // The list stays; the footer shows the error.
            Err(error) if self.journal.is_none() => self.journal = Some(Err(error.clone())),
            Err(_) => {}
        }
        self.selected.clamp(self.shown().len());
    }

    fn enter_label(&self) -> &'static str {
        if self.filter.is_editing() { "keep" } else { "undo" }
    }

    fn area(&self, model: &Model) -> Rect {
        window::middle(model.size, COLUMNS, ROWS)
    }

    fn click(&mut self, position: Position, model: &mut Model, _now: Instant, _effects: &mut Vec<Effect>) {
        let room = self.filter.below(window::inside(self.area(model)));
        self.selected.click(room, self.shown().len(), position);
    }

    fn draw(&self, canvas: &mut Canvas<'_>) {
        let model = canvas.model;
        let dot = model.appearance.glyphs.dot;
        let (title, other) = match self.lists_terms {
            true => ("learned terms", "votes"),
            false => ("votes and use", "learned terms"),
        };
        let title = format!("{title} {dot} {}", text::count(self.len(), "event"));
        let hint = format!("x undoes {dot} / filters {dot} Tab {other}");
        let mut inner = window::open(canvas, self.area(canvas.model), &title, &hint);
        self.filter.draw(canvas, &mut inner);
        let shown = self.shown();
        let message = match &self.journal {
            None => Some("loading".to_owned()),
            Some(Err(error)) => Some(safe(error).into_owned()),
            Some(Ok(_)) if !shown.is_empty() => None,
            Some(Ok(_)) if self.len() > 0 => Some("No match.".to_owned()),
            Some(Ok(_)) if self.lists_terms => Some("No learned terms.".to_owned()),
            Some(Ok(_)) => Some("No feedback recorded. Vote on the selected symbol with + and -.".to_owned()),
        };
        if let Some(message) = message {
            let line = Line::from(canvas.span(Slot::Dim, format!(" {message}")));
            canvas.line(inner, &line);
            return;
        }
        let width = inner.width as usize;
        let events = self.events();
        window::list(canvas, inner, self.selected.row(), shown.len(), |canvas, row| match self.lists_terms {
            true => term_line(canvas, &self.learned_terms()[shown[row]], self.filter.value(), width),
            false => event_line(canvas, events[shown[row]], self.filter.value(), width),
        });
    }
}

impl Votes {
    /// Returns the events about symbols, newest first.
    fn events(&self) -> Vec<&FeedbackEvent> {
        let Some(Ok(journal)) = &self.journal else { return Vec::new() };
        journal.events.iter().rev().filter(|event| !event.votes.is_empty()).collect()
    }

    fn learned_terms(&self) -> &[LearnedTerm] {
        match &self.journal {
            Some(Ok(journal)) => &journal.learned_terms,
            _ => &[],
        }
    }

    fn len(&self) -> usize {
        if self.lists_terms { self.learned_terms().len() } else { self.events().len() }
    }

    /// Returns the indices of the entries that match the filter.
    fn shown(&self) -> Vec<usize> {
        let texts: Vec<String> = match self.lists_terms {
            true => self.learned_terms().iter().map(|term| format!("{} {}", term.keyword, term.symbol)).collect(),
            false => self.events().into_iter().map(event_text).collect(),
        };
        self.filter.matching(&texts)
    }

    fn undo_selected(&self) -> Option<Record> {
        let index = *self.selected.get(&self.shown())?;
        if self.lists_terms {
            let term = self.learned_terms().get(index)?;
            return Some(Record::Forget { keyword: term.keyword.clone(), symbol: term.symbol.clone() });
        }
        let event = *self.events().get(index)?;
        Some(Record::SetUndone { entry: event.id, undone: !event.undone })
    }
}

/// Returns the text of an event that the filter matches.
fn event_text(event: &FeedbackEvent) -> String {
    let names = event.votes.iter().map(|vote| without_repository(&vote.subject.qualified_name));
    names.chain([event.task.as_str()]).collect::<Vec<_>>().join(" ")
}

fn event_line(canvas: &Canvas<'_>, event: &FeedbackEvent, typed: &str, width: usize) -> Line<'static> {
    let ellipsis = canvas.model.appearance.glyphs.ellipsis;
    let action = match event.votes.first().map(|vote| vote.vote) {
        Some(Vote::Clear) => "cleared",
        Some(Vote::NotUseful) if event.kind.is_implicit() => "not chosen",
        Some(Vote::NotUseful) => "- not useful",
        _ if event.kind.is_implicit() => event.kind.name(),
        _ => "+ useful",
    };
    let state = if event.undone { "undone" } else { "" };
    let room = width.saturating_sub(14 + 11 + 1);
    let name = event.votes.first().map_or("", |vote| without_repository(&vote.subject.qualified_name));
    let more = match event.votes.len() {
        0 | 1 => String::new(),
        count => format!(" +{}", count - 1),
    };
    let task = format!(" for {}", safe(&event.task.replace('\n', " ")));
    // The name has half of the room, and what the task leaves.
    let name_room = room.saturating_sub(text::width(&task)).max(room / 2);
    let name = text::fit_end(&format!("{}{more}", safe(name)), name_room, ellipsis).into_owned();
    let task = text::fit(&task, room.saturating_sub(text::width(&name)), ellipsis).into_owned();
    let used = text::width(&name) + text::width(&task);
    let slot = match (event.undone, event.kind.is_implicit()) {
        (true, _) => Slot::Dim,
        (false, true) => Slot::Text,
        (false, false) => Slot::Name,
    };
    let mut spans = vec![canvas.span(slot, text::pad(&format!(" {action}"), 14))];
    spans.extend(window::matched(canvas, slot, &name, typed));
    spans.push(canvas.span(Slot::Dim, format!("{task}{}", " ".repeat(room.saturating_sub(used)))));
    spans.push(canvas.span(Slot::Dim, format!(" {state}")));
    Line::from(spans)
}

/// Replaces the stems of learned terms by the words of the tasks from which they were learned; either forgets the term.
fn show_words(journal: &mut Journal) {
    let stems: HashSet<&str> = journal.learned_terms.iter().map(|term| term.keyword.as_str()).collect();
    let mut words: HashMap<String, String> = HashMap::new();
    for word in journal.events.iter().rev().flat_map(|event| identifier_parts(&event.task)) {
        let word = word.to_lowercase();
        let of_word = stem(&word);
        if stems.contains(&*of_word) && !words.contains_key(&*of_word) {
            words.insert(of_word.into_owned(), word);
        }
    }
    for term in &mut journal.learned_terms {
        if let Some(word) = words.get(&term.keyword) {
            term.keyword.clone_from(word);
        }
    }
}

fn term_line(canvas: &Canvas<'_>, term: &LearnedTerm, typed: &str, width: usize) -> Line<'static> {
    let ellipsis = canvas.model.appearance.glyphs.ellipsis;
    let room = width.saturating_sub(20 + 32);
    let symbol = text::fit_end(&safe(&term.symbol), room, ellipsis).into_owned();
    let observations = match term.expired {
        0 => format!("learned from {}", text::count(term.observations as usize, "vote")),
        expired => format!("its code changed since {}", text::count(expired as usize, "vote")),
    };
    let keyword = text::pad(&format!(" {}", text::fit(&safe(&term.keyword), 18, ellipsis)), 20);
    let mut spans = window::matched(canvas, Slot::Name, &keyword, typed);
    spans.push(canvas.span(Slot::Text, text::pad(&symbol, room)));
    spans.push(canvas.span(Slot::Dim, format!(" {observations}")));
    Line::from(spans)
}

/// Returns the name without the repository.
fn without_repository(qualified_name: &str) -> &str {
    qualified_name.split_once("://").map_or(qualified_name, |(_, rest)| rest)
}
