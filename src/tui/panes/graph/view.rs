//! Draws the neighborhood as a tree by walk mass, or as a picture.

use ratatui::layout::Rect;
use ratatui::text::Line;

use super::state::TreeRow;
use super::{ID, picture};
use crate::text::display::safe;
use crate::tui::model::{Focus, Model};
use crate::tui::theme::Slot;
use crate::tui::view::{Canvas, text};

/// Returns the pane's label and the name of the root.
pub fn title(model: &Model) -> String {
    match model.panes.graph.shown.nodes.first() {
        Some(root) => format!("{} {} {}", ID.label(), model.appearance.glyphs.dot, safe(&root.symbol.name)),
        None => ID.label(),
    }
}

/// Returns the depth, the number of symbols, and the quantity of the bars: mass in the task's walk, or the probability
/// that a walk from the root ends at the symbol.
pub fn status(model: &Model) -> String {
    let graph = &model.panes.graph;
    if graph.shown.nodes.is_empty() {
        return String::new();
    }
    let mut parts = vec![text::count(graph.hops as usize, "hop"), text::count(graph.shown.nodes.len(), "symbol")];
    // The picture has no numbers.
    if !graph.canvas {
        let numbers = if graph.shown.of_task { "numbers: share of the walk" } else { "numbers: probability" };
        parts.push(numbers.to_owned());
    }
    parts.join(&format!(" {} ", model.appearance.glyphs.dot))
}

/// Draws tree or picture, or why there is none.
pub fn draw(canvas: &mut Canvas<'_>, area: Rect) {
    let graph = &canvas.model.panes.graph;
    if let Some(error) = &graph.error {
        let words = Line::from(canvas.span(Slot::Error, format!(" error: {}", safe(error))));
        canvas.line(area, &words);
    } else if graph.shown.nodes.is_empty() {
        let words = Line::from(canvas.span(Slot::Dim, " The symbol's neighborhood appears here."));
        canvas.line(area, &words);
    } else if graph.canvas {
        picture::draw(canvas, area);
    } else {
        tree(canvas, area);
    }
}

fn tree(canvas: &mut Canvas<'_>, area: Rect) {
    let graph = &canvas.model.panes.graph;
    let rows = graph.rows();
    let focused = canvas.model.focus == Focus::Pane(ID);
    // The root has the largest mass; bars compare its neighbors.
    let most = graph.shown.nodes.iter().skip(1).map(|node| node.mass).fold(0.0, f64::max);
    let offset = graph.offset.min(rows.len().saturating_sub(1));
    let branches = rows.iter().filter_map(|row| graph.shown.nodes[row.node].parent);
    let kinds = branches.map(|branch| branch.edge_type.name().len() + 1);
    let kind_columns = if area.width as usize >= MIN_WIDTH_WITH_KIND { kinds.max().unwrap_or(0) } else { 0 };
    for (number, row) in rows.iter().enumerate().skip(offset).take(area.height as usize) {
        let line_area = Canvas::row(area, number - offset);
        let drawn = branch(canvas, row, most, kind_columns, area.width as usize);
        canvas.line(line_area, &drawn);
        if number == graph.selected {
            canvas.select(line_area, focused);
        }
    }
}

/// Returns the lines left of a row: a guide for every level that continues below it.
fn guides(canvas: &Canvas<'_>, guides: &[bool]) -> String {
    let glyphs = &canvas.model.appearance.glyphs;
    let Some((last, above)) = guides.split_last() else { return String::new() };
    let mut text: String = above.iter().map(|continues| if *continues { glyphs.tree_guide } else { "  " }).collect();
    text.push_str(if *last { glyphs.tree_branch } else { glyphs.tree_last });
    text
}

/// Columns from which the number of hidden neighbors has its noun.
const MIN_WIDTH_WITH_WORDS: usize = 60;

/// Columns from which the type of an edge is shown.
const MIN_WIDTH_WITH_KIND: usize = 44;

fn branch(canvas: &Canvas<'_>, row: &TreeRow, most: f64, kind_columns: usize, width: usize) -> Line<'static> {
    let glyphs = &canvas.model.appearance.glyphs;
    let node = &canvas.model.panes.graph.shown.nodes[row.node];
    let guides = guides(canvas, &row.guides);
    if let Some(more) = row.more {
        let words = format!("{} {} more", glyphs.ellipsis, text::thousands(more));
        return Line::from(vec![canvas.span(Slot::Dim, format!(" {guides}")), canvas.span(Slot::Dim, words)]);
    }
    let (arrow, kind) = match node.parent {
        Some(branch) => {
            let arrow = if branch.outgoing { glyphs.arrow_out } else { glyphs.arrow_in };
            (arrow, branch.edge_type.name().replace('_', " "))
        }
        None => (glyphs.root, String::new()),
    };
    let rank = canvas.model.panes.pack.rank_of(node.symbol.id).map_or(String::new(), |rank| format!(" #{rank}"));
    let closed = match (row.folded, node.hidden) {
        (true, _) => format!(" {}", glyphs.ellipsis),
        (false, 0) => String::new(),
        (false, hidden) if !canvas.model.panes.graph.has_children(row.node) && width >= MIN_WIDTH_WITH_WORDS => {
            format!(" +{} hidden", text::thousands(hidden))
        }
        (false, hidden) if !canvas.model.panes.graph.has_children(row.node) => format!(" +{}", text::thousands(hidden)),
        _ => String::new(),
    };
    let figures = 7;
    let cells = if width >= 60 { (width - 51).min(12) } else { 0 };
    let lead = format!(" {guides}{arrow} ");
    let room = width.saturating_sub(text::width(&lead) + kind_columns + cells + figures + 2);
    let line = match canvas.model.panes.graph.has_twin(row.node) && node.symbol.span.name_line > 0 {
        true => format!(" :{}", node.symbol.span.name_line),
        false => String::new(),
    };
    let tail = format!("{line}{rank}{closed}");
    // Names come before numbers.
    let is_cut = text::width(&node.symbol.name) + text::width(&tail) > room;
    let tail = if is_cut && !row.folded { format!("{line}{rank}") } else { tail };
    let room_for_name = room.saturating_sub(text::width(&tail));
    // Symbols of the same name are told apart by their containers, which then have room of their own.
    let reserved = match canvas.model.panes.graph.has_namesake(row.node) {
        true => (text::width(&node.symbol.scope) + 2).min(room_for_name / 2),
        false => 0,
    };
    let name = text::fit(&safe(&node.symbol.name), room_for_name - reserved, glyphs.ellipsis).into_owned();
    let left = room.saturating_sub(text::width(&name) + text::width(&tail));
    let container = match (node.symbol.scope.as_str(), left) {
        ("", _) | (_, 0..6) => String::new(),
        (scope, _) => text::fit(&format!(" {}{}", glyphs.container, safe(scope)), left, glyphs.ellipsis).into_owned(),
    };
    let padding = " ".repeat(1 + left.saturating_sub(text::width(&container)));
    let kind = text::pad(&text::fit(&kind, kind_columns.saturating_sub(1), glyphs.ellipsis), kind_columns);
    let share = if node.parent.is_some() && most > 0.0 { node.mass / most } else { 0.0 };
    Line::from(vec![
        canvas.span(Slot::Dim, lead),
        canvas.span(Slot::Name, name),
        canvas.span(Slot::Container, container),
        canvas.span(Slot::Rank, tail),
        canvas.span(Slot::Dim, format!("{padding}{kind}")),
        canvas.span(Slot::Score, text::pad_start(&format!("{:.3}", node.mass), figures - 1)),
        canvas.span(
            Slot::Bar,
            if cells > 0 { format!(" {}", text::bar(share, cells, glyphs.bar)) } else { String::new() },
        ),
    ])
}
