//! The map of what the pack costs: a bar for each file and folder.

use ratatui::layout::Rect;
use ratatui::text::Line;

use super::{Canvas, text};
use crate::text::display::safe;
use crate::tui::layout::Areas;
use crate::tui::model::Focus;
use crate::tui::model::cost::CostLine;
use crate::tui::model::pack::Stage;
use crate::tui::theme::Slot;

pub fn draw(canvas: &mut Canvas<'_>, areas: &Areas) {
    if areas.cost.is_empty() {
        return;
    }
    let list = &canvas.model.pack;
    let (packed, map) = (list.packed_symbols(), &canvas.model.cost);
    let lines = if list.stage == Stage::Full { map.lines(packed) } else { Vec::new() };
    let total: usize = packed.iter().map(|packed| packed.tokens).sum();
    let state = match map.filter.trim() {
        _ if list.stage != Stage::Full => String::new(),
        "" => text::count(total, "token"),
        filter => format!("{}, /{}", text::count(total, "token"), safe(filter)),
    };
    canvas.frame(areas.cost, Focus::Cost, "7 cost by file", &state);
    let area = areas.inner(areas.cost);
    if lines.is_empty() {
        let words = match map.filter.trim() {
            "" => " What the pack's files cost appears here.",
            _ => " No file of the pack has these letters in its path.",
        };
        let words = Line::from(canvas.span(Slot::Dim, words));
        canvas.line(area, &words);
        return;
    }
    let most = lines.iter().map(CostLine::tokens).max().unwrap_or(1).max(1);
    let selected = list.selected_symbol().filter(|_| list.selected < list.packed).map(|packed| &packed.symbol.file);
    let focused = canvas.model.focus == Focus::Cost;
    let offset = canvas.model.cost.offset.min(lines.len().saturating_sub(1));
    for (row, line) in lines.iter().enumerate().skip(offset).take(area.height as usize) {
        let place = Canvas::row(area, row - offset);
        let here = selected.is_some_and(|file| line.holds(file) && matches!(line, CostLine::File(_)));
        let drawn = bar(canvas, line, (most, total), here, area.width as usize);
        canvas.line(place, &drawn);
        if focused && row == canvas.model.cost.selected {
            canvas.select(Rect { height: 1, ..place }, true);
        }
    }
}

fn bar(canvas: &Canvas<'_>, line: &CostLine, (most, total): (usize, usize), here: bool, width: usize) -> Line<'static> {
    let glyphs = &canvas.model.appearance.glyphs;
    let name_columns = (width * 2 / 5).clamp(8, 34);
    let cells = width.saturating_sub(name_columns + 2 + 7 + 5);
    let (slot, name) = match line {
        CostLine::Folder { folder, files, .. } => {
            let name = if folder.is_empty() { "at the root".to_owned() } else { format!("{folder}/") };
            let hidden = canvas.model.cost.folded.contains(folder).then(|| format!(" +{files}"));
            (Slot::Heading, name + &hidden.unwrap_or_default())
        }
        CostLine::File(file) if file.file.is_empty() => (Slot::Text, "outside".to_owned()),
        CostLine::File(file) => {
            let name = file.file.rsplit('/').next().unwrap_or_default();
            (Slot::Text, format!("  {name}"))
        }
    };
    let name = text::fit_end(&safe(&name), name_columns, glyphs.ellipsis).into_owned();
    let share = line.tokens() as f64 / most as f64;
    let drawn = match line {
        CostLine::Folder { folder, .. } if !canvas.model.cost.folded.contains(folder) => String::new(),
        _ => text::bar(share, cells, glyphs.bar),
    };
    let percent = (line.tokens() * 100).checked_div(total).unwrap_or(0);
    Line::from(vec![
        canvas.span(Slot::Prompt, if here { glyphs.selection } else { " " }),
        canvas.span(slot, text::pad(&name, name_columns + 1)),
        canvas.span(Slot::Bar, text::pad(&drawn, cells)),
        canvas.span(Slot::Tokens, text::pad_start(&text::thousands(line.tokens()), 7)),
        canvas.span(Slot::Dim, text::pad_start(&format!("{percent}%"), 5)),
    ])
}
