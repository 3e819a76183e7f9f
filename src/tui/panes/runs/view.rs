//! Draws the runs, their sparklines, and the comparison of two packs.

use ratatui::layout::Rect;
use ratatui::text::Line;

use super::ID;
use super::pack_diff::{self, Cause, ChangeKind, PackDiff, SymbolChange, Through};
use super::requests::{AgentRequest, Row};
use super::state::{Run, sparkline};
use crate::engine::component_title;
use crate::exchange::Outcome;
use crate::text::display::{safe, score, signed};
use crate::tui::model::ago;
use crate::tui::model::{Focus, Model};
use crate::tui::theme::Slot;
use crate::tui::view::{Canvas, text};

/// Returns the number of runs and of requests, and the filter.
pub fn status(model: &Model) -> String {
    let runs = &model.panes.runs;
    let count = match (runs.list.len(), runs.requests.len()) {
        (0, 0) => return String::new(),
        (runs, 0) => text::count(runs, "run"),
        (0, requests) => text::count(requests, "request"),
        (runs, requests) => format!("{}, {}", text::count(runs, "run"), text::count(requests, "request")),
    };
    match runs.filter.trim() {
        "" => count,
        filter => format!("{} of {count}, /{}", runs.shown().len(), safe(filter)),
    }
}

/// Draws the runs, and below them sparklines or a comparison.
pub fn draw(canvas: &mut Canvas<'_>, area: Rect) {
    let runs = &canvas.model.panes.runs;
    if runs.list.is_empty() && runs.requests.is_empty() {
        let words = " The rankings of this session and the requests of agents appear here.";
        let words = text::fit(words, area.width.into(), canvas.model.appearance.glyphs.ellipsis).into_owned();
        let words = Line::from(canvas.span(Slot::Dim, words));
        canvas.line(area, &words);
        return;
    }
    let rows = runs.list_rows(area.height as usize);
    let focused = canvas.model.focus == Focus::Pane(ID);
    for (row, shown) in runs.shown().into_iter().enumerate().skip(runs.offset).take(rows) {
        let line_area = Canvas::row(area, row - runs.offset);
        let drawn = match shown {
            Row::Run(run) => run_line(canvas, run, area.width as usize),
            Row::Request(request) => request_line(canvas, request, area.width as usize),
        };
        canvas.line(line_area, &drawn);
        if focused && row == runs.selected {
            canvas.select(line_area, true);
        }
    }
    if runs.has_trend(area.height as usize) {
        let drawn = trend(canvas, area.width as usize);
        canvas.line(Canvas::row(area, area.height as usize - 1), &drawn);
    }
    let compared = runs.compared.and_then(|(older, newer)| Some((runs.get(older)?, runs.get(newer)?)));
    if let Some((older, newer)) = compared {
        let rest = Rect { y: area.y + rows as u16, height: area.height - rows as u16, ..area };
        comparison(canvas, older, newer, rest);
    }
}

/// Draws the comparison, and in its last row the number of lines below.
fn comparison(canvas: &mut Canvas<'_>, older: &Run, newer: &Run, area: Rect) {
    let lines = diff(canvas, older, newer, area.width as usize);
    let height = area.height as usize;
    let top = canvas.model.panes.runs.diff_top.min(lines.len().saturating_sub(height));
    for (row, drawn) in lines.iter().skip(top).take(height).enumerate() {
        canvas.line(Canvas::row(area, row), drawn);
    }
    let hidden = lines.len().saturating_sub(top + height);
    if hidden > 0 && height > 0 {
        let words = format!(" {} more ", hidden + 1);
        let more = Line::from(canvas.span(Slot::Dim, text::pad(&words, area.width as usize)));
        canvas.line(Canvas::row(area, height - 1), &more);
    }
}

fn run_line(canvas: &Canvas<'_>, run: &Run, width: usize) -> Line<'static> {
    let model = canvas.model;
    let (glyphs, runs) = (&model.appearance.glyphs, &model.panes.runs);
    let newest = runs.newest().is_some_and(|newest| newest.number == run.number);
    let mark = match runs.mark_of(run.number) {
        Some(letter) => letter.to_string(),
        None if newest => glyphs.root.to_owned(),
        None => " ".to_owned(),
    };
    let time = model.now.map_or(String::new(), |now| ago(runs.age(run, now)));
    let tokens = format!("{} tok", text::thousands(run.tokens_used));
    let task_columns = width.saturating_sub(10 + TIME_COLUMNS + text::width(&tokens) + 1);
    let asked = run.settings.task();
    let before = runs.get(run.number.saturating_sub(1)).filter(|before| before.settings.task() == asked);
    // A run of the same task shows the settings that changed instead.
    let words = match before.map(|before| pack_diff::changed_settings(before, run)) {
        Some(changes) if !changes.is_empty() => format!("{} {}", glyphs.arrow, changes.join(", ")),
        _ => asked,
    };
    let task = safe(&words.replace('\n', glyphs.newline)).into_owned();
    let task = text::fit(&task, task_columns, glyphs.ellipsis).into_owned();
    Line::from(vec![
        canvas.span(Slot::Prompt, format!(" {mark} ")),
        canvas.span(Slot::Rank, text::pad_start(&run.number.to_string(), 3)),
        canvas.span(Slot::Dim, format!("  {}  ", text::pad_start(&time, TIME_COLUMNS))),
        canvas.span(Slot::Text, text::pad(&task, task_columns)),
        canvas.span(Slot::Tokens, format!(" {tokens}")),
    ])
}

/// Returns the line of a request: time, client, task and answer.
fn request_line(canvas: &Canvas<'_>, request: &AgentRequest, width: usize) -> Line<'static> {
    let (model, glyphs) = (canvas.model, &canvas.model.appearance.glyphs);
    let time = model.now.map_or(String::new(), |now| ago(request.age(now)));
    let outcome = request.outcome();
    let outcome = if width < MIN_WIDTH_WITH_KIND { outcome.trim_start_matches("delta ") } else { &outcome };
    let client_columns = (width / 6).min(MAX_CLIENT_COLUMNS);
    let client = text::fit(&safe(request.client()), client_columns, glyphs.ellipsis).into_owned();
    let before = 10 + TIME_COLUMNS + text::width(&client) + 1;
    let columns = width.saturating_sub(before + text::width(outcome) + 1);
    let title = safe(&request.title().replace('\n', glyphs.newline)).into_owned();
    let title = text::fit(&title, columns, glyphs.ellipsis).into_owned();
    let is_error = matches!(request.record.outcome, Outcome::Failed);
    Line::from(vec![
        canvas.span(Slot::Prompt, format!(" {AGENT}    ")),
        canvas.span(Slot::Dim, format!("  {}  ", text::pad_start(&time, TIME_COLUMNS))),
        canvas.span(Slot::Container, format!("{client} ")),
        canvas.span(Slot::Text, text::pad(&title, columns)),
        canvas.span(if is_error { Slot::Negative } else { Slot::Tokens }, format!(" {outcome}")),
    ])
}

/// The mark of an agent's request.
const AGENT: char = '@';
/// A narrower pane does not say that a pack is a delta.
const MIN_WIDTH_WITH_KIND: usize = 60;
/// A longer name of a client is cut.
const MAX_CLIENT_COLUMNS: usize = 16;

/// Columns of the time since a run.
const TIME_COLUMNS: usize = 10;

/// Formats a value of a trend.
type FormatValue = fn(f64) -> String;

/// Returns sparklines of the selected symbol's score, of the latency and of the tokens, each with its lowest and
/// highest value. A quantity that did not change has no line.
fn trend(canvas: &Canvas<'_>, width: usize) -> Line<'static> {
    let (model, glyphs) = (canvas.model, &canvas.model.appearance.glyphs);
    let runs = &model.panes.runs;
    let columns = (width.saturating_sub(60) / 3).clamp(4, 16);
    let mut trends: Vec<(String, Vec<f64>, FormatValue)> = Vec::new();
    if let Some(packed) = model.panes.pack.selected_symbol() {
        let label = format!("score of #{}", model.panes.pack.selected_rank());
        trends.push((label, runs.scores_of(packed.symbol.id), |value| score(value, 2)));
    }
    trends.push(("tokens".into(), runs.list.iter().map(|run| run.tokens_used as f64).collect(), |value| {
        text::thousands(value as usize)
    }));
    let milliseconds = runs.list.iter().map(|run| run.took.as_secs_f64() * 1e3).collect();
    trends.push(("latency".into(), milliseconds, |value| format!("{value:.0} ms")));
    let mut line = Line::default();
    for (label, values, figure) in trends {
        let values = &values[values.len().saturating_sub(columns)..];
        let low = figure(values.iter().copied().fold(f64::INFINITY, f64::min));
        let high = figure(values.iter().copied().fold(f64::NEG_INFINITY, f64::max));
        let figures = format!(" {low} to {high} ");
        let spark = sparkline(values, columns, glyphs.spark);
        let taken = text::width(&label) + text::width(&figures) + text::width(&spark) + 3;
        if values.is_empty() || low == high || line.width() + taken > width {
            continue;
        }
        line.push_span(canvas.span(Slot::Dim, format!(" {label} ")));
        line.push_span(canvas.span(Slot::Bar, spark));
        line.push_span(canvas.span(Slot::Dim, figures));
    }
    line
}

/// Returns the lines of a comparison: totals, changed settings, a line for each symbol.
fn diff(canvas: &Canvas<'_>, older: &Run, newer: &Run, width: usize) -> Vec<Line<'static>> {
    let diff = PackDiff::new(older, newer);
    let glyphs = &canvas.model.appearance.glyphs;
    let (before, after) = diff.tokens;
    let by = after as i64 - before as i64;
    let [entered, left, moved] = diff.counts();
    let head = format!(
        " run {} {} run {}  {} tok  +{entered} -{left} ~{moved}",
        older.number,
        glyphs.arrow_out,
        newer.number,
        if by < 0 {
            format!("-{}", text::thousands(by.unsigned_abs() as usize))
        } else {
            format!("+{}", text::thousands(by as usize))
        },
    );
    let mut lines = vec![Line::from(canvas.span(Slot::Heading, text::fit(&head, width, glyphs.ellipsis).into_owned()))];
    if !diff.settings.is_empty() {
        let words = format!(" changed: {}", safe(&diff.settings.join(", ")));
        lines.push(Line::from(canvas.span(Slot::Dim, text::fit(&words, width, glyphs.ellipsis).into_owned())));
    }
    if diff.changes.is_empty() {
        lines.push(Line::from(canvas.span(Slot::Dim, " The packs are the same.")));
    }
    lines.extend(diff.changes.iter().map(|change| change_line(canvas, change, width)));
    lines
}

fn change_line(canvas: &Canvas<'_>, change: &SymbolChange, width: usize) -> Line<'static> {
    let glyphs = &canvas.model.appearance.glyphs;
    let (slot, mark, ranks) = match change.kind {
        ChangeKind::Entered { rank } => (Slot::Positive, '+', format!("new at #{rank}")),
        ChangeKind::Left { rank } => (Slot::Negative, '-', format!("was #{rank}")),
        ChangeKind::Moved { from, to } => (Slot::Text, '~', format!("#{from} {} #{to}", glyphs.arrow_out)),
    };
    let name_columns = (width / 3).clamp(10, 40);
    let name = text::fit(&safe(&change.name), name_columns, glyphs.ellipsis).into_owned();
    let left = name_columns.saturating_sub(text::width(&name));
    let container = match change.scope.as_str() {
        "" => String::new(),
        _ if left < MIN_CONTAINER => String::new(),
        scope => text::fit(&format!(" {}{}", glyphs.container, safe(scope)), left, glyphs.ellipsis).into_owned(),
    };
    let padding = " ".repeat(1 + left.saturating_sub(text::width(&container)));
    let rest = width.saturating_sub(name_columns + 18);
    let cause = text::fit(&cause(&change.cause), rest, glyphs.ellipsis).into_owned();
    Line::from(vec![
        canvas.span(slot, format!(" {mark} ")),
        canvas.span(Slot::Name, name),
        canvas.span(Slot::Container, format!("{container}{padding}")),
        canvas.span(slot, text::pad(&ranks, 13)),
        canvas.span(Slot::Dim, cause),
    ])
}

/// A container with fewer columns is not drawn.
const MIN_CONTAINER: usize = 5;

/// Describes a cause.
fn cause(cause: &Cause) -> String {
    match cause {
        Cause::Pinned => "pinned".into(),
        Cause::Unpinned => "unpinned".into(),
        Cause::Dropped => "dropped".into(),
        Cause::Readmitted => "restored".into(),
        Cause::Vote(by) => format!("vote {}", signed(*by, 3)),
        Cause::Component { name, by, through } => {
            let through = match through {
                Through::Task => "the task",
                Through::Concepts => "the concepts",
                Through::Votes => "the votes",
                Through::Index => "the index",
                Through::Learning => "learning",
            };
            format!("{} {}, by {through}", component_title(name), signed(*by, 3))
        }
        Cause::Overtaken(count) => format!("overtaken by {count}"),
        Cause::Passed(count) => format!("{count} before it fell behind"),
        Cause::Budget => "the budget".into(),
        Cause::OtherSymbols => "other symbols".into(),
    }
}
