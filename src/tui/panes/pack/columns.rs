//! The columns of the list. They are computed from the rows on the screen, so that names with their containers and
//! places are whole before anything else gets a cell.

use std::borrow::Cow;

use ratatui::layout::Size;

use super::{Delta, DisplayLine, PackList, Stage, fold};
use crate::engine::ChangeRole;
use crate::model::{PackedSymbol, Symbol, SymbolId, SymbolKind};
use crate::text::display::safe;
use crate::text::file_name;
use crate::tui::model::Model;
use crate::tui::model::feedback::Feedback;
use crate::tui::view::text::width;

/// Widths of the columns; a column of width 0 is not shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Columns {
    /// The pin and the vote.
    pub marks: usize,
    pub rank: usize,
    /// The change of the rank.
    pub delta: usize,
    /// The relation to the changes or the subject of the question.
    pub relation: usize,
    pub bar: usize,
    pub name: usize,
    pub place: usize,
    pub tokens: usize,
}

/// Cells of a bar.
const BAR: usize = 3;
/// Cells of a change of the rank.
const DELTA: usize = 3;
/// Cells of a number of tokens with the blank before it.
const TOKENS: usize = 7;
/// Blanks between name and place.
pub const GAP: usize = 2;
/// A narrower list has names and places only.
const MIN_WIDTH_WITH_BAR: usize = 46;
/// Cells of a relation at most, unless others would be blank.
const MAX_RELATION: usize = "uses the type:31".len();
/// The first rows, by which a list beside the source is as wide as it needs.
const MEASURED_ROWS: usize = 40;
/// Cells of the rank and of what stands before it, without changes of ranks.
const LEAD: usize = 1 + 2 + 3 + 1;

/// The cells that the texts of a row need.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Needed {
    /// The name, without and with its container.
    name: usize,
    full_name: usize,
    /// The place with all its folders, with the distinguishing one, and without those that distinguish nothing.
    places: [usize; 3],
}

impl Needed {
    /// Returns what a row needs.
    pub fn of(list: &PackList, index: usize, ellipsis: &str) -> Needed {
        let symbol = &list.symbols[index].symbol;
        let container = container(&list.symbols[index]);
        let container = if container.is_empty() { 0 } else { width(&safe(container)) + 2 };
        let line = if symbol.file.is_empty() { 0 } else { 2 + symbol.span.name_line.max(1).ilog10() as usize };
        let places = if list.arrangement.by_file { [0; 3] } else { list.labels[index].widths(ellipsis) };
        let name = width(&shown_name(&list.symbols[index]));
        Needed { name, full_name: name + container, places: places.map(|place| place + line) }
    }

    /// Returns the cells of the place in at most `columns`: the longest form that fits, or the shortest.
    pub fn place(&self, columns: usize) -> usize {
        self.places.into_iter().find(|place| *place <= columns).unwrap_or(self.places[2])
    }

    /// Returns the cells of the place beside the name, where both have `room`. What does not fit: first folders that
    /// distinguish nothing are left out, then the container is cut, then other folders, then the name; the line never is.
    pub fn place_beside_name(&self, columns: usize, room: usize) -> usize {
        let beside_full = self.place(columns.min(room.saturating_sub(self.full_name)));
        beside_full.min(room.saturating_sub(self.name).max(room * 2 / 5)).min(columns)
    }
}

/// Returns the container that tells something: a part of a name that the file has too says nothing.
pub fn container(packed: &PackedSymbol) -> &str {
    let name = file_name(&packed.symbol.file);
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    if packed.symbol.scope == stem { "" } else { &packed.symbol.scope }
}

/// Returns the name as the list shows it: a constructor that has the name of its type is a call of it.
pub fn shown_name(packed: &PackedSymbol) -> Cow<'_, str> {
    let Symbol { name, scope, kind, .. } = &packed.symbol;
    let is_of_type = *kind == SymbolKind::Method && scope.rsplit('.').next() == Some(name);
    if is_of_type { safe(&format!("{name}()")).into_owned().into() } else { safe(name) }
}

impl PackList {
    /// Returns the rows and columns that the list needs to be whole.
    pub fn needed(&self) -> Size {
        if self.symbols.is_empty() && self.folds.rows(u16::MAX) == 0 {
            return Size::default();
        }
        let tokens = if self.arrangement.is_packing { TOKENS } else { 0 };
        let columns = LEAD + BAR + 1 + self.first_needed + GAP + tokens;
        let clamped = |number: usize| u16::try_from(number).unwrap_or(u16::MAX);
        let least = if self.symbols.is_empty() { fold::MIN_ABOVE.into() } else { 1 };
        let rows = self.display_len().max(least) + self.folds.rows(u16::MAX) as usize;
        Size { width: clamped(columns), height: clamped(rows) }
    }

    /// Measures the first rows; called when the listed rows change.
    pub fn measure(&mut self) {
        let rows = self.first_rows("…");
        self.first_needed = rows.iter().map(|row| row.full_name + row.places[1]).max().unwrap_or(0);
    }

    /// Returns what the first rows need: the places of all rows have the form that suits these, on whatever page.
    fn first_rows(&self, ellipsis: &str) -> Vec<Needed> {
        self.listed().take(MEASURED_ROWS).map(|index| Needed::of(self, *index, ellipsis)).collect()
    }

    /// Returns the indexes of the listed symbols.
    fn listed(&self) -> impl Iterator<Item = &usize> {
        self.shown.iter().filter(|index| **index < self.symbols.len())
    }
}

/// Returns the cells of the longest form of places with which nearly all rows are whole, or with which most are.
fn place_columns(rows: &[Needed], room: usize) -> usize {
    let forms = [0, 1, 2].map(|form| rows.iter().map(|row| row.places[form]).max().unwrap_or(0));
    let whole = |columns: usize| rows.iter().filter(|row| row.full_name + row.place(columns) <= room).count();
    let nearly_all = forms.into_iter().find(|columns| whole(*columns) * 5 >= rows.len() * 4);
    nearly_all.unwrap_or_else(|| forms.into_iter().rev().max_by_key(|columns| whole(*columns)).unwrap_or(0))
}

impl Columns {
    /// Returns the columns of a list whose `rows` lines from the first visible one on are on the screen.
    pub fn new(model: &Model, total: usize, rows: usize) -> Columns {
        let list = &model.panes.pack;
        let lines = (list.offset..list.offset + rows).filter_map(|line| list.display(line));
        let visible: Vec<usize> = lines
            .filter_map(|line| if let DisplayLine::Symbol(index) = line { Some(index) } else { None })
            .filter(|index| *index < list.symbols.len())
            .collect();
        let id = |index: &usize| list.symbols[*index].symbol.id;
        let longest = |widths: &mut dyn Iterator<Item = usize>| widths.max().unwrap_or(0);
        let marks = longest(&mut visible.iter().map(|index| {
            width(Feedback::pin_mark(id(index), &model.task)) + width(model.feedback.vote_mark(id(index)))
        }));
        let mut columns = Columns { marks: marks.max(1), rank: 2, ..Columns::default() };
        columns.rank = longest(&mut list.listed().map(|index| list.ranks[*index])).to_string().len().max(2);
        let mut whole_relation = 0;
        if total >= MIN_WIDTH_WITH_BAR {
            let has_delta = list.listed().any(|index| list.deltas[*index] != Delta::Same);
            columns.delta = if has_delta { DELTA } else { 0 };
            let related = list.listed().take(MEASURED_ROWS).chain(&visible);
            whole_relation = longest(&mut related.filter_map(|index| relation(model, id(index))).map(width));
            columns.relation = whole_relation.min(MAX_RELATION);
            // The symbols that a name may mean are not ranked.
            let has_scores = columns.relation == 0 && list.stage == Stage::Full && list.choices.is_empty();
            columns.bar = if has_scores { BAR } else { 0 };
            columns.tokens = if list.arrangement.is_packing { TOKENS } else { 0 };
        }
        let room = total.saturating_sub(columns.before_name() + columns.tokens + GAP);
        let ellipsis = model.appearance.glyphs.ellipsis;
        let mut rows = list.first_rows(ellipsis);
        let place = place_columns(&rows, room).min(room);
        columns.place = if total < MIN_WIDTH_WITH_BAR / 2 { 0 } else { place };
        // A wide list is not wider than it needs, so that names and places stay together.
        rows.extend(visible.iter().map(|index| Needed::of(list, *index, ellipsis)));
        let whole = longest(&mut rows.iter().map(|row| row.full_name + row.place(columns.place)));
        columns.name = whole.clamp(columns.place, room.max(columns.place)) - columns.place;
        // Otherwise these cells would be blank.
        let blank = room.saturating_sub(columns.place + columns.name);
        columns.relation += blank.min(whole_relation - columns.relation);
        columns
    }

    /// Returns the cells before the name.
    fn before_name(&self) -> usize {
        let gap = |columns: usize| if columns > 0 { columns + 1 } else { 0 };
        1 + gap(self.marks) + gap(self.rank) + gap(self.delta) + gap(self.relation) + gap(self.bar)
    }
}

/// The relation of what changed symbols use, and of what is around them.
const NEAR: &str = "near";

/// Returns the relation of a symbol to the changes or the question that the task is about.
pub fn relation(model: &Model, id: SymbolId) -> Option<&str> {
    let role = model.changes.role(id).map(ChangeRole::label);
    let role = role.or(model.changes.known.as_ref().map(|_| NEAR));
    role.or_else(|| model.panes.pack.relations.get(&id).map(String::as_str))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::fixture;
    use crate::tui::panes::pack;

    fn columns(width: u16, height: u16) -> (Columns, usize) {
        let mut model = fixture::model(width, height);
        model.panes.pack.set_pack(fixture::pack(), std::time::Duration::ZERO);
        let area = model.areas().content(pack::ID);
        (Columns::new(&model, area.width.into(), area.height.into()), area.width.into())
    }

    #[test]
    fn names_with_containers_and_places_are_whole_at_every_usual_size() {
        let name = "open_session ‹SecureCookieSessionInterface".chars().count();
        let place = "sessions.py:324".len();
        for (width, height) in [(80, 24), (100, 30), (119, 40), (120, 40), (160, 45), (200, 60)] {
            let (columns, all) = columns(width, height);
            // Beside the source only a container may be cut.
            let name = if (120..200).contains(&width) { 30 } else { name };
            assert!(columns.name + columns.place >= name + place, "{width}x{height}: {columns:?} of {all}");
            assert!(columns.place >= place, "{width}x{height}: {columns:?} of {all}");
            let sum = columns.before_name() + columns.name + GAP + columns.place + columns.tokens;
            assert!(sum <= all, "{width}x{height}: {columns:?}");
        }
    }

    #[test]
    fn places_are_whole_where_cells_would_be_blank() {
        let mut model = fixture::model(100, 30);
        let mut pack = fixture::pack();
        for (index, packed) in pack.symbols.iter_mut().enumerate() {
            let repository = ["shop", "till"][index % 2];
            packed.symbol.file = format!("{repository}/src/deep/down/below/{}", file_name(&packed.symbol.file));
            packed.symbol.qualified_name = format!("example.com/{repository}://a.{index}");
        }
        pack.omitted.clear();
        model.panes.pack.set_pack(pack, std::time::Duration::ZERO);
        let screen = |width| {
            let columns = Columns::new(&model, width, 10);
            model.panes.pack.labels[0].fit(324, columns.place, "…")
        };
        assert_eq!(screen(120), "shop/src/deep/down/below/sessions.py:324");
        assert_eq!(screen(64), "shop/…/sessions.py:324", "the name with its container is whole before");
    }

    #[test]
    fn the_form_of_a_place_does_not_change_while_scrolling() {
        let mut model = fixture::model(80, 24);
        let mut pack = fixture::pack();
        let row = pack.symbols[2].clone();
        let rows = (0..60).map(|index| {
            let mut packed = row.clone();
            packed.symbol.id.0[0] = index;
            packed.symbol.name = format!("probe_{index:02}");
            packed.symbol.file = format!("crate-{}/src/probe_{index}.rs", index % 3);
            packed
        });
        pack.symbols = rows.collect();
        pack.omitted.clear();
        // A long name further down has its own row for itself.
        pack.symbols[50].symbol.name = "a_name_of_more_than_half_of_the_columns_of_the_screen".into();
        model.panes.pack.set_pack(pack, std::time::Duration::ZERO);
        let screen = |model: &Model, offset, index: usize| {
            let mut model = model.clone();
            model.panes.pack.offset = offset;
            let columns = Columns::new(&model, 80, 10);
            let needed = Needed::of(&model.panes.pack, index, "…");
            let place = needed.place_beside_name(columns.place, columns.name + columns.place);
            model.panes.pack.labels[index].fit(26, place, "…")
        };
        for offset in [0, 12, 45] {
            assert_eq!(screen(&model, offset, 49), "crate-1/src/probe_49.rs:26", "{offset}");
        }
        assert_eq!(screen(&model, 45, 50), "probe_50.rs:26");
    }

    #[test]
    fn a_constructor_is_told_from_its_type() {
        let mut packed = fixture::pack().symbols[0].clone();
        (packed.symbol.name, packed.symbol.scope) = ("Cart".into(), "shop.Cart".into());
        assert_eq!(shown_name(&packed), "Cart()");
        packed.symbol.kind = SymbolKind::Type;
        assert_eq!(shown_name(&packed), "Cart");
    }

    #[test]
    fn a_choice_between_names_has_no_scores() {
        let mut model = fixture::model(100, 30);
        let mut pack = fixture::pack();
        pack.choices.insert(pack.symbols[0].symbol.id, "callers of push".into());
        model.panes.pack.set_pack(pack, std::time::Duration::ZERO);
        assert_eq!(Columns::new(&model, 100, 10).bar, 0);
    }

    #[test]
    fn tokens_have_a_column_only_while_a_pack_is_made() {
        let mut model = fixture::model(100, 30);
        model.panes.pack.set_pack(fixture::pack(), std::time::Duration::ZERO);
        assert_eq!(Columns::new(&model, 100, 10).tokens, 0);
        model.panes.pack.arrangement.is_packing = true;
        assert_eq!(Columns::new(&model, 100, 10).tokens, TOKENS);
    }
}
