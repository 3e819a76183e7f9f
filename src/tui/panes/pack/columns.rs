//! The columns of the list. They are computed from the rows on the screen, so that names with their containers and
//! places are whole before anything else gets a cell.

use std::cmp::Reverse;

use ratatui::layout::Size;

use super::{Delta, DisplayLine, PackList, Stage};
use crate::engine::ChangeRole;
use crate::model::{PackedSymbol, SymbolId};
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
const MAX_RELATION: usize = 12;
/// The first rows, by which a list beside the source is as wide as it needs.
const MEASURED_ROWS: usize = 40;
/// Cells of the rank and of what stands before it, without changes of ranks.
const LEAD: usize = 1 + 2 + 3 + 1;

/// The cells that texts of some rows need.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Needed {
    /// The longest name, without and with its container.
    name: usize,
    full_name: usize,
    /// The longest place, without and with folders that distinguish nothing, and with those between the distinguishing one and
    /// the file.
    place: usize,
    full_place: usize,
    whole_place: usize,
}

impl Needed {
    /// Returns what a row needs.
    fn of(list: &PackList, index: usize, ellipsis: &str) -> Needed {
        let symbol = &list.symbols[index].symbol;
        let name = width(&safe(&symbol.name));
        let container = container(&list.symbols[index]);
        let container = if container.is_empty() { 0 } else { width(&safe(container)) + 2 };
        let line = if symbol.file.is_empty() { 0 } else { 2 + symbol.span.name_line.max(1).ilog10() as usize };
        let (short, full, whole) = match list.arrangement.by_file {
            true => (0, 0, 0),
            false => list.labels[index].widths(ellipsis),
        };
        Needed {
            name,
            full_name: name + container,
            place: short + line,
            full_place: full + line,
            whole_place: whole + line,
        }
    }

    /// Returns what both need.
    fn max(self, other: Needed) -> Needed {
        Needed {
            name: self.name.max(other.name),
            full_name: self.full_name.max(other.full_name),
            place: self.place.max(other.place),
            full_place: self.full_place.max(other.full_place),
            whole_place: self.whole_place.max(other.whole_place),
        }
    }
}

/// Returns the container that tells something: a part of a name that the file has too says nothing.
pub fn container(packed: &PackedSymbol) -> &str {
    let name = file_name(&packed.symbol.file);
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    if packed.symbol.scope == stem { "" } else { &packed.symbol.scope }
}

impl PackList {
    /// Returns the rows and columns that the list needs to be whole.
    pub fn needed(&self) -> Size {
        if self.symbols.is_empty() {
            return Size::default();
        }
        let Needed { full_name, full_place, .. } = self.first_needed;
        let tokens = if self.arrangement.is_packing { TOKENS } else { 0 };
        let columns = LEAD + BAR + 1 + full_name + GAP + full_place + tokens;
        let clamped = |number: usize| u16::try_from(number).unwrap_or(u16::MAX);
        let rows = self.display_len().max(1) + self.folds.rows(u16::MAX) as usize;
        Size { width: clamped(columns), height: clamped(rows) }
    }

    /// Measures the first rows; called when the listed rows change.
    pub fn measure(&mut self) {
        let rows = self.shown.iter().take(MEASURED_ROWS).map(|index| Needed::of(self, *index, "…"));
        self.first_needed = rows.fold(Needed::default(), Needed::max);
    }
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
        columns.rank = longest(&mut visible.iter().map(|index| list.ranks[*index].to_string().len())).max(2);
        let mut whole_relation = 0;
        if total >= MIN_WIDTH_WITH_BAR {
            let has_delta = visible.iter().any(|index| list.deltas[*index] != Delta::Same);
            columns.delta = if has_delta { DELTA } else { 0 };
            whole_relation = longest(&mut visible.iter().filter_map(|index| relation(model, id(index))).map(width));
            columns.relation = whole_relation.min(MAX_RELATION);
            columns.bar = if columns.relation == 0 && list.stage == Stage::Full { BAR } else { 0 };
            columns.tokens = if list.arrangement.is_packing { TOKENS } else { 0 };
        }
        let fixed = columns.before_name() + columns.tokens + GAP;
        let room = total.saturating_sub(fixed);
        let ellipsis = model.appearance.glyphs.ellipsis;
        let rows: Vec<Needed> = visible.iter().map(|index| Needed::of(list, *index, ellipsis)).collect();
        let needed = rows.iter().copied().fold(Needed::default(), Needed::max);
        // What does not fit: first folders that distinguish nothing are left out, then containers are cut, then folders,
        // then names; the line of a place never is.
        let name = needed.name.min(room * 3 / 5);
        let place = needed.place.max(room.saturating_sub(needed.full_name)).min(needed.full_place);
        let least = needed.place.min(room * 2 / 5);
        let usual = place.min(room - name).max(least);
        // One long name does not cut the places of all rows: as many rows as possible are whole.
        let whole = |place: &usize| -> usize {
            let fits = |row: &Needed| row.place <= *place && row.name + place <= room;
            let rows = rows.iter().filter(|row| fits(row));
            rows.map(|row| 1 + usize::from(row.full_name + place <= room)).sum()
        };
        let widths = least..=needed.full_place.min(room).max(least);
        let place = widths.max_by_key(|place| (whole(place), Reverse(place.abs_diff(usual)))).unwrap_or(usual);
        columns.place = if total < MIN_WIDTH_WITH_BAR / 2 { 0 } else { place };
        // A wide list is not wider than it needs, so that names and places stay together.
        let whole = needed.full_name.max(list.first_needed.full_name);
        columns.name = room.saturating_sub(columns.place).min(whole);
        // Otherwise these cells would be blank.
        let blank = room.saturating_sub(columns.place + columns.name);
        if columns.place > 0 {
            columns.place += blank.min(needed.whole_place.saturating_sub(columns.place));
        }
        let blank = room.saturating_sub(columns.place + columns.name);
        columns.relation += blank.min(whole_relation - columns.relation);
        columns
    }

    /// Returns the cells before the name.
    pub fn before_name(&self) -> usize {
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
        for (width, height) in [(80, 24), (100, 30), (119, 40), (120, 40), (160, 45), (200, 60)] {
            let (columns, all) = columns(width, height);
            // Beside the source only a container may be cut.
            let name = if (120..200).contains(&width) { 30 } else { name };
            assert!(columns.name >= name, "{width}x{height}: {columns:?} of {all}");
            assert!(columns.place >= "sessions.py:324".len(), "{width}x{height}: {columns:?} of {all}");
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
    fn tokens_have_a_column_only_while_a_pack_is_made() {
        let mut model = fixture::model(100, 30);
        model.panes.pack.set_pack(fixture::pack(), std::time::Duration::ZERO);
        assert_eq!(Columns::new(&model, 100, 10).tokens, 0);
        model.panes.pack.arrangement.is_packing = true;
        assert_eq!(Columns::new(&model, 100, 10).tokens, TOKENS);
    }
}
