//! The neighborhood as a tree by walk mass, or as a picture.

use ratatui::layout::Rect;
use ratatui::style::Color;
use ratatui::symbols::Marker;
use ratatui::text::Line;
use ratatui::widgets::Widget;
use ratatui::widgets::canvas::{Canvas as Picture, Line as Stroke};

use super::{Canvas, text};
use crate::text::display::safe;
use crate::tui::layout::Areas;
use crate::tui::model::Focus;
use crate::tui::model::graph::TreeRow;
use crate::tui::model::rings;
use crate::tui::theme::Slot;

pub fn draw(canvas: &mut Canvas<'_>, areas: &Areas) {
    if areas.graph.is_empty() {
        return;
    }
    let graph = &canvas.model.graph;
    let dot = canvas.model.appearance.glyphs.dot;
    let root = graph.shown.nodes.first();
    let title = match root {
        Some(root) => format!("5 graph {dot} {}", safe(&root.symbol.name)),
        None => "5 graph".into(),
    };
    let state = match root {
        Some(_) => format!(
            "{} {dot} {} of {}",
            text::count(graph.hops as usize, "hop"),
            if graph.shown.of_task { "mass" } else { "chance" },
            text::count(graph.shown.nodes.len(), "symbol"),
        ),
        None => String::new(),
    };
    canvas.frame(areas.graph, Focus::Graph, &title, &state);
    let area = areas.inner(areas.graph);
    if let Some(trouble) = &graph.trouble {
        let words = Line::from(canvas.span(Slot::Error, format!(" error: {}", safe(trouble))));
        canvas.line(area, &words);
    } else if root.is_none() {
        let words = Line::from(canvas.span(Slot::Dim, " What stands around the selected symbol appears here."));
        canvas.line(area, &words);
    } else if graph.canvas {
        picture(canvas, area);
    } else {
        tree(canvas, area);
    }
}

fn tree(canvas: &mut Canvas<'_>, area: Rect) {
    let graph = &canvas.model.graph;
    let rows = graph.rows();
    let focused = canvas.model.focus == Focus::Graph;
    // The root has most; what matters is how its neighbors differ.
    let most = graph.shown.nodes.iter().skip(1).map(|node| node.mass).fold(0.0, f64::max);
    let offset = graph.offset.min(rows.len().saturating_sub(1));
    for (number, row) in rows.iter().enumerate().skip(offset).take(area.height as usize) {
        let place = Canvas::row(area, number - offset);
        let drawn = branch(canvas, row, most, area.width as usize);
        canvas.line(place, &drawn);
        if number == graph.selected {
            canvas.select(place, focused);
        }
    }
}

/// The twigs before a row: a guide for every level whose line goes on.
fn twigs(canvas: &Canvas<'_>, guides: &[bool]) -> String {
    let glyphs = &canvas.model.appearance.glyphs;
    let Some((last, above)) = guides.split_last() else { return String::new() };
    let mut twigs: String = above.iter().map(|goes_on| if *goes_on { glyphs.tree_guide } else { "  " }).collect();
    twigs.push_str(if *last { glyphs.tree_branch } else { glyphs.tree_last });
    twigs
}

fn branch(canvas: &Canvas<'_>, row: &TreeRow, most: f64, width: usize) -> Line<'static> {
    let glyphs = &canvas.model.appearance.glyphs;
    let node = &canvas.model.graph.shown.nodes[row.node];
    let twigs = twigs(canvas, &row.guides);
    if let Some(more) = row.more {
        let words = format!("{} {} more", glyphs.ellipsis, text::thousands(more));
        return Line::from(vec![canvas.span(Slot::Dim, format!(" {twigs}")), canvas.span(Slot::Dim, words)]);
    }
    let (arrow, kind) = match node.parent {
        Some(branch) => {
            let arrow = if branch.outgoing { glyphs.arrow_out } else { glyphs.arrow_in };
            (arrow, branch.edge_type.name().replace('_', " "))
        }
        None => (glyphs.root, String::new()),
    };
    let rank = canvas.model.pack.place_of(node.symbol.id).map_or(String::new(), |row| format!(" #{}", row + 1));
    let closed = match (row.folded, node.hidden) {
        (true, _) => format!(" {}", glyphs.ellipsis),
        (false, 0) => String::new(),
        (false, hidden) if !canvas.model.graph.has_children(row.node) => format!(" +{hidden}"),
        _ => String::new(),
    };
    let figures = 7;
    let kind_columns = if width >= 44 { 14 } else { 0 };
    let cells = if width >= 60 { (width - 50).min(12) } else { 0 };
    let lead = format!(" {twigs}{arrow} ");
    let room = width.saturating_sub(text::width(&lead) + kind_columns + cells + figures + 2);
    let tail = format!("{rank}{closed}");
    let name =
        text::fit(&safe(&node.symbol.name), room.saturating_sub(text::width(&tail)), glyphs.ellipsis).into_owned();
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

fn picture(canvas: &mut Canvas<'_>, area: Rect) {
    let model = canvas.model;
    let (shown, places) = (&model.graph.shown, rings::places(&model.graph.shown));
    if area.width < 20 || area.height < 5 {
        let words = Line::from(canvas.span(Slot::Dim, " too small for a picture; t shows the tree"));
        canvas.line(area, &words);
        return;
    }
    let color = |slot: Slot| model.appearance.theme.style(slot).fg.unwrap_or(Color::Reset);
    let (dim, strong) = (color(Slot::Border), color(Slot::BorderFocused));
    let marker = if model.appearance.glyphs.bar.len() > 2 { Marker::Braille } else { Marker::Custom('.') };
    // Names need room beside the outermost ring.
    let bounds = 1.15;
    Picture::default()
        .marker(marker)
        .x_bounds([-bounds, bounds])
        .y_bounds([-bounds, bounds])
        .paint(|paint| {
            for (source, target) in &shown.links {
                let (Some(one), Some(two)) = (places.get(*source), places.get(*target)) else { continue };
                let chosen = model.graph.selected;
                let color = if *source == chosen || *target == chosen { strong } else { dim };
                paint.draw(&Stroke { x1: one.0, y1: one.1, x2: two.0, y2: two.1, color });
            }
        })
        .render(area, canvas.buffer);
    let cell = |(x, y): (f64, f64)| {
        let share = |value: f64| (value + bounds) / (2.0 * bounds);
        let column = (share(x) * f64::from(area.width - 1)).round() as u16;
        let row = (share(-y) * f64::from(area.height - 1)).round() as u16;
        (area.x + column.min(area.width - 1), area.y + row.min(area.height - 1))
    };
    let mut taken: Vec<Rect> = Vec::new();
    for (number, place) in places.iter().enumerate() {
        let (column, row) = cell(*place);
        let name = safe(&shown.nodes[number].symbol.name).into_owned();
        let label =
            text::fit(&format!("{} {name}", model.appearance.glyphs.root), 22, model.appearance.glyphs.ellipsis)
                .into_owned();
        let width = text::width(&label) as u16;
        // On the left half the name stands left of its dot would hide the strokes: it always begins at the dot, and
        // moves left only where it would leave the pane.
        let x = column.min((area.x + area.width).saturating_sub(width)).max(area.x);
        let wanted = Rect { x, y: row, width: width.min(area.width), height: 1 };
        let Some(free) = nearest_free(wanted, area, &taken) else { continue };
        taken.push(free);
        let slot = if number == 0 { Slot::Heading } else { Slot::Name };
        let line = Line::from(canvas.span(slot, label));
        canvas.line(free, &line);
        if number == model.graph.selected {
            canvas.select(free, model.focus == Focus::Graph);
        }
    }
}

/// The place on the wanted row, or on the nearest row where no other name stands.
fn nearest_free(wanted: Rect, area: Rect, taken: &[Rect]) -> Option<Rect> {
    let bottom = area.y + area.height;
    let rows = (0..area.height as i32).flat_map(|by| [by, -by]).map(|by| i32::from(wanted.y) + by);
    rows.filter_map(|row| u16::try_from(row).ok())
        .filter(|row| (area.y..bottom).contains(row))
        .map(|y| Rect { y, ..wanted })
        .find(|place| taken.iter().all(|other| !other.intersects(*place)))
}
