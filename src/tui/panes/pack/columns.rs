//! The columns of the list: their widths, their heads, and the order that a click on a head selects.

use super::{PackList, Sort};
use crate::engine::ChangeRole;
use crate::model::{PackedSymbol, SymbolId};
use crate::tui::model::Model;
use crate::tui::view::text::width;

/// Widths of the columns; a column of width 0 is not shown.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Columns {
    /// The vote, pin or drop, with the change of the rank where there is room.
    pub vote: usize,
    pub rank: usize,
    pub score: usize,
    /// Whether the column of the score has relations instead.
    pub has_relations: bool,
    pub bar: usize,
    pub symbol: usize,
    pub location: usize,
    /// Whether the locations have lines.
    pub has_lines: bool,
    pub tokens: usize,
    /// The score that fills the bar.
    pub max_score: f64,
}

/// Columns that a symbol with its container has at least, where the list is at least this wide: names come before
/// numbers.
pub const MIN_SYMBOL: usize = 27;
const MIN_WIDTH_FOR_SYMBOL: usize = 56;
/// The width of a list from which it has bars, on a screen that is at least this wide, and zoomed.
const MIN_WIDTH_WITH_BAR: usize = 78;
const MIN_SCREEN_WITH_BAR: u16 = 160;
const MIN_ZOOMED_WITH_BAR: usize = 100;
const BAR_COLUMNS: usize = 7;
/// Width of the lines where the rows are grouped by file.
const LINE_COLUMNS: usize = 6;
/// Width of a score.
pub const SCORE_COLUMNS: usize = 5;

impl Columns {
    /// Returns the columns of the list as it is drawn in `width` columns.
    pub fn for_list(model: &Model, width: usize) -> Columns {
        // On a narrower screen names and locations need the columns of the bar.
        let min_width = match (model.size.width >= MIN_SCREEN_WITH_BAR, model.zoomed) {
            (true, _) => MIN_WIDTH_WITH_BAR,
            (false, true) => MIN_ZOOMED_WITH_BAR,
            (false, false) => usize::MAX,
        };
        let has_bar = width >= min_width;
        let relation = relation_columns(model, if width >= MIN_WIDTH_FOR_SYMBOL { MAX_RELATION } else { MIN_RELATION });
        Columns::new(&model.panes.pack, width, has_bar, relation, model.appearance.glyphs.ellipsis)
    }

    /// Returns the columns of a list whose relations are `relation` wide; 0 for a list without.
    fn new(list: &PackList, width: usize, has_bar: bool, relation: usize, ellipsis: &str) -> Columns {
        let rank = list.symbols.len().to_string().len().max(2);
        // Lexical matches have no scores yet; their columns stay empty, so that the columns do not move when scores
        // come.
        let has_relations = relation > 0;
        let bar = if has_bar && !has_relations { BAR_COLUMNS } else { 0 };
        let vote = if width >= 46 { 3 } else { 1 };
        let score = if has_relations { relation } else { SCORE_COLUMNS };
        let tokens = if width >= 46 { 6 } else { 0 };
        // Between the columns, and the marker of the selection.
        let gaps = 5 + usize::from(bar > 0);
        let left = width.saturating_sub(vote + rank + score + bar + tokens + gaps);
        let symbol = if width >= MIN_WIDTH_FOR_SYMBOL { MIN_SYMBOL } else { left * 11 / 20 };
        let room = if width < 40 { 0 } else { left.saturating_sub(symbol).min(left * 9 / 20) };
        let (location, has_lines) = match list.arrangement.by_file {
            true => (LINE_COLUMNS, true),
            false => location(list, room, ellipsis),
        };
        let scores = list.symbols.iter().map(|packed| packed.score).filter(|score| score.is_finite());
        let max_score = scores.fold(0.0, f64::max);
        let symbol = left.saturating_sub(location);
        Columns { vote, rank, score, has_relations, bar, symbol, location, has_lines, tokens, max_score }
    }

    /// Returns the heads from left to right, as wide as the columns below them.
    pub fn heads(&self) -> [Head; 6] {
        let head = |name, columns, sort| Head { name, columns, right: false, sort };
        let shown = |name, columns| if columns > 0 { name } else { "" };
        let bar = if self.bar > 0 { self.bar + 1 } else { 0 };
        let score = if self.has_relations { " relation" } else { " score" };
        let vote = if self.vote >= 3 { " +/-" } else { "" };
        [
            head(vote, self.vote + 2, None),
            Head { right: true, ..head("#", self.rank, Some(Sort::Rank)) },
            head(score, self.score + 2 + bar, Some(Sort::Rank)),
            head("symbol", self.symbol + 1, Some(Sort::Name)),
            head(shown("where", self.location), self.location, Some(Sort::Location)),
            Head { right: true, ..head(shown("tokens", self.tokens), self.tokens, Some(Sort::Tokens)) },
        ]
    }

    /// Returns the order that a click on the heads selects, `column` cells from their left end.
    pub fn sort_at(&self, column: usize) -> Option<Sort> {
        let mut end = 0;
        let hit = self.heads().into_iter().find(|head| {
            end += head.columns;
            column < end
        });
        hit?.sort
    }
}

/// Widths of the column of relations.
const MIN_RELATION: usize = 8;
const MAX_RELATION: usize = 12;

/// Returns the relation of a symbol to the changes or the question that the task is about.
pub fn relation(model: &Model, id: SymbolId) -> Option<&str> {
    let role = model.changes.role(id).map(ChangeRole::label);
    role.or_else(|| model.panes.pack.relations.get(&id).map(String::as_str))
}

/// Returns the width of the column of relations, at most `max`; 0 for a task that is about none.
fn relation_columns(model: &Model, max: usize) -> usize {
    let symbols = &model.panes.pack.symbols;
    if model.changes.known.is_none() && model.panes.pack.relations.is_empty() {
        return 0;
    }
    let widths = symbols.iter().take(MEASURED_ROWS).filter_map(|packed| relation(model, packed.symbol.id)).map(width);
    widths.max().unwrap_or(0).clamp(MIN_RELATION, max)
}

/// Room for a location from which it always has a line: of a long one the folder is cut, then the end of the name.
const MIN_ROOM_WITH_LINES: usize = 20;

/// Returns the width of the column of locations, at most `room`, and whether the locations have lines: in a narrow
/// column the folder that distinguishes a file comes before the line.
fn location(list: &PackList, room: usize, ellipsis: &str) -> (usize, bool) {
    let digits = |packed: &PackedSymbol| 1 + packed.symbol.span.name_line.max(1).ilog10() as usize + 1;
    let first = list.symbols.iter().zip(&list.labels).take(MEASURED_ROWS);
    let widths: Vec<((usize, usize), usize)> =
        first.map(|(packed, label)| (label.widths(ellipsis), digits(packed))).collect();
    let longest = widths.iter().map(|((_, full), line)| full + line).max().unwrap_or(0);
    let fit = widths.iter().filter(|((short, _), line)| short + line <= room).count();
    if room >= MIN_ROOM_WITH_LINES || fit * 4 >= widths.len() * 3 {
        (longest.min(room), true)
    } else {
        (widths.iter().map(|((_, full), _)| *full).max().unwrap_or(0).min(room), false)
    }
}

/// The head of a column.
#[derive(Debug, Clone, Copy)]
pub struct Head {
    pub name: &'static str,
    pub columns: usize,
    /// Whether the name is aligned to the right.
    pub right: bool,
    /// The order that a click selects.
    pub sort: Option<Sort>,
}

/// Rows that decide the width of the column of locations.
const MEASURED_ROWS: usize = 200;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::fixture;

    fn columns(width: u16, height: u16) -> (Columns, usize) {
        let mut model = fixture::model(width, height);
        model.panes.pack.set_pack(fixture::pack(), std::time::Duration::ZERO);
        let (_, rows) = super::super::list_areas(&model.areas());
        (Columns::for_list(&model, rows.width as usize), rows.width as usize)
    }

    #[test]
    fn heads_sort_by_their_column() {
        let mut rows = PackList::default();
        rows.set_pack(fixture::pack(), std::time::Duration::ZERO);
        for width in [30, 60, 100] {
            let columns = Columns::new(&rows, width, false, 0, "…");
            let mut found: Vec<Sort> = (0..width).filter_map(|column| columns.sort_at(column)).collect();
            found.dedup();
            let expected: &[Sort] = match width {
                30 => &[Sort::Rank, Sort::Name],
                _ => &[Sort::Rank, Sort::Name, Sort::Location, Sort::Tokens],
            };
            assert_eq!(found, expected, "{width} columns");
        }
        assert_eq!(Columns::new(&rows, 60, false, 0, "…").sort_at(0), None);
    }

    #[test]
    fn locations_have_lines_on_every_screen_from_100_columns() {
        let mut pack = fixture::pack();
        // Long names that two folders share, and as many symbols as a large repository has.
        for (index, packed) in pack.symbols.iter_mut().enumerate() {
            packed.symbol.file = format!("{}/configuration.py", ["production", "development"][index % 2]);
        }
        pack.symbols = pack.symbols.iter().cycle().take(400).cloned().collect();
        let mut model = fixture::model(80, 24);
        model.panes.pack.set_pack(pack, std::time::Duration::ZERO);
        for (width, height) in (100..300).flat_map(|width| [24, 30, 40, 45, 60].map(|height| (width, height))) {
            model.size = ratatui::layout::Size { width, height };
            let (_, rows) = super::super::list_areas(&model.areas());
            let columns = Columns::for_list(&model, rows.width as usize);
            assert!(columns.has_lines && columns.symbol >= MIN_SYMBOL, "{width}x{height}: {columns:?}");
        }
    }

    #[test]
    fn names_have_room_at_every_usual_size() {
        for (width, height) in [(80, 24), (100, 30), (119, 40), (120, 40), (140, 40), (159, 45), (160, 45), (200, 60)] {
            let (columns, all) = columns(width, height);
            assert!(columns.symbol >= MIN_SYMBOL, "{width}x{height}: {columns:?} of {all}");
            assert!(columns.location >= "sessions.py:324".len(), "{width}x{height}: {columns:?} of {all}");
            let sum = columns.heads().iter().map(|head| head.columns).sum::<usize>();
            assert_eq!(sum, all, "{width}x{height}: {columns:?}");
            assert!(columns.bar == 0 || width >= MIN_SCREEN_WITH_BAR, "{width}x{height}: bar and score");
        }
    }
}
