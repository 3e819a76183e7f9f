//! What the source pane shows: one file, and the place of the selected definition in it.

use std::sync::Arc;

use unicode_width::UnicodeWidthStr;

use crate::model::{Symbol, SymbolId};
use crate::tui::theme::Slot;

/// A line of source as colored pieces, free of control characters.
pub type SourceLine = Vec<(Slot, Box<str>)>;

/// A file as the worker hands it over.
#[derive(Debug, Clone, Default)]
pub struct Shown {
    pub lines: Arc<Vec<SourceLine>>,
    pub definitions: Arc<Vec<Symbol>>,
    pub changed: bool,
}

/// The definition a preview is about, or a place in it; lines are 1-based.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Place {
    pub file: String,
    pub start_line: usize,
    pub end_line: usize,
    /// The line that is marked: that of the name, or of a use in the definition.
    pub line: usize,
    pub is_use: bool,
}

impl Place {
    /// A line of a symbol's definition, or that of its name.
    pub fn of(symbol: &Symbol, line: Option<u32>) -> Place {
        let place = Place::from(symbol);
        Place { line: line.map_or(place.line, |line| line as usize), is_use: line.is_some(), ..place }
    }
}

impl From<&Symbol> for Place {
    fn from(symbol: &Symbol) -> Place {
        let span = symbol.span;
        Place {
            file: symbol.file.clone(),
            start_line: span.start_line as usize,
            end_line: span.end_line as usize,
            line: span.name_line as usize,
            is_use: false,
        }
    }
}

/// The state of the source pane.
#[derive(Debug, Clone, Default)]
pub struct SourceView {
    /// The symbol that the user went to; without one it is the list's selection.
    pub chosen: Option<Symbol>,
    /// A line that matters in the shown symbol more than the one of its name: that of a use.
    pub at: Option<(SymbolId, u32)>,
    /// How a place was seen before a window showed others: it is seen so again afterwards. Top line, left column.
    pub kept: Option<(Place, usize, usize)>,
    /// Lines in sight when another place was last turned to; zero when that is not known.
    pub height: usize,
    /// The list's selection when it was last looked at.
    pub selection: Option<SymbolId>,
    /// What should be shown.
    pub wanted: Option<Place>,
    /// What is shown: the place before, until the lines of the wanted one have come, so that nothing flashes empty.
    pub shown: Option<Place>,
    /// The lines of the shown file.
    pub lines: Arc<Vec<SourceLine>>,
    /// The definitions of the shown file, in the order of the source.
    pub definitions: Arc<Vec<Symbol>>,
    /// True when the file is another one than was indexed.
    pub changed: bool,
    /// First line on the screen, from 0.
    pub top: usize,
    /// Columns scrolled away on the left.
    pub left: usize,
    /// Why there is nothing to see.
    pub trouble: Option<String>,
    /// Counts the requests; answers to older ones are dropped.
    pub generation: u64,
}

/// Lines of context kept above a definition.
const CONTEXT_ABOVE: usize = 3;

impl SourceView {
    /// Turns to another definition; within the same file it is shown at once.
    pub fn turn_to(&mut self, place: Place) {
        let same_file = self.shown.as_ref().is_some_and(|shown| shown.file == place.file);
        self.wanted = Some(place);
        if same_file {
            self.reveal();
        }
    }

    /// A window is about to show other places.
    pub fn keep(&mut self) {
        if self.kept.is_none() && self.shown == self.wanted {
            self.kept = self.shown.clone().map(|place| (place, self.top, self.left));
        }
    }

    /// Shows nothing.
    pub fn turn_away(&mut self) {
        *self = SourceView {
            chosen: self.chosen.take(),
            at: self.at,
            kept: self.kept.take(),
            selection: self.selection,
            generation: self.generation,
            ..SourceView::default()
        };
    }

    /// Shows the lines of a file, if it still is the one that is wanted.
    pub fn show(&mut self, file: &str, shown: Shown) {
        if self.wanted.as_ref().is_some_and(|place| place.file == file) {
            (self.lines, self.definitions, self.changed) = (shown.lines, shown.definitions, shown.changed);
            // Colors that come later must not undo the reader's scrolling.
            if self.shown != self.wanted || self.trouble.is_some() {
                self.reveal();
            }
        }
    }

    /// The wanted file can't be shown, for this reason.
    pub fn fail(&mut self, reason: String) {
        self.shown = None;
        self.lines = Arc::default();
        self.definitions = Arc::default();
        self.changed = false;
        self.trouble = Some(reason);
    }

    /// The definition after the wanted one in its file, or the one before.
    pub fn neighbor(&self, forward: bool) -> Option<Symbol> {
        let line = self.wanted.as_ref()?.line;
        let at = |definition: &&Symbol| definition.span.name_line as usize;
        let found = match forward {
            true => self.definitions.iter().filter(|other| at(other) > line).min_by_key(at),
            false => self.definitions.iter().filter(|other| at(other) < line).max_by_key(at),
        };
        found.cloned()
    }

    fn reveal(&mut self) {
        self.trouble = None;
        self.shown = self.wanted.clone();
        self.left = 0;
        self.top = self.shown.as_ref().map_or(0, |place| {
            let head = place.start_line.saturating_sub(1 + CONTEXT_ABOVE);
            // A use far below the head of its definition is what matters.
            if self.height == 0 { head } else { head.max(place.line.saturating_sub(1 + self.height / 2)) }
        });
        if let Some((_, top, left)) = self.kept.take_if(|(place, ..)| Some(&*place) == self.shown.as_ref()) {
            (self.top, self.left) = (top, left);
        }
    }

    /// Brings the definition back into view.
    pub fn center(&mut self, height: usize) {
        if let Some(place) = &self.shown {
            let top = place.line.saturating_sub(1 + height / 2);
            self.top = top.min(self.last_top(height));
        }
    }

    /// Scrolls by some lines.
    pub fn scroll(&mut self, by: isize, height: usize) {
        let last = self.last_top(height);
        self.top = self.top.min(last).saturating_add_signed(by).min(last);
    }

    /// Scrolls sideways by some columns, as far as the longest of the `height` lines in view goes; false when there is
    /// nothing more on that side.
    pub fn scroll_sideways(&mut self, by: isize, height: usize) -> bool {
        let in_view = self.lines.iter().skip(self.top).take(height);
        let columns = |line: &SourceLine| line.iter().map(|(_, piece)| piece.width()).sum::<usize>();
        let last = in_view.map(columns).max().unwrap_or(0).saturating_sub(1);
        let before = self.left;
        self.left = self.left.saturating_add_signed(by).min(last.max(before));
        self.left != before
    }

    fn last_top(&self, height: usize) -> usize {
        self.lines.len().saturating_sub(height)
    }
}
