//! What the task line said before: steps back and forward through one's typing, a word at a time.

use tui_input::Input;

use super::task::Entry;

/// Older states are forgotten.
const KEPT: usize = 200;

/// The line as it was: the way in, its text, the place of the cursor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Typed {
    pub entry: Entry,
    pub text: String,
    pub cursor: usize,
}

/// What a change did. Changes of a kind that follow each other are one step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    Letter,
    Blank,
    Erased,
    /// Many letters at once: a paste, another task, a deleted word.
    Many,
}

/// The states before and after the present one.
#[derive(Debug, Clone, Default)]
pub struct Edits {
    before: Vec<Typed>,
    after: Vec<Typed>,
    last: Option<Change>,
}

impl Edits {
    /// The line was `before` and has been changed.
    pub fn note(&mut self, before: Typed, change: Change) {
        self.after.clear();
        let goes_on = matches!(
            (self.last, change),
            (Some(Change::Letter | Change::Blank), Change::Letter)
                | (Some(Change::Blank), Change::Blank)
                | (Some(Change::Erased), Change::Erased)
        );
        if !goes_on {
            self.before.push(before);
            self.before.drain(..self.before.len().saturating_sub(KEPT));
        }
        self.last = Some(change);
    }

    /// What is typed next is a step of its own.
    pub fn rest(&mut self) {
        self.last = None;
    }

    /// The state before `now`; none when there is none.
    pub fn undo(&mut self, now: Typed) -> Option<Typed> {
        let before = self.before.pop()?;
        self.after.push(now);
        self.rest();
        Some(before)
    }

    /// The state that [`Edits::undo`] left; none when there is none.
    pub fn redo(&mut self, now: Typed) -> Option<Typed> {
        let after = self.after.pop()?;
        self.before.push(now);
        self.rest();
        Some(after)
    }
}

impl Typed {
    /// The line's text and cursor as a text field.
    pub fn input(&self) -> Input {
        Input::new(self.text.clone()).with_cursor(self.cursor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(text: &str) -> Typed {
        Typed { entry: Entry::Words, text: text.to_owned(), cursor: text.len() }
    }

    #[test]
    fn words_are_steps_and_so_are_pastes() {
        let mut edits = Edits::default();
        let mut text = String::new();
        for letter in "ab cd".chars() {
            let change = if letter == ' ' { Change::Blank } else { Change::Letter };
            edits.note(typed(&text), change);
            text.push(letter);
        }
        edits.note(typed(&text), Change::Many);
        let mut now = typed("ab cd, pasted");
        for expected in ["ab cd", "ab", ""] {
            now = edits.undo(now).unwrap();
            assert_eq!(now, typed(expected));
        }
        assert_eq!(edits.undo(now.clone()), None);
        assert_eq!(edits.redo(now).map(|typed| typed.text).as_deref(), Some("ab"));
        edits.note(typed("ab"), Change::Letter);
        assert_eq!(edits.redo(typed("abx")), None, "whoever types on has chosen another way");
    }

    #[test]
    fn a_pause_and_erasing_begin_new_steps() {
        let mut edits = Edits::default();
        edits.note(typed(""), Change::Letter);
        edits.rest();
        edits.note(typed("a"), Change::Letter);
        edits.note(typed("ab"), Change::Erased);
        edits.note(typed("a"), Change::Erased);
        assert_eq!(edits.undo(typed("")), Some(typed("ab")));
        assert_eq!(edits.undo(typed("ab")), Some(typed("a")));
        assert_eq!(edits.undo(typed("a")), Some(typed("")));
    }
}
