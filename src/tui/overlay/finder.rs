//! The symbol finder: any symbol of the repository by the letters of its name.

use std::time::Instant;

use ratatui::layout::{Position, Rect};
use ratatui::text::Line;
use tui_input::Input;

use super::{Flow, Layer, Overlay, Selection};
use crate::model::Symbol;
use crate::text::display::safe;
use crate::tui::command::Command;
use crate::tui::effect::{Effect, Topic};
use crate::tui::model::{Focus, IndexState, Model};
use crate::tui::theme::Slot;
use crate::tui::update::{ask, navigation};
use crate::tui::view::{Canvas, text, window};
use crate::tui::workspace::{Answer, Finding};

/// What the found symbol is wanted for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Go there: source and reasons show it.
    Visit,
    /// Ask why it is not in the pack.
    WhyNot,
    /// Put it in the middle of the neighborhood.
    Root,
    /// Compare it with the explained one.
    Compare,
}

/// The window of the finder.
#[derive(Debug, Clone)]
pub struct Finder {
    purpose: Purpose,
    input: Input,
    /// The number of the question that fills it.
    asked: u64,
    /// The number of the last question that was answered.
    answered: u64,
    /// The state of the index that `found` is from.
    index_version: u64,
    /// An answer to these letters has come; another one leaves the selection on its symbol, once it has moved.
    is_answered: bool,
    found: Answer<Vec<Symbol>>,
    selected: Selection,
}

/// Rows at the foot of the screen: the source of what is selected stays in sight above.
const ROWS: u16 = 14;

/// Opens the window.
pub fn open(model: &mut Model, purpose: Purpose) {
    let (found, selected) = (Ok(Vec::new()), Selection::default());
    let (input, index_version) = (Input::default(), model.index_version);
    let finder = Finder { purpose, input, asked: 0, answered: 0, index_version, is_answered: false, found, selected };
    model.overlays.push(Overlay::Finder(finder));
}

impl Layer for Finder {
    fn field_mut(&mut self) -> Option<&mut Input> {
        Some(&mut self.input)
    }

    fn field(&self) -> Option<&Input> {
        Some(&self.input)
    }

    fn covers(&self) -> u16 {
        ROWS
    }

    fn symbol(&self) -> Option<&Symbol> {
        self.selected.of(self.symbols())
    }

    fn changed(&mut self, model: &mut Model, _now: Instant, effects: &mut Vec<Effect>) {
        let question = self.input.value().trim().to_owned();
        if question.is_empty() {
            (self.asked, self.answered, self.found) = (0, 0, Ok(Vec::new()));
        } else {
            self.asked = ask(model, Topic::Symbols(question), effects);
        }
        (self.is_answered, self.index_version) = (false, model.index_version);
    }

    fn renew(&mut self, model: &mut Model, effects: &mut Vec<Effect>) {
        // Symbols of another index lead nowhere in this one.
        if self.index_version != model.index_version {
            (self.found, self.is_answered, self.index_version) = (Ok(Vec::new()), false, model.index_version);
        } else if self.asked != self.answered {
            // A search that takes longer than the next file would never be heard.
            return;
        }
        let question = self.input.value().trim().to_owned();
        if !question.is_empty() {
            self.asked = ask(model, Topic::Symbols(question), effects);
        }
    }

    fn run(&mut self, command: Command, model: &mut Model, _now: Instant, _effects: &mut Vec<Effect>) -> Flow {
        if self.selected.moves(command, self.symbols().len()) {
            return Flow::Stay;
        }
        match command {
            Command::OverlayClose => Flow::Close,
            Command::OverlayRun => {
                if let Some(symbol) = self.symbols().get(self.selected.row()).cloned() {
                    self.take(model, symbol);
                }
                Flow::Close
            }
            _ => Flow::Pass,
        }
    }

    fn found(&mut self, number: u64, finding: &Answer<Finding>) {
        if number != self.asked {
            return;
        }
        // Before the index is whole, equal names of one Go package have one identity.
        let place = |symbol: &Symbol| (symbol.id, symbol.file.clone(), symbol.span.name_line);
        let has_moved = self.is_answered && self.selected.row() > 0;
        let selected = self.symbol().map(place).filter(|_| has_moved);
        match finding {
            Ok(Finding::Symbols(symbols)) => self.found = Ok(symbols.clone()),
            Ok(_) => (),
            Err(error) => self.found = Err(error.clone()),
        }
        let row = self.symbols().iter().position(|symbol| selected.as_ref() == Some(&place(symbol)));
        self.selected.go_to(row.unwrap_or(0));
        (self.is_answered, self.answered) = (true, number);
    }

    fn area(&self, model: &Model) -> Rect {
        window::foot(model.size, ROWS)
    }

    fn click(&mut self, place: Position, model: &mut Model, _now: Instant, _effects: &mut Vec<Effect>) {
        let room = window::below_field(window::inside(self.area(model)));
        self.selected.click(room, self.symbols().len(), place);
    }

    fn draw(&self, canvas: &mut Canvas<'_>) {
        let title = match self.purpose {
            Purpose::Visit => "go to a symbol",
            Purpose::WhyNot => "why is it not in the pack? choose a symbol",
            Purpose::Root => "whose neighborhood?",
            Purpose::Compare => "compare with which symbol?",
        };
        let mut inner = window::open(canvas, self.area(canvas.model), title, "Enter takes it");
        window::field(canvas, &mut inner, &self.input);
        let words = match (&self.found, self.input.value().trim()) {
            (Err(error), _) => safe(error).into_owned(),
            (Ok(found), "") if found.is_empty() => "Type letters of its name.".to_owned(),
            (Ok(found), _) if found.is_empty() && self.asked > 0 => match canvas.model.index {
                _ if self.asked != self.answered => "looking".to_owned(),
                IndexState::Building(_) => "No name that is read so far has these letters in this order.".to_owned(),
                _ => "No name has these letters in this order.".to_owned(),
            },
            _ => String::new(),
        };
        let line = Line::from(canvas.span(Slot::Dim, format!(" {words}")));
        canvas.line(inner, &line);
        let columns = inner.width as usize;
        window::list(canvas, inner, self.selected.row(), self.symbols().len(), |canvas, row| {
            line_of(canvas, &self.symbols()[row], columns)
        });
    }
}

fn line_of(canvas: &Canvas<'_>, symbol: &Symbol, columns: usize) -> Line<'static> {
    let glyphs = &canvas.model.skin.glyphs;
    let place = match symbol.file.as_str() {
        "" => "outside".to_owned(),
        file => format!("{}:{}", safe(file), symbol.span.name_line),
    };
    let rank = canvas.model.panes.pack.index_of(symbol.id).map_or(String::new(), |row| format!("#{}", row + 1));
    let room = columns.saturating_sub(21);
    let name_columns = room / 2;
    let name = match symbol.scope.as_str() {
        "" => safe(&symbol.name).into_owned(),
        scope => format!("{} {}{}", safe(&symbol.name), glyphs.container, safe(scope)),
    };
    let name = text::fit(&name, name_columns, glyphs.ellipsis).into_owned();
    let place = text::fit_end(&place, room - name_columns, glyphs.ellipsis).into_owned();
    Line::from(vec![
        canvas.span(Slot::Rank, text::pad_start(&rank, 4)),
        canvas.span(Slot::Dim, format!(" {}", text::pad(&symbol.kind.name().replace('_', " "), 14))),
        canvas.span(Slot::Name, text::pad(&name, name_columns + 1)),
        canvas.span(Slot::Place, place),
    ])
}

impl Finder {
    fn symbols(&self) -> &[Symbol] {
        self.found.as_deref().unwrap_or_default()
    }

    fn take(&self, model: &mut Model, symbol: Symbol) {
        match self.purpose {
            Purpose::Visit => navigation::visit_at(model, symbol, None),
            Purpose::WhyNot => {
                navigation::visit(model, symbol);
                model.focus = Focus::Pane(crate::tui::panes::why::ID);
            }
            Purpose::Root => {
                let visited = navigation::visited_symbol(model).cloned();
                model.panes.graph.root_at(symbol, visited.as_ref());
                model.focus = Focus::Pane(crate::tui::panes::graph::ID);
            }
            Purpose::Compare => {
                model.panes.why.compare(symbol);
                model.focus = Focus::Pane(crate::tui::panes::why::ID);
            }
        }
    }
}
