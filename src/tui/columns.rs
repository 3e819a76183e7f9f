//! The columns of the list: how wide each is, and which one a click on their heads means.

use super::model::pack::{PackList, Sort};
use super::view::text;
use crate::model::PackedSymbol;
use crate::text::display::safe;

/// Widths of the columns; zero leaves a column out.
pub struct Columns {
    pub rank: usize,
    pub delta: usize,
    pub score: usize,
    pub bar: usize,
    pub symbol: usize,
    pub place: usize,
    /// Parts of the path in the column of places.
    pub parts: usize,
    pub tokens: usize,
    /// The score that fills the bar.
    pub top: f64,
}

impl Columns {
    /// The columns that this list has in so much room.
    pub fn new(rows: &PackList, width: usize) -> Columns {
        let rank = rows.symbols.len().to_string().len().max(2);
        // Matches by words have no scores yet; their columns stay empty, so that nothing jumps when they come.
        let bar = match width {
            0..50 => 0,
            50..76 => 4,
            _ => 7,
        };
        let delta = if width >= 46 { 4 } else { 0 };
        let score = SCORE_COLUMNS;
        let tokens = if width >= 40 { 6 } else { 0 };
        let gaps = 6 + usize::from(bar > 0);
        let left = width.saturating_sub(rank + delta + score + bar + tokens + gaps);
        let parts = if width < 76 { 1 } else { 2 };
        let longest = rows.symbols.iter().take(LOOK_AHEAD).map(|packed| text::width(&place_of(packed, parts))).max();
        let place = if width < 40 { 0 } else { longest.unwrap_or(0).min(left * 9 / 20) };
        let top = rows.symbols.iter().map(|packed| packed.score).filter(|score| score.is_finite()).fold(0.0, f64::max);
        Columns { rank, delta, score, bar, symbol: left.saturating_sub(place), place, parts, tokens, top }
    }

    /// The heads from left to right, as wide as what stands below them.
    pub fn heads(&self, delta: &'static str) -> [Head; 8] {
        let head = |name, columns, sort| Head { name, columns, right: false, sort };
        let shown = |name, columns| if columns > 0 { name } else { "" };
        let bar = if self.bar > 0 { self.bar + 1 } else { 0 };
        [
            head(" f ", 3, None),
            Head { right: true, ..head("#", self.rank, Some(Sort::Rank)) },
            head("", 1, None),
            head(shown(delta, self.delta), self.delta, None),
            head("score", self.score + 1 + bar, Some(Sort::Rank)),
            head("symbol", self.symbol + 1, Some(Sort::Name)),
            head(shown("where", self.place), self.place, Some(Sort::Place)),
            Head { right: true, ..head(shown("tok", self.tokens), self.tokens, Some(Sort::Tokens)) },
        ]
    }

    /// What a click on the heads sorts by, so many columns from their left end.
    pub fn sort_at(&self, column: usize) -> Option<Sort> {
        let mut end = 0;
        let hit = self.heads("").into_iter().find(|head| {
            end += head.columns;
            column < end
        });
        hit?.sort
    }
}

/// Columns of a score.
pub const SCORE_COLUMNS: usize = 5;

/// What stands above a column.
#[derive(Debug, Clone, Copy)]
pub struct Head {
    pub name: &'static str,
    pub columns: usize,
    /// True when it stands at the right end.
    pub right: bool,
    /// What a click on it sorts by.
    pub sort: Option<Sort>,
}

/// Rows that decide how wide the column of places is.
const LOOK_AHEAD: usize = 200;

/// The end of the path and the line. A wide list also says the folder: many files are called `mod.rs` or `index.ts`.
pub fn place_of(packed: &PackedSymbol, parts: usize) -> String {
    let file = packed.symbol.file.as_str();
    if file.is_empty() {
        return "outside".into();
    }
    let end = file.rmatch_indices('/').nth(parts - 1).map_or(file, |(place, _)| &file[place + 1..]);
    format!("{}:{}", safe(end), packed.symbol.span.name_line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::fixture;

    #[test]
    fn each_head_sorts_by_what_stands_below_it() {
        let mut rows = PackList::default();
        rows.set_pack(fixture::pack(), std::time::Duration::ZERO);
        for width in [30, 60, 100] {
            let columns = Columns::new(&rows, width);
            let mut found: Vec<Sort> = (0..width).filter_map(|column| columns.sort_at(column)).collect();
            found.dedup();
            let expected: &[Sort] = match width {
                30 => &[Sort::Rank, Sort::Name],
                _ => &[Sort::Rank, Sort::Name, Sort::Place, Sort::Tokens],
            };
            assert_eq!(found, expected, "{width} columns");
        }
        assert_eq!(Columns::new(&rows, 60).sort_at(0), None);
    }
}
