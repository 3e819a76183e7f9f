//! How many colors the terminal has, and the nearest of them for a theme that asks for more.

use ratatui::style::Color;

/// What a terminal can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depth {
    /// The sixteen of the user's own palette.
    Sixteen,
    /// These, a cube of 216 and 24 grays.
    Indexed,
    /// Red, green and blue of eight bits each.
    True,
}

/// What the environment says about the terminal; nothing is asked of the terminal itself, for it may never answer.
pub fn depth(lookup: &dyn Fn(&str) -> Option<String>) -> Depth {
    let says = |name: &str, words: &[&str]| lookup(name).is_some_and(|value| words.iter().any(|w| value.contains(w)));
    if says("COLORTERM", &["truecolor", "24bit"]) || says("TERM", DIRECT) {
        Depth::True
    } else if says("TERM", &["256"]) {
        Depth::Indexed
    } else {
        Depth::Sixteen
    }
}

/// Terminals that name themselves and show every color, as parts of `$TERM`.
const DIRECT: &[&str] = &["direct", "kitty", "alacritty", "foot", "ghostty", "wezterm", "contour"];

/// The color itself where the terminal has it, else the nearest one it has.
pub fn reduce(color: Color, depth: Depth) -> Color {
    match (color, depth) {
        (Color::Rgb(red, green, blue), Depth::Indexed) => Color::Indexed(nearest_indexed([red, green, blue])),
        (Color::Rgb(red, green, blue), Depth::Sixteen) => nearest_named([red, green, blue]),
        (Color::Indexed(index), Depth::Sixteen) if index >= 16 => nearest_named(indexed(index)),
        (Color::Indexed(index), Depth::Sixteen) => NAMED[index as usize].0,
        _ => color,
    }
}

/// The steps of each channel in the cube of xterm's palette.
const CUBE: [u8; 6] = [0, 95, 135, 175, 215, 255];

/// Red, green and blue of the colors from 16 up.
fn indexed(index: u8) -> [u8; 3] {
    match index {
        232.. => [8 + 10 * (index - 232); 3],
        _ => {
            let place = index.saturating_sub(16) as usize;
            [CUBE[place / 36 % 6], CUBE[place / 6 % 6], CUBE[place % 6]]
        }
    }
}

fn nearest_indexed(wanted: [u8; 3]) -> u8 {
    (16..=255).min_by_key(|index| distance(indexed(*index), wanted)).unwrap_or(16)
}

fn nearest_named(wanted: [u8; 3]) -> Color {
    NAMED.iter().min_by_key(|(_, known)| distance(*known, wanted)).map_or(Color::Reset, |(color, _)| *color)
}

/// The squared distance, with the weights of how much each channel adds to the brightness an eye sees.
fn distance(one: [u8; 3], other: [u8; 3]) -> u32 {
    const WEIGHTS: [u32; 3] = [30, 59, 11];
    let channel = |place: usize| WEIGHTS[place] * u32::from(one[place].abs_diff(other[place])).pow(2);
    (0..3).map(channel).sum()
}

/// The sixteen as xterm shows them; a user's palette keeps their meaning, if not their shade.
const NAMED: [(Color, [u8; 3]); 16] = [
    (Color::Black, [0, 0, 0]),
    (Color::Red, [205, 0, 0]),
    (Color::Green, [0, 205, 0]),
    (Color::Yellow, [205, 205, 0]),
    (Color::Blue, [0, 0, 238]),
    (Color::Magenta, [205, 0, 205]),
    (Color::Cyan, [0, 205, 205]),
    (Color::Gray, [229, 229, 229]),
    (Color::DarkGray, [127, 127, 127]),
    (Color::LightRed, [255, 0, 0]),
    (Color::LightGreen, [0, 255, 0]),
    (Color::LightYellow, [255, 255, 0]),
    (Color::LightBlue, [92, 92, 255]),
    (Color::LightMagenta, [255, 0, 255]),
    (Color::LightCyan, [0, 255, 255]),
    (Color::White, [255, 255, 255]),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn of(pairs: &[(&str, &str)]) -> Depth {
        depth(&|name| pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| value.to_string()))
    }

    #[test]
    fn the_environment_tells_the_depth() {
        assert_eq!(of(&[]), Depth::Sixteen);
        assert_eq!(of(&[("TERM", "linux")]), Depth::Sixteen);
        assert_eq!(of(&[("TERM", "screen-256color")]), Depth::Indexed);
        assert_eq!(of(&[("TERM", "xterm-kitty")]), Depth::True);
        assert_eq!(of(&[("TERM", "tmux-256color"), ("COLORTERM", "truecolor")]), Depth::True);
    }

    #[test]
    fn colors_fall_to_their_nearest_neighbor() {
        assert_eq!(reduce(Color::Rgb(1, 2, 3), Depth::True), Color::Rgb(1, 2, 3));
        assert_eq!(reduce(Color::Rgb(255, 135, 0), Depth::Indexed), Color::Indexed(208));
        assert_eq!(reduce(Color::Rgb(8, 8, 8), Depth::Indexed), Color::Indexed(232));
        assert_eq!(reduce(Color::Rgb(250, 10, 10), Depth::Sixteen), Color::LightRed);
        assert_eq!(reduce(Color::Indexed(196), Depth::Sixteen), Color::LightRed);
        assert_eq!(reduce(Color::Indexed(255), Depth::Sixteen), Color::Gray);
        assert_eq!(reduce(Color::Indexed(3), Depth::Sixteen), Color::Yellow);
        assert_eq!(reduce(Color::Cyan, Depth::Sixteen), Color::Cyan);
    }

    #[test]
    fn the_cube_is_its_own_nearest() {
        for index in 16..=255 {
            assert_eq!(indexed(nearest_indexed(indexed(index))), indexed(index));
        }
    }
}
