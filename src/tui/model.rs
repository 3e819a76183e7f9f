//! Everything the screen shows and every key depends on; plain data.

use std::time::{Duration, Instant};

use ratatui::layout::Size;
use tui_input::Input;

use super::glyphs::{self, Glyphs};
use super::key::Key;
use super::layout::Areas;
use super::rows::Rows;
use super::source::SourceView;
use super::theme::Theme;
use super::workspace::Status;

/// Which pane the keys go to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Focus {
    Task,
    Pack,
    Source,
    Why,
}

/// How things look.
#[derive(Debug, Clone, PartialEq)]
pub struct Skin {
    pub theme: Theme,
    pub glyphs: Glyphs,
}

/// How far the repository's index is.
#[derive(Debug, Clone, PartialEq)]
pub enum IndexState {
    /// Nothing is known yet.
    Opening,
    /// The first index is being built: nothing can be ranked.
    Building(Phases),
    /// There is an index, and it is being brought up to date.
    Updating(Phases),
    Ready,
    /// There is no usable index, for this reason.
    Failed(String),
}

/// The phases of indexing seen so far, in their order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Phases {
    pub seen: Vec<Phase>,
}

/// One phase and how much of it is done; a total of zero is unknown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phase {
    pub name: &'static str,
    pub done: usize,
    pub total: usize,
}

impl Phases {
    /// Takes in one more step.
    pub fn note(&mut self, name: &'static str, done: usize, total: usize) {
        match self.seen.iter_mut().find(|phase| phase.name == name) {
            Some(phase) => {
                phase.done = done;
                phase.total = total;
            }
            None => self.seen.push(Phase { name, done, total }),
        }
    }
}

/// Where the running search stands.
#[derive(Debug, Clone, Default)]
pub struct Search {
    /// Counts the requests; answers to older ones are dropped.
    pub generation: u64,
    /// When the full rank should start, while typing rests.
    pub due: Option<Instant>,
    /// When rows that are still old should be dimmed.
    pub dim_at: Option<Instant>,
    /// True from the request of a full rank until its answer.
    pub ranking: bool,
    /// How long the last full rank took.
    pub last_full: Duration,
}

/// One line for the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    pub text: String,
    pub is_error: bool,
}

/// The key help on top of everything.
#[derive(Debug, Clone, Default)]
pub struct KeysOverlay {
    pub filter: String,
    pub selected: usize,
}

/// The whole state of the explorer.
#[derive(Debug, Clone)]
pub struct Model {
    pub size: Size,
    pub skin: Skin,
    pub status: Status,
    pub index: IndexState,
    /// Counts the changes of the index, so that readers know when to open it anew.
    pub index_version: u64,
    pub task: Input,
    pub budget_tokens: usize,
    pub focus: Focus,
    pub zoomed: bool,
    pub rows: Rows,
    pub source: SourceView,
    pub why_scroll: usize,
    pub search: Search,
    pub preview_generation: u64,
    pub pending_keys: Vec<Key>,
    pub keys: Option<KeysOverlay>,
    pub message: Option<Message>,
    /// True when the screen no longer shows the model.
    pub dirty: bool,
}

impl Model {
    /// A model that has just started, with the task given on the command line.
    pub fn new(task: String, budget_tokens: usize, skin: Skin, size: Size) -> Model {
        Model {
            size,
            skin,
            status: Status::default(),
            index: IndexState::Opening,
            index_version: 0,
            focus: if task.trim().is_empty() { Focus::Task } else { Focus::Pack },
            task: Input::new(task),
            budget_tokens,
            zoomed: false,
            rows: Rows::default(),
            source: SourceView::default(),
            why_scroll: 0,
            search: Search::default(),
            preview_generation: 0,
            pending_keys: Vec::new(),
            keys: None,
            message: None,
            dirty: true,
        }
    }

    /// Where everything stands now.
    pub fn areas(&self) -> Areas {
        Areas::new(self.size, self.focus, self.zoomed)
    }

    /// True when there is an index to rank with.
    pub fn usable(&self) -> bool {
        matches!(self.index, IndexState::Ready | IndexState::Updating(_))
    }

    /// The task without surrounding blanks.
    pub fn task_text(&self) -> &str {
        self.task.value().trim()
    }

    /// Shows a line of good or neutral news.
    pub fn say(&mut self, text: impl Into<String>) {
        self.message = Some(Message { text: text.into(), is_error: false });
    }

    /// Shows a line of bad news.
    pub fn complain(&mut self, text: impl Into<String>) {
        self.message = Some(Message { text: text.into(), is_error: true });
    }

    /// When something should happen although no event comes.
    pub fn deadline(&self) -> Option<Instant> {
        self.search.due.into_iter().chain(self.search.dim_at).min()
    }
}

impl Skin {
    /// The default look.
    pub fn plain() -> Result<Skin, String> {
        Ok(Skin { theme: Theme::shipped("ansi")?, glyphs: glyphs::UNICODE })
    }
}
