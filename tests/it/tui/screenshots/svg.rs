//! Renders a buffer as SVG: every run of cells with one style is a text element on the grid of the terminal.

use std::fmt::Write;

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};
use unicode_width::UnicodeWidthStr;

/// Width and height of a cell, in units of the picture.
const CELL: (f64, f64) = (8.0, 17.0);
/// The baseline of a cell, from its top.
const BASELINE: f64 = 13.0;

/// The default colors of a terminal.
#[derive(Debug, Clone, Copy)]
pub struct DefaultColors {
    pub background: &'static str,
    pub foreground: &'static str,
}

pub const DARK: DefaultColors = DefaultColors { background: "#16181d", foreground: "#d0d0d0" };
pub const LIGHT: DefaultColors = DefaultColors { background: "#fbfbf8", foreground: "#262626" };

#[derive(Debug, Clone, PartialEq)]
struct CellStyle {
    foreground: String,
    background: Option<String>,
    bold: bool,
    italic: bool,
    underlined: bool,
    dim: bool,
}

/// Renders the buffer.
pub fn svg(buffer: &Buffer, defaults: DefaultColors) -> String {
    frame(buffer.area.width, buffer.area.height, defaults, &rows(buffer, defaults).concat())
}

/// Returns a picture of so many cells with these elements in it.
pub fn frame(columns: u16, rows: u16, defaults: DefaultColors, elements: &str) -> String {
    let (width, height) = (f64::from(columns) * CELL.0, f64::from(rows) * CELL.1);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"{}\"/>\n\
         <g font-family=\"ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace\" font-size=\"13\" \
         xml:space=\"preserve\">\n{elements}</g>\n</svg>\n",
        defaults.background
    )
}

/// Returns the elements of each row.
pub fn rows(buffer: &Buffer, defaults: DefaultColors) -> Vec<String> {
    let area = buffer.area;
    let mut rows = Vec::new();
    for row in 0..area.height {
        let mut text = String::new();
        let mut column = 0;
        while column < area.width {
            let style = cell_style(&buffer[(column, row)], defaults);
            let start = column;
            let mut words = String::new();
            while column < area.width && cell_style(&buffer[(column, row)], defaults) == style {
                let symbol = buffer[(column, row)].symbol();
                words.push_str(symbol);
                // A wide character is followed by an empty cell.
                column += (symbol.width() as u16).max(1);
            }
            run(&mut text, &style, (start, row), column.min(area.width) - start, &words);
        }
        rows.push(text);
    }
    rows
}

fn run(text: &mut String, style: &CellStyle, (column, row): (u16, u16), cells: u16, words: &str) {
    let (x, y) = (f64::from(column) * CELL.0, f64::from(row) * CELL.1);
    let length = f64::from(cells) * CELL.0;
    // Writing to a string never fails.
    if let Some(background) = &style.background {
        let _written = writeln!(
            text,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{length}\" height=\"{}\" fill=\"{background}\"/>",
            CELL.1
        );
    }
    let kept = words.trim_end_matches(' ');
    if kept.trim().is_empty() {
        return;
    }
    let lead = kept.len() - kept.trim_start_matches(' ').len();
    let (x, kept) = (x + lead as f64 * CELL.0, &kept[lead..]);
    let length = kept.width() as f64 * CELL.0;
    let mut attributes = format!("fill=\"{}\"", style.foreground);
    for (wanted, attribute) in [
        (style.bold, " font-weight=\"bold\""),
        (style.italic, " font-style=\"italic\""),
        (style.underlined, " text-decoration=\"underline\""),
        (style.dim, " opacity=\"0.6\""),
    ] {
        if wanted {
            attributes.push_str(attribute);
        }
    }
    // Blocks, arrows and wide characters often come from another font, so their glyphs are stretched to their cells;
    // for other text only the spacing is adjusted.
    let adjust = if kept.is_ascii() { "" } else { " lengthAdjust=\"spacingAndGlyphs\"" };
    let kept = kept.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let _written = writeln!(
        text,
        "<text x=\"{x}\" y=\"{}\" textLength=\"{length}\"{adjust} {attributes}>{kept}</text>",
        y + BASELINE
    );
}

fn cell_style(cell: &Cell, defaults: DefaultColors) -> CellStyle {
    let mut foreground = color(cell.fg).unwrap_or_else(|| defaults.foreground.to_owned());
    let mut background = color(cell.bg);
    if cell.modifier.contains(Modifier::REVERSED) {
        let under = background.unwrap_or_else(|| defaults.background.to_owned());
        background = Some(std::mem::replace(&mut foreground, under));
    }
    CellStyle {
        foreground,
        background,
        bold: cell.modifier.contains(Modifier::BOLD),
        italic: cell.modifier.contains(Modifier::ITALIC),
        underlined: cell.modifier.contains(Modifier::UNDERLINED),
        dim: cell.modifier.contains(Modifier::DIM),
    }
}

/// The sixteen named colors as most terminals show them.
const SIXTEEN: [&str; 16] = [
    "#1d1f21", "#c0392b", "#4e9a06", "#c4a000", "#3465a4", "#75507b", "#06989a", "#d3d7cf", "#7f8287", "#ef2929",
    "#8ae234", "#fce94f", "#729fcf", "#ad7fa8", "#34e2e2", "#eeeeec",
];

fn color(color: Color) -> Option<String> {
    let number = match color {
        Color::Reset => return None,
        Color::Rgb(red, green, blue) => return Some(format!("#{red:02x}{green:02x}{blue:02x}")),
        Color::Indexed(number) => number,
        Color::Black => 0,
        Color::Red => 1,
        Color::Green => 2,
        Color::Yellow => 3,
        Color::Blue => 4,
        Color::Magenta => 5,
        Color::Cyan => 6,
        Color::Gray => 7,
        Color::DarkGray => 8,
        Color::LightRed => 9,
        Color::LightGreen => 10,
        Color::LightYellow => 11,
        Color::LightBlue => 12,
        Color::LightMagenta => 13,
        Color::LightCyan => 14,
        Color::White => 15,
    };
    Some(match number {
        0..16 => SIXTEEN[number as usize].to_owned(),
        16..232 => {
            let step = |part: u8| if part == 0 { 0 } else { 55 + 40 * part };
            let cube = number - 16;
            format!("#{:02x}{:02x}{:02x}", step(cube / 36), step(cube / 6 % 6), step(cube % 6))
        }
        232.. => {
            let gray = 8 + 10 * (number - 232);
            format!("#{gray:02x}{gray:02x}{gray:02x}")
        }
    })
}

#[test]
fn every_character_is_at_its_cell() {
    let mut buffer = Buffer::with_lines(["a<b 漢x  "]);
    buffer[(0, 0)].modifier = Modifier::REVERSED;
    let picture = svg(&buffer, DARK);
    assert!(picture.contains(">a</text>") && picture.contains("&lt;b 漢x</text>"), "{picture}");
    assert!(picture.contains("textLength=\"48\""), "six columns: {picture}");
    assert_eq!(color(Color::Indexed(110)).as_deref(), Some("#87afd7"));
    assert_eq!(color(Color::Indexed(244)).as_deref(), Some("#808080"));
}
