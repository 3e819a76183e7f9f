//! The definitions that a symbol uses, or its references, as a list.

use std::time::Instant;

use ratatui::layout::{Position, Rect};
use ratatui::text::Line;
use tui_input::Input;

use super::{EventResult, Overlay, Selection, Window};
use crate::engine::{Relation, Users};
use crate::model::Symbol;
use crate::text::display::safe;
use crate::tui::backend::{Answer, Response};
use crate::tui::command::Command;
use crate::tui::effect::{Effect, Node, Topic};
use crate::tui::fuzzy;
use crate::tui::model::Model;
use crate::tui::theme::Slot;
use crate::tui::update::{ask, navigation};
use crate::tui::view::window::{SymbolList, SymbolRow};
use crate::tui::view::{Canvas, text, window};

/// The relations window.
#[derive(Debug, Clone, Default)]
pub struct Relations {
    title: String,
    /// The number of its request.
    request_number: u64,
    /// `None` until the response arrives.
    response: Option<Answer<Users>>,
    /// The relations that match the filter, by their indices, best match first: each line of a use has a row.
    shown: Vec<(usize, Option<u32>)>,
    filter: Input,
    selected: Selection,
    /// Whether the rows are definitions of one name: their kinds tell more than the edges to them.
    are_definitions: bool,
}

/// Maximum number of rows at the bottom of the screen, so that the source of the selected symbol stays visible above.
const ROWS: u16 = 14;
/// Rows of an empty window: border, text field and message.
const MIN_ROWS: u16 = 4;

/// Opens the window for the highlighted symbol.
pub fn open(model: &mut Model, users: bool, effects: &mut Vec<Effect>) {
    match navigation::definitions(model).and_then(navigation::only) {
        Ok(symbol) => open_for(model, symbol, users, effects),
        Err(reason) => model.show_error(reason),
    }
}

/// Opens the window for a symbol.
pub fn open_for(model: &mut Model, symbol: Symbol, users: bool, effects: &mut Vec<Effect>) {
    let node = Node::from(&symbol);
    let (topic, relation) = match users {
        true => (Topic::Users(node), "used by"),
        false => (Topic::Uses(node), "uses"),
    };
    let request_number = ask(model, topic, effects);
    let title = format!("{} {relation}", safe(&symbol.name));
    model.overlays.push(Overlay::Relations(Relations { title, request_number, ..Relations::default() }));
}

/// Opens the window with these definitions of one name.
pub fn open_list(model: &mut Model, title: String, definitions: Vec<Relation>) {
    let response = Some(Ok(Users { relations: definitions, ..Users::default() }));
    let mut window = Relations { title, response, are_definitions: true, ..Relations::default() };
    window.apply_filter();
    model.overlays.push(Overlay::Relations(window));
}

impl Window for Relations {
    fn input_mut(&mut self) -> Option<&mut Input> {
        Some(&mut self.filter)
    }

    fn input(&self) -> Option<&Input> {
        Some(&self.filter)
    }

    fn enter_label(&self) -> &'static str {
        "go"
    }

    fn covered_rows(&self) -> u16 {
        let rows = u16::try_from(self.row_count()).unwrap_or(ROWS);
        (MIN_ROWS - 1).saturating_add(rows).clamp(MIN_ROWS, ROWS)
    }

    fn selected_symbol(&self) -> Option<&Symbol> {
        self.chosen().map(|(relation, _)| &relation.symbol)
    }

    fn selected_line(&self) -> Option<u32> {
        self.chosen()?.1
    }

    fn input_changed(&mut self, _model: &mut Model, _now: Instant, _effects: &mut Vec<Effect>) {
        self.apply_filter();
    }

    fn run(&mut self, command: Command, model: &mut Model, _now: Instant, _effects: &mut Vec<Effect>) -> EventResult {
        if self.selected.apply(command, self.shown.len()) {
            return EventResult::Consumed;
        }
        match command {
            Command::OverlayClose => EventResult::Close,
            Command::OverlayRun => {
                if let Some((relation, line)) = self.chosen() {
                    navigation::visit_at(model, relation.symbol.clone(), line);
                }
                EventResult::Close
            }
            _ => EventResult::Ignored,
        }
    }

    fn on_response(&mut self, number: u64, response: &Answer<Response>) {
        if number == self.request_number {
            match response {
                Ok(Response::Uses(relations)) => {
                    self.response = Some(Ok(Users { relations: relations.clone(), ..Users::default() }));
                }
                Ok(Response::Users(users)) => self.response = Some(Ok(users.clone())),
                Ok(_) => (),
                Err(error) => self.response = Some(Err(error.clone())),
            }
            if let Some(Ok(found)) = &mut self.response {
                found.relations.sort_by_key(|relation| relation.symbol.file.is_empty());
            }
            self.apply_filter();
        }
    }

    fn area(&self, model: &Model) -> Rect {
        let frame = Rect { width: model.size.width, ..Rect::default() };
        let caveats = u16::try_from(self.caveat_lines(window::inside(frame)).len()).unwrap_or(ROWS);
        window::foot(model.size, self.covered_rows().saturating_add(caveats))
    }

    fn click(&mut self, position: Position, model: &mut Model, _now: Instant, _effects: &mut Vec<Effect>) {
        let (room, _) = self.rooms(window::below_field(window::inside(self.area(model))));
        self.selected.click(room, self.shown.len(), position);
    }

    fn draw(&self, canvas: &mut Canvas<'_>) {
        let relations = self.relations();
        let count = match self.row_count() == relations.len() {
            true => String::new(),
            false => format!(" in {}", text::count(relations.len(), "symbol")),
        };
        let count = format!("Enter goes, {} of {}{count}", self.shown.len(), self.row_count());
        let mut inner = window::open(canvas, self.area(canvas.model), &self.title, &count);
        window::field(canvas, &mut inner, &self.filter);
        let message = match &self.response {
            None => Some("searching".to_owned()),
            Some(Err(error)) => Some(safe(error).into_owned()),
            Some(Ok(Users { relations, caveats })) if relations.is_empty() => {
                Some(if caveats.is_empty() { "None found." } else { "None known." }.to_owned())
            }
            Some(Ok(_)) => None,
        };
        if let Some(message) = message {
            let line = Line::from(canvas.span(Slot::Dim, format!(" {message}")));
            canvas.line(inner, &line);
        }
        let (inner, below) = self.rooms(inner);
        for (row, words) in self.caveat_lines(below).into_iter().enumerate().take(below.height as usize) {
            let line = Line::from(canvas.span(Slot::Dim, format!(" {words}")));
            canvas.line(Canvas::row(below, row), &line);
        }
        let (selected, len, typed) = (self.selected.row(), self.shown.len(), self.filter.value());
        window::symbols(canvas, inner, &SymbolList { selected, len, lead: KIND, typed }, |canvas, row| {
            let (index, at) = self.shown[row];
            let Relation { symbol, edge_type, may_run, .. } = &relations[index];
            let kind = match (self.are_definitions, may_run) {
                (true, _) => symbol.kind.name(),
                (false, true) => "may run",
                (false, false) => edge_type.name(),
            };
            let lead = vec![canvas.span(Slot::Dim, text::pad(&kind.replace('_', " "), KIND))];
            SymbolRow { lead, symbol, line: at.unwrap_or(symbol.span.name_line) }
        });
    }
}

/// Columns of the kind.
const KIND: usize = 15;

impl Relations {
    fn relations(&self) -> &[Relation] {
        match &self.response {
            Some(Ok(found)) => &found.relations,
            _ => &[],
        }
    }

    /// Returns what is not known about other users, in lines of a room.
    fn caveat_lines(&self, room: Rect) -> Vec<String> {
        match &self.response {
            Some(Ok(found)) => text::wrap(&safe(&found.caveats.join("; ")), (room.width as usize).saturating_sub(2)),
            _ => Vec::new(),
        }
    }

    /// Returns the rooms of the list, which has at least one row, and of the caveats below it.
    fn rooms(&self, room: Rect) -> (Rect, Rect) {
        let caveats = u16::try_from(self.caveat_lines(room).len()).unwrap_or(ROWS);
        let caveats = caveats.min(room.height.saturating_sub(1));
        let height = room.height - caveats;
        (Rect { height, ..room }, Rect { y: room.y + height, height: caveats, ..room })
    }

    /// Returns the number of rows without a filter.
    fn row_count(&self) -> usize {
        self.relations().iter().map(|relation| relation.lines.len().max(1)).sum()
    }

    fn chosen(&self) -> Option<(&Relation, Option<u32>)> {
        let (index, line) = *self.selected.get(&self.shown)?;
        Some((self.relations().get(index)?, line))
    }

    /// Applies the filter: best match first, or the original order without a filter.
    fn apply_filter(&mut self) {
        let label = |relation: &Relation| format!("{} {}", relation.symbol.short_name(), relation.edge_type.name());
        let labels: Vec<String> = self.relations().iter().map(label).collect();
        let matching = fuzzy::matching(self.filter.value(), labels.iter().map(String::as_str)).into_iter();
        let rows = |index: usize| {
            let lines = self.relations().get(index).map_or(&[][..], |relation| &relation.lines);
            let lines = lines.iter().copied().map(Some).chain(lines.is_empty().then_some(None));
            lines.map(move |line| (index, line)).collect::<Vec<_>>()
        };
        self.shown = matching.flat_map(rows).collect();
        self.selected.select_first();
    }
}

#[cfg(test)]
mod tests {
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;

    use super::*;
    use crate::tui::fixture;
    use crate::tui::view::view;

    fn shown(users: Users) -> String {
        let mut model = fixture::model(60, 24);
        let mut window =
            Relations { title: "save used by".to_owned(), response: Some(Ok(users)), ..Relations::default() };
        window.apply_filter();
        model.overlays.push(Overlay::Relations(window));
        let mut terminal = Terminal::new(TestBackend::new(60, 24)).unwrap();
        terminal.draw(|frame| view(&model, frame)).unwrap();
        terminal.backend().to_string()
    }

    #[test]
    fn what_is_not_known_is_said_below_the_users() {
        let clauses = ["2 lines have `save` for something else", "it is visible outside, so that others may use it"];
        let caveats = clauses.map(str::to_owned).to_vec();
        let none = shown(Users { caveats: caveats.clone(), ..Users::default() });
        assert!(
            none.contains("┃ None known. ") && none.contains("┃ 2 lines have `save` for something else; it is "),
            "{none}"
        );
        assert!(shown(Users::default()).contains("None found."), "nothing names it");
        let symbol = fixture::pack().symbols[1].symbol.clone();
        let edge_type = crate::model::EdgeType::Calls;
        let relation = Relation { symbol, edge_type, confidence: 1.0, lines: vec![7], may_run: true };
        let one = shown(Users { relations: vec![relation], caveats });
        let row = one.lines().position(|line| line.contains("may run ")).unwrap_or_else(|| panic!("{one}"));
        assert!(one.lines().nth(row + 1).is_some_and(|line| line.contains("2 lines have")), "{one}");
        assert!(!one.contains("None"), "{one}");
    }
}
