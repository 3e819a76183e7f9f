//! The columns of the list: their widths, their heads, and the order that a click on a head selects.

use super::{PackList, Sort};
use crate::model::PackedSymbol;
use crate::text::display::safe;
use crate::tui::view::text;

/// Widths of the columns; a column of width 0 is not shown.
pub struct Columns {
    pub rank: usize,
    pub delta: usize,
    pub score: usize,
    pub bar: usize,
    pub symbol: usize,
    pub location: usize,
    /// Components of the path in the column of locations.
    pub path_components: usize,
    pub tokens: usize,
    /// The score that fills the bar.
    pub max_score: f64,
}

impl Columns {
    /// Returns the columns of a list that is `width` wide.
    pub fn new(list: &PackList, width: usize) -> Columns {
        let rank = list.symbols.len().to_string().len().max(2);
        // Lexical matches have no scores yet; their columns stay empty, so that the columns do not move when scores come.
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
        let path_components = if width < 76 { 1 } else { 2 };
        let first = list.symbols.iter().take(MEASURED_ROWS);
        let longest = first.map(|packed| text::width(&location_label(packed, path_components))).max();
        let location = if width < 40 { 0 } else { longest.unwrap_or(0).min(left * 9 / 20) };
        let scores = list.symbols.iter().map(|packed| packed.score).filter(|score| score.is_finite());
        let max_score = scores.fold(0.0, f64::max);
        let symbol = left.saturating_sub(location);
        Columns { rank, delta, score, bar, symbol, location, path_components, tokens, max_score }
    }

    /// Returns the heads from left to right, as wide as the columns below them.
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
            head(shown("where", self.location), self.location, Some(Sort::Location)),
            Head { right: true, ..head(shown("tok", self.tokens), self.tokens, Some(Sort::Tokens)) },
        ]
    }

    /// Returns the order that a click on the heads selects, `column` cells from their left end.
    pub fn sort_at(&self, column: usize) -> Option<Sort> {
        let mut end = 0;
        let hit = self.heads("").into_iter().find(|head| {
            end += head.columns;
            column < end
        });
        hit?.sort
    }
}

/// Width of a score.
pub const SCORE_COLUMNS: usize = 5;

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

/// Returns the last components of the path, and the line. A wide list shows the folder too: many files are called
/// `mod.rs` or `index.ts`.
pub fn location_label(packed: &PackedSymbol, path_components: usize) -> String {
    let file = packed.symbol.file.as_str();
    if file.is_empty() {
        return "outside".into();
    }
    let end = file.rmatch_indices('/').nth(path_components - 1).map_or(file, |(index, _)| &file[index + 1..]);
    format!("{}:{}", safe(end), packed.symbol.span.name_line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::fixture;

    #[test]
    fn heads_sort_by_their_column() {
        let mut rows = PackList::default();
        rows.set_pack(fixture::pack(), std::time::Duration::ZERO);
        for width in [30, 60, 100] {
            let columns = Columns::new(&rows, width);
            let mut found: Vec<Sort> = (0..width).filter_map(|column| columns.sort_at(column)).collect();
            found.dedup();
            let expected: &[Sort] = match width {
                30 => &[Sort::Rank, Sort::Name],
                _ => &[Sort::Rank, Sort::Name, Sort::Location, Sort::Tokens],
            };
            assert_eq!(found, expected, "{width} columns");
        }
        assert_eq!(Columns::new(&rows, 60).sort_at(0), None);
    }
}
