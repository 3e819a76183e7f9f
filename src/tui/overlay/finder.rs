//! The symbol finder: fuzzy search over the names of all symbols of the repository.

use std::time::Instant;

use ratatui::layout::{Position, Rect};
use ratatui::text::Line;
use tui_input::Input;

use super::{EventResult, Overlay, Selection, Window};
use crate::model::Symbol;
use crate::render::scoped_name;
use crate::text::display::safe;
use crate::tui::backend::{Answer, Response};
use crate::tui::command::Command;
use crate::tui::effect::{Effect, Topic};
use crate::tui::model::{Focus, IndexState, Model};
use crate::tui::panes::pack::PackList;
use crate::tui::theme::Slot;
use crate::tui::update::{ask, navigation};
use crate::tui::view::window::{SymbolList, SymbolRow};
use crate::tui::view::{Canvas, text, window};

/// The action on the selected symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Show it in the source and why panes.
    Visit,
    /// Explain why it is not in the pack.
    WhyNot,
    /// Make it the root of the graph.
    Root,
}

/// The finder window.
#[derive(Debug, Clone)]
pub struct Finder {
    purpose: Purpose,
    input: Input,
    /// The number of the latest request.
    request_number: u64,
    /// The number of the latest request that got its response.
    answered_number: u64,
    /// The version of the index that `response` is from.
    index_version: u64,
    /// Whether the current text has a response; a later response keeps a moved selection on its symbol.
    is_answered: bool,
    response: Answer<Vec<Symbol>>,
    selected: Selection,
}

/// Rows at the bottom of the screen, so that the source of the selected symbol stays visible above.
const ROWS: u16 = 14;

/// Opens the finder.
pub fn open(model: &mut Model, purpose: Purpose) {
    let (response, selected) = (Ok(suggestions(purpose, model)), Selection::default());
    let (input, index_version) = (Input::default(), model.index_version);
    let finder = Finder {
        purpose,
        input,
        request_number: 0,
        answered_number: 0,
        index_version,
        is_answered: false,
        response,
        selected,
    };
    model.overlays.push(Overlay::Finder(finder));
}

/// Returns the symbols that are listed before a letter is typed: those of the ranking that are not in the pack, to explain one.
fn suggestions(purpose: Purpose, model: &Model) -> Vec<Symbol> {
    let list = &model.panes.pack;
    match purpose {
        Purpose::WhyNot => list.symbols.iter().skip(list.packed).map(|packed| packed.symbol.clone()).collect(),
        Purpose::Visit | Purpose::Root => Vec::new(),
    }
}

impl Window for Finder {
    fn input_mut(&mut self) -> Option<&mut Input> {
        Some(&mut self.input)
    }

    fn input(&self) -> Option<&Input> {
        Some(&self.input)
    }

    fn enter_label(&self) -> &'static str {
        match self.purpose {
            Purpose::Visit => "go",
            Purpose::WhyNot => "explain",
            Purpose::Root => "set root",
        }
    }

    fn covered_rows(&self) -> u16 {
        ROWS
    }

    fn selected_symbol(&self) -> Option<&Symbol> {
        self.selected.get(self.symbols())
    }

    fn input_changed(&mut self, model: &mut Model, _now: Instant, effects: &mut Vec<Effect>) {
        let question = self.input.value().trim().to_owned();
        if question.is_empty() {
            let suggested = Ok(suggestions(self.purpose, model));
            (self.request_number, self.answered_number, self.response) = (0, 0, suggested);
            self.selected.select_first();
        } else {
            self.request_number = ask(model, Topic::Symbols(question), effects);
        }
        (self.is_answered, self.index_version) = (false, model.index_version);
    }

    fn refresh(&mut self, model: &mut Model, effects: &mut Vec<Effect>) {
        // Node ids of another version of the index are meaningless.
        if self.index_version != model.index_version {
            (self.response, self.is_answered, self.index_version) = (Ok(Vec::new()), false, model.index_version);
        } else if self.request_number != self.answered_number {
            // Superseding a running search on every parsed file would starve it.
            return;
        }
        let question = self.input.value().trim().to_owned();
        if !question.is_empty() {
            self.request_number = ask(model, Topic::Symbols(question), effects);
        }
    }

    fn run(&mut self, command: Command, model: &mut Model, _now: Instant, _effects: &mut Vec<Effect>) -> EventResult {
        if self.selected.apply(command, self.symbols().len()) {
            return EventResult::Consumed;
        }
        match command {
            Command::OverlayClose => EventResult::Close,
            Command::OverlayRun => {
                if let Some(symbol) = self.symbols().get(self.selected.row()).cloned() {
                    self.accept(model, symbol);
                }
                EventResult::Close
            }
            _ => EventResult::Ignored,
        }
    }

    fn on_response(&mut self, number: u64, response: &Answer<Response>) {
        if number != self.request_number {
            return;
        }
        // While the index is partial, symbols of one Go package with equal names share one id.
        let key = |symbol: &Symbol| (symbol.id, symbol.file.clone(), symbol.span.name_line);
        let has_moved = self.is_answered && self.selected.row() > 0;
        let selected = self.selected_symbol().map(key).filter(|_| has_moved);
        match response {
            Ok(Response::Symbols(symbols)) => self.response = Ok(symbols.clone()),
            Ok(_) => (),
            Err(error) => self.response = Err(error.clone()),
        }
        let row = self.symbols().iter().position(|symbol| selected.as_ref() == Some(&key(symbol)));
        self.selected.select(row.unwrap_or(0));
        (self.is_answered, self.answered_number) = (true, number);
    }

    /// Symbols with exactly the typed name, or with it and those of its scope (`Flask.run`), come first, by rank; of the others
    /// those in the pack come last where symbols outside of it are asked for.
    fn arrange(&mut self, list: &PackList) {
        let typed = self.input.value().trim().to_lowercase();
        // While the index is partial, symbols of one Go package with equal names share one id.
        let key = |symbol: &Symbol| (symbol.id, symbol.file.clone(), symbol.span.name_line);
        let selected = self.selected_symbol().map(key).filter(|_| self.selected.row() > 0);
        let purpose = self.purpose;
        let Ok(symbols) = &mut self.response else { return };
        symbols.sort_by_cached_key(|symbol| {
            let index = list.index_of(symbol.id);
            let is_exact = symbol.name.to_lowercase() == typed || scoped_name(symbol).to_lowercase() == typed;
            let rank = index.map_or(usize::MAX, |index| list.ranks[index]);
            let is_last = match purpose {
                Purpose::WhyNot => index.is_some_and(|index| list.is_packed(index)),
                Purpose::Visit | Purpose::Root => false,
            };
            (!is_exact, if is_exact { rank } else { usize::from(is_last) })
        });
        let row = selected.and_then(|selected| symbols.iter().position(|symbol| key(symbol) == selected));
        self.selected.select(row.unwrap_or(0));
    }

    fn area(&self, model: &Model) -> Rect {
        window::foot(model.size, ROWS)
    }

    fn click(&mut self, position: Position, model: &mut Model, _now: Instant, _effects: &mut Vec<Effect>) {
        let room = window::below_field(window::inside(self.area(model)));
        self.selected.click(room, self.symbols().len(), position);
    }

    fn draw(&self, canvas: &mut Canvas<'_>) {
        let title = match self.purpose {
            Purpose::Visit => "go to a symbol",
            Purpose::WhyNot => "which symbol is not listed?",
            Purpose::Root => "graph of which symbol?",
        };
        let mut inner = window::open(canvas, self.area(canvas.model), title, &format!("Enter {}", self.enter_label()));
        window::field(canvas, &mut inner, &self.input);
        let message = match (&self.response, self.input.value().trim()) {
            (Err(error), _) => safe(error).into_owned(),
            (Ok(found), "") if found.is_empty() => "Type a part of its name.".to_owned(),
            (Ok(found), _) if found.is_empty() && self.request_number > 0 => match canvas.model.index {
                _ if self.request_number != self.answered_number => "searching".to_owned(),
                IndexState::Building(_) => "No match among the files parsed so far.".to_owned(),
                _ => "No match.".to_owned(),
            },
            _ => String::new(),
        };
        let line = Line::from(canvas.span(Slot::Dim, format!(" {message}")));
        canvas.line(inner, &line);
        let symbols = self.symbols();
        let (selected, len, typed) = (self.selected.row(), symbols.len(), self.input.value());
        window::symbols(canvas, inner, &SymbolList { selected, len, lead: LEAD, typed }, |canvas, row| {
            let symbol = &symbols[row];
            let rank = canvas.model.panes.pack.rank_of(symbol.id).map_or(String::new(), |rank| format!("#{rank}"));
            let kind = symbol.kind.name().replace('_', " ");
            let lead = vec![
                canvas.span(Slot::Rank, text::pad_start(&rank, 4)),
                canvas.span(Slot::Dim, format!(" {}", text::pad(&kind, LEAD - 5))),
            ];
            SymbolRow { lead, symbol, line: symbol.span.name_line }
        });
    }
}

/// Columns of rank and kind, with the blank between them.
const LEAD: usize = 19;

impl Finder {
    fn symbols(&self) -> &[Symbol] {
        self.response.as_deref().unwrap_or_default()
    }

    fn accept(&self, model: &mut Model, symbol: Symbol) {
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
        }
    }
}
