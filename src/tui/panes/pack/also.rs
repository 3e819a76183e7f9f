//! The fold at the foot of the list: what likely changes with its first symbols and can't be ranked by text.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::{ID, Stage};
use crate::model::{Also, Symbol};
use crate::render::ALSO;
use crate::text::display::safe;
use crate::tui::backend::{Answer, Response};
use crate::tui::command::{Command, Context};
use crate::tui::effect::{Effect, Topic};
use crate::tui::model::{Focus, Model};
use crate::tui::theme::Slot;
use crate::tui::update::{ask, navigation};
use crate::tui::view::{Canvas, text};

/// The state of the fold.
#[derive(Debug, Clone, Default)]
pub struct Fold {
    pub list: Vec<Also>,
    /// Whether the rows are shown.
    pub is_open: bool,
    /// The row of the cursor, while it is in the fold and not in the list.
    pub row: Option<usize>,
    /// Number of the last question, and the ranking and the version of the index that it was about.
    question: u64,
    asked_about: Option<(u64, u64)>,
}

/// A lower list has no row to spare for a closed fold.
const MIN_ROWS: u16 = 6;
/// Rows of the list above an open fold.
const MIN_ABOVE: u16 = 3;

impl Fold {
    /// Returns the rows that it takes from a list of this height.
    pub fn rows(&self, height: u16) -> u16 {
        match (self.list.is_empty(), self.is_open) {
            (true, _) => 0,
            (false, false) => u16::from(height >= MIN_ROWS),
            (false, true) => (1 + self.list.len() as u16).min(height.saturating_sub(MIN_ABOVE)),
        }
    }

    /// Returns the selected one.
    pub fn selected(&self) -> Option<&Also> {
        self.list.get(self.row?)
    }

    /// Splits the area of the list into that of its rows and that of the fold.
    pub fn split(&self, area: Rect) -> (Rect, Rect) {
        let rows = self.rows(area.height);
        let list = Rect { height: area.height - rows, ..area };
        (list, Rect { y: list.bottom(), height: rows, ..area })
    }

    fn first_row(&self, height: u16) -> usize {
        (self.row.unwrap_or(0) + 1).saturating_sub(height as usize)
    }
}

/// Asks for what likely changes with the first symbols, once the task is read: while it is typed, rows come first.
pub fn follow(model: &mut Model, effects: &mut Vec<Effect>) {
    let list = &model.panes.pack;
    let about = Some((model.search.generation, model.index_version));
    let is_wanted = list.stage == Stage::Full && !list.stale && model.focus != Focus::Task;
    if is_wanted && list.fold.asked_about != about {
        let task = model.task.task();
        model.panes.pack.fold.asked_about = about;
        model.panes.pack.fold.question = ask(model, Topic::Also { task }, effects);
    }
}

/// Shows the answer. The cursor stays on its symbol.
pub fn answered(model: &mut Model, number: u64, response: &Answer<Response>) {
    let fold = &mut model.panes.pack.fold;
    let Some(Ok(Response::Also(list))) = Some(response).filter(|_| number == fold.question) else { return };
    let selected = fold.selected().map(|one| one.symbol.id);
    fold.list.clone_from(list);
    fold.row = selected.and_then(|id| fold.list.iter().position(|one| one.symbol.id == id));
    if selected.is_some() {
        navigation::return_to_list(model);
    }
}

/// Opens the fold with the cursor in it, or closes it.
pub fn toggle(model: &mut Model) {
    let fold = &mut model.panes.pack.fold;
    if fold.list.is_empty() {
        return model.show_message("nothing is known that changes with these");
    }
    fold.is_open = !fold.is_open;
    fold.row = fold.is_open.then_some(0);
    navigation::return_to_list(model);
}

/// Closes the fold. Returns whether it was open.
pub fn close(model: &mut Model) -> bool {
    let was_open = std::mem::take(&mut model.panes.pack.fold.is_open);
    model.panes.pack.fold.row = None;
    if was_open {
        navigation::return_to_list(model);
    }
    was_open
}

/// Moves the cursor in the fold. Returns false if it is not there, or has left it for the list above.
pub fn scroll(model: &mut Model, by: isize) -> bool {
    let fold = &mut model.panes.pack.fold;
    let Some(row) = fold.row else { return false };
    let last = fold.list.len().saturating_sub(1);
    fold.row = row.checked_add_signed(by).map(|row| row.min(last));
    let is_inside = fold.row.is_some();
    navigation::return_to_list(model);
    // A step up leads to the row that was selected; a jump to the top goes on.
    is_inside || by > isize::MIN / 4
}

/// Selects what is at a row of the fold; its heading opens or closes it.
pub fn click(model: &mut Model, row: usize, height: u16) {
    let fold = &mut model.panes.pack.fold;
    let row = row + fold.first_row(height.saturating_sub(1));
    match row.checked_sub(1).filter(|row| *row < fold.list.len()) {
        Some(row) => {
            fold.row = Some(row);
            navigation::return_to_list(model);
        }
        None => toggle(model),
    }
}

/// Draws the heading, and the rows of an open fold: name, the edge that leads there, place.
pub fn draw(canvas: &mut Canvas<'_>, area: Rect) {
    let model = canvas.model;
    let fold = &model.panes.pack.fold;
    if area.is_empty() {
        return;
    }
    let glyphs = &model.appearance.glyphs;
    let key = model.keymap.keys_of(Context::Normal, Command::Fold).into_iter().next().unwrap_or_default();
    let mark = if fold.is_open { glyphs.down } else { glyphs.running };
    let heading = vec![
        canvas.span(Slot::Dim, format!(" {mark} ")),
        canvas.span(Slot::Heading, format!("{ALSO} ")),
        canvas.span(Slot::Dim, format!("{} {} ", fold.list.len(), glyphs.dot)),
        canvas.span(Slot::HintKey, key),
    ];
    canvas.line(Canvas::row(area, 0), &Line::from(heading));
    let rows = area.height.saturating_sub(1);
    let shown = fold.list.iter().enumerate().skip(fold.first_row(rows)).take(rows as usize);
    for (row, (index, one)) in shown.enumerate() {
        let row_area = Canvas::row(area, row + 1);
        line(canvas, row_area, one);
        if fold.row == Some(index) {
            canvas.select(row_area, model.focus == Focus::Pane(ID));
        }
    }
}

fn line(canvas: &mut Canvas<'_>, area: Rect, one: &Also) {
    let glyphs = &canvas.model.appearance.glyphs;
    let Symbol { name, scope, file, span, .. } = &one.symbol;
    let place = format!("{}:{}", safe(file), span.name_line);
    let place = text::fit_end(&place, area.width as usize * 2 / 5, glyphs.ellipsis).into_owned();
    let left = canvas.line_right(area, &Line::from(canvas.span(Slot::Location, format!(" {place}"))));
    canvas.link(Rect { x: left.right(), width: area.right() - left.right(), ..area }, file, span.name_line);
    let room = (left.width as usize).saturating_sub(5);
    let reason =
        text::fit(&safe(&one.reason), room.saturating_sub(text::width(name) + 2), glyphs.ellipsis).into_owned();
    let name = text::fit(&safe(name), room, glyphs.ellipsis).into_owned();
    let container = match room.saturating_sub(text::width(&name) + text::width(&reason) + 2) {
        free if !scope.is_empty() && free > text::width(scope) + 2 => format!(" {}{}", glyphs.container, safe(scope)),
        _ => String::new(),
    };
    let spans: Vec<Span<'_>> = vec![
        canvas.span(Slot::Name, format!("     {name}")),
        canvas.span(Slot::Container, container),
        canvas.span(Slot::Dim, format!("  {reason}")),
    ];
    canvas.line(left, &Line::from(spans));
}
