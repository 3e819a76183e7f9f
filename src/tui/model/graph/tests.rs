//! The tree opens, folds, is re-rooted and walked back.

use super::*;
use crate::tui::fixture;

fn view() -> GraphView {
    let mut view = GraphView::default();
    view.show(fixture::neighborhood());
    view
}

fn name(view: &GraphView) -> &str {
    view.selected_symbol().map_or("", |symbol| symbol.name.as_str())
}

/// Rows as indentation and name.
fn drawn(view: &GraphView) -> Vec<String> {
    let row = |row: TreeRow| {
        let name = &view.shown.nodes[row.node].symbol.name;
        let more = row.more.map_or(String::new(), |count| format!(" +{count}"));
        format!("{}{name}{more}{}", "  ".repeat(row.guides.len()), if row.folded { " .." } else { "" })
    };
    view.rows().into_iter().map(row).collect()
}

#[test]
fn the_tree_stands_in_rows_with_what_is_not_shown() {
    let expected =
        ["open_session", "  save_session", "    session_interface", "  SessionMixin", "  push", "  open_session +7"];
    assert_eq!(drawn(&view()), expected);
}

#[test]
fn nodes_fold_and_open_and_the_selection_goes_along() {
    let mut view = view();
    view.step(1, 9);
    view.fold();
    assert_eq!(drawn(&view)[1..3], ["  save_session ..", "  SessionMixin"]);
    view.fold();
    assert_eq!(name(&view), "open_session", "nothing to fold: to the parent");
    view.step(1, 9);
    assert!(!view.open(), "it was only folded");
    assert!(!view.open());
    assert_eq!(name(&view), "session_interface", "it is open: go in");
    assert!(!view.open(), "there is nothing behind it");
}

#[test]
fn more_is_asked_for_at_the_row_that_says_so() {
    let mut view = view();
    view.step(5, 9);
    assert!(view.open());
    let root = view.shown.nodes[0].symbol.clone();
    assert_eq!(view.request(&root).wider, [(root.node, 3 + OPENED)]);
}

#[test]
fn roots_are_walked_back_and_forth() {
    let mut view = view();
    let selection = view.shown.nodes[0].symbol.clone();
    let [one, two] = [1, 3].map(|place: usize| view.shown.nodes[place].symbol.clone());
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
fn after_walking_back_the_selection_is_where_one_came_from() {
    let mut view = view();
    let selection = view.shown.nodes[0].symbol.clone();
    view.root_at(view.shown.nodes[3].symbol.clone(), Some(&selection));
    view.back(Some(&selection));
    view.show(fixture::neighborhood());
    assert_eq!(name(&view), "push");
}

#[test]
fn hops_have_bounds_and_the_canvas_keeps_the_symbol() {
    let mut view = view();
    while view.change_hops(true) {}
    assert_eq!(view.hops, MOST_HOPS);
    while view.change_hops(false) {}
    assert_eq!(view.hops, 1);
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
