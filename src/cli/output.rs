//! Output to standard output and standard error: colors, tables, numbers, notes.

use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};

use clap::ColorChoice;
use textwrap::WordSplitter;
use unicode_width::UnicodeWidthStr;

use crate::text::display;

/// Returns standard output, buffered.
pub fn stdout() -> BufWriter<StdoutLock<'static>> {
    BufWriter::with_capacity(1 << 16, io::stdout().lock())
}

/// The output streams with colors.
#[derive(Debug, Clone, Copy)]
pub struct Colors {
    pub stdout: bool,
    pub stderr: bool,
    /// The explorer's screen, which is a terminal even when standard output is redirected.
    pub screen: bool,
}

impl Colors {
    /// Decides by `--color`, `NO_COLOR`, whether `TERM` names a terminal without colors, and whether a stream is a terminal.
    pub fn new(choice: ColorChoice) -> Colors {
        match choice {
            ColorChoice::Always => Colors { stdout: true, stderr: true, screen: true },
            ColorChoice::Never => Colors { stdout: false, stderr: false, screen: false },
            ColorChoice::Auto => {
                let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
                let is_monochrome = std::env::var("TERM").is_ok_and(|terminal| is_monochrome(&terminal));
                let wanted = !set("NO_COLOR") && !is_monochrome;
                let stdout = wanted && io::stdout().is_terminal();
                Colors { stdout, stderr: wanted && io::stderr().is_terminal(), screen: wanted }
            }
        }
    }
}

/// Returns whether terminals of this name have no colors: those of DEC, such as `vt100`, and the variants named so.
fn is_monochrome(terminal: &str) -> bool {
    let is_of_dec =
        terminal.strip_prefix("vt").is_some_and(|model| model.starts_with(|first: char| first.is_ascii_digit()));
    terminal == "dumb" || is_of_dec || ["-m", "-mono"].iter().any(|end| terminal.ends_with(end))
}

/// Returns `text` in an SGR style, such as `"1"` for bold, if `colored`.
pub fn styled(colored: bool, style: &str, text: &str) -> String {
    if colored { format!("\x1b[{style}m{text}\x1b[0m") } else { text.to_owned() }
}

/// SGR code of headings.
pub const BOLD: &str = "1";
/// SGR code of secondary text.
pub const DIM: &str = "2";
/// SGR code of errors.
pub const RED: &str = "1;31";

/// Returns the columns of standard output; `None` if it is not a terminal.
pub fn columns() -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(io::stdout()).ok()?;
    Some(usize::from(size.ws_col)).filter(|columns| *columns > 0)
}

/// Returns a text as lines of at most `columns` cells, broken between words; the first line begins with `first`, the others
/// with `rest`. Without a number of columns it is one line.
pub fn folded(text: &str, columns: Option<usize>, first: &str, rest: &str) -> String {
    let Some(columns) = columns else { return format!("{first}{text}") };
    let options = textwrap::Options::new(columns).initial_indent(first).subsequent_indent(rest);
    // Names with hyphens stay whole, and words that are longer than a line.
    textwrap::fill(text, options.break_words(false).word_splitter(WordSplitter::NoHyphenation))
}

/// Returns a text whose lines of more than `columns` cells are broken between words; what follows is further in than the line.
pub fn folded_lines(text: &str, columns: Option<usize>) -> String {
    let Some(width) = columns else { return text.to_owned() };
    let line = |line: &str| match line.width() > width {
        true => {
            let words = line.trim_start();
            let indent = &line[..line.len() - words.len()];
            folded(words, columns, indent, &format!("{indent}    ")) + "\n"
        }
        false => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

/// Alignment of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Align {
    Left,
    Right,
}

/// A table with headings. Control characters in cells are replaced.
pub struct Table {
    headings: Vec<(&'static str, Align)>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// Creates a table without rows.
    pub fn new(headings: &[(&'static str, Align)]) -> Table {
        Table { headings: headings.to_vec(), rows: Vec::new() }
    }

    /// Adds a row with one cell per heading.
    pub fn row<const N: usize>(&mut self, cells: [&str; N]) {
        self.row_of(&cells);
    }

    /// Adds a row of a table whose headings are not constant.
    pub fn row_of(&mut self, cells: &[impl AsRef<str>]) {
        self.rows.push(cells.iter().map(|cell| display::safe(cell.as_ref()).into_owned()).collect());
    }

    /// Writes headings and rows.
    ///
    /// # Errors
    /// When `out` can't be written.
    pub fn write(&self, out: &mut impl Write, colored: bool) -> io::Result<()> {
        let widths: Vec<usize> = (self.headings.iter().enumerate())
            .map(|(column, (heading, _))| {
                let cells = self.rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.width());
                cells.max().unwrap_or(0).max(heading.width())
            })
            .collect();
        let headings: Vec<String> = self.headings.iter().map(|(heading, _)| (*heading).to_owned()).collect();
        writeln!(out, "{}", styled(colored, BOLD, &self.line(&headings, &widths)))?;
        for row in &self.rows {
            writeln!(out, "{}", self.line(row, &widths))?;
        }
        Ok(())
    }

    fn line(&self, cells: &[String], widths: &[usize]) -> String {
        let mut line = String::new();
        for ((cell, width), (_, align)) in cells.iter().zip(widths).zip(&self.headings) {
            let space = " ".repeat(width.saturating_sub(cell.width()));
            if !line.is_empty() {
                line.push_str("  ");
            }
            match align {
                Align::Left => line.extend([cell.as_str(), &space]),
                Align::Right => line.extend([space.as_str(), cell]),
            }
        }
        line.trim_end().to_owned()
    }
}

/// Prints a labeled message to standard error. A failure to write it is ignored.
pub fn note(label: &str, text: &str) {
    io::stderr().lock().write_all(format!("{label} {}\n", display::message(text)).as_bytes()).unwrap_or_default();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_terminals_have_no_colors() {
        for (terminal, expected) in
            [("vt100", true), ("dumb", true), ("xterm-mono", true), ("xterm", false), ("vte", false)]
        {
            assert_eq!(is_monochrome(terminal), expected, "{terminal}");
        }
    }

    #[test]
    fn long_lines_are_broken_between_words_and_further_in() {
        let text = "callers of a: 2\n  pick_the_cart  src/shop/cart.py:12  calls, line 14\n  b  c.py:1\n";
        let expected = "callers of a: 2\n  pick_the_cart  src/shop/cart.py:12\n      calls, line 14\n  b  c.py:1\n";
        assert_eq!(folded_lines(text, Some(40)), expected);
        assert_eq!(folded_lines(text, None), text);
    }

    #[test]
    fn columns_align_and_control_characters_are_replaced() {
        let mut table = Table::new(&[("name", Align::Left), ("n", Align::Right)]);
        table.row(["漢字", "7"]);
        table.row(["a\u{1b}[31m", "1,000"]);
        let mut out = Vec::new();
        table.write(&mut out, false).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text, "name        n\n漢字        7\na␛[31m  1,000\n");
    }
}
