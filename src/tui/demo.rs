//! The demonstration: the explorer announces keys and presses them by itself, until the user presses one.

use std::time::{Duration, Instant};

use super::key::Key;
use super::model::{IndexState, Model};

/// The ticket that is pasted, about the bundled sample.
pub const TICKET: &str = "\
POST /loans/<isbn>/renewal does not make the session last longer

Each page should let the session of a reader last longer, but who only renews loans has to log in again.
";

/// Sentences that announce keys, with these. Without keys the ticket is pasted.
const STEPS: [(&str, &str); 8] = [
    ("paste a ticket, a trace or a sentence: its code is listed", ""),
    ("Esc goes from the task to the list", "Esc"),
    ("K says why a place is listed", "K"),
    ("2 goes back to the list, j to the next place: the third lets a session last longer", "2 j j"),
    ("g r lists what uses it; renew in web.py, the first place, is not among them", "g r"),
    ("Esc g g goes back to the first place", "Esc g g"),
    ("+ says that it was useful, for this task and similar ones", "+"),
    ("y l copies the place", "y l"),
];
/// The sentence at the end, and when the user presses a key.
pub const END: &str = "this is the sample, and yours: i writes a task, ? shows the keys, q quits";

/// Time to look at what keys did, and to read the sentence about the next ones.
const LOOK: Duration = Duration::from_millis(1500);
const READ: Duration = Duration::from_millis(2500);

/// A move of the demonstration.
#[derive(Debug, PartialEq, Eq)]
pub enum Play {
    /// Says what follows.
    Say(&'static str),
    Paste(&'static str),
    Press(Vec<Key>),
    End,
}

/// The course of the demonstration.
#[derive(Debug, Default)]
pub struct Demo {
    /// Number of finished steps.
    done: usize,
    is_announced: bool,
    /// When it goes on; `None` until the explorer is ready.
    due: Option<Instant>,
}

impl Demo {
    /// Returns when the demonstration goes on; `None` while it waits for an answer.
    pub fn due(&self, model: &Model) -> Option<Instant> {
        self.due.filter(|_| is_ready(model))
    }

    /// Returns what to do now, if anything.
    pub fn play(&mut self, model: &Model, now: Instant) -> Option<Play> {
        if !is_ready(model) {
            return None;
        }
        let due = *self.due.get_or_insert(now + LOOK);
        if now < due {
            return None;
        }
        let Some((sentence, keys)) = STEPS.get(self.done) else { return Some(Play::End) };
        self.is_announced = !self.is_announced;
        if self.is_announced {
            self.due = Some(now + READ);
            return Some(Play::Say(sentence));
        }
        self.done += 1;
        self.due = Some(now + LOOK);
        Some(match keys.is_empty() {
            true => Play::Paste(TICKET),
            false => Play::Press(Key::sequence(keys).unwrap_or_default()),
        })
    }
}

/// Returns whether nothing is being computed.
fn is_ready(model: &Model) -> bool {
    model.index == IndexState::Ready && model.search.due.is_none() && !model.search.ranking
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::fixture;

    #[test]
    fn keys_are_announced_and_pressed_while_the_explorer_is_ready() {
        let mut model = fixture::model(80, 24);
        model.index = IndexState::Opening;
        let (mut demo, mut now) = (Demo::default(), Instant::now());
        assert_eq!((demo.play(&model, now), demo.due(&model)), (None, None));
        model.index = IndexState::Ready;
        let mut played = Vec::new();
        while played.last() != Some(&Play::End) {
            if let Some(play) = demo.play(&model, now) {
                played.push(play);
            }
            now = demo.due(&model).unwrap();
        }
        assert_eq!(played.len(), 2 * STEPS.len() + 1);
        assert_eq!(played[1], Play::Paste(TICKET));
        let pressed = |play: &Play| match play {
            Play::Press(keys) => keys.len(),
            _ => 0,
        };
        assert_eq!(played.iter().map(pressed).sum::<usize>(), 13, "every key has a name");
    }
}
