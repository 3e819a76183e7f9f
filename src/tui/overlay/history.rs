//! The history: the rankings of this session, the requests of coding agents and the tasks of earlier sessions, with a
//! fuzzy filter; and the comparison of two rankings.

use std::time::{Duration, Instant};

use ratatui::layout::{Position, Rect};
use ratatui::text::Line;
use tui_input::Input;

use super::{EventResult, Overlay, Selection, Window, finder};
use crate::engine::{component_title, title};
use crate::exchange::{Outcome, RequestSubject};
use crate::text::display::safe;
use crate::tui::backend::{Answer, Recorded};
use crate::tui::command::{BUDGETS, Command};
use crate::tui::effect::{AgentJob, Effect, Record};
use crate::tui::fuzzy;
use crate::tui::history::AskedTask;
use crate::tui::model::pack_diff::{Cause, ChangeKind, PackDiff, SymbolChange, changed_settings};
use crate::tui::model::runs::{AgentRequest, Run};
use crate::tui::model::task::EntryPoint;
use crate::tui::model::{Model, ago};
use crate::tui::theme::Slot;
use crate::tui::update::{ranking, task};
use crate::tui::view::{Canvas, text, window};

/// The history window.
#[derive(Debug, Clone, Default)]
pub struct History {
    filter: Input,
    selected: Selection,
    /// The tasks of the feedback journal: those that the command line ranked are among them.
    journal: Vec<AskedTask>,
    /// The compared runs, the older one first, instead of the list.
    compared: Option<(usize, usize)>,
    /// The first visible line of the comparison.
    top: usize,
    /// Whether the comparison was opened without the list, to which Tab leads then.
    is_direct: bool,
}

/// A row of the window.
enum Entry<'model> {
    Run(&'model Run),
    Request(&'model AgentRequest),
    Task(String),
}

impl Entry<'_> {
    fn text(&self) -> String {
        match self {
            Entry::Run(run) => run.settings.task(),
            Entry::Request(request) => format!("{} {}", request.client(), request.title()),
            Entry::Task(task) => task.clone(),
        }
    }
}

const COLUMNS: u16 = 110;
const ROWS: u16 = 24;
/// A comparison scrolls no further.
const MAX_DIFF_LINES: usize = 2_000;

/// Opens the window.
pub fn open(model: &mut Model, effects: &mut Vec<Effect>) {
    effects.push(Effect::Record(Record::Journal));
    model.overlays.push(Overlay::History(History::default()));
}

/// Opens the window with the comparison of the last two runs.
pub fn compare_last(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(compared) = model.runs.last_two() else {
        return model.show_message("there is one ranking so far; the next one can be compared with it");
    };
    open(model, effects);
    if let Some(Overlay::History(history)) = model.overlays.last_mut() {
        (history.compared, history.is_direct) = (Some(compared), true);
    }
}

impl History {
    /// Returns the rows that match the filter: those of the session first, each newest first.
    fn entries<'model>(&self, model: &'model Model) -> Vec<Entry<'model>> {
        let now = model.now.unwrap_or_else(Instant::now);
        let runs = model.runs.list.iter().map(|run| (now.saturating_duration_since(run.at), Entry::Run(run)));
        let requests = model.runs.requests.iter().map(|request| (request.age(now), Entry::Request(request)));
        let mut session: Vec<(Duration, Entry<'_>)> = runs.rev().chain(requests.rev()).collect();
        session.sort_by_key(|(age, _)| *age);
        let is_older = |task: &String| model.runs.list.iter().all(|run| run.settings.text != *task);
        let older = model.history.with(&self.journal).into_iter().filter(is_older).map(Entry::Task);
        let mut all: Vec<Option<Entry<'_>>> =
            session.into_iter().map(|(_, entry)| entry).chain(older).map(Some).collect();
        let texts: Vec<String> = all.iter().flatten().map(Entry::text).collect();
        let found = fuzzy::matching(self.filter.value(), texts.iter().map(String::as_str));
        found.into_iter().filter_map(|index| all[index].take()).collect()
    }

    fn accept(&self, model: &mut Model, now: Instant, effects: &mut Vec<Effect>) -> EventResult {
        let entries = self.entries(model);
        match entries.get(self.selected.row()) {
            None => return EventResult::Consumed,
            Some(Entry::Run(run)) => {
                let number = run.number;
                restore(model, number, now, effects);
            }
            Some(Entry::Request(request)) => {
                let request = (*request).clone();
                rank_request(model, &request, now, effects);
            }
            Some(Entry::Task(text)) => {
                let text = text.clone();
                task::replace(model, &text, now, effects);
            }
        }
        EventResult::Close
    }

    fn compare(&mut self, model: &mut Model) {
        let entries = self.entries(model);
        let newest = model.runs.newest().map(|run| run.number);
        match (entries.get(self.selected.row()), newest) {
            (Some(Entry::Run(run)), Some(newest)) if run.number != newest => {
                (self.compared, self.top) = (Some((run.number, newest)), 0);
            }
            (Some(Entry::Run(_)), _) => model.show_message("this is the newest ranking; select an older one"),
            _ => model.show_message("only rankings of this session are compared; Enter ranks this one"),
        }
    }
}

impl Window for History {
    fn input_mut(&mut self) -> Option<&mut Input> {
        self.compared.is_none().then_some(&mut self.filter)
    }

    fn input(&self) -> Option<&Input> {
        self.compared.is_none().then_some(&self.filter)
    }

    fn input_changed(&mut self, _model: &mut Model, _now: Instant, _effects: &mut Vec<Effect>) {
        self.selected.select_first();
    }

    fn enter_label(&self) -> &'static str {
        if self.compared.is_some() { "close" } else { "take" }
    }

    fn run(&mut self, command: Command, model: &mut Model, now: Instant, effects: &mut Vec<Effect>) -> EventResult {
        if self.compared.is_some() {
            let mut line = Selection::default();
            line.select(self.top);
            match command {
                Command::OverlayClose if self.is_direct => return EventResult::Close,
                Command::OverlayRun => return EventResult::Close,
                Command::OverlayClose | Command::Complete => (self.compared, self.is_direct) = (None, false),
                _ if line.apply(command, MAX_DIFF_LINES) => self.top = line.row(),
                _ => return EventResult::Ignored,
            }
            return EventResult::Consumed;
        }
        if self.selected.apply(command, self.entries(model).len()) {
            return EventResult::Consumed;
        }
        match command {
            Command::OverlayClose => EventResult::Close,
            Command::OverlayRun => self.accept(model, now, effects),
            Command::Complete => {
                self.compare(model);
                EventResult::Consumed
            }
            _ => EventResult::Ignored,
        }
    }

    fn on_recorded(&mut self, answer: &Answer<Recorded>) {
        // Without the journal the list has the tasks of the explorer.
        if let Ok(Recorded::Journal(journal)) = answer {
            let asked = journal.events.iter().filter(|event| !event.task.is_empty());
            self.journal = asked.map(|event| AskedTask { at: event.at, task: event.task.clone() }).collect();
        }
    }

    fn area(&self, model: &Model) -> Rect {
        window::middle(model.size, COLUMNS, ROWS)
    }

    fn click(&mut self, position: Position, model: &mut Model, _now: Instant, _effects: &mut Vec<Effect>) {
        let len = self.entries(model).len();
        let room = window::below_field(window::inside(self.area(model)));
        self.selected.click(room, len, position);
    }

    fn draw(&self, canvas: &mut Canvas<'_>) {
        let (model, dot) = (canvas.model, canvas.model.appearance.glyphs.dot);
        let compared = self.compared.and_then(|(older, newer)| Some((model.runs.get(older)?, model.runs.get(newer)?)));
        if let Some((older, newer)) = compared {
            let title = format!("ranking {} {} ranking {}", older.number, model.appearance.glyphs.arrow, newer.number);
            let hint = if self.is_direct { "Esc closes, Tab lists the history" } else { "Esc back to the history" };
            let inner = window::open(canvas, self.area(model), &title, hint);
            let lines = diff(canvas, older, newer, inner.width as usize);
            let top = self.top.min(lines.len().saturating_sub(inner.height as usize));
            for (row, line) in lines.iter().skip(top).take(inner.height as usize).enumerate() {
                canvas.line(Canvas::row(inner, row), line);
            }
            return;
        }
        let entries = self.entries(model);
        let title = format!("history {dot} {}", text::count(entries.len(), "task"));
        let hint = format!("Enter takes {dot} Tab compares with now {dot} Esc closes");
        let mut inner = window::open(canvas, self.area(model), &title, &hint);
        window::field(canvas, &mut inner, &self.filter);
        if entries.is_empty() {
            let words = if self.filter.value().is_empty() { " No tasks yet." } else { " No match." };
            let line = Line::from(canvas.span(Slot::Dim, words));
            canvas.line(inner, &line);
        }
        let width = (inner.width as usize).saturating_sub(1);
        window::list(canvas, inner, self.selected.row(), entries.len(), |canvas, row| {
            entry_line(canvas, &entries[row], self.filter.value(), width)
        });
    }
}

/// Columns of the time since a run or a request.
const TIME_COLUMNS: usize = 11;

fn entry_line(canvas: &Canvas<'_>, entry: &Entry<'_>, typed: &str, width: usize) -> Line<'static> {
    let (model, glyphs) = (canvas.model, &canvas.model.appearance.glyphs);
    let now = model.now.unwrap_or_else(Instant::now);
    let one_line = |words: &str| match words.trim().lines().count() {
        0 | 1 => words.trim().to_owned(),
        lines => format!("{} {} {}", title(words), glyphs.dot, text::count(lines, "line")),
    };
    let (time, words, slot, outcome) = match entry {
        Entry::Run(run) => {
            let words = run.settings.task();
            let before = model.runs.get(run.number.saturating_sub(1));
            let before = before.filter(|before| before.settings.task() == words);
            // A run of the same task shows the settings that changed instead.
            let words = match before.map(|before| changed_settings(before, run)) {
                Some(changes) if !changes.is_empty() => format!("{} {}", glyphs.arrow, changes.join(", ")),
                _ => words,
            };
            (ago(now.saturating_duration_since(run.at)), words, Slot::Text, String::new())
        }
        Entry::Request(request) => {
            let is_error = matches!(request.record.outcome, Outcome::Failed);
            let slot = if is_error { Slot::Negative } else { Slot::Container };
            let words = format!("@{} {}", request.client(), request.title());
            (ago(request.age(now)), words, slot, format!(" {}", request.outcome()))
        }
        Entry::Task(task) => ("earlier".to_owned(), task.clone(), Slot::Text, String::new()),
    };
    let room = width.saturating_sub(TIME_COLUMNS + text::width(&outcome) + 1);
    let words = text::fit(&safe(&one_line(&words)), room, glyphs.ellipsis).into_owned();
    let padding = " ".repeat(room.saturating_sub(text::width(&words)));
    let mut spans = vec![canvas.span(Slot::Dim, format!("{} ", text::pad_start(&time, TIME_COLUMNS - 1)))];
    spans.extend(window::matched(canvas, slot, &words, typed));
    spans.push(canvas.span(Slot::Dim, format!("{padding}{outcome}")));
    Line::from(spans)
}

/// Restores the task and the options of a run and ranks. Votes stay as they are: they are not part of the question.
fn restore(model: &mut Model, number: usize, now: Instant, effects: &mut Vec<Effect>) {
    let Some(settings) = model.runs.get(number).map(|run| run.settings.clone()) else { return };
    task::begin(model, settings.entry_point, Input::new(settings.text), now, effects);
    model.task.budget_tokens = settings.budget_tokens;
    let options = &mut model.task.options;
    options.muted_concepts = settings.muted;
    options.pinned = settings.pinned;
    options.dropped = settings.dropped;
    ranking::rerank(model, now, effects);
}

/// Ranks the task of a request with its budget; a request for a symbol opens the finder with its name.
fn rank_request(model: &mut Model, request: &AgentRequest, now: Instant, effects: &mut Vec<Effect>) {
    let entry_point = match &request.record.subject {
        RequestSubject::Symbol(name) => {
            finder::open(model, finder::Purpose::Visit);
            let name = Input::new(task::clean(name));
            super::edit_input(model, move |field| *field = name, now, effects);
            return;
        }
        RequestSubject::Task(_) => EntryPoint::Text,
        RequestSubject::Files(files) => EntryPoint::Files(files.clone()),
        RequestSubject::Revision(base) => EntryPoint::Changes(base.clone()),
    };
    if BUDGETS.contains(&request.record.options.budget) {
        model.task.budget_tokens = request.record.options.budget;
    }
    match &request.record.subject {
        RequestSubject::Task(text) => {
            task::replace(model, text, now, effects);
            // The person may have pinned symbols for this task before.
            let task = model.task.text().to_owned();
            effects.push(Effect::Record(Record::Agent(AgentJob::Steering { task })));
        }
        _ => {
            let text = Input::new(model.task.text().to_owned());
            task::begin(model, entry_point, text, now, effects);
        }
    }
    model.show_message(format!("the task of {}", request.client()));
}

/// Returns the lines of a comparison: what changed in the question, a line for each symbol.
fn diff(canvas: &Canvas<'_>, older: &Run, newer: &Run, width: usize) -> Vec<Line<'static>> {
    let diff = PackDiff::new(older, newer);
    let fitted = |words: String| text::fit(&words, width, canvas.model.appearance.glyphs.ellipsis).into_owned();
    let [entered, left, moved] = diff.counts();
    let head = format!(" +{entered} new  -{left} gone  ~{moved} moved");
    let mut lines = vec![Line::from(canvas.span(Slot::Heading, fitted(head)))];
    if !diff.settings.is_empty() {
        let words = format!(" changed: {}", safe(&diff.settings.join(", ")));
        lines.push(Line::from(canvas.span(Slot::Dim, fitted(words))));
    }
    if diff.changes.is_empty() {
        lines.push(Line::from(canvas.span(Slot::Dim, " The answers are the same.")));
    }
    // That others came or went between tells nothing of a symbol.
    let (shifts, changes): (Vec<&SymbolChange>, Vec<&SymbolChange>) =
        diff.changes.iter().partition(|change| matches!(change.cause, Cause::Overtaken(_) | Cause::Passed(_)));
    let hides_shifts = !changes.is_empty() && shifts.len() > MAX_SHIFTS;
    let shown = if hides_shifts { changes } else { diff.changes.iter().collect() };
    lines.extend(shown.into_iter().map(|change| change_line(canvas, change, width)));
    if hides_shifts {
        let words = format!(" ~ {} made room or moved up", text::count(shifts.len(), "other place"));
        lines.push(Line::from(canvas.span(Slot::Dim, fitted(words))));
    }
    lines
}

/// More symbols that others only passed are counted.
const MAX_SHIFTS: usize = 3;

fn change_line(canvas: &Canvas<'_>, change: &SymbolChange, width: usize) -> Line<'static> {
    let glyphs = &canvas.model.appearance.glyphs;
    let (slot, mark, ranks) = match change.kind {
        ChangeKind::Entered { rank } => (Slot::Positive, '+', format!("new at #{rank}")),
        ChangeKind::Left { rank } => (Slot::Negative, '-', format!("was #{rank}")),
        ChangeKind::Moved { from, to } => (Slot::Text, '~', format!("#{from} {} #{to}", glyphs.arrow_out)),
    };
    let name_columns = (width * 2 / 5).clamp(10, 50);
    let full = match change.scope.as_str() {
        "" => safe(&change.name).into_owned(),
        scope => format!("{} {}{}", safe(&change.name), glyphs.container, safe(scope)),
    };
    let name = text::pad(&text::fit(&full, name_columns, glyphs.ellipsis), name_columns + 1);
    let rest = width.saturating_sub(name_columns + 17);
    let cause = match &change.cause {
        Cause::Component { name, by } => {
            format!("{} {}", if *by < 0.0 { glyphs.down } else { glyphs.up }, component_title(name))
        }
        cause => cause.words(),
    };
    Line::from(vec![
        canvas.span(slot, format!(" {mark} ")),
        canvas.span(Slot::Name, name),
        canvas.span(slot, text::pad(&ranks, 13)),
        canvas.span(Slot::Dim, text::fit(&cause, rest, glyphs.ellipsis).into_owned()),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::fixture;
    use crate::tui::model::runs::RunSettings;

    #[test]
    fn requests_are_between_the_rankings_and_older_tasks_below() {
        let (mut model, start) = (fixture::model(80, 24), Instant::now());
        let second = Duration::from_secs(1);
        let settings = |text: &str| RunSettings { text: text.to_owned(), ..RunSettings::default() };
        model.runs.push(start, settings("a"), &[], (0, 0));
        model.runs.push(start + 9 * second, settings("b"), &[], (0, 0));
        let [old, live] = [fixture::request("older"), fixture::request("live")];
        model.runs.add_requests(vec![(old, 5 * second), (live, Duration::ZERO)], start + 10 * second);
        model.now = Some(start + 10 * second);
        model.history.add("yesterday");
        model.history.add("b");
        let texts = |history: &History| history.entries(&model).iter().map(Entry::text).collect::<Vec<_>>();
        let mut history = History::default();
        assert_eq!(texts(&history), ["claude-code live", "b", "claude-code older", "a", "yesterday"]);
        history.filter = Input::new("older".to_owned());
        assert_eq!(texts(&history), ["claude-code older"]);
    }
}
