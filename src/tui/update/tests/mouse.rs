//! Clicks and the wheel.

use ratatui::layout::Position;

use super::{Action, Bench, Overlay};
use crate::tui::fixture;
use crate::tui::model::Focus;
use crate::tui::panes::pack::Sort;
use crate::tui::panes::pack::columns::Columns;
use crate::tui::panes::{cost, pack, runs, source};

#[test]
fn mouse_selects_and_scrolls_under_the_pointer() {
    let mut bench = Bench::ranked();
    let (_, list) = pack::list_areas(&bench.model.areas());
    bench.act(Action::Click(Position { x: list.x + 3, y: list.y + 2 }));
    assert_eq!(bench.model.panes.pack.selected, 2);
    let source = bench.model.areas().pane(source::ID);
    bench.model.panes.source.lines = fixture::source();
    let before = bench.model.panes.source.top;
    bench.act(Action::Wheel { position: Position { x: source.x + 2, y: source.y + 2 }, by: 3 });
    assert_eq!(bench.model.panes.source.top, before + 3);
    assert_eq!(bench.model.panes.pack.selected, 2);
    bench.keys("?");
    let middle = Position { x: 60, y: 20 };
    bench.act(Action::Wheel { position: middle, by: 3 });
    bench.act(Action::Wheel { position: middle, by: -1 });
    let row = |bench: &Bench| match bench.model.overlays.last() {
        Some(Overlay::Keys(keys)) => keys.selected.row(),
        other => panic!("{other:?}"),
    };
    assert_eq!(row(&bench), 2);
    bench.act(Action::Wheel { position: Position { x: list.x + 1, y: list.y + 1 }, by: 3 });
    assert_eq!((row(&bench), bench.model.panes.pack.selected), (2, 5), "outside the window the wheel scrolls the pane");
}

#[test]
fn a_click_in_a_window_selects_and_outside_closes() {
    let mut bench = Bench::ranked();
    bench.keys(":");
    let selected = |bench: &Bench| match bench.model.overlays.last() {
        Some(Overlay::Palette(palette)) => Some(palette.selected.row()),
        _ => None,
    };
    let area = bench.model.overlays[0].window().area(&bench.model);
    // Below the frame and the text field.
    bench.act(Action::Click(Position { x: area.x + 9, y: area.y + 2 + 4 }));
    assert_eq!(selected(&bench), Some(4));
    bench.act(Action::Click(Position { x: area.x, y: area.y }));
    assert_eq!(selected(&bench), Some(4), "a click on the frame selects nothing");
    bench.act(Action::Click(Position { x: area.right(), y: area.y }));
    assert_eq!(selected(&bench), None);
    assert_eq!(bench.model.focus, Focus::Pane(pack::ID));
}

#[test]
fn wheel_and_click_step_through_a_concept() {
    let mut bench = Bench::ranked();
    bench.model.concepts.answer = Some(Ok(vec![fixture::concept_match()]));
    bench.keys("*");
    let area = bench.model.overlays[0].window().area(&bench.model);
    bench.model.concepts.symbol = Some(0);
    bench.act(Action::Wheel { position: Position { x: area.x + 9, y: area.y + 1 }, by: 3 });
    assert_eq!(bench.model.concepts.symbol, Some(1));
    bench.act(Action::Click(Position { x: area.right() - 9, y: area.y + 1 }));
    assert_eq!(
        (bench.model.concepts.symbol, bench.model.panes.pack.selected, bench.model.overlays.len()),
        (Some(0), 0, 1)
    );
}

#[test]
fn leaving_the_graph_visits_its_node() {
    let mut bench = Bench::ranked();
    bench.keys("5");
    bench.model.panes.graph.show(fixture::neighborhood());
    bench.keys("j");
    let name = |bench: &Bench| bench.model.panes.graph.selected_symbol().unwrap().name.clone();
    assert_eq!(name(&bench), "save_session");
    for how in ["3", "4", "S-Tab", "click"] {
        let mut bench = Bench { model: bench.model.clone(), now: bench.now };
        match how {
            "click" => {
                let source = bench.model.areas().pane(source::ID);
                bench.act(Action::Click(Position { x: source.x + 2, y: source.y + 2 }));
            }
            keys => drop(bench.keys(keys)),
        }
        assert_eq!(bench.model.panes.source.wanted.as_ref().unwrap().line, 339, "{how}");
        assert_eq!(bench.model.panes.pack.selected, 1, "{how}");
        let root = |bench: &Bench| {
            bench
                .model
                .panes
                .graph
                .root(crate::tui::update::navigation::visited_symbol(&bench.model))
                .unwrap()
                .node
                .get()
        };
        assert_eq!(root(&bench), 0, "{how}: the tree stays as it is");
        bench.keys("5");
        assert_eq!((root(&bench), name(&bench).as_str()), (0, "save_session"), "{how}");
        bench.keys("2 j");
        assert_eq!(root(&bench), 2, "{how}: it follows the list again");
    }
}

#[test]
fn clicks_on_a_head_sort_and_reverse() {
    let mut bench = Bench::ranked();
    let (heads, _) = pack::list_areas(&bench.model.areas());
    let columns = Columns::new(&bench.model.panes.pack, heads.width as usize);
    let name = (0..heads.width).find(|x| columns.sort_at(*x as usize) == Some(Sort::Name)).unwrap();
    let head = Position { x: heads.x + name, y: heads.y };
    let order = |bench: &Bench| (bench.model.panes.pack.arrangement.sort, bench.model.panes.pack.arrangement.reversed);
    bench.act(Action::Click(head));
    assert_eq!(order(&bench), (Sort::Name, false));
    bench.act(Action::Click(head));
    assert_eq!(order(&bench), (Sort::Name, true));
    bench.act(Action::Click(Position { x: heads.right() - 1, y: heads.y }));
    assert_eq!(order(&bench), (Sort::Tokens, false));
    bench.act(Action::Click(Position { x: heads.x + 4, y: heads.y }));
    assert!(bench.model.panes.pack.arrangement.is_by_rank());
}

#[test]
fn a_click_selects_a_row_in_any_pane() {
    let mut bench = Bench::ranked();
    bench.keys("7");
    let areas = bench.model.areas();
    let rows = areas.inner(areas.pane(cost::ID));
    bench.act(Action::Click(Position { x: rows.x + 1, y: rows.y + 1 }));
    assert_eq!((bench.model.focus, bench.model.panes.cost.selected), (Focus::Pane(cost::ID), 1));
    bench.act(Action::Click(Position { x: rows.x + 1, y: rows.bottom() - 1 }));
    assert_eq!(bench.model.panes.cost.selected, 1, "there is no row");
    bench.keys("6");
    bench.act(Action::Click(Position { x: rows.x + 1, y: rows.y + 1 }));
    assert_eq!((bench.model.focus, bench.model.panes.runs.selected), (Focus::Pane(runs::ID), 0));
}
