//! The ranked list.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::super::layout::Areas;
use super::super::model::pack::{Delta, DisplayLine, Stage};
use super::super::model::{Focus, Model};
use super::super::theme::Slot;
use super::{Canvas, blank, text};
use crate::model::PackedSymbol;
use crate::text::display::safe;

/// One word or figure on what the list shows.
pub fn state(model: &Model) -> String {
    let rows = &model.pack;
    let ellipsis = model.skin.glyphs.ellipsis;
    let mut words = rows.arrangement.words();
    words.insert(
        0,
        match rows.stage {
            Stage::Empty if model.search.ranking => format!("ranking{ellipsis}"),
            Stage::Empty => return String::new(),
            _ if rows.dimmed && (model.search.ranking || model.search.due.is_some()) => format!("ranking{ellipsis}"),
            _ if rows.dimmed => "of an older task".into(),
            Stage::Lexical if model.search.ranking => format!("{} by words, ranking{ellipsis}", rows.symbols.len()),
            Stage::Lexical => format!("{} by words", rows.symbols.len()),
            Stage::Full if rows.symbols.is_empty() => return String::new(),
            Stage::Full => format!("{} of {}", rows.packed, text::thousands(rows.symbols.len())),
        },
    );
    // The filter is among them, as it was pasted.
    safe(&words.join(&format!(" {} ", model.skin.glyphs.dot))).into_owned()
}

pub fn draw(canvas: &mut Canvas<'_>, areas: &Areas) {
    let model = canvas.model;
    canvas.frame(areas.pack, Focus::Pack, Focus::Pack.label(), &state(model));
    let (heads, area) = areas.list();
    if area.is_empty() {
        return;
    }
    if model.pack.symbols.is_empty() {
        blank::draw(canvas, areas.inner(areas.pack));
        return;
    }
    let columns = Columns::new(model, area.width as usize);
    let names = columns.heads(model.skin.glyphs.delta);
    let heads_line = Line::from(canvas.span(Slot::Dim, names));
    canvas.line(heads, &heads_line);
    if model.pack.shown.is_empty() {
        let words = format!(" Nothing of {} is listed like this; f c lists everything.", model.pack.symbols.len());
        let line = Line::from(canvas.span(Slot::Dim, words));
        canvas.line(Canvas::row(area, 0), &line);
    }
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
    delta: usize,
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
        let delta = if width >= 46 { 4 } else { 0 };
        let score = 5;
        let tokens = if width >= 40 { 6 } else { 0 };
        let gaps = 6 + usize::from(bar > 0);
        let left = width.saturating_sub(rank + delta + score + bar + tokens + gaps);
        let parts = if width < 76 { 1 } else { 2 };
        let longest = rows.symbols.iter().take(LOOK_AHEAD).map(|packed| text::width(&place_of(packed, parts))).max();
        let place = if width < 40 { 0 } else { longest.unwrap_or(0).min(left * 9 / 20) };
        let top = rows.symbols.iter().map(|packed| packed.score).filter(|score| score.is_finite()).fold(0.0, f64::max);
        Columns { rank, delta, score, bar, symbol: left.saturating_sub(place), place, parts, tokens, top }
    }

    fn heads(&self, delta: &str) -> String {
        let mut line = format!(" f {} ", text::pad_start("#", self.rank));
        line.push_str(&text::pad(if self.delta > 0 { delta } else { "" }, self.delta));
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
    // What is not in the pack stands back.
    let lit = |slot: Slot| if model.pack.is_packed(number) { slot } else { Slot::Dim };
    let mut spans = lead(canvas, columns, number, selected);
    let scored = model.pack.stage == Stage::Full;
    let figure = if scored { score(packed.score) } else { glyphs.dot.into() };
    spans.push(canvas.span(lit(Slot::Score), format!("{} ", text::pad_start(&figure, columns.score))));
    if columns.bar > 0 {
        let share = if scored && columns.top > 0.0 { packed.score / columns.top } else { 0.0 };
        spans.push(canvas.span(lit(Slot::Bar), format!("{} ", text::bar(share, columns.bar, glyphs.bar))));
    }
    let name = safe(&packed.symbol.name).into_owned();
    let name = text::fit(&name, columns.symbol, glyphs.ellipsis).into_owned();
    let room = columns.symbol.saturating_sub(text::width(&name));
    let container = match packed.symbol.scope.as_str() {
        "" => String::new(),
        scope => format!(" {}{}", glyphs.container, safe(scope)),
    };
    let container = if room < 5 { "".into() } else { text::fit(&container, room, glyphs.ellipsis) };
    spans.push(canvas.span(lit(Slot::Name), name));
    spans.push(canvas.span(lit(Slot::Container), text::pad(&container, room + 1)));
    let place = place_of(packed, columns.parts);
    let place = text::fit_end(&place, columns.place, glyphs.ellipsis);
    spans.push(canvas.span(lit(Slot::Place), text::pad(&place, columns.place)));
    if columns.tokens > 0 {
        let tokens = if scored { text::thousands(packed.tokens) } else { String::new() };
        spans.push(canvas.span(lit(Slot::Tokens), text::pad_start(&tokens, columns.tokens)));
    }
    canvas.line(area, &Line::from(spans));
    if selected {
        let focused = matches!(model.focus, Focus::Pack | Focus::Task);
        canvas.select(area, focused);
    }
}

/// Marker, judgement, rank and change of rank.
fn lead<'text>(canvas: &Canvas<'_>, columns: &Columns, number: usize, selected: bool) -> Vec<Span<'text>> {
    let model = canvas.model;
    let glyphs = &model.skin.glyphs;
    let packed = &model.pack.symbols[number];
    let marker = if selected { glyphs.selection } else { " " };
    let mark = model.judgements.mark(packed.symbol.id, &model.task, glyphs.dot);
    let mark_slot = match mark {
        "+" | "*" => Slot::Positive,
        "-" | "x" => Slot::Negative,
        _ => Slot::Dim,
    };
    let rank = text::pad_start(&model.pack.ranks[number].to_string(), columns.rank);
    let mut spans = vec![
        canvas.span(Slot::Prompt, marker),
        canvas.span(mark_slot, format!("{mark} ")),
        canvas.span(if model.pack.is_packed(number) { Slot::Rank } else { Slot::Dim }, format!("{rank} ")),
    ];
    if columns.delta > 0 {
        let (slot, words) = match model.pack.deltas[number] {
            Delta::Same => (Slot::Dim, String::new()),
            Delta::Up(by) => (Slot::Positive, format!("{}{}", glyphs.up, by.min(LONGEST_MOVE))),
            Delta::Down(by) => (Slot::Negative, format!("{}{}", glyphs.down, by.min(LONGEST_MOVE))),
            Delta::New => (Slot::Info, "NEW".to_owned()),
        };
        spans.push(canvas.span(slot, text::pad(&words, columns.delta)));
    }
    spans
}

/// Places beyond this have no room in their column.
const LONGEST_MOVE: usize = 99;

/// A score with as many digits as its column has.
pub fn score(value: f64) -> String {
    if value.abs() < 10.0 { format!("{value:.3}") } else { format!("{value:.1}") }
}

fn cut(canvas: &mut Canvas<'_>, area: Rect) {
    let model = canvas.model;
    let glyphs = &model.skin.glyphs;
    let mut words = format!(" cut {} {} tok free", glyphs.dot, text::thousands(model.pack.left_tokens));
    for (rank, missing) in model.pack.prices(&|id| model.task.options.dropped.contains(&id)) {
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
