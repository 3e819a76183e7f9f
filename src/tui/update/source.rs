//! The source pane: it follows the selected symbol.

use std::time::Instant;

use super::{judge, panes};
use crate::engine::ActKind;
use crate::model::Symbol;
use crate::tui::command::Command;
use crate::tui::effect::{Effect, PreviewRequest};
use crate::tui::model::source::Place;
use crate::tui::model::{Focus, Model};
use crate::tui::overlay::{self, relations};

/// The commands of the source pane.
pub fn run(model: &mut Model, command: Command, _now: Instant, effects: &mut Vec<Effect>) -> bool {
    match command {
        Command::SourceDown => panes::step(model, Focus::Source, 1),
        Command::SourceUp => panes::step(model, Focus::Source, -1),
        Command::ScrollRight => {
            if !matches!(model.focus, Focus::Source) {
                panes::go_to(model, Focus::Source);
            } else if !sideways(model, SIDE_STEP) {
                model.say("no line in view goes further");
            }
        }
        Command::ScrollLeft => {
            if model.focus != Focus::Source || !sideways(model, -SIDE_STEP) {
                model.focus = Focus::Pack;
            }
        }
        Command::Center => {
            let height = panes::page_lines(model, Focus::Source);
            model.source.center(height);
        }
        Command::Open => {
            panes::go_to(model, Focus::Source);
            used(model, ActKind::Open, effects);
        }
        Command::Editor => open_editor(model, effects),
        Command::GoUses => relations::open(model, false, effects),
        Command::GoUsers => relations::open(model, true, effects),
        Command::NextDefinition => go_on(model, true),
        Command::PreviousDefinition => go_on(model, false),
        _ => return false,
    }
    true
}

/// Columns of one step sideways.
const SIDE_STEP: isize = 8;

fn sideways(model: &mut Model, by: isize) -> bool {
    let height = panes::page_lines(model, Focus::Source);
    model.source.scroll_sideways(by, height)
}

/// The symbol that everything is about: in the neighborhood the node under the cursor, else what is visited.
pub fn subject(model: &Model) -> Option<&Symbol> {
    if model.focus != Focus::Graph {
        return visited(model);
    }
    // Until the tree around another root is there, the cursor stands in the one before.
    let root = model.graph.root(visited(model));
    let drawn = model.graph.shown.nodes.first().map(|node| node.symbol.id);
    let node = model.graph.selected_symbol().filter(|_| drawn == root.map(|root| root.id));
    node.or(root)
}

/// Where the user went, else the list's selection.
pub fn visited(model: &Model) -> Option<&Symbol> {
    model.source.chosen.as_ref().or(model.pack.selected_symbol().map(|packed| &packed.symbol))
}

/// The place that the source shows now: while a window of symbols is open, that of the one under its selection.
fn shown(model: &Model) -> Option<Place> {
    let (symbol, line) = match previewed(model) {
        Some(symbol) => (symbol, model.overlays.last()?.window().selected_line()),
        None => subject(model).map(|symbol| (symbol, line_in(model, symbol)))?,
    };
    (!symbol.file.is_empty()).then(|| Place::of(symbol, line))
}

/// The symbol under the selection of the window on top.
fn previewed(model: &Model) -> Option<&Symbol> {
    model.overlays.last()?.window().selected_symbol()
}

/// The line of a symbol that the user came for, when it is not that of its name.
pub fn line_in(model: &Model, symbol: &Symbol) -> Option<u32> {
    model.source.at.filter(|(id, _)| *id == symbol.id).map(|(_, line)| line)
}

/// Goes to the next definition of the shown file, or to the one before.
fn go_on(model: &mut Model, forward: bool) {
    let height = panes::page_lines(model, Focus::Source);
    match model.source.neighbor(forward) {
        Some(definition) if model.areas().source.is_empty() => visit(model, definition),
        Some(definition) => {
            visit(model, definition);
            model.source.center(height);
        }
        None if model.source.definitions.is_empty() => model.say("no definitions of this file are known"),
        None => model.say(if forward {
            "this is the last definition of the file"
        } else {
            "this is the first definition of the file"
        }),
    }
}

/// Goes to a line of a symbol, or to its name, and to the source where that would be out of sight.
pub fn visit_at(model: &mut Model, symbol: Symbol, line: Option<u32>) {
    let at = line.map(|line| (symbol.id, line));
    visit(model, symbol);
    model.source.at = at;
    if model.areas().source.is_empty() {
        model.focus = Focus::Source;
    }
}

/// Goes to a symbol: in the list where it stands there, else with source and reasons.
pub fn visit(model: &mut Model, symbol: Symbol) {
    if model.focus == Focus::Graph {
        // There the node under the cursor would stay what everything is about.
        model.focus = Focus::Source;
    }
    if model.pack.go_to(symbol.id) {
        model.source.chosen = None;
        model.why.chosen = None;
        return;
    }
    model.why.choose(symbol.clone());
    model.source.chosen = Some(symbol);
}

/// The symbol that everything is about was of use.
fn used(model: &mut Model, how: ActKind, effects: &mut Vec<Effect>) {
    if let Some(symbol) = subject(model).cloned() {
        judge::used(model, &symbol, how, effects);
    }
}

fn open_editor(model: &mut Model, effects: &mut Vec<Effect>) {
    match subject(model) {
        Some(symbol) if !symbol.file.is_empty() => {
            let line = line_in(model, symbol).unwrap_or(symbol.span.name_line).max(1) as usize;
            effects.push(Effect::Edit { file: symbol.file.clone(), line });
            used(model, ActKind::Edit, effects);
        }
        Some(_) => model.complain("this symbol is defined outside the repository"),
        None => model.complain("there is no symbol to edit yet"),
    }
}

/// Keeps the preview in step with the selected symbol. Another selection ends a visit elsewhere.
pub fn follow(model: &mut Model, effects: &mut Vec<Effect>) {
    let selection = model.pack.selected_symbol().map(|packed| packed.symbol.id);
    if selection != model.source.selection {
        if model.source.selection.is_some() {
            model.source.chosen = None;
            model.why.chosen = None;
        }
        model.source.selection = selection;
    }
    let subject = subject(model).map(|symbol| symbol.id);
    model.source.at = model.source.at.filter(|(id, _)| Some(*id) == subject);
    let wanted = shown(model);
    if wanted == model.source.wanted {
        return;
    }
    if previewed(model).is_some() {
        model.source.keep();
    } else {
        model.source.kept.take_if(|(place, ..)| Some(&*place) != wanted.as_ref());
    }
    let area = model.areas().inner(model.areas().source);
    let free = model.size.height.saturating_sub(overlay::covered_rows(model)).saturating_sub(area.y);
    model.source.height = area.height.min(free) as usize;
    match wanted {
        Some(place) => {
            model.source.turn_to(place);
            request(model, effects);
        }
        None => model.source.turn_away(),
    }
}

/// Asks for the wanted file anew.
pub fn request(model: &mut Model, effects: &mut Vec<Effect>) {
    if let Some(place) = model.source.wanted.clone() {
        model.source.generation += 1;
        effects.push(Effect::Preview(PreviewRequest {
            generation: model.source.generation,
            place,
            index_version: model.index_version,
        }));
    }
}
