//! The cursor of the source pane: a line and a word in it.

use std::ops::Range;

use super::ID;
use super::state::SourceView;
use crate::model::Symbol;
use crate::tui::model::{Focus, Model};
use crate::tui::theme::Slot;
use crate::tui::update::navigation;

/// Rows kept between the cursor and the edges of the pane.
const MARGIN: usize = 2;

/// Returns the line of the cursor if it is in this symbol's file and the pane has the focus. While a window previews another
/// place, that is the line to which the cursor returns.
pub fn cursor_line(model: &Model, symbol: &Symbol) -> Option<u32> {
    let source = &model.panes.source;
    let is_shown = source.shown.as_ref().is_some_and(|shown| shown.file == symbol.file);
    let before = source.saved_view.as_ref().filter(|saved| saved.location.file == symbol.file);
    let cursor = before.map_or(source.cursor, |saved| saved.cursor);
    (model.focus == Focus::Pane(ID) && (is_shown || before.is_some()) && cursor > 0).then_some(cursor as u32)
}

/// Returns whether the pane has the focus and its cursor was moved to a line that is in no definition.
pub fn is_outside_definitions(model: &Model) -> bool {
    let source = &model.panes.source;
    let is_moved = source.is_settled() && source.saved_view.is_none() && !source.is_placed && source.cursor > 0;
    let is_outside = |symbol: &Symbol| !source.is_in(symbol);
    model.focus == Focus::Pane(ID)
        && is_moved
        && !source.definitions.is_empty()
        && source.enclosing().is_none()
        && navigation::visited_symbol(model).is_none_or(is_outside)
}

impl SourceView {
    /// Returns the definition around the cursor if the cursor was moved out of the `visited` symbol, or into one in it. While a
    /// window previews another place, that is the definition to which the cursor returns.
    pub fn at_cursor(&self, visited: Option<&Symbol>) -> Option<&Symbol> {
        let enclosing = match &self.saved_view {
            Some(saved) => return saved.enclosing.as_ref().filter(|_| !saved.is_placed),
            None if self.is_placed || !self.is_settled() => return None,
            None => self.enclosing()?,
        };
        let lines = |symbol: &Symbol| symbol.span.end_line - symbol.span.start_line;
        let is_visited = |visited: &Symbol| self.is_in(visited) && lines(visited) <= lines(enclosing);
        (!visited.is_some_and(is_visited)).then_some(enclosing)
    }

    /// Returns whether the wanted location is shown.
    fn is_settled(&self) -> bool {
        self.shown.is_some() && self.shown == self.wanted
    }

    /// Returns whether the cursor is in a symbol of the shown file.
    fn is_in(&self, symbol: &Symbol) -> bool {
        let is_here = self.shown.as_ref().is_some_and(|shown| shown.file == symbol.file);
        is_here && (symbol.span.start_line..=symbol.span.end_line).contains(&(self.cursor as u32))
    }

    /// Returns the text of a line, from 1.
    pub fn line_text(&self, line: usize) -> String {
        let pieces = line.checked_sub(1).and_then(|index| self.lines.get(index));
        pieces.map(|pieces| pieces.iter().map(|(_, piece)| &**piece).collect()).unwrap_or_default()
    }

    /// Returns the identifiers of a line with their colors.
    fn words(&self, line: usize) -> Vec<(Range<usize>, Slot)> {
        let Some(pieces) = line.checked_sub(1).and_then(|index| self.lines.get(index)) else { return Vec::new() };
        let mut words = Vec::new();
        let mut start = 0;
        for (slot, piece) in pieces {
            if !matches!(slot, Slot::Keyword | Slot::Number | Slot::Operator) {
                words.extend(identifiers(piece).map(|range| (start + range.start..start + range.end, *slot)));
            }
            start += piece.len();
        }
        words
    }

    /// Returns the word that the cursor is on when it comes to a line: the name on the line of a definition, else a
    /// called function, a type, or the first identifier.
    fn first_word(&self, line: usize) -> Option<Range<usize>> {
        let words = self.words(line);
        let text = self.line_text(line);
        let defined = self.definitions.iter().filter(|definition| definition.span.name_line as usize == line);
        let is_defined =
            |range: &Range<usize>| defined.clone().any(|symbol| Some(&*symbol.name) == text.get(range.clone()));
        let with = |slot: Slot| words.iter().find(|(_, other)| *other == slot);
        let is_code = |(_, slot): &&(Range<usize>, Slot)| !matches!(slot, Slot::Comment | Slot::String);
        (words.iter().find(|(range, _)| is_defined(range)))
            .or_else(|| with(Slot::Function))
            .or_else(|| with(Slot::Type))
            .or_else(|| words.iter().find(is_code))
            .or_else(|| words.first())
            .map(|(range, _)| range.clone())
    }

    /// Puts the cursor on a line and shows it.
    pub fn move_to(&mut self, line: usize, height: usize) {
        self.cursor = line.clamp(1, self.lines.len().max(1));
        self.is_placed = false;
        self.word = self.first_word(self.cursor);
        self.show_cursor(height);
    }

    /// Moves the cursor by some lines.
    pub fn move_by(&mut self, by: isize, height: usize) {
        let line = self.cursor.max(1).saturating_add_signed(by).max(1);
        self.move_to(line, height);
    }

    /// Moves the cursor to the next or the previous word, also of another line. Returns whether there is one.
    pub fn move_to_word(&mut self, forward: bool, height: usize) -> bool {
        let current = self.word.clone().map_or(0, |word| word.start);
        let words = self.words(self.cursor);
        let mut here = words.iter().map(|(range, _)| range.clone());
        let found = match forward {
            true => here.find(|range| range.start > current),
            false => here.rfind(|range| range.start < current),
        };
        if found.is_some() {
            (self.word, self.is_placed) = (found, false);
            return true;
        }
        let mut line = self.cursor;
        loop {
            line = if forward { line + 1 } else { line.saturating_sub(1) };
            if line == 0 || line > self.lines.len() {
                return false;
            }
            let words = self.words(line);
            let Some((range, _)) = (if forward { words.first() } else { words.last() }) else { continue };
            self.move_to(line, height);
            self.word = Some(range.clone());
            return true;
        }
    }

    /// Puts the cursor on the word at a byte of a line.
    pub fn move_to_byte(&mut self, line: usize, byte: usize, height: usize) {
        self.move_to(line, height);
        let word = self.words(self.cursor).into_iter().find(|(range, _)| range.contains(&byte));
        self.word = word.map(|(range, _)| range).or(self.word.take());
    }

    /// Returns the word under the cursor; of a match of the search, the word around its start.
    pub fn cursor_word(&self) -> Option<String> {
        let range = self.word.clone()?;
        let around = self.words(self.cursor).into_iter().find(|(word, _)| word.contains(&range.start));
        self.line_text(self.cursor).get(around.map_or(range, |(word, _)| word)).map(str::to_owned)
    }

    /// Returns whether the word under the cursor is code and stands alone: it is no member of a value or module.
    pub fn is_plain_name(&self) -> bool {
        let Some(range) = &self.word else { return false };
        let words = self.words(self.cursor);
        let around = words.iter().find(|(word, _)| word.contains(&range.start));
        around.is_some_and(|(word, slot)| {
            let text = self.line_text(self.cursor);
            let before = text[..word.start].trim_end();
            let is_member = [".", "->", "::"].iter().any(|sign| before.ends_with(sign)) && !before.ends_with("...");
            !is_member && !matches!(slot, Slot::Comment | Slot::String)
        })
    }

    /// Returns the innermost definition around the cursor.
    pub fn enclosing(&self) -> Option<&Symbol> {
        let line = self.cursor as u32;
        let around =
            self.definitions.iter().filter(|symbol| (symbol.span.start_line..=symbol.span.end_line).contains(&line));
        around.min_by_key(|symbol| symbol.span.end_line - symbol.span.start_line)
    }

    /// Scrolls as far as needed to show the cursor.
    fn show_cursor(&mut self, height: usize) {
        if height == 0 || self.cursor == 0 {
            return;
        }
        let margin = MARGIN.min((height - 1) / 2);
        let row = self.cursor - 1;
        let first = (row + margin + 1).saturating_sub(height);
        self.top = self.top.clamp(first, row.saturating_sub(margin).max(first)).min(self.last_top(height));
    }

    /// Keeps the cursor within the visible lines after scrolling.
    pub fn keep_cursor_visible(&mut self, height: usize) {
        if height == 0 || self.cursor == 0 {
            return;
        }
        let visible = self.top + 1..=(self.top + height).min(self.lines.len()).max(self.top + 1);
        if !visible.contains(&self.cursor) {
            self.cursor = self.cursor.clamp(*visible.start(), *visible.end());
            self.is_placed = false;
            self.word = self.first_word(self.cursor);
        }
    }
}

/// Returns the byte ranges of the identifiers in a text.
pub fn identifiers(text: &str) -> impl DoubleEndedIterator<Item = Range<usize>> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for (at, letter) in text.char_indices() {
        let end = at + letter.len_utf8();
        match ranges.last_mut() {
            Some(last) if last.end == at && (letter.is_alphanumeric() || letter == '_') => last.end = end,
            // `1e5` is not a word.
            _ if (letter.is_alphabetic() || letter == '_') && !text[..at].ends_with(char::is_alphanumeric) => {
                ranges.push(at..end);
            }
            _ => {}
        }
    }
    ranges.into_iter()
}
