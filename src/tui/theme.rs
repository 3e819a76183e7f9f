//! Colors by meaning: every theme fills every slot.

use ratatui::style::{Color, Modifier, Style};
use serde::Deserialize;

use super::color::{self, Depth};

macro_rules! slots {
    ($($variant:ident $name:literal),* $(,)?) => {
        /// What a piece of text means; the theme says how that looks.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Slot { $($variant),* }

        impl Slot {
            /// Every slot a theme must fill.
            pub const ALL: &'static [Slot] = &[$(Slot::$variant),*];

            /// The name in theme files.
            pub fn name(self) -> &'static str {
                match self { $(Slot::$variant => $name),* }
            }
        }
    };
}

slots! {
    Text "text", Dim "dim", Heading "heading", Border "border", BorderFocused "border_focused",
    Prompt "prompt", Selection "selection", SelectionUnfocused "selection_unfocused", Stale "stale",
    Rank "rank", Score "score", Bar "bar", Name "name", Container "container", Place "place", Tokens "tokens",
    Cut "cut", MeterFull "meter_full", MeterEmpty "meter_empty", Positive "positive", Negative "negative",
    Mode "mode", Info "info", Error "error", HintKey "hint_key", HintText "hint_text",
    LineNumber "line_number", Definition "definition",
    Comment "comment", String "string", Number "number", Keyword "keyword", Function "function", Type "type",
    Constant "constant", Operator "operator", Variable "variable",
}

/// A style for every slot.
#[derive(Debug, Clone, PartialEq)]
pub struct Theme {
    pub name: String,
    styles: Vec<Style>,
}

/// The themes that ship with the program; the first one is the default.
pub const SHIPPED: &[(&str, &str)] = &[
    ("ansi", include_str!("../../themes/ansi.toml")),
    ("dark", include_str!("../../themes/dark.toml")),
    ("light", include_str!("../../themes/light.toml")),
    ("high-contrast", include_str!("../../themes/high-contrast.toml")),
    ("catppuccin-mocha", include_str!("../../themes/catppuccin-mocha.toml")),
    ("catppuccin-latte", include_str!("../../themes/catppuccin-latte.toml")),
    ("gruvbox", include_str!("../../themes/gruvbox.toml")),
];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    slots: toml::Table,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Look {
    fg: Option<String>,
    bg: Option<String>,
    #[serde(default)]
    bold: bool,
    #[serde(default)]
    dim: bool,
    #[serde(default)]
    italic: bool,
    #[serde(default)]
    underline: bool,
    #[serde(default)]
    reverse: bool,
}

impl Theme {
    /// The shipped theme of this name.
    pub fn shipped(name: &str) -> Result<Theme, String> {
        let known = || SHIPPED.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
        match SHIPPED.iter().find(|(shipped, _)| *shipped == name) {
            Some((name, text)) => Theme::parse(name, text),
            None => Err(format!("there is no theme \"{name}\"; there are {}", known())),
        }
    }

    /// Reads a theme file; a missing or unknown slot is an error in words.
    pub fn parse(name: &str, text: &str) -> Result<Theme, String> {
        let file: File = toml::from_str(text).map_err(|error| format!("theme {name}: {error}"))?;
        if let Some(unknown) = file.slots.keys().find(|key| !Slot::ALL.iter().any(|slot| slot.name() == *key)) {
            return Err(format!("theme {name}: unknown slot {unknown}"));
        }
        let mut styles = Vec::with_capacity(Slot::ALL.len());
        for slot in Slot::ALL {
            let value = file.slots.get(slot.name()).ok_or(format!("theme {name}: slot {} is missing", slot.name()))?;
            let look: Look = value.clone().try_into().map_err(|error| format!("theme {name}: {error}"))?;
            styles.push(look.style().map_err(|error| format!("theme {name}: slot {}: {error}", slot.name()))?);
        }
        Ok(Theme { name: name.to_string(), styles })
    }

    /// No colors at all: weight and reverse video only.
    pub fn without_color(mut self) -> Theme {
        for style in &mut self.styles {
            *style = Style { fg: None, bg: None, ..*style };
        }
        self
    }

    /// In the colors the terminal has. With only sixteen, nobody knows what stands behind the text: backgrounds and
    /// grays give way to the terminal's own, and the hues to the user's shades of them.
    pub fn at_depth(mut self, depth: Depth) -> Theme {
        for style in &mut self.styles {
            let reduced = |color| Some(color::reduce(color, depth));
            *style = match depth {
                Depth::Sixteen => {
                    let gray =
                        |color: &Color| matches!(color, Color::Black | Color::White | Color::Gray | Color::DarkGray);
                    Style { fg: style.fg.and_then(reduced).filter(|color| !gray(color)), bg: None, ..*style }
                }
                _ => Style { fg: style.fg.and_then(reduced), bg: style.bg.and_then(reduced), ..*style },
            };
        }
        self
    }

    /// How `slot` looks.
    pub fn style(&self, slot: Slot) -> Style {
        self.styles.get(slot as usize).copied().unwrap_or_default()
    }
}

impl Look {
    fn style(&self) -> Result<Style, String> {
        let mut style = Style::default();
        if let Some(color) = &self.fg {
            style = style.fg(read_color(color)?);
        }
        if let Some(color) = &self.bg {
            style = style.bg(read_color(color)?);
        }
        let modifiers = [
            (self.bold, Modifier::BOLD),
            (self.dim, Modifier::DIM),
            (self.italic, Modifier::ITALIC),
            (self.underline, Modifier::UNDERLINED),
            (self.reverse, Modifier::REVERSED),
        ];
        for (wanted, modifier) in modifiers {
            if wanted {
                style = style.add_modifier(modifier);
            }
        }
        Ok(style)
    }
}

fn read_color(text: &str) -> Result<Color, String> {
    text.parse().map_err(|_| format!("\"{text}\" is no color"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shipped_theme_fills_every_slot() {
        for (name, text) in SHIPPED {
            let theme = Theme::parse(name, text).unwrap();
            assert_eq!(theme.styles.len(), Slot::ALL.len());
        }
    }

    #[test]
    fn a_missing_slot_an_unknown_slot_and_a_strange_color_are_named() {
        let (_, text) = SHIPPED[0];
        let missing = text.replacen("heading", "heading_gone", 1);
        assert!(Theme::parse("t", &missing).unwrap_err().contains("heading_gone"));
        let without: String =
            text.lines().filter(|line| !line.starts_with("cut")).map(|line| format!("{line}\n")).collect();
        assert!(Theme::parse("t", &without).unwrap_err().contains("cut is missing"));
        let color = text.replacen("cut = {", "cut = { bg = \"blurple\",", 1);
        assert!(Theme::parse("t", &color).unwrap_err().contains("blurple"));
        assert!(Theme::shipped("none").unwrap_err().contains("ansi, dark, light, high-contrast"));
    }

    #[test]
    fn themes_fall_to_the_colors_a_terminal_has() {
        for (name, _) in SHIPPED {
            let theme = Theme::shipped(name).unwrap();
            assert_eq!(theme.clone().at_depth(Depth::True), theme);
            for slot in Slot::ALL {
                let at = |depth| theme.clone().at_depth(depth).style(*slot);
                let is_rgb = |color: Option<Color>| matches!(color, Some(Color::Rgb(..)));
                assert!(!is_rgb(at(Depth::Indexed).fg) && !is_rgb(at(Depth::Indexed).bg), "{name} {slot:?}");
                assert!(!matches!(at(Depth::Sixteen).fg, Some(Color::Rgb(..) | Color::Indexed(_))), "{name} {slot:?}");
            }
        }
        let ansi = Theme::shipped("ansi").unwrap();
        assert_eq!(ansi.clone().at_depth(Depth::Sixteen), ansi);
    }

    /// The luminance of a color and the contrast of two, as WCAG 2.1 defines them.
    fn contrast(one: Color, other: Color) -> f64 {
        let luminance = |color| {
            let Color::Rgb(red, green, blue) = color else { panic!("{color} is not of three channels") };
            let linear = |channel: u8| match f64::from(channel) / 255.0 {
                low if low <= 0.03928 => low / 12.92,
                high => ((high + 0.055) / 1.055).powf(2.4),
            };
            0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
        };
        let (one, other) = (luminance(one), luminance(other));
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    #[test]
    fn themes_with_a_background_of_their_own_can_be_read_on_it() {
        // Lines and empty cells carry no words.
        let decoration = [Slot::Border, Slot::MeterEmpty, Slot::LineNumber];
        for (name, least) in
            [("high-contrast", 7.0), ("catppuccin-mocha", 4.5), ("catppuccin-latte", 3.5), ("gruvbox", 4.0)]
        {
            let theme = Theme::shipped(name).unwrap();
            let ground = theme.style(Slot::Text).bg.unwrap();
            for slot in Slot::ALL.iter().filter(|slot| !decoration.contains(slot)) {
                let Some(color) = theme.style(*slot).fg else { continue };
                let reached = contrast(color, theme.style(*slot).bg.unwrap_or(ground));
                assert!(reached >= least, "{name} {slot:?}: {reached:.1}");
            }
        }
    }

    #[test]
    fn state_survives_without_color() {
        for (name, _) in SHIPPED {
            let theme = Theme::shipped(name).unwrap().without_color();
            assert!(theme.style(Slot::Selection).add_modifier.contains(Modifier::REVERSED), "{name}");
            assert!(theme.style(Slot::Stale).add_modifier.contains(Modifier::DIM), "{name}");
            assert_eq!(theme.style(Slot::Error).fg, None);
        }
    }
}
