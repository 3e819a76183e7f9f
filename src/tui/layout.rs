//! The areas of the screen for every size of terminal: list and source are always together.

use ratatui::layout::{Position, Rect, Size};

use super::model::Focus;
use super::panes::{PaneId, graph, pack, source, why};

/// The arrangement for a size of terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// The task line and one pane.
    Tiny,
    /// The source below the list.
    Stacked,
    /// The source beside the list.
    Two,
    /// List, source, and a column with explanation and graph.
    Three,
}

impl Shape {
    /// Returns the shape for a terminal of this size.
    fn for_size(size: Size) -> Shape {
        match (size.width, size.height) {
            (width, height) if width < 60 || height < 15 => Shape::Tiny,
            (width, _) if width < 120 => Shape::Stacked,
            (width, _) if width < 160 => Shape::Two,
            _ => Shape::Three,
        }
    }
}

/// The areas of the screen; a part that is not visible has an empty one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Areas {
    pub shape: Shape,
    pub header: Rect,
    pub task: Rect,
    pub footer: Rect,
    /// The visible panes, with their titles.
    panes: Vec<(PaneId, Rect)>,
}

/// Everything that the areas depend on.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    pub size: Size,
    pub focus: Focus,
    pub zoomed: bool,
    /// Whether the source is previewed for a window at the foot of the screen.
    pub previews: bool,
    pub task_rows: u16,
    /// The rows and columns that the list needs to be whole; none before there is something to list.
    pub list: Size,
}

/// Rows of the task on a high terminal, and on a lower one.
const MAX_TASK_ROWS: usize = 4;
const LOW_TASK_ROWS: usize = 2;
/// Rows of a terminal that has room for all rows of the task, and for two panes in the third column.
const HIGH_FOR_TASK: u16 = 30;
const HIGH: u16 = 24;
/// Rows that a list above the source has at least.
const MIN_LIST_ROWS: u16 = 4;
/// Columns of the third column.
const THIRD_COLUMNS: std::ops::RangeInclusive<u16> = 40..=60;
/// Columns that a list beside the source has at least.
const MIN_LIST_COLUMNS: u16 = 40;

/// Returns the columns of the task's text.
pub fn task_columns(size: Size) -> u16 {
    size.width.saturating_sub(4)
}

/// Returns how many rows the task may have.
pub fn max_task_rows(size: Size) -> usize {
    match Shape::for_size(size) {
        Shape::Tiny => 1,
        _ if size.height >= HIGH_FOR_TASK => MAX_TASK_ROWS,
        _ => LOW_TASK_ROWS,
    }
}

impl Areas {
    /// Lays out a terminal.
    pub fn new(plan: Plan) -> Areas {
        let shape = Shape::for_size(plan.size);
        let mut cut = Cutter { rest: Rect::new(0, 0, plan.size.width, plan.size.height) };
        let footer = cut.bottom(1);
        let header = if shape == Shape::Tiny { Rect::default() } else { cut.top(1) };
        let task = cut.top(plan.task_rows);
        let panes = match (shape, plan.focus.pane()) {
            (_, focused) if plan.zoomed => vec![(focused, cut.rest)],
            (Shape::Tiny | Shape::Stacked, _) if plan.previews => vec![(source::ID, cut.rest)],
            // The start screen needs all of it.
            (_, pack::ID) if plan.list.height == 0 => vec![(pack::ID, cut.rest)],
            (Shape::Tiny, focused) => vec![(focused, cut.rest)],
            (Shape::Stacked, focused) => stacked(cut, plan.list.height, focused),
            (Shape::Two | Shape::Three, focused) => columns(cut, shape, plan.list.width, focused),
        };
        Areas { shape, header, task, footer, panes }
    }

    /// Returns the area of a pane, title included.
    pub fn pane(&self, id: PaneId) -> Rect {
        self.panes.iter().find(|(pane, _)| *pane == id).map_or(Rect::default(), |(_, area)| *area)
    }

    /// Returns the area that the title of a pane leaves free.
    pub fn content(&self, id: PaneId) -> Rect {
        let area = self.pane(id);
        let head = self.title_rows(id).min(area.height);
        Rect { y: area.y.saturating_add(head), height: area.height - head, ..area }
    }

    /// Returns the rows of a pane's title. The list has none; beside the list the source has one more for its sentence.
    pub fn title_rows(&self, id: PaneId) -> u16 {
        match (self.shape, id) {
            (Shape::Tiny, _) | (_, pack::ID) => 0,
            (Shape::Two | Shape::Three, source::ID) => 2,
            _ => 1,
        }
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

    /// Returns the cells between the columns.
    pub fn separators(&self) -> Vec<Rect> {
        let left_of = |area: &Rect| Rect { x: area.x.saturating_sub(1), width: area.x.min(1), ..*area };
        self.panes.iter().map(|(_, area)| left_of(area)).filter(|area| !area.is_empty()).collect()
    }
}

/// Places the list above the source, or a few rows of it above another pane in focus, which is read.
fn stacked(mut cut: Cutter, list_rows: u16, focused: PaneId) -> Vec<(PaneId, Rect)> {
    let (below, share) = match focused {
        pack::ID => (source::ID, part(cut.rest.height, 2, 5).max(MIN_LIST_ROWS)),
        other => (other, MIN_LIST_ROWS),
    };
    let list = cut.top(list_rows.clamp(MIN_LIST_ROWS, share));
    vec![(pack::ID, list), (below, cut.rest)]
}

/// Places list, source, and in a third column explanation and graph. Without a third column the pane in focus is below
/// the source.
fn columns(mut cut: Cutter, shape: Shape, list_columns: u16, focused: PaneId) -> Vec<(PaneId, Rect)> {
    let height = cut.rest.height;
    let third = match shape {
        Shape::Three => cut.right((cut.rest.width / 4).clamp(*THIRD_COLUMNS.start(), *THIRD_COLUMNS.end())),
        _ => Rect::default(),
    };
    if !third.is_empty() {
        cut.right(1);
    }
    let most = part(cut.rest.width, 49, 100);
    let mut panes = vec![(pack::ID, cut.left(list_columns.clamp(MIN_LIST_COLUMNS.min(most), most)))];
    cut.left(1);
    let companion = if focused == graph::ID { graph::ID } else { why::ID };
    if !third.is_empty() {
        let mut third = Cutter { rest: third };
        if height >= HIGH {
            panes.push((graph::ID, third.bottom(height / 2)));
            panes.push((why::ID, third.rest));
        } else {
            panes.push((companion, third.rest));
        }
    } else if focused == companion {
        panes.push((companion, cut.bottom(part(height, 2, 5))));
    }
    panes.push((source::ID, cut.rest));
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
    use crate::tui::panes::PANES;

    fn areas(width: u16, height: u16, focus: Focus, list: (u16, u16)) -> Areas {
        let list = Size { width: list.0, height: list.1 };
        Areas::new(Plan { size: Size { width, height }, focus, zoomed: false, previews: false, task_rows: 1, list })
    }

    #[test]
    fn areas_stay_on_the_screen_and_do_not_overlap() {
        for (width, height) in (0..220).flat_map(|width| (0..70).map(move |height| (width, height))) {
            for (focus, list) in Focus::all().flat_map(|focus| [(0, 0), (60, 3), (200, 99)].map(|list| (focus, list))) {
                let areas = areas(width, height, focus, list);
                let screen = Rect::new(0, 0, width, height);
                let parts: Vec<Rect> = Focus::all().map(|focus| areas.focused(focus)).collect();
                for (index, part) in parts.iter().enumerate() {
                    assert!(parts[index + 1..].iter().all(|other| !part.intersects(*other)), "{width}x{height}");
                }
                let contents = PANES.iter().map(|pane| areas.content(pane.id()));
                for part in parts.into_iter().chain([areas.footer]).chain(areas.separators()).chain(contents) {
                    assert!(part.is_empty() || screen.union(part) == screen, "{width}x{height} {part:?}");
                }
            }
        }
    }

    #[test]
    fn list_and_source_are_together_at_every_usual_size() {
        for (width, height) in [(80, 24), (100, 30), (119, 40), (120, 40), (159, 45), (160, 45), (200, 60)] {
            let areas = areas(width, height, Focus::Pane(pack::ID), (58, 40));
            let (list, code) = (areas.content(pack::ID), areas.content(source::ID));
            assert!(list.height >= 5 && code.height >= 10, "{width}x{height}: {list:?} {code:?}");
            if width >= 120 {
                assert!(code.width > list.width, "{width}x{height}: the source has the larger share");
            }
            let has_third = !areas.content(why::ID).is_empty() && !areas.content(graph::ID).is_empty();
            assert_eq!(has_third, width >= 160, "{width}x{height}");
        }
    }

    #[test]
    fn a_short_list_leaves_its_rows_to_the_source() {
        let rows = |list| areas(80, 24, Focus::Task, (58, list)).content(source::ID).height;
        assert_eq!((rows(40), rows(5)), (12, 15));
        assert_eq!(rows(0), 0, "the start screen has all rows");
    }

    #[test]
    fn what_is_read_has_most_of_a_small_screen() {
        let rows = |focus| areas(80, 24, focus, (58, 40)).content(source::ID).height;
        assert_eq!((rows(Focus::Pane(pack::ID)), rows(Focus::Pane(source::ID))), (12, 16));
    }

    #[test]
    fn shapes_change_at_their_breakpoints() {
        let shape = |width, height| Shape::for_size(Size { width, height });
        assert_eq!(shape(59, 40), Shape::Tiny);
        assert_eq!(shape(200, 14), Shape::Tiny);
        assert_eq!(shape(119, 24), Shape::Stacked);
        assert_eq!(shape(120, 24), Shape::Two);
        assert_eq!(shape(160, 24), Shape::Three);
    }
}
