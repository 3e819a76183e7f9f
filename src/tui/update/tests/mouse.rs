//! Clicks and the wheel.

use std::time::Duration;

use ratatui::layout::{Position, Size};

use super::{Action, Harness, Overlay};
use crate::tui::command::Command;
use crate::tui::fixture;
use crate::tui::model::Focus;
use crate::tui::panes::{pack, source};

#[test]
fn mouse_selects_and_scrolls_under_the_pointer() {
    let mut harness = Harness::ranked();
    let list = harness.model.areas().content(pack::ID);
    harness.act(Action::Click(Position { x: list.x + 3, y: list.y + 2 }));
    assert_eq!(harness.model.panes.pack.selected, 2);
    let source = harness.model.areas().pane(source::ID);
    harness.model.panes.source.lines = fixture::source();
    let before = harness.model.panes.source.top;
    harness.act(Action::Wheel { position: Position { x: source.x + 2, y: source.y + 2 }, by: 3 });
    assert_eq!(harness.model.panes.source.top, before + 3);
    assert_eq!(harness.model.panes.pack.selected, 2);
    harness.keys(":");
    let middle = Position { x: 60, y: 20 };
    harness.act(Action::Wheel { position: middle, by: 3 });
    harness.act(Action::Wheel { position: middle, by: -1 });
    let row = |harness: &Harness| match harness.model.overlays.last() {
        Some(Overlay::Palette(palette)) => palette.selected.row(),
        other => panic!("{other:?}"),
    };
    assert_eq!(row(&harness), 2);
    harness.act(Action::Wheel { position: Position { x: list.x + 1, y: list.y + 1 }, by: 3 });
    assert_eq!(
        (row(&harness), harness.model.panes.pack.selected),
        (2, 5),
        "outside the window the wheel scrolls the pane"
    );
}

#[test]
fn a_click_in_a_window_selects_and_outside_closes() {
    let mut harness = Harness::ranked();
    harness.keys(":");
    let selected = |harness: &Harness| match harness.model.overlays.last() {
        Some(Overlay::Palette(palette)) => Some(palette.selected.row()),
        _ => None,
    };
    let area = harness.model.overlays[0].window().area(&harness.model);
    // Below the frame and the text field.
    harness.act(Action::Click(Position { x: area.x + 9, y: area.y + 2 + 4 }));
    assert_eq!(selected(&harness), Some(4));
    harness.act(Action::Click(Position { x: area.x, y: area.y }));
    assert_eq!(selected(&harness), Some(4), "a click on the frame selects nothing");
    harness.act(Action::Click(Position { x: area.right(), y: area.y }));
    assert_eq!(selected(&harness), None);
    assert_eq!(harness.model.focus, Focus::Pane(pack::ID));
}

#[test]
fn wheel_and_click_step_through_a_concept() {
    let mut harness = Harness::ranked();
    harness.model.concepts.answer = Some(Ok(vec![fixture::concept_match()]));
    harness.keys("*");
    let area = harness.model.overlays[0].window().area(&harness.model);
    harness.model.concepts.symbol = Some(0);
    harness.act(Action::Wheel { position: Position { x: area.x + 9, y: area.y + 1 }, by: 3 });
    assert_eq!(harness.model.concepts.symbol, Some(1));
    harness.act(Action::Click(Position { x: area.right() - 9, y: area.y + 1 }));
    assert_eq!(
        (harness.model.concepts.symbol, harness.model.panes.pack.selected, harness.model.overlays.len()),
        (Some(0), 0, 1)
    );
}

#[test]
fn leaving_the_graph_visits_its_node() {
    let mut harness = Harness::ranked();
    harness.keys("5");
    harness.model.panes.graph.show(fixture::neighborhood());
    harness.keys("j");
    let name = |harness: &Harness| harness.model.panes.graph.selected_symbol().unwrap().name.clone();
    assert_eq!(name(&harness), "save_session");
    for how in ["3", "4", "S-Tab", "click"] {
        let mut harness = Harness { model: harness.model.clone(), now: harness.now };
        match how {
            "click" => {
                let source = harness.model.areas().pane(source::ID);
                harness.act(Action::Click(Position { x: source.x + 2, y: source.y + 2 }));
            }
            keys => drop(harness.keys(keys)),
        }
        assert_eq!(harness.model.panes.source.wanted.as_ref().unwrap().line, 339, "{how}");
        assert_eq!(harness.model.panes.pack.selected, 1, "{how}");
        let root = |harness: &Harness| {
            harness
                .model
                .panes
                .graph
                .root(crate::tui::update::navigation::visited_symbol(&harness.model))
                .unwrap()
                .node
                .get()
        };
        assert_eq!(root(&harness), 0, "{how}: the tree stays as it is");
        harness.keys("5");
        assert_eq!((root(&harness), name(&harness).as_str()), (0, "save_session"), "{how}");
        harness.keys("2 j");
        assert_eq!(root(&harness), 2, "{how}: it follows the list again");
    }
}

#[test]
fn hints_are_clickable() {
    let mut harness = Harness::ranked();
    harness.act(Action::Resize(Size { width: 200, height: 30 }));
    let footer = harness.model.areas().footer;
    let hint = (0..footer.width).find(|x| {
        let bound = crate::tui::view::footer::command_at(&harness.model, *x);
        bound.is_some_and(|bound| bound.command == Command::Pin)
    });
    harness.act(Action::Click(Position { x: hint.unwrap(), y: footer.y }));
    assert_eq!(harness.model.task.options.pinned.len(), 1);
}

#[test]
fn a_double_click_opens_and_a_right_click_explains() {
    let mut harness = Harness::ranked();
    let rows = harness.model.areas().content(pack::ID);
    let row = Position { x: rows.x + 20, y: rows.y + 1 };
    harness.act(Action::Click(row));
    harness.act(Action::Click(row));
    assert_eq!((harness.model.focus.pane().0, harness.model.panes.pack.selected), ("source", 1));
    harness.act(Action::RightClick(Position { y: rows.y + 2, ..row }));
    assert_eq!((harness.model.focus.pane().0, harness.model.panes.pack.selected), ("why", 2));
    harness.now += Duration::from_secs(1);
    harness.act(Action::Click(row));
    harness.now += Duration::from_secs(1);
    harness.act(Action::Click(row));
    assert_eq!(harness.model.focus.pane().0, "list", "two slow clicks are not a double click");
}
