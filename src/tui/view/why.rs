//! Why the selected symbol stands where it does: the parts of its score, which sum to it.

use ratatui::layout::Rect;
use ratatui::text::Line;

use super::super::layout::Areas;
use super::super::model::Focus;
use super::super::model::pack::Stage;
use super::super::theme::Slot;
use super::{Canvas, pack, text};
use crate::model::PackedSymbol;
use crate::text::display::safe;

/// A difference between score and parts that is only rounding.
const ROUNDING: f64 = 5e-4;

pub fn draw(canvas: &mut Canvas<'_>, areas: &Areas) {
    let model = canvas.model;
    let selected = model.pack.selected_symbol();
    let number = model.pack.selected + 1;
    summary(canvas, areas.summary, selected, number);
    let title = match selected {
        Some(packed) => format!("4 why #{number} {}", safe(&packed.symbol.name)),
        None => "4 why".into(),
    };
    let state = match selected {
        Some(packed) if model.pack.stage == Stage::Full => pack::score(packed.score),
        _ => String::new(),
    };
    canvas.frame(areas.why, Focus::Why, &title, &state);
    let area = areas.inner(areas.why);
    if area.is_empty() {
        return;
    }
    let lines = match selected {
        Some(packed) if model.pack.stage == Stage::Full => reasons(canvas, packed, area.width as usize),
        Some(_) => vec![Line::from(canvas.span(Slot::Dim, " These are matches by words; reasons come with the rank."))],
        None => vec![Line::from(canvas.span(Slot::Dim, " The parts of the selected symbol's score appear here."))],
    };
    for (row, line) in lines.iter().skip(model.why.scroll).take(area.height as usize).enumerate() {
        canvas.line(Canvas::row(area, row), line);
    }
    if model.pack.dimmed {
        canvas.buffer.set_style(area, canvas.style(Slot::Stale));
    }
}

fn reasons<'text>(canvas: &Canvas<'_>, packed: &PackedSymbol, width: usize) -> Vec<Line<'text>> {
    let glyphs = &canvas.model.skin.glyphs;
    let (parts, idle): (Vec<_>, Vec<_>) = packed.components.iter().partition(|part| part.contribution.abs() > ROUNDING);
    let parts = parts.into_iter().map(|part| (part.name, part.contribution));
    let sum: f64 = packed.components.iter().map(|part| part.contribution).sum();
    let residual = packed.score - sum;
    let residual = Some(("residual", residual)).filter(|(_, value)| value.abs() > ROUNDING);
    let cells = width.saturating_sub(NAME_COLUMNS + FIGURE_COLUMNS + 2);
    let scale = scale(packed);
    let mut lines = Vec::new();
    let mut reached = 0.0;
    for (name, value) in parts.chain(residual) {
        let from = f64::min(reached, reached + value);
        reached += value;
        lines.push(part_line(canvas, name, value, from / scale, value.abs() / scale, cells));
    }
    let total = Line::from(vec![
        canvas.span(Slot::Heading, format!(" {}", text::pad("= score", NAME_COLUMNS))),
        canvas.span(
            Slot::Dim,
            text::pad(&glyphs.rule.repeat(cells.min((packed.score / scale * cells as f64) as usize)), cells),
        ),
        canvas.span(Slot::Heading, text::pad_start(&pack::score(packed.score), FIGURE_COLUMNS)),
    ]);
    lines.push(total);
    if !idle.is_empty() {
        let names: Vec<String> = idle.iter().map(|part| part.name.replace('_', " ")).collect();
        let words = format!(" nothing from {}", names.join(", "));
        lines.push(Line::from(canvas.span(Slot::Dim, text::fit(&words, width, glyphs.ellipsis).into_owned())));
    }
    lines.push(Line::default());
    lines.extend(facts(canvas, packed, width));
    lines
}

const NAME_COLUMNS: usize = 14;
const FIGURE_COLUMNS: usize = 8;

/// The largest sum the parts reach on their way, so that no bar leaves its column.
fn scale(packed: &PackedSymbol) -> f64 {
    let mut reached = 0.0_f64;
    let mut highest = packed.score;
    for part in &packed.components {
        reached += part.contribution;
        highest = highest.max(reached);
    }
    if highest.is_finite() && highest > 0.0 { highest } else { 1.0 }
}

fn part_line<'text>(canvas: &Canvas<'_>, name: &str, value: f64, from: f64, share: f64, cells: usize) -> Line<'text> {
    let glyphs = &canvas.model.skin.glyphs;
    let start = ((from.clamp(0.0, 1.0) * cells as f64).round() as usize).min(cells);
    let bar = text::bar(share, cells, glyphs.bar);
    let bar = format!("{}{}", " ".repeat(start), bar.trim_end());
    let slot = if value < 0.0 { Slot::Negative } else { Slot::Positive };
    let name = text::fit(name, NAME_COLUMNS - 1, glyphs.ellipsis).into_owned();
    let sign = if value < 0.0 { "-" } else { "+" };
    Line::from(vec![
        canvas.span(Slot::Text, format!(" {}", text::pad(&name.replace('_', " "), NAME_COLUMNS))),
        canvas.span(slot, text::pad(&text::fit(&bar, cells, ""), cells)),
        canvas.span(slot, text::pad_start(&format!("{sign}{}", pack::score(value.abs())), FIGURE_COLUMNS)),
    ])
}

fn facts<'text>(canvas: &Canvas<'_>, packed: &PackedSymbol, width: usize) -> Vec<Line<'text>> {
    let symbol = &packed.symbol;
    let distance = match packed.distance {
        0 => "a seed of the walk".to_string(),
        hops => format!("{} from the nearest seed", text::count(hops as usize, "hop")),
    };
    let mut lines = vec![
        format!(
            "{} {} found by {}",
            symbol.kind.name().replace('_', " "),
            canvas.model.skin.glyphs.dot,
            packed.provenance
        ),
        distance,
        format!("costs {}", text::count(packed.tokens, "token")),
    ];
    if !symbol.signature.is_empty() {
        let first = symbol.signature.lines().next().unwrap_or_default();
        lines.push(safe(first.trim()).into_owned());
    }
    let ellipsis = canvas.model.skin.glyphs.ellipsis;
    let fitted = lines.into_iter().map(|line| text::fit(&line, width.saturating_sub(2), ellipsis).into_owned());
    fitted.map(|line| Line::from(canvas.span(Slot::Dim, format!(" {line}")))).collect()
}

/// The parts in one line, largest first, for screens without a pane for them.
fn summary(canvas: &mut Canvas<'_>, area: Rect, selected: Option<&PackedSymbol>, number: usize) {
    let model = canvas.model;
    let Some(packed) = selected.filter(|_| model.pack.stage == Stage::Full && !area.is_empty()) else { return };
    let mut parts: Vec<_> = packed.components.iter().filter(|part| part.contribution.abs() > ROUNDING).collect();
    parts.sort_by(|one, other| other.contribution.abs().total_cmp(&one.contribution.abs()));
    let dot = format!(" {} ", model.skin.glyphs.dot);
    let words: Vec<String> =
        parts.iter().map(|part| format!("{} {:+.3}", part.name.replace('_', " "), part.contribution)).collect();
    let line = Line::from(vec![
        canvas.span(Slot::Heading, format!(" why #{number}: ")),
        canvas.span(Slot::Dim, words.join(&dot)),
    ]);
    canvas.line(area, &line);
}
