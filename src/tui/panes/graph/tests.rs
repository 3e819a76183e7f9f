//! The state of the tree.

use super::state::{CHILDREN_STEP, MAX_DEEPER, TreeRow};
use super::*;
use crate::engine::Neighborhood;
use crate::tui::effect::Node;
use crate::tui::fixture;

fn view() -> GraphTree {
    let mut view = GraphTree::default();
    view.show(fixture::neighborhood());
    view
}

fn name(view: &GraphTree) -> &str {
    view.selected_symbol().map_or("", |symbol| symbol.name.as_str())
}

/// Returns the rows as indentation and name.
fn drawn(view: &GraphTree) -> Vec<String> {
    let row = |row: TreeRow| {
        let name = &view.shown.nodes[row.node].symbol.name;
        let more = row.more.map_or(String::new(), |count| format!(" +{count}"));
        format!("{}{name}{more}{}", "  ".repeat(row.guides.len()), if row.folded { " .." } else { "" })
    };
    view.rows().into_iter().map(row).collect()
}

#[test]
fn rows_end_with_the_number_of_hidden_neighbors() {
    let expected =
        ["open_session", "  save_session", "    session_interface", "  SessionMixin", "  push", "  open_session +7"];
    assert_eq!(drawn(&view()), expected);
}

#[test]
fn an_inferred_edge_has_a_question_mark() {
    let nodes = fixture::neighborhood().nodes;
    assert_eq!(super::view::relation(&nodes[1]), "calls");
    assert!(super::view::relation(&nodes[4]).ends_with('?'));
}

#[test]
fn folding_keeps_the_selection() {
    let mut view = view();
    view.step(1, 9);
    view.fold();
    assert_eq!(drawn(&view)[1..3], ["  save_session ..", "  SessionMixin"]);
    view.fold();
    assert_eq!(name(&view), "open_session", "nothing to fold: selects the parent");
    view.step(1, 9);
    assert!(!view.unfold(), "no request: it was only folded");
    assert!(!view.unfold());
    assert_eq!(name(&view), "session_interface", "already unfolded: selects the child");
    assert!(!view.unfold(), "no hidden neighbors");
}

#[test]
fn unfolding_the_hidden_row_requests_more() {
    let mut view = view();
    view.step(5, 9);
    assert!(view.unfold());
    let root = view.shown.nodes[0].symbol.clone();
    assert_eq!(view.request(&root, 40).wider, [(Node::from(&root), 3 + CHILDREN_STEP)]);
}

#[test]
fn roots_have_a_history() {
    let mut view = view();
    let selection = view.shown.nodes[0].symbol.clone();
    let [one, two] = [1, 3].map(|index: usize| view.shown.nodes[index].symbol.clone());
    view.root_at(one.clone(), Some(&selection));
    view.root_at(two.clone(), Some(&selection));
    view.root_at(two.clone(), Some(&selection));
    assert!(view.back(Some(&selection)));
    assert_eq!(view.chosen.as_ref(), Some(&one));
    assert!(view.back(Some(&selection)) && !view.back(Some(&selection)));
    assert_eq!(view.chosen.as_ref(), Some(&selection));
    assert!(view.forward(None) && view.forward(None) && !view.forward(None));
    assert_eq!(view.chosen.as_ref(), Some(&two));
    assert!(view.follow() && !view.follow());
    assert_eq!(view.root(Some(&selection)), Some(&selection));
}

#[test]
fn back_selects_the_root_that_was_left() {
    let mut view = view();
    let selection = view.shown.nodes[0].symbol.clone();
    view.root_at(view.shown.nodes[3].symbol.clone(), Some(&selection));
    view.back(Some(&selection));
    view.show(fixture::neighborhood());
    assert_eq!(name(&view), "push");
}

#[test]
fn hops_have_bounds_and_canvas_keeps_the_symbol() {
    let mut view = view();
    while view.change_hops(true) {}
    assert_eq!(view.deeper, MAX_DEEPER);
    while view.change_hops(false) {}
    assert_eq!(view.deeper, 0);
    view.step(3, 9);
    let before = name(&view).to_owned();
    view.toggle_canvas();
    assert_eq!(name(&view), before);
    view.step(isize::MAX / 2, 9);
    view.toggle_canvas();
    view.show(Neighborhood::default());
    view.step(1, 0);
    assert_eq!((view.selected, view.selected_symbol()), (0, None));
}

#[test]
fn the_root_has_as_many_neighbors_as_there_are_rows() {
    let view = view();
    let root = view.shown.nodes[0].symbol.clone();
    assert_eq!(view.request(&root, 60).wider, [(Node::from(&root), 58)]);
    assert_eq!(view.request(&root, 4).wider, [(Node::from(&root), 8)]);
}
