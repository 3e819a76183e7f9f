//! The drawing characters, in Unicode and in plain ASCII.

use ratatui::symbols::border;

/// One set of drawing characters. Box drawing and blocks are ambiguous in width, so ASCII must exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Glyphs {
    pub border: border::Set<'static>,
    pub border_focused: border::Set<'static>,
    /// Marks the selected row.
    pub selection: &'static str,
    /// Bar cells by eighths, empty first and full last.
    pub bar: &'static [&'static str],
    pub meter_full: &'static str,
    pub meter_empty: &'static str,
    pub cut: &'static str,
    pub rule: &'static str,
    pub prompt: &'static str,
    pub ellipsis: &'static str,
    /// Stands before a container's name.
    pub container: &'static str,
    pub dot: &'static str,
    /// The head of the column of changes.
    pub delta: &'static str,
    /// A place gained and a place lost.
    pub up: &'static str,
    pub down: &'static str,
    /// Between a value before and after.
    pub arrow: &'static str,
    pub done: &'static str,
    pub running: &'static str,
    pub newline: &'static str,
    pub separator: &'static str,
    /// Twigs of a tree, two columns each: past a sibling, to one with siblings below, to the last.
    pub tree_guide: &'static str,
    pub tree_branch: &'static str,
    pub tree_last: &'static str,
    /// An edge that leads away, and one that leads here.
    pub arrow_out: &'static str,
    pub arrow_in: &'static str,
    /// Stands before what is in the middle or the newest.
    pub root: &'static str,
    /// Heights of a line of values, lowest first.
    pub spark: &'static [&'static str],
}

/// For terminals with a Unicode font.
pub const UNICODE: Glyphs = Glyphs {
    border: border::PLAIN,
    border_focused: border::THICK,
    selection: "▌",
    bar: &[" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"],
    meter_full: "▰",
    meter_empty: "▱",
    cut: "╌",
    rule: "─",
    prompt: "❯",
    ellipsis: "…",
    container: "‹",
    dot: "·",
    delta: "Δ",
    up: "▲",
    down: "▼",
    arrow: "→",
    done: "✓",
    running: "▸",
    newline: "↵",
    separator: "│",
    tree_guide: "│ ",
    tree_branch: "├─",
    tree_last: "└─",
    arrow_out: "▶",
    arrow_in: "◀",
    root: "●",
    spark: &["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"],
};

const ASCII_BORDER: border::Set<'static> = border::Set {
    top_left: "+",
    top_right: "+",
    bottom_left: "+",
    bottom_right: "+",
    vertical_left: "|",
    vertical_right: "|",
    horizontal_top: "-",
    horizontal_bottom: "-",
};

/// For everything else.
pub const ASCII: Glyphs = Glyphs {
    border: ASCII_BORDER,
    border_focused: border::Set { horizontal_top: "=", horizontal_bottom: "=", ..ASCII_BORDER },
    selection: ">",
    bar: &[" ", "#"],
    meter_full: "#",
    meter_empty: ".",
    cut: "-",
    rule: "-",
    prompt: ">",
    ellipsis: "~",
    container: "<",
    dot: "-",
    delta: "chg",
    up: "^",
    down: "v",
    arrow: "->",
    done: "x",
    running: ">",
    newline: "\\",
    separator: "|",
    tree_guide: "| ",
    tree_branch: "|-",
    tree_last: "`-",
    arrow_out: ">",
    arrow_in: "<",
    root: "o",
    spark: &["_", ".", "-", "=", "^"],
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ascii_set_is_ascii() {
        assert!(format!("{ASCII:?}").is_ascii());
    }
}
