//! What the source pane shows: one file, and the place of the selected definition in it.

use std::sync::Arc;

use super::theme::Slot;

/// A line of source as coloured pieces, free of control characters.
pub type SourceLine = Vec<(Slot, Box<str>)>;

/// The definition a preview is about; lines are 1-based.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Place {
    pub file: String,
    pub start_line: usize,
    pub end_line: usize,
    pub name_line: usize,
}

/// The state of the source pane.
#[derive(Debug, Clone, Default)]
pub struct SourceView {
    /// What should be shown.
    pub wanted: Option<Place>,
    /// The file the lines are of.
    pub file: String,
    pub lines: Arc<Vec<SourceLine>>,
    /// First line on the screen, from 0.
    pub top: usize,
    /// Why there is nothing to see.
    pub trouble: Option<String>,
}

/// Lines of context kept above a definition.
const CONTEXT_ABOVE: usize = 3;

impl SourceView {
    /// Turns to another definition.
    pub fn turn_to(&mut self, place: Place) {
        self.top = place.start_line.saturating_sub(1 + CONTEXT_ABOVE);
        self.trouble = None;
        self.wanted = Some(place);
    }

    /// Brings the definition back into view.
    pub fn centre(&mut self, height: usize) {
        if let Some(place) = &self.wanted {
            let top = place.name_line.saturating_sub(1 + height / 2);
            self.top = top.min(self.last_top(height));
        }
    }

    /// Shows the lines of a file, if it still is the one that is wanted.
    pub fn show(&mut self, file: &str, lines: Arc<Vec<SourceLine>>) {
        if self.wanted.as_ref().is_some_and(|place| place.file == file) {
            self.file = file.to_string();
            self.lines = lines;
            self.trouble = None;
        }
    }

    /// True when the lines at hand are those of the wanted file.
    pub fn matches(&self) -> bool {
        self.wanted.as_ref().is_some_and(|place| place.file == self.file)
    }

    /// Scrolls by some lines.
    pub fn scroll(&mut self, by: isize, height: usize) {
        self.top = self.top.saturating_add_signed(by).min(self.last_top(height));
    }

    fn last_top(&self, height: usize) -> usize {
        self.lines.len().saturating_sub(height)
    }
}
