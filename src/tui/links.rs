//! Links of locations on the screen (OSC 8): the terminal opens the file at a click.
//!
//! A terminal keeps the link of a cell until the cell is written again. So the cells of a link are written, with the
//! sequences around them, after a frame in which they or their link changed.

use std::io::{self, Write};

use ratatui::backend::Backend;
use ratatui::buffer::{Buffer, Cell};
use ratatui::crossterm::cursor::{RestorePosition, SavePosition};
use ratatui::crossterm::queue;
use ratatui::layout::Rect;
use unicode_width::UnicodeWidthStr;

use super::roots::Roots;
use crate::text::link;

/// A location on the screen and the line of a file that it leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// One row.
    pub area: Rect,
    pub file: String,
    pub line: u32,
}

/// Writes links to the terminal.
pub struct Links {
    /// `None` where the terminal has no links.
    roots: Option<Roots>,
    written: Vec<Run>,
}

/// Cells in a row with the sequence that begins their link, which is empty for cells that are no longer one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    area: Rect,
    open: String,
    cells: Vec<Cell>,
}

impl Links {
    /// Creates the links into the repositories, if the environment names no terminal without links.
    pub fn new(roots: Roots, lookup: &dyn Fn(&str) -> Option<String>) -> Links {
        Links { roots: link::is_supported(lookup).then_some(roots), written: Vec::new() }
    }

    /// Forgets what is on the screen, because every cell is written again.
    pub fn forget(&mut self) {
        self.written.clear();
    }

    /// Returns the cells to write after a frame that has these links.
    pub fn update(&mut self, frame: &Buffer, links: &[Link]) -> Vec<Run> {
        let Some(roots) = &self.roots else { return Vec::new() };
        let run = |link: &Link| {
            let mut area = link.area.intersection(frame.area);
            while area.width > 0 && frame[(area.right() - 1, area.y)].symbol() == " " {
                area.width -= 1;
            }
            let (root, file) = roots.split(&link.file)?;
            let open = link::open(root, file, link.line).filter(|_| !area.is_empty())?;
            Some(Run { area, open, cells: cells(frame, area) })
        };
        let shown: Vec<Run> = links.iter().filter_map(run).collect();
        let is_left = |old: &&Run| shown.iter().all(|new| new.area != old.area || new.open != old.open);
        let ended = self.written.iter().filter(is_left).map(|old| {
            let area = old.area.intersection(frame.area);
            Run { area, open: String::new(), cells: cells(frame, area) }
        });
        let changed = shown.iter().filter(|new| !self.written.contains(new)).cloned();
        let runs = ended.chain(changed).collect();
        self.written = shown;
        runs
    }
}

fn cells(frame: &Buffer, area: Rect) -> Vec<Cell> {
    area.positions().map(|position| frame[position].clone()).collect()
}

/// Writes cells with their links, and leaves the cursor where it is.
///
/// # Errors
/// When the terminal can't be written.
pub fn write<B: Backend<Error = io::Error> + Write>(backend: &mut B, runs: &[Run]) -> io::Result<()> {
    if runs.is_empty() {
        return Ok(());
    }
    queue!(backend, SavePosition)?;
    for run in runs {
        backend.write_all(run.open.as_bytes())?;
        let mut hidden = 0;
        let visible = run.cells.iter().zip(run.area.x..).filter(|(cell, _)| {
            // The cell after a wide letter is part of it.
            let is_hidden = hidden > 0;
            hidden = if is_hidden { hidden - 1 } else { cell.symbol().width().saturating_sub(1) };
            !is_hidden
        });
        backend.draw(visible.map(|(cell, x)| (x, run.area.y, cell)))?;
        if !run.open.is_empty() {
            backend.write_all(link::CLOSE.as_bytes())?;
        }
    }
    queue!(backend, RestorePosition)
}

#[cfg(test)]
mod tests {
    use ratatui::backend::CrosstermBackend;
    use ratatui::style::Style;

    use super::*;

    fn buffer(lines: &[&str]) -> Buffer {
        Buffer::with_lines(lines.iter().copied())
    }

    fn link(x: u16, y: u16, width: u16, file: &str) -> Link {
        Link { area: Rect { x, y, width, height: 1 }, file: file.to_owned(), line: 3 }
    }

    fn links() -> Links {
        Links::new(Roots::single("/r".into()), &|_| None)
    }

    #[test]
    fn cells_of_a_link_are_written_between_its_sequences() {
        let mut links = links();
        let runs = links.update(&buffer(&["xx 漢.rs:3 "]), &[link(3, 0, 7, "src/漢.rs")]);
        let mut written = Vec::new();
        write(&mut CrosstermBackend::new(&mut written), &runs).unwrap();
        let text = String::from_utf8(written).unwrap();
        let (before, after) = text.split_once("\x1b]8;;file:///r/src/%E6%BC%A2.rs#3\x1b\\").unwrap();
        assert_eq!(before, "\x1b7", "the cursor is saved");
        let (linked, rest) = after.split_once("\x1b]8;;\x1b\\").unwrap();
        assert!(linked.contains("漢") && linked.contains(".rs:3"), "{linked:?}");
        assert_eq!(rest, "\x1b8");
    }

    #[test]
    fn only_what_changed_is_written() {
        let mut links = links();
        let (first, second) = (link(0, 0, 4, "a.rs"), link(0, 1, 4, "b.rs"));
        let mut screen = buffer(&["a.rs", "b.rs"]);
        assert_eq!(links.update(&screen, &[first.clone(), second.clone()]).len(), 2);
        assert_eq!(links.update(&screen, &[first.clone(), second.clone()]), []);
        // A cell that is written again has lost its link.
        screen.set_style(Rect::new(0, 1, 4, 1), Style::new().bold());
        let runs = links.update(&screen, &[first.clone(), second.clone()]);
        assert_eq!(runs.iter().map(|run| run.area.y).collect::<Vec<_>>(), [1]);
        // The same text may lead to another file, or nowhere.
        let other = Link { file: "lib/a.rs".into(), ..first };
        let runs = links.update(&screen, &[other]);
        assert!(runs.iter().any(|run| run.open.contains("/lib/a.rs")) && runs.iter().any(|run| run.area.y == 1));
        assert!(runs.iter().filter(|run| run.area.y == 1).all(|run| run.open.is_empty()));
        links.forget();
        assert_eq!(links.update(&screen, &[second]).len(), 1);
    }

    #[test]
    fn nothing_is_written_for_other_files_and_terminals() {
        let screen = buffer(&["../a.rs"]);
        assert_eq!(links().update(&screen, &[link(0, 0, 7, "../a.rs"), link(9, 9, 7, "a.rs")]), []);
        let mut off =
            Links::new(Roots::single("/r".into()), &|name| (name == "KNOWING_LINKS").then(|| "off".to_owned()));
        assert_eq!(off.update(&screen, &[link(0, 0, 7, "a.rs")]), []);
    }
}
