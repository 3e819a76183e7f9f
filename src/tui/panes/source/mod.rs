//! The source pane: the file of the current symbol, scrolled to its definition.

mod state;
mod view;

use std::time::Instant;

use ratatui::layout::Rect;

pub use state::{LoadedSource, SourceLine, SourceLocation, SourceView};

use super::{Column, Pane, PaneId, Region, pack, page_rows};
use crate::engine::EventKind;
use crate::model::Symbol;
use crate::tui::command::{Command, CommandSpec, Context, without_symbol};
use crate::tui::effect::{Effect, PreviewRequest};
use crate::tui::model::{Focus, Model};
use crate::tui::overlay::{self, relations};
use crate::tui::update::{export, feedback, navigation};
use crate::tui::view::Canvas;

/// The id of the pane.
pub const ID: PaneId = PaneId("source");

/// The command that opens the user's editor.
pub const EDITOR: &str = "go.editor";
const DOWN: &str = "source.down";
const UP: &str = "source.up";
const RIGHT: &str = "move.right";
const LEFT: &str = "move.left";
const CENTER: &str = "source.center";
const USES: &str = "go.uses";
const USERS: &str = "go.users";
const NEXT: &str = "source.next";
const PREVIOUS: &str = "source.previous";

static COMMANDS: &[CommandSpec] = &[
    CommandSpec::focus_pane(ID, "pane.source", "the source", "", &[(Context::Normal, "3")]),
    CommandSpec::pane(
        RIGHT,
        "to the source, or scroll it right",
        "",
        &[(Context::Normal, "l"), (Context::Normal, "Right")],
    ),
    CommandSpec::pane(
        LEFT,
        "scroll the source left, or back to the list",
        "",
        &[(Context::Normal, "h"), (Context::Normal, "Left")],
    ),
    CommandSpec::pane(DOWN, "scroll the source down", "", &[(Context::Normal, "C-e")]),
    CommandSpec::pane(UP, "scroll the source up", "", &[(Context::Normal, "C-y")]),
    CommandSpec::pane(CENTER, "scroll to the definition", "", &[(Context::Normal, "z z")]),
    CommandSpec::pane(USES, "symbols that this one uses", "", &[(Context::Normal, "g d")]),
    CommandSpec::pane(USERS, "symbols that use this one", "users", &[(Context::Normal, "g r")]),
    CommandSpec::pane(NEXT, "next definition in this file", "", &[(Context::Normal, "}")]),
    CommandSpec::pane(PREVIOUS, "previous definition in this file", "", &[(Context::Normal, "{")]),
    CommandSpec::pane(
        EDITOR,
        "open the editor at this line",
        "editor",
        &[(Context::Normal, "e"), (Context::Normal, "v")],
    ),
];

/// Columns of one step sideways.
const SIDE_STEP: isize = 8;

/// The source of the current symbol.
pub struct SourcePane;

impl Pane for SourcePane {
    fn id(&self) -> PaneId {
        ID
    }

    fn region(&self) -> Region {
        Region::Fill(Column::Middle)
    }

    fn commands(&self) -> &'static [CommandSpec] {
        COMMANDS
    }

    fn run(&self, model: &mut Model, command: Command, _now: Instant, effects: &mut Vec<Effect>) -> bool {
        let Command::Pane(name) = command else { return false };
        match name {
            DOWN => self.scroll(model, 1),
            UP => self.scroll(model, -1),
            RIGHT => {
                if model.focus != Focus::Pane(ID) {
                    navigation::focus_pane(model, ID);
                } else if !scroll_sideways(model, SIDE_STEP) {
                    model.show_message("no visible line is longer");
                }
            }
            LEFT => {
                if model.focus != Focus::Pane(ID) || !scroll_sideways(model, -SIDE_STEP) {
                    navigation::focus_pane(model, pack::ID);
                }
            }
            CENTER => {
                let height = page_rows(model, ID);
                model.panes.source.center(height);
            }
            USES => relations::open(model, false, effects),
            USERS => relations::open(model, true, effects),
            NEXT => go_to_neighbor(model, true),
            PREVIOUS => go_to_neighbor(model, false),
            EDITOR => open_editor(model, effects),
            _ => return false,
        }
        true
    }

    fn disabled_reason(&self, model: &Model, command: Command) -> Option<&'static str> {
        match command {
            Command::Pane(DOWN | UP | CENTER | EDITOR) => without_symbol(model),
            _ => None,
        }
    }

    fn hints(&self) -> &'static [(&'static str, &'static str)] {
        &[(NEXT, "definition"), (PREVIOUS, "definition"), (USES, "uses"), (USERS, "users"), (EDITOR, "editor")]
    }

    fn is_jump(&self, command: Command) -> bool {
        matches!(command, Command::Pane(RIGHT | LEFT | NEXT | PREVIOUS))
    }

    fn follow(&self, model: &mut Model, effects: &mut Vec<Effect>) {
        forget_visit(model);
        let wanted = wanted_location(model);
        if wanted == model.panes.source.wanted {
            return;
        }
        let is_preview = previewed_symbol(model).is_some();
        if is_preview {
            model.panes.source.save_view();
        } else {
            model.panes.source.saved_view.take_if(|(location, ..)| Some(&*location) != wanted.as_ref());
        }
        let areas = model.areas();
        let area = areas.inner(areas.pane(ID));
        let free = model.size.height.saturating_sub(overlay::covered_rows(model)).saturating_sub(area.y);
        model.panes.source.height = area.height.min(free) as usize;
        let symbol = navigation::current_symbol(model).map(|symbol| symbol.id).filter(|_| !is_preview);
        let is_same = symbol.is_some() && std::mem::replace(&mut model.panes.source.symbol, symbol) == symbol;
        match wanted {
            Some(location) => {
                let has_use = location.is_use || model.panes.source.shown.as_ref().is_some_and(|shown| shown.is_use);
                match is_same && !has_use {
                    true => model.panes.source.follow_edit(location),
                    false => model.panes.source.go_to(location),
                }
                request(model, effects);
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

    fn title(&self, model: &Model, columns: usize) -> String {
        match &model.panes.source.shown {
            Some(_) => {
                let location = view::location(model, columns.saturating_sub(20));
                format!("{} {} {location}", ID.label(), model.appearance.glyphs.dot)
            }
            None => ID.label(),
        }
    }

    fn status(&self, model: &Model) -> String {
        if model.panes.source.changed { "changed since indexed".to_owned() } else { String::new() }
    }

    fn tab_status(&self, model: &Model, columns: usize) -> Option<String> {
        model.panes.source.shown.is_some().then(|| view::location(model, columns))
    }

    fn draw(&self, canvas: &mut Canvas<'_>, area: Rect) {
        view::draw(canvas, area);
    }
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
            model.panes.source.chosen = None;
            model.panes.why.chosen = None;
        }
        model.panes.source.selection = selection;
    }
    let current = navigation::current_symbol(model).map(|symbol| symbol.id);
    model.panes.source.use_line.take_if(|(id, _)| Some(*id) != current);
}

/// Returns the location to show: while a window of symbols is open, that of the symbol it selects.
fn wanted_location(model: &Model) -> Option<SourceLocation> {
    let (symbol, line) = match previewed_symbol(model) {
        Some(symbol) => (symbol, model.overlays.last()?.window().selected_line()),
        None => navigation::current_symbol(model).map(|symbol| (symbol, navigation::use_line(model, symbol)))?,
    };
    (!symbol.file.is_empty()).then(|| SourceLocation::new(symbol, line))
}

/// Returns the symbol that the window on top selects.
fn previewed_symbol(model: &Model) -> Option<&Symbol> {
    model.overlays.last()?.window().selected_symbol()
}

/// Scrolls to the side; returns whether there was anything to scroll to.
fn scroll_sideways(model: &mut Model, by: isize) -> bool {
    let height = page_rows(model, ID);
    model.panes.source.scroll_sideways(by, height)
}

/// Goes to the next or the previous definition of the shown file.
fn go_to_neighbor(model: &mut Model, forward: bool) {
    let height = page_rows(model, ID);
    match model.panes.source.neighbor(forward) {
        Some(definition) if model.areas().pane(ID).is_empty() => navigation::visit(model, definition),
        Some(definition) => {
            navigation::visit(model, definition);
            model.panes.source.center(height);
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
            let line = navigation::use_line(model, symbol).unwrap_or(symbol.span.name_line).max(1) as usize;
            effects.push(Effect::Edit { file: symbol.file.clone(), line });
            feedback::record_current_use(model, EventKind::Edit, effects);
        }
        Some(_) => model.show_error("this symbol is defined outside the repository"),
        None => model.show_error("no symbol is selected"),
    }
}
