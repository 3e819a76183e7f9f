//! The color depth of the terminal, and the nearest available color for a theme that has more.

use ratatui::style::Color;

/// The colors a terminal can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ColorDepth {
    /// The sixteen named colors of the user's palette.
    Sixteen,
    /// The 256 colors of xterm: the named ones, a cube of 216 and 24 grays.
    Indexed,
    /// 24-bit RGB.
    True,
}

/// Detects the color depth from the environment. The terminal is not queried, as it may never respond.
pub fn detect_depth(lookup: &dyn Fn(&str) -> Option<String>) -> ColorDepth {
    let contains =
        |name: &str, words: &[&str]| lookup(name).is_some_and(|value| words.iter().any(|w| value.contains(w)));
    if contains("COLORTERM", &["truecolor", "24bit"]) || contains("TERM", TRUE_COLOR_TERMS) {
        ColorDepth::True
    } else if contains("TERM", &["256"]) {
        ColorDepth::Indexed
    } else {
        ColorDepth::Sixteen
    }
}

/// Parts of `$TERM` of terminals with 24-bit color.
const TRUE_COLOR_TERMS: &[&str] = &["direct", "kitty", "alacritty", "foot", "ghostty", "wezterm", "contour"];

/// Returns the nearest color that the terminal has.
pub fn reduce(color: Color, depth: ColorDepth) -> Color {
    match (color, depth) {
        (Color::Rgb(red, green, blue), ColorDepth::Indexed) => Color::Indexed(nearest_indexed([red, green, blue])),
        (Color::Rgb(red, green, blue), ColorDepth::Sixteen) => nearest_named([red, green, blue]),
        (Color::Indexed(index), ColorDepth::Sixteen) if index >= 16 => nearest_named(indexed(index)),
        (Color::Indexed(index), ColorDepth::Sixteen) => NAMED[index as usize].0,
        _ => color,
    }
}

/// Returns the relative luminance of a color, from 0 to 1, as WCAG 2.1 defines it.
pub fn luminance(color: [u8; 3]) -> f64 {
    let linear = |channel: u8| match f64::from(channel) / 255.0 {
        low if low <= 0.03928 => low / 12.92,
        high => ((high + 0.055) / 1.055).powf(2.4),
    };
    let [red, green, blue] = color.map(linear);
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/// The values of each channel in the color cube of xterm's palette.
const CUBE: [u8; 6] = [0, 95, 135, 175, 215, 255];

/// Returns red, green and blue of an indexed color from 16 up.
pub(super) fn indexed(index: u8) -> [u8; 3] {
    match index {
        232.. => [8 + 10 * (index - 232); 3],
        _ => {
            let cube = index.saturating_sub(16) as usize;
            [CUBE[cube / 36 % 6], CUBE[cube / 6 % 6], CUBE[cube % 6]]
        }
    }
}

fn nearest_indexed(target: [u8; 3]) -> u8 {
    (16..=255).min_by_key(|index| distance(indexed(*index), target)).unwrap_or(16)
}

fn nearest_named(target: [u8; 3]) -> Color {
    NAMED.iter().min_by_key(|(_, known)| distance(*known, target)).map_or(Color::Reset, |(color, _)| *color)
}

/// Returns the squared distance, with each channel weighted by its share of the luminance.
fn distance(one: [u8; 3], other: [u8; 3]) -> u32 {
    const WEIGHTS: [u32; 3] = [30, 59, 11];
    let channel = |index: usize| WEIGHTS[index] * u32::from(one[index].abs_diff(other[index])).pow(2);
    (0..3).map(channel).sum()
}

/// The named colors with their values in xterm.
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

    fn depth_with(pairs: &[(&str, &str)]) -> ColorDepth {
        detect_depth(&|name| pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| value.to_string()))
    }

    #[test]
    fn depth_follows_the_environment() {
        assert_eq!(depth_with(&[]), ColorDepth::Sixteen);
        assert_eq!(depth_with(&[("TERM", "linux")]), ColorDepth::Sixteen);
        assert_eq!(depth_with(&[("TERM", "screen-256color")]), ColorDepth::Indexed);
        assert_eq!(depth_with(&[("TERM", "xterm-kitty")]), ColorDepth::True);
        assert_eq!(depth_with(&[("TERM", "tmux-256color"), ("COLORTERM", "truecolor")]), ColorDepth::True);
    }

    #[test]
    fn colors_are_reduced_to_the_nearest() {
        assert_eq!(reduce(Color::Rgb(1, 2, 3), ColorDepth::True), Color::Rgb(1, 2, 3));
        assert_eq!(reduce(Color::Rgb(255, 135, 0), ColorDepth::Indexed), Color::Indexed(208));
        assert_eq!(reduce(Color::Rgb(8, 8, 8), ColorDepth::Indexed), Color::Indexed(232));
        assert_eq!(reduce(Color::Rgb(250, 10, 10), ColorDepth::Sixteen), Color::LightRed);
        assert_eq!(reduce(Color::Indexed(196), ColorDepth::Sixteen), Color::LightRed);
        assert_eq!(reduce(Color::Indexed(255), ColorDepth::Sixteen), Color::Gray);
        assert_eq!(reduce(Color::Indexed(3), ColorDepth::Sixteen), Color::Yellow);
        assert_eq!(reduce(Color::Cyan, ColorDepth::Sixteen), Color::Cyan);
    }

    #[test]
    fn indexed_colors_are_their_own_nearest() {
        for index in 16..=255 {
            assert_eq!(indexed(nearest_indexed(indexed(index))), indexed(index));
        }
    }
}
