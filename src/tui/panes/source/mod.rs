//! The source pane: the file of the current symbol, scrolled to its definition.

mod cursor;
mod hunks;
pub mod lookup;
mod marks;
mod state;
mod view;
mod wrap;

use std::time::Instant;

use ratatui::layout::{Position, Rect};

pub use cursor::{cursor_line, is_outside_definitions};
pub use state::{LoadedSource, SourceLine, SourceLocation, SourceView};

use super::{Pane, PaneId, pack, page_rows, why};
use crate::model::Symbol;
use crate::text::display::safe;
use crate::tui::backend::{Answer, Response};
use crate::tui::command::{Command, CommandSpec, Context, without_definition, without_symbol};
use crate::tui::effect::{Effect, PreviewRequest};
use crate::tui::model::Model;
use crate::tui::overlay::{self, filter, relations};
use crate::tui::update::{self, export, feedback, navigation};
use crate::tui::view::Canvas;

/// The id of the pane.
pub const ID: PaneId = PaneId("source");

/// The command that opens the user's editor.
pub const EDITOR: &str = "go.editor";
const USES: &str = "go.uses";
const USERS: &str = "go.users";
const NEXT: &str = "source.next";
const PREVIOUS: &str = "source.previous";
const NEXT_MATCH: &str = "source.next-match";

static COMMANDS: &[CommandSpec] = &[
    CommandSpec::focus_pane(ID, "pane.source", "the source", "", &[(Context::Normal, "3")]),
    CommandSpec::pane("move.right", "to the source", "", &[(Context::Normal, "l"), (Context::Normal, "Right")])
        .does(|model, _, _| navigation::focus_pane(model, ID))
        .jumps(),
    CommandSpec::pane("move.left", "back to the list", "", &[(Context::Normal, "h"), (Context::Normal, "Left")])
        .does(|model, _, _| navigation::focus_pane(model, pack::ID))
        .jumps(),
    CommandSpec::pane("source.down", "scroll the source down", "", &[(Context::Normal, "C-e")])
        .does(|model, _, _| SourcePane.scroll(model, 1))
        .unless(without_symbol),
    CommandSpec::pane("source.up", "scroll the source up", "", &[(Context::Normal, "C-y")])
        .does(|model, _, _| SourcePane.scroll(model, -1))
        .unless(without_symbol),
    CommandSpec::pane("source.center", "scroll the cursor to the middle", "", &[(Context::Normal, "z z")])
        .does(|model, _, _| center(model))
        .unless(without_symbol),
    CommandSpec::pane(USES, "symbols that this one uses", "", &[(Context::Normal, "g d")])
        .does(|model, _, effects| relations::open(model, false, effects))
        .unless(without_definition),
    CommandSpec::pane(USERS, "symbols that use this one", "users", &[(Context::Normal, "g r")])
        .does(|model, _, effects| relations::open(model, true, effects))
        .unless(without_definition),
    CommandSpec::pane(NEXT, "next definition in this file", "", &[(Context::Normal, "}")])
        .does(|model, _, _| go_to_neighbor(model, true))
        .unless(without_symbol)
        .jumps(),
    CommandSpec::pane(PREVIOUS, "previous definition in this file", "", &[(Context::Normal, "{")])
        .does(|model, _, _| go_to_neighbor(model, false))
        .unless(without_symbol)
        .jumps(),
    CommandSpec::pane("source.next-change", "next change in this file", "", &[(Context::Normal, "] c")])
        .does(|model, _, _| hunks::go_to_hunk(model, true))
        .unless(without_symbol)
        .jumps(),
    CommandSpec::pane("source.previous-change", "previous change in this file", "", &[(Context::Normal, "[ c")])
        .does(|model, _, _| hunks::go_to_hunk(model, false))
        .unless(without_symbol)
        .jumps(),
    CommandSpec::pane(
        "source.definition",
        "definition of the word under the cursor",
        "definition",
        &[(Context::Pane(ID), "g d")],
    )
    .does(|model, _, effects| lookup::start(model, false, effects))
    .unless(without_symbol),
    CommandSpec::pane("source.users", "users of the word under the cursor", "users", &[(Context::Pane(ID), "g r")])
        .does(|model, _, effects| lookup::start(model, true, effects))
        .unless(without_symbol),
    CommandSpec::pane("source.search", "search in the file", "search", &[(Context::Pane(ID), "/")])
        .does(|model, _, _| filter::open(model))
        .unless(without_symbol),
    CommandSpec::pane(NEXT_MATCH, "next match of the search", "", &[(Context::Pane(ID), "n")])
        .does(|model, now, effects| go_to_match(model, true, now, effects))
        .unless(without_symbol),
    CommandSpec::pane("source.previous-match", "previous match of the search", "", &[(Context::Pane(ID), "N")])
        .does(|model, now, effects| go_to_match(model, false, now, effects))
        .unless(without_symbol),
    CommandSpec::pane("source.next-word", "next word", "word", &[(Context::Pane(ID), "w")])
        .does(|model, _, _| go_to_word(model, true))
        .unless(without_symbol),
    CommandSpec::pane("source.previous-word", "previous word", "word", &[(Context::Pane(ID), "b")])
        .does(|model, _, _| go_to_word(model, false))
        .unless(without_symbol),
    CommandSpec::pane(
        EDITOR,
        "open the editor at this line",
        "edit",
        &[(Context::Normal, "e"), (Context::Normal, "v")],
    )
    .does(|model, _, effects| open_editor(model, effects))
    .unless(without_symbol),
];

/// The source of the current symbol.
pub struct SourcePane;

impl Pane for SourcePane {
    fn id(&self) -> PaneId {
        ID
    }

    fn commands(&self) -> &'static [CommandSpec] {
        COMMANDS
    }

    fn cursor_symbol<'model>(&self, model: &'model Model) -> Option<&'model Symbol> {
        model.panes.source.at_cursor(navigation::visited_symbol(model))
    }

    /// Visits the definition around the cursor when the focus moves to a pane that shows one symbol. The place that was read
    /// stays in view.
    fn leave(&self, model: &mut Model, to: PaneId) {
        let Some(symbol) = self.cursor_symbol(model).filter(|_| to != pack::ID).cloned() else { return };
        let line = model.panes.source.cursor as u32;
        let view = model.panes.source.view_of(SourceLocation::new(&symbol, Some(line)));
        let place = (symbol.id, Some(line));
        navigation::visit(model, symbol);
        (model.panes.source.use_line, model.panes.source.saved_view) = (Some(place), Some(view));
    }

    fn move_by(&self, model: &mut Model, by: isize) {
        let height = page_rows(model, ID);
        model.panes.source.move_by(by, height);
    }

    fn clear(&self, model: &mut Model) -> bool {
        let is_searched = !model.panes.source.search.needle.is_empty();
        if is_searched {
            model.panes.source.search = marks::Search::default();
        }
        is_searched
    }

    fn hints(&self) -> &'static [(&'static str, &'static str)] {
        &[
            (EDITOR, "edit"),
            ("copy.location", "copy"),
            (NEXT, "definition"),
            (PREVIOUS, "definition"),
            (USES, "uses"),
            (USERS, "users"),
            ("go.back", "list"),
        ]
    }

    fn follow(&self, model: &mut Model, effects: &mut Vec<Effect>) {
        forget_visit(model);
        let wanted = wanted_location(model);
        let is_revisited = std::mem::take(&mut model.panes.source.is_revisited);
        if wanted == model.panes.source.wanted {
            if is_revisited && wanted == model.panes.source.shown {
                model.panes.source.reveal();
            }
            if std::mem::take(&mut model.panes.source.is_fresh) && wanted == model.panes.source.shown {
                hunks::show_first_change(model);
            }
            return;
        }
        if previewed_symbol(model).is_some() {
            model.panes.source.save_view();
        } else {
            model.panes.source.saved_view.take_if(|saved| Some(&saved.location) != wanted.as_ref());
        }
        let area = model.areas().content(ID);
        let free = model.size.height.saturating_sub(overlay::covered_rows(model)).saturating_sub(area.y);
        model.panes.source.height = area.height.min(free) as usize;
        match wanted {
            Some(location) => {
                model.panes.source.go_to(location);
                request(model, effects);
                if model.panes.source.is_fresh && model.panes.source.shown == model.panes.source.wanted {
                    model.panes.source.is_fresh = false;
                    hunks::show_first_change(model);
                }
            }
            None => model.panes.source.clear(),
        }
    }

    fn retain_symbols(&self, model: &mut Model, keep: &mut dyn FnMut(&mut Symbol) -> bool) {
        model.panes.source.chosen.take_if(|symbol| !keep(symbol));
    }

    fn scroll(&self, model: &mut Model, by: isize) {
        let height = page_rows(model, ID);
        model.panes.source.scroll(by, height);
    }

    fn title_location(&self, model: &Model) -> Option<(String, u32)> {
        let shown = model.panes.source.shown.as_ref()?;
        Some((shown.file.clone(), u32::try_from(view::title_line(model)).unwrap_or(1)))
    }

    fn title(&self, model: &Model, columns: usize) -> String {
        match view::location(model, columns) {
            location if location.is_empty() => ID.label(),
            location => location,
        }
    }

    /// Returns why the shown symbol is ranked; nothing about one that a window previews. Beside it the place in the list of the
    /// definition around the cursor.
    fn subtitle(&self, model: &Model) -> String {
        match (previewed_symbol(model), view::is_in_explained(model)) {
            (Some(_), _) => String::new(),
            (None, true) => match model.panes.pack.folds.selected() {
                Some(one) => safe(&one.reason).into_owned(),
                None => why::sentence(model),
            },
            (None, false) => view::place_in_list(model),
        }
    }

    fn status(&self, model: &Model) -> String {
        let changed = if model.panes.source.changed { "changed since indexed" } else { "" };
        let mut parts =
            vec![changed.to_owned(), view::search_status(model), view::last_commit(model), view::owners(model)];
        parts.retain(|part| !part.is_empty());
        parts.join(&format!(" {} ", model.appearance.glyphs.dot))
    }

    fn filter<'model>(&self, model: &'model Model) -> Option<&'model str> {
        Some(model.panes.source.needle())
    }

    fn set_filter(&self, model: &mut Model, text: String) {
        let height = page_rows(model, ID);
        model.panes.source.set_search(text, height);
    }

    fn filter_counts(&self, model: &Model) -> (usize, usize) {
        model.panes.source.match_counts()
    }

    fn answered(&self, model: &mut Model, number: u64, response: &Answer<Response>) {
        lookup::answered(&mut model.panes.source, number, response);
    }

    fn click(&self, model: &mut Model, position: Position, area: Rect) {
        let (line, byte) = view::position_at(model, position, area);
        model.panes.source.move_to_byte(line, byte, page_rows(model, ID));
    }

    fn draw(&self, canvas: &mut Canvas<'_>, area: Rect) {
        view::draw(canvas, area);
    }
}

/// Goes to the next match of the search in the file, else to the next symbol of the concept; or to the one before.
fn go_to_match(model: &mut Model, is_next: bool, now: Instant, effects: &mut Vec<Effect>) {
    if model.panes.source.search.needle.is_empty() {
        let concept = if is_next { Command::NextMatch } else { Command::PreviousMatch };
        update::run(model, concept, now, effects);
    } else {
        marks::go_to_match(model, is_next);
    }
}

/// Moves the cursor to the next word, or to the one before.
fn go_to_word(model: &mut Model, is_next: bool) {
    let height = page_rows(model, ID);
    if !model.panes.source.move_to_word(is_next, height) {
        model.show_message(if is_next { "last word of the file" } else { "first word of the file" });
    }
}

/// Scrolls so that the cursor is in the middle.
fn center(model: &mut Model) {
    let height = page_rows(model, ID);
    model.panes.source.center(height);
}

/// Returns whether the title has a second row, for the sentence.
pub fn has_sentence_row(model: &Model) -> bool {
    let areas = model.areas();
    !areas.pane(ID).is_empty() && areas.title_rows(ID) > 1
}

/// Requests the wanted file again.
pub fn request(model: &mut Model, effects: &mut Vec<Effect>) {
    if let Some(location) = model.panes.source.wanted.clone() {
        model.panes.source.generation += 1;
        effects.push(Effect::Preview(PreviewRequest {
            generation: model.panes.source.generation,
            location,
            index_version: model.index_version,
        }));
    }
}

/// Forgets the visited symbol once the list selects another one, and the line of a use once another symbol is current.
fn forget_visit(model: &mut Model) {
    let selection = model.panes.pack.selected_symbol().map(|packed| packed.symbol.id);
    if selection != model.panes.source.selection {
        if model.panes.source.selection.is_some() {
            navigation::return_to_list(model);
        }
        model.panes.source.selection = selection;
    }
    let shown = navigation::shown_symbol(model).map(|symbol| symbol.id);
    model.panes.source.use_line.take_if(|(id, _)| Some(*id) != shown);
}

/// Returns the location to show: while a window of symbols is open, that of the symbol it selects.
fn wanted_location(model: &Model) -> Option<SourceLocation> {
    let (symbol, line) = match previewed_symbol(model) {
        Some(symbol) => (symbol, model.overlays.last()?.window().selected_line()),
        None => navigation::shown_symbol(model).map(|symbol| (symbol, navigation::use_line(model, symbol)))?,
    };
    (!symbol.file.is_empty()).then(|| SourceLocation::new(symbol, line))
}

/// Returns the symbol that the window on top selects.
fn previewed_symbol(model: &Model) -> Option<&Symbol> {
    model.overlays.last()?.window().selected_symbol()
}

/// Goes to the next or the previous definition of the shown file.
fn go_to_neighbor(model: &mut Model, forward: bool) {
    let height = page_rows(model, ID);
    match model.panes.source.neighbor(forward) {
        Some(definition) => {
            let (line, place) = (definition.span.name_line as usize, (definition.id, None));
            navigation::visit(model, definition);
            model.panes.source.use_line = Some(place);
            // The definition around the cursor is the current symbol already.
            model.panes.source.move_to(line, height);
        }
        None if model.panes.source.definitions.is_empty() => model.show_message("no definitions in this file"),
        None => {
            model.show_message(if forward { "last definition of the file" } else { "first definition of the file" })
        }
    }
}

fn open_editor(model: &mut Model, effects: &mut Vec<Effect>) {
    if export::edit_marked(model, effects) {
        return;
    }
    match navigation::current_symbol(model) {
        Some(symbol) if !symbol.file.is_empty() => {
            let line = cursor_line(model, symbol).or_else(|| navigation::use_line(model, symbol));
            let line = line.unwrap_or(symbol.span.name_line).max(1) as usize;
            effects.push(Effect::Edit { file: symbol.file.clone(), line });
            feedback::opened(model, vec![symbol.clone()]);
        }
        Some(_) => model.show_error("this symbol is defined outside the repository"),
        None => model.show_error("no symbol is selected"),
    }
}
