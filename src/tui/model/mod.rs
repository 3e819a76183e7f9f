//! The state of the explorer: plain data that the update changes and the view draws. Each pane has its state in its own
//! module.

pub mod concepts;
pub mod edits;
pub mod export;
pub mod feedback;
pub mod pack_diff;
pub mod runs;
pub mod task;
pub mod trail;

use std::sync::Arc;
use std::time::{Duration, Instant};

use ratatui::layout::{Position, Size};
use tui_input::Input;

use super::backend::{Examples, Status, WAITING};
use super::clipboard::Route;
use super::glyphs::Glyphs;
use super::history::History;
use super::key::Key;
use super::keymap::Keymap;
use super::layout::{Areas, Plan};
use super::overlay::Overlay;
use super::panes::{PANES, PaneId, Panes, pack};
use super::session::NamedTrails;
use super::theme::{Theme, ThemeError};
use super::update::changes::TaskChanges;
use super::view::task_box;
use super::{glyphs, layout};
use crate::config::Explorer;
use crate::model::{Options, Symbol, SymbolId};
use concepts::ConceptCursor;
use edits::Edits;
use export::Export;
use feedback::{Feedback, TaskState};
use runs::Runs;
use task::{EntryPoint, TaskEntry};
use trail::Trail;

/// Colors and glyphs.
#[derive(Debug, Clone, PartialEq)]
pub struct Appearance {
    pub theme: Theme,
    pub glyphs: Glyphs,
    /// Whether the theme is chosen by the background of the terminal.
    pub follows_background: bool,
}

/// The symbols that were sent to be relocated in a new index.
#[derive(Debug, Clone, Default)]
pub struct Relocation {
    /// Number of the question; answers to older ones are dropped.
    pub question: u64,
    /// Identities and files, in the order of the question.
    pub symbols: Vec<(SymbolId, String)>,
}

/// The whole state of the explorer.
#[derive(Debug, Clone)]
pub struct Model {
    /// The size of the terminal.
    pub size: Size,
    pub appearance: Appearance,
    pub status: Status,
    pub index: IndexState,
    /// Counts the changes of the index; readers reopen it when the number changes.
    pub index_version: u64,
    pub focus: Focus,
    /// Whether the pane in focus has the whole body.
    pub zoomed: bool,
    pub task: TaskEntry,
    pub search: Search,
    pub panes: Panes,
    pub runs: Runs,
    pub feedback: Feedback,
    pub concepts: ConceptCursor,
    pub jump_list: JumpList,
    /// The windows on top of the panes; the last has the focus.
    pub overlays: Vec<Overlay>,
    /// Number of the last question to the reader; each part keeps the number of its own.
    pub last_question: u64,
    pub relocation: Relocation,
    /// Tasks to try, generated from the repository.
    pub examples: Examples,
    /// The number of the question for more of them.
    pub awaited_examples: Option<u64>,
    /// Describes the changes on disk since the index was last up to date; empty when nothing changed.
    pub changed: String,
    /// The tasks of earlier sessions, newest first.
    pub history: History,
    pub trails: NamedTrails,
    pub changes: TaskChanges,
    pub export: Export,
    /// The folder below the root in which the explorer was started: copied paths are relative to it.
    pub folder: String,
    /// The route to the clipboard in this session.
    pub clipboard: Route,
    pub settings: Explorer,
    pub keymap: Arc<Keymap>,
    pub pending: Pending,
    /// When and where the mouse was clicked last, to recognize a double click.
    pub last_click: Option<(Instant, Position)>,
    pub message: Option<Message>,
    pub messages: MessageLog,
    /// The time of the last event; `None` before the first.
    pub now: Option<Instant>,
    /// Whether the model changed since it was last drawn.
    pub dirty: bool,
}

impl Model {
    /// Returns the model of a session that starts with this task.
    pub fn new(task: String, budget_tokens: usize, appearance: Appearance, size: Size) -> Model {
        Model {
            size,
            appearance,
            status: Status::default(),
            index: IndexState::Opening,
            index_version: 0,
            focus: if task.trim().is_empty() { Focus::Task } else { Focus::Pane(pack::ID) },
            zoomed: false,
            task: TaskEntry {
                entry_point: EntryPoint::default(),
                input: Input::new(task),
                is_pasted: false,
                is_selected: false,
                edits: Edits::default(),
                budget_tokens,
                options: Options::default(),
                trail: Trail::default(),
                edited: None,
            },
            search: Search::default(),
            panes: Panes::default(),
            runs: Runs::default(),
            feedback: Feedback::default(),
            concepts: ConceptCursor::default(),
            jump_list: JumpList::default(),
            overlays: Vec::new(),
            last_question: 0,
            relocation: Relocation::default(),
            examples: Examples::default(),
            awaited_examples: None,
            changed: String::new(),
            history: History::default(),
            trails: NamedTrails::default(),
            changes: TaskChanges::default(),
            export: Export::default(),
            folder: String::new(),
            clipboard: Route::Osc52,
            settings: Explorer::default(),
            keymap: Arc::new(Keymap::new()),
            pending: Pending::default(),
            last_click: None,
            message: None,
            messages: MessageLog::default(),
            now: None,
            dirty: true,
        }
    }

    /// Returns the layout of the screen.
    pub fn areas(&self) -> Areas {
        // A window of symbols previews their source.
        let previews = self.overlays.last().is_some_and(|overlay| overlay.window().selected_symbol().is_some());
        let zoomed = self.zoomed && !previews;
        let list = self.panes.pack.needed();
        Areas::new(Plan { size: self.size, focus: self.focus, zoomed, previews, task_rows: self.task_rows(), list })
    }

    /// Returns whether the list is read, and no task is typed.
    pub fn is_list_read(&self) -> bool {
        self.focus != Focus::Task || self.task.is_selected
    }

    /// Returns the rows that the task has on the screen.
    fn task_rows(&self) -> u16 {
        if self.task.label().is_some() || self.task.is_folded(self.focus) {
            return 1;
        }
        let columns = layout::task_columns(self.size).into();
        task_box::row_count(self.task.input.value(), columns, layout::max_task_rows(self.size)) as u16
    }

    /// Returns whether there is an index to rank with.
    pub fn usable(&self) -> bool {
        matches!(self.index, IndexState::Ready | IndexState::Updating(_))
    }

    /// Returns whether a task can be ranked: by an index, or by a first look while one is being built.
    pub fn can_rank(&self) -> bool {
        self.usable()
            || matches!(&self.index, IndexState::Building(phases) if !phases.seen.is_empty() && !phases.are_elsewhere())
    }

    /// Shows a message.
    pub fn show_message(&mut self, text: impl Into<String>) {
        self.show(Message { text: text.into(), is_error: false });
    }

    /// Shows an error.
    pub fn show_error(&mut self, text: impl Into<String>) {
        self.show(Message { text: text.into(), is_error: true });
    }

    fn show(&mut self, message: Message) {
        self.messages.push(message.clone(), self.now);
        self.message = Some(message);
    }

    /// Returns when the next tick is needed.
    pub fn deadline(&self) -> Option<Instant> {
        self.search.due.into_iter().chain(self.search.dim_at).chain(self.pending.shows_at).min()
    }
}

impl Appearance {
    /// Returns the default look.
    ///
    /// # Errors
    /// When the built-in theme is invalid.
    pub fn plain() -> Result<Appearance, ThemeError> {
        Ok(Appearance { theme: Theme::built_in("ansi")?, glyphs: glyphs::UNICODE, follows_background: false })
    }
}

/// The state of the repository's index.
#[derive(Debug, Clone, PartialEq)]
pub enum IndexState {
    /// The status is not known yet.
    Opening,
    /// The first index is being built; of a large repository a part is ranked.
    Building(Phases),
    /// There is an index, and it is being updated.
    Updating(Phases),
    Ready,
    /// There is no usable index, for this reason.
    Failed(String),
}

/// The phases of indexing that have started, in order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Phases {
    pub seen: Vec<Phase>,
}

/// The progress of a phase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phase {
    pub name: &'static str,
    pub done: usize,
    /// 0 when unknown.
    pub total: usize,
}

impl Phases {
    /// Returns whether another process builds the index.
    pub fn are_elsewhere(&self) -> bool {
        self.seen.last().is_some_and(|phase| phase.name == WAITING)
    }

    /// Updates the progress of a phase.
    pub fn update(&mut self, name: &'static str, done: usize, total: usize) {
        match self.seen.iter_mut().find(|phase| phase.name == name) {
            Some(phase) => {
                phase.done = done;
                phase.total = total;
            }
            None => self.seen.push(Phase { name, done, total }),
        }
    }
}

/// The part of the screen that the keys go to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Focus {
    /// The task line.
    Task,
    Pane(PaneId),
}

impl Focus {
    /// Returns the task line and every pane, in the order of their digits.
    pub fn all() -> impl Iterator<Item = Focus> {
        [Focus::Task].into_iter().chain(PANES.iter().map(|pane| Focus::Pane(pane.id())))
    }

    /// Returns the digit and the name.
    pub fn label(self) -> String {
        match self {
            Focus::Task => "1 task".to_owned(),
            Focus::Pane(id) => id.label(),
        }
    }

    /// Returns the pane in which keys of movement move: the list while the task is edited.
    pub fn pane(self) -> PaneId {
        match self {
            Focus::Task => pack::ID,
            Focus::Pane(id) => id,
        }
    }

    /// Returns the focus `steps` further on; after the last pane comes the task line.
    pub fn cycled(self, steps: isize) -> Focus {
        let all: Vec<Focus> = Focus::all().collect();
        let index = all.iter().position(|focus| *focus == self).unwrap_or(0) as isize;
        all[(index + steps).rem_euclid(all.len() as isize) as usize]
    }
}

/// The state of the search for the present task.
#[derive(Debug, Clone, Default)]
pub struct Search {
    /// Number of the last request; answers to older ones are dropped.
    pub generation: u64,
    /// When the full ranking starts if the task is not edited until then.
    pub due: Option<Instant>,
    /// When outdated rows are dimmed.
    pub dim_at: Option<Instant>,
    /// Whether a full ranking is running.
    pub ranking: bool,
    /// Whether the task was accepted by Enter, and not edited since.
    pub is_submitted: bool,
    /// The time that the last full ranking took.
    pub last_full: Duration,
}

/// Time from a key of an incomplete sequence to the list of continuations.
const PENDING_DELAY: Duration = Duration::from_millis(300);

/// An incomplete key sequence.
#[derive(Debug, Clone, Default)]
pub struct Pending {
    pub keys: Vec<Key>,
    /// When the list of continuations appears.
    pub shows_at: Option<Instant>,
    /// Whether the list is visible.
    pub shown: bool,
}

impl Pending {
    /// Adds a key.
    pub fn push(&mut self, key: Key, now: Instant) {
        self.keys.push(key);
        self.shows_at = (!self.shown).then_some(now + PENDING_DELAY);
    }

    /// Removes the last key.
    pub fn pop(&mut self) {
        self.keys.pop();
        if self.keys.is_empty() {
            self.clear();
        }
    }

    /// Forgets the sequence.
    pub fn clear(&mut self) {
        *self = Pending::default();
    }

    /// Shows the list if it is due. Returns whether it appeared.
    pub fn time_passed(&mut self, now: Instant) -> bool {
        let appears = self.shows_at.is_some_and(|at| at <= now);
        if appears {
            self.shows_at = None;
            self.shown = true;
        }
        appears
    }
}

/// Older locations are dropped.
const MAX_JUMPS: usize = 100;

/// A symbol, and the pane that had the focus.
#[derive(Debug, Clone, PartialEq)]
pub struct Jump {
    pub symbol: Symbol,
    pub pane: PaneId,
    /// The line of a use that the user had gone to.
    pub line: Option<u32>,
}

/// A place to go back to.
#[derive(Debug, Clone, PartialEq)]
pub enum Place {
    /// A location of the present task.
    Symbol(Jump),
    /// Another task, and the symbol that was selected.
    Task(TaskState, Option<SymbolId>),
}

/// The locations before and after the present one, and the tasks between them.
#[derive(Debug, Clone, Default)]
pub struct JumpList {
    previous: Vec<Place>,
    next: Vec<Place>,
}

impl JumpList {
    /// Adds the place before a jump and drops those that were left by going back.
    pub fn push(&mut self, place: Place) {
        self.next.clear();
        self.previous.push(place);
        self.previous.drain(..self.previous.len().saturating_sub(MAX_JUMPS));
    }

    /// Returns the previous place, or the one that was left by going back. What `here` returns for it is where one comes
    /// back to in the other direction.
    pub fn walk(&mut self, forward: bool, here: impl FnOnce(&Place) -> Option<Place>) -> Option<Place> {
        let (from, to) = match forward {
            true => (&mut self.next, &mut self.previous),
            false => (&mut self.previous, &mut self.next),
        };
        let place = from.pop()?;
        to.extend(here(&place));
        Some(place)
    }

    /// Returns whether there is nothing to go back to.
    pub fn is_at_oldest(&self) -> bool {
        self.previous.is_empty()
    }

    /// Drops the locations for which `keep`, which may change them, returns false.
    pub fn retain(&mut self, mut keep: impl FnMut(&mut Jump) -> bool) {
        let mut keep = |place: &mut Place| if let Place::Symbol(jump) = place { keep(jump) } else { true };
        self.previous.retain_mut(&mut keep);
        self.next.retain_mut(&mut keep);
    }
}

impl Jump {
    /// Returns whether both are the same line of the same symbol in the same pane.
    pub fn is_same_location(&self, other: &Jump) -> bool {
        self.symbol.id == other.symbol.id && self.pane == other.pane && self.line == other.line
    }
}

/// Older messages are dropped.
const MAX_MESSAGES: usize = 500;

/// The message in the last line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    pub text: String,
    pub is_error: bool,
}

/// A message of the session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedMessage {
    pub text: String,
    pub is_error: bool,
    /// The time of the session at which it was last shown; `None` before the first event.
    pub at: Option<Instant>,
    /// The number of times it was shown in a row.
    pub count: usize,
}

/// The messages of the session, oldest first.
#[derive(Debug, Clone, Default)]
pub struct MessageLog {
    pub list: Vec<LoggedMessage>,
}

impl MessageLog {
    /// Adds a message. The same message again counts and moves no other.
    pub fn push(&mut self, message: Message, now: Option<Instant>) {
        let Message { text, is_error } = message;
        if let Some(last) = self.list.last_mut().filter(|last| last.text == text && last.is_error == is_error) {
            last.count += 1;
            last.at = now;
            return;
        }
        self.list.push(LoggedMessage { text, is_error, at: now, count: 1 });
        self.list.drain(..self.list.len().saturating_sub(MAX_MESSAGES));
    }
}

/// Formats an age with its unit: `now`, `20 s ago`, `4 min ago`, `2 h ago`, `3 d ago`.
pub fn ago(age: Duration) -> String {
    match age.as_secs() {
        0..5 => "now".to_owned(),
        seconds @ 5..60 => format!("{seconds} s ago"),
        seconds @ 60..3600 => format!("{} min ago", seconds / 60),
        seconds @ 3600..172_800 => format!("{} h ago", seconds / 3600),
        seconds => format!("{} d ago", seconds / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_messages_are_counted_and_old_ones_dropped() {
        let mut log = MessageLog::default();
        let message = |text: &str, is_error| Message { text: text.into(), is_error };
        log.push(message("a", false), None);
        log.push(message("a", false), None);
        log.push(message("a", true), None);
        assert_eq!(log.list.iter().map(|logged| logged.count).collect::<Vec<_>>(), [2, 1]);
        (0..2 * MAX_MESSAGES).for_each(|number| log.push(message(&number.to_string(), false), None));
        assert_eq!(log.list.len(), MAX_MESSAGES);
    }

    #[test]
    fn ages_have_a_unit() {
        let ages = [0, 20, 60, 299, 3600, 9000].map(|seconds| ago(Duration::from_secs(seconds)));
        assert_eq!(ages, ["now", "20 s ago", "1 min ago", "4 min ago", "1 h ago", "2 h ago"]);
    }
}
