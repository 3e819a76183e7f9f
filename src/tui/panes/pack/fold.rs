//! The folds at the foot of the list: what likely changes with its first symbols, and sections of documents that answer the
//! task. Neither is ranked with the code. One of them is open at a time.

use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};

use super::{DOCUMENTS, ID, Stage};
use crate::engine::Beside;
use crate::model::{Also, Symbol, SymbolId};
use crate::render;
use crate::text::display::safe;
use crate::tui::backend::{Answer, Response};
use crate::tui::command::{Command, Context};
use crate::tui::effect::{Effect, Topic};
use crate::tui::model::{Focus, Model};
use crate::tui::theme::Slot;
use crate::tui::update::{ask, navigation};
use crate::tui::view::{Canvas, text};

/// One of the folds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fold {
    Also,
    Documents,
}

impl Fold {
    const ALL: [Fold; 2] = [Fold::Also, Fold::Documents];

    /// Returns the title, the command that opens it, and what is said of an empty one.
    fn texts(self) -> (&'static str, Command, &'static str) {
        match self {
            Fold::Also => (render::ALSO, Command::Fold, "nothing is known that changes with these"),
            Fold::Documents => {
                (render::DOCUMENTS, Command::Pane(DOCUMENTS), "no section of a document answers this task")
            }
        }
    }
}

/// The state of the folds.
#[derive(Debug, Clone, Default)]
pub struct Folds {
    pub beside: Beside,
    pub open: Option<Fold>,
    /// The row of the cursor, while it is in the open fold and not in the list.
    pub row: Option<usize>,
    /// The symbol that the next answer selects, if a fold has it.
    pub awaited: Option<SymbolId>,
    /// Number of the last question, and the ranking and the version of the index that it was about.
    question: u64,
    asked_about: Option<(u64, u64)>,
    /// Whether documents were asked for: then those with only some of the words of the task are listed, too.
    asks_for_documents: bool,
    /// Whether the answer opens their fold.
    opens: bool,
}

/// A lower list has no row to spare for closed folds.
const MIN_ROWS: u16 = 6;
/// Rows of the list above an open fold.
pub const MIN_ABOVE: u16 = 3;

impl Folds {
    fn list(&self, fold: Fold) -> &[Also] {
        match fold {
            Fold::Also => &self.beside.also,
            Fold::Documents => &self.beside.documents,
        }
    }

    /// Returns whether sections of documents answer the task.
    pub fn has_documents(&self) -> bool {
        !self.beside.documents.is_empty()
    }

    /// Returns the rows of the open fold.
    fn shown(&self) -> &[Also] {
        self.open.map_or(&[], |open| self.list(open))
    }

    /// Returns the rows that the folds take from a list of this height.
    pub fn rows(&self, height: u16) -> u16 {
        match (Fold::ALL.iter().all(|fold| self.list(*fold).is_empty()), self.shown().len()) {
            (true, _) => 0,
            (false, 0) => u16::from(height >= MIN_ROWS),
            (false, rows) => (1 + rows as u16).min(height.saturating_sub(MIN_ABOVE)),
        }
    }

    /// Returns the selected one.
    pub fn selected(&self) -> Option<&Also> {
        self.shown().get(self.row?)
    }

    /// Splits the area of the list into that of its rows and that of the folds.
    pub fn split(&self, area: Rect) -> (Rect, Rect) {
        let rows = self.rows(area.height);
        let list = Rect { height: area.height - rows, ..area };
        (list, Rect { y: list.bottom(), height: rows, ..area })
    }

    fn first_row(&self, height: u16) -> usize {
        (self.row.unwrap_or(0) + 1).saturating_sub(height as usize)
    }
}

/// Asks for the rows, once the list is read: while the task is typed, those of the list come first.
pub fn follow(model: &mut Model, effects: &mut Vec<Effect>) {
    let list = &model.panes.pack;
    let about = Some((model.search.generation, model.index_version));
    let is_wanted = list.stage == Stage::Full && !list.stale && model.is_list_read();
    if is_wanted && list.folds.asked_about != about {
        let mut task = model.task.task();
        task.options.documents = list.folds.asks_for_documents;
        model.panes.pack.folds.asked_about = about;
        model.panes.pack.folds.question = ask(model, Topic::Beside { task }, effects);
    }
}

/// Shows the answer. The cursor stays on its symbol.
pub fn answered(model: &mut Model, number: u64, response: &Answer<Response>) {
    let folds = &mut model.panes.pack.folds;
    let Some(Ok(Response::Beside(beside))) = Some(response).filter(|_| number == folds.question) else { return };
    let selected = folds.awaited.take().or_else(|| folds.selected().map(|one| one.symbol.id));
    folds.beside.clone_from(beside);
    folds.row = selected.and_then(|id| folds.shown().iter().position(|one| one.symbol.id == id));
    // Where no code answers, documents are the answer.
    let are_alone = model.panes.pack.symbols.is_empty() && !beside.documents.is_empty() && folds.open.is_none();
    if std::mem::take(&mut folds.opens) || are_alone {
        toggle(model, Fold::Documents);
    } else if selected.is_some() {
        navigation::return_to_list(model);
    }
}

/// Opens a fold with the cursor in it, or closes it. Where no section has most of the task, the nearest are asked for.
pub fn toggle(model: &mut Model, fold: Fold) {
    let folds = &mut model.panes.pack.folds;
    if folds.list(fold).is_empty() && fold == Fold::Documents && !folds.asks_for_documents {
        (folds.asks_for_documents, folds.opens, folds.asked_about) = (true, true, None);
        return;
    }
    if folds.list(fold).is_empty() {
        return model.show_message(fold.texts().2);
    }
    folds.open = Some(fold).filter(|fold| folds.open != Some(*fold));
    folds.row = folds.open.map(|_| 0);
    navigation::return_to_list(model);
}

/// Closes the open fold. Returns whether there was one.
pub fn close(model: &mut Model) -> bool {
    let was_open = model.panes.pack.folds.open.take().is_some();
    model.panes.pack.folds.row = None;
    if was_open {
        navigation::return_to_list(model);
    }
    was_open
}

/// Moves the cursor in the open fold. Returns false if it is not there, or has left it for the list above.
pub fn scroll(model: &mut Model, by: isize) -> bool {
    let folds = &mut model.panes.pack.folds;
    let Some(row) = folds.row else { return false };
    let last = folds.shown().len().saturating_sub(1);
    folds.row = row.checked_add_signed(by).map(|row| row.min(last));
    let is_inside = folds.row.is_some();
    navigation::return_to_list(model);
    // A step up leads to the row that was selected; a jump to the top goes on.
    is_inside || by > isize::MIN / 4
}

/// Selects what is at a position; the heading of a fold opens or closes it.
pub fn click(model: &mut Model, position: Position, area: Rect) {
    let Some(row) = (position.y - area.y).checked_sub(1) else {
        let mut end = area.x;
        let clicked = headings(model, area.width).into_iter().find(|(_, parts)| {
            end += parts.iter().map(|(_, words)| text::width(words) as u16).sum::<u16>();
            position.x < end
        });
        return clicked.into_iter().for_each(|(fold, _)| toggle(model, fold));
    };
    let folds = &mut model.panes.pack.folds;
    let row = row as usize + folds.first_row(area.height - 1);
    if row < folds.shown().len() {
        folds.row = Some(row);
        navigation::return_to_list(model);
    }
}

/// Returns the heading of each fold that has rows, in pieces: mark, title, number of rows, and key.
fn headings(model: &Model, width: u16) -> Vec<(Fold, Vec<(Slot, String)>)> {
    let (glyphs, folds) = (&model.appearance.glyphs, &model.panes.pack.folds);
    let present = Fold::ALL.into_iter().filter(|fold| !folds.list(*fold).is_empty());
    let heading = |dot: &str| {
        let heading = |fold: Fold| {
            let (title, command, _) = fold.texts();
            let key = model.keymap.key_of(Context::Normal, command);
            let mark = if folds.open == Some(fold) { glyphs.down } else { glyphs.running };
            let pieces = vec![
                (Slot::Dim, format!(" {mark} ")),
                (Slot::Heading, format!("{title} ")),
                (Slot::Dim, format!("{}{dot} ", folds.list(fold).len())),
                (Slot::HintKey, format!("{key} ")),
            ];
            (fold, pieces)
        };
        present.clone().map(heading).collect::<Vec<_>>()
    };
    let whole = heading(&format!(" {}", glyphs.dot));
    let cells = whole.iter().flat_map(|(_, pieces)| pieces).map(|(_, words)| text::width(words)).sum::<usize>();
    if cells > width as usize + 1 { heading("") } else { whole }
}

/// Draws the headings, and the rows of the open fold: name, what leads there or what it says, place.
pub fn draw(canvas: &mut Canvas<'_>, area: Rect) {
    let model = canvas.model;
    let folds = &model.panes.pack.folds;
    if area.is_empty() {
        return;
    }
    let pieces = headings(model, area.width).into_iter().flat_map(|(_, pieces)| pieces);
    let spans: Vec<Span<'_>> = pieces.map(|(slot, words)| canvas.span(slot, words)).collect();
    canvas.line(Canvas::row(area, 0), &Line::from(spans));
    let rows = area.height.saturating_sub(1);
    let shown = folds.shown().iter().enumerate().skip(folds.first_row(rows)).take(rows as usize);
    for (row, (index, one)) in shown.enumerate() {
        let row_area = Canvas::row(area, row + 1);
        line(canvas, row_area, one);
        if folds.row == Some(index) {
            canvas.select(row_area, model.focus == Focus::Pane(ID));
        }
    }
}

fn line(canvas: &mut Canvas<'_>, area: Rect, one: &Also) {
    let glyphs = &canvas.model.appearance.glyphs;
    let Symbol { name, scope, file, span, .. } = &one.symbol;
    let place = span.place(&safe(file));
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
