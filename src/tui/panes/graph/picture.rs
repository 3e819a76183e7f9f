//! Draws the neighborhood as a picture: labels with their dots, and lines between the dots.

use std::f64::consts::TAU;

use ratatui::layout::Rect;
use ratatui::style::{Color, Style};
use ratatui::symbols::Marker;
use ratatui::text::Line;
use ratatui::widgets::Widget;
use ratatui::widgets::canvas::Canvas as Picture;
use ratatui::widgets::canvas::Line as Stroke;

use super::view::relation;
use super::{GraphTree, ID};
use crate::engine::{NeighborNode, Neighborhood};
use crate::text::display::safe;
use crate::tui::glyphs::Glyphs;
use crate::tui::model::Focus;
use crate::tui::theme::Slot;
use crate::tui::view::{Canvas, text};

/// The smallest picture.
const MIN_COLUMNS: u16 = 20;
const MIN_ROWS: u16 = 5;
/// A picture from which labels have the relations to their parents.
const MIN_COLUMNS_WITH_RELATIONS: u16 = 60;
/// Rows between a label and the position of its node; farther away it would be read as another node's.
const MAX_SHIFT: i32 = 2;

/// Draws the picture, or that there is no room for it.
pub fn draw(canvas: &mut Canvas<'_>, area: Rect) {
    let model = canvas.model;
    let graph = &model.panes.graph;
    if area.width < MIN_COLUMNS || area.height < MIN_ROWS {
        let words = Line::from(canvas.span(Slot::Dim, " too small for the picture; t shows the tree"));
        canvas.line(area, &words);
        return;
    }
    // The last row is for words about the picture.
    let last = Canvas::row(area, area.height as usize - 1);
    let area = Rect { height: area.height - 1, ..area };
    let labels = labels(graph, &model.appearance.glyphs, area);
    lines(canvas, area, &labels);
    for label in &labels {
        // A label has its own colors, and a blank on each side: the lines below it end there.
        let left = u16::from(label.area.x > area.x);
        let right = u16::from(label.area.right() < area.right());
        let cleared = Rect { x: label.area.x - left, width: label.area.width + left + right, ..label.area };
        canvas.buffer.set_style(cleared, Style::reset());
        canvas.buffer.set_style(cleared, canvas.style(Slot::Text));
        canvas.line(cleared, &Line::from(" ".repeat(cleared.width.into())));
        let slot = if label.node == 0 { Slot::Heading } else { Slot::Name };
        canvas.line(label.area, &Line::from(canvas.span(slot, label.text.clone())));
        if label.node == graph.selected {
            canvas.select(label.area, model.focus == Focus::Pane(ID));
        }
    }
    let hidden = graph.shown.nodes.len().saturating_sub(labels.len());
    let mut words = edge_of(graph).unwrap_or_default();
    let mut more = if hidden > 0 { format!(" {hidden} more in the tree ") } else { String::new() };
    if text::width(&words) + text::width(&more) > last.width.into() && !words.is_empty() {
        more.clear();
    }
    words = text::fit(&words, last.width.into(), model.appearance.glyphs.ellipsis).into_owned();
    canvas.line(last, &Line::from(canvas.span(Slot::Dim, words)));
    canvas.line_right(last, &Line::from(canvas.span(Slot::Dim, more)));
}

/// Returns the edge between the selected symbol and its parent in words.
fn edge_of(graph: &GraphTree) -> Option<String> {
    let node = graph.shown.nodes.get(graph.selected)?;
    let edge = node.parent?;
    let parent = graph.shown.nodes.get(edge.index)?;
    let (source, target) = if edge.outgoing { (parent, node) } else { (node, parent) };
    let (phrase, _) = edge.edge_type.phrases();
    Some(format!(" {} {phrase} {}", safe(&source.symbol.name), safe(&target.symbol.name)))
}

/// The label of a node; its first cell is the node's dot, or the direction of the edge from its parent.
struct Label {
    /// Index among the shown nodes.
    node: usize,
    text: String,
    area: Rect,
}

/// Places the labels: the root, the selected node, then the others by mass as long as they are near their positions and
/// overlap no other.
fn labels(graph: &GraphTree, glyphs: &Glyphs, area: Rect) -> Vec<Label> {
    let positions = radial_layout(&graph.shown);
    let selected = Some(graph.selected).filter(|node| (1..positions.len()).contains(node));
    let others = (1..positions.len()).filter(|node| Some(*node) != selected);
    let mut labels: Vec<Label> = Vec::new();
    for node in positions.first().map(|_| 0).into_iter().chain(selected).chain(others) {
        let symbol = &graph.shown.nodes[node].symbol;
        let container = match symbol.scope.as_str() {
            "" => String::new(),
            _ if !graph.has_namesake(node) => String::new(),
            scope => format!(" {}{}", glyphs.container, safe(scope)),
        };
        // Whether the symbol is used by its parent, or uses it.
        let mark = match graph.shown.nodes[node].parent {
            Some(branch) if branch.outgoing => glyphs.arrow_out,
            Some(_) => glyphs.arrow_in,
            None => glyphs.root,
        };
        let relation = relation(&graph.shown.nodes[node]);
        let relation = match relation.is_empty() || area.width < MIN_COLUMNS_WITH_RELATIONS {
            true => String::new(),
            false => format!("{relation} "),
        };
        let text = format!("{mark} {relation}{}{container}", safe(&symbol.name));
        let text = text::fit(&text, area.width.into(), glyphs.ellipsis).into_owned();
        let width = text::width(&text) as u16;
        let (column, row) = cell(positions[node], area);
        // Labels start at their dot, and shift left only to fit.
        let wanted = Rect { x: column.min(area.right() - width), y: row, width, height: 1 };
        if let Some(free) = nearest_free(wanted, area, &labels) {
            labels.push(Label { node, text, area: free });
        }
    }
    labels
}

/// The half of the picture's height and width, in units of the outermost ring.
const BOUNDS: f64 = 1.05;

/// Returns the cell of a position.
fn cell((x, y): (f64, f64), area: Rect) -> (u16, u16) {
    let share = |value: f64| (value + BOUNDS) / (2.0 * BOUNDS);
    let column = (share(x) * f64::from(area.width - 1)).round() as u16;
    let row = (share(-y) * f64::from(area.height - 1)).round() as u16;
    (area.x + column.min(area.width - 1), area.y + row.min(area.height - 1))
}

/// Draws the edges of the tree, and all edges of the selected node, between the dots of the labels.
fn lines(canvas: &mut Canvas<'_>, area: Rect, labels: &[Label]) {
    let model = canvas.model;
    let graph = &model.panes.graph;
    let color = |slot: Slot| model.appearance.theme.style(slot).fg.unwrap_or(Color::Reset);
    let (dim, strong) = (color(Slot::Border), color(Slot::BorderFocused));
    let marker = if model.appearance.glyphs.bar.len() > 2 { Marker::Braille } else { Marker::Custom('.') };
    let dot = |node: usize| {
        let label = labels.iter().find(|label| label.node == node)?;
        Some((f64::from(label.area.x - area.x) + 0.5, f64::from(area.bottom() - label.area.y) - 0.5))
    };
    let is_branch = |one: usize, two: usize| {
        let parent = |node: usize| graph.shown.nodes.get(node)?.parent.map(|parent| parent.index);
        parent(one) == Some(two) || parent(two) == Some(one)
    };
    Picture::default()
        .background_color(model.appearance.theme.style(Slot::Text).bg.unwrap_or(Color::Reset))
        .marker(marker)
        .x_bounds([0.0, area.width.into()])
        .y_bounds([0.0, area.height.into()])
        .paint(|paint| {
            for (source, target) in &graph.shown.links {
                let (Some(one), Some(two)) = (dot(*source), dot(*target)) else { continue };
                let is_chosen = *source == graph.selected || *target == graph.selected;
                if is_chosen || is_branch(*source, *target) {
                    let color = if is_chosen { strong } else { dim };
                    paint.draw(&Stroke { x1: one.0, y1: one.1, x2: two.0, y2: two.1, color });
                }
            }
        })
        .render(area, canvas.buffer);
}

/// Returns the wanted area, or the one on a near row, with a blank to every other label.
fn nearest_free(wanted: Rect, area: Rect, taken: &[Label]) -> Option<Rect> {
    let rows = (0..=MAX_SHIFT).flat_map(|by| [by, -by]).map(|by| i32::from(wanted.y) + by);
    rows.filter_map(|row| u16::try_from(row).ok())
        .filter(|row| (area.y..area.bottom()).contains(row))
        .map(|y| Rect { y, ..wanted })
        .find(|free| {
            let around = Rect { x: free.x.saturating_sub(1), width: free.width + 2, ..*free };
            taken.iter().all(|label| !label.area.intersects(around))
        })
}

/// Nodes on the canvas; with more the labels overlap.
pub const MAX_NODES: usize = 24;

/// Returns the positions of the first [`MAX_NODES`] nodes in the unit circle, x to the right and y upwards.
///
/// Each node has a sector of its parent's that is proportional to its leaves. Siblings are ordered by identity and the
/// first sector starts at an angle that depends on the root's identity, so positions do not depend on masses.
fn radial_layout(shown: &Neighborhood) -> Vec<(f64, f64)> {
    let nodes = &shown.nodes[..shown.nodes.len().min(MAX_NODES)];
    let Some(root) = nodes.first() else { return Vec::new() };
    let max_hops = nodes.iter().map(|node| node.hops).max().unwrap_or(0).max(1);
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
    for (index, node) in nodes.iter().enumerate() {
        if let Some(branch) = node.parent {
            children[branch.index].push(index);
        }
    }
    children.iter_mut().for_each(|below| below.sort_by_key(|index| nodes[*index].symbol.id));
    let mut leaves = vec![0.0; nodes.len()];
    for index in (0..nodes.len()).rev() {
        let below: f64 = children[index].iter().map(|child| leaves[*child]).sum();
        leaves[index] = below.max(1.0);
    }
    let rotation = f64::from(root.symbol.id.0[0]) / 256.0 * TAU;
    let mut positions = vec![(0.0, 0.0); nodes.len()];
    let mut sectors = vec![(rotation, TAU); nodes.len()];
    for index in 0..nodes.len() {
        let (start, width) = sectors[index];
        if index > 0 {
            positions[index] = position(&nodes[index], start + width / 2.0, max_hops);
        }
        let mut from = start;
        for &child in &children[index] {
            let share = width * leaves[child] / leaves[index];
            sectors[child] = (from, share);
            from += share;
        }
    }
    positions
}

fn position(node: &NeighborNode, angle: f64, max_hops: u32) -> (f64, f64) {
    let radius = f64::from(node.hops) / f64::from(max_hops);
    (radius * angle.cos(), radius * angle.sin())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::{fixture, glyphs};
    use ratatui::buffer::Buffer;

    fn graph() -> GraphTree {
        let mut graph = GraphTree::default();
        graph.show(fixture::neighborhood());
        graph.toggle_canvas();
        graph
    }

    fn texts(graph: &GraphTree, area: Rect) -> Vec<String> {
        labels(graph, &glyphs::UNICODE, area).into_iter().map(|label| label.text).collect()
    }

    #[test]
    fn labels_are_whole_apart_and_inside() {
        for (width, height) in [(20, 5), (38, 12), (60, 20), (120, 36)] {
            let (area, mut graph) = (Rect { x: 3, y: 2, width, height }, graph());
            for selected in 0..graph.shown.nodes.len() {
                graph.selected = selected;
                let labels = labels(&graph, &glyphs::UNICODE, area);
                assert!(
                    labels.iter().any(|label| label.node == 0) && labels.iter().any(|label| label.node == selected)
                );
                for (index, label) in labels.iter().enumerate() {
                    assert_eq!(label.area.intersection(area), label.area);
                    assert_eq!(text::width(&label.text), label.area.width as usize);
                    assert!(labels[index + 1..].iter().all(|other| !other.area.intersects(label.area)));
                    let name = &graph.shown.nodes[label.node].symbol.name;
                    assert!(
                        label.text.ends_with(name.as_str()) || text::width(name) + 2 > width.into(),
                        "{}",
                        label.text
                    );
                }
            }
        }
    }

    #[test]
    fn namesakes_have_their_containers() {
        let (area, mut graph) = (Rect { x: 0, y: 0, width: 90, height: 30 }, graph());
        assert!(texts(&graph, area).iter().all(|label| !label.contains('‹')));
        graph.shown.nodes[1].symbol.name = "push".into();
        let labels = texts(&graph, area);
        for label in ["push ‹SecureCookieSessionInterface", "push ‹RequestContext"] {
            assert!(labels.iter().any(|text| text.ends_with(label)), "{labels:?}");
        }
    }

    #[test]
    fn edges_have_direction_and_type() {
        let (area, mut graph) = (Rect { x: 0, y: 0, width: 90, height: 30 }, graph());
        let labels = texts(&graph, area);
        for (node, shown) in graph.shown.nodes.iter().enumerate() {
            let mark = node_mark(shown);
            let label = format!("{mark} {} {}", relation(shown), shown.symbol.name).replace("  ", " ");
            assert!(labels.iter().any(|text| text.starts_with(&label)), "{label}: {labels:?}");
            graph.selected = node;
            let root = &graph.shown.nodes[0].symbol.name;
            let words = edge_of(&graph);
            match shown.parent {
                None => assert_eq!(words, None),
                Some(edge) if edge.index == 0 => {
                    let words = words.unwrap();
                    assert_eq!(words.trim().starts_with(root.as_str()), edge.outgoing, "{words}");
                    assert!(words.contains(&format!(" {} ", edge.edge_type.phrases().0)), "{words}");
                }
                Some(_) => assert!(words.is_some()),
            }
        }
    }

    #[test]
    fn the_sentence_of_the_edge_is_below_all_labels() {
        let mut model = fixture::model(160, 45);
        model.panes.graph = graph();
        for (width, height) in [(20, 5), (38, 12), (60, 20), (120, 36)] {
            for selected in 1..model.panes.graph.shown.nodes.len() {
                model.panes.graph.selected = selected;
                let area = Rect { x: 0, y: 0, width, height };
                let mut buffer = Buffer::empty(area);
                let mut canvas = Canvas { buffer: &mut buffer, model: &model, cursor: None, links: Vec::new() };
                draw(&mut canvas, area);
                let last: String = (0..width).map(|column| buffer[(column, height - 1)].symbol()).collect();
                let words = edge_of(&model.panes.graph).unwrap();
                let start: String = words.chars().take(5).collect();
                assert!(last.starts_with(&start), "{width}x{height}: {last:?} has not {words:?}");
            }
        }
    }

    fn node_mark(node: &crate::engine::NeighborNode) -> &'static str {
        match node.parent {
            None => "●",
            Some(edge) if edge.outgoing => "▶",
            Some(_) => "◀",
        }
    }

    #[test]
    fn hops_are_rings_and_nodes_do_not_overlap() {
        let shown = fixture::neighborhood();
        let positions = radial_layout(&shown);
        assert_eq!((positions.len(), positions[0]), (shown.nodes.len(), (0.0, 0.0)));
        for (node, (x, y)) in shown.nodes.iter().zip(&positions) {
            let radius = f64::from(node.hops) / 2.0;
            assert!((x.hypot(*y) - radius).abs() < 1e-9);
        }
        for (one, first) in positions.iter().enumerate() {
            for second in &positions[one + 1..] {
                assert!((first.0 - second.0).hypot(first.1 - second.1) > 0.05, "{positions:?}");
            }
        }
    }

    #[test]
    fn masses_do_not_change_positions() {
        let shown = fixture::neighborhood();
        let mut other = shown.clone();
        other.nodes.iter_mut().for_each(|node| node.mass = 0.5);
        assert_eq!(radial_layout(&shown), radial_layout(&other));
        assert_eq!(radial_layout(&Neighborhood::default()), []);
    }
}
