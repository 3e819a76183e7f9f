//! Draws the neighborhood as a tree, the nearest first, or as a picture.

use ratatui::layout::Rect;
use ratatui::text::Line;

use super::state::TreeRow;
use super::{ID, picture};
use crate::engine::NeighborNode;
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

/// Returns what the numbers are, where they are shown: mass in the task's walk, or the probability that a walk from the
/// root ends at the symbol; and the depth, if it is not the first.
pub fn status(model: &Model) -> String {
    let graph = &model.panes.graph;
    let mut parts = Vec::new();
    if graph.has_numbers && !graph.canvas && !graph.shown.nodes.is_empty() {
        parts.push(if graph.shown.of_task { "share of the walk" } else { "probability" }.to_owned());
    }
    if graph.deeper > 0 {
        parts.push(text::count(1 + graph.deeper as usize, "hop"));
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
        let words = Line::from(canvas.span(Slot::Dim, " What is around the symbol is shown here."));
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
    let offset = graph.offset.min(rows.len().saturating_sub(1));
    let visible = || rows.iter().enumerate().skip(offset).take(area.height as usize);
    let widest = visible().map(|(_, row)| text::width(&relation(&graph.shown.nodes[row.node]))).max().unwrap_or(0);
    let kind_columns = if area.width as usize >= MIN_WIDTH_WITH_KIND { widest } else { 0 };
    for (number, row) in visible() {
        let line_area = Canvas::row(area, number - offset);
        let drawn = branch(canvas, row, kind_columns, area.width as usize);
        canvas.line(line_area, &drawn);
        if number == graph.selected {
            canvas.select(line_area, focused);
        }
    }
}

/// Returns what a node's parent has to do with it: `calls`, `called by`, and with a question mark where it is inferred.
pub fn relation(node: &NeighborNode) -> String {
    node.parent.map_or_else(String::new, |edge| {
        let (of_source, of_target) = edge.edge_type.phrases();
        let phrase = if edge.outgoing { of_source } else { of_target };
        format!("{phrase}{}", if edge.is_inferred { "?" } else { "" })
    })
}

/// Returns the lines left of a row: a guide for every level that continues below it.
fn guides(canvas: &Canvas<'_>, guides: &[bool]) -> String {
    let glyphs = &canvas.model.appearance.glyphs;
    let Some((last, above)) = guides.split_last() else { return String::new() };
    let mut text: String = above.iter().map(|continues| if *continues { glyphs.tree_guide } else { "  " }).collect();
    text.push_str(if *last { glyphs.tree_branch } else { glyphs.tree_last });
    text
}

/// Columns from which the relations are shown.
const MIN_WIDTH_WITH_KIND: usize = 36;
/// Columns of a number.
const FIGURE: usize = 7;

/// Returns the row of a node: relation, name with container, rank in the list, hidden neighbors.
fn branch(canvas: &Canvas<'_>, row: &TreeRow, kind_columns: usize, width: usize) -> Line<'static> {
    let glyphs = &canvas.model.appearance.glyphs;
    let graph = &canvas.model.panes.graph;
    let node = &graph.shown.nodes[row.node];
    let guides = guides(canvas, &row.guides);
    if let Some(more) = row.more {
        let words = format!("{} {} more", glyphs.ellipsis, text::thousands(more));
        return Line::from(vec![canvas.span(Slot::Dim, format!(" {guides}")), canvas.span(Slot::Dim, words)]);
    }
    let arrow = match node.parent {
        Some(branch) if branch.outgoing => glyphs.arrow_out,
        Some(_) => glyphs.arrow_in,
        None => glyphs.root,
    };
    let lead = format!(" {guides}{arrow} ");
    let kind = match (node.parent, kind_columns) {
        (None, _) | (_, 0) => String::new(),
        (Some(_), columns) => text::pad(&relation(node), columns + 1),
    };
    let figure = match graph.has_numbers {
        true => text::pad_start(&format!("{:.3}", node.mass), FIGURE),
        false => String::new(),
    };
    let room = width.saturating_sub(text::width(&lead) + text::width(&kind) + text::width(&figure));
    let line = match graph.has_twin(row.node) && node.symbol.span.name_line > 0 {
        true => format!(" :{}", node.symbol.span.name_line),
        false => String::new(),
    };
    let rank = canvas.model.panes.pack.rank_of(node.symbol.id).map_or(String::new(), |rank| format!(" #{rank}"));
    let closed = match (row.folded, node.hidden) {
        (true, _) => format!(" {}", glyphs.ellipsis),
        (false, hidden) if hidden > 0 && !graph.has_children(row.node) => format!(" +{}", text::thousands(hidden)),
        _ => String::new(),
    };
    let tail = format!("{line}{rank}{closed}");
    // Names come before numbers.
    let is_cut = text::width(&node.symbol.name) + text::width(&tail) > room;
    let tail = if is_cut && !row.folded { format!("{line}{rank}") } else { tail };
    let room_for_name = room.saturating_sub(text::width(&tail));
    // Symbols of the same name are told apart by their containers, which then have room of their own.
    let reserved = match graph.has_namesake(row.node) {
        true => (text::width(&node.symbol.scope) + 2).min(room_for_name / 2),
        false => 0,
    };
    let name = text::fit(&safe(&node.symbol.name), room_for_name - reserved, glyphs.ellipsis).into_owned();
    let left = room.saturating_sub(text::width(&name) + text::width(&tail));
    let container = match (node.symbol.scope.as_str(), left) {
        ("", _) | (_, 0..6) => String::new(),
        (scope, _) => text::fit(&format!(" {}{}", glyphs.container, safe(scope)), left, glyphs.ellipsis).into_owned(),
    };
    let padding = if figure.is_empty() { 0 } else { left.saturating_sub(text::width(&container)) };
    Line::from(vec![
        canvas.span(Slot::Dim, lead),
        canvas.span(Slot::Dim, kind),
        canvas.span(Slot::Name, name),
        canvas.span(Slot::Container, container),
        canvas.span(Slot::Rank, format!("{tail}{}", " ".repeat(padding))),
        canvas.span(Slot::Score, figure),
    ])
}
