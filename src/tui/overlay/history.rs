//! The history of tasks, with a fuzzy filter.

use std::time::Instant;

use ratatui::text::Line;

use super::Overlay;
use super::list::{TextList, Texts};
use crate::text::display::safe;
use crate::tui::backend::{Answer, Recorded};
use crate::tui::effect::{Effect, Record};
use crate::tui::history::AskedTask;
use crate::tui::model::Model;
use crate::tui::theme::Slot;
use crate::tui::update::task;
use crate::tui::view::{Canvas, window};

/// The history window.
pub type History = TextList<AskedTasks>;

/// The tasks of the explorer and of the feedback journal: those that the command line ranked are among the latter.
#[derive(Debug, Clone, Default)]
pub struct AskedTasks {
    journal: Vec<AskedTask>,
}

/// Lines of a task that are shown.
const MAX_LINES: usize = 5;

/// Opens the window.
pub fn open(model: &mut Model, effects: &mut Vec<Effect>) {
    effects.push(Effect::Record(Record::Journal));
    model.overlays.push(Overlay::History(History::default()));
}

impl Texts for AskedTasks {
    const TITLE: &'static str = "history";
    const NOUN: &'static str = "task";
    const ENTER: &'static str = "take";
    const EMPTY: &'static str = "No tasks yet.";

    fn all(&self, model: &Model) -> Vec<String> {
        model.history.with(&self.journal)
    }

    fn choose(&self, chosen: &str, model: &mut Model, now: Instant, effects: &mut Vec<Effect>) {
        task::replace(model, chosen, now, effects);
    }

    fn line(&self, text: &str, filter: &str, canvas: &Canvas<'_>) -> Line<'static> {
        let lines = text.lines().take(MAX_LINES).collect::<Vec<_>>();
        let one_line = lines.join(canvas.model.appearance.glyphs.newline);
        Line::from(window::matched(canvas, Slot::Text, &safe(&one_line), filter))
    }

    fn on_recorded(&mut self, answer: &Answer<Recorded>) {
        // Without the journal the list has the tasks of the explorer.
        if let Ok(Recorded::Journal(journal)) = answer {
            let asked = journal.events.iter().filter(|event| !event.task.is_empty());
            self.journal = asked.map(|event| AskedTask { at: event.at, task: event.task.clone() }).collect();
        }
    }
}
