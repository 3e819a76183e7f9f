//! The panes of the explorer. A module owns one pane: its state, its commands and their keys, its update and its view.
//!
//! [`PANES`] is the registry. Layout, tabs, keymap, key help, palette, mouse, filter line, jump list and drawing are
//! derived from it. A new pane is a module, its `mod` line and its line in `panes!`. Panes draw the model and return
//! effects; they do not use the store, the disk or the terminal.

pub mod graph;
pub mod pack;
pub mod source;
pub mod why;

use ratatui::layout::{Position, Rect};

use super::backend::{Answer, Response};
use super::command::CommandSpec;
use super::effect::Effect;
use super::model::Model;
use super::view::Canvas;
use crate::model::Symbol;

/// Defines [`Panes`] and [`PANES`] from one line for each pane, in the order of the digit keys: the field that has its
/// state, the type of that state, and the pane. One table, so that no pane is in only one of them.
macro_rules! panes {
    ($($field:ident: $state:ty, $pane:expr;)*) => {
        /// The state of every pane.
        #[derive(Debug, Clone, Default)]
        pub struct Panes {
            $(pub $field: $state,)*
        }

        /// Every pane, in the order of the digit keys.
        pub static PANES: &[&dyn Pane] = &[$(&$pane),*];
    };
}

panes! {
    pack: pack::PackList, pack::PackPane;
    source: source::SourceView, source::SourcePane;
    why: why::WhyView, why::WhyPane;
    graph: graph::GraphTree, graph::GraphPane;
}

/// Identifies a pane by its name in tabs, in the settings (`[keys.graph]`) and in the name of the command that shows it
/// (`pane.graph`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PaneId(pub &'static str);

/// A pane. Its state is in [`Panes`]; implementors have no fields.
///
/// Only `id`, `commands`, `scroll` and `draw` are required; `layout` places the pane.
pub trait Pane: Sync {
    /// Returns the pane's id.
    fn id(&self) -> PaneId;
    /// Returns the commands that the pane declares, in the order of the key help. The first shows the pane itself and
    /// is bound to its digit.
    fn commands(&self) -> &'static [CommandSpec];

    /// Runs after every update of the model: keeps the selection visible and requests the data of the current symbol.
    fn follow(&self, _model: &mut Model, _effects: &mut Vec<Effect>) {}
    /// Handles an answer of the reader. It may be another pane's: `number` must equal that of this pane's question.
    fn answered(&self, _model: &mut Model, _number: u64, _response: &Answer<Response>) {}
    /// Calls `keep` with every symbol that the state refers to, and forgets those for which it returns false. `keep`
    /// may replace the symbol by its newer version.
    fn retain_symbols(&self, _model: &mut Model, _keep: &mut dyn FnMut(&mut Symbol) -> bool) {}

    /// Returns the symbol under the pane's own cursor, which is the current symbol while the pane has the focus; `None`
    /// for panes that show the symbol of the list.
    fn cursor_symbol<'model>(&self, _model: &'model Model) -> Option<&'model Symbol> {
        None
    }
    /// Runs before the focus moves from this pane to another one.
    fn leave(&self, _model: &mut Model, _to: PaneId) {}

    /// Moves the selection, or scrolls, by some rows.
    fn scroll(&self, model: &mut Model, by: isize);
    /// Moves the selection or the cursor by some rows, on a key; as [`Pane::scroll`], but for panes with a cursor.
    fn move_by(&self, model: &mut Model, by: isize) {
        self.scroll(model, by);
    }
    /// Folds or unfolds what is selected. Returns false for panes without folds.
    fn fold(&self, _model: &mut Model, _effects: &mut Vec<Effect>) -> bool {
        false
    }
    /// Selects what is at a position of its content.
    fn click(&self, _model: &mut Model, _position: Position, _area: Rect) {}

    /// Returns names of commands and their words in the hint bar, which come first while the pane has the focus.
    fn hints(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }
    /// Returns the text of the pane's filter; `None` for panes without one, in which `/` filters the list.
    fn filter<'model>(&self, _model: &'model Model) -> Option<&'model str> {
        None
    }
    /// Replaces the text of the filter.
    fn set_filter(&self, _model: &mut Model, _text: String) {}
    /// Clears what narrows the rows, or what keeps the pane from following the list, on Esc. Returns whether there was
    /// anything.
    fn clear(&self, model: &mut Model) -> bool {
        let is_filtered = self.filter(model).is_some_and(|text| !text.is_empty());
        if is_filtered {
            self.set_filter(model, String::new());
        }
        is_filtered
    }
    /// Returns the number of rows that pass the filter, and of all rows.
    fn filter_counts(&self, _model: &Model) -> (usize, usize) {
        (0, 0)
    }

    /// Returns the title, at most `columns` wide.
    fn title(&self, _model: &Model, _columns: usize) -> String {
        self.id().label()
    }
    /// Returns the sentence after the title, or below it.
    fn subtitle(&self, _model: &Model) -> String {
        String::new()
    }
    /// Returns the file and the line that the title names.
    fn title_location(&self, _model: &Model) -> Option<(String, u32)> {
        None
    }
    /// Returns the text at the right end of the title.
    fn status(&self, _model: &Model) -> String {
        String::new()
    }
    /// Draws the content of the pane.
    fn draw(&self, canvas: &mut Canvas<'_>, area: Rect);
}

/// Returns the pane with this id.
pub fn pane(id: PaneId) -> &'static dyn Pane {
    *PANES.iter().find(|pane| pane.id() == id).expect("an id is that of a pane of the registry")
}

/// Returns the rows of one page of a pane as it is laid out now; 0 when it is not visible.
pub fn page_rows(model: &Model, id: PaneId) -> usize {
    model.areas().content(id).height.into()
}

impl PaneId {
    /// Returns the pane's digit and name, such as `5 graph`. The task line has the digit 1.
    pub fn label(self) -> String {
        let index = PANES.iter().position(|pane| pane.id() == self).unwrap_or(0);
        format!("{} {}", index + 2, self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::command::{Command, Context};

    #[test]
    fn ids_are_unique() {
        for (index, pane) in PANES.iter().enumerate() {
            assert!(PANES[index + 1..].iter().all(|other| other.id() != pane.id()), "{:?}", pane.id());
        }
    }

    #[test]
    fn the_first_command_shows_the_pane_by_its_digit() {
        for pane in PANES {
            let (id, first) = (pane.id(), &pane.commands()[0]);
            assert_eq!((first.command, first.name), (Command::FocusPane(id), format!("pane.{}", id.0).as_str()));
            let label = id.label();
            assert!(first.bindings.contains(&(Context::Normal, &label[..1])), "{label} is not bound to its digit");
        }
    }

    #[test]
    fn commands_are_declared_under_their_own_names() {
        for spec in PANES.iter().flat_map(|pane| pane.commands()) {
            match spec.command {
                Command::Pane(name) => assert_eq!(name, spec.name),
                Command::FocusPane(_) => {}
                shared => panic!("{shared:?} is in the shared table"),
            }
        }
    }
}
