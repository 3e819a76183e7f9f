//! Where everything stands, for every size of terminal.

use ratatui::layout::{Position, Rect, Size};

use super::model::Focus;

/// The breakpoints, by columns and rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Task and one bare pane.
    Tiny,
    /// One pane at a time, with tabs.
    Narrow,
    /// The list beside source and reasons.
    Two,
    /// List, source and reasons side by side.
    Three,
}

impl Shape {
    /// The shape for a terminal of this size.
    pub fn of(size: Size) -> Shape {
        match (size.width, size.height) {
            (width, height) if width < 60 || height < 15 => Shape::Tiny,
            (width, _) if width < 100 => Shape::Narrow,
            (width, _) if width < 160 => Shape::Two,
            _ => Shape::Three,
        }
    }

    /// True when panes have borders.
    pub fn boxed(self) -> bool {
        matches!(self, Shape::Two | Shape::Three)
    }
}

/// The place of every part; a part that is not shown has no area.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Areas {
    pub shape: Shape,
    pub header: Rect,
    pub task: Rect,
    pub meter: Rect,
    pub tabs: Rect,
    pub pack: Rect,
    pub source: Rect,
    pub why: Rect,
    pub graph: Rect,
    pub runs: Rect,
    pub cost: Rect,
    pub summary: Rect,
    pub footer: Rect,
}

/// With so many rows three panes stand above each other.
const TALL: u16 = 40;
/// Rows of column heads above the list.
const LIST_HEAD_ROWS: u16 = 1;
/// A list shorter than this goes without column heads.
const LIST_HEAD_FROM: u16 = 8;

impl Areas {
    /// Lays out a terminal of `size`; `companion` is the pane below the source where there are two columns.
    pub fn new(size: Size, focus: Focus, companion: Focus, zoomed: bool) -> Areas {
        let shape = Shape::of(size);
        let mut cut = Cutter { rest: Rect::new(0, 0, size.width, size.height) };
        let none = Rect::default();
        let mut areas = Areas {
            shape,
            header: none,
            task: none,
            meter: none,
            tabs: none,
            pack: none,
            source: none,
            why: none,
            graph: none,
            runs: none,
            cost: none,
            summary: none,
            footer: none,
        };
        areas.footer = cut.bottom(1);
        match shape {
            Shape::Tiny => areas.task = cut.top(1),
            Shape::Narrow => {
                areas.header = cut.top(1);
                areas.task = cut.top(1);
                areas.meter = cut.top(1);
                areas.tabs = cut.top(1);
                areas.summary = if size.height >= 20 { cut.bottom(1) } else { none };
            }
            Shape::Two | Shape::Three => {
                areas.header = cut.top(1);
                areas.task = cut.top(3);
            }
        }
        areas.split_body(cut.rest, focus, companion, zoomed);
        areas
    }

    fn split_body(&mut self, body: Rect, focus: Focus, companion: Focus, zoomed: bool) {
        let mut cut = Cutter { rest: body };
        match self.shape {
            // The task line is no pane of its own: while one types, the list is what one looks at.
            _ if zoomed || !self.shape.boxed() => {
                let shown = if focus == Focus::Task { Focus::Pack } else { focus };
                *self.place(shown) = body;
            }
            Shape::Three => {
                let columns = cut.left(body.width * 2 / 5);
                let mut left = Cutter { rest: columns };
                self.runs = left.bottom(if body.height >= TALL { body.height / 4 } else { 0 });
                self.pack = left.rest;
                let mut right = Cutter { rest: cut.right(body.width * 7 / 25) };
                if body.height >= TALL {
                    self.cost = right.bottom(body.height / 5);
                    self.graph = right.bottom(body.height * 2 / 5);
                    self.why = right.rest;
                } else {
                    let below = if companion == Focus::Why { Focus::Graph } else { companion };
                    *self.place(below) = right.bottom(body.height / 2);
                    self.why = right.rest;
                }
                self.source = cut.rest;
            }
            _ => {
                self.pack = cut.left(body.width * 8 / 15);
                *self.place(companion) = cut.bottom(body.height * 2 / 5);
                self.source = cut.rest;
            }
        }
    }

    fn place(&mut self, pane: Focus) -> &mut Rect {
        match pane {
            Focus::Task => &mut self.task,
            Focus::Pack => &mut self.pack,
            Focus::Source => &mut self.source,
            Focus::Why => &mut self.why,
            Focus::Graph => &mut self.graph,
            Focus::Runs => &mut self.runs,
            Focus::Cost => &mut self.cost,
        }
    }

    /// The part of a pane that its border leaves free.
    pub fn inner(&self, pane: Rect) -> Rect {
        let edge = u16::from(self.shape.boxed());
        Rect {
            x: pane.x.saturating_add(edge),
            y: pane.y.saturating_add(edge),
            width: pane.width.saturating_sub(2 * edge),
            height: pane.height.saturating_sub(2 * edge),
        }
    }

    /// The place of a pane.
    pub fn of(&self, pane: Focus) -> Rect {
        match pane {
            Focus::Task => self.task,
            Focus::Pack => self.pack,
            Focus::Source => self.source,
            Focus::Why => self.why,
            Focus::Graph => self.graph,
            Focus::Runs => self.runs,
            Focus::Cost => self.cost,
        }
    }

    /// Column heads and rows of the list.
    pub fn list(&self) -> (Rect, Rect) {
        let mut cut = Cutter { rest: self.inner(self.pack) };
        let heads = if cut.rest.height >= LIST_HEAD_FROM { cut.top(LIST_HEAD_ROWS) } else { Rect::default() };
        (heads, cut.rest)
    }

    /// The pane at a place on the screen.
    pub fn pane_at(&self, place: Position) -> Option<Focus> {
        Focus::ALL.into_iter().find(|pane| self.of(*pane).contains(place))
    }
}

/// Takes pieces off the edges of what is left.
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

    #[test]
    fn every_part_stays_on_the_screen_at_every_size() {
        for width in 0..220 {
            for height in 0..70 {
                for focus in Focus::ALL {
                    for zoomed in [false, true] {
                        let companion = if focus.is_companion() { focus } else { Focus::Why };
                        let areas = Areas::new(Size { width, height }, focus, companion, zoomed);
                        let screen = Rect::new(0, 0, width, height);
                        let (heads, rows) = areas.list();
                        let panes: Vec<Rect> = Focus::ALL.iter().map(|pane| areas.of(*pane)).collect();
                        for (place, pane) in panes.iter().enumerate() {
                            assert!(
                                panes[place + 1..].iter().all(|other| !pane.intersects(*other)),
                                "{width}x{height}"
                            );
                        }
                        for part in panes.into_iter().chain([areas.footer, heads, rows]) {
                            assert!(part.is_empty() || screen.union(part) == screen, "{width}x{height} {part:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn the_breakpoints_are_those_of_the_design() {
        let shape = |width, height| Shape::of(Size { width, height });
        assert_eq!(shape(59, 40), Shape::Tiny);
        assert_eq!(shape(200, 14), Shape::Tiny);
        assert_eq!(shape(99, 24), Shape::Narrow);
        assert_eq!(shape(100, 24), Shape::Two);
        assert_eq!(shape(160, 24), Shape::Three);
    }
}
