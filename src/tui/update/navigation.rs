//! The current symbol, the focus, moving within panes, and the jump list.
//!
//! The current symbol is the one that source, explanation and commands refer to. It is the symbol under the cursor of
//! the pane in focus if that pane has one of its own, else the visited symbol: where the user went, or the list's
//! selection. In the source it is the definition around the cursor; the source itself stays where it is.

use std::time::Instant;

use super::task;
use crate::model::Symbol;
use crate::tui::effect::Effect;
use crate::tui::model::feedback::TaskState;
use crate::tui::model::{Focus, Jump, Model, Place};
use crate::tui::overlay::Overlay;
use crate::tui::panes::{PaneId, graph, pack, page_rows, pane, source};

/// Returns the current symbol.
pub fn current_symbol(model: &Model) -> Option<&Symbol> {
    let own = match model.focus {
        Focus::Pane(id) => pane(id).cursor_symbol(model),
        Focus::Task => None,
    };
    own.or_else(|| visited_symbol(model))
}

/// Returns the symbol that source and explanation show: the current one, but that of its location while the cursor of the
/// source is in another definition.
pub fn shown_symbol(model: &Model) -> Option<&Symbol> {
    if model.focus == Focus::Pane(source::ID) { visited_symbol(model) } else { current_symbol(model) }
}

/// Returns the symbols that a key acts on: those that are highlighted. They are the marked rows of the list, if it has
/// the focus and there are any, else the current symbol.
///
/// # Errors
/// When no symbol is highlighted, with the reason.
pub fn targets(model: &Model) -> Result<Vec<Symbol>, String> {
    if let Some(Overlay::Concepts(_)) = model.overlays.last() {
        let selected = model.concepts.selected().map(|found| vec![found.symbol.clone()]);
        return selected.ok_or_else(|| "no match is selected; n selects one".to_owned());
    }
    let focused = model.focus.pane();
    let marked = model.panes.pack.marked_symbols();
    if focused == pack::ID && !marked.is_empty() {
        return Ok(marked.into_iter().map(|packed| packed.symbol.clone()).collect());
    }
    current_symbol(model).map(|symbol| vec![symbol.clone()]).ok_or_else(|| "no symbol is selected".to_owned())
}

/// Returns the symbols that a key acts on if all of them are in the code: sections of documents are read, copied and edited.
///
/// # Errors
/// Those of [`targets`], for a section, and where the cursor of the source is in no definition.
pub fn definitions(model: &Model) -> Result<Vec<Symbol>, String> {
    let symbols = targets(model)?;
    without_definition(model).map_or(Ok(symbols), |reason| Err(reason.to_owned()))
}

/// Returns why a key that needs a definition does nothing on what it would act on.
pub fn without_definition(model: &Model) -> Option<&'static str> {
    let is_section = |symbols: Vec<Symbol>| symbols.iter().any(Symbol::is_section);
    if targets(model).is_ok_and(is_section) {
        return Some("a section of a document is not code: read, copy or edit it");
    }
    source::is_outside_definitions(model).then_some("this line is in no definition")
}

/// Returns the only one of the symbols that a key acts on.
///
/// # Errors
/// When there are several.
pub fn only(mut targets: Vec<Symbol>) -> Result<Symbol, String> {
    match (targets.pop(), targets.len()) {
        (Some(only), 0) => Ok(only),
        (_, others) => Err(format!("{} symbols are marked; Esc clears the marks", others + 1)),
    }
}

/// Returns the symbol that the user went to, else the list's selection.
pub fn visited_symbol(model: &Model) -> Option<&Symbol> {
    let panes = &model.panes;
    panes.source.chosen.as_ref().or_else(|| panes.pack.selected_symbol().map(|packed| &packed.symbol))
}

/// Returns the line of a use that the user went to in this symbol, else that of the answer that lists it; `None` for the
/// line of its name.
pub fn use_line(model: &Model, symbol: &Symbol) -> Option<u32> {
    match model.panes.source.use_line.filter(|(id, _)| *id == symbol.id) {
        Some((_, line)) => line,
        None => model.panes.pack.use_lines.get(&symbol.id).copied(),
    }
}

/// Goes to a symbol: selects it in the list, or shows source and explanation of a symbol that is not ranked.
pub fn visit(model: &mut Model, symbol: Symbol) {
    // In the graph the node under the cursor would stay the current symbol.
    if model.focus == Focus::Pane(graph::ID) {
        model.focus = Focus::Pane(source::ID);
    }
    // From here on the current symbol is no longer the one around the cursor.
    (model.panes.source.is_placed, model.panes.source.saved_view) = (true, None);
    model.panes.pack.folds.row = None;
    if model.panes.pack.go_to(symbol.id) {
        model.panes.source.chosen = None;
        model.panes.why.chosen = None;
        return;
    }
    model.panes.why.choose(symbol.clone());
    model.panes.source.chosen = Some(symbol);
}

/// Goes to a line of a symbol, or to its name, and focuses the source where it is not visible, or if the symbol is not
/// listed.
pub fn visit_at(model: &mut Model, symbol: Symbol, line: Option<u32>) {
    let use_line = (symbol.id, line);
    visit(model, symbol);
    model.panes.source.use_line = Some(use_line);
    model.panes.source.is_revisited = true;
    let is_listed = model.panes.source.chosen.is_none();
    if !is_listed || model.areas().pane(source::ID).is_empty() {
        model.focus = Focus::Pane(source::ID);
    }
}

/// Moves the focus to a pane.
pub fn focus_pane(model: &mut Model, id: PaneId) {
    set_focus(model, Focus::Pane(id));
}

/// Moves the focus, after [`Pane::leave`](crate::tui::panes::Pane::leave) of the pane that has it.
pub fn set_focus(model: &mut Model, focus: Focus) {
    if let (Focus::Pane(from), Focus::Pane(to)) = (model.focus, focus) {
        pane(from).leave(model, to);
    }
    // In the list the selected row is the current symbol.
    if focus == Focus::Pane(pack::ID) && model.focus != focus {
        return_to_list(model);
    }
    model.focus = focus;
}

/// Makes the selected row of the list the current symbol again, after a symbol outside of the list was visited, or that of its
/// fold, whose symbols are not among the rows.
pub fn return_to_list(model: &mut Model) {
    let of_fold = model.panes.pack.folds.selected().map(|one| one.symbol.clone());
    model.panes.source.chosen.clone_from(&of_fold);
    model.panes.why.chosen = of_fold;
}

/// A distance within the pane in focus; negative values are upwards.
#[derive(Debug, Clone, Copy)]
pub enum Step {
    Rows(isize),
    HalfPages(isize),
    Pages(isize),
}

/// Moves the selection or the cursor of the pane in focus.
pub fn move_by(model: &mut Model, step: Step) {
    let page = page_rows(model, model.focus.pane()).max(1) as isize;
    let rows = match step {
        Step::Rows(rows) => rows,
        Step::HalfPages(pages) => pages * (page / 2).max(1),
        Step::Pages(pages) => pages * page,
    };
    pane(model.focus.pane()).move_by(model, rows);
}

/// Folds or unfolds what is selected in the pane in focus.
pub fn fold(model: &mut Model, effects: &mut Vec<Effect>) {
    let is_folded = match model.focus {
        Focus::Pane(id) => pane(id).fold(model, effects),
        Focus::Task => false,
    };
    if !is_folded {
        model.show_message("za folds in list, why and graph");
    }
}

/// Clears what narrows the pane in focus, else leaves the zoom, else goes to the list.
pub fn back(model: &mut Model) {
    if pane(model.focus.pane()).clear(model) {
        return;
    }
    match model.zoomed {
        true => model.zoomed = false,
        false => focus_pane(model, pack::ID),
    }
}

/// Goes to the previous or the next place of the jump list.
pub fn walk_jump_list(model: &mut Model, forward: bool, now: Instant, effects: &mut Vec<Effect>) {
    let location = location(model).map(Place::Symbol);
    let selected = model.panes.pack.selected_symbol().map(|packed| packed.symbol.id);
    let task = Place::Task(TaskState::new(&model.task), selected);
    let here = |place: &Place| if let Place::Task(..) = place { Some(task) } else { location };
    match model.jump_list.walk(forward, here) {
        Some(Place::Task(state, selected)) => task::go_to(model, state, selected, now, effects),
        Some(Place::Symbol(jump)) => {
            visit_at(model, jump.symbol, jump.line);
            let is_listed = model.panes.source.chosen.is_none();
            if is_listed || jump.pane != pack::ID {
                model.focus = Focus::Pane(jump.pane);
            }
        }
        None => model.show_message(if forward { "at the newest location" } else { "at the oldest location" }),
    }
}

/// Returns the location for the jump list; `None` without a symbol, or while the task is edited.
pub fn location(model: &Model) -> Option<Jump> {
    let Focus::Pane(pane) = model.focus else { return None };
    let symbol = current_symbol(model)?.clone();
    // After a visit the cursor is still where it was.
    let is_there = !model.panes.source.is_revisited;
    let of_cursor = source::cursor_line(model, &symbol).filter(|line| is_there && *line != symbol.span.name_line);
    let line = of_cursor.or_else(|| use_line(model, &symbol));
    Some(Jump { symbol, pane, line })
}

/// Adds the location before a command to the jump list if the command changed the location.
pub fn record_jump(model: &mut Model, before: Jump) {
    if location(model).is_some_and(|now| !now.is_same_location(&before)) {
        model.jump_list.push(Place::Symbol(before));
    }
}
