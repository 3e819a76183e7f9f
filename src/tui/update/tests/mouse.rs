//! The mouse: what is clicked, and what is under the wheel.

use ratatui::layout::Position;

use super::{Action, Bench, Overlay};
use crate::tui::columns::Columns;
use crate::tui::fixture;
use crate::tui::model::Focus;
use crate::tui::model::pack::Sort;

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
    let middle = Position { x: 60, y: 20 };
    bench.act(Action::Wheel { place: middle, by: 3 });
    bench.act(Action::Wheel { place: middle, by: -1 });
    let row = |bench: &Bench| match bench.model.overlays.last() {
        Some(Overlay::Keys(keys)) => keys.selected.row(),
        other => panic!("{other:?}"),
    };
    assert_eq!(row(&bench), 2);
    bench.act(Action::Wheel { place: Position { x: list.x + 1, y: list.y + 1 }, by: 3 });
    assert_eq!((row(&bench), bench.model.pack.selected), (2, 5), "beside the window the wheel is the pane's");
}

#[test]
fn a_click_in_a_window_selects_its_line_and_one_beside_it_closes_it() {
    let mut bench = Bench::ranked();
    bench.keys(":");
    let selected = |bench: &Bench| match bench.model.overlays.last() {
        Some(Overlay::Palette(palette)) => Some(palette.selected.row()),
        _ => None,
    };
    let area = bench.model.overlays[0].window().area(&bench.model);
    // Below the frame and the line that one types into.
    bench.act(Action::Click(Position { x: area.x + 9, y: area.y + 2 + 4 }));
    assert_eq!(selected(&bench), Some(4));
    bench.act(Action::Click(Position { x: area.x, y: area.y }));
    assert_eq!(selected(&bench), Some(4), "the frame is no line");
    bench.act(Action::Click(Position { x: area.right(), y: area.y }));
    assert_eq!(selected(&bench), None);
    assert_eq!(bench.model.focus, Focus::Pack);
}

#[test]
fn in_the_window_of_classes_a_notch_is_a_step_and_a_click_goes_to_the_match() {
    let mut bench = Bench::ranked();
    bench.model.classes.found = Some(Ok(vec![fixture::concept_match()]));
    bench.keys("*");
    let area = bench.model.overlays[0].window().area(&bench.model);
    bench.model.classes.place = Some(0);
    bench.act(Action::Wheel { place: Position { x: area.x + 9, y: area.y + 1 }, by: 3 });
    assert_eq!(bench.model.classes.place, Some(1));
    bench.act(Action::Click(Position { x: area.right() - 9, y: area.y + 1 }));
    assert_eq!((bench.model.classes.place, bench.model.pack.selected, bench.model.overlays.len()), (Some(0), 0, 1));
}

#[test]
fn whoever_clicks_from_the_neighborhood_at_its_source_stays_with_the_node() {
    let mut bench = Bench::ranked();
    bench.keys("5");
    bench.model.graph.show(fixture::neighborhood());
    bench.keys("j");
    let name = |bench: &Bench| bench.model.graph.selected_symbol().unwrap().name.clone();
    assert_eq!(name(&bench), "save_session");
    for how in ["3", "4", "S-Tab", "click"] {
        let mut bench = Bench { model: bench.model.clone(), now: bench.now };
        match how {
            "click" => {
                let source = bench.model.areas().source;
                bench.act(Action::Click(Position { x: source.x + 2, y: source.y + 2 }));
            }
            keys => drop(bench.keys(keys)),
        }
        assert_eq!(bench.model.source.wanted.as_ref().unwrap().line, 339, "{how}");
        assert_eq!(bench.model.pack.selected, 1, "{how}");
        let root =
            |bench: &Bench| bench.model.graph.root(crate::tui::update::source::visited(&bench.model)).unwrap().node;
        assert_eq!(root(&bench), 0, "{how}: the tree stays as it is");
        bench.keys("5");
        assert_eq!((root(&bench), name(&bench).as_str()), (0, "save_session"), "{how}");
        bench.keys("2 j");
        assert_eq!(root(&bench), 2, "{how}: it follows the list again");
    }
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
