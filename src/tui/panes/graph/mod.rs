//! The graph pane: the neighborhood of the visited symbol, or of a chosen root, as a tree or as a picture.

mod picture;
mod state;
#[cfg(test)]
mod tests;
mod view;

use std::time::Instant;

use ratatui::layout::{Position, Rect};

pub use state::GraphTree;

use super::{Pane, PaneId, page_rows, source, why};
use crate::model::Symbol;
use crate::render::diagram::DiagramFormat;
use crate::text::display::safe;
use crate::tui::backend::{Answer, Response};
use crate::tui::command::{CommandSpec, Context, without_definition};
use crate::tui::effect::{Effect, TextRequest, Topic};
use crate::tui::model::Model;
use crate::tui::model::export::Destination;
use crate::tui::overlay::finder;
use crate::tui::update::{ask, navigation};
use crate::tui::view::Canvas;

/// The id of the pane.
pub const ID: PaneId = PaneId("graph");

const HERE: Context = Context::Pane(ID);

static COMMANDS: &[CommandSpec] = &[
    CommandSpec::focus_pane(ID, "pane.graph", "graph around the symbol", "graph", &[(Context::Normal, "5")])
        .unless(without_definition),
    CommandSpec::pane("graph.find", "tree around any symbol", "find", &[(HERE, "o")])
        .does(|model, _, _| finder::open(model, finder::Purpose::Root)),
    CommandSpec::pane("graph.open", "unfold this node", "open", &[(HERE, "l"), (HERE, "Right")])
        .does(unfold)
        .unless(without_tree),
    CommandSpec::pane("graph.fold", "fold this node, or go to its parent", "fold", &[(HERE, "h"), (HERE, "Left")])
        .does(|model, _, _| model.panes.graph.fold())
        .unless(without_tree),
    CommandSpec::pane("graph.root", "tree around this symbol", "root", &[(HERE, "Enter")])
        .does(|model, _, _| take_root(model))
        .unless(without_tree),
    CommandSpec::pane("graph.back", "back to the tree before", "back", &[(HERE, "H")]).does(go_back),
    CommandSpec::pane("graph.forward", "forward again", "back", &[(HERE, "L")]).does(go_forward),
    CommandSpec::pane("graph.less", "show one step less", "hops", &[(HERE, "(")])
        .does(|model, _, effects| change_hops(model, false, effects))
        .unless(without_tree),
    CommandSpec::pane("graph.more", "show one step more", "hops", &[(HERE, ")")])
        .does(|model, _, effects| change_hops(model, true, effects))
        .unless(without_tree),
    CommandSpec::pane("graph.canvas", "tree or picture", "picture", &[(HERE, "t")])
        .does(|model, _, _| model.panes.graph.toggle_canvas())
        .unless(without_tree),
    CommandSpec::pane("graph.copy", "copy as a Mermaid diagram", "copy", &[(HERE, "y d")])
        .does(|model, _, effects| copy(model, DiagramFormat::Mermaid, effects))
        .unless(without_tree),
    CommandSpec::pane("graph.copy-dot", "copy as a Graphviz diagram", "", &[(HERE, "y D")])
        .does(|model, _, effects| copy(model, DiagramFormat::Dot, effects))
        .unless(without_tree),
    CommandSpec::pane("graph.numbers", "show or hide the numbers of the walk", "", &[(HERE, "n")])
        .does(|model, _, _| model.panes.graph.has_numbers = !model.panes.graph.has_numbers)
        .unless(without_tree),
];

fn without_tree(model: &Model) -> Option<&'static str> {
    model.panes.graph.shown.nodes.is_empty().then_some("there is no graph")
}

/// The neighborhood of a symbol.
pub struct GraphPane;

impl Pane for GraphPane {
    fn id(&self) -> PaneId {
        ID
    }

    fn commands(&self) -> &'static [CommandSpec] {
        COMMANDS
    }

    fn fold(&self, model: &mut Model, effects: &mut Vec<Effect>) -> bool {
        if model.panes.graph.toggle() {
            request(model, effects);
        }
        true
    }

    fn clear(&self, model: &mut Model) -> bool {
        !model.zoomed && model.panes.graph.follow()
    }

    /// Requests the neighborhood when the root changed or there is a new ranking.
    fn follow(&self, model: &mut Model, effects: &mut Vec<Effect>) {
        let height = page_rows(model, ID);
        if height > 0 {
            model.panes.graph.settle(height);
        }
        // A hidden pane sends its request once it is visible.
        let is_section = navigation::visited_symbol(model).is_some_and(Symbol::is_section);
        if height == 0 || !model.usable() || model.panes.pack.stale || is_section {
            return;
        }
        let visited = navigation::visited_symbol(model).map(|symbol| symbol.id);
        model.panes.graph.clear_retained_root(visited);
        let Some(root) = model.panes.graph.root(navigation::visited_symbol(model)).map(|root| root.id) else { return };
        let version = (model.search.generation, model.index_version);
        let is_asked = |(asked, known, rows): (_, _, usize)| (asked, known) == (version, root) && rows >= height;
        if !model.panes.graph.asked_about.is_some_and(is_asked) {
            if model.panes.graph.asked_about.is_some_and(|(_, known, _)| known != root) {
                model.panes.graph.visited_symbol_changed();
            }
            request(model, effects);
        }
    }

    fn answered(&self, model: &mut Model, number: u64, response: &Answer<Response>) {
        let graph = &mut model.panes.graph;
        if number != graph.question {
            return;
        }
        match response {
            Ok(Response::Neighborhood(shown)) => {
                // After an update of the index the node's number may be that of another symbol.
                let root = shown.nodes.first().map(|node| node.symbol.id);
                let asked = graph.asked_about.map(|(_, id, _)| id);
                match root.is_none_or(|root| Some(root) == asked) {
                    true => graph.show(shown.clone()),
                    false => graph.fail("the index has changed; press r to rank again".into()),
                }
            }
            Ok(_) => (),
            Err(error) => graph.fail(error.clone()),
        }
    }

    fn retain_symbols(&self, model: &mut Model, keep: &mut dyn FnMut(&mut Symbol) -> bool) {
        let graph = &mut model.panes.graph;
        graph.chosen.take_if(|symbol| !keep(symbol));
        graph.retain_roots(keep);
    }

    fn cursor_symbol<'model>(&self, model: &'model Model) -> Option<&'model Symbol> {
        let graph = &model.panes.graph;
        let root = graph.root(navigation::visited_symbol(model));
        // Until the neighborhood of a new root is received, the cursor is in the old one.
        let drawn = graph.shown.nodes.first().map(|node| node.symbol.id);
        let node = graph.selected_symbol().filter(|_| drawn == root.map(|root| root.id));
        node.or(root)
    }

    /// Visits the node under the cursor when the focus moves to a pane that shows one symbol. The tree stays as it is.
    fn leave(&self, model: &mut Model, to: PaneId) {
        if to != source::ID && to != why::ID {
            return;
        }
        let Some(symbol) = navigation::current_symbol(model).cloned() else { return };
        let root = model.panes.graph.root(navigation::visited_symbol(model));
        if let Some(root) = root.filter(|root| root.id != symbol.id).cloned() {
            model.panes.graph.set_retained_root(root, symbol.id);
        }
        navigation::visit(model, symbol);
    }

    fn scroll(&self, model: &mut Model, by: isize) {
        let height = page_rows(model, ID);
        model.panes.graph.step(by, height);
    }

    fn click(&self, model: &mut Model, position: Position, area: Rect) {
        let graph = &mut model.panes.graph;
        if !graph.canvas {
            graph.select_row(graph.offset + (position.y - area.y) as usize);
        }
    }

    fn title(&self, model: &Model, _columns: usize) -> String {
        view::title(model)
    }

    fn status(&self, model: &Model) -> String {
        view::status(model)
    }

    fn draw(&self, canvas: &mut Canvas<'_>, area: Rect) {
        view::draw(canvas, area);
    }
}

/// Unfolds the selected node.
fn unfold(model: &mut Model, _now: Instant, effects: &mut Vec<Effect>) {
    if model.panes.graph.unfold() {
        request(model, effects);
    }
}

/// Draws the tree around the selected symbol.
fn take_root(model: &mut Model) {
    let visited = navigation::visited_symbol(model).cloned();
    if let Some(symbol) = model.panes.graph.selected_symbol().cloned() {
        model.panes.graph.root_at(symbol, visited.as_ref());
    }
}

/// Goes back to the tree before, else through the jump list.
fn go_back(model: &mut Model, now: Instant, effects: &mut Vec<Effect>) {
    let visited = navigation::visited_symbol(model).cloned();
    if !model.panes.graph.back(visited.as_ref()) {
        navigation::walk_jump_list(model, false, now, effects);
    }
}

/// Goes forward again, else through the jump list.
fn go_forward(model: &mut Model, now: Instant, effects: &mut Vec<Effect>) {
    let visited = navigation::visited_symbol(model).cloned();
    if !model.panes.graph.forward(visited.as_ref()) {
        navigation::walk_jump_list(model, true, now, effects);
    }
}

/// Shows one step more around the symbol, or one less.
fn change_hops(model: &mut Model, more: bool, effects: &mut Vec<Effect>) {
    match model.panes.graph.change_hops(more) {
        true => request(model, effects),
        false if more => model.show_message("the tree goes no further"),
        false => model.show_message("one step is the least"),
    }
}

/// Copies the neighborhood as a diagram.
fn copy(model: &mut Model, format: DiagramFormat, effects: &mut Vec<Effect>) {
    let Some(root) = model.panes.graph.root(navigation::visited_symbol(model)) else { return };
    let language = match format {
        DiagramFormat::Mermaid => "Mermaid",
        DiagramFormat::Dot => "Graphviz",
    };
    let what = format!("what is around {} as a {language} diagram", safe(&root.name));
    let request = TextRequest::Diagram(model.panes.graph.request(root, page_rows(model, ID)), format);
    let number = ask(model, Topic::Text(request), effects);
    model.export.waiting.push((number, Destination::Copy { what }));
}

fn request(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(root) = model.panes.graph.root(navigation::visited_symbol(model)) else { return };
    let rows = page_rows(model, ID);
    let (id, topic) = (root.id, Topic::Neighborhood(model.panes.graph.request(root, rows)));
    model.panes.graph.asked_about = Some(((model.search.generation, model.index_version), id, rows));
    model.panes.graph.question = ask(model, topic, effects);
}
