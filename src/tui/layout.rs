//! The areas of the screen for every size of terminal.

use ratatui::layout::{Position, Rect, Size};

use super::model::Focus;
use super::panes::{self, Column, PANES, PaneId, Region, why};

/// The arrangement for a size of terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// The task line and one pane without a border.
    Tiny,
    /// One pane at a time, with tabs.
    Narrow,
    /// The list beside source and one companion.
    Two,
    /// List, source and companions side by side.
    Three,
}

impl Shape {
    /// Returns the shape for a terminal of this size.
    pub fn for_size(size: Size) -> Shape {
        match (size.width, size.height) {
            (width, height) if width < 60 || height < 15 => Shape::Tiny,
            (width, _) if width < 120 => Shape::Narrow,
            (width, _) if width < 160 => Shape::Two,
            _ => Shape::Three,
        }
    }

    /// Returns whether panes have borders.
    pub fn is_boxed(self) -> bool {
        matches!(self, Shape::Two | Shape::Three)
    }
}

/// The areas of the screen; a part that is not visible has an empty one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Areas {
    pub shape: Shape,
    pub header: Rect,
    pub task: Rect,
    pub meter: Rect,
    pub tabs: Rect,
    pub summary: Rect,
    pub footer: Rect,
    /// The visible panes.
    panes: Vec<(PaneId, Rect)>,
}

/// Columns of the budget meter beside the task.
pub const METER_COLUMNS: u16 = 36;
/// Rows of the task on a high terminal, and on a lower one.
const MAX_TASK_ROWS: usize = 4;
const LOW_TASK_ROWS: usize = 2;
/// Rows of a terminal that has room for all rows of the task.
const HIGH: u16 = 24;

/// Returns the columns of the task's text.
pub fn task_columns(size: Size) -> u16 {
    match Shape::for_size(size).is_boxed() {
        // Border, prompt and blanks.
        true => {
            let inner = size.width.saturating_sub(2);
            inner.saturating_sub(6 + METER_COLUMNS.min(inner / 3))
        }
        false => size.width.saturating_sub(4),
    }
}

/// Returns how many rows the task may have.
pub fn max_task_rows(size: Size) -> usize {
    match Shape::for_size(size) {
        Shape::Tiny => 1,
        _ if size.height >= HIGH => MAX_TASK_ROWS,
        _ => LOW_TASK_ROWS,
    }
}

/// Columns of the list beside two others: as many as it has beside one at 120 columns, so that a wider screen shows no
/// less of a row.
const MIN_LIST_COLUMNS: u16 = 72;
/// From this many rows on, panes are stacked in three columns.
const TALL: u16 = 40;

impl Areas {
    /// Lays out a terminal of `size`. `companion` is the pane below the source where there are two columns.
    pub fn new(size: Size, focus: Focus, companion: PaneId, zoomed: bool) -> Areas {
        Areas::with_task_rows(size, focus, companion, zoomed, 1)
    }

    /// Lays out a terminal with a task of several rows.
    pub fn with_task_rows(size: Size, focus: Focus, companion: PaneId, zoomed: bool, task_rows: u16) -> Areas {
        let shape = Shape::for_size(size);
        let mut cut = Cutter { rest: Rect::new(0, 0, size.width, size.height) };
        let none = Rect::default();
        let mut areas = Areas {
            shape,
            header: none,
            task: none,
            meter: none,
            tabs: none,
            summary: none,
            footer: cut.bottom(1),
            panes: Vec::new(),
        };
        match shape {
            Shape::Tiny => areas.task = cut.top(1),
            Shape::Narrow => {
                areas.header = cut.top(1);
                areas.task = cut.top(task_rows);
                areas.meter = cut.top(1);
                areas.tabs = cut.top(1);
                // The explanation itself says the same.
                let has_summary = size.height >= 20 && focus.pane() != why::ID;
                areas.summary = if has_summary { cut.bottom(1) } else { none };
            }
            Shape::Two | Shape::Three => {
                areas.header = cut.top(1);
                areas.task = cut.top(2 + task_rows);
            }
        }
        let body = cut.rest;
        areas.panes = match shape {
            // While the task is edited the list stays visible.
            _ if zoomed || !shape.is_boxed() => vec![(focus.pane(), body)],
            Shape::Three => three_columns(body, companion),
            _ => two_columns(body, companion),
        };
        areas
    }

    /// Returns the area that the border of a part leaves free.
    pub fn inner(&self, area: Rect) -> Rect {
        let edge = u16::from(self.shape.is_boxed());
        Rect {
            x: area.x.saturating_add(edge),
            y: area.y.saturating_add(edge),
            width: area.width.saturating_sub(2 * edge),
            height: area.height.saturating_sub(2 * edge),
        }
    }

    /// Returns the area of a pane, border included.
    pub fn pane(&self, id: PaneId) -> Rect {
        self.panes.iter().find(|(pane, _)| *pane == id).map_or(Rect::default(), |(_, area)| *area)
    }

    /// Returns the area of the task line or pane that `focus` names.
    pub fn focused(&self, focus: Focus) -> Rect {
        match focus {
            Focus::Task => self.task,
            Focus::Pane(id) => self.pane(id),
        }
    }

    /// Returns what is at a position of the screen.
    pub fn focus_at(&self, position: Position) -> Option<Focus> {
        Focus::all().find(|focus| self.focused(*focus).contains(position))
    }
}

/// Places the list on the left, the source on the right, and one companion below it.
fn two_columns(body: Rect, companion: PaneId) -> Vec<(PaneId, Rect)> {
    let mut right = Cutter { rest: body };
    let left = right.left(part(body.width, 3, 5));
    let below = right.bottom(part(body.height, 2, 5));
    let filled = PANES.iter().filter_map(|pane| match pane.region() {
        Region::Fill(Column::Left) => Some((pane.id(), left)),
        Region::Fill(Column::Middle) => Some((pane.id(), right.rest)),
        _ => None,
    });
    filled.chain([(companion, below)]).collect()
}

/// Places every pane in a tall body; else one companion below the pane that fills the right column.
fn three_columns(body: Rect, companion: PaneId) -> Vec<(PaneId, Rect)> {
    let mut middle = Cutter { rest: body };
    let list = part(body.width, 43, 100).max(MIN_LIST_COLUMNS);
    let mut left = Cutter { rest: middle.left(list) };
    let mut right = Cutter { rest: middle.right(part(body.width.saturating_sub(list), 49, 100)) };
    let mut panes = Vec::new();
    if body.height >= TALL {
        // From the foot of each column upwards.
        for pane in PANES.iter().rev() {
            if let Region::Foot(column, rows, of) = pane.region() {
                let column = match column {
                    Column::Left => &mut left,
                    Column::Middle => &mut middle,
                    Column::Right => &mut right,
                };
                panes.push((pane.id(), column.bottom(part(body.height, rows, of))));
            }
        }
    } else {
        let fills_right = |id| panes::pane(id).region() == Region::Fill(Column::Right);
        let first = PANES.iter().find(|pane| matches!(pane.region(), Region::Foot(Column::Right, ..)));
        let below = if fills_right(companion) { first.map(|pane| pane.id()) } else { Some(companion) };
        panes.extend(below.map(|id| (id, right.bottom(body.height / 2))));
    }
    for pane in PANES {
        if let Region::Fill(column) = pane.region() {
            let rest = match column {
                Column::Left => left.rest,
                Column::Middle => middle.rest,
                Column::Right => right.rest,
            };
            panes.push((pane.id(), rest));
        }
    }
    panes
}

/// Returns a fraction of at most 1 of a length. The product of a wide screen does not fit into 16 bits.
fn part(length: u16, numerator: u16, denominator: u16) -> u16 {
    (u32::from(length) * u32::from(numerator) / u32::from(denominator)) as u16
}

/// Cuts pieces off the edges of a rectangle.
struct Cutter {
    rest: Rect,
}

impl Cutter {
    fn top(&mut self, height: u16) -> Rect {
        let height = height.min(self.rest.height);
        let piece = Rect { height, ..self.rest };
        self.rest.y += height;
        self.rest.height -= height;
        piece
    }

    fn bottom(&mut self, height: u16) -> Rect {
        let height = height.min(self.rest.height);
        self.rest.height -= height;
        Rect { y: self.rest.y + self.rest.height, height, ..self.rest }
    }

    fn left(&mut self, width: u16) -> Rect {
        let width = width.min(self.rest.width);
        let piece = Rect { width, ..self.rest };
        self.rest.x += width;
        self.rest.width -= width;
        piece
    }

    fn right(&mut self, width: u16) -> Rect {
        let width = width.min(self.rest.width);
        self.rest.width -= width;
        Rect { x: self.rest.x + self.rest.width, width, ..self.rest }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::panes::{pack, why};

    #[test]
    fn areas_stay_on_the_screen_and_do_not_overlap() {
        for width in 0..220 {
            for height in 0..70 {
                for focus in Focus::all() {
                    for zoomed in [false, true] {
                        let id = focus.pane();
                        let companion = if panes::pane(id).region().is_companion() { id } else { why::ID };
                        let areas = Areas::new(Size { width, height }, focus, companion, zoomed);
                        let screen = Rect::new(0, 0, width, height);
                        let (heads, rows) = pack::list_areas(&areas);
                        let parts: Vec<Rect> = Focus::all().map(|focus| areas.focused(focus)).collect();
                        for (index, part) in parts.iter().enumerate() {
                            assert!(
                                parts[index + 1..].iter().all(|other| !part.intersects(*other)),
                                "{width}x{height}"
                            );
                        }
                        for part in parts.into_iter().chain([areas.footer, heads, rows]) {
                            assert!(part.is_empty() || screen.union(part) == screen, "{width}x{height} {part:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_tall_terminal_shows_every_pane() {
        let areas = Areas::new(Size { width: 160, height: 46 }, Focus::Task, why::ID, false);
        for pane in PANES {
            assert!(areas.inner(areas.pane(pane.id())).height > 0, "{:?}", pane.id());
        }
    }

    #[test]
    fn columns_keep_their_proportions_on_screens_of_any_width() {
        for width in [200, 1_500, 2_000, u16::MAX] {
            let size = Size { width, height: 600 };
            let areas = Areas::new(size, Focus::Task, why::ID, false);
            let share = f64::from(areas.pane(pack::ID).width) / f64::from(width);
            assert!((0.42..0.44).contains(&share), "{width}: {share}");
            let columns: u32 = areas
                .panes
                .iter()
                .filter(|(_, pane)| pane.bottom() == 599)
                .map(|(_, pane)| u32::from(pane.width))
                .sum();
            assert_eq!(columns, u32::from(width));
        }
    }

    #[test]
    fn shapes_change_at_their_breakpoints() {
        let shape = |width, height| Shape::for_size(Size { width, height });
        assert_eq!(shape(59, 40), Shape::Tiny);
        assert_eq!(shape(200, 14), Shape::Tiny);
        assert_eq!(shape(119, 24), Shape::Narrow);
        assert_eq!(shape(120, 24), Shape::Two);
        assert_eq!(shape(160, 24), Shape::Three);
    }
}
