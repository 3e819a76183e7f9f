//! The key help: the keys of the pane in focus and those that matter, and all of them in as many columns as fit, filtered while typing. Enter runs the
//! selected command.

use std::time::Instant;

use ratatui::layout::{Position, Rect};
use ratatui::text::Line;
use tui_input::Input;

use super::help::{self, KeyLine, Section};
use super::{EventResult, Overlay, Selection, Window};
use crate::tui::action;
use crate::tui::command::{Command, Context};
use crate::tui::effect::Effect;
use crate::tui::model::Model;
use crate::tui::theme::Slot;
use crate::tui::update;
use crate::tui::view::{Canvas, text, window};

/// The key help window.
#[derive(Debug, Clone, Default)]
pub struct Keys {
    pub filter: Input,
    pub selected: Selection,
    /// The contexts of the keys where it was opened, nearest first.
    pub here: Vec<Context>,
    /// Whether all keys are listed, not only those that matter.
    pub lists_all: bool,
}

/// Width of a column of keys, at least.
const MIN_COLUMN: usize = 46;
/// Width of the first page, and its rows beside the lines: border, text field, line about the selected command.
const FIRST_COLUMNS: u16 = 72;
const FIRST_FRAME: u16 = 4;
/// Width of the keys before a title.
const KEY_COLUMNS: usize = 13;

/// Opens the window.
pub fn open(model: &mut Model) {
    let here = action::contexts(model);
    model.overlays.push(Overlay::Keys(Keys { here, ..Keys::default() }));
}

/// A row of the window: a heading, or a cell for each column with the index of its line.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Row {
    Heading(String),
    Cells(Vec<usize>),
}

/// The lines of all sections, and their arrangement in columns: each section is read downwards, column by column.
struct Sheet {
    lines: Vec<KeyLine>,
    rows: Vec<Row>,
    column_width: usize,
}

impl Sheet {
    fn new(sections: Vec<Section>, width: usize) -> Sheet {
        let columns = (width / MIN_COLUMN).max(1);
        let (mut lines, mut rows) = (Vec::new(), Vec::new());
        for section in sections {
            let height = section.lines.len().div_ceil(columns);
            rows.push(Row::Heading(section.title));
            for row in 0..height {
                let own = (row..section.lines.len()).step_by(height);
                rows.push(Row::Cells(own.map(|index| lines.len() + index).collect()));
            }
            lines.extend(section.lines);
        }
        Sheet { lines, rows, column_width: width / columns }
    }

    /// Returns the first visible row.
    fn first_row(&self, selected: usize, height: usize) -> usize {
        let is_own = |row: &Row| matches!(row, Row::Cells(cells) if cells.contains(&selected));
        let row = self.rows.iter().position(is_own).unwrap_or(0);
        (row + 1).saturating_sub(height)
    }

    /// Returns the line at a position of the window's list.
    fn line_at(&self, room: Rect, selected: usize, position: Position) -> Option<usize> {
        if !room.contains(position) {
            return None;
        }
        let row = self.first_row(selected, room.height as usize) + (position.y - room.y) as usize;
        match self.rows.get(row)? {
            Row::Heading(_) => None,
            Row::Cells(cells) => cells.get((position.x - room.x) as usize / self.column_width.max(1)).copied(),
        }
    }
}

impl Keys {
    fn sheet(&self, model: &Model) -> Sheet {
        let is_first = !self.lists_all && self.filter.value().trim().is_empty();
        let sections = match is_first {
            true => help::first_page(model, &self.here),
            false => help::sections(model, &self.here, self.filter.value()),
        };
        Sheet::new(sections, window::inside(self.area(model)).width as usize)
    }

    /// Returns the area of the list, and of the line about the selected command.
    fn split(room: Rect) -> (Rect, Rect) {
        let foot = room.height.min(1);
        let list = Rect { height: room.height - foot, ..room };
        (list, Rect { y: list.bottom(), height: foot, ..room })
    }
}

impl Window for Keys {
    fn input_mut(&mut self) -> Option<&mut Input> {
        Some(&mut self.filter)
    }

    fn input(&self) -> Option<&Input> {
        Some(&self.filter)
    }

    fn input_changed(&mut self, _model: &mut Model, _now: Instant, _effects: &mut Vec<Effect>) {
        self.selected.select_first();
    }

    fn run(&mut self, command: Command, model: &mut Model, now: Instant, effects: &mut Vec<Effect>) -> EventResult {
        let lines = self.sheet(model).lines;
        if self.selected.apply(command, lines.len()) {
            return EventResult::Consumed;
        }
        match command {
            Command::OverlayClose | Command::Help => EventResult::Close,
            Command::Complete => {
                self.lists_all = !self.lists_all;
                self.selected.select_first();
                EventResult::Consumed
            }
            Command::OverlayRun => {
                if let Some(line) = lines.get(self.selected.row()) {
                    update::invoke(model, &line.bound, now, effects);
                }
                EventResult::Close
            }
            _ => EventResult::Ignored,
        }
    }

    fn enter_label(&self) -> &'static str {
        "run"
    }

    fn area(&self, model: &Model) -> Rect {
        let is_first = !self.lists_all && self.filter.value().trim().is_empty();
        if !is_first {
            return window::middle(model.size, model.size.width, model.size.height);
        }
        let rows: usize = help::first_page(model, &self.here).iter().map(|section| 1 + section.lines.len()).sum();
        window::middle(model.size, FIRST_COLUMNS, FIRST_FRAME + rows as u16)
    }

    fn click(&mut self, position: Position, model: &mut Model, _now: Instant, _effects: &mut Vec<Effect>) {
        let (list, _) = Keys::split(window::below_field(window::inside(self.area(model))));
        let line = self.sheet(model).line_at(list, self.selected.row(), position);
        self.selected.select(line.unwrap_or(self.selected.row()));
    }

    fn draw(&self, canvas: &mut Canvas<'_>) {
        let model = canvas.model;
        let sheet = self.sheet(model);
        let dot = model.appearance.glyphs.dot;
        let other = if self.lists_all { "fewer" } else { "all keys" };
        let hint = format!("Tab {other} {dot} type a key or word to search all {dot} Enter runs");
        let mut inner = window::open(canvas, self.area(model), "keys", &hint);
        window::field(canvas, &mut inner, &self.filter);
        let (list, foot) = Keys::split(inner);
        let first = sheet.first_row(self.selected.row(), list.height as usize);
        for (row, content) in sheet.rows.iter().skip(first).take(list.height as usize).enumerate() {
            let area = Canvas::row(list, row);
            match content {
                Row::Heading(title) => {
                    let heading = Line::from(canvas.span(Slot::Heading, format!(" {title}")));
                    canvas.line(area, &heading);
                }
                Row::Cells(cells) => {
                    for (column, index) in cells.iter().enumerate() {
                        let x = area.x + (column * sheet.column_width) as u16;
                        let cell = Rect { x, width: sheet.column_width as u16, ..area };
                        let line = cell_line(canvas, &sheet.lines[*index], sheet.column_width);
                        canvas.line(cell, &line);
                        if *index == self.selected.row() {
                            canvas.select(Rect { width: cell.width.saturating_sub(1), ..cell }, true);
                        }
                    }
                }
            }
        }
        if sheet.lines.is_empty() {
            let words = " No key or command is called so.";
            canvas.line(list, &Line::from(canvas.span(Slot::Dim, words)));
        }
        if let Some(line) = sheet.lines.get(self.selected.row()) {
            let reason = line.reason.map_or(String::new(), |reason| format!(" {dot} not now: {reason}"));
            let words = format!(" {} {dot} {}{reason}", line.bound.spec().name, line.bound.label());
            let words = text::fit_title(&words, foot.width as usize, dot, model.appearance.glyphs.ellipsis);
            let words = Line::from(canvas.span(Slot::Dim, words));
            canvas.line(foot, &words);
        }
    }
}

/// Returns keys and title of a line in the width of a column.
fn cell_line(canvas: &Canvas<'_>, line: &KeyLine, width: usize) -> Line<'static> {
    let ellipsis = canvas.model.appearance.glyphs.ellipsis;
    let keys = match line.keys.as_str() {
        "" => line.bound.spec().name,
        keys => keys,
    };
    let keys = format!("{} ", text::fit(keys, (width / 2).saturating_sub(2), ellipsis));
    let keys = text::pad(&keys, KEY_COLUMNS);
    let room = width.saturating_sub(text::width(&keys) + 3);
    let label = line.bound.label();
    let title = text::fit_title(&label, room, canvas.model.appearance.glyphs.dot, ellipsis);
    let slot = if line.reason.is_some() { Slot::Dim } else { Slot::Text };
    Line::from(vec![canvas.span(Slot::HintKey, format!("  {keys}")), canvas.span(slot, title)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::fixture;

    #[test]
    fn sections_are_read_downwards_in_columns() {
        let model = fixture::model(160, 45);
        let keys = Keys { lists_all: true, ..Keys::default() };
        let sheet = keys.sheet(&model);
        let all: Vec<usize> = sheet
            .rows
            .iter()
            .flat_map(|row| match row {
                Row::Heading(_) => Vec::new(),
                Row::Cells(cells) => cells.clone(),
            })
            .collect();
        let mut sorted = all.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..sheet.lines.len()).collect::<Vec<usize>>(), "each line has one cell");
        for (width, columns) in [(80, 1), (100, 2), (160, 3)] {
            let rows = keys.sheet(&fixture::model(width, 45)).rows;
            let widest = rows.iter().map(|row| if let Row::Cells(cells) = row { cells.len() } else { 0 }).max();
            assert_eq!(widest, Some(columns), "{width}");
        }
        let (list, _) = Keys::split(window::below_field(window::inside(keys.area(&model))));
        for (row, content) in sheet.rows.iter().take(list.height as usize).enumerate() {
            let Row::Cells(cells) = content else { continue };
            for (column, index) in cells.iter().enumerate() {
                let position =
                    Position { x: list.x + (column * sheet.column_width) as u16 + 3, y: list.y + row as u16 };
                assert_eq!(sheet.line_at(list, 0, position), Some(*index));
            }
        }
    }
}
