//! The graph as a picture: labels keep their colors, and no line crosses them.

use super::*;
use crate::tui::panes::graph;
use crate::tui::theme::Theme;

/// Returns a model whose graph is a picture that fills the screen.
fn picture(theme: &str) -> Model {
    let mut model = ranked(120, 40);
    model.appearance.theme = Theme::built_in(theme).unwrap();
    model.focus = Focus::Pane(graph::ID);
    model.zoomed = true;
    model.panes.graph.show(fixture::neighborhood());
    model.panes.graph.canvas = true;
    model.panes.graph.selected = 3;
    model
}

#[test]
fn labels_have_one_color_and_a_blank_around_them() {
    for theme in ["ansi", "dark", "catppuccin-latte"] {
        let terminal = draw(&picture(theme));
        let buffer = terminal.backend().buffer();
        for name in ["open_session", "save_session", "SessionMixin", "push", "session_interface"] {
            // Its first cell is a dot or an arrow; the relation to the parent is before the name.
            let width = name.chars().count() as u16;
            let cells = |x: u16, y: u16| (x..x + width).map(move |x| &buffer[(x, y)]);
            let found = (0..buffer.area.height)
                .flat_map(|y| (0..buffer.area.width - width).map(move |x| (x, y)))
                .map(|(x, y)| ((x, y), cells(x, y).map(|cell| cell.symbol()).collect::<String>()))
                .find(|(_, shown)| shown == name)
                .map(|(position, _)| position);
            let (x, y) = found.unwrap_or_else(|| panic!("{name} is not whole:\n{}", terminal.backend()));
            let first = &buffer[(x, y)];
            assert!(cells(x, y).all(|cell| (cell.fg, cell.bg) == (first.fg, first.bg)), "{theme}: {name}");
            assert!([" ", "│"].contains(&buffer[(x + width, y)].symbol()), "{theme}: a line touches {name}");
        }
    }
}

#[test]
fn picture_at_120x40() {
    insta::assert_snapshot!(screen(&picture("ansi")));
}
