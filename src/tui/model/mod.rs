//! The state of the explorer: plain data that the update changes and the view draws. Each pane has its state in its own
//! module.

pub mod concepts;
pub mod edits;
pub mod export;
pub mod feedback;
pub mod focus;
pub mod index;
pub mod jump_list;
pub mod messages;
pub mod pending;
pub mod search;
pub mod task;

use std::sync::Arc;
use std::time::Instant;

use ratatui::layout::{Position, Size};
use tui_input::Input;

use concepts::ConceptCursor;
use edits::Edits;
use export::Export;
use feedback::Feedback;
pub use focus::Focus;
pub use index::{IndexState, Phase, Phases};
use jump_list::JumpList;
pub use messages::Message;
use messages::MessageLog;
use pending::Pending;
use search::Search;
use task::{EntryPoint, TaskEntry};

use super::backend::{Examples, Status};
use super::clipboard::Route;
use super::config::Config;
use super::glyphs::{self, Glyphs};
use super::history::History;
use super::keymap::Keymap;
use super::layout::{self, Areas, Shape};
use super::overlay::Overlay;
use super::panes::{PaneId, Panes, pack, source, why};
use super::session::NamedPacks;
use super::theme::{Theme, ThemeError};
use super::update::changes::TaskChanges;
use super::view::task_box;
use crate::model::{Options, SymbolId};

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
    /// The pane below the source where there are two columns.
    pub companion: PaneId,
    pub task: TaskEntry,
    pub search: Search,
    pub panes: Panes,
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
    /// Describes the changes on disk since the index was last up to date; empty when nothing changed.
    pub changed: String,
    /// The tasks of earlier sessions, newest first.
    pub history: History,
    pub named_packs: NamedPacks,
    pub changes: TaskChanges,
    pub export: Export,
    /// The route to the clipboard in this session.
    pub clipboard: Route,
    pub settings: Config,
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
            companion: why::ID,
            task: TaskEntry {
                entry_point: EntryPoint::default(),
                input: Input::new(task),
                is_selected: false,
                edits: Edits::default(),
                budget_tokens,
                options: Options::default(),
            },
            search: Search::default(),
            panes: Panes::default(),
            feedback: Feedback::default(),
            concepts: ConceptCursor::default(),
            jump_list: JumpList::default(),
            overlays: Vec::new(),
            last_question: 0,
            relocation: Relocation::default(),
            examples: Examples::default(),
            changed: String::new(),
            history: History::default(),
            named_packs: NamedPacks::default(),
            changes: TaskChanges::default(),
            export: Export::default(),
            clipboard: Route::Osc52,
            settings: Config::default(),
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
        // Where one pane is visible at a time, a window of symbols previews their source.
        let has_preview = self.overlays.last().is_some_and(|overlay| overlay.window().selected_symbol().is_some());
        let is_single = self.zoomed || !Shape::for_size(self.size).is_boxed();
        let focus = if has_preview && is_single { Focus::Pane(source::ID) } else { self.focus };
        Areas::with_task_rows(self.size, focus, self.companion, self.zoomed, self.task_rows())
    }

    /// Returns the rows that the task has on the screen.
    fn task_rows(&self) -> u16 {
        if self.task.label().is_some() {
            return 1;
        }
        let columns = layout::task_columns(self.size).into();
        task_box::row_count(self.task.input.value(), columns, layout::max_task_rows(self.size)) as u16
    }

    /// Returns whether there is an index to rank with.
    pub fn usable(&self) -> bool {
        matches!(self.index, IndexState::Ready | IndexState::Updating(_))
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
