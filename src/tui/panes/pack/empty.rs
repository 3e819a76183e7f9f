//! Draws the start screen, which covers the list while there is nothing to list: progress, an error, or what to do
//! next.

use ratatui::layout::Rect;
use ratatui::text::Line;

use super::{Stage, view};
use crate::text::display::safe;
use crate::tui::command::{Command, Context};
use crate::tui::model::task::{EntryPoint, changes_label};
use crate::tui::model::{Focus, IndexState, Phase, Phases};
use crate::tui::theme::Slot;
use crate::tui::view::text::wrap;
use crate::tui::view::top::phase_label;
use crate::tui::view::{Canvas, text};

/// Draws the start screen.
pub fn draw(canvas: &mut Canvas<'_>, area: Rect) {
    let model = canvas.model;
    let lines = match &model.index {
        IndexState::Opening => vec![Line::from(canvas.span(Slot::Dim, "opening the repository"))],
        IndexState::Building(phases) if phases.are_elsewhere() => waiting(canvas, area.width as usize),
        IndexState::Building(phases) => building(canvas, phases, area.width as usize),
        IndexState::Failed(reason) => failed(canvas, reason, area.width as usize),
        IndexState::Ready if model.status.usable && model.status.files == 0 => no_source(canvas, area.width as usize),
        IndexState::Ready | IndexState::Updating(_) => hint(canvas, area.width as usize),
    };
    let top = (area.height as usize).saturating_sub(lines.len()) / 3;
    for (row, line) in lines.iter().enumerate() {
        let line_area = Canvas::row(area, top + row);
        canvas.line(Rect { x: line_area.x + 2, width: line_area.width.saturating_sub(3), ..line_area }, line);
    }
}

/// Returns the lines of a text.
fn paragraph(canvas: &Canvas<'_>, slot: Slot, words: &str, width: usize) -> Vec<Line<'static>> {
    wrap(words, width.saturating_sub(4)).into_iter().map(|line| Line::from(canvas.span(slot, line))).collect()
}

fn building<'text>(canvas: &Canvas<'_>, phases: &Phases, width: usize) -> Vec<Line<'text>> {
    let mut lines =
        vec![Line::from(canvas.span(Slot::Heading, "Building the index of this repository")), Line::default()];
    for (phase_index, phase) in phases.seen.iter().enumerate() {
        let last = phase_index + 1 == phases.seen.len();
        lines.push(phase_line(canvas, phase, last, width));
    }
    lines.push(Line::default());
    let words = "You can type the task now. It is ranked when the index is ready, in a large repository at once from part of \
                 the files.";
    lines.extend(paragraph(canvas, Slot::Dim, words, width));
    lines.push(Line::default());
    let key = |context, command| canvas.model.keymap.key_of(context, command);
    let (find, pick) = match canvas.model.focus {
        Focus::Task => {
            let keys = [key(Context::Task, Command::LeaveTask), key(Context::Normal, Command::PickFiles)];
            (key(Context::Task, Command::FindSymbol), keys.join(" "))
        }
        _ => (key(Context::Normal, Command::FindSymbol), key(Context::Normal, Command::PickFiles)),
    };
    for (key, words) in [(find, "finds symbols as their files are parsed"), (pick, "picks files to rank for")] {
        let key = canvas.span(Slot::HintKey, text::pad(&key, 8));
        lines.push(Line::from(vec![key, canvas.span(Slot::Dim, words)]));
    }
    lines
}

/// Returns the lines while another process builds the first index.
fn waiting<'text>(canvas: &Canvas<'_>, width: usize) -> Vec<Line<'text>> {
    let mut lines = vec![
        Line::from(canvas.span(Slot::Heading, "Another process builds the index of this repository")),
        Line::default(),
    ];
    let words = "It is opened here when it is there. You can type the task now; it is ranked then.";
    lines.extend(paragraph(canvas, Slot::Dim, words, width));
    lines
}

fn phase_line<'text>(canvas: &Canvas<'_>, phase: &Phase, running: bool, width: usize) -> Line<'text> {
    let glyphs = &canvas.model.appearance.glyphs;
    let cells = width.saturating_sub(46).clamp(0, 24);
    let (mark, share) = match running {
        true => (glyphs.running, phase.done as f64 / phase.total.max(1) as f64),
        false => (glyphs.done, 1.0),
    };
    // The last report of a phase is not always about its last unit.
    let done = if running { phase.done } else { phase.done.max(phase.total) };
    let figures = match (phase.total, done) {
        (0, 0) => String::new(),
        (0, done) => text::thousands(done),
        (total, done) => format!("{} of {}", text::thousands(done), text::thousands(total)),
    };
    Line::from(vec![
        canvas.span(if running { Slot::Prompt } else { Slot::Positive }, format!("{mark} ")),
        canvas.span(Slot::Text, text::pad(phase_label(phase.name), 15)),
        canvas.span(Slot::Bar, format!("{} ", text::bar(share, cells, glyphs.bar))),
        canvas.span(Slot::Dim, figures),
    ])
}

fn failed<'text>(canvas: &Canvas<'_>, reason: &str, width: usize) -> Vec<Line<'text>> {
    let mut lines = vec![Line::from(canvas.span(Slot::Error, "No index")), Line::default()];
    lines.extend(paragraph(canvas, Slot::Text, &safe(reason), width));
    lines.push(Line::default());
    lines.push(Line::from(canvas.span(Slot::Dim, "r tries again, q quits")));
    lines
}

/// Returns the lines for a folder of which nothing is indexed.
fn no_source<'text>(canvas: &Canvas<'_>, width: usize) -> Vec<Line<'text>> {
    if canvas.model.panes.pack.folds.has_documents() {
        return vec![Line::from(canvas.span(Slot::Dim, "no code is indexed here; documents answer the task"))];
    }
    let mut lines = vec![Line::from(canvas.span(Slot::Heading, "Nothing is indexed")), Line::default()];
    if let Some(reason) = &canvas.model.status.nothing_indexed {
        // The heading says so already.
        lines.extend(paragraph(canvas, Slot::Text, safe(reason).trim_start_matches("nothing is indexed: "), width));
    }
    let words = "`knowing tui DIR` opens another folder. New files are indexed as they appear.";
    lines.extend(paragraph(canvas, Slot::Dim, words, width));
    lines
}

fn hint<'text>(canvas: &Canvas<'_>, width: usize) -> Vec<Line<'text>> {
    let model = canvas.model;
    if model.search.ranking || model.search.due.is_some() {
        return vec![Line::from(canvas.span(Slot::Dim, view::status(model)))];
    }
    if let (Stage::Full, EntryPoint::Changes(base)) = (model.panes.pack.stage, &model.task.entry_point) {
        return unchanged(canvas, base);
    }
    let (heading, words) = match model.panes.pack.stage {
        Stage::Full => ("Nothing matches", "Try the words the code would use."),
        _ => ("Say what you want to do", "in your own words, or with names from the code."),
    };
    let mut lines = vec![Line::from(canvas.span(Slot::Heading, heading)), Line::default()];
    if let Some(notice) = &model.panes.pack.notice {
        lines.extend(paragraph(canvas, Slot::Text, &safe(notice), width));
    }
    lines.push(Line::from(canvas.span(Slot::Dim, words)));
    let mut section = |heading: &str, rows: Vec<(String, String)>| {
        lines.extend([Line::default(), Line::from(canvas.span(Slot::Dim, heading.to_owned()))]);
        let row = |(key, words): (String, String)| {
            let room = width.saturating_sub(12);
            let words = text::fit(&words, room, model.appearance.glyphs.ellipsis).into_owned();
            let key = canvas.span(Slot::HintKey, format!("  {} ", text::pad(&key, 5)));
            Line::from(vec![key, canvas.span(Slot::Text, words)])
        };
        lines.extend(rows.into_iter().map(row));
    };
    let key = |context, command| model.keymap.key_of(context, command);
    let commands = [Command::ExampleOne, Command::ExampleTwo, Command::ExampleThree];
    let examples = model.examples.tasks.iter().zip(commands);
    let examples: Vec<_> =
        examples.map(|(task, command)| (key(Context::Task, command), safe(task).into_owned())).collect();
    if !examples.is_empty() && model.task.is_empty() {
        let is_single = model.status.folders.is_empty();
        section(if is_single { "From this repository:" } else { "From these repositories:" }, examples);
    }
    let pasted = [
        "a stack trace, or the output of a failed test",
        "a ticket: the text of an issue",
        "a name or a location, such as app.py:120",
    ];
    section("Or paste", pasted.map(|words| (String::new(), words.to_owned())).to_vec());
    let leave = if model.focus == Focus::Task { key(Context::Task, Command::LeaveTask) + " " } else { String::new() };
    let review = format!("{leave}{}", key(Context::Normal, Command::PickBase));
    section("Or press", vec![(review, "to review what changed since a revision".to_owned())]);
    lines
}

/// Returns the lines for a revision since which nothing that is indexed has changed.
fn unchanged<'text>(canvas: &Canvas<'_>, base: &str) -> Vec<Line<'text>> {
    let known = canvas.model.changes.known.iter();
    let files = known
        .flat_map(|changes| changes.files.keys().chain(&changes.elsewhere.unread).chain(&changes.elsewhere.absent));
    let files: Vec<&String> = files.collect();
    let heading = format!("No indexed code is in the {}", safe(&changes_label(base)));
    let mut lines = vec![Line::from(canvas.span(Slot::Heading, heading)), Line::default()];
    if !files.is_empty() {
        let words = format!("{} changed, without indexed code:", text::count(files.len(), "file"));
        lines.push(Line::from(canvas.span(Slot::Dim, words)));
        let shown = files.iter().take(MAX_LISTED).map(|file| format!("  {}", safe(file)));
        lines.extend(shown.map(|file| Line::from(canvas.span(Slot::Text, file))));
        lines.push(Line::default());
    }
    let key = canvas.model.keymap.key_of(Context::Normal, Command::PickBase);
    lines.push(Line::from(canvas.span(Slot::Dim, format!("{key} picks another revision"))));
    lines
}

/// Files that are listed.
const MAX_LISTED: usize = 5;
