//! The concepts that the task matches, and the symbols of one of them; list and source follow the selected symbol.

use std::time::Instant;

use ratatui::layout::{Position, Rect};
use ratatui::text::Line;
use tui_input::Input;

use super::{EventResult, FilterInput, Window};
use crate::engine::concepts::{Layer, MatchedConcept};
use crate::text::display::safe;
use crate::tui::command::{Command, Context};
use crate::tui::effect::Effect;
use crate::tui::model::Model;
use crate::tui::theme::Slot;
use crate::tui::update::{self, navigation};
use crate::tui::view::{Canvas, text, window};

/// The concepts window. The concepts themselves are in the model.
#[derive(Debug, Clone, Default)]
pub struct Concepts {
    filter: FilterInput,
}

const ROWS: u16 = 11;

/// Rows of a page.
const PAGE: usize = 10;

impl Window for Concepts {
    fn contexts(&self) -> &'static [Context] {
        if self.filter.is_editing() { &[] } else { &[Context::Concepts] }
    }

    fn input(&self) -> Option<&Input> {
        self.filter.input()
    }

    fn input_mut(&mut self) -> Option<&mut Input> {
        self.filter.input_mut()
    }

    fn input_changed(&mut self, model: &mut Model, _now: Instant, _effects: &mut Vec<Effect>) {
        model.concepts.filter = self.filter.value().to_owned();
        update::concepts::go_to(model, 0);
    }

    fn enter_label(&self) -> &'static str {
        if self.filter.is_editing() { "keep" } else { "go" }
    }

    fn covered_rows(&self) -> u16 {
        ROWS
    }

    fn area(&self, model: &Model) -> Rect {
        window::foot(model.size, ROWS)
    }

    fn click(&mut self, position: Position, model: &mut Model, _now: Instant, _effects: &mut Vec<Effect>) {
        let [left, right, _] = split(self.filter.below(window::inside(self.area(model))));
        if let Some(concept) = window::line_at(left, model.concepts.concept, model.concepts.concepts().len(), position)
        {
            update::concepts::turn_to(model, concept);
        } else if let Some(row) = window::line_at(right, selected_row(model), model.concepts.shown().len(), position) {
            update::concepts::go_to(model, row);
        }
    }

    fn run(&mut self, command: Command, model: &mut Model, now: Instant, effects: &mut Vec<Effect>) -> EventResult {
        if self.filter.run(command) {
            model.concepts.filter = self.filter.value().to_owned();
            return EventResult::Consumed;
        }
        let row = model.concepts.row().unwrap_or(0);
        match command {
            Command::OverlayClose => return EventResult::Close,
            Command::OverlayRun => {
                // A click or a new ranking may have moved the list; Enter goes to the marked match.
                if let Some(found) = model.concepts.selected() {
                    navigation::visit_at(model, found.symbol.clone(), None);
                }
                return EventResult::Close;
            }
            Command::OverlayDown => update::run(model, Command::NextMatch, now, effects),
            Command::OverlayUp => update::run(model, Command::PreviousMatch, now, effects),
            Command::OverlayPageDown => update::concepts::go_to(model, row + PAGE),
            Command::OverlayPageUp => update::concepts::go_to(model, row.saturating_sub(PAGE)),
            Command::OverlayTop => update::concepts::go_to(model, 0),
            Command::OverlayBottom => update::concepts::go_to(model, usize::MAX),
            _ => return EventResult::Ignored,
        }
        EventResult::Consumed
    }

    fn draw(&self, canvas: &mut Canvas<'_>) {
        let model = canvas.model;
        let dot = canvas.model.appearance.glyphs.dot;
        let hint = format!("n/N next/previous {dot} Tab concept {dot} M mute {dot} / filter {dot} +/- vote");
        let mut inner = window::open(canvas, self.area(canvas.model), "concepts of this task", &hint);
        self.filter.draw(canvas, &mut inner);
        let message = match &model.concepts.answer {
            None => Some("searching".to_owned()),
            Some(Err(error)) => Some(safe(error).into_owned()),
            Some(Ok(found)) if found.is_empty() => Some("No concept matches the task.".to_owned()),
            Some(Ok(_)) => None,
        };
        if let Some(message) = message {
            let line = Line::from(canvas.span(Slot::Dim, format!(" {message}")));
            canvas.line(inner, &line);
            return;
        }
        let [left, right, foot] = split(inner);
        window::list(canvas, left, model.concepts.concept, model.concepts.concepts().len(), |canvas, row| {
            concept_line(canvas, &model.concepts.concepts()[row], left.width as usize)
        });
        let Some(concept) = model.concepts.current() else { return };
        let shown = model.concepts.shown();
        window::list(canvas, right, selected_row(canvas.model), shown.len(), |canvas, row| {
            symbol_line(canvas, concept, shown[row], right.width as usize)
        });
        let label = muting(concept);
        let label = text::fit(&label, foot.width as usize, canvas.model.appearance.glyphs.ellipsis).into_owned();
        let line = Line::from(canvas.span(Slot::Dim, label));
        canvas.line(foot, &line);
    }
}

/// Splits the window into the list of concepts, the symbols of the selected one, and the line below both.
fn split(inner: Rect) -> [Rect; 3] {
    let height = inner.height.saturating_sub(1);
    let left = Rect { width: inner.width * 9 / 20, height, ..inner };
    let right =
        Rect { x: inner.x + left.width + 1, width: inner.width.saturating_sub(left.width + 1), height, ..inner };
    [left, right, Rect { y: inner.y + height, height: inner.height - height, ..inner }]
}

/// Returns the selected row of the symbols, or `usize::MAX` if none is selected.
fn selected_row(model: &Model) -> usize {
    model.concepts.row().unwrap_or(usize::MAX)
}

/// Describes whether the concept is muted.
fn muting(concept: &MatchedConcept) -> String {
    let name = safe(&concept.concept);
    match (concept.muted, concept.symbols.is_empty()) {
        (true, _) => format!(" {name} is muted; M unmutes"),
        (false, true) => format!(" {name} has no symbol in this repository"),
        (false, false) => String::new(),
    }
}

fn concept_line(canvas: &Canvas<'_>, concept: &MatchedConcept, width: usize) -> Line<'static> {
    let glyphs = &canvas.model.appearance.glyphs;
    let count = match concept.muted {
        true => "muted".to_owned(),
        false => canvas.model.concepts.shown_of(concept).len().to_string(),
    };
    let layer = match concept.layer {
        Layer::Universal => "general",
        layer => layer.name(),
    };
    let room = width.saturating_sub(2 + count.len() + 1);
    let phrases: Vec<String> = concept.phrases.iter().map(|(phrase, _)| format!("\"{phrase}\"")).collect();
    // What the task says comes before the identifier, by which settings mute it.
    let (words, id) = (phrases.join(", "), concept.concept.as_str());
    let (name, id) = if words.is_empty() { (id, "") } else { (words.as_str(), id) };
    let name = text::fit(&safe(name), room, glyphs.ellipsis).into_owned();
    let origin = [&*safe(id), glyphs.dot, layer].map(|part| format!(" {part}")).concat();
    let origin = text::fit(&origin, room.saturating_sub(text::width(&name)), glyphs.ellipsis).into_owned();
    let used = text::width(&name) + text::width(&origin);
    Line::from(vec![
        canvas.span(if concept.muted { Slot::Dim } else { Slot::Name }, name),
        canvas.span(Slot::Dim, text::pad(&origin, room.saturating_sub(used) + text::width(&origin))),
        canvas.span(Slot::Tokens, format!(" {count}")),
    ])
}

fn symbol_line(canvas: &Canvas<'_>, concept: &MatchedConcept, row: usize, width: usize) -> Line<'static> {
    let model = canvas.model;
    let ellipsis = model.appearance.glyphs.ellipsis;
    let found = &concept.symbols[row];
    let rank = model.panes.pack.rank_of(found.symbol.id).or(found.rank);
    let rank = rank.map_or("not listed".to_owned(), |rank| format!("#{rank}"));
    let vote = model.feedback.mark(found.symbol.id, &model.task, model.appearance.glyphs.no_vote);
    let room = width.saturating_sub(16);
    let name = text::fit(&safe(&found.symbol.name), room * 3 / 5, ellipsis).into_owned();
    let file = format!(" {}", safe(&found.symbol.place()));
    let left = room.saturating_sub(text::width(&name));
    let file = if left > 6 { format!(" {}", text::fit_end(&file[1..], left - 1, ellipsis)) } else { String::new() };
    let name_width = text::width(&name);
    let mut spans = vec![canvas.span(Slot::Text, format!("{vote} "))];
    spans.extend(window::matched(canvas, Slot::Name, &name, &model.concepts.filter));
    spans.push(canvas.span(Slot::Location, text::pad(&file, room.saturating_sub(name_width))));
    spans.push(canvas.span(Slot::Dim, format!(" {rank}")));
    Line::from(spans)
}
