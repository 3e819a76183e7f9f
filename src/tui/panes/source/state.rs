//! The state of the source pane: one file, and the location in it that is shown.

use std::ops::Range;
use std::sync::Arc;

use super::lookup::Lookup;
use super::marks::Search;
use crate::model::{Symbol, SymbolId};
use crate::tui::theme::Slot;

/// A line of source as colored pieces, free of control characters.
pub type SourceLine = Vec<(Slot, Box<str>)>;

/// A file as the worker loaded it.
#[derive(Debug, Clone, Default)]
pub struct LoadedSource {
    pub lines: Arc<Vec<SourceLine>>,
    pub definitions: Arc<Vec<Symbol>>,
    /// Whether the file differs from the one that was indexed.
    pub changed: bool,
}

/// A definition, or a line in it; lines are 1-based.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SourceLocation {
    pub file: String,
    pub start_line: usize,
    pub end_line: usize,
    /// The marked line: that of the name, or of a use in the definition.
    pub line: usize,
    pub is_use: bool,
    /// The symbol; `None` in a file without one.
    pub symbol: Option<SymbolId>,
}

impl SourceLocation {
    /// Returns the location of a line of a symbol's definition, or of its name.
    pub fn new(symbol: &Symbol, line: Option<u32>) -> SourceLocation {
        let span = symbol.span;
        SourceLocation {
            file: symbol.file.clone(),
            start_line: span.start_line as usize,
            end_line: span.end_line as usize,
            line: line.unwrap_or(span.name_line) as usize,
            is_use: line.is_some(),
            symbol: Some(symbol.id),
        }
    }
}

/// The state of the source pane.
#[derive(Debug, Clone, Default)]
pub struct SourceView {
    /// The symbol that the user went to; `None` while the list's selection is shown.
    pub chosen: Option<Symbol>,
    /// A symbol, and the line of the use in it that the user went to; without a line its name.
    pub use_line: Option<(SymbolId, Option<u32>)>,
    /// The view before a window previewed other locations; restored when its location is shown again.
    pub saved_view: Option<SavedView>,
    /// Visible rows when the location last changed; 0 when unknown.
    pub height: usize,
    /// The list's selection at the last update.
    pub selection: Option<SymbolId>,
    /// The location to show.
    pub wanted: Option<SourceLocation>,
    /// The location shown: the previous one until the lines of the wanted one are loaded, so that the pane does not
    /// flicker.
    pub shown: Option<SourceLocation>,
    /// The lines of the shown file.
    pub lines: Arc<Vec<SourceLine>>,
    /// The definitions of the shown file, in the order of the source.
    pub definitions: Arc<Vec<Symbol>>,
    /// Whether the file differs from the one that was indexed.
    pub changed: bool,
    /// First visible line, from 0.
    pub top: usize,
    /// The line of the cursor, from 1; 0 without a file.
    pub cursor: usize,
    /// The byte range of the word under the cursor.
    pub word: Option<Range<usize>>,
    pub search: Search,
    /// The word whose definition was asked for last.
    pub lookup: Option<Lookup>,
    /// Whether the cursor is where the pane put it: then keys are about the shown symbol, not about the word there.
    pub is_placed: bool,
    /// Whether the location was just shown, and its first change is not in view yet.
    pub is_fresh: bool,
    /// Whether the wanted location is shown again although it has not changed: the cursor had left it.
    pub is_revisited: bool,
    /// Why the file can't be shown.
    pub error: Option<String>,
    /// Number of the last request; answers to older ones are dropped.
    pub generation: u64,
}

/// A location as it was scrolled, with its cursor.
#[derive(Debug, Clone)]
pub struct SavedView {
    pub location: SourceLocation,
    top: usize,
    pub cursor: usize,
    word: Option<Range<usize>>,
    pub is_placed: bool,
    /// The definition around the cursor.
    pub enclosing: Option<Symbol>,
}

/// Lines of context above a definition.
const CONTEXT_ABOVE: usize = 3;

impl SourceView {
    /// Goes to another location; within the same file it is shown at once.
    pub fn go_to(&mut self, location: SourceLocation) {
        let Some(shown) = self.shown.as_ref().filter(|shown| shown.file == location.file) else {
            self.wanted = Some(location);
            return;
        };
        // After an edit of the file the symbol is at another line; what is read stays where it is on the screen.
        let is_moved = shown.symbol == location.symbol && shown.symbol.is_some() && !shown.is_use && !location.is_use;
        let by = location.line as isize - shown.line as isize;
        self.wanted = Some(location);
        if is_moved && by != 0 {
            self.shown = self.wanted.clone();
            self.top = self.top.saturating_add_signed(by);
            self.cursor = self.cursor.saturating_add_signed(by).max(1);
        } else if is_moved {
            self.shown = self.wanted.clone();
        } else {
            self.reveal();
        }
    }

    /// Saves the scroll position before a window previews other locations.
    pub fn save_view(&mut self) {
        if self.saved_view.is_none() && self.shown == self.wanted {
            self.saved_view = self.shown.clone().map(|location| self.view_of(location));
        }
    }

    /// Returns the present view as that of a location.
    pub fn view_of(&self, location: SourceLocation) -> SavedView {
        SavedView {
            location,
            top: self.top,
            cursor: self.cursor,
            word: self.word.clone(),
            is_placed: self.is_placed,
            enclosing: self.enclosing().cloned(),
        }
    }

    /// Shows nothing.
    pub fn clear(&mut self) {
        *self = SourceView {
            chosen: self.chosen.take(),
            use_line: self.use_line,
            saved_view: self.saved_view.take(),
            selection: self.selection,
            generation: self.generation,
            lookup: self.lookup.take(),
            search: std::mem::take(&mut self.search),
            ..SourceView::default()
        };
    }

    /// Shows the lines of a file if it is still the wanted one.
    pub fn show(&mut self, file: &str, loaded: LoadedSource) {
        if self.wanted.as_ref().is_some_and(|location| location.file == file) {
            (self.lines, self.definitions, self.changed) = (loaded.lines, loaded.definitions, loaded.changed);
            // Colors arrive after the plain text and must not undo the user's scrolling.
            if self.shown != self.wanted || self.error.is_some() {
                self.reveal();
            }
            self.cursor = self.cursor.clamp(1, self.lines.len().max(1));
            if self.cursor_word().is_none() {
                self.move_to(self.cursor, 0);
            }
            self.renew_search();
        }
    }

    /// Shows an error instead of the wanted file.
    pub fn fail(&mut self, error: String) {
        self.shown = None;
        self.lines = Arc::default();
        self.definitions = Arc::default();
        self.changed = false;
        (self.cursor, self.word) = (0, None);
        self.error = Some(error);
    }

    /// Returns the next or the previous definition of the file.
    pub fn neighbor(&self, forward: bool) -> Option<Symbol> {
        let line = if self.cursor == 0 { self.wanted.as_ref()?.line } else { self.cursor };
        let line_of = |definition: &&Symbol| definition.span.name_line as usize;
        let found = match forward {
            true => self.definitions.iter().filter(|other| line_of(other) > line).min_by_key(line_of),
            false => self.definitions.iter().filter(|other| line_of(other) < line).max_by_key(line_of),
        };
        found.cloned()
    }

    /// Shows the wanted location, with the cursor on its line.
    pub fn reveal(&mut self) {
        self.error = None;
        self.shown = self.wanted.clone();
        self.is_fresh = true;
        self.move_to(self.shown.as_ref().map_or(1, |location| location.line), 0);
        self.is_placed = true;
        self.top = self.shown.as_ref().map_or(0, |location| {
            let head = location.start_line.saturating_sub(1 + CONTEXT_ABOVE);
            // A use far below the head of its definition must be visible.
            if self.height == 0 { head } else { head.max(location.line.saturating_sub(1 + self.height / 2)) }
        });
        if let Some(saved) = self.saved_view.take_if(|saved| Some(&saved.location) == self.shown.as_ref()) {
            (self.top, self.cursor, self.word) = (saved.top, saved.cursor, saved.word);
            (self.is_placed, self.is_fresh) = (saved.is_placed, false);
        }
    }

    /// Scrolls the line of the cursor to the middle.
    pub fn center(&mut self, height: usize) {
        let top = self.cursor.saturating_sub(1 + height / 2);
        self.top = top.min(self.last_top(height));
    }

    /// Scrolls by some lines. The cursor stays visible.
    pub fn scroll(&mut self, by: isize, height: usize) {
        let last = self.last_top(height);
        self.top = self.top.min(last).saturating_add_signed(by).min(last);
        self.keep_cursor_visible(height);
    }

    /// Returns the top line at which the last line is at the foot of the pane.
    pub fn last_top(&self, height: usize) -> usize {
        self.lines.len().saturating_sub(height)
    }
}
