//! The state of the list.

use std::time::Duration;

use super::*;
use crate::tui::fixture;

#[test]
fn the_selection_follows_a_chosen_symbol() {
    let mut rows = PackList::default();
    rows.set_pack(fixture::pack(), Duration::ZERO);
    rows.select(2);
    let chosen = rows.selected_symbol().unwrap().symbol.id;
    let mut pack = fixture::pack();
    pack.symbols.swap(0, 2);
    rows.set_pack(pack, Duration::ZERO);
    assert_eq!(rows.selected, 0);
    assert_eq!(rows.selected_symbol().unwrap().symbol.id, chosen);
}

#[test]
fn an_untouched_selection_stays_on_the_first_row() {
    let mut rows = PackList::default();
    rows.set_pack(fixture::pack(), Duration::ZERO);
    let mut pack = fixture::pack();
    pack.symbols.swap(0, 2);
    rows.set_pack(pack, Duration::ZERO);
    assert_eq!(rows.selected_rank(), 1);
}

#[test]
fn the_cut_line_is_between_packed_and_omitted() {
    let mut rows = PackList::default();
    rows.set_pack(fixture::pack(), Duration::ZERO);
    let packed = rows.packed;
    assert_eq!((rows.cut(), rows.display_len()), (None, rows.symbols.len()), "only while a pack is made");
    rows.arrangement.is_packing = true;
    rows.arrange();
    assert_eq!(rows.display(packed - 1), Some(DisplayLine::Symbol(packed - 1)));
    assert_eq!(rows.display(packed), Some(DisplayLine::Cut));
    assert_eq!(rows.display(packed + 1), Some(DisplayLine::Symbol(packed)));
    assert_eq!(rows.display(rows.display_len()), None);
    rows.select(packed);
    rows.settle(3);
    assert_eq!(rows.offset, packed - 1);
}

#[test]
fn a_far_selection_is_shown_with_what_is_around_it() {
    let mut rows = PackList::default();
    rows.set_pack(fixture::pack(), Duration::ZERO);
    rows.select(rows.symbols.len() - 1);
    rows.settle(3);
    assert_eq!(rows.offset, rows.display_len() - 3);
    // An undone drop returns to the top of the list.
    rows.select(1);
    rows.settle(3);
    assert_eq!(rows.offset, 0, "the first row is visible");
    rows.select(2);
    rows.settle(3);
    assert_eq!(rows.offset, 0, "a near selection scrolls no further than needed");
}

#[test]
fn admission_costs_are_those_of_cheapest_and_best() {
    let mut rows = PackList::default();
    rows.set_pack(fixture::pack(), Duration::ZERO);
    let left = rows.left_tokens;
    // The cheapest is the last of the fixture, the best omitted one its fifth.
    let cheapest = rows.symbols[7].tokens.saturating_sub(left);
    assert_eq!(rows.admission_costs(&|_| false), [(8, cheapest), (5, 344 - left)]);
    let last = rows.symbols[7].symbol.id;
    assert_eq!(rows.admission_costs(&|id| id == last)[0].0, 7);
}

#[test]
fn ranks_are_compared_with_the_previous_ranking() {
    let mut rows = PackList::default();
    rows.set_pack(fixture::pack(), Duration::ZERO);
    assert!(rows.deltas.iter().all(|delta| *delta == Delta::New || *delta == Delta::Same));
    rows.accept();
    let mut half_typed = fixture::pack();
    half_typed.symbols.reverse();
    rows.set_pack(half_typed, Duration::ZERO);
    let mut pack = fixture::pack();
    pack.symbols.swap(0, 2);
    pack.symbols[0].score = 2.0;
    pack.symbols[2].score = 0.76;
    rows.set_pack(pack, Duration::ZERO);
    assert_eq!(rows.deltas[..3], [Delta::Up(2), Delta::Same, Delta::Down(2)], "with the last accepted task");
}

#[test]
fn an_unrelated_task_is_not_compared() {
    let mut rows = PackList::default();
    rows.set_pack(fixture::pack(), Duration::ZERO);
    rows.accept();
    let mut pack = fixture::pack();
    for (number, packed) in pack.symbols.iter_mut().enumerate() {
        packed.symbol.id.0[0] = packed.symbol.id.0[0].wrapping_add(1 + number as u8);
    }
    rows.set_pack(pack, Duration::ZERO);
    assert!(rows.deltas.iter().all(|delta| *delta == Delta::Same));
}

#[test]
fn filter_facet_and_order_keep_the_selection() {
    let mut rows = PackList::default();
    rows.set_pack(fixture::pack(), Duration::ZERO);
    rows.select(1);
    rows.arrangement.filter = "session save".into();
    rows.arrange();
    assert_eq!((rows.shown.as_slice(), rows.selected), ([1].as_slice(), 1));
    rows.arrangement = Arrangement { sort: Sort::Tokens, ..Arrangement::default() };
    rows.arrange();
    assert_eq!((rows.shown[0], rows.selected, rows.cut()), (1, 1, None));
    rows.arrangement = Arrangement { only_packed: true, ..Arrangement::default() };
    rows.arrange();
    assert_eq!((rows.shown.len(), rows.cut()), (fixture::PACKED, None));
    rows.arrangement = Arrangement { facet: Facet::Types, ..Arrangement::default() };
    rows.arrange();
    assert!(rows.shown.is_empty() && rows.selected_symbol().is_none());
}

#[test]
fn changed_files_without_symbols_are_below_the_others() {
    let mut rows = PackList::default();
    rows.set_pack(fixture::pack(), Duration::ZERO);
    let count = rows.display_len();
    let files = ["docs/a.rst", "src/flask/app.py", "tox.ini"].map(|file| (file.to_owned(), "not indexed"));
    rows.set_others(files.into_iter());
    assert_eq!(rows.others.iter().map(|(file, _)| file.as_str()).collect::<Vec<_>>(), ["docs/a.rst", "tox.ini"]);
    assert_eq!((rows.display_len(), rows.display(count)), (count + 2, Some(DisplayLine::Other(0))));
    rows.step(isize::MAX / 2);
    rows.settle(4);
    assert_eq!(rows.offset, count + 2 - 4, "visible with the last symbol");
    rows.arrangement.facet = Facet::Tests;
    rows.arrange();
    assert_eq!(rows.display_len(), 0, "a facet is of symbols");
}
