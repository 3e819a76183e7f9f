//! The mouse: what is clicked, and what is under the wheel.

use ratatui::layout::Position;

use super::super::super::columns::Columns;
use super::super::super::fixture;
use super::super::super::model::Focus;
use super::super::super::model::pack::Sort;
use super::{Action, Bench, Overlay};

#[test]
fn the_mouse_selects_and_scrolls_what_is_under_it() {
    let mut bench = Bench::ranked();
    let (_, list) = bench.model.areas().list();
    bench.act(Action::Click(Position { x: list.x + 3, y: list.y + 2 }));
    assert_eq!(bench.model.pack.selected, 2);
    let source = bench.model.areas().source;
    bench.model.source.lines = fixture::source();
    let before = bench.model.source.top;
    bench.act(Action::Wheel { place: Position { x: source.x + 2, y: source.y + 2 }, by: 3 });
    assert_eq!(bench.model.source.top, before + 3);
    assert_eq!(bench.model.pack.selected, 2);
    bench.keys("?");
    bench.act(Action::Wheel { place: Position { x: 1, y: 1 }, by: 3 });
    bench.act(Action::Wheel { place: Position { x: 1, y: 1 }, by: -1 });
    let Some(Overlay::Keys(keys)) = bench.model.overlays.last() else { panic!("the key help is open") };
    assert_eq!(keys.selected.row(), 2, "the wheel is the window's while one is open");
}

#[test]
fn a_click_on_a_head_sorts_and_the_next_one_turns_the_order_round() {
    let mut bench = Bench::ranked();
    let (heads, _) = bench.model.areas().list();
    let columns = Columns::new(&bench.model.pack, heads.width as usize);
    let name = (0..heads.width).find(|x| columns.sort_at(*x as usize) == Some(Sort::Name)).unwrap();
    let head = Position { x: heads.x + name, y: heads.y };
    let order = |bench: &Bench| (bench.model.pack.arrangement.sort, bench.model.pack.arrangement.reversed);
    bench.act(Action::Click(head));
    assert_eq!(order(&bench), (Sort::Name, false));
    bench.act(Action::Click(head));
    assert_eq!(order(&bench), (Sort::Name, true));
    bench.act(Action::Click(Position { x: heads.right() - 1, y: heads.y }));
    assert_eq!(order(&bench), (Sort::Tokens, false));
    bench.act(Action::Click(Position { x: heads.x + 4, y: heads.y }));
    assert!(bench.model.pack.arrangement.keeps_ranks());
}

#[test]
fn a_click_selects_the_row_of_any_pane() {
    let mut bench = Bench::ranked();
    bench.keys("7");
    let areas = bench.model.areas();
    let rows = areas.inner(areas.cost);
    bench.act(Action::Click(Position { x: rows.x + 1, y: rows.y + 1 }));
    assert_eq!((bench.model.focus, bench.model.cost.selected), (Focus::Cost, 1));
    bench.act(Action::Click(Position { x: rows.x + 1, y: rows.bottom() - 1 }));
    assert_eq!(bench.model.cost.selected, 1, "nothing stands there");
    bench.keys("6");
    bench.act(Action::Click(Position { x: rows.x + 1, y: rows.y + 1 }));
    assert_eq!((bench.model.focus, bench.model.runs.selected), (Focus::Runs, 0));
}
