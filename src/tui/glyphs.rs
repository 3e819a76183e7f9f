//! The drawing characters, in Unicode and in plain ASCII.

use ratatui::symbols::border;

/// A set of drawing characters. Box drawing and blocks are ambiguous in width, hence the ASCII set.
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
    /// Before the name of a container.
    pub container: &'static str,
    /// Before the name of what is in a file or a container.
    pub crumb: &'static str,
    /// Between the parts of a line.
    pub dot: &'static str,
    /// The mark of a symbol without a vote.
    pub no_vote: &'static str,
    /// Marks a row that commands act on.
    pub mark: &'static str,
    /// A rank gained and a rank lost.
    pub up: &'static str,
    pub down: &'static str,
    /// Between a value before and after.
    pub arrow: &'static str,
    pub done: &'static str,
    pub running: &'static str,
    pub newline: &'static str,
    /// Instead of the number of a line that continues.
    pub wrapped: &'static str,
    pub separator: &'static str,
    /// Lines of a tree, two columns each: past a sibling, to a child, to the last child.
    pub tree_guide: &'static str,
    pub tree_branch: &'static str,
    pub tree_last: &'static str,
    /// An outgoing and an incoming edge.
    pub arrow_out: &'static str,
    pub arrow_in: &'static str,
    /// Before the root of the graph and the newest run.
    pub root: &'static str,
}

/// Unicode characters.
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
    crumb: "›",
    dot: "·",
    no_vote: "·",
    mark: "◆",
    up: "▲",
    down: "▼",
    arrow: "→",
    done: "✓",
    running: "▸",
    newline: "↵",
    wrapped: "↳",
    separator: "│",
    tree_guide: "│ ",
    tree_branch: "├─",
    tree_last: "└─",
    arrow_out: "▶",
    arrow_in: "◀",
    root: "●",
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

/// ASCII characters.
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
    crumb: ">",
    dot: "-",
    no_vote: ".",
    mark: "#",
    up: "^",
    down: "v",
    arrow: "->",
    done: "x",
    running: ">",
    newline: "\\",
    wrapped: "\\",
    separator: "|",
    tree_guide: "| ",
    tree_branch: "|-",
    tree_last: "`-",
    arrow_out: ">",
    arrow_in: "<",
    root: "o",
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_vote_has_a_mark_of_its_own() {
        for glyphs in [UNICODE, ASCII] {
            assert!(!["+", "-", "*", "x"].contains(&glyphs.no_vote), "{}", glyphs.no_vote);
        }
    }

    #[test]
    fn ascii_set_is_ascii() {
        assert!(format!("{ASCII:?}").is_ascii());
    }
}
