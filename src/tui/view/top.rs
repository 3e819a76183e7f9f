//! Draws the top of the screen: the repository with its state, how many places there are, and the task line.

use ratatui::layout::{Position, Rect};
use ratatui::text::Line;

use super::{Canvas, task_box, text};
use crate::engine::title;
use crate::text::display::safe;
use crate::tui::backend::WAITING;
use crate::tui::layout::Areas;
use crate::tui::model::{Focus, IndexState, Model, Phase};
use crate::tui::panes::pack::{self, Stage};
use crate::tui::theme::Slot;

/// Draws the top of the screen.
pub fn draw(canvas: &mut Canvas<'_>, areas: &Areas) {
    header(canvas, areas.header);
    task(canvas, areas);
}

/// Draws the repository and the state of its index; at the right end the status of the list, or the meter of the pack
/// that is made.
fn header(canvas: &mut Canvas<'_>, area: Rect) {
    if area.is_empty() {
        return;
    }
    let model = canvas.model;
    let glyphs = &model.appearance.glyphs;
    let repository = safe(&model.status.repository);
    // The host and the owner are the same for everything on the screen.
    let name = if repository.contains(' ') { &*repository } else { repository.rsplit('/').next().unwrap_or_default() };
    let name = format!(" {} ", if name.is_empty() { "knowing" } else { name });
    let columns = area.width as usize;
    let meter = if model.panes.pack.arrangement.is_packing { meter(canvas, columns / 3) } else { Vec::new() };
    // Beside the meter the name comes before the words.
    let taken = meter.iter().map(|span| span.width()).sum::<usize>() + text::width(&name) + 2;
    let room = if meter.is_empty() { columns * 3 / 5 } else { (columns * 3 / 5).min(columns.saturating_sub(taken)) };
    let status = text::fit_title(&pack::status(model), room, glyphs.dot, glyphs.ellipsis);
    let mut right = Line::from(canvas.span(Slot::Dim, format!(" {status} ")));
    right.spans.extend(meter);
    let left = canvas.line_right(area, &right);
    let state = format!("{} {}", glyphs.dot, index_label(model));
    let mut spans = vec![canvas.span(Slot::Heading, name)];
    let room = (left.width as usize).saturating_sub(spans[0].width());
    if text::width(&state) <= room {
        spans.push(canvas.span(Slot::Dim, state));
    }
    canvas.line(left, &Line::from(spans));
}

fn index_label(model: &Model) -> String {
    let current = |phases: &[Phase]| phases.last().map(|phase| (phase_label(phase.name), phase.done, phase.total));
    if let Some(gone) = &model.status.gone {
        return safe(gone).into_owned();
    }
    match &model.index {
        IndexState::Opening => "opening".into(),
        IndexState::Building(phases) => match current(&phases.seen) {
            Some((label, done, total)) if total > 0 => format!("{label} {}%", done * 100 / total),
            Some((label, ..)) => label.to_owned(),
            None => "building the index".into(),
        },
        IndexState::Updating(_) => "updating".into(),
        IndexState::Ready => "up to date".into(),
        IndexState::Failed(_) => "no index".into(),
    }
}

/// Returns what a phase of indexing does.
pub fn phase_label(name: &str) -> &str {
    match name {
        WAITING => "waiting for another process",
        "scan" => "finding files",
        "parse" => "reading code",
        "load" => "loading names",
        "resolve" => "linking names",
        "derive" => "linking code",
        "write" => "writing",
        other => other,
    }
}

/// Draws the task line.
fn task(canvas: &mut Canvas<'_>, areas: &Areas) {
    let model = canvas.model;
    let area = areas.task;
    let field = Rect { x: area.x + 3.min(area.width), width: area.width.saturating_sub(4), ..area };
    if field.is_empty() {
        return;
    }
    let glyphs = &model.appearance.glyphs;
    let is_edited = model.focus == Focus::Task;
    let slot = if is_edited { Slot::Prompt } else { Slot::Dim };
    let prompt = Line::from(canvas.span(slot, glyphs.prompt));
    canvas.line(Rect { x: area.x + 1, width: 1, ..field }, &prompt);
    let is_shown = model.task.is_pasted || model.task.is_selected;
    let cursor = (is_edited && !is_shown).then(|| model.task.input.cursor());
    let (columns, max_rows) = (field.width as usize, field.height as usize);
    let task = task_box::rows(model.task.input.value(), cursor, columns, max_rows, glyphs.ellipsis);
    let lines: Vec<Line<'_>> = match (model.task.label(), model.task.input.value()) {
        (Some(label), _) => {
            let label = text::fit(&safe(&label), columns, glyphs.ellipsis).into_owned();
            vec![Line::from(canvas.span(Slot::Heading, label))]
        }
        _ if model.task.is_folded(model.focus) => vec![folded(canvas, columns)],
        (None, "") => vec![Line::from(canvas.span(Slot::Dim, "what do you want to do?"))],
        _ => task.rows.into_iter().map(|row| Line::from(canvas.span(Slot::Text, row))).collect(),
    };
    let is_selected = is_edited && model.task.is_selected;
    for (row, line) in lines.iter().enumerate() {
        canvas.line(Canvas::row(field, row), line);
        if is_selected {
            let width = (line.width() as u16).min(field.width);
            canvas.select(Rect { width, ..Canvas::row(field, row) }, true);
        }
    }
    if is_edited {
        let (row, column) = task.cursor;
        canvas.cursor = Some(Position { x: field.x + (column as u16).min(field.width), y: field.y + row as u16 });
    }
}

/// Returns the title of a task of several lines, and how many these are: of a pasted ticket or trace the rest is not read
/// here.
fn folded(canvas: &Canvas<'_>, columns: usize) -> Line<'static> {
    let model = canvas.model;
    let task = model.task.text();
    let count = format!("  {}", text::count(task.lines().count(), "line"));
    let room = columns.saturating_sub(text::width(&count));
    let title = text::fit(&safe(title(task)), room, model.appearance.glyphs.ellipsis).into_owned();
    Line::from(vec![canvas.span(Slot::Text, title), canvas.span(Slot::Dim, count)])
}

/// Returns the budget meter.
fn meter(canvas: &Canvas<'_>, columns: usize) -> Vec<ratatui::text::Span<'static>> {
    let model = canvas.model;
    let budget = model.task.budget_tokens;
    let used = model.panes.pack.tokens_used;
    let words = format!(" {}/{} tok ", text::thousands(used), text::thousands(budget));
    let cells = columns.saturating_sub(text::width(&words)).min(16);
    let share = if budget == 0 { 0.0 } else { used as f64 / budget as f64 };
    let full = ((share * cells as f64).round() as usize).min(cells);
    // The tokens of an outdated pack are dimmed.
    let current = model.panes.pack.stage == Stage::Full && !model.panes.pack.dimmed;
    let glyphs = &model.appearance.glyphs;
    vec![
        canvas.span(if current { Slot::MeterFull } else { Slot::Stale }, glyphs.meter_full.repeat(full)),
        canvas.span(Slot::MeterEmpty, glyphs.meter_empty.repeat(cells - full)),
        canvas.span(Slot::Tokens, words),
    ]
}
