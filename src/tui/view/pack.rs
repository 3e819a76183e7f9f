//! The ranked list.

use ratatui::layout::Rect;
use ratatui::text::Line;

use super::super::layout::Areas;
use super::super::model::pack::{DisplayLine, Stage};
use super::super::model::{Focus, Model};
use super::super::theme::Slot;
use super::{Canvas, blank, text};
use crate::model::PackedSymbol;
use crate::text::display::safe;

/// One word or figure on what the list shows.
pub fn state(model: &Model) -> String {
    let rows = &model.pack;
    let ellipsis = model.skin.glyphs.ellipsis;
    match rows.stage {
        Stage::Empty if model.search.ranking => format!("ranking{ellipsis}"),
        Stage::Empty => String::new(),
        _ if rows.dimmed && (model.search.ranking || model.search.due.is_some()) => format!("ranking{ellipsis}"),
        _ if rows.dimmed => "of an older task".into(),
        Stage::Lexical if model.search.ranking => format!("{} by words, ranking{ellipsis}", rows.symbols.len()),
        Stage::Lexical => format!("{} by words", rows.symbols.len()),
        Stage::Full if rows.symbols.is_empty() => String::new(),
        Stage::Full => format!("{} of {}", rows.packed, text::thousands(rows.symbols.len())),
    }
}

pub fn draw(canvas: &mut Canvas<'_>, areas: &Areas) {
    let model = canvas.model;
    canvas.frame(areas.pack, Focus::Pack, "2 pack", &state(model));
    let (heads, area) = areas.list();
    if area.is_empty() {
        return;
    }
    if model.pack.symbols.is_empty() {
        blank::draw(canvas, areas.inner(areas.pack));
        return;
    }
    let columns = Columns::new(model, area.width as usize);
    let names = columns.heads();
    let heads_line = Line::from(canvas.span(Slot::Dim, names));
    canvas.line(heads, &heads_line);
    for row in 0..area.height as usize {
        let place = Canvas::row(area, row);
        match model.pack.display(model.pack.offset + row) {
            Some(DisplayLine::Symbol(number)) => symbol(canvas, place, &columns, number),
            Some(DisplayLine::Cut) => cut(canvas, place),
            None => break,
        }
    }
    if model.pack.dimmed {
        canvas.buffer.set_style(area, canvas.style(Slot::Stale));
    }
}

/// Widths of the columns; zero leaves a column out.
struct Columns {
    rank: usize,
    score: usize,
    bar: usize,
    symbol: usize,
    place: usize,
    /// Parts of the path in the column of places.
    parts: usize,
    tokens: usize,
    /// The score that fills the bar.
    top: f64,
}

impl Columns {
    fn new(model: &Model, width: usize) -> Columns {
        let rows = &model.pack;
        let rank = rows.symbols.len().to_string().len().max(2);
        // Matches by words have no scores yet; their columns stay empty, so that nothing jumps when they come.
        let bar = match width {
            0..50 => 0,
            50..76 => 4,
            _ => 7,
        };
        let score = 5;
        let tokens = if width >= 40 { 6 } else { 0 };
        let gaps = 4 + usize::from(bar > 0);
        let left = width.saturating_sub(rank + score + bar + tokens + gaps);
        let parts = if width < 76 { 1 } else { 2 };
        let longest = rows.symbols.iter().take(LOOK_AHEAD).map(|packed| text::width(&place_of(packed, parts))).max();
        let place = if width < 40 { 0 } else { longest.unwrap_or(0).min(left * 2 / 5) };
        let top = rows.symbols.iter().map(|packed| packed.score).filter(|score| score.is_finite()).fold(0.0, f64::max);
        Columns { rank, score, bar, symbol: left.saturating_sub(place), place, parts, tokens, top }
    }

    fn heads(&self) -> String {
        let mut line = format!(" {} ", text::pad_start("#", self.rank));
        line.push_str(&text::pad("score", self.score + 1));
        if self.bar > 0 {
            line.push_str(&text::pad("", self.bar + 1));
        }
        line.push_str(&text::pad("symbol", self.symbol));
        line.push(' ');
        line.push_str(&text::pad(if self.place > 0 { "where" } else { "" }, self.place));
        line.push_str(&text::pad_start(if self.tokens > 0 { "tok" } else { "" }, self.tokens));
        line
    }
}

/// Rows that decide how wide the column of places is.
const LOOK_AHEAD: usize = 200;

/// The end of the path and the line. A wide list also says the folder: many files are called `mod.rs` or `index.ts`.
fn place_of(packed: &PackedSymbol, parts: usize) -> String {
    let file = packed.symbol.file.as_str();
    if file.is_empty() {
        return "outside".into();
    }
    let end = file.rmatch_indices('/').nth(parts - 1).map_or(file, |(place, _)| &file[place + 1..]);
    format!("{}:{}", safe(end), packed.symbol.span.name_line)
}

fn symbol(canvas: &mut Canvas<'_>, area: Rect, columns: &Columns, number: usize) {
    let model = canvas.model;
    let glyphs = &model.skin.glyphs;
    let Some(packed) = model.pack.symbols.get(number) else { return };
    let selected = number == model.pack.selected;
    let omitted = number >= model.pack.packed;
    let marker = if selected { glyphs.selection } else { " " };
    let mut spans = vec![
        canvas.span(Slot::Prompt, marker),
        canvas.span(Slot::Rank, format!("{} ", text::pad_start(&(number + 1).to_string(), columns.rank))),
    ];
    let scored = model.pack.stage == Stage::Full;
    let figure = if scored { score(packed.score) } else { glyphs.dot.into() };
    spans.push(canvas.span(Slot::Score, format!("{} ", text::pad_start(&figure, columns.score))));
    if columns.bar > 0 {
        let share = if scored && columns.top > 0.0 { packed.score / columns.top } else { 0.0 };
        spans.push(canvas.span(Slot::Bar, format!("{} ", text::bar(share, columns.bar, glyphs.bar))));
    }
    let name = safe(&packed.symbol.name).into_owned();
    let name = text::fit(&name, columns.symbol, glyphs.ellipsis).into_owned();
    let room = columns.symbol.saturating_sub(text::width(&name));
    let container = match packed.symbol.scope.as_str() {
        "" => String::new(),
        scope => format!(" {}{}", glyphs.container, safe(scope)),
    };
    let container = if room < 5 { "".into() } else { text::fit(&container, room, glyphs.ellipsis) };
    spans.push(canvas.span(if omitted { Slot::Text } else { Slot::Name }, name));
    spans.push(canvas.span(Slot::Container, text::pad(&container, room + 1)));
    let place = place_of(packed, columns.parts);
    let place = text::fit_end(&place, columns.place, glyphs.ellipsis);
    spans.push(canvas.span(Slot::Place, text::pad(&place, columns.place)));
    if columns.tokens > 0 {
        let tokens = if scored { text::thousands(packed.tokens) } else { String::new() };
        spans.push(canvas.span(Slot::Tokens, text::pad_start(&tokens, columns.tokens)));
    }
    canvas.line(area, &Line::from(spans));
    if selected {
        let focused = matches!(model.focus, Focus::Pack | Focus::Task);
        canvas.select(area, focused);
    }
}

/// A score with as many digits as its column has.
pub fn score(value: f64) -> String {
    if value.abs() < 10.0 { format!("{value:.3}") } else { format!("{value:.1}") }
}

fn cut(canvas: &mut Canvas<'_>, area: Rect) {
    let glyphs = &canvas.model.skin.glyphs;
    let (free, prices) = canvas.model.pack.prices();
    let mut words = format!(" cut {} {} tok free", glyphs.dot, text::thousands(free));
    for (rank, missing) in prices {
        words.push_str(&format!(" {} +{} admits #{rank}", glyphs.dot, text::thousands(missing)));
    }
    words.push(' ');
    let width = area.width as usize;
    let words = text::fit(&words, width.saturating_sub(2), glyphs.ellipsis).into_owned();
    let rest = width.saturating_sub(2 + text::width(&words));
    let line = format!("{}{words}{}", glyphs.cut.repeat(2), glyphs.cut.repeat(rest));
    let line = Line::from(canvas.span(Slot::Cut, line));
    canvas.line(area, &line);
}
