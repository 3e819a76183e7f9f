//! Draws the top of the screen: repository, task line, budget meter, tabs.

use ratatui::layout::{Position, Rect, Size};
use ratatui::text::Line;

use super::{Canvas, task_box, text};
use crate::engine::concepts::MatchedConcept;
use crate::text::display::safe;
use crate::tui::command::{Command, Context};
use crate::tui::layout::{Areas, METER_COLUMNS, Shape, task_columns};
use crate::tui::model::{Focus, IndexState, Model};
use crate::tui::panes::pack::{self, Stage};
use crate::tui::panes::{self, PANES, PaneId};
use crate::tui::theme::Slot;

/// Draws the top of the screen.
pub fn draw(canvas: &mut Canvas<'_>, areas: &Areas) {
    header(canvas, areas.header);
    task(canvas, areas);
    if !areas.meter.is_empty() {
        let room = Rect { x: 1, width: areas.meter.width.saturating_sub(2), ..areas.meter };
        let line = meter(canvas, room.width as usize);
        canvas.line(room, &line);
    }
    tabs(canvas, areas.tabs);
}

fn header(canvas: &mut Canvas<'_>, area: Rect) {
    if area.is_empty() {
        return;
    }
    let model = canvas.model;
    let dot = format!(" {} ", model.appearance.glyphs.dot);
    let repository = safe(&model.status.repository);
    let mut facts = Vec::new();
    if model.status.usable {
        facts.push(text::count(model.status.files, "file"));
        facts.push(text::count(model.status.symbols, "symbol"));
    }
    facts.push(index_label(model));
    let speed = match model.panes.pack.stage {
        Stage::Full => format!("ranked in {} ms ", model.panes.pack.took.as_millis()),
        _ => String::new(),
    };
    let right = Line::from(canvas.span(Slot::Dim, speed));
    let left = canvas.line_right(area, &right);
    let left = Rect { width: left.width.saturating_sub(1), ..left };
    let name = if repository.is_empty() { "knowing".into() } else { repository };
    let name = format!(" {name}");
    let words = |facts: &[String]| facts.iter().map(|fact| format!("{dot}{fact}")).collect::<String>();
    // The state of the index is more important than its size.
    let first =
        (0..facts.len()).find(|first| text::width(&name) + text::width(&words(&facts[*first..])) <= left.width.into());
    let words = words(&facts[first.unwrap_or(facts.len())..]);
    let line = Line::from(vec![canvas.span(Slot::Heading, name), canvas.span(Slot::Dim, words)]);
    canvas.line(left, &line);
}

fn index_label(model: &Model) -> String {
    match &model.index {
        IndexState::Opening => "opening".into(),
        IndexState::Building(phases) => match phases.seen.last() {
            Some(phase) if phase.total > 0 => {
                format!("building the index: {} {}%", phase.name, phase.done * 100 / phase.total)
            }
            Some(phase) => format!("building the index: {}", phase.name),
            None => "building the index".into(),
        },
        IndexState::Updating(phases) => match phases.seen.last() {
            Some(phase) => format!("updating: {}", phase.name),
            None => "updating".into(),
        },
        IndexState::Ready => "up to date".into(),
        IndexState::Failed(_) => "no index".into(),
    }
}

/// Returns the area of the task's text, between prompt and meter.
fn field(areas: &Areas, size: Size) -> Rect {
    let inner = match areas.shape.is_boxed() {
        true => areas.inner(areas.task),
        false => areas.task,
    };
    Rect { x: inner.x + 3.min(inner.width), width: task_columns(size).min(inner.width.saturating_sub(3)), ..inner }
}

/// Returns the matched concepts with the number of their symbols, and the key of their window.
fn concepts(model: &Model) -> String {
    let words = |concept: &MatchedConcept| match concept.muted {
        true => format!("{} muted", safe(&concept.concept)),
        false => format!("{} {}", safe(&concept.concept), concept.symbols.len()),
    };
    let is_shown = |concept: &&MatchedConcept| concept.muted || !concept.symbols.is_empty();
    let named: Vec<String> = model.concepts.concepts().iter().filter(is_shown).take(MAX_CONCEPTS).map(words).collect();
    let key = model.keymap.keys_of(Context::Normal, Command::Concepts).into_iter().next().unwrap_or_default();
    match named.is_empty() {
        true => String::new(),
        false => format!("{key} {}", named.join(&format!(" {} ", model.appearance.glyphs.dot))),
    }
}

/// Concepts shown beside the task.
const MAX_CONCEPTS: usize = 4;

fn task(canvas: &mut Canvas<'_>, areas: &Areas) {
    canvas.frame(areas.task, Focus::Task, &Focus::Task.label(), &concepts(canvas.model));
    let model = canvas.model;
    let field = field(areas, model.size);
    if field.is_empty() {
        return;
    }
    let slot = if model.focus == Focus::Task { Slot::Prompt } else { Slot::Dim };
    let prompt = Line::from(canvas.span(slot, model.appearance.glyphs.prompt));
    canvas.line(Rect { x: field.x.saturating_sub(2), width: 1, ..field }, &prompt);
    let glyphs = &model.appearance.glyphs;
    let is_edited = model.focus == Focus::Task;
    let cursor = is_edited.then(|| model.task.input.cursor());
    let (columns, max_rows) = (field.width as usize, field.height as usize);
    let task = task_box::rows(model.task.input.value(), cursor, columns, max_rows, glyphs.ellipsis);
    let lines: Vec<Line<'_>> = match (model.task.label(), model.task.input.value()) {
        (Some(label), _) => {
            let label = text::fit(&safe(&label), columns, glyphs.ellipsis).into_owned();
            vec![Line::from(canvas.span(Slot::Heading, label))]
        }
        (None, "") => vec![Line::from(canvas.span(Slot::Dim, "what do you want to do?"))],
        _ => task.rows.into_iter().map(|row| Line::from(canvas.span(Slot::Text, row))).collect(),
    };
    for (row, line) in lines.iter().enumerate() {
        canvas.line(Canvas::row(field, row), line);
        if model.task.is_selected {
            let width = (line.width() as u16).min(field.width);
            canvas.select(Rect { width, ..Canvas::row(field, row) }, is_edited);
        }
    }
    if is_edited {
        let (row, column) = task.cursor;
        canvas.cursor = Some(Position { x: field.x + (column as u16).min(field.width), y: field.y + row as u16 });
    }
    if areas.shape.is_boxed() {
        let inner = areas.inner(areas.task);
        let line = meter(canvas, METER_COLUMNS.min(inner.width / 3) as usize);
        canvas.line_right(Rect { width: inner.width.saturating_sub(1), ..inner }, &line);
    }
}

/// Returns the budget meter.
fn meter(canvas: &Canvas<'_>, columns: usize) -> Line<'static> {
    let model = canvas.model;
    let budget = model.task.budget_tokens;
    let used = model.panes.pack.tokens_used;
    let words = match used > 0 {
        true => format!(" {}/{} tok", text::thousands(used), text::thousands(budget)),
        false => format!(" budget {} tok", text::thousands(budget)),
    };
    let cells = columns.saturating_sub(text::width(&words)).min(24);
    let share = if budget == 0 { 0.0 } else { used as f64 / budget as f64 };
    let full = ((share * cells as f64).round() as usize).min(cells);
    // The tokens of an outdated pack are dimmed.
    let current = model.panes.pack.stage == Stage::Full && !model.panes.pack.dimmed;
    Line::from(vec![
        canvas
            .span(if current { Slot::MeterFull } else { Slot::Stale }, model.appearance.glyphs.meter_full.repeat(full)),
        canvas.span(Slot::MeterEmpty, model.appearance.glyphs.meter_empty.repeat(cells - full)),
        canvas.span(Slot::Tokens, words),
    ])
}

/// Returns whether a position is on the concepts beside the task's label.
pub fn is_concepts(model: &Model, position: Position) -> bool {
    let area = model.areas().task;
    let columns = text::width(&concepts(model)) as u16;
    let is_shown = model.areas().shape.is_boxed() && columns > 0;
    is_shown && position.y == area.y && (area.right().saturating_sub(columns + 3)..area.right()).contains(&position.x)
}

/// Returns the pane whose tab is at a position.
pub fn tab_at(model: &Model, position: Position) -> Option<PaneId> {
    let area = model.areas().tabs;
    if !area.contains(position) {
        return None;
    }
    let mut end = area.x + 1;
    let pane = PANES.iter().find(|pane| {
        end += text::width(&pane.id().label()) as u16 + 2;
        position.x < end
    });
    pane.map(|pane| pane.id()).filter(|_| position.x > area.x)
}

/// Draws the names of the panes, and the status of the one that is shown.
fn tabs(canvas: &mut Canvas<'_>, area: Rect) {
    let model = canvas.model;
    let areas = model.areas();
    if area.is_empty() || areas.shape != Shape::Narrow {
        return;
    }
    let shown = PANES.iter().find(|pane| !areas.pane(pane.id()).is_empty()).map_or(pack::ID, |pane| pane.id());
    let labels: Vec<String> = PANES.iter().map(|pane| pane.id().label()).collect();
    let columns: usize = labels.iter().map(|label| text::width(label) + 2).sum();
    let status = panes::pane(shown).tab_status(model, (area.width as usize).saturating_sub(columns + 2));
    let glyphs = &model.appearance.glyphs;
    let status = status.unwrap_or_else(|| {
        text::fit_title(
            &pack::status(model),
            (area.width as usize).saturating_sub(columns + 2),
            glyphs.dot,
            glyphs.ellipsis,
        )
    });
    let status = Line::from(canvas.span(Slot::Dim, format!("{status} ")));
    let left = canvas.line_right(area, &status);
    let mut spans = vec![canvas.span(Slot::Dim, " ")];
    for (pane, label) in PANES.iter().zip(labels) {
        // Brackets mark the pane on terminals without colors.
        let (slot, label) = match pane.id() == shown {
            true => (Slot::Heading, format!("[{label}]")),
            false => (Slot::Dim, format!(" {label} ")),
        };
        spans.push(canvas.span(slot, label));
    }
    canvas.line(left, &Line::from(spans));
}
