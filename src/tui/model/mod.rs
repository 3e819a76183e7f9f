//! Everything the screen shows and every key depends on; plain data, one file for each part.

pub mod classes;
pub mod export;
pub mod cost;
pub mod edits;
pub mod focus;
pub mod graph;
pub mod index;
pub mod judgement;
pub mod pending;
pub mod pack;
pub mod pack_diff;
pub mod rings;
pub mod runs;
pub mod search;
pub mod source;
pub mod task;
pub mod trail;
pub mod waterfall;
pub mod why;

use std::sync::Arc;
use std::time::Instant;

use ratatui::layout::Size;
use tui_input::Input;

use classes::ClassStepper;
use cost::CostMap;
use edits::Edits;
use export::Export;
pub use focus::Focus;
use graph::GraphView;
pub use index::{IndexState, Phase, Phases};
use judgement::Judgements;
use pack::PackList;
use pending::Pending;
use runs::Runs;
use search::Search;
use source::SourceView;
use task::{Entry, TaskEntry};
use trail::Trail;
use why::WhyView;

use super::clipboard::Route;
use super::config::Config;
use super::glyphs::{self, Glyphs};
use super::history::History;
use super::keymap::Keymap;
use super::layout::{Areas, Shape};
use super::overlay::Overlay;
use super::theme::Theme;
use super::workspace::Status;
use crate::model::{Options, SymbolId};

/// How things look.
#[derive(Debug, Clone, PartialEq)]
pub struct Appearance {
    pub theme: Theme,
    pub glyphs: Glyphs,
}

/// One line for the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    pub text: String,
    pub is_error: bool,
}

/// The whole state of the explorer.
#[derive(Debug, Clone)]
pub struct Model {
    pub size: Size,
    pub appearance: Appearance,
    pub status: Status,
    pub index: IndexState,
    /// Counts the changes of the index, so that readers know when to open it anew.
    pub index_version: u64,
    pub focus: Focus,
    pub zoomed: bool,
    pub task: TaskEntry,
    pub search: Search,
    pub pack: PackList,
    pub judgements: Judgements,
    pub classes: ClassStepper,
    pub source: SourceView,
    pub why: WhyView,
    pub graph: GraphView,
    pub runs: Runs,
    pub cost: CostMap,
    pub trail: Trail,
    /// The pane below the source where there are two columns.
    pub companion: Focus,
    /// What lies on top of the panes; the last has the keys.
    pub overlays: Vec<Overlay>,
    /// Counts the questions to the reader; each part keeps the number of its own last one.
    pub asked: u64,
    /// The symbols of the last question for what is remembered and their files, in its order, and its number.
    pub remembered: Vec<(SymbolId, String)>,
    pub asked_again: u64,
    /// Tasks to try, made from the repository.
    pub examples: Vec<String>,
    /// What changed on disk since the index was last up to date, in words; empty when nothing did.
    pub changed: String,
    /// The tasks of before, newest first.
    pub history: History,
    pub export: Export,
    /// How texts get to the clipboard in this session.
    pub clipboard: Route,
    pub settings: Config,
    pub keymap: Arc<Keymap>,
    pub pending: Pending,
    pub message: Option<Message>,
    /// True when the screen no longer shows the model.
    pub dirty: bool,
}

impl Model {
    /// A model that has just started, with the task given on the command line.
    pub fn new(task: String, budget_tokens: usize, appearance: Appearance, size: Size) -> Model {
        Model {
            size,
            appearance,
            status: Status::default(),
            index: IndexState::Opening,
            index_version: 0,
            focus: if task.trim().is_empty() { Focus::Task } else { Focus::Pack },
            zoomed: false,
            task: TaskEntry {
                entry: Entry::default(),
                input: Input::new(task),
                edits: Edits::default(),
                budget_tokens,
                options: Options::default(),
            },
            search: Search::default(),
            pack: PackList::default(),
            judgements: Judgements::default(),
            classes: ClassStepper::default(),
            source: SourceView::default(),
            why: WhyView::default(),
            graph: GraphView::default(),
            runs: Runs::default(),
            cost: CostMap::default(),
            trail: Trail::default(),
            companion: Focus::Why,
            overlays: Vec::new(),
            asked: 0,
            remembered: Vec::new(),
            asked_again: 0,
            examples: Vec::new(),
            changed: String::new(),
            history: History::default(),
            export: Export::default(),
            clipboard: Route::Osc52,
            settings: Config::default(),
            keymap: Arc::new(Keymap::new()),
            pending: Pending::default(),
            message: None,
            dirty: true,
        }
    }

    /// Where everything stands now.
    pub fn areas(&self) -> Areas {
        // Where one pane is seen at a time, it is the source while a window goes from symbol to symbol.
        let previews = self.overlays.last().is_some_and(|overlay| overlay.window().selected_symbol().is_some());
        let is_alone = self.zoomed || !Shape::of(self.size).boxed();
        let focus = if previews && is_alone { Focus::Source } else { self.focus };
        Areas::new(self.size, focus, self.companion, self.zoomed)
    }

    /// True when there is an index to rank with.
    pub fn usable(&self) -> bool {
        matches!(self.index, IndexState::Ready | IndexState::Updating(_))
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
        self.search.due.into_iter().chain(self.search.dim_at).chain(self.pending.shows_at).min()
    }
}

impl Appearance {
    /// The default look.
    pub fn plain() -> Result<Appearance, String> {
        Ok(Appearance { theme: Theme::built_in("ansi")?, glyphs: glyphs::UNICODE })
    }
}
