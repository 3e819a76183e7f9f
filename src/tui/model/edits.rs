//! The undo history of the task line, one step for each word.

use tui_input::Input;

use super::task::EntryPoint;

/// Older states are dropped.
const MAX_STATES: usize = 200;
/// Older states are dropped when their texts have more bytes together.
const MAX_BYTES: usize = 16 << 20;

/// A state of the line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    pub entry_point: EntryPoint,
    pub text: String,
    /// The position of the cursor in characters.
    pub cursor: usize,
}

/// The kind of an edit. Consecutive edits of one kind are one step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EditKind {
    Letter,
    Blank,
    Erased,
    /// Several characters at once: a paste, another task, a deleted word.
    Many,
}

/// The states to undo and redo to.
#[derive(Debug, Clone, Default)]
pub struct Edits {
    undo: Vec<Snapshot>,
    redo: Vec<Snapshot>,
    last: Option<EditKind>,
}

impl Edits {
    /// Records an edit of a line that was `before`.
    pub fn push(&mut self, before: Snapshot, kind: EditKind) {
        self.redo.clear();
        let continues = matches!(
            (self.last, kind),
            (Some(EditKind::Letter | EditKind::Blank), EditKind::Letter)
                | (Some(EditKind::Blank), EditKind::Blank)
                | (Some(EditKind::Erased), EditKind::Erased)
        );
        if !continues {
            self.undo.push(before);
            self.undo.drain(..self.undo.len().saturating_sub(MAX_STATES));
            let mut room = MAX_BYTES;
            let kept = self.undo.iter().rev().take_while(|state| {
                let fits = state.text.len() <= room;
                room = room.saturating_sub(state.text.len());
                fits
            });
            let kept = kept.count().max(1);
            self.undo.drain(..self.undo.len() - kept);
        }
        self.last = Some(kind);
    }

    /// Ends the current step.
    pub fn end_step(&mut self) {
        self.last = None;
    }

    /// Returns the state before `now`, which can be redone.
    pub fn undo(&mut self, now: Snapshot) -> Option<Snapshot> {
        let before = self.undo.pop()?;
        self.redo.push(now);
        self.end_step();
        Some(before)
    }

    /// Returns the state that [`Edits::undo`] left.
    pub fn redo(&mut self, now: Snapshot) -> Option<Snapshot> {
        let after = self.redo.pop()?;
        self.undo.push(now);
        self.end_step();
        Some(after)
    }
}

impl Snapshot {
    /// Returns text and cursor as a text field.
    pub fn input(&self) -> Input {
        Input::new(self.text.clone()).with_cursor(self.cursor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn snapshot(text: &str) -> Snapshot {
        Snapshot { entry_point: EntryPoint::Text, text: text.to_owned(), cursor: text.len() }
    }

    #[test]
    fn words_and_pastes_are_steps() {
        let mut edits = Edits::default();
        let mut text = String::new();
        for letter in "ab cd".chars() {
            let kind = if letter == ' ' { EditKind::Blank } else { EditKind::Letter };
            edits.push(snapshot(&text), kind);
            text.push(letter);
        }
        edits.push(snapshot(&text), EditKind::Many);
        let mut now = snapshot("ab cd, pasted");
        for expected in ["ab cd", "ab", ""] {
            now = edits.undo(now).unwrap();
            assert_eq!(now, snapshot(expected));
        }
        assert_eq!(edits.undo(now.clone()), None);
        assert_eq!(edits.redo(now).map(|state| state.text).as_deref(), Some("ab"));
        edits.push(snapshot("ab"), EditKind::Letter);
        assert_eq!(edits.redo(snapshot("abx")), None, "a new edit drops what could be redone");
    }

    #[test]
    fn a_pause_and_erasing_start_new_steps() {
        let mut edits = Edits::default();
        edits.push(snapshot(""), EditKind::Letter);
        edits.end_step();
        edits.push(snapshot("a"), EditKind::Letter);
        edits.push(snapshot("ab"), EditKind::Erased);
        edits.push(snapshot("a"), EditKind::Erased);
        assert_eq!(edits.undo(snapshot("")), Some(snapshot("ab")));
        assert_eq!(edits.undo(snapshot("ab")), Some(snapshot("a")));
        assert_eq!(edits.undo(snapshot("a")), Some(snapshot("")));
    }
}
