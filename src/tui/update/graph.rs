//! The neighborhood pane: it follows the selected symbol until another root is chosen.

use std::time::Instant;

use super::{ask, panes, source, trail};
use crate::tui::command::Command;
use crate::tui::effect::{Effect, Topic};
use crate::tui::model::{Focus, Model};
use crate::tui::workspace::{Answer, Response};

/// The commands of the pane.
pub fn run(model: &mut Model, command: Command, now: Instant, effects: &mut Vec<Effect>) -> bool {
    let visited = source::visited(model).cloned();
    let selection = visited.as_ref();
    match command {
        Command::PaneGraph => model.focus = Focus::Graph,
        Command::GraphOpen => {
            if model.graph.open() {
                request(model, effects);
            }
        }
        Command::GraphFold => model.graph.fold(),
        Command::Fold if model.focus == Focus::Graph => {
            if model.graph.toggle() {
                request(model, effects);
            }
        }
        Command::GraphRoot => {
            if let Some(symbol) = model.graph.selected_symbol().cloned() {
                model.graph.root_at(symbol, selection);
            }
        }
        Command::GraphBack => {
            if !model.graph.back(selection) {
                return trail::run(model, Command::GoBack, now, effects);
            }
        }
        Command::GraphForward => {
            if !model.graph.forward(selection) {
                return trail::run(model, Command::GoForward, now, effects);
            }
        }
        Command::GraphMore | Command::GraphLess => {
            let more = command == Command::GraphMore;
            match model.graph.change_hops(more) {
                true => request(model, effects),
                false => model.say(if more { "no more hops than these" } else { "one hop is the least" }),
            }
        }
        Command::GraphCanvas => model.graph.toggle_canvas(),
        Command::Back if model.focus == Focus::Graph && !model.zoomed && model.graph.follow() => {}
        _ => return false,
    }
    true
}

/// Asks for the neighborhood when the root is another one, or was ranked anew.
pub fn follow(model: &mut Model, effects: &mut Vec<Effect>) {
    let height = panes::page_lines(model, Focus::Graph);
    if height > 0 {
        model.graph.settle(height);
    }
    // Nobody looks at a pane that has no place; its question can wait until somebody does.
    if height == 0 || !model.usable() || model.pack.stale {
        return;
    }
    let visited = source::visited(model).map(|symbol| symbol.id);
    model.graph.forget_left(visited);
    let Some(root) = model.graph.root(source::visited(model)).map(|root| root.id) else { return };
    let version = (model.search.generation, model.index_version);
    if model.graph.awaited_root != Some((version, root)) {
        if model.graph.awaited_root.is_some_and(|(_, known)| known != root) {
            model.graph.selection_changed();
        }
        request(model, effects);
    }
}

fn request(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(root) = model.graph.root(source::visited(model)) else { return };
    let (id, topic) = (root.id, Topic::Around(model.graph.request(root)));
    model.graph.awaited_root = Some(((model.search.generation, model.index_version), id));
    model.graph.asked = ask(model, topic, effects);
}

/// Takes an answer in, if it is one to the last question.
pub fn found(model: &mut Model, number: u64, finding: &Answer<Response>) {
    if number != model.graph.asked {
        return;
    }
    match finding {
        Ok(Response::Neighborhood(shown)) => {
            // A number that another symbol has by now would show a strange root.
            let root = shown.nodes.first().map(|node| node.symbol.id);
            let awaited = model.graph.awaited_root.map(|(_, id)| id);
            match root.is_none_or(|root| Some(root) == awaited) {
                true => model.graph.show(shown.clone()),
                false => model.graph.fail("the index has changed; r ranks again".into()),
            }
        }
        Ok(_) => (),
        Err(error) => model.graph.fail(error.clone()),
    }
}
