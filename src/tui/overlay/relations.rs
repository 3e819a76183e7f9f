//! What a symbol uses, or what uses it, as a list to go through.

use std::time::Instant;

use ratatui::layout::{Position, Rect};
use ratatui::text::Line;
use tui_input::Input;

use super::{Flow, Layer, Overlay, Selection};
use crate::engine::Relation;
use crate::model::Symbol;
use crate::text::display::safe;
use crate::tui::command::Command;
use crate::tui::effect::{Effect, Node, Topic};
use crate::tui::fuzzy;
use crate::tui::model::Model;
use crate::tui::theme::Slot;
use crate::tui::update::{ask, navigation};
use crate::tui::view::{Canvas, text, window};
use crate::tui::workspace::{Answer, Finding};

/// The window of relations.
#[derive(Debug, Clone)]
pub struct Relations {
    title: String,
    /// The number of the question that fills it.
    asked: u64,
    /// None until the answer has come.
    found: Option<Answer<Vec<Relation>>>,
    /// Places among the found ones that the filter lets through, best first.
    shown: Vec<usize>,
    filter: Input,
    selected: Selection,
}

/// Rows at the foot of the screen at most: the source of what is selected stays in sight above.
const ROWS: u16 = 14;
/// Rows of a window without a line in its list: its border, its text field, a line of words.
const LEAST_ROWS: u16 = 4;

/// Opens the window for the symbol that the source shows and asks for what it uses, or for what uses it.
pub fn open(model: &mut Model, users: bool, effects: &mut Vec<Effect>) {
    let Some(symbol) = navigation::current_symbol(model).cloned() else {
        model.show_error("there is no symbol to look around from yet");
        return;
    };
    let node = Node::from(&symbol);
    let (topic, what) = match users {
        true => (Topic::Users(node), "what uses"),
        false => (Topic::Uses(node), "what it uses:"),
    };
    let asked = ask(model, topic, effects);
    let title = format!("{what} {}", safe(&symbol.name));
    let (filter, shown) = (Input::default(), Vec::new());
    model.overlays.push(Overlay::Relations(Relations {
        title,
        asked,
        found: None,
        shown,
        filter,
        selected: Selection::default(),
    }));
}

impl Layer for Relations {
    fn field_mut(&mut self) -> Option<&mut Input> {
        Some(&mut self.filter)
    }

    fn field(&self) -> Option<&Input> {
        Some(&self.filter)
    }

    fn covers(&self) -> u16 {
        (LEAST_ROWS - 1).saturating_add(self.relations().len() as u16).clamp(LEAST_ROWS, ROWS)
    }

    fn symbol(&self) -> Option<&Symbol> {
        self.chosen().map(|relation| &relation.symbol)
    }

    fn symbol_line(&self) -> Option<u32> {
        self.chosen()?.line
    }

    fn changed(&mut self, _model: &mut Model, _now: Instant, _effects: &mut Vec<Effect>) {
        self.sift();
    }

    fn run(&mut self, command: Command, model: &mut Model, _now: Instant, _effects: &mut Vec<Effect>) -> Flow {
        if self.selected.moves(command, self.shown.len()) {
            return Flow::Stay;
        }
        match command {
            Command::OverlayClose => Flow::Close,
            Command::OverlayRun => {
                if let Some(relation) = self.chosen() {
                    navigation::visit_at(model, relation.symbol.clone(), relation.line);
                }
                Flow::Close
            }
            _ => Flow::Pass,
        }
    }

    fn found(&mut self, number: u64, finding: &Answer<Finding>) {
        if number == self.asked {
            match finding {
                Ok(Finding::Uses(relations) | Finding::Users(relations)) => self.found = Some(Ok(relations.clone())),
                Ok(_) => (),
                Err(error) => self.found = Some(Err(error.clone())),
            }
            self.sift();
        }
    }

    fn area(&self, model: &Model) -> Rect {
        window::foot(model.size, self.covers())
    }

    fn click(&mut self, place: Position, model: &mut Model, _now: Instant, _effects: &mut Vec<Effect>) {
        let room = window::below_field(window::inside(self.area(model)));
        self.selected.click(room, self.shown.len(), place);
    }

    fn draw(&self, canvas: &mut Canvas<'_>) {
        let relations = self.relations();
        let count = format!("{} of {}", self.shown.len(), relations.len());
        let mut inner = window::open(canvas, self.area(canvas.model), &self.title, &count);
        window::field(canvas, &mut inner, &self.filter);
        let words = match &self.found {
            None => Some("looking".to_owned()),
            Some(Err(error)) => Some(safe(error).into_owned()),
            Some(Ok(found)) if found.is_empty() => Some("Nothing is known.".to_owned()),
            Some(Ok(_)) => None,
        };
        if let Some(words) = words {
            let line = Line::from(canvas.span(Slot::Dim, format!(" {words}")));
            canvas.line(inner, &line);
        }
        let columns = inner.width as usize;
        window::list(canvas, inner, self.selected.row(), self.shown.len(), |canvas, row| {
            line(canvas, &relations[self.shown[row]], columns)
        });
    }
}

fn line(canvas: &Canvas<'_>, relation: &Relation, columns: usize) -> Line<'static> {
    let glyphs = &canvas.model.skin.glyphs;
    let symbol = &relation.symbol;
    let kind = text::pad(&relation.edge_type.name().replace('_', " "), 15);
    let place = match symbol.file.as_str() {
        "" => "outside".to_owned(),
        file => format!("{}:{}", safe(file), relation.line.unwrap_or(symbol.span.name_line)),
    };
    let room = columns.saturating_sub(20);
    let name_columns = room / 2;
    let name = match symbol.scope.as_str() {
        "" => safe(&symbol.name).into_owned(),
        scope => format!("{} {}{}", safe(&symbol.name), glyphs.container, safe(scope)),
    };
    let name = text::fit(&name, name_columns, glyphs.ellipsis).into_owned();
    let place = text::fit_end(&place, room - name_columns, glyphs.ellipsis).into_owned();
    Line::from(vec![
        canvas.span(Slot::Dim, kind),
        canvas.span(Slot::Name, text::pad(&name, name_columns + 1)),
        canvas.span(Slot::Place, place),
    ])
}

impl Relations {
    fn relations(&self) -> &[Relation] {
        match &self.found {
            Some(Ok(relations)) => relations,
            _ => &[],
        }
    }

    fn chosen(&self) -> Option<&Relation> {
        self.relations().get(*self.selected.of(&self.shown)?)
    }

    /// Lets through what the filter matches, best match first; without a filter everything in its own order.
    fn sift(&mut self) {
        let words = |relation: &Relation| format!("{} {}", relation.symbol.short_name(), relation.edge_type.name());
        let words: Vec<String> = self.relations().iter().map(words).collect();
        self.shown = fuzzy::matching(self.filter.value(), words.iter().map(String::as_str));
        self.selected.reset();
    }
}
